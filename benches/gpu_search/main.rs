//! The search benchmark for a GPU: `cargo bench --bench gpu_search -- [OPTIONS]`. The program can also be copied to a machine
//! with a GPU and run there; it needs neither Rust nor CUDA.
//!
//! ```text
//! --symbols N     symbols of the text (2^31); 0 leaves this part out
//! --file-symbols N    symbols of the file for the part end to end (2^32), in the folder for temporary files; 0 leaves it out
//! --runs N        timings of each row (5; of figures 3), each of several launches; the results are medians
//! --figures       instead the paper's figures, with its rivals; see figures.rs
//! --corpus NAME=FILE   a text for figure 10, as it is; more than once
//! --json FILE     the results as JSON; `cargo xtask results` makes a page of it
//! --commit NAME   what to say of the version
//! ```
//!
//! Times are of kernels, from the launch to its end, with text and results in the GPU's memory. Speed is in bits of text a
//! second, eight a symbol, as Mitani, Ino and Hagihara (2017) give it. The ceilings are measured in the same run: how fast
//! memory is copied, for a byte of results a symbol, and how fast it is read, for bits and counts.

#[path = "../common/mod.rs"]
mod common;
mod end_to_end;
mod figures;

use carrywave::device::Device;
use carrywave::device::gpu::{self, Gpu, PTX_ORIGIN};
use carrywave::kernels::measure::memory_rate::MemoryRate;
use carrywave::search::gpu::{DeviceAlgorithm, DeviceText, Format, Found, ScanOptions};
use carrywave::text::pattern::Pattern;
use rayon::prelude::*;
use serde_json::{Value, json};
use simt_std::{Kernel, U32x4};
use std::time::Instant;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

struct Options {
    symbols: usize,
    file_symbols: u64,
    runs: usize,
    /// Launches of a timing.
    launches: u32,
    figures: bool,
    corpora: Vec<(String, String)>,
    json: Option<String>,
    commit: String,
    line: String,
}

impl Options {
    fn parse(mut arguments: impl Iterator<Item = String>) -> Outcome<Self> {
        let mut options = Self {
            symbols: 1 << 31,
            file_symbols: 1 << 32,
            runs: 0,
            launches: 4,
            figures: false,
            corpora: Vec::new(),
            json: None,
            commit: "unknown".into(),
            line: String::new(),
        };
        while let Some(name) = arguments.next() {
            if name == "--figures" {
                (options.figures, options.launches) = (true, 2);
                options.line += "--figures ";
                continue;
            }
            let value = arguments.next().ok_or_else(|| format!("{name} takes a value"))?;
            options.line += &format!("{name} {value} ");
            match name.as_str() {
                "--symbols" => options.symbols = value.parse()?,
                "--file-symbols" => options.file_symbols = value.parse()?,
                "--runs" => options.runs = value.parse()?,
                "--corpus" => {
                    let (name, path) = value.split_once('=').ok_or("--corpus takes NAME=FILE")?;
                    options.corpora.push((name.into(), path.into()));
                }
                "--json" => options.json = Some(value),
                "--commit" => options.commit = value,
                _ => {
                    let names = "--symbols --file-symbols --runs --figures --corpus --json --commit";
                    return Err(format!("{name}? There are {names}").into());
                }
            }
        }
        if options.runs == 0 {
            options.runs = if options.figures { 3 } else { 5 };
        }
        Ok(options)
    }
}

struct Bench<'g> {
    options: Options,
    gpu: &'g Gpu,
    rows: Vec<Value>,
    /// Bytes a second that are copied, of those read and those written, and that are only read.
    copied: f64,
    read: f64,
}

