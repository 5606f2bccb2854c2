//! Code that the parts share: strings, timed comparisons, rows of results, and lengths that must
//! agree.

use crate::algorithms::{BIT_PARALLEL, gpu_algorithms};
use crate::common;
use crate::limits::Limits;
use crate::options::Options;
use carrywave::device::{Cpu, Engine, Gpu, Gpus, PTX_ORIGIN, Simt};
use carrywave::internal::lcs::LEAF_CELLS;
use carrywave::io::sequence::{ReadOptions, read};
use carrywave::job::{Recorder, Report};
use carrywave::lcs::{Algorithm, CommonSubsequence, Comparison};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::rc::Rc;

pub use crate::common::{Outcome, spread};

/// Threshold in cells (mn): above it the first run is as fast as the others.
const LONG: f64 = 1e12;

/// Divisor of the string lengths in a rehearsal.
const REHEARSAL: usize = 4_000;

/// State of the benchmark.
pub struct Bench {
    pub options: Options,
    /// Limits of the GPU's speed; `None` in a rehearsal.
    pub limits: Option<Limits>,
    /// Engine with the GPU kernels.
    pub engine: Box<dyn Engine>,
    cpu: Cpu,
    gpu: Value,
    part: &'static str,
    rows: Vec<Value>,
    failures: Vec<String>,
    lengths: BTreeMap<String, u64>,
    ecoli: Option<Rc<Ecoli>>,
}

/// The two genomes, and the CPU's result for them.
pub struct Ecoli {
    pub a: Vec<u8>,
    pub b: Vec<u8>,
    pub lcs: CommonSubsequence,
    pub report: Report,
}

/// A row of results.
pub struct Row<'r> {
    pub name: &'r str,
    pub engine: String,
    pub m: usize,
    pub n: usize,
    /// Number of computed cells.
    pub cells: u64,
    /// Seconds of each run.
    pub seconds: Vec<f64>,
    /// Further fields.
    pub more: Value,
}

impl Bench {
    pub fn new(options: Options, gpu: Option<&Gpu>) -> Outcome<Self> {
        let (engine, gpu): (Box<dyn Engine>, Value) = match gpu {
            Some(gpu) => (Box::new(gpu.clone()), json!(gpu.describe()?)),
            None if options.rehearse => (Box::new(Simt::new()), json!("none: a rehearsal on the simulator")),
            None => (Box::new(Cpu::new()), json!("none: the CPU alone")),
        };
        Ok(Self {
            options,
            limits: None,
            engine,
            cpu: Cpu::new(),
            gpu,
            part: "",
            rows: Vec::new(),
            failures: Vec::new(),
            lengths: BTreeMap::new(),
            ecoli: None,
        })
    }

    /// Begins a part; the next rows belong to it.
    pub fn begin(&mut self, part: &'static str) {
        self.part = part;
    }

    /// Records that the current part failed.
    pub fn failed(&mut self, reason: &str) {
        println!("FAILED: {}: {reason}", self.part);
        self.failures.push(format!("{}: {reason}", self.part));
    }

    pub fn all_well(&self) -> bool {
        self.failures.is_empty()
    }

    /// Writes the JSON with the results so far.
    pub fn save(&self) -> Outcome<()> {
        let mut all = json!({
            "gpu": self.gpu,
            "cpu": common::cpu_model(),
            "cpu_threads": rayon::current_num_threads(),
            "ptx": PTX_ORIGIN,
            "rows": self.rows,
        });
        if !self.failures.is_empty() {
            all["failures"] = json!(self.failures);
        }
        self.options.line.write("gpu_lcs", all)
    }

