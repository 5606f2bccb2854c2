//! `--exact`: search without errors on the CPU, compared with memchr's memmem.
//!
//! Patterns have 2, 64, 65, 1,000 and 100,000 symbols: a part of the text, and the same part with
//! its first or its last symbol changed, so that there are many, few or no occurrences. All
//! occurrences are counted, also overlapping ones. The times of an engine are those of the search
//! that `auto` chooses (`CpuEnds`), with its tables made in advance, on one thread and on all;
//! memmem's times are those of
//!
//! - `memmem, stepped`: all occurrences, by restarting one position after each. If many overlap
//!   this takes O(mn), so it stops after a second, and its time is scaled by the share of the text
//!   it has searched;
//! - `memmem, apart`: only occurrences that do not overlap (`find_iter`), which misses most of them
//!   in a repetitive text.
//!
//! An engine's occurrences are counted, and also listed (`a list`: 16 bytes each, which takes
//! longer than finding them in a text of `a`s). The methods take turns, and GB/s are from the least
//! time.
//!
//! `times_stepped` and `times_apart` are memmem's time divided by carrywave's: 1 is as fast, and
//! 0.5 half as fast.

use super::common::texts::{binary_de_bruijn, fibonacci, repeated};
use super::common::{self, Outcome, line::Line};
use super::english::english;
use carrywave::internal::search::cpu::{ALGORITHMS, CpuEnds, Query, fastest};
use carrywave::internal::search::ends::FindEnds as _;
use carrywave::search::Algorithm;
use carrywave::text::{Pattern, Text};
use memchr::memmem::Finder;
use serde_json::{Value, json};
use std::time::Instant;

/// Numbers of symbols of the patterns.
const LENGTHS: &[usize] = &[2, 64, 65, 1000, 100_000];

/// Seconds until a row of memmem ends, and number of occurrences between two checks of the clock.
const PATIENCE: f64 = 1.0;
const LOOK: usize = 64;

/// Returns the texts, all of n symbols.
fn texts(n: usize) -> Vec<(&'static str, Vec<u8>)> {
    let mut texts = vec![
        ("random, 256 symbols", common::random(n, 256, 1)),
        ("random DNA", common::random(n, 4, 2).into_iter().map(|digit| b"ACGT"[usize::from(digit - b'0')]).collect()),
    ];
    match english() {
        Ok(text) => texts.push(("English", repeated(&text, n))),
        Err(reason) => eprintln!("English skipped: {reason}"),
    }
    texts.extend([
        ("a^n", repeated(b"a", n)),
        ("(ab)^n", repeated(b"ab", n)),
        ("Fibonacci", fibonacci(n)),
        ("de Bruijn", binary_de_bruijn(n)),
    ]);
    texts
}

/// Returns a symbol other than `symbol`: one that occurs in the text, if it has two.
fn other(text: &[u8], symbol: u8) -> u8 {
    text.iter().copied().find(|found| *found != symbol).unwrap_or(symbol + 1)
}

/// Returns patterns of m symbols for a text, each with a description.
fn patterns(text: &[u8], m: usize) -> Vec<(&'static str, Vec<u8>)> {
    let part = &text[text.len() / 3..][..m];
    let changed = |at: usize| {
        let mut pattern = part.to_vec();
        pattern[at] = other(text, pattern[at]);
        pattern
    };
    vec![("in the text", part.to_vec()), ("last symbol changed", changed(m - 1)), ("first symbol changed", changed(0))]
}

/// A method to count occurrences. It returns their number, and the share of the text that it has
/// searched.
struct Way<'w> {
    name: String,
    count: Box<dyn FnMut() -> Outcome<(u64, f64)> + 'w>,
    /// Seconds of each run, scaled to the whole text.
    seconds: Vec<f64>,
    /// Number of occurrences, if the whole text was searched.
    found: Option<u64>,
}

impl<'w> Way<'w> {
    fn new(name: impl Into<String>, count: impl FnMut() -> Outcome<(u64, f64)> + 'w) -> Self {
        Self { name: name.into(), count: Box::new(count), seconds: Vec::new(), found: None }
    }

