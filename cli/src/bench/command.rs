//! Jobs as commands that a user types: each in a process of its own, from file to file.

use super::diff::texts;
use super::job::Done;
use super::search::{Planted, planted, symbols};
use super::site::Site;
use super::{pairs, strings};
use crate::shared::parts::Parts;
use carrywave::internal::measure::inputs::random;
use carrywave::{Error, Result};
use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Symbols of the searched file, at most.
const SEARCHED: usize = 1 << 29;

/// A file that a command reads.
struct Input {
    name: &'static str,
    bytes: Vec<u8>,
}

/// A job as a command.
struct JobCommand {
    /// Name of the job.
    job: &'static str,
    arguments: &'static str,
    inputs: fn(&Site<'_>) -> Vec<Input>,
    /// True if it prints the answer of the job.
    is_answer: bool,
    /// Exit status.
    status: i32,
}

const COMMANDS: [JobCommand; 6] = [
    JobCommand {
        job: "lcs-dna",
        arguments: "lcs a.fa b.fa --output length",
        inputs: |site| two_sequences(strings::side_of_lcs(site), [1, 2]),
        is_answer: true,
        status: 0,
    },
    JobCommand {
        job: "lcs-subsequence",
        arguments: "lcs a.fa b.fa --output cigar",
        inputs: |site| two_sequences(strings::side_of_subsequence(site), [3, 4]),
        is_answer: false,
        status: 0,
    },
    JobCommand {
        job: "distance-dna",
        arguments: "distance a.fa b.fa",
        inputs: |site| two_sequences(strings::side_of_distance(site), [1, 2]),
        is_answer: true,
        status: 0,
    },
    JobCommand { job: "pairs", arguments: "distance --pairs pairs.tsv", inputs: table, is_answer: false, status: 0 },
    JobCommand {
        job: "search-k1",
        arguments: "search -k 1 -c -f pattern.fa text.fa",
        inputs: searched,
        is_answer: false,
        status: 0,
    },
    JobCommand {
        job: "diff",
        arguments: "diff --stat old.txt new.txt",
        inputs: two_texts,
        is_answer: false,
        status: 1,
    },
];

/// The times of a command.
#[derive(Debug)]
pub struct Ran {
    pub command: String,
    /// Time of each process, in seconds.
    pub seconds: Vec<f64>,
    /// Parts of the time of each process, as it reports them.
    pub parts: Vec<Parts>,
    /// Errors found in the answer.
    pub faults: Vec<String>,
}

/// Times the command of a job that was done before. Returns `None` if the job has no command.
pub fn run(site: &Site<'_>, job: &str, done: &Done) -> Result<Option<Ran>> {
    let Some(known) = COMMANDS.iter().find(|command| command.job == job) else { return Ok(None) };
    let folder = tempfile::Builder::new().prefix("carrywave-bench-").tempdir();
    let folder = folder.map_err(|error| failed("a temporary folder", error))?;
    for Input { name, bytes } in (known.inputs)(site) {
        let path = folder.path().join(name);
        fs::write(&path, bytes).map_err(|error| failed(&path, error))?;
    }
    let command = format!("carrywave {} > out", known.arguments);
    let mut ran = Ran { command, seconds: Vec::new(), parts: Vec::new(), faults: Vec::new() };
    let mut outputs: Vec<Vec<u8>> = Vec::new();
    site.repeat(|counts| {
        let (seconds, parts) = process(site, folder.path(), known)?;
        outputs.push(fs::read(folder.path().join("out")).map_err(|error| failed("out", error))?);
        if counts {
            ran.seconds.push(seconds);
            ran.parts.push(parts);
        }
        Ok(seconds)
    })?;
    if outputs.iter().any(|output| output != &outputs[0]) {
        ran.faults.push(format!("{}: two processes disagree", ran.command));
    }
    let answer = String::from_utf8_lossy(&outputs[0]).trim().to_owned();
    if known.is_answer && answer != done.times.answer().to_string() {
        ran.faults.push(format!("{}: {answer}, but a call gave {}", ran.command, done.times.answer()));
    }
    Ok(Some(ran))
}

/// Runs the program in a folder. Returns its time, and the parts that it reports.
fn process(site: &Site<'_>, folder: &Path, job: &JobCommand) -> Result<(f64, Parts)> {
    let program = std::env::current_exe().map_err(|error| failed("the program", error))?;
    let path = folder.join("out");
    let out = File::create(&path).map_err(|error| failed(&path, error))?;
    let mut command = Command::new(program);
    command.current_dir(folder).args(job.arguments.split(' ')).args(["--verbose", "--engine", &site.kind.to_string()]);
    command.args(&site.options).stdin(Stdio::null()).stdout(out);
    // The messages must have the parts, without colours.
    command.env_remove("RUST_LOG").env_remove("CLICOLOR_FORCE").env("RUST_LOG_STYLE", "never");
    let started = Instant::now();
    let ended = command.output().map_err(|error| failed("the program", error))?;
    let took = started.elapsed();
    let messages = String::from_utf8_lossy(&ended.stderr);
    match Parts::reported(&messages).filter(|_| ended.status.code() == Some(job.status)) {
        Some(parts) => Ok((took.as_secs_f64(), with_start(parts, took))),
        None => {
            Err(Error::Verification(format!("carrywave {} ended with {}: {messages}", job.arguments, ended.status)))
        }
    }
}

fn failed(path: impl AsRef<Path>, source: std::io::Error) -> Error {
    Error::Io { path: path.as_ref().into(), source }
}

/// Name of the time before and after what a process reports.
pub const START: &str = "start";

/// Adds the time before and after what a process reports, which took `took`.
fn with_start(Parts { total, mut parts }: Parts, took: Duration) -> Parts {
    parts.insert(0, (START, took.saturating_sub(total)));
    Parts { total: took, parts }
}

fn two_sequences(side: usize, seeds: [u64; 2]) -> Vec<Input> {
    let [a, b] = seeds.map(|seed| {
        let bases: Vec<u8> = random(side, 4, seed).into_iter().map(strings::base).collect();
        fasta(&bases, side)
    });
    vec![Input { name: "a.fa", bytes: a }, Input { name: "b.fa", bytes: b }]
}

/// Returns a FASTA file of one sequence, in lines of `line` symbols.
fn fasta(sequence: &[u8], line: usize) -> Vec<u8> {
    let mut bytes = b">sequence\n".to_vec();
    bytes.reserve(sequence.len() + sequence.len().div_ceil(line));
    for line in sequence.chunks(line) {
        bytes.extend_from_slice(line);
        bytes.push(b'\n');
    }
    bytes
}

fn table(site: &Site<'_>) -> Vec<Input> {
    let [a, b] = pairs::strings(site);
    let mut bytes = Vec::with_capacity(a.len() + b.len() + a.len() / 50);
    for (a, b) in a.chunks(pairs::SYMBOLS).zip(b.chunks(pairs::SYMBOLS)) {
        bytes.extend(a.iter().map(|&symbol| strings::base(symbol)));
        bytes.push(b'\t');
        bytes.extend(b.iter().map(|&symbol| strings::base(symbol)));
        bytes.push(b'\n');
    }
    vec![Input { name: "pairs.tsv", bytes }]
}

/// Symbols of a line of the searched file.
const LINE: usize = 60;

fn searched(site: &Site<'_>) -> Vec<Input> {
    let Planted { text, pattern, .. } = planted(symbols(site).min(SEARCHED), 1);
    let file = |name, sequence: &[u8]| Input { name, bytes: fasta(sequence, LINE) };
    vec![file("text.fa", &text), file("pattern.fa", &pattern)]
}

fn two_texts(site: &Site<'_>) -> Vec<Input> {
    let [old, new] = texts(super::diff::lines_of(site));
    vec![Input { name: "old.txt", bytes: old }, Input { name: "new.txt", bytes: new }]
}
