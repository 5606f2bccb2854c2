//! The benchmark of exact search on a GPU: `cargo bench --bench gpu_exact -- [OPTIONS]`. The program can also be copied to a machine with a
//! GPU and run there; it needs neither Rust nor CUDA.
//!
//! | part | what |
//! |---|---|
//! | `tables` | the tables of S. J. Wang, Parallel string matching algorithms and implementation in CUDA, 2018, stage by stage; see tables.rs |
//! | `texts` | patterns of 2 to 10,000,000 symbols in random texts and in texts that repeat themselves; see texts.rs |
//!
//! ```text
//! --part NAME     only this part
//! --symbols N     symbols of the texts of `texts`, more than once (2^28 and 2^32 - 1,024, which is what 32 bits can count)
//! --m M           lengths of patterns there, more than once (2, 64, 65, 1,000, 100,000 and 10,000,000)
//! --text T        only the texts whose names contain this
//! --runs N        timings of each row (3, of a rehearsal 1); the results are medians
//! --once NAME     one launch of an algorithm, for a profiler: with one --m, --text, and --pattern
//! --pattern KIND  which pattern then (in the text); the first whose name contains this
//! --json FILE     the results as JSON, after each text; `cargo xtask results` makes a page of it
//! --commit NAME   what to say of the version
//! --rehearse      no GPU: all of it on the simulator, in texts of 2^14 symbols, with patterns of up to 1,000
//! ```
//!
//! Times of kernels are from the launch to its end, with text and results in the GPU's memory.

#[path = "../common/mod.rs"]
mod common;
mod tables;
mod texts;

use carrywave::device::{Device, Devices, Engine, Gpu, PTX_ORIGIN, Simt};
use carrywave::search::Tuning;
use carrywave::search::gpu::{DeviceAlgorithm, DeviceResult, DeviceSearch, DeviceText, Request, ResultKind};
use carrywave::text::Pattern;
use common::Outcome;
use common::line::Line;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Instant;

/// Symbols of a rehearsal's texts, and of its longest pattern.
const REHEARSED: usize = 1 << 14;
const LONGEST_REHEARSED: usize = 1000;

/// Seconds of a warm-up above which a timing is of one launch; else it is of several.
const LONG: f64 = 0.005;
const LAUNCHES: u32 = 4;

struct Options {
    part: String,
    symbols: Vec<usize>,
    lengths: Vec<usize>,
    text: String,
    runs: usize,
    once: Option<String>,
    pattern: String,
    rehearse: bool,
    line: Line,
}