    fn run(&mut self) -> Outcome<()> {
        let started = Instant::now();
        let (found, share) = (self.count)()?;
        self.seconds.push(started.elapsed().as_secs_f64() / share);
        self.found = (share == 1.0).then_some(found);
        Ok(())
    }

    fn least(&self) -> f64 {
        self.seconds.iter().copied().fold(f64::INFINITY, f64::min)
    }
}

/// Runs all methods in turn, so that all run under the same conditions; slow ones run once.
fn run(ways: &mut [Way<'_>], runs: usize) -> Outcome<()> {
    for number in 0..runs {
        for way in ways.iter_mut().filter(|way| number == 0 || way.least() < PATIENCE / 2.0) {
            way.run()?;
        }
    }
    Ok(())
}

/// Counts all occurrences by memmem, or those that do not overlap. Returns their number and the
/// share of the text searched in its time.
fn memmem(finder: &Finder<'_>, text: &[u8], step: usize) -> (u64, f64) {
    let started = Instant::now();
    let mut from = 0;
    let mut count = 0u64;
    while let Some(at) = text.get(from..).and_then(|rest| finder.find(rest)) {
        count += 1;
        from += at + step;
        if count.is_multiple_of(LOOK as u64) && started.elapsed().as_secs_f64() > PATIENCE {
            return (count, from as f64 / text.len() as f64);
        }
    }
    (count, 1.0)
}

/// Returns the algorithm that `auto` chooses.
fn chosen(pattern: &[u8]) -> &'static str {
    let query = Query::new(Pattern::literal(pattern), 0);
    fastest(ALGORITHMS.iter(), &query).map_or("none", |row| row.about.name)
}

/// The options of the command line.
struct Options {
    symbols: usize,
    threads: usize,
    runs: usize,
    /// Part of the names of the texts to run.
    only: String,
    algorithm: Algorithm,
    lengths: Vec<usize>,
    line: Line,
}

impl Options {
    fn read() -> Outcome<Self> {
        let mut options = Self {
            symbols: 1 << 26,
            threads: 0,
            runs: 5,
            only: String::new(),
            algorithm: Algorithm::AUTO,
            lengths: LENGTHS.to_vec(),
            line: Line::default(),
        };
        options.line = Line::read("--exact --symbols --threads --runs --only --m --algorithm", |name, value| {
            match name {
                "--exact" => {}
                "--symbols" => options.symbols = value.number::<usize>()?.max(400_000),
                "--threads" => options.threads = value.number()?,
                "--runs" => options.runs = value.number::<usize>()?.max(1),
                "--only" => options.only = value.text()?,
                "--m" => options.lengths = value.text()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
                "--algorithm" => options.algorithm = Algorithm::named(&value.text()?)?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        if options.threads == 0 {
            options.threads = std::thread::available_parallelism()?.get();
        }
        Ok(options)
    }
}

/// A pattern in a text.
struct Case<'c> {
    /// Name of the text.
    name: &'static str,
    text: &'c [u8],
    /// Origin of the pattern.
    what: &'static str,
    pattern: &'c [u8],
}

/// A pool of threads, and their number.
struct Threads {
    count: usize,
    pool: rayon::ThreadPool,
}

impl Threads {
    fn new(count: usize) -> Self {
        Self { count, pool: common::pool(count) }
    }
}

/// The slowest row on one thread, relative to memmem.
struct Slowest {
    times: f64,
    place: String,
}

/// Rows so far.
struct Rows {
    rows: Vec<Value>,
    /// Slowest rows relative to memmem, stepped and apart.
    slowest: [Slowest; 2],
}

/// Positions in the list of methods: memmem, stepped and apart, then the engine on one thread.
const STEPPED: usize = 0;
const APART: usize = 1;
const ONE_THREAD: usize = 2;

/// Returns the methods to count a case's occurrences: memmem's, then the engine's on each number of
/// threads, then a list on one thread.
fn ways<'w>(case: &'w Case<'_>, algorithm: Algorithm, pools: &'w [Threads]) -> Outcome<Vec<Way<'w>>> {
    let Case { text, pattern, .. } = *case;
    let used = if algorithm.is_auto() { chosen(pattern) } else { algorithm.name() };
    let finder = Finder::new(pattern);
    let stepped = finder.clone();
    let mut ways = vec![
        Way::new("memmem, stepped", move || Ok(memmem(&stepped, text, 1))),
        Way::new("memmem, apart", move || Ok(memmem(&finder, text, pattern.len()))),
    ];
    let engine = || CpuEnds::new(vec![Pattern::literal(pattern)], 0, algorithm, &|_| ());
    for Threads { count, pool } in pools {
        let mut engine = engine()?;
        let occurrences = move || Ok((pool.install(|| engine.count(&Text::from(text)))?, 1.0));
        ways.push(Way::new(format!("{algorithm} ({used}), {count} threads"), occurrences));
    }
    let mut engine = engine()?;
    let one = &pools[0].pool;
    let list = move || Ok((one.install(|| engine.all(&Text::from(text), 1))?[0].len() as u64, 1.0));
    ways.push(Way::new(format!("{algorithm} ({used}), 1 thread, a list"), list));
    Ok(ways)
}

