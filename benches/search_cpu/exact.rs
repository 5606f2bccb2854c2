//! `--exact`: search without errors on the CPU, beside memchr's memmem.
//!
//! Patterns of 2, 64, 65, 1,000 and 100,000 symbols: a part of the text, and the same with its first or its last symbol changed, so that
//! many, few or none are found. All occurrences are counted, those that overlap too. Times of an engine are those of the search that `auto`
//! takes (`CpuEnds`), with the search's own tables made, by one thread and by all; memmem's are those of
//!
//! - `memmem, stepped`: all occurrences, by going on one position after each. Where many overlap that takes O(mn), so it stops after a
//!   second, and its time is scaled by the part of the text that it has done;
//! - `memmem, apart`: only those that do not overlap (`find_iter`), which leaves most of what is asked for away where a text repeats itself.
//!
//! An engine's occurrences are counted, and listed as well (`a list`: 16 bytes each, which in a text of `a`s take longer than to find them).
//! The ways take turns, and GB/s are those of the least time.
//!
//! `times_stepped` and `times_apart` are memmem's time divided by ours: 1 is as fast, and 0.5 half as fast.

use super::common::texts::{binary_de_bruijn, fibonacci, repeated};
use super::common::{self, Outcome, line::Line};
use carrywave::search::cpu::{ALGORITHMS, CpuEnds, Query, fastest};
use carrywave::search::ends::FindEnds as _;
use carrywave::search::{Algorithm, Pattern, Text};
use memchr::memmem::Finder;
use serde_json::{Value, json};
use std::time::Instant;

/// Symbols of the patterns.
const LENGTHS: &[usize] = &[2, 64, 65, 1000, 100_000];

/// Seconds after which a row of memmem ends, and occurrences between two looks at the clock.
const PATIENCE: f64 = 1.0;
const LOOK: usize = 64;

