//! Random and repetitive texts, with patterns of each period class.

use super::{Bench, Outcome};
use crate::common;
use carrywave::internal::measure::gpu::{Transfer, memory_read};
use carrywave::internal::search::gpu::{DeviceResult, DeviceText, ResultKind};
use carrywave::text::period;
use rayon::prelude::*;
use serde_json::json;
use simt_launch::Device;
use std::collections::BTreeMap;

const TEXTS: [&str; 6] = ["random DNA", "random bytes", "a^n", "(ab)^n", "Fibonacci", "de Bruijn"];

const LENGTHS: [usize; 6] = [2, 64, 65, 1_000, 100_000, 10_000_000];

/// Lower bound on the comparisons per second of the published kernel, and upper bound on its
/// seconds: a search that would take longer is left out.
const PUBLISHED_RATE: f64 = 2e11;
const LONGEST: f64 = 2.0;

/// Fills a text. Its shift register computes the binary de Bruijn sequence of order 31, without the
/// word of zeros.
fn fill(name: &str, text: &mut [u8]) {
    const PIECE: usize = 1 << 20;
    let random = |symbols: &'static [u8]| {
        move |(seed, piece): (usize, &mut [u8])| {
            let mut random = fastrand::Rng::with_seed(seed as u64);
            piece.fill_with(|| {
                symbols.get(random.usize(..symbols.len().max(1))).copied().unwrap_or_else(|| random.u8(..))
            });
        }
    };
    match name {
        "random DNA" => text.par_chunks_mut(PIECE).enumerate().for_each(random(b"ACGT")),
        "random bytes" => text.par_chunks_mut(PIECE).enumerate().for_each(random(b"")),
        "a^n" => text.fill(b'a'),
        "(ab)^n" => text.par_chunks_mut(2).for_each(|two| two.copy_from_slice(&b"ab"[..two.len()])),
        "Fibonacci" => {
            let n = text.len();
            text[..2].copy_from_slice(b"ab");
            // Each Fibonacci word is the concatenation of the two before it.
            let mut last = 2;
            let mut before = 1;
            while last < n {
                text.copy_within(..before.min(n - last), last);
                (last, before) = ((last + before).min(n), last);
            }
        }
        _ => {
            let mut register = 1u32;
            for symbol in text {
                let bit = (register ^ (register >> 3)) & 1;
                register = register >> 1 | bit << 30;
                *symbol = b'a' + bit as u8;
            }
        }
    }
}

/// Returns patterns of a text, each with a description.
fn patterns(name: &str, text: &[u8], m: usize) -> Vec<(&'static str, Vec<u8>)> {
    let at = text.len() / 3;
    let own = text[at..at + m].to_vec();
    let other = |symbol: u8| if symbol == b'a' || symbol == b'A' { b'C' } else { b'a' };
    let changed = |at: usize| {
        let mut symbols = own.clone();
        symbols[at] = if name.starts_with("random") { other(symbols[at]) } else { b'a' + (symbols[at] == b'a') as u8 };
        symbols
    };
    let mut all = vec![
        ("of the text", own.clone()),
        ("last symbol changed", changed(m - 1)),
        ("first symbol changed", changed(0)),
        ("middle symbol changed", changed(m / 2)),
    ];
    if name.starts_with("random") {
        // Periodic patterns, for their cost in a text without repetitions.
        all.push(("a^m", vec![text[at]; m]));
        all.push(("(ab)^(m/2)", [text[at], other(text[at])].into_iter().cycle().take(m).collect()));
    }
    all
}

/// Returns the class of a pattern's period.
fn class(pattern: &[u8]) -> &'static str {
    let m = pattern.len();
    let p = period(pattern);
    match p {
        1 => "1",
        2 => "2",
        _ if 2 * p <= m => "up to m / 2",
        _ if p < m => "over m / 2",
        _ => "m",
    }
}

impl<D: Device> Bench<D> {
    /// Measures the bytes that are read per second.
    fn reading(&mut self) -> Outcome<f64> {
        let transfer = Transfer { bytes: self.options.symbols, launches: 1, runs: self.options.runs };
        let read = memory_read(&*self.device, transfer)?;
        self.row("limit", "memory read", "memory_rate", (0, transfer.bytes), &read.seconds, json!({}));
        Ok(read.per_second)
    }

