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
//! `times_stepped` and `times_apart` are memmem's time divided by ours: 1 is as fast, and 0.5 half as fast.

use super::common::texts::{binary_de_bruijn, fibonacci, repeated};
use super::common::{self, Outcome, line::Line};
use carrywave::search::cpu::{ALGORITHMS, CpuEnds, Query};
use carrywave::search::ends::FindEnds as _;
use carrywave::search::{Algorithm, Pattern, Text};
use memchr::memmem::Finder;
use serde_json::{Value, json};
use std::time::Instant;

/// Symbols of the patterns.
const LENGTHS: [usize; 5] = [2, 64, 65, 1000, 100_000];

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

/// The least seconds of some runs of a count, scaled to the whole text where a run says that it has done a part of it only; and the count.
fn least(runs: usize, mut call: impl FnMut() -> Outcome<(u64, f64)>) -> Outcome<(f64, Option<u64>, Vec<f64>)> {
    let (mut all, mut count) = (Vec::new(), None);
    while all.len() < runs && all.iter().sum::<f64>() < 4.0 * PATIENCE {
        let started = Instant::now();
        let (found, share) = call()?;
        all.push(started.elapsed().as_secs_f64() / share);
        count = (share == 1.0).then_some(found);
    }
    Ok((all.iter().copied().fold(f64::INFINITY, f64::min), count, all))
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
    let costs = ALGORITHMS.iter().filter(|row| (row.check)(&query).is_ok());
    let costs = costs.filter_map(|row| Some(((row.cost)(&query)?, row.about.name)));
    costs.min_by(|a, b| a.0.total_cmp(&b.0)).map_or("none", |(_, name)| name)
}

/// All rows.
pub fn exact() -> Outcome<()> {
    let (mut symbols, mut threads, mut runs, mut only) = (1 << 26, 0, 5, String::new());
    let line = Line::read("--exact --symbols --threads --runs --only", |name, value| {
        match name {
            "--exact" => {}
            "--symbols" => symbols = value.number::<usize>()?.max(400_000),
            "--threads" => threads = value.number()?,
            "--runs" => runs = value.number::<usize>()?.max(1),
            "--only" => only = value.text()?,
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
        for m in LENGTHS {
            for (what, pattern) in patterns(text, m) {
                let finder = Finder::new(&pattern);
                let (stepped, expected, stepped_all) = least(runs, || Ok(memmem(&finder, text, 1)))?;
                let (apart, _, apart_all) = least(runs, || Ok(memmem(&finder, text, m)))?;
                let mut row = |engine: String, seconds: &[f64], least: f64, more: Value| {
                    rows.push(json!({
                        "part": name, "name": what, "engine": engine, "m": m, "n": text.len(), "seconds": seconds,
                        "median_s": common::median(seconds), "least_s": least,
                        "greatest_s": seconds.iter().copied().fold(0.0, f64::max), "more": more,
                    }));
                };
                let gbps = |seconds: f64| text.len() as f64 / seconds / 1e9;
                row("memmem, stepped".into(), &stepped_all, stepped, json!({ "gb_per_s": gbps(stepped) }));
                row("memmem, apart".into(), &apart_all, apart, json!({ "gb_per_s": gbps(apart) }));
                let literal = Pattern::literal(&pattern);
                for (threads, pool) in &pools {
                    let mut engine = CpuEnds::new(vec![literal.clone()], 0, Algorithm::AUTO, &|_| ())?;
                    let whole = Text::from(text);
                    let (ours, found, all) = least(runs, || Ok((pool.install(|| engine.count(&whole))?, 1.0)))?;
                    let found = found.unwrap_or_default();
                    if expected.is_some_and(|expected| expected != found) {
                        return Err(
                            format!("{found} of {what}, m = {m}, in {name}, where memmem finds {expected:?}").into()
                        );
                    }
                    let algorithm = chosen(&pattern);
                    println!(
                        "{name:<20} {what:<20} m {m:<6} {threads} threads: {algorithm:<9} {:8.3} GB/s, memmem stepped {:8.3}, apart {:8.3}; \
                         {:7.2} and {:5.2} times as fast; {found} found",
                        gbps(ours),
                        gbps(stepped),
                        gbps(apart),
                        stepped / ours,
                        apart / ours,
                    );
                    if *threads == 1 {
                        for (slowest, times) in slowest.iter_mut().zip([stepped / ours, apart / ours]) {
                            if times < slowest.0 {
                                *slowest = (times, format!("{what}, m = {m}, in {name}"));
                            }
                        }
                    }
                    row(
                        format!("auto ({algorithm}), {threads} threads"),
                        &all,
                        ours,
                        json!({
                            "gb_per_s": gbps(ours), "found": found, "times_stepped": stepped / ours,
                            "times_apart": apart / ours,
                        }),
                    );
                }
            }
        }
    }
    for ((times, place), than) in slowest.iter().zip(["stepped", "apart"]) {
        println!("least, one thread: {times:.2} times as fast as memmem {than}: {place}");
    }
    line.write("cargo bench --bench search_cpu --", json!({ "cpu": common::cpu_model(), "rows": rows }))
}