impl Options {
    fn read() -> Outcome<Self> {
        let (mut part, mut text, mut pattern, mut once) = (String::new(), String::new(), String::new(), None);
        let (mut symbols, mut lengths, mut runs, mut rehearse) = (Vec::new(), Vec::new(), None, false);
        let names = "--part --symbols --m --text --runs --once --pattern --rehearse";
        let line = Line::read(names, |name, value| {
            match name {
                "--part" => part = value.text()?,
                "--symbols" => symbols.push(value.number::<usize>()?.max(2)),
                "--m" => lengths.push(value.number::<usize>()?.max(1)),
                "--text" => text = value.text()?,
                "--runs" => runs = Some(value.number::<usize>()?.max(1)),
                "--once" => once = Some(value.text()?),
                "--pattern" => pattern = value.text()?,
                "--rehearse" => rehearse = true,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        if symbols.is_empty() {
            symbols = if rehearse { vec![REHEARSED] } else { texts::SYMBOLS.to_vec() };
        }
        if lengths.is_empty() {
            lengths = texts::LENGTHS.to_vec();
            lengths.retain(|m| !rehearse || *m <= LONGEST_REHEARSED);
        }
        let runs = runs.unwrap_or(if rehearse { 1 } else { 3 });
        Ok(Self { part, symbols, lengths, text, runs, once, pattern, rehearse, line })
    }

    /// Seconds that a launch may take.
    fn patience(&self) -> f64 {
        if self.rehearse { 0.2 } else { 2.0 }
    }

    fn wants(&self, part: &str) -> bool {
        self.part.is_empty() || self.part == part
    }
}

struct Bench<D: Device> {
    options: Options,
    device: Arc<D>,
    /// What the device is.
    description: Value,
    rows: Vec<Value>,
    /// Bytes a second that are read.
    read: f64,
}

fn main() -> Outcome<()> {
    let options = Options::read()?;
    if options.rehearse {
        let engine = Simt::new();
        let Devices::Simulated(devices) = Devices::of(&engine as &dyn Engine) else {
            return Err("no simulator".into());
        };
        return run(options, devices[0].clone(), json!("none: a rehearsal on the simulator"));
    }
    match Gpu::open(0) {
        Ok(gpu) => run(options, gpu.device().clone(), json!(gpu.describe()?)),
        Err(error) => {
            println!("skipped: {error}");
            Ok(())
        }
    }
}

fn run<D: Device>(options: Options, device: Arc<D>, description: Value) -> Outcome<()> {
    let mut bench = Bench { options, device, description, rows: Vec::new(), read: 0.0 };
    if let Some(name) = bench.options.once.clone() {
        return bench.once(&name);
    }
    bench.reading()?;
    if bench.options.wants("tables") {
        bench.tables()?;
        bench.save()?;
    }
    if bench.options.wants("texts") {
        bench.texts()?;
    }
    bench.save()
}

/// The algorithm of a name, if there is one in this version.
fn named<D: Device>(name: &str) -> Option<&'static DeviceAlgorithm<D>> {
    DeviceAlgorithm::ALL.iter().find(|row| row.about.name == name)
}

/// A search without errors that is ready to be launched; none if the algorithm does not take the pattern, or does not write the format.
fn prepare<D: Device>(
    text: &Arc<DeviceText<D>>,
    algorithm: &'static DeviceAlgorithm<D>,
    pattern: &Pattern,
    format: ResultKind,
) -> Outcome<Option<DeviceSearch<D>>> {
    let request = Request { patterns: std::slice::from_ref(pattern), k: 0, tuning: Tuning::default() };
    match text.prepare(algorithm, &request, format) {
        Ok(search) => Ok(Some(search)),
        Err(carrywave::Error::Unsupported { .. }) => Ok(None),
        Err(error) => Err(error.into()),
    }
}

/// How many ends were found.
fn count(found: DeviceResult) -> u64 {
    match found {
        DeviceResult::Bytes(bytes) => bytes.iter().map(|&byte| u64::from(byte)).sum(),
        DeviceResult::Bitmap(words) => words.iter().map(|word| u64::from(word.count_ones())).sum(),
        DeviceResult::Count(count) => count,
        DeviceResult::Hits(all) => all.iter().map(|ends| ends.len() as u64).sum(),
    }
}

impl<D: Device> Bench<D> {
    /// Seconds of a launch, for each timing, after one launch that is not counted.
    fn time(&self, search: &mut DeviceSearch<D>) -> Outcome<Vec<f64>> {
        let mut launches = |launches: u32| -> Outcome<f64> {
            let started = Instant::now();
            for _ in 0..launches {
                search.launch(0)?;
            }
            search.wait()?;
            Ok(started.elapsed().as_secs_f64() / f64::from(launches))
        };
        let each = if launches(1)? > LONG || self.options.rehearse { 1 } else { LAUNCHES };
        (0..self.options.runs).map(|_| launches(each)).collect()
    }

    /// The same of any call.
    fn calls(&self, mut call: impl FnMut() -> Outcome<()>) -> Outcome<Vec<f64>> {
        let mut seconds = Vec::new();
        for _ in 0..=self.options.runs {
            let started = Instant::now();
            call()?;
            seconds.push(started.elapsed().as_secs_f64());
        }
        seconds.remove(0);
        Ok(seconds)
    }

    /// A row, and its median.
    fn row(
        &mut self,
        part: &str,
        name: &str,
        engine: &str,
        (m, n): (usize, usize),
        seconds: &[f64],
        more: Value,
    ) -> f64 {
        let median = common::median(seconds);
        let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = seconds.iter().copied().fold(0.0, f64::max);
        println!("{part}: {name}, {engine}, m {m}, n {n}: {median:.6} s ({least:.6} to {greatest:.6}) {more}");
        self.rows.push(json!({
            "part": part, "name": name, "engine": engine, "m": m, "n": n, "seconds": seconds,
            "median_s": median, "least_s": least, "greatest_s": greatest, "more": more,
        }));
        median
    }

    /// How fast memory is read.
    fn reading(&mut self) -> Outcome<()> {
        let words = if self.options.rehearse { REHEARSED / 16 } else { 1 << 26 };
        let (rate, seconds) = common::rates::read(&*self.device, words, self.options.runs)?;
        self.read = rate;
        let more = json!({ "gb_per_s": rate / 1e9 });
        self.row("limit", "memory read", "memory_rate", (0, words * 16), &seconds, more);
        Ok(())
    }

    /// The rows of each part together, parts in the order in which they began.
    fn save(&self) -> Outcome<()> {
        let first = |row: &Value| self.rows.iter().position(|other| other["part"] == row["part"]);
        let mut rows = self.rows.clone();
        rows.sort_by_cached_key(first);
        let all = json!({
            "gpu": self.description,
            "cpu": common::cpu_model(),
            "cpu_threads": rayon::current_num_threads(),
            "ptx": PTX_ORIGIN,
            "rows": rows,
        });
        self.options.line.write("gpu_exact", all)
    }
}