impl Rows {
    fn new() -> Self {
        let slowest = || Slowest { times: f64::INFINITY, place: String::new() };
        Self { rows: Vec::new(), slowest: [slowest(), slowest()] }
    }

    /// Checks the results of the methods, and adds a row for each.
    fn add(&mut self, case: &Case<'_>, ways: &[Way<'_>]) -> Outcome<()> {
        let Case { name, text, what, pattern } = *case;
        let m = pattern.len();
        let [stepped, apart] = [STEPPED, APART].map(|way| ways[way].least());
        let expected = ways[STEPPED].found.or(ways[ONE_THREAD].found);
        for (number, way) in ways.iter().enumerate() {
            if way.found != expected && number != APART && way.found.is_some() {
                return Err(
                    format!("{:?} of {what}, m = {m}, in {name}, where memmem finds {expected:?}", way.found).into()
                );
            }
            let ours = way.least();
            let gbps = text.len() as f64 / ours / 1e9;
            let mut more = json!({ "gb_per_s": gbps });
            if number > APART {
                more["times_stepped"] = json!(stepped / ours);
                more["times_apart"] = json!(apart / ours);
                more["found"] = json!(way.found);
            }
            println!(
                "{name:<20} {what:<20} m {m:<6} {:<26} {gbps:8.3} GB/s; {:7.2} and {:5.2} times as fast as memmem; {:?} found",
                way.name,
                stepped / ours,
                apart / ours,
                way.found,
            );
            if number == ONE_THREAD {
                for (slowest, times) in self.slowest.iter_mut().zip([stepped / ours, apart / ours]) {
                    if times < slowest.times {
                        *slowest = Slowest { times, place: format!("{what}, m = {m}, in {name}") };
                    }
                }
            }
            self.rows.push(common::row(name, what, &way.name, (m, text.len()), &way.seconds, more));
        }
        Ok(())
    }
}

/// Measures all rows.
pub fn exact() -> Outcome<()> {
    let options = Options::read()?;
    let mut pools = vec![Threads::new(1)];
    if options.threads > 1 {
        pools.push(Threads::new(options.threads));
    }
    let mut rows = Rows::new();
    for (name, text) in texts(options.symbols).iter().filter(|(name, _)| name.contains(&options.only)) {
        for &m in &options.lengths {
            for (what, pattern) in patterns(text, m) {
                let case = Case { name, text, what, pattern: &pattern };
                let mut ways = ways(&case, options.algorithm, &pools)?;
                run(&mut ways, options.runs)?;
                rows.add(&case, &ways)?;
            }
        }
    }
    for (Slowest { times, place }, than) in rows.slowest.iter().zip(["stepped", "apart"]) {
        println!("least, one thread: {times:.2} times as fast as memmem {than}: {place}");
    }
    options.line.write("cargo bench --bench search_cpu --", json!({ "cpu": common::cpu_model(), "rows": rows.rows }))
}
