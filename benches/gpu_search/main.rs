//! The search benchmark for a GPU: `cargo bench --bench gpu_search -- [OPTIONS]`. The program can
//! be copied to a machine with a GPU and run there. It needs neither Rust nor CUDA.
//!
//! ```text
//! --symbols N     symbols of the text (2^31); 0 leaves this part out
//! --file-symbols N    symbols of the file for the part end to end (2^32), in the folder for
//!                     temporary files; 0 leaves it out
//! --runs N        timings of each row (5; of figures 3; of each resident search 1), each of
//!                 several launches; the results are medians
//! --figures       instead the paper's figures, with its rivals; see figures.rs
//! --figure NAME   only figure 6, 7, 8, 8-alpha, 9 or 10 of them; more than once for several
//! --resident      instead searches of a text that stays on the GPU, of 2^30 symbols, and their
//!                 kernels alone; see resident.rs
//! --guides        instead the sites of CRISPR guides in 3.1 × 10^9 bases; see guides.rs
//! --guide-count N guides there (192)
//! --slices        instead Melo and Canalli's twelve configurations, and 2^30 symbols of the Bible;
//!                 see slices.rs
//! --once C        of configuration C there only a launch of each kernel, for a profiler
//! --bible FILE    the King James Bible there, plain or gzip (kjv.txt.gz of the data sets)
//! --searches N    searches of a row there (1000)
//! --corpus NAME=FILE   a text for figure 10, as it is; more than once
//! --json FILE     the results as JSON; `cargo xtask results` makes a page of it
//! --commit NAME   the version, for the results
//! --rehearse      no GPU: all of it on the simulator, in texts of 2^14 symbols, with --slices up
//!                 to 2^15, unless others are
//!                 asked for
//! ```
//!
//! Times are of kernels, from the launch to its end, with text and results in the GPU's memory.
//! Speed is in bits of text per second, eight bits a symbol, as in Mitani, Ino and Hagihara (2017).
//! The ceilings are measured in the same run: the speed of copying memory for results of a byte a
//! symbol, and the speed of reading it for bits and counts.
//! Criterion is not used: it takes at least ten runs, too many for texts of gigabytes on a GPU that
//! is there for minutes.

#[path = "../common/mod.rs"]
mod common;
mod end_to_end;
mod figures;
mod guides;
mod resident;
mod slices;

use carrywave::device::{Engine, Gpu, PTX_ORIGIN, Simt};
use carrywave::internal::device::{Devices, open_gpu};
use carrywave::internal::measure::Measured;
use carrywave::internal::measure::gpu::{Transfer, memory_copied, memory_copied_by_driver, memory_read};
use carrywave::internal::search::gpu::{
    DeviceAlgorithm, DeviceResult, DeviceSearch, DeviceText, Gaps, Request, ResultKind,
};
use carrywave::search::Tuning;
use carrywave::text::Pattern;
use common::Outcome;
use common::line::Line;
use rayon::prelude::*;
use serde_json::{Value, json};
use simt_launch::Device;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// Options for Melo and Canalli's configurations.
#[derive(Default)]
struct Slices {
    wanted: bool,
    /// The only configuration to run, each of its two kernels once: for a profiler.
    once: Option<usize>,
    /// File of the Bible, if it is not that of the data sets.
    bible: Option<PathBuf>,
}

struct Options {
    symbols: usize,
    file_symbols: u64,
    runs: usize,
    /// Number of launches of a timing.
    launches: u32,
    figures: bool,
    /// The figures to measure; all of them if empty.
    figure: Vec<String>,
    resident: bool,
    guided: bool,
    guides: usize,
    slices: Slices,
    searches: usize,
    corpora: Vec<(String, String)>,
    rehearse: bool,
    line: Line,
}

/// Number of symbols of a rehearsal's texts.
const REHEARSED: usize = 1 << 14;