/// The texts, all of n symbols.
fn texts(n: usize) -> Vec<(&'static str, Vec<u8>)> {
    let mut texts = vec![
        ("random, 256 symbols", common::random(n, 256, 1)),
        ("random DNA", common::random(n, 4, 2).into_iter().map(|digit| b"ACGT"[usize::from(digit - b'0')]).collect()),
    ];
    match super::english() {
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

/// Another symbol than this: one that the text has, if it has two.
fn other(text: &[u8], symbol: u8) -> u8 {
    text.iter().copied().find(|found| *found != symbol).unwrap_or(symbol + 1)
}

/// Patterns of m symbols for a text, each with what it is.
fn patterns(text: &[u8], m: usize) -> Vec<(&'static str, Vec<u8>)> {
    let part = &text[text.len() / 3..][..m];
    let changed = |at: usize| {
        let mut pattern = part.to_vec();
        pattern[at] = other(text, pattern[at]);
        pattern
    };
    vec![("in the text", part.to_vec()), ("last symbol changed", changed(m - 1)), ("first symbol changed", changed(0))]
}

/// A way to count, which says how many there are and which share of the text it has done.
struct Way<'w> {
    name: String,
    count: Box<dyn FnMut() -> Outcome<(u64, f64)> + 'w>,
    /// Of each run, scaled to the whole text.
    seconds: Vec<f64>,
    /// If the whole text was done.
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

/// Each in turn, so that all have had the same neighbours; those that take long once.
fn run(ways: &mut [Way<'_>], runs: usize) -> Outcome<()> {
    for number in 0..runs {
        for way in ways.iter_mut().filter(|way| number == 0 || way.least() < PATIENCE / 2.0) {
            way.run()?;
        }
    }
    Ok(())
}

/// All occurrences by memmem, or those that do not overlap, and the share of the text that it has done in its time.
fn memmem(finder: &Finder<'_>, text: &[u8], step: usize) -> (u64, f64) {
    let (started, mut from, mut count) = (Instant::now(), 0, 0u64);
    while let Some(at) = text.get(from..).and_then(|rest| finder.find(rest)) {
        count += 1;
        from += at + step;
        if count.is_multiple_of(LOOK as u64) && started.elapsed().as_secs_f64() > PATIENCE {
            return (count, from as f64 / text.len() as f64);
        }
    }
    (count, 1.0)
}

/// What `auto` takes.
fn chosen(pattern: &[u8]) -> &'static str {
    let query = Query::new(Pattern::literal(pattern), 0);
    fastest(ALGORITHMS.iter(), &query).map_or("none", |row| row.about.name)
}

/// All rows.
pub fn exact() -> Outcome<()> {
    let (mut symbols, mut threads, mut runs, mut only) = (1 << 26, 0, 5, String::new());
    let (mut algorithm, mut lengths) = (Algorithm::AUTO, LENGTHS.to_vec());
    let line = Line::read("--exact --symbols --threads --runs --only --m --algorithm", |name, value| {
        match name {
            "--exact" => {}
            "--symbols" => symbols = value.number::<usize>()?.max(400_000),
            "--threads" => threads = value.number()?,
            "--runs" => runs = value.number::<usize>()?.max(1),
            "--only" => only = value.text()?,
            "--m" => lengths = value.text()?.split(',').map(str::parse).collect::<Result<_, _>>()?,
            "--algorithm" => algorithm = Algorithm::named(&value.text()?)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let threads = if threads == 0 { std::thread::available_parallelism()?.get() } else { threads };
    let mut pools = vec![(1, common::pool(1))];
    if threads > 1 {
        pools.push((threads, common::pool(threads)));
    }
    let mut rows: Vec<Value> = Vec::new();
    let mut slowest = [(f64::INFINITY, String::new()), (f64::INFINITY, String::new())];
    for (name, text) in texts(symbols).iter().filter(|(name, _)| name.contains(&only)) {
        for &m in &lengths {
            for (what, pattern) in patterns(text, m) {
                let finder = Finder::new(&pattern);
                let literal = Pattern::literal(&pattern);
                let name_of = if algorithm.is_auto() { chosen(&pattern) } else { algorithm.name() };
                let mut ways = vec![
                    Way::new("memmem, stepped", || Ok(memmem(&finder, text, 1))),
                    Way::new("memmem, apart", || Ok(memmem(&finder, text, m))),
                ];
                for (threads, pool) in &pools {
                    let mut engine = CpuEnds::new(vec![literal.clone()], 0, algorithm, &|_| ())?;
                    let count = move || Ok((pool.install(|| engine.count(&Text::from(text)))?, 1.0));
                    ways.push(Way::new(format!("{algorithm} ({name_of}), {threads} threads"), count));
                }
                let mut engine = CpuEnds::new(vec![literal.clone()], 0, algorithm, &|_| ())?;
                let pool = &pools[0].1;
                let list = move || Ok((pool.install(|| engine.all(&Text::from(text), 1))?[0].len() as u64, 1.0));
                ways.push(Way::new(format!("{algorithm} ({name_of}), 1 thread, a list"), list));
                run(&mut ways, runs)?;
                let [stepped, apart] = [&ways[0], &ways[1]].map(Way::least);
                let expected = ways[0].found.or(ways[2].found);
                for (number, way) in ways.iter().enumerate() {
                    if way.found != expected && number != 1 && way.found.is_some() {
                        return Err(format!(
                            "{:?} of {what}, m = {m}, in {name}, where memmem finds {expected:?}",
                            way.found
                        )
                        .into());
                    }
                    let (seconds, ours) = (&way.seconds, way.least());
                    let gbps = text.len() as f64 / ours / 1e9;
                    let mut more = json!({ "gb_per_s": gbps });
                    if number > 1 {
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
                    if number == 2 {
                        for (slowest, times) in slowest.iter_mut().zip([stepped / ours, apart / ours]) {
                            if times < slowest.0 {
                                *slowest = (times, format!("{what}, m = {m}, in {name}"));
                            }
                        }
                    }
                    rows.push(common::row(name, what, &way.name, (m, text.len()), seconds, more));
                }
            }
        }
    }
    for ((times, place), than) in slowest.iter().zip(["stepped", "apart"]) {
        println!("least, one thread: {times:.2} times as fast as memmem {than}: {place}");
    }
    line.write("cargo bench --bench search_cpu --", json!({ "cpu": common::cpu_model(), "rows": rows }))
}