    /// Runs all texts.
    pub(crate) fn texts(&mut self) -> Outcome<()> {
        let reading = self.reading()?;
        let n = self.options.symbols;
        let mut text = vec![0; n];
        // Time of each algorithm in random DNA, by m and by the class of the period.
        let mut random = BTreeMap::new();
        for name in TEXTS {
            if self.options.text.as_deref().is_some_and(|own| own != name) {
                continue;
            }
            eprintln!("{name}: {n} symbols");
            fill(name, &mut text);
            let on_device = DeviceText::new(self.device.clone(), &text)?;
            for m in LENGTHS.into_iter().filter(|&m| m <= n / 8) {
                if self.options.m.is_some_and(|own| own != m) {
                    continue;
                }
                for (what, pattern) in patterns(name, &text, m) {
                    let mut counted = None;
                    for algorithm in ["duel", "brute-force-filtered", "shift-or"] {
                        if self.options.once.as_deref().is_some_and(|once| once != algorithm) {
                            continue;
                        }
                        // Quadratic, except for a few positions.
                        let slow = algorithm == "brute-force-filtered" && m > 1_000 && !name.starts_with("random");
                        let Some(mut search) = self.prepare(&on_device, algorithm, &pattern, ResultKind::Count)? else {
                            continue;
                        };
                        if slow {
                            continue;
                        }
                        let DeviceResult::Count(ends) = search.run(0)? else { return Err("no count".into()) };
                        if self.options.once.is_some() {
                            continue;
                        }
                        if *counted.get_or_insert(ends) != ends {
                            return Err(
                                format!("{name}, m = {m}, {what}: {algorithm} counts {ends}, not {counted:?}").into()
                            );
                        }
                        let seconds = self.time(|| {
                            search.launch(0)?;
                            Ok(search.wait()?)
                        })?;
                        let median = common::median(&seconds);
                        let class = class(&pattern);
                        let same = (algorithm, m, matches!(class, "1" | "2"));
                        let plain = (algorithm, m, false);
                        if name == "random DNA" {
                            random.entry(same).or_insert(median);
                        }
                        let times = |key| random.get(&key).map(|time| (median / time * 100.0).round() / 100.0);
                        let more = json!({
                            "ends": ends, "period": class, "gb_per_s": (n as f64 / median / 1e9).round(),
                            "of_reading": (n as f64 / median / reading * 1000.0).round() / 1000.0,
                            "times_random": times(plain), "times_random_same_class": times(same),
                        });
                        self.row("texts", &format!("{name}, {what}"), algorithm, (m, n), &seconds, more);
                    }
                }
                self.save()?;
            }
            self.published(name, &text)?;
            self.save()?;
        }
        Ok(())
    }

    /// Times the published brute force and carrywave's, in the first part of a text.
    fn published(&mut self, name: &str, text: &[u8]) -> Outcome<()> {
        if self.options.once.is_some() {
            return Ok(());
        }
        let n = text.len().min(1 << 28);
        let text = &text[..n];
        let on_device = DeviceText::new(self.device.clone(), text)?;
        let only = self.options.m;
        for m in LENGTHS.into_iter().filter(|&m| m <= n / 8 && only.is_none_or(|own| own == m)) {
            if m as f64 * n as f64 / PUBLISHED_RATE > LONGEST {
                continue;
            }
            for (what, pattern) in patterns(name, text, m) {
                let mut medians = Vec::new();
                for (algorithm, format) in [("brute-force", ResultKind::Bytes), ("duel", ResultKind::Count)] {
                    let Some(mut search) = self.prepare(&on_device, algorithm, &pattern, format)? else { continue };
                    let seconds = self.time(|| {
                        search.launch(0)?;
                        Ok(search.wait()?)
                    })?;
                    medians.push(common::median(&seconds));
                    let factor = medians.get(1).map(|own| (medians[0] / own * 10.0).round() / 10.0);
                    let more = json!({ "period": class(&pattern), "times_published": factor });
                    self.row("published brute force", &format!("{name}, {what}"), algorithm, (m, n), &seconds, more);
                }
            }
        }
        Ok(())
    }
}