impl Options {
    fn read() -> Outcome<Self> {
        let mut symbols = None;
        let mut file_symbols = None;
        let mut runs = None;
        let mut figures = false;
        let mut figure = Vec::new();
        let mut resident = false;
        let mut searches = None;
        let mut guided = false;
        let mut guides = None;
        let mut corpora = Vec::new();
        let mut rehearse = false;
        let mut slices = Slices::default();
        let names = "--symbols --file-symbols --runs --figures --figure --resident --guides --guide-count --slices --once --bible --searches --corpus --rehearse";
        let line = Line::read(names, |name, value| {
            match name {
                "--figures" => figures = true,
                "--figure" => figure.push(value.text()?),
                "--resident" => resident = true,
                "--guides" => guided = true,
                "--guide-count" => guides = Some(value.number::<usize>()?.max(1)),
                "--slices" => slices.wanted = true,
                "--once" => slices.once = Some(value.number()?),
                "--bible" => slices.bible = Some(value.text()?.into()),
                "--searches" => searches = Some(value.number::<usize>()?.max(1)),
                "--rehearse" => rehearse = true,
                "--symbols" => symbols = Some(value.number()?),
                "--file-symbols" => file_symbols = Some(value.number()?),
                "--runs" => runs = Some(value.number::<usize>()?.max(1)),
                "--corpus" => {
                    let value = value.text()?;
                    let (name, path) = value.split_once('=').ok_or("--corpus takes NAME=FILE")?;
                    corpora.push((name.into(), path.into()));
                }
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let or = |real: usize| if rehearse { REHEARSED } else { real };
        Ok(Self {
            symbols: symbols.unwrap_or(or(match () {
                () if guided => 3_100_000_000,
                () if resident || slices.wanted => 1 << 30,
                () => 1 << 31,
            })),
            file_symbols: file_symbols.unwrap_or(or(1 << 32) as u64),
            runs: runs.unwrap_or(match (figures, resident) {
                (true, _) => 3,
                (_, true) => 1,
                _ => 5,
            }),
            // The shortest text of the configurations takes microseconds.
            launches: match slices.wanted && !rehearse {
                true => 100,
                false if figures => 2,
                false => 4,
            },
            figures,
            figure,
            resident,
            guided,
            guides: guides.unwrap_or(if rehearse { 12 } else { 192 }),
            slices,
            searches: searches.unwrap_or(if rehearse { 3 } else { 1000 }),
            corpora,
            rehearse,
            line,
        })
    }
}

struct Bench<D: Device> {
    options: Options,
    engine: Box<dyn Engine>,
    device: Arc<D>,
    /// Description of the device.
    description: Value,
    rows: Vec<Value>,
    /// Bytes per second: copied (read and written bytes together), and read only.
    copied: f64,
    read: f64,
}

fn main() -> Outcome<()> {
    let options = Options::read()?;
    if options.rehearse {
        let engine = Simt::new();
        let Devices::Simulated(devices) = Devices::from_engine(&engine) else { return Err("no simulator".into()) };
        let description = json!("none: a rehearsal on the simulator");
        return run(options, Box::new(engine), devices[0].clone(), description);
    }
    match Gpu::open(0) {
        Ok(gpu) => {
            let device = open_gpu(&gpu).clone();
            let description = json!(gpu.describe()?);
            run(options, Box::new(gpu), device, description)
        }
        Err(error) => {
            println!("skipped: {error}");
            Ok(())
        }
    }
}

fn run<D: Device>(options: Options, engine: Box<dyn Engine>, device: Arc<D>, description: Value) -> Outcome<()> {
    let mut bench = Bench { options, engine, device, description, rows: Vec::new(), copied: 0.0, read: 0.0 };
    if bench.options.figures {
        bench.limits()?;
        return bench.figures();
    }
    if bench.options.resident {
        bench.resident()?;
        return bench.save();
    }
    if bench.options.guided {
        bench.guides()?;
        return bench.save();
    }
    if bench.options.slices.wanted {
        return bench.slices();
    }
    if bench.options.symbols > 0 {
        bench.limits()?;
        for symbols in [64, 4, 256] {
            bench.alphabet(symbols)?;
            bench.save()?;
        }
    }
    if bench.options.file_symbols > 0 {
        bench.end_to_end()?;
        bench.save()?;
    }
    Ok(())
}

/// An algorithm by its name, with a tuning.
#[derive(Clone, Copy)]
struct Named<'n> {
    name: &'n str,
    tuning: &'n str,
}

fn plain(name: &str) -> Named<'_> {
    Named { name, tuning: "" }
}

/// Returns a search that is ready to launch.
fn prepare<D: Device>(
    text: &Arc<DeviceText<D>>,
    algorithm: Named<'_>,
    patterns: &[Pattern],
    k: u32,
    format: ResultKind,
) -> Outcome<DeviceSearch<D>> {
    let mut rows = DeviceAlgorithm::<D>::ALL.iter();
    let row = rows.find(|row| row.about.name == algorithm.name).ok_or("no such algorithm")?;
    Ok(text.prepare(
        row,
        &Request { patterns, k, gaps: Gaps::ANY, tuning: algorithm.tuning.parse::<Tuning>()? },
        format,
    )?)
}

/// Returns a random text of `symbols` different bytes.
fn random_text(n: usize, symbols: u64) -> Vec<u8> {
    const PIECE: usize = 1 << 20;
    let mut text = vec![0u8; n];
    text.par_chunks_mut(PIECE)
        .enumerate()
        .for_each(|(i, piece)| piece.copy_from_slice(&common::random(piece.len(), symbols, i as u64)));
    text
}

impl<D: Device> Bench<D> {
    /// Returns the seconds of a launch in each timing, after a warm-up launch.
    fn time(&self, search: &mut DeviceSearch<D>) -> Outcome<Vec<f64>> {
        search.launch(0)?;
        search.wait()?;
        (0..self.options.runs)
            .map(|_| {
                let started = Instant::now();
                for _ in 0..self.options.launches {
                    search.launch(0)?;
                }
                search.wait()?;
                Ok(started.elapsed().as_secs_f64() / f64::from(self.options.launches))
            })
            .collect()
    }