    /// Prints and stores a row.
    pub fn row(&mut self, row: Row<'_>) {
        let Row { name, engine, m, n, cells, seconds, more } = row;
        let (median, least, greatest) = spread(&seconds);
        let tcups = cells as f64 / 1e12 / median;
        let size = format!("{m} × {n}");
        println!(
            "{name:<34} {engine:<26} {size:<20} {median:>9.4} s ({least:.4} to {greatest:.4}) {tcups:>8.3} TCUPS {}",
            brief(&more)
        );
        let mut row = common::row(self.part, name, &engine, (m, n), &seconds, more);
        (row["cells"], row["tcups"]) = (json!(cells), json!(tcups));
        self.rows.push(row);
    }

    /// Stores a row of another shape, which has been printed already.
    pub fn raw_row(&mut self, mut row: Value) {
        row["part"] = json!(self.part);
        self.rows.push(row);
    }

    /// Returns a length as given, or a small one in a rehearsal.
    pub fn size(&self, len: usize) -> usize {
        if self.options.rehearse { (len / REHEARSAL).max(20) } else { len }
    }

    /// Returns a comparison by an algorithm, on an engine that has it.
    pub fn job(&self, algorithm: &str) -> Outcome<Comparison<'static>> {
        Ok(Comparison::new().on(self.engine_of(algorithm)).algorithm(Algorithm::named(algorithm)?))
    }

    fn engine_of(&self, algorithm: &str) -> &dyn Engine {
        if gpu_algorithms().any(|name| name == algorithm) { &*self.engine } else { &self.cpu }
    }

    /// Returns an engine of `count` GPUs, simulated in a rehearsal.
    pub fn gpus(&self, count: usize) -> Outcome<Box<dyn Engine>> {
        Ok(if self.options.rehearse { Box::new(Simt::several(count)?) } else { Box::new(Gpus::open(0, count)?) })
    }

    /// Returns an algorithm with its engine, for a row.
    pub fn label(&self, algorithm: &str) -> String {
        format!("{} {algorithm}", self.engine_of(algorithm).kind())
    }

    /// Computes the length, always by this algorithm's own kernels. Returns it with the reports of
    /// `runs` runs. Several short runs follow a warm-up run.
    pub fn length(&self, algorithm: &str, runs: usize, a: &[u8], b: &[u8]) -> Outcome<(u64, Vec<Report>)> {
        let job = self.job(algorithm)?.thresholds(0, LEAF_CELLS);
        let warm_up = runs > 1 && a.len() as f64 * (b.len() as f64) < LONG;
        repeat(runs, warm_up, || reported(&job, |job| job.length(a, b)))
    }

    /// Computes an LCS. Returns it with the reports of `runs` runs.
    pub fn subsequence(
        &self,
        algorithm: &str,
        runs: usize,
        a: &[u8],
        b: &[u8],
    ) -> Outcome<(CommonSubsequence, Vec<Report>)> {
        self.subsequence_by(&self.job(algorithm)?, runs, a, b)
    }

    /// Runs like `subsequence`, by a given comparison.
    pub fn subsequence_by(
        &self,
        job: &Comparison<'_>,
        runs: usize,
        a: &[u8],
        b: &[u8],
    ) -> Outcome<(CommonSubsequence, Vec<Report>)> {
        let (lcs, reports) = repeat(runs, false, || reported(job, |job| job.alignment(a, b)))?;
        lcs.verify(a, b)?;
        Ok((lcs, reports))
    }

    /// Returns an error if an earlier LCS of these strings has a different length. `what` and the
    /// sizes identify the strings.
    pub fn agree(&mut self, what: &str, m: usize, n: usize, length: u64) -> Outcome<()> {
        let strings = format!("{what} {m} × {n}");
        let known = *self.lengths.entry(strings.clone()).or_insert(length);
        if known == length { Ok(()) } else { Err(format!("{strings}: the length is {known} or {length}").into()) }
    }

    /// Returns E. coli MG1655 and DH1, or an error if they are missing. They are read and solved
    /// once.
    pub fn ecoli(&mut self) -> Outcome<Rc<Ecoli>> {
        if let Some(ecoli) = &self.ecoli {
            return Ok(ecoli.clone());
        }
        let genome = |path| -> Outcome<Vec<u8>> {
            let mut symbols = read(self.options.data.join(path), &ReadOptions::default())?.symbols;
            symbols.truncate(self.size(symbols.len()));
            Ok(symbols)
        };
        let a = genome(MG1655)?;
        let b = genome(DH1)?;
        let (lcs, mut reports) = self.subsequence(BIT_PARALLEL, 1, &a, &b)?;
        self.agree("E. coli", a.len(), b.len(), lcs.len())?;
        let report = reports.pop().ok_or("no run")?;
        let ecoli = Rc::new(Ecoli { a, b, lcs, report });
        self.ecoli = Some(ecoli.clone());
        Ok(ecoli)
    }
}

