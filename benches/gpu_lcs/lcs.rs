//! Part `lcs`: from two files to a CIGAR in a file, as a separate process, which also opens the GPU
//! and loads the kernels, and within this process, whose GPU is open.

use crate::algorithms::WAVEFRONT;
use crate::bench::{
    Bench, DH1, MG1655, Outcome, RANDOM_DNA, Row, random_pair, repeat, reported, split, spread, totals,
};
use carrywave::io::output::OutputFile;
use carrywave::io::sequence::{ReadOptions, read};
use carrywave::lcs::CommonSubsequence;
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

/// Upper bound on the runs of the long pair.
const LONG_RUNS: usize = 3;

/// Two files to compare.
struct Files<'f> {
    name: &'static str,
    a: PathBuf,
    b: PathBuf,
    m: usize,
    n: usize,
    /// Expected CIGAR, if known.
    expected: Option<&'f [u8]>,
    runs: usize,
}

pub fn run(bench: &mut Bench) -> Outcome<()> {
    let folder = tempfile::tempdir()?;
    let runs = bench.options.runs;
    match bench.ecoli() {
        Ok(ecoli) => {
            let mut a = bench.options.data.join(MG1655);
            let mut b = bench.options.data.join(DH1);
            if bench.options.rehearse {
                (a, b) = (folder.path().join("a.fa"), folder.path().join("b.fa"));
                write_fasta(&a, &ecoli.a)?;
                write_fasta(&b, &ecoli.b)?;
            }
            let mut expected = ecoli.lcs.cigar().into_bytes();
            expected.push(b'\n');
            let m = ecoli.a.len();
            let n = ecoli.b.len();
            both_ways(bench, folder.path(), &Files { name: "E. coli", a, b, m, n, expected: Some(&expected), runs })?;
        }
        Err(error) => println!("E. coli left out: {error}"),
    }

    let m = bench.size(20_000_000);
    let n = bench.size(10_000_000);
    let a = folder.path().join("random_a.fa");
    let b = folder.path().join("random_b.fa");
    let (text_a, text_b) = random_pair(4, m, n);
    write_fasta(&a, &text_a)?;
    write_fasta(&b, &text_b)?;
    let files = Files { name: RANDOM_DNA, a, b, m, n, expected: None, runs: runs.min(LONG_RUNS) };
    both_ways(bench, folder.path(), &files)
}

/// Runs as a process, if the program exists, and then within this process. Returns an error if two
/// CIGARs differ.
fn both_ways(bench: &mut Bench, folder: &Path, files: &Files<'_>) -> Outcome<()> {
    let out = folder.join("out.cigar");
    let mut expected = files.expected.map(<[u8]>::to_vec);
    let mut check = |who: &str, found: Vec<u8>| match &expected {
        Some(expected) if *expected != found => Err(format!("{}: {who} writes another CIGAR", files.name)),
        Some(_) => Ok(()),
        None => {
            expected = Some(found);
            Ok(())
        }
    };
    let within = within(bench, files, &out)?;
    check("this process", within.cigar)?;
    let m = files.m;
    let n = files.n;
    let cells = within.cells;
    bench.agree(files.name, m, n, within.length)?;

    match carrywave(bench) {
        Ok(program) => {
            let (cigar, seconds) = repeat(files.runs, false, || process(bench, &program, files, &out))?;
            check("the program", cigar)?;
            bench.row(Row {
                name: &format!("{}, files to CIGAR", files.name),
                engine: format!("{}, own process", bench.label(WAVEFRONT)),
                m,
                n,
                cells,
                seconds,
                more: json!({ "length": within.length }),
            });
        }
        Err(reason) => println!("processes left out: {reason}"),
    }
    bench.row(Row {
        name: &format!("{}, files to CIGAR", files.name),
        engine: format!("{}, GPU open", bench.label(WAVEFRONT)),
        m,
        n,
        cells,
        seconds: within.seconds,
        more: within.more,
    });
    Ok(())
}

