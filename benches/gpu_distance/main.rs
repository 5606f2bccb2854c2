//! The edit distance of two strings on a GPU: `cargo bench --bench gpu_distance -- [OPTIONS]`. The
//! program can be copied to a machine with a GPU and run there, best with the program `carrywave`
//! beside it. It needs neither Rust nor CUDA.
//!
//! ```text
//! --only PART[,PART]   these parts alone: pairs, ecoli, similar, overlaps, plans, bands, gpus;
//!                      otherwise all but the last three
//! --runs N             runs of each row (5); the results are medians
//! --json FILE          the results as JSON; `cargo xtask results` makes a page of it
//! --commit NAME        the version, for the results
//! --data DIR           where the genomes are (../shared/data)
//! --gpus N             how many GPUs, for the part `gpus`
//! --rehearse           no GPU: on the simulator, with strings 4,000 times shorter
//!
//! limit        the rates at which this GPU issues instructions: what the kernels are held against
//! pairs        random strings that have nothing in common: distance and script
//! ecoli        E. coli MG1655 × DH1: the script within this process, and from files to a CIGAR as
//!              a process of its own
//! similar      one string and the same with errors: `auto`, which computes bands, beside the full
//!              table
//! overlaps     strings that share a half, with 5 % of errors: the overlap, also on a thread of the
//!              CPU
//! plans        30,000 to 10 million symbols by each kernel: for tuning
//! bands        bands for 10 % of errors, 10 million × 10 million, by each kernel: for tuning
//! gpus         10 and 20 million on 1 to N GPUs
//! ```
//!
//! Criterion is not used, since the times are those of the GPU's events and of whole processes.

#[path = "../common/mod.rs"]
mod common;

use carrywave::device::{Cpu, Engine, Gpu, Gpus, PTX_ORIGIN, Simt};
use carrywave::distance::{Algorithm, Comparison};
use carrywave::internal::device::open_gpu;
use carrywave::internal::measure::ceilings::{distance_of_dna_on_gpu, overlap_of_dna_on_gpu};
use carrywave::internal::measure::gpu::{TURNS, all_pipes, logic_pipe};
use carrywave::internal::pairwise::{BandRequest, CutRequest, Cuts, Part, Side};
use carrywave::internal::pairwise::{Distances, Form, Kernels, Wavefront, WavefrontPlan};
use carrywave::job::{Recorder, Report};
use common::line::Line;
use common::{Outcome, median, random, with_errors};
use serde_json::{Value, json};
use simt_launch::Device;
use std::process::Command;
use std::time::Instant;

/// Divisor of the string lengths in a rehearsal.
const REHEARSAL: usize = 4_000;

struct Bench {
    runs: usize,
    rehearse: bool,
    engine: Box<dyn Engine>,
    /// Upper bound on DNA cells per second, with the pipe of logic instructions always busy; `None`
    /// in a rehearsal.
    limit: Option<f64>,
    /// Upper bound on the cells of overlaps of DNA per second.
    overlap_limit: Option<f64>,
    rows: Vec<Value>,
}

