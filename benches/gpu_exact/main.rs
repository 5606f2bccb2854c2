//! Exact search of long patterns on a GPU: `cargo bench --bench gpu_exact -- [OPTIONS]`. The
//! program can be copied to a machine with a GPU and run there. It needs neither Rust nor CUDA.
//!
//! ```text
//! --symbols N     symbols of the texts of the second part (2^32)
//! --runs N        timings of each row (3), after one that is not counted; the results are medians
//! --part NAME     only the part `tables`, Wang's (2018) tables 1 to 4, or `texts`, random texts
//!                 and texts that repeat
//! --text NAME     only this text
//! --m N           only patterns of N symbols; with `--part tables`, N symbols instead of 1,000, at
//!                 most half of the text
//! --logs LIST     binary logarithms of the symbols of the tables' texts (20,22,24,26,28)
//! --once NAME     only one launch of this algorithm for each pattern of the second part, for a
//!                 profiler
//! --json FILE     the results as JSON, written after each text; `cargo xtask results` makes a page
//!                 of it
//! --commit NAME   the version, for the results
//! --rehearse      no GPU: all of it on the simulator, in texts of 2^13 symbols, with patterns of
//!                 up to 1,000
//! ```
//!
//! Times of the second part are of kernels, from the launch to its end, with the text in the GPU's
//! memory and a count as the result. All algorithms must return the same count. The ceiling, the
//! speed of reading memory, is measured in the same run.
//! Criterion is not used: it takes at least ten runs, too many for texts of gigabytes on a GPU that
//! is there for minutes.

#[path = "../common/mod.rs"]
mod common;
mod tables;
mod texts;

use carrywave::device::{Gpu, PTX_ORIGIN, Simt};
use carrywave::internal::device::{Devices, open_gpu};
use carrywave::internal::search::gpu::{DeviceAlgorithm, DeviceSearch, DeviceText, Gaps, Request, ResultKind};
use carrywave::search::Tuning;
use carrywave::text::Pattern;
use common::Outcome;
use common::line::Line;
use serde_json::{Value, json};
use simt_launch::Device;
use std::sync::Arc;
use std::time::Instant;

struct Options {
    symbols: usize,
    runs: usize,
    part: Option<String>,
    text: Option<String>,
    m: Option<usize>,
    logs: Vec<u32>,
    once: Option<String>,
    rehearse: bool,
    line: Line,
}

impl Options {
    fn read() -> Outcome<Self> {
        let (mut symbols, mut runs, mut part, mut text, mut m, mut once) = (None, 3, None, None, None, None);
        let mut logs = None;
        let mut rehearse = false;
        let line = Line::read("--symbols --runs --part --text --m --logs --once --rehearse", |name, value| {
            match name {
                "--symbols" => symbols = Some(value.number()?),
                "--runs" => runs = value.number::<usize>()?.max(1),
                "--part" => part = Some(value.text()?),
                "--text" => text = Some(value.text()?),
                "--m" => m = Some(value.number()?),
                "--logs" => logs = Some(value.numbers(10..=30)?),
                "--once" => once = Some(value.text()?),
                "--rehearse" => rehearse = true,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let symbols = symbols.unwrap_or(if rehearse { 1 << 13 } else { 1 << 32 });
        let logs = logs.unwrap_or_else(|| if rehearse { vec![13] } else { vec![20, 22, 24, 26, 28] });
        let shortest = 1usize << logs.iter().min().copied().unwrap_or(0);
        if m.is_some_and(|m| m == 0 || m > shortest / 2) && part.as_deref() == Some("tables") {
            return Err(format!("the tables take patterns of 1 to {} symbols", shortest / 2).into());
        }
        Ok(Self { symbols, runs, part, text, m, logs, once, rehearse, line })
    }
}

struct Bench<D: Device> {
    options: Options,
    device: Arc<D>,
    /// Description of the device.
    description: Value,
    rows: Vec<Value>,
}

fn main() -> Outcome<()> {
    let options = Options::read()?;
    if options.rehearse {
        let engine = Simt::new();
        let Devices::Simulated(devices) = Devices::from_engine(&engine) else { return Err("no simulator".into()) };
        let description = json!("none: a rehearsal on the simulator");
        return run(Bench { options, device: devices[0].clone(), description, rows: Vec::new() });
    }
    match Gpu::open(0) {
        Ok(gpu) => {
            let device = open_gpu(&gpu).clone();
            let description = json!(gpu.describe()?);
            run(Bench { options, device, description, rows: Vec::new() })
        }
        Err(error) => {
            println!("skipped: {error}");
            Ok(())
        }
    }
}

fn run<D: Device>(mut bench: Bench<D>) -> Outcome<()> {
    let wanted = |part: &str| bench.options.part.as_deref().is_none_or(|own| own == part);
    let tables = wanted("tables");
    let texts = wanted("texts");
    if tables {
        bench.tables()?;
    }
    if texts {
        bench.texts()?;
    }
    Ok(())
}

impl<D: Device> Bench<D> {
    /// Returns a search that is ready to launch, or `None` if the algorithm does not take the
    /// pattern.
    fn prepare(
        &self,
        text: &Arc<DeviceText<D>>,
        name: &str,
        pattern: &[u8],
        format: ResultKind,
    ) -> Outcome<Option<DeviceSearch<D>>> {
        let row = DeviceAlgorithm::<D>::ALL.iter().find(|row| row.about.name == name).ok_or("no such algorithm")?;
        let patterns = [Pattern::literal(pattern)];
        let request = Request { patterns: &patterns, k: 0, gaps: Gaps::ANY, tuning: Tuning::default() };
        match text.prepare(row, &request, format) {
            Ok(search) => Ok(Some(search)),
            Err(carrywave::Error::Unsupported { .. }) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Times a call, after a warm-up run.
    fn time(&self, mut call: impl FnMut() -> Outcome<()>) -> Outcome<Vec<f64>> {
        call()?;
        (0..self.options.runs)
            .map(|_| {
                let started = Instant::now();
                call()?;
                Ok(started.elapsed().as_secs_f64())
            })
            .collect()
    }

    /// Adds a row, and returns its median.
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
        println!("{part} | {name} | {engine} | m {m} | {:.3} ms | {more}", 1e3 * median);
        self.rows.push(common::row(part, name, engine, (m, n), seconds, more));
        median
    }

    fn save(&self) -> Outcome<()> {
        self.options.line.write(
            "gpu_exact",
            json!({
                "device": self.description, "ptx": PTX_ORIGIN, "cpu": common::cpu_model(),
                "times": "of kernels, from the launch to its end, unless a row says otherwise; medians",
                "rows": self.rows,
            }),
        )
    }
}