/// Results of the runs within this process.
struct Within {
    cigar: Vec<u8>,
    length: u64,
    cells: u64,
    seconds: Vec<f64>,
    more: serde_json::Value,
}

fn within(bench: &Bench, files: &Files<'_>, out: &Path) -> Outcome<Within> {
    let ((cigar, length), runs) = repeat(files.runs, false, || {
        let started = Instant::now();
        let options = ReadOptions::default();
        let (a, b) = rayon::join(|| read(&files.a, &options), || read(&files.b, &options));
        let a = a?;
        let b = b?;
        let reading = started.elapsed().as_secs_f64();
        let job = bench.job(WAVEFRONT)?;
        let (lcs, report) = reported(&job, |job| job.alignment(&a.symbols, &b.symbols))?;
        let writing = Instant::now();
        write_cigar(out, &lcs)?;
        let writing = writing.elapsed().as_secs_f64();
        let whole = started.elapsed().as_secs_f64();
        lcs.verify(&a.symbols, &b.symbols)?;
        Ok(((std::fs::read(out)?, lcs.len()), (whole, reading, writing, report)))
    })?;
    let reports: Vec<_> = runs.iter().map(|run| run.3.clone()).collect();
    let median_of = |seconds: Vec<f64>| spread(&seconds).0;
    let mut more = split(&reports);
    more["read_s"] = json!(median_of(runs.iter().map(|run| run.1).collect()));
    more["compare_s"] = json!(spread(&totals(&reports)).0);
    more["write_s"] = json!(median_of(runs.iter().map(|run| run.2).collect()));
    more["length"] = json!(length);
    Ok(Within { cigar, length, cells: reports[0].done, seconds: runs.iter().map(|run| run.0).collect(), more })
}

/// Returns the CIGAR that a process of the program writes, and its wall time.
fn process(bench: &Bench, program: &Path, files: &Files<'_>, out: &Path) -> Outcome<(Vec<u8>, f64)> {
    let mut command = Command::new(program);
    command.arg("lcs").arg(&files.a).arg(&files.b).arg("-o").arg(out).args(["--output", "cigar"]);
    command.args(["--engine", bench.engine.kind().name(), "--algorithm", WAVEFRONT]);
    // Ensures that the file read below is from this process.
    std::fs::remove_file(out)?;
    let started = Instant::now();
    let done = command.output()?;
    let seconds = started.elapsed().as_secs_f64();
    if !done.status.success() {
        let said = String::from_utf8_lossy(&done.stderr);
        return Err(format!("{} {}: {}", program.display(), done.status, said.trim()).into());
    }
    let cigar = std::fs::read(out).map_err(|error| format!("{} wrote no CIGAR: {error}", program.display()))?;
    Ok((cigar, seconds))
}

/// Finds the program: at the path of the option, or beside this program, or in the target folder of
/// `cargo build --release`.
fn carrywave(bench: &Bench) -> Outcome<PathBuf> {
    let own = std::env::current_exe()?;
    let places = match &bench.options.carrywave {
        Some(path) => vec![path.clone()],
        None => own.ancestors().skip(1).take(2).map(|folder| folder.join("carrywave")).collect(),
    };
    let found = places.iter().find(|path| path.is_file());
    let missing = || format!("{} is not there; `cargo build --release` builds the program", places[0].display()).into();
    found.cloned().ok_or_else(missing)
}

fn write_cigar(path: &Path, lcs: &CommonSubsequence) -> Outcome<()> {
    OutputFile::open(path)?.write(|out| {
        lcs.write_cigar(out)?;
        writeln!(out)
    })?;
    Ok(())
}

/// Writes FASTA in lines, as usual for sequences.
fn write_fasta(path: &Path, symbols: &[u8]) -> Outcome<()> {
    let mut out = std::io::BufWriter::new(std::fs::File::create(path)?);
    writeln!(out, ">random")?;
    for line in symbols.chunks(80) {
        out.write_all(line)?;
        writeln!(out)?;
    }
    out.flush()?;
    Ok(())
}
