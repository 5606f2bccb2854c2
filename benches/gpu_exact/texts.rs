//! Patterns of 2 to 10,000,000 symbols in six texts: what the length and the period of a pattern cost, and what a text that repeats itself.
//!
//! | text | what |
//! |---|---|
//! | `random DNA`, `random bytes` | 4 and 256 symbols, each as likely |
//! | `a^n`, `(ab)^n` | the periods 1 and 2 |
//! | `Fibonacci` | repetitions of all lengths, nested |
//! | `de Bruijn` | a and b, and no string of log₂ n symbols twice |
//!
//! Patterns: a part of the text, the same with its last or first symbol changed, random symbols of the text, and a^(m-1) b of two of them.
//!
//! The kernels count. In `more`: GB (10^9 symbols) a second, the share of the rate at which memory is read in the same run, the time by that of
//! the same algorithm and length of pattern in random DNA (`times_dna`, with a part of that text), how long it took to make ready (`prepare_s`: the pattern and its tables to the device), and by how much `duel` is faster
//! (`duel_times`) a symbol. All counts are checked against one another, and against the CPU's.
//!
//! `brute-force` writes bytes, and takes up to m comparisons a symbol, so its texts are shorter: 2^28 symbols up to m = 65, then 2^24. What
//! would take longer than two seconds, as the next shorter pattern of the same kind took so long that it might, is not launched; the row then
//! has that one's time, scaled by m, and says so (`scaled_from_m`). That is an upper bound. The same goes for any other algorithm.

use super::{Bench, Outcome, common, count, named, prepare};
use carrywave::device::Device;
use carrywave::search::Algorithm;
use carrywave::search::cpu::CpuEnds;
use carrywave::search::ends::FindEnds as _;
use carrywave::search::gpu::{DeviceText, ROUND, ResultKind};
use carrywave::text::{Pattern, Text};
use common::texts::{fill_de_bruijn, fill_fibonacci};
use rayon::prelude::*;
use serde_json::json;
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Instant;

/// Symbols of the texts: the longest are those whose ends 32 bits can count.
pub const SYMBOLS: [usize; 2] = [1 << 28, (1 << 32) - ROUND as usize];

/// Symbols of the patterns.
pub const LENGTHS: [usize; 6] = [2, 64, 65, 1000, 100_000, 10_000_000];

const ALGORITHMS: [&str; 3] = ["duel", "brute-force-filtered", "shift-or"];

/// Symbols of brute force's texts: for patterns up to a length, and for longer ones.
const BRUTE_FORCE: [(usize, usize); 2] = [(65, 1 << 28), (usize::MAX, 1 << 24)];

const NAMES: [&str; 6] = ["random DNA", "random bytes", "a^n", "(ab)^n", "Fibonacci", "de Bruijn"];

/// Symbols that a thread fills at a time.
const PIECE: usize = 1 << 20;

/// Random letters of an alphabet.
pub fn letters(n: usize, alphabet: &[u8], seed: u64) -> Vec<u8> {
    let mut text = vec![0; n];
    fill_letters(&mut text, alphabet, seed);
    text
}

fn fill_letters(text: &mut [u8], alphabet: &[u8], seed: u64) {
    // 16 random bits choose, so that an alphabet of any size is even to a thousandth.
    let letter = |bits: u64| alphabet[((bits & 0xffff) as usize * alphabet.len()) >> 16];
    text.par_chunks_mut(PIECE).enumerate().for_each(|(i, piece)| {
        let mut random = fastrand::Rng::with_seed(seed << 32 | i as u64);
        for four in piece.chunks_mut(4) {
            let bits = random.u64(..);
            four.iter_mut().enumerate().for_each(|(j, symbol)| *symbol = letter(bits >> (16 * j)));
        }
    });
}

fn fill_repeated(text: &mut [u8], word: &[u8]) {
    // Pieces are as long as some words.
    let piece = PIECE.next_multiple_of(word.len());
    text.par_chunks_mut(piece).for_each(|piece| {
        piece.chunks_mut(word.len()).for_each(|symbols| symbols.copy_from_slice(&word[..symbols.len()]));
    });
}

/// Fills the text of a name.
fn fill(name: &str, text: &mut [u8]) {
    match name {
        "random DNA" => fill_letters(text, b"ACGT", 1),
        "random bytes" => fill_letters(text, &std::array::from_fn::<u8, 256, _>(|symbol| symbol as u8), 2),
        "a^n" => fill_repeated(text, b"a"),
        "(ab)^n" => fill_repeated(text, b"ab"),
        "Fibonacci" => fill_fibonacci(text),
        _ => fill_de_bruijn(text),
    }
}