fn main() -> Outcome<()> {
    let options = Options::parse(std::env::args().skip(1).filter(|argument| argument != "--bench"))?;
    let gpu = match gpu::shared(0) {
        Ok(gpu) => gpu,
        Err(error) => {
            println!("skipped: {error}");
            return Ok(());
        }
    };
    let mut bench = Bench { options, gpu: &gpu, rows: Vec::new(), copied: 0.0, read: 0.0 };
    if bench.options.figures {
        bench.limits()?;
        return bench.figures();
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

/// A random text of `symbols` different bytes.
fn random_text(n: usize, symbols: u64) -> Vec<u8> {
    const PIECE: usize = 1 << 20;
    let mut text = vec![0u8; n];
    text.par_chunks_mut(PIECE)
        .enumerate()
        .for_each(|(i, piece)| piece.copy_from_slice(&common::random(piece.len(), symbols, i as u64)));
    text
}

impl Bench<'_> {
    /// Medians of so many launches each, after one that is not counted.
    fn time(&self, mut launch: impl FnMut() -> Outcome<()>, wait: impl Fn() -> Outcome<()>) -> Outcome<Vec<f64>> {
        launch()?;
        wait()?;
        (0..self.options.runs)
            .map(|_| {
                let started = Instant::now();
                for _ in 0..self.options.launches {
                    launch()?;
                }
                wait()?;
                Ok(started.elapsed().as_secs_f64() / f64::from(self.options.launches))
            })
            .collect()
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
        let median = common::median(seconds);
        let least = seconds.iter().copied().fold(f64::INFINITY, f64::min);
        let greatest = seconds.iter().copied().fold(0.0, f64::max);
        println!("{part} {name:<28} {engine:<12} m {m:<3} {:.6} s ({least:.6} to {greatest:.6}) {more}", median);
        self.rows.push(json!({
            "part": part, "name": name, "engine": engine, "m": m, "n": n, "seconds": seconds,
            "median_s": median, "least_s": least, "greatest_s": greatest, "more": more,
        }));
        median
    }

    /// How fast memory is.
    fn limits(&mut self) -> Outcome<()> {
        let (gpu, words) = (self.gpu, (self.options.symbols / 16).max(1));
        let stream = gpu.stream()?;
        let (mut from, to) = (gpu.alloc::<U32x4>(words, "from")?, gpu.alloc::<U32x4>(words, "to")?);
        gpu.zero(&stream, &mut from)?;
        for copy in [1, 0] {
            let mut best: Option<Vec<f64>> = None;
            for each in [2, 4, 8, 64] {
                let blocks = gpu.limits().multiprocessors * each;
                let kernel = MemoryRate {
                    from: gpu.handle(&from),
                    words: words as u64,
                    copy,
                    to: gpu.handle(&to),
                    threads: u64::from(blocks * MemoryRate::BLOCK_THREADS),
                };
                // SAFETY: both arrays have so many words, and live until the stream was waited for.
                let launch = || unsafe { gpu.launch(&stream, blocks, kernel) }.map_err(Into::into);
                let seconds = self.time(launch, || gpu.wait(&stream).map_err(Into::into))?;
                if best.as_ref().is_none_or(|best| seconds.iter().sum::<f64>() < best.iter().sum()) {
                    best = Some(seconds);
                }
            }
            let bytes = (words * 16) as f64 * if copy == 1 { 2.0 } else { 1.0 };
            let name = if copy == 1 { "memory copied" } else { "memory read" };
            let seconds = best.unwrap_or_default();
            let median = self.row("limit", name, "memory_rate", (0, words * 16), &seconds, json!({}));
            let rate = bytes / median;
            println!("{name}: {:.1} GB/s", rate / 1e9);
            if let Some(row) = self.rows.last_mut() {
                row["more"] = json!({ "gb_per_s": rate / 1e9 });
            }
            *(if copy == 1 { &mut self.copied } else { &mut self.read }) = rate;
        }
        Ok(())
    }

    /// All searches in a random text of so many symbols.
    fn alphabet(&mut self, symbols: u64) -> Outcome<()> {
        let n = self.options.symbols;
        let text = random_text(n, symbols);
        let on_gpu = DeviceText::new(self.gpu, &text)?;
        use DeviceAlgorithm::{Packed, Scan, ShiftOr, WuManber};
        use Format::{Bitmap, Bytes, Count};
        for (algorithm, k) in [(ShiftOr, 0), (WuManber, 0), (WuManber, 1), (WuManber, 2), (WuManber, 3)] {
            for m in [4, 8, 16, 24, 32, 33, 48, 56, 64] {
                let (few, other) = ([8, 16, 32, 64].contains(&m), symbols != 64);
                if m <= k as usize || (other || algorithm == WuManber) && !few {
                    continue;
                }
                let pattern = Pattern::literal(&text[n / 2..][..m.min(n / 2)]);
                for format in [Bytes, Bitmap, Count] {
                    self.search(&on_gpu, &text, std::slice::from_ref(&pattern), (algorithm, k, format), symbols)?;
                }
            }
        }
        if symbols == 4 {
            self.myers(&on_gpu, &text)?;
        }
        // Not more ends than 32 bits can count.
        let part = &text[..n.min(1 << 28)];
        let part_on_gpu = DeviceText::new(self.gpu, part)?;
        let pattern_at = |from: usize, m: usize| Pattern::literal(&text[n / 16 + from..][..m.min(n / 2)]);
        for (m, many) in [(20, 1), (32, 1), (16, 2), (20, 3), (64, 1), (16, 4), (20, 6), (64, 2), (16, 8), (128, 1)] {
            let patterns: Vec<Pattern> = (0..many).map(|number| pattern_at(1000 * number, m)).collect();
            for k in (0..=3).filter(|_| symbols == 64) {
                self.search(&part_on_gpu, part, &patterns, (Packed, k, Count), symbols)?;
            }
        }
        for m in [16, 32, 64] {
            let pattern = Pattern::literal(&text[n / 2..][..m.min(n / 2)]);
            for banks in [true, false] {
                let scan = Scan(ScanOptions { banks, ..ScanOptions::default() });
                self.search(&on_gpu, &text, std::slice::from_ref(&pattern), (scan, 0, Bytes), symbols)?;
            }
            for (alpha, k) in [(1, 0), (2, 0), (4, 0), (8, 0), (32, 0), (16, 1), (16, 2), (16, 3), (4, 1), (4, 2)] {
                if symbols == 64 {
                    let scan = Scan(ScanOptions { alpha, ..ScanOptions::default() });
                    self.search(&on_gpu, &text, std::slice::from_ref(&pattern), (scan, k, Bytes), symbols)?;
                }
            }
            if symbols == 64 {
                let scan = Scan(ScanOptions { disjoint: false, ..ScanOptions::default() });
                self.search(&on_gpu, &text, std::slice::from_ref(&pattern), (scan, 0, Bytes), symbols)?;
            }
        }
        Ok(())
    }

    /// Long patterns and many errors, in a text of four symbols.
    fn myers(&mut self, on_gpu: &DeviceText<'_, Gpu>, text: &[u8]) -> Outcome<()> {
        let parts: [(&[usize], &[u32]); 3] =
            [(&[20], &[1, 2, 3, 4, 5]), (&[32, 64], &[1, 3, 8]), (&[100, 256, 1000], &[0, 5, 20])];
        for (ms, ks) in parts {
            for (&m, &k) in ms.iter().flat_map(|m| ks.iter().map(move |k| (m, k))) {
                let pattern = Pattern::literal(&text[text.len() / 2..][..m.min(text.len() / 2)]);
                for format in [Format::Count, Format::Bytes] {
                    if (k as usize) < pattern.len() {
                        self.search(
                            on_gpu,
                            text,
                            std::slice::from_ref(&pattern),
                            (DeviceAlgorithm::Myers, k, format),
                            4,
                        )?;
                    }
                }
            }
        }
        Ok(())
    }

    fn search(
        &mut self,
        on_gpu: &DeviceText<'_, Gpu>,
        text: &[u8],
        patterns: &[Pattern],
        (algorithm, k, format): (DeviceAlgorithm, u32, Format),
        symbols: u64,
    ) -> Outcome<()> {
        let search = std::cell::RefCell::new(on_gpu.prepare_all(algorithm, patterns, k, format)?);
        let launch = || search.borrow_mut().launch(0).map_err(Into::into);
        let seconds = self.time(launch, || search.borrow().wait().map_err(Into::into))?;
        let bits = 8.0 * text.len() as f64;
        // What has to be read and written at least.
        let (bytes, rate) = match format {
            Format::Bytes => (2.0 * text.len() as f64, self.copied),
            _ => (text.len() as f64, self.read),
        };
        let ends = match format {
            Format::Count => search.borrow_mut().run(0)?,
            _ => Found::Count(0),
        };
        let engine = match algorithm {
            DeviceAlgorithm::ShiftOr => "shift-or".into(),
            DeviceAlgorithm::WuManber => "wu-manber".into(),
            DeviceAlgorithm::Packed => format!("packed, {} patterns", patterns.len()),
            DeviceAlgorithm::Myers => "myers".into(),
            DeviceAlgorithm::Gbpr(options) => format!("{options:?}"),
            DeviceAlgorithm::XBitPar(options) => format!("{options:?}"),
            DeviceAlgorithm::Scan(ScanOptions { alpha, disjoint, banks }) => {
                let variant = if disjoint { "disjoint" } else { "overlapping" };
                format!("scan, alpha {alpha}, {variant}, {} table", if banks { "banked" } else { "paper's" })
            }
        };
        let name = format!("{symbols} symbols, k {k}, {format:?}");
        let median = common::median(&seconds);
        let mut more = json!({ "tbps": bits / median / 1e12, "share_of_memory": bytes / median / rate });
        if let Found::Count(ends) = ends
            && format == Format::Count
        {
            more["ends"] = json!(ends);
        }
        self.row("search", &name, &engine, (patterns[0].len(), text.len()), &seconds, more);
        Ok(())
    }

    fn save(&self) -> Outcome<()> {
        let all = json!({
            "command": format!("gpu_search {}", self.options.line.trim()),
            "commit": self.options.commit,
            "gpu": self.gpu.describe()?,
            "cpu": common::cpu_model(),
            "cpu_threads": rayon::current_num_threads(),
            "ptx": PTX_ORIGIN,
            "rows": self.rows,
        });
        if let Some(path) = &self.options.json {
            std::fs::write(path, format!("{all:#}\n"))?;
        }
        Ok(())
    }
}