/// Files of the genomes.
pub const MG1655: &str = "MG1655-K12.fasta.gz";
pub const DH1: &str = "DH1.fasta.gz";

/// Name of random strings; random DNA of the same size is the same in all parts.
pub const RANDOM_DNA: &str = "random DNA";

/// Returns two random strings of m and n symbols, out of `symbols` different ones. A shorter string
/// is a prefix of a longer one.
pub fn random_pair(symbols: u64, m: usize, n: usize) -> (Vec<u8>, Vec<u8>) {
    let text = |len, seed| match symbols {
        4 => {
            let mut random = fastrand::Rng::with_seed(seed);
            (0..len).map(|_| b"ACGT"[random.usize(..4)]).collect()
        }
        _ => common::random(len, symbols, seed),
    };
    (text(m, 5), text(n, 6))
}

/// Calls a function `runs` times, after a warm-up call if `warm_up`. Returns an error if the
/// results differ.
pub fn repeat<T: PartialEq, R>(
    runs: usize,
    warm_up: bool,
    mut run: impl FnMut() -> Outcome<(T, R)>,
) -> Outcome<(T, Vec<R>)> {
    let (first, report) = run()?;
    let mut reports = Vec::from_iter((!warm_up).then_some(report));
    while reports.len() < runs {
        let (result, report) = run()?;
        if result != first {
            return Err("two runs give different results".into());
        }
        reports.push(report);
    }
    Ok((first, reports))
}

/// Returns the result of a comparison, and its report.
pub fn reported<R>(
    comparison: &Comparison<'_>,
    compare: impl FnOnce(&Comparison<'_>) -> carrywave::Result<R>,
) -> Outcome<(R, Report)> {
    let recorder = Recorder::new();
    let result = compare(&comparison.clone().recorder(&recorder))?;
    Ok((result, recorder.take().ok_or("no report")?))
}

/// Formats a value for the screen: short numbers, objects as `key value`.
pub fn brief(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Object(map) => {
            let known = map.iter().filter(|(_, value)| !value.is_null());
            known.map(|(key, value)| format!("{key} {}", brief(value))).collect::<Vec<_>>().join(", ")
        }
        Value::Number(number) if number.is_f64() => format!("{:.4}", number.as_f64().unwrap_or_default()),
        other => other.to_string(),
    }
}

/// Returns the seconds of the whole calls.
pub fn totals(reports: &[Report]) -> Vec<f64> {
    reports.iter().map(|report| report.total.as_secs_f64()).collect()
}

/// Returns the median of a value over some reports.
pub fn median(reports: &[Report], of: impl Fn(&Report) -> f64) -> f64 {
    spread(&reports.iter().map(of).collect::<Vec<_>>()).0
}

/// Returns the times in the split of the paper's table 1, as medians, and the speed of the kernels
/// alone.
pub fn split(reports: &[Report]) -> Value {
    let kernels = median(reports, |r| r.kernels.as_secs_f64());
    json!({
        "kernels_s": kernels,
        "kernels_tcups": reports[0].done_by_kernels as f64 / 1e12 / kernels,
        "transfer_s": median(reports, |r| r.transfer().as_secs_f64()),
        "cpu_s": median(reports, |r| r.cpu().as_secs_f64()),
    })
}