    /// Times runs of whole calls, after a warm-up call.
    fn calls<T: PartialEq>(&self, expected: &T, mut call: impl FnMut() -> Outcome<T>) -> Outcome<Vec<f64>> {
        let mut seconds = Vec::new();
        for _ in 0..=self.options.runs {
            let started = Instant::now();
            let found = call()?;
            seconds.push(started.elapsed().as_secs_f64());
            if found != *expected {
                return Err("two algorithms have found something else".into());
            }
        }
        seconds.remove(0);
        Ok(seconds)
    }

    fn row(
        &mut self,
        part: &str,
        name: &str,
        engine: &str,
        (m, n): (usize, usize),
        seconds: &[f64],
        more: Value,
    ) -> f64 {
        let (median, least, greatest) = common::spread(seconds);
        println!("{part} {name:<28} {engine:<12} m {m:<3} {:.6} s ({least:.6} to {greatest:.6}) {more}", median);
        self.rows.push(common::row(part, name, engine, (m, n), seconds, more));
        median
    }

    /// Measures the speed of memory: copied by the driver, and copied and read by a kernel of this
    /// project.
    fn limits(&mut self) -> Outcome<()> {
        let Options { symbols: bytes, runs, launches, .. } = self.options;
        let gpu = self.device.clone();
        let transfer = Transfer { bytes, launches, runs };
        let mut rate = |name, engine, measured: Measured| {
            // Seconds of one launch, as in all rows.
            let seconds: Vec<f64> = measured.seconds.iter().map(|run| run / f64::from(launches)).collect();
            let more = json!({ "gb_per_s": measured.per_second / 1e9 });
            self.row("limit", name, engine, (0, bytes), &seconds, more);
            measured.per_second
        };
        let copied = rate("memory copied", "memory_rate", memory_copied(&*gpu, transfer)?);
        let by_driver = rate("memory copied by the driver", "driver", memory_copied_by_driver(&*gpu, transfer)?);
        let read = rate("memory read", "memory_rate", memory_read(&*gpu, transfer)?);
        (self.copied, self.read) = (copied.max(by_driver), read);
        Ok(())
    }

