//! What the parts share: strings, comparisons that are timed, rows of results, and lengths that have to agree.

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

/// Cells (mn) from which on a first run is like the others.
const LONG: f64 = 1e12;

/// By how much a rehearsal's strings are shorter.
const REHEARSAL: usize = 4_000;

/// A benchmark that runs.
pub struct Bench {
    pub options: Options,
    /// What the GPU could do at most; a rehearsal has none.
    pub limits: Option<Limits>,
    /// The engine that has the kernels.
    pub engine: Box<dyn Engine>,
    cpu: Cpu,
    gpu: Value,
    part: &'static str,
    rows: Vec<Value>,
    failures: Vec<String>,
    lengths: BTreeMap<String, u64>,
    ecoli: Option<Rc<Ecoli>>,
}

/// The two genomes, and what the CPU finds.
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
    /// Cells that were computed.
    pub cells: u64,
    /// Of each run.
    pub seconds: Vec<f64>,
    /// Whatever else there is to say.
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

    /// From here on rows are of this part.
    pub fn begin(&mut self, part: &'static str) {
        self.part = part;
    }

    /// The running part ends before its end.
    pub fn failed(&mut self, reason: &str) {
        println!("FAILED: {}: {reason}", self.part);
        self.failures.push(format!("{}: {reason}", self.part));
    }

    pub fn all_well(&self) -> bool {
        self.failures.is_empty()
    }

    /// Writes the JSON as far as there is something.
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

    /// Prints and keeps a row.
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

    /// Keeps a row of another shape; it has been printed.
    pub fn raw_row(&mut self, mut row: Value) {
        row["part"] = json!(self.part);
        self.rows.push(row);
    }

    /// A length as given, in a rehearsal a small one.
    pub fn size(&self, len: usize) -> usize {
        if self.options.rehearse { (len / REHEARSAL).max(20) } else { len }
    }

    /// A comparison by an algorithm, on the engine that has it.
    pub fn job(&self, algorithm: &str) -> Outcome<Comparison<'static>> {
        Ok(Comparison::new().on(self.engine_of(algorithm)).algorithm(Algorithm::named(algorithm)?))
    }

    fn engine_of(&self, algorithm: &str) -> &dyn Engine {
        if gpu_algorithms().any(|name| name == algorithm) { &*self.engine } else { &self.cpu }
    }

    /// So many GPUs, simulated ones in a rehearsal.
    pub fn gpus(&self, count: usize) -> Outcome<Box<dyn Engine>> {
        Ok(if self.options.rehearse { Box::new(Simt::several(count)?) } else { Box::new(Gpus::open(0, count)?) })
    }

    /// An algorithm with its engine, for a row.
    pub fn label(&self, algorithm: &str) -> String {
        format!("{} {algorithm}", self.engine_of(algorithm).kind())
    }

    /// The length, always by this algorithm's own kernels; and the reports of so many runs. Before several short ones
    /// comes one that is not counted.
    pub fn length(&self, algorithm: &str, runs: usize, a: &[u8], b: &[u8]) -> Outcome<(u64, Vec<Report>)> {
        let job = self.job(algorithm)?.thresholds(0, LEAF_CELLS);
        let warm_up = runs > 1 && a.len() as f64 * (b.len() as f64) < LONG;
        repeat(runs, warm_up, || reported(&job, |job| job.length(a, b)))
    }

    /// An LCS and the reports of so many runs.
    pub fn subsequence(
        &self,
        algorithm: &str,
        runs: usize,
        a: &[u8],
        b: &[u8],
    ) -> Outcome<(CommonSubsequence, Vec<Report>)> {
        self.subsequence_by(&self.job(algorithm)?, runs, a, b)
    }

    /// The same by a comparison.
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

    /// An error if the LCS of these strings was found to be of another length before. `what` and the sizes tell strings
    /// apart.
    pub fn agree(&mut self, what: &str, m: usize, n: usize, length: u64) -> Outcome<()> {
        let strings = format!("{what} {m} × {n}");
        let known = *self.lengths.entry(strings.clone()).or_insert(length);
        if known == length { Ok(()) } else { Err(format!("{strings}: the length is {known} or {length}").into()) }
    }

    /// E. coli MG1655 and DH1, or an error if they are not there. Read and solved once.
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

/// The genomes' files.
pub const MG1655: &str = "MG1655-K12.fasta.gz";
pub const DH1: &str = "DH1.fasta.gz";

/// What random strings are called: those of DNA of the same size are the same everywhere.
pub const RANDOM_DNA: &str = "random DNA";

/// Two random strings of so many symbols; a shorter one is the beginning of a longer one.
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

/// Does something several times, once more before if `warm_up`; an error if what comes out is not always the same.
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

/// The result of a comparison, and its report.
pub fn reported<R>(
    comparison: &Comparison<'_>,
    compare: impl FnOnce(&Comparison<'_>) -> carrywave::Result<R>,
) -> Outcome<(R, Report)> {
    let recorder = Recorder::new();
    let result = compare(&comparison.clone().recorder(&recorder))?;
    Ok((result, recorder.take().ok_or("no report")?))
}

/// A value as text for the screen: short numbers, objects as `key value`.
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

/// Seconds of the whole calls.
pub fn totals(reports: &[Report]) -> Vec<f64> {
    reports.iter().map(|report| report.total.as_secs_f64()).collect()
}

/// The median of something in some reports.
pub fn median(reports: &[Report], of: impl Fn(&Report) -> f64) -> f64 {
    spread(&reports.iter().map(of).collect::<Vec<_>>()).0
}

/// The time split of the paper's table 1, as medians, and the speed of the kernels for themselves.
pub fn split(reports: &[Report]) -> Value {
    let kernels = median(reports, |r| r.kernels.as_secs_f64());
    json!({
        "kernels_s": kernels,
        "kernels_tcups": reports[0].done_by_kernels as f64 / 1e12 / kernels,
        "transfer_s": median(reports, |r| r.transfer.as_secs_f64()),
        "cpu_s": median(reports, |r| r.cpu().as_secs_f64()),
    })
}