fn main() -> Outcome<()> {
    let (mut only, mut runs, mut data, mut gpus, mut rehearse) = (None, 5, common::data_dir(), 1, false);
    let line = Line::read("--only --runs --data --gpus --rehearse", |name, value| {
        match name {
            "--only" => only = Some(value.text()?.split(',').map(str::to_owned).collect::<Vec<_>>()),
            "--runs" => runs = value.number::<usize>()?.max(1),
            "--data" => data = value.text()?.into(),
            "--gpus" => gpus = value.number::<usize>()?.max(1),
            "--rehearse" => rehearse = true,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let gpu = match Gpu::open(0) {
        _ if rehearse => None,
        Ok(gpu) => Some(gpu),
        Err(error) => {
            println!("skipped: {error}");
            return Ok(());
        }
    };
    let engine: Box<dyn Engine> = match &gpu {
        Some(gpu) => Box::new(gpu.clone()),
        None => Box::new(Simt::new()),
    };
    let mut bench = Bench { runs, rehearse, engine, limit: None, overlap_limit: None, rows: Vec::new() };
    if let Some(gpu) = &gpu {
        bench.limit(gpu)?;
    }
    let wants = |part: &str| {
        only.as_ref().map_or(!["plans", "bands", "gpus"].contains(&part), |only| only.iter().any(|o| o == part))
    };
    if wants("pairs") {
        bench.pairs()?;
    }
    if wants("ecoli") {
        bench.ecoli(&data)?;
    }
    if wants("similar") {
        bench.similar()?;
    }
    if wants("overlaps") {
        bench.overlaps()?;
    }
    if wants("plans")
        && let Some(gpu) = &gpu
    {
        bench.plans(&**open_gpu(gpu))?;
    }
    if wants("bands")
        && let Some(gpu) = &gpu
    {
        bench.bands(&**open_gpu(gpu))?;
    }
    if wants("gpus") {
        bench.several(gpus)?;
    }
    let gpu = gpu.map(|gpu| gpu.describe()).transpose()?;
    let all = json!({
        "gpu": gpu, "cpu": common::cpu_model(), "cpu_threads": rayon::current_num_threads(), "ptx": PTX_ORIGIN,
        "rows": bench.rows,
    });
    line.write("gpu_distance", all)
}

impl Bench {
    fn size(&self, len: usize) -> usize {
        if self.rehearse { (len / REHEARSAL).max(20) } else { len }
    }

    fn job(&self, algorithm: &str) -> Outcome<Comparison<'static>> {
        Ok(Comparison::new().on(&*self.engine).algorithm(Algorithm::named(algorithm)?))
    }

    fn limit(&mut self, gpu: &Gpu) -> Outcome<()> {
        let all = all_pipes(&**open_gpu(gpu), TURNS, self.runs)?.per_second;
        let logic = logic_pipe(&**open_gpu(gpu), TURNS, self.runs)?.per_second;
        let limit = distance_of_dna_on_gpu(logic);
        println!("limit by the pipe of logic instructions: {:.1} TCUPS of DNA", limit / 1e12);
        self.rows.push(json!({
            "part": "limit", "name": "instructions", "engine": "gpu issue_rate",
            "more": {
                "logic_tera_per_s": logic / 1e12, "all_pipes_tera_per_s": all / 1e12, "dna_tcups": limit / 1e12,
                "overlap_dna_tcups": overlap_of_dna_on_gpu(logic) / 1e12,
            },
        }));
        self.limit = Some(limit);
        self.overlap_limit = Some(overlap_of_dna_on_gpu(logic));
        Ok(())
    }

    /// Prints and stores a row of runs of whole calls.
    fn row(&mut self, part: &str, name: &str, engine: &str, (m, n): (usize, usize), runs: &[Report], mut more: Value) {
        let seconds: Vec<f64> = runs.iter().map(|report| report.total.as_secs_f64()).collect();
        let kernels = median(&runs.iter().map(|report| report.kernels.as_secs_f64()).collect::<Vec<_>>());
        let table = m as f64 * n as f64;
        more["kernels_s"] = json!(kernels);
        more["kernels_tcups"] = json!(runs[0].done_by_kernels as f64 / kernels.max(1e-9) / 1e12);
        if let Some(limit) = if part == "overlaps" { self.overlap_limit } else { self.limit } {
            more["share_of_dna_limit"] = json!(runs[0].done_by_kernels as f64 / kernels.max(1e-9) / limit);
        }
        self.seconds(
            part,
            name,
            engine,
            (m, n),
            &seconds,
            json!({ "table_tcups": table / median(&seconds) / 1e12 }),
            more,
        );
    }

    #[expect(clippy::too_many_arguments, reason = "the fields of a row")]
    fn seconds(
        &mut self,
        part: &str,
        name: &str,
        engine: &str,
        (m, n): (usize, usize),
        seconds: &[f64],
        speed: Value,
        mut more: Value,
    ) {
        if let (Some(more), Value::Object(speed)) = (more.as_object_mut(), speed) {
            more.extend(speed);
        }
        let (median, least, most) = common::spread(seconds);
        println!("{name:<34} {engine:<22} {m} × {n} {median:>9.4} s ({least:.4} to {most:.4}) {more}");
        self.rows.push(common::row(part, name, engine, (m, n), seconds, more));
    }

    /// Computes the distance in as many runs as the options say, after a warm-up run.
    fn distance(&self, job: &Comparison<'_>, a: &[u8], b: &[u8]) -> Outcome<(u64, Vec<Report>)> {
        let recorder = Recorder::new();
        let job = job.clone().recorder(&recorder);
        let distance = job.distance(a, b)?;
        let mut reports = Vec::new();
        for _ in 0..self.runs {
            recorder.take();
            let again = job.distance(a, b)?;
            if again != distance {
                return Err(format!("two runs give {distance} and {again}").into());
            }
            reports.extend(recorder.take());
        }
        Ok((distance, reports))
    }

    /// Computes the script like `distance`, and checks it.
    fn script(&self, job: &Comparison<'_>, a: &[u8], b: &[u8], distance: u64) -> Outcome<Vec<Report>> {
        let recorder = Recorder::new();
        let job = job.clone().recorder(&recorder);
        let mut reports = Vec::new();
        for _ in 0..self.runs {
            let script = job.script(a, b)?;
            script.verify(a, b)?;
            script.check_distance(distance)?;
            reports.extend(recorder.take());
        }
        Ok(reports)
    }

    fn pairs(&mut self) -> Outcome<()> {
        for (m, n, symbols) in [
            (10_000_000, 10_000_000, 4),
            (1_000_000, 1_000_000, 4),
            (100_000, 100_000, 4),
            (10_000_000, 10_000_000, 64),
        ] {
            let m = self.size(m);
            let n = self.size(n);
            let a = random(m, symbols, 5);
            let b = random(n, symbols, 6);
            let job = self.job("wavefront")?;
            let (distance, reports) = self.distance(&job, &a, &b)?;
            let more = || json!({ "symbols": symbols, "distance": distance });
            self.row("pairs", "random, distance", "wavefront", (m, n), &reports, more());
            let reports = self.script(&job, &a, &b, distance)?;
            self.row("pairs", "random, script", "wavefront", (m, n), &reports, more());
        }
        Ok(())
    }

    fn ecoli(&mut self, data: &std::path::Path) -> Outcome<()> {
        let files = ["MG1655-K12.fasta.gz", "DH1.fasta.gz"].map(|name| data.join(name));
        let genome = |path| carrywave::io::sequence::read(path, &Default::default()).map(|read| read.symbols);
        let (Ok(mut a), Ok(mut b)) = (genome(&files[0]), genome(&files[1])) else {
            println!("E. coli left out: it is not in {}", data.display());
            return Ok(());
        };
        a.truncate(self.size(a.len()));
        b.truncate(self.size(b.len()));
        let mut known = None;
        for algorithm in ["wavefront", "auto"] {
            let job = self.job(algorithm)?;
            let (distance, reports) = self.distance(&job, &a, &b)?;
            if *known.get_or_insert(distance) != distance {
                return Err("E. coli: two distances".into());
            }
            self.row(
                "ecoli",
                "E. coli, distance",
                algorithm,
                (a.len(), b.len()),
                &reports,
                json!({ "distance": distance }),
            );
            let reports = self.script(&job, &a, &b, distance)?;
            self.row(
                "ecoli",
                "E. coli, script",
                algorithm,
                (a.len(), b.len()),
                &reports,
                json!({ "distance": distance }),
            );
        }
        let program = std::env::current_exe()?.with_file_name("carrywave");
        if self.rehearse || !program.is_file() {
            println!("processes left out: {} is not there", program.display());
            return Ok(());
        }
        for algorithm in ["wavefront", "auto"] {
            let mut seconds = Vec::new();
            for _ in 0..self.runs {
                let started = Instant::now();
                let mut command = Command::new(&program);
                command.arg("distance").args(&files).args([
                    "--engine",
                    "gpu",
                    "--algorithm",
                    algorithm,
                    "--output",
                    "cigar",
                ]);
                let done = command.output()?;
                seconds.push(started.elapsed().as_secs_f64());
                if !done.status.success() {
                    return Err(String::from_utf8_lossy(&done.stderr).into());
                }
            }
            let size = (a.len(), b.len());
            self.seconds(
                "ecoli",
                "E. coli, files to CIGAR, own process",
                algorithm,
                size,
                &seconds,
                json!({}),
                json!({}),
            );
        }
        Ok(())
    }

    fn similar(&mut self) -> Outcome<()> {
        for (m, per_mille) in [(5_000_000, 1), (10_000_000, 10), (10_000_000, 50), (10_000_000, 100)] {
            let a = random(self.size(m), 4, 1);
            let b = with_errors(&a, per_mille);
            let mut known = None;
            let all_runs = self.runs;
            for algorithm in ["auto", "wavefront"] {
                // The full table takes the same time for all strings.
                self.runs = if algorithm == "auto" { all_runs } else { 1 };
                let job = self.job(algorithm)?;
                let (distance, reports) = self.distance(&job, &a, &b)?;
                if *known.get_or_insert(distance) != distance {
                    return Err(format!("{per_mille} of 1,000: two distances").into());
                }
                let more = || json!({ "errors_per_mille": per_mille, "distance": distance });
                self.row("similar", "with errors, distance", algorithm, (a.len(), b.len()), &reports, more());
                let reports = self.script(&job, &a, &b, distance)?;
                self.row("similar", "with errors, script", algorithm, (a.len(), b.len()), &reports, more());
            }
            self.runs = all_runs;
        }
        Ok(())
    }

    fn overlaps(&mut self) -> Outcome<()> {
        let gpu = Comparison::new().on(&*self.engine);
        let cpu = Comparison::new().on(&Cpu::new());
        for (len, by_cpu) in [(10_000, true), (100_000, true), (1_000_000, false), (10_000_000, false)] {
            let n = self.size(len);
            let a = random(n, 4, 1);
            let b = [&with_errors(&a[n / 2..], 50)[..], &random(n / 2, 4, 2)].concat();
            let mut known = None;
            for (engine, job) in [("gpu", &gpu), ("cpu", &cpu)] {
                if engine == "cpu" && !by_cpu {
                    continue;
                }
                let recorder = Recorder::new();
                let job = job.clone().recorder(&recorder);
                let overlap = job.overlap(&a, &b)?;
                let mut reports = Vec::new();
                recorder.take();
                for _ in 0..if len > 1_000_000 { 1 } else { self.runs } {
                    if job.overlap(&a, &b)? != overlap {
                        return Err("two runs give two overlaps".into());
                    }
                    reports.extend(recorder.take());
                }
                if known.get_or_insert_with(|| overlap.clone()) != &overlap {
                    return Err("two engines give two overlaps".into());
                }
                let more = json!({ "score": overlap.score, "distance": overlap.distance });
                self.row("overlaps", "half of each string, 5 % errors", engine, (a.len(), b.len()), &reports, more);
            }
        }
        Ok(())
    }

    /// Times the kernels of each form, at sizes where it may be the fastest.
    fn plans<D: Device>(&mut self, device: &D) -> Outcome<()> {
        for (n, narrowest, widest) in
            [(30_000, 0, 4), (100_000, 0, 8), (300_000, 0, 8), (1_000_000, 1, 12), (10_000_000, 12, 32)]
        {
            let n = self.size(n);
            let (a, b) = (random(n, 4, 5), random(n, 4, 6));
            let rows = Part { side: Side::A, range: 0..n };
            let columns = Part { side: Side::B, range: 0..n };
            let fits = |form: &Form| (narrowest..=widest).contains(&form.words);
            let forms = Distances::forms(true, 4).into_iter().filter(fits);
            for form in forms {
                for warps in [4, 8].into_iter().filter(|&warps| warps == 4 || !form.carries) {
                    let engine = Wavefront::<_, Distances>::new(&[device], &a, &b, &|_| ())?
                        .with_plan(WavefrontPlan::for_form(form, warps))?;
                    let mut seconds = Vec::new();
                    for _ in 0..self.runs.clamp(1, 3) {
                        let before = engine.timings().kernels;
                        engine.value(&rows, &columns)?;
                        seconds.push((engine.timings().kernels - before).as_secs_f64());
                    }
                    let kind = if form.carries { "carrying words" } else { "words" };
                    let name = format!("{} {kind}, {warps} warps", form.words);
                    let speed = json!({ "kernels_tcups": (n as f64).powi(2) / median(&seconds) / 1e12 });
                    self.seconds("plans", &name, "wavefront", (n, n), &seconds, speed, json!({}));
                }
            }
        }
        Ok(())
    }

    fn bands<D: Device>(&mut self, device: &D) -> Outcome<()> {
        let n = self.size(10_000_000);
        let a = random(n, 4, 5);
        let b = with_errors(&a, 100);
        let whole = |side, len| Part { side, range: 0..len };
        let cut = CutRequest { rows: whole(Side::A, n), columns: whole(Side::B, b.len()), middle: b.len() / 2 };
        let request = BandRequest { cut, most: n as u64 / 10 };
        for words in widths() {
            let engine =
                Wavefront::<_, Distances>::new(&[device], &a, &b, &|_| ())?.with_plan(WavefrontPlan::new(words, 4))?;
            let mut seconds = Vec::new();
            for _ in 0..self.runs.min(2) {
                let before = engine.timings().kernels;
                engine.cuts_in_bands(std::slice::from_ref(&request))?.ok_or("no bands")?;
                seconds.push((engine.timings().kernels - before).as_secs_f64());
            }
            let name = format!("band of a tenth, {words} words");
            self.seconds("plans", &name, "wavefront", (n, b.len()), &seconds, json!({}), json!({}));
        }
        Ok(())
    }

    fn several(&mut self, most: usize) -> Outcome<()> {
        for len in [10_000_000, 20_000_000] {
            let n = self.size(len);
            let a = random(n, 4, 5);
            let b = random(n, 4, 6);
            for count in 1..=most {
                let engine: Box<dyn Engine> =
                    if self.rehearse { Box::new(Simt::several(count)?) } else { Box::new(Gpus::open(0, count)?) };
                let job = Comparison::new().on(&*engine).algorithm(Algorithm::named("wavefront")?);
                let (distance, reports) = self.distance(&job, &a, &b)?;
                let more = json!({ "gpus": count, "distance": distance });
                self.row("gpus", &format!("random, distance, {count} GPUs"), "wavefront", (n, n), &reports, more);
            }
        }
        Ok(())
    }
}

/// Returns the words a lane of the kernels for DNA.
fn widths() -> impl Iterator<Item = u32> {
    Distances::forms(true, 4).into_iter().map(|form| form.words)
}