    /// Measures all searches in a random text of `symbols` different symbols.
    fn alphabet(&mut self, symbols: u64) -> Outcome<()> {
        let n = self.options.symbols;
        let text = random_text(n, symbols);
        let on_gpu = DeviceText::new(self.device.clone(), &text)?;
        use ResultKind::{Bitmap, Bytes, Count};
        for (algorithm, k) in [("shift-or", 0), ("wu-manber", 0), ("wu-manber", 1), ("wu-manber", 2), ("wu-manber", 3)]
        {
            for m in [4, 8, 16, 24, 32, 33, 48, 56, 64] {
                let few = [8, 16, 32, 64].contains(&m);
                let other = symbols != 64;
                if m <= k as usize || (other || algorithm == "wu-manber") && !few {
                    continue;
                }
                let pattern = Pattern::literal(&text[n / 2..][..m.min(n / 2)]);
                for format in [Bytes, Bitmap, Count] {
                    let algorithm = (plain(algorithm), algorithm.to_owned());
                    self.search(&on_gpu, &text, std::slice::from_ref(&pattern), algorithm, (k, format), symbols)?;
                }
            }
        }
        for (m, k) in [16, 20, 32, 64].into_iter().flat_map(|m| (1..=3).map(move |k| (m, k))) {
            let pattern = [Pattern::literal(&text[n / 2..][..m.min(n / 2)])];
            for algorithm in ["pieces", "packed"] {
                // Some patterns are too short to cut into pieces.
                if prepare(&on_gpu, plain(algorithm), &pattern, k, Count).is_ok() {
                    let named = (plain(algorithm), algorithm.to_owned());
                    self.search(&on_gpu, &text, &pattern, named, (k, Count), symbols)?;
                }
            }
        }
        if symbols == 4 {
            self.myers(&on_gpu, &text)?;
        }
        // The number of ends must fit into 32 bits.
        let part = &text[..n.min(1 << 28)];
        let part_on_gpu = DeviceText::new(self.device.clone(), part)?;
        let pattern_at = |from: usize, m: usize| Pattern::literal(&text[n / 16 + from..][..m.min(n / 2)]);
        for (m, many) in [(20, 1), (32, 1), (16, 2), (20, 3), (64, 1), (16, 4), (20, 6), (64, 2), (16, 8), (128, 1)] {
            let patterns: Vec<Pattern> = (0..many).map(|number| pattern_at(1000 * number, m)).collect();
            for k in (0..=3).filter(|_| symbols == 64) {
                let packed = (plain("packed"), format!("packed, {many} patterns"));
                self.search(&part_on_gpu, part, &patterns, packed, (k, Count), symbols)?;
            }
        }
        for m in [16, 32, 64] {
            let pattern = Pattern::literal(&text[n / 2..][..m.min(n / 2)]);
            let mut scan = |(alpha, variant, table), k| {
                let tuning = format!("alpha={alpha},variant={variant},table={table}");
                let name = if table == "banks" { "banked" } else { "paper's" };
                let label = format!("scan, alpha {alpha}, {variant}, {name} table");
                let scan = (Named { name: "scan", tuning: &tuning }, label);
                self.search(&on_gpu, &text, std::slice::from_ref(&pattern), scan, (k, Bytes), symbols)
            };
            for table in ["banks", "paper"] {
                scan((16, "disjoint", table), 0)?;
            }
            if symbols == 64 {
                for (alpha, k) in [(1, 0), (2, 0), (4, 0), (8, 0), (32, 0), (16, 1), (16, 2), (16, 3), (4, 1), (4, 2)] {
                    scan((alpha, "disjoint", "banks"), k)?;
                }
                scan((16, "overlapping", "banks"), 0)?;
            }
        }
        Ok(())
    }

    /// Measures long patterns and many errors, in a text of four symbols.
    fn myers(&mut self, on_gpu: &Arc<DeviceText<D>>, text: &[u8]) -> Outcome<()> {
        let parts: [(&[usize], &[u32]); 3] =
            [(&[20], &[1, 2, 3, 4, 5]), (&[32, 64], &[1, 3, 8]), (&[100, 256, 1000], &[0, 5, 20])];
        for (ms, ks) in parts {
            for (&m, &k) in ms.iter().flat_map(|m| ks.iter().map(move |k| (m, k))) {
                let pattern = Pattern::literal(&text[text.len() / 2..][..m.min(text.len() / 2)]);
                for format in [ResultKind::Count, ResultKind::Bytes] {
                    if (k as usize) < pattern.len() {
                        let myers = (plain("myers"), "myers".to_owned());
                        self.search(on_gpu, text, std::slice::from_ref(&pattern), myers, (k, format), 4)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn search(
        &mut self,
        on_gpu: &Arc<DeviceText<D>>,
        text: &[u8],
        patterns: &[Pattern],
        (algorithm, engine): (Named<'_>, String),
        (k, format): (u32, ResultKind),
        symbols: u64,
    ) -> Outcome<()> {
        let mut search = prepare(on_gpu, algorithm, patterns, k, format)?;
        let seconds = self.time(&mut search)?;
        let bits = 8.0 * text.len() as f64;
        // Lower bound on the bytes to read and write.
        let (bytes, rate) = match format {
            ResultKind::Bytes => (2.0 * text.len() as f64, self.copied),
            _ => (text.len() as f64, self.read),
        };
        let ends = match format {
            ResultKind::Count => search.run(0)?,
            _ => DeviceResult::Count(0),
        };
        let name = format!("{symbols} symbols, k {k}, {format:?}");
        let median = common::median(&seconds);
        let mut more = json!({ "tbps": bits / median / 1e12, "share_of_memory": bytes / median / rate });
        if let DeviceResult::Count(ends) = ends
            && format == ResultKind::Count
        {
            more["ends"] = json!(ends);
        }
        self.row("search", &name, &engine, (patterns[0].len(), text.len()), &seconds, more);
        Ok(())
    }

    fn save(&self) -> Outcome<()> {
        let all = json!({
            "gpu": self.description,
            "cpu": common::cpu_model(),
            "cpu_threads": rayon::current_num_threads(),
            "ptx": PTX_ORIGIN,
            "rows": self.rows,
        });
        self.options.line.write("gpu_search", all)
    }
}
