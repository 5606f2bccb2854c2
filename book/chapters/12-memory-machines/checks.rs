//! Chapter 12: the cost of its fault, and the times that it predicts.

use super::faults::OneBankRowSums;
use super::launches::{asm, contiguous_sums, run_sums, turned_row_sums};
use super::machine::{Load, dmm, recorded, umm};
use crate::report::{Chapter, Count};
use simt_std::simulator::{Exercise, Fault, Options, Simulator, Spaces};
use std::collections::BTreeSet;

const CHAPTER: Chapter = Chapter::new("12-memory-machines");

type Stages = fn(&BTreeSet<u64>, u64) -> u64;

fn recording() -> Simulator {
    Simulator::new(Options { trace: Spaces { global: true, shared: false }, ..Options::default() })
}

#[test]
fn a_bank_for_all_lanes_is_found_by_a_limit() {
    let matrix = Vec::from_iter(0..1024u32);
    let job = |gpu: &mut Simulator| {
        let input = gpu.alloc_from(&matrix, "matrix");
        let sums = gpu.alloc::<u32>(32, "sums");
        gpu.launch_kernel(1, OneBankRowSums { matrix: input.handle(), sums: sums.handle() })?;
        gpu.download(&sums, 32)
    };
    let sums = turned_row_sums(&mut Simulator::default(), &matrix).unwrap();
    let error = Exercise::new(job).expect(sums).conflicts(0).outcome().unwrap_err();
    CHAPTER.quote("conflicts.txt", &error.to_string().replace("book/chapters/12-memory-machines/", ""));
}

/// Returns the cost of the reads of `numbers` on a machine of width w.
fn load(job: Job, n: u32, p: u32, w: u64, stages: Stages) -> Load {
    let mut gpu = recording();
    job(&mut gpu, &Vec::from_iter(0..n), p).unwrap();
    let mut load = Load::default();
    for words in recorded(&gpu, "numbers") {
        load.add(&words, w, stages);
    }
    load
}

type Job = fn(&mut Simulator, &[u32], u32) -> Result<Vec<u32>, Fault>;

/// Lemma 1, where w divides p and p divides n; or p ≤ w.
fn lemma_1(n: u32, w: u32, l: u32, p: u32) -> u32 {
    n / p * (p.div_ceil(w) + l - 1)
}

#[test]
fn times_of_lemma_1() {
    let time = |n, w, l, p, stages| load(contiguous_sums, n, p, w, stages).time(l);
    let borders = "p = 48: the words 48 to 79 of a warp are in two groups, so every second turn has one stage more.";
    let crossing = Count {
        what: "UMM: n = 960, w = 32, l = 400, p = 48",
        predicted: lemma_1(960, 32, 400, 48).into(),
        measured: time(960, 32, 400, 48, umm) as f64,
        difference: Some(borders),
    };
    CHAPTER.counts(
        "lemma_1.md",
        &[
            Count::new(
                "DMM: n = 4,096, w = 32, l = 400, p = 256",
                lemma_1(4096, 32, 400, 256),
                time(4096, 32, 400, 256, dmm),
            ),
            Count::new("UMM: the same", lemma_1(4096, 32, 400, 256), time(4096, 32, 400, 256, umm)),
            Count::new("UMM: p = 1,024", lemma_1(4096, 32, 400, 1024), time(4096, 32, 400, 1024, umm)),
            Count::new("UMM: p = 8", lemma_1(4096, 32, 400, 8), time(4096, 32, 400, 8, umm)),
            Count::new("DMM: w = 16, l = 20, p = 256", lemma_1(4096, 16, 20, 256), time(4096, 16, 20, 256, dmm)),
            Count::new("DMM: n = 960, w = 32, l = 400, p = 48", lemma_1(960, 32, 400, 48), time(960, 32, 400, 48, dmm)),
            crossing,
        ],
    );
}

#[test]
fn times_of_runs() {
    let runs = |p, stages| load(run_sums, 4096, p, 32, stages).time(400);
    CHAPTER.counts(
        "runs.md",
        &[
            Count::new("`run_sums`, DMM, p = 128", 4096 / 128 * (32 * (128 / 32) + 400 - 1), runs(128, dmm)),
            Count::new("`run_sums`, UMM, p = 128", 4096 / 128 * (32 * (128 / 32) + 400 - 1), runs(128, umm)),
            Count::new("`run_sums`, UMM, p = 1,024", 4096 / 1024 * (4 * (1024 / 32) + 400 - 1), runs(1024, umm)),
            Count::new("`contiguous_sums`, UMM, p = 128", lemma_1(4096, 32, 400, 128), {
                load(contiguous_sums, 4096, 128, 32, umm).time(400)
            }),
        ],
    );
}

#[test]
fn two_times_give_the_machine() {
    let time = |n, p| load(contiguous_sums, n, p, 32, umm).time(400);
    let (t64, t256) = (time(4096, 64), time(4096, 256));
    let turns = 4096 / 64 - 4096 / 256;
    let l = (t64 - t256) / turns + 1;
    let w = 4096 / (t64 - 4096 / 64 * (l - 1));
    CHAPTER.counts("fit.md", &[Count::new("l", 400, l), Count::new("w", 32, w)]);
}

/// Returns the stages of the accesses of the table in the loop, and the turns.
fn table(m: usize, n: usize, slide: u32, stages: Stages) -> Load {
    let text = Vec::from_iter((0..n).map(|i| b"acgt"[i * i % 11 % 4]));
    let mut gpu = recording();
    asm(&mut gpu, &text[..m], &text, slide).unwrap();
    let mut load = Load::default();
    for words in &recorded(&gpu, "table")[1..] {
        load.add(words, 32, stages);
    }
    load
}

#[test]
fn stages_of_the_table() {
    let (m, n) = (32, 255);
    let borders = "The 32 words of a slid diagonal begin anywhere in a group, so most of the accesses have two stages.";
    let slid = Count {
        what: "stages on the UMM, slid",
        predicted: f64::from(4 * (m + n - 1)),
        measured: table(32, 255, 1, umm).stages as f64,
        difference: Some(borders),
    };
    CHAPTER.counts(
        "asm.md",
        &[
            Count::new("turns", 4 * (m + n - 1), table(32, 255, 0, umm).turns),
            Count::new("stages on the DMM, in rows", 4 * (m + n - 1), table(32, 255, 0, dmm).stages),
            Count::new("stages on the UMM, in rows", 4 * m * n, table(32, 255, 0, umm).stages),
            slid,
        ],
    );
}

#[test]
fn the_command_counts_the_same() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/memory-machine.md");
    let page = std::fs::read_to_string(page).unwrap();
    let command = "    $ carrywave machine contiguous -w 32 -l 400 -n 4096 -p 256\n";
    let (_, output) = page.split_once(command).unwrap();
    let (output, _) = output.split_once("\n    $ ").unwrap();
    let lines = output.lines().map(|line| line.get(4..).unwrap_or_default());
    let short = lines.filter(|line| !line.contains(" read ") && !line.contains(": what") && !line.contains(": the st"));
    let text = format!("{}{}", &command[4..], Vec::from_iter(short).join("\n"));
    CHAPTER.quote("command.txt", &text);
    let time = load(contiguous_sums, 4096, 256, 32, umm).time(400);
    assert!(text.contains(&format!("closed form: {time} time units")));
}