/// The patterns of m symbols for a text, each with what it is.
fn patterns(name: &str, text: &[u8], m: usize) -> Vec<(&'static str, Vec<u8>)> {
    let alphabet: &[u8] = match name {
        "random DNA" => b"ACGT",
        "random bytes" => b"\x00\x01\x02\x03\x04\x05\x06\x07",
        _ => b"ab",
    };
    let part = text[text.len() / 3..text.len() / 3 + m].to_vec();
    let changed = |at: usize| {
        let mut pattern = part.clone();
        pattern[at] = if pattern[at] == alphabet[0] { alphabet[1] } else { alphabet[0] };
        pattern
    };
    let last = [vec![alphabet[0]; m - 1], vec![alphabet[1]]].concat();
    let (last_changed, first_changed) = (changed(m - 1), changed(0));
    vec![
        ("in the text", part),
        ("last symbol changed", last_changed),
        ("first symbol changed", first_changed),
        ("random", letters(m, alphabet, 7)),
        ("a^(m-1) b", last),
    ]
}

/// What a row before took: the pattern's length, its seconds, and the text's length.
#[derive(Clone, Copy)]
struct Before {
    m: usize,
    seconds: f64,
    n: usize,
}

/// Times of rows before, by algorithm, text and pattern, whatever the length.
type Times = HashMap<(String, String, &'static str), Before>;

impl<D: Device> Bench<D> {
    /// All rows of this part.
    pub fn texts(&mut self) -> Outcome<()> {
        // By algorithm, length of pattern and of text.
        let mut dna: HashMap<(String, usize, usize), f64> = HashMap::new();
        for engine in ALGORITHMS.into_iter().filter(|engine| named::<D>(engine).is_none()) {
            eprintln!("texts: there is no {engine} in this version");
        }
        for n in self.options.symbols.clone() {
            let mut text = vec![0; n];
            let wanted: Vec<&str> = NAMES.into_iter().filter(|name| name.contains(&self.options.text)).collect();
            for name in wanted {
                let started = Instant::now();
                fill(name, &mut text);
                let filled = started.elapsed().as_secs_f64();
                let on_gpu = DeviceText::new(self.device.clone(), &text)?;
                eprintln!(
                    "texts: {name}, n = {n}: made in {filled:.1} s, with its copy {:.1} s",
                    started.elapsed().as_secs_f64()
                );
                self.text(name, &text, &on_gpu, &mut dna)?;
                self.save()?;
                eprintln!("texts: {name}, n = {n}: {:.1} s", started.elapsed().as_secs_f64());
            }
        }
        Ok(())
    }

    /// All rows of a text.
    fn text(
        &mut self,
        name: &str,
        text: &[u8],
        on_gpu: &Arc<DeviceText<D>>,
        dna: &mut HashMap<(String, usize, usize), f64>,
    ) -> Outcome<()> {
        let (n, mut times) = (text.len(), Times::new());
        let mut shorter: Option<(usize, Arc<DeviceText<D>>)> = None;
        for m in self.options.lengths.clone().into_iter().filter(|m| *m <= n / 2) {
            let (_, most) = BRUTE_FORCE[usize::from(m > BRUTE_FORCE[0].0)];
            let short = &text[..n.min(most)];
            for (what, symbols) in patterns(name, text, m) {
                let pattern = Pattern::literal(&symbols);
                let expected = on_cpu(text, &pattern)?;
                let mut duel = None;
                for engine in ALGORITHMS {
                    let Some(algorithm) = named::<D>(engine) else { continue };
                    if algorithm.about.limits.symbols.is_some_and(|most| m as u64 > most) {
                        continue;
                    }
                    let before = times.get(&(engine.into(), name.into(), what)).copied();
                    if let Some(Before { m: shorter, seconds, .. }) = before
                        && seconds * m as f64 / shorter as f64 > self.options.patience()
                    {
                        let seconds = seconds * m as f64 / shorter as f64;
                        let more = json!({ "scaled_from_m": shorter });
                        self.row(name, what, engine, (m, n), &[seconds], more);
                        continue;
                    }
                    let started = Instant::now();
                    let Some(mut search) = prepare(on_gpu, algorithm, &pattern, ResultKind::Count)? else { continue };
                    let prepared = started.elapsed().as_secs_f64();
                    let seconds = self.time(&mut search)?;
                    let found = count(search.run(0)?);
                    if found != expected {
                        return Err(format!(
                            "{engine} finds {found} of {what}, m = {m}, in {name}, n = {n}; the CPU {expected}"
                        )
                        .into());
                    }
                    let median = common::median(&seconds);
                    let rate = n as f64 / median;
                    if name == NAMES[0] && what == "in the text" {
                        dna.insert((engine.into(), m, n), median);
                    }
                    let of_dna = dna.get(&(engine.into(), m, n)).map(|dna| median / dna);
                    let more = json!({
                        "gb_per_s": rate / 1e9, "share_of_reading": rate / self.read, "found": found, "times_dna": of_dna,
                        "prepare_s": prepared,
                    });
                    self.row(name, what, engine, (m, n), &seconds, more);
                    times.insert((engine.into(), name.into(), what), Before { m, seconds: median, n });
                    if engine == "duel" {
                        duel = Some(median / n as f64);
                    }
                }
                // Once for each length of text: of 2^28 symbols and more it would be the same rows again.
                if n == self.options.symbols[0] && short.len() > m {
                    let (len, on_gpu) = match shorter.take().filter(|(len, _)| *len == short.len()) {
                        Some(before) => before,
                        None => (short.len(), DeviceText::new(self.device.clone(), short)?),
                    };
                    self.brute_force((name, what), (short, &on_gpu), (&pattern, m), duel, &mut times)?;
                    shorter = Some((len, on_gpu));
                }
            }
        }
        Ok(())
    }

    /// The row of the published brute force, in a text of its own.
    fn brute_force(
        &mut self,
        (name, what): (&str, &'static str),
        (text, on_gpu): (&[u8], &Arc<DeviceText<D>>),
        (pattern, m): (&Pattern, usize),
        duel: Option<f64>,
        times: &mut Times,
    ) -> Outcome<()> {
        let engine = "brute-force";
        let n = text.len();
        let faster = |seconds: f64| duel.map(|duel| seconds / n as f64 / duel);
        let key = (engine.to_string(), name.to_string(), what);
        if let Some(&Before { m: shorter, seconds, n: of }) = times.get(&key) {
            let seconds = seconds * (m as f64 / shorter as f64) * (n as f64 / of as f64);
            if seconds > self.options.patience() {
                let more = json!({ "scaled_from_m": shorter, "duel_times": faster(seconds) });
                self.row(name, what, engine, (m, n), &[seconds], more);
                return Ok(());
            }
        }
        let Some(algorithm) = named::<D>(engine) else { return Ok(()) };
        let Some(mut search) = prepare(on_gpu, algorithm, pattern, ResultKind::Bytes)? else { return Ok(()) };
        let seconds = self.time(&mut search)?;
        let (found, expected) = (count(search.run(0)?), on_cpu(text, pattern)?);
        if found != expected {
            return Err(
                format!("{engine} finds {found} of {what}, m = {m}, in {name}, n = {n}; the CPU {expected}").into()
            );
        }
        let median = common::median(&seconds);
        let more = json!({ "gb_per_s": n as f64 / median / 1e9, "found": found, "duel_times": faster(median) });
        self.row(name, what, engine, (m, n), &seconds, more);
        times.insert(key, Before { m, seconds: median, n });
        Ok(())
    }

    /// One launch, for a profiler.
    pub fn once(&self, engine: &str) -> Outcome<()> {
        let (Some(&n), Some(&m)) = (self.options.symbols.first(), self.options.lengths.first()) else {
            return Err("no length".into());
        };
        let name = NAMES.into_iter().find(|name| name.contains(&self.options.text)).ok_or("--text: no such text")?;
        let mut text = vec![0; n];
        fill(name, &mut text);
        if m > n / 2 {
            return Err(format!("a pattern of {m} symbols for a text of {n}").into());
        }
        let wanted = if self.options.pattern.is_empty() { "in the text" } else { &self.options.pattern };
        let mut all = patterns(name, &text, m).into_iter();
        let (what, symbols) = all.find(|(what, _)| what.contains(wanted)).ok_or("--pattern: no such kind")?;
        let algorithm = named::<D>(engine).ok_or("--once: no such algorithm")?;
        let on_gpu = DeviceText::new(self.device.clone(), &text)?;
        let pattern = Pattern::literal(&symbols);
        let format = if algorithm.writes.only_bytes() { ResultKind::Bytes } else { ResultKind::Count };
        let mut search = prepare(&on_gpu, algorithm, &pattern, format)?.ok_or("--once: it does not take this")?;
        search.launch(0)?;
        search.wait()?;
        println!("{engine}: {what}, m = {m}, in {name}, n = {n}");
        Ok(())
    }
}

/// How many ends the CPU finds, on all cores.
fn on_cpu(text: &[u8], pattern: &Pattern) -> Outcome<u64> {
    let mut engine = CpuEnds::new(vec![pattern.clone()], 0, Algorithm::AUTO, &|_| ())?;
    Ok(engine.count(&Text::from(text))?)
}
