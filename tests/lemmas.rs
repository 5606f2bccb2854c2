//! Nakano's lemmas 3 and 4 and theorems 5 and 6 (2012), exactly: the accesses of the paper's
//! pseudo-code, written out turn by turn and counted by the definition of the machines, compared
//! with those of the kernels on `carrywave::machine`. Lemmas 1 and 2 are in `machine.rs`.
#![cfg(feature = "machine")]

mod common;

use carrywave::kernels::published::nakano::dmm::{Dmm, row_length};
use carrywave::kernels::published::nakano::{FOUND, Strings};
use carrywave::kernels::source;
use carrywave::machine::closed::{Pattern, closed_form};
use carrywave::machine::kernels::{Case, MachineKernel};
use carrywave::machine::{Count, LineCount, Machine, Model};
use common::oracle::edits;
use fastrand::Rng;
use simt_std::simulator::{Options, Simulator, Spaces};
use std::collections::BTreeSet;

const GLOBAL: Spaces = Spaces { global: true, shared: false };

const MODELS: [Model; 2] = [Model::Dmm, Model::Umm];

/// Simultaneous requests of all threads: for each a word of one array, or `None`.
type Turn = Vec<Option<u64>>;

/// Computes the time units of turns in lockstep: a turn takes the stages of its warps, and l - 1
/// units until the last is done.
fn time(model: Model, w: u64, l: u64, turns: &[Turn]) -> u64 {
    let stages = |warp: &[Option<u64>]| {
        let words: BTreeSet<u64> = warp.iter().flatten().copied().collect();
        match model {
            Model::Dmm => {
                (0..w).map(|bank| words.iter().filter(|&&word| word % w == bank).count() as u64).max().unwrap()
            }
            Model::Umm => words.iter().map(|word| word / w).collect::<BTreeSet<_>>().len() as u64,
            Model::Hmm => unreachable!("its parts have the two rules"),
        }
    };
    let turn = |turn: &Turn| match turn.iter().flatten().count() {
        0 => 0,
        _ => turn.chunks(w as usize).map(stages).sum::<u64>() + l - 1,
    };
    turns.iter().map(turn).sum()
}

/// Returns a turn with a request of only one thread, number `thread`.
fn alone(thread: usize, word: u64) -> Turn {
    let mut turn = vec![None; thread + 1];
    turn[thread] = Some(word);
    turn
}

/// Returns the turns of the paper's third loop for windows of Y side by side, each with m threads;
/// with one window it is the loop as printed. `lengths` are the windows' numbers of symbols, and
/// `word(z, i, j)` is the address of d\[i\]\[j\] of window z, or `None` if it is not in memory.
fn steps(m: u64, lengths: &[u64], word: impl Fn(u64, u64, u64) -> Option<u64>) -> Vec<Turn> {
    let longest = *lengths.iter().max().unwrap();
    let mut turns = Vec::new();
    for k in 1..m + longest {
        let all = |of: &dyn Fn(u64, u64, u64) -> Option<u64>| {
            let mut turn = Turn::new();
            for (z, &n) in (0..).zip(lengths) {
                for i in 1..=m {
                    let j = (k + 1).checked_sub(i).filter(|j| (1..=n).contains(j));
                    turn.push(j.and_then(|j| of(z, i, j)));
                }
            }
            turn
        };
        // x[i], y[j], d[i][j - 1], d[i - 1][j], d[i - 1][j - 1], and d[i][j] written. The arrays
        // begin with x[1] and y[1].
        turns.push(all(&|_, i, _| Some(i - 1)));
        turns.push(all(&|z, _, j| Some(z * m + j - 1)));
        turns.push(all(&|z, i, j| word(z, i, j - 1)));
        turns.push(all(&|z, i, j| word(z, i - 1, j)));
        turns.push(all(&|z, i, j| word(z, i - 1, j - 1)));
        turns.push(all(&|z, i, j| word(z, i, j)));
    }
    turns
}

/// Returns the turns of the algorithm of lemmas 3 and 4, with d\[i\]\[j\] in word `word(i, j)`: the
/// three loops, the minimum of the last row by one thread, and (not in the paper) the two words of
/// the result.
fn whole(m: u64, n: u64, word: impl Fn(u64, u64) -> u64) -> Vec<Turn> {
    let mut turns = Vec::new();
    for first in (0..=n).step_by(m as usize) {
        turns.push((first..first + m).map(|j| (j <= n).then(|| word(0, j))).collect());
    }
    turns.push((1..=m).map(|i| Some(word(i, 0))).collect());
    turns.extend(steps(m, &[n], |_, i, j| Some(word(i, j))));
    turns.extend((0..=n).map(|j| alone(0, word(m, j))));
    turns.extend([alone(0, 0), alone(0, 1)]);
    turns
}

/// Returns the address of a cell of the slid matrix in theorem 5's memory, for a window whose
/// first column is `first` in rows of `stride` words.
fn three_rows(m: u64, stride: u64, first: u64, i: u64, j: u64) -> Option<u64> {
    (i > 0 && j > 0).then(|| (i + j) % 3 * stride + first + j % m)
}

/// Counts the time units of a kernel's accesses.
fn counted(kernel: &str, machine: &Machine, m: u64, n: u64) -> Count {
    let case = Case::new(m, n, 0, 0, machine.width);
    let trace = MachineKernel::named(kernel).unwrap().record(&case, GLOBAL).unwrap();
    machine.run(&trace).unwrap()
}

/// Returns sizes, widths and latencies: m below, at and above w, w odd and even, various n.
fn machines_and_sizes(cases: usize) -> impl Iterator<Item = (u64, u64, u64, u64)> {
    let mut random = Rng::with_seed(1);
    (0..cases).map(move |case| {
        let w = [random.u64(1..40), 2, 3, 7, 8, 31, 32, 33][case % 8];
        let m = [random.u64(1..90), w, 2 * w, 1][random.usize(..4)];
        let n = [random.u64(1..150), m, 3 * m, w - 1, 31].map(|n| n.max(1))[random.usize(..5)];
        (w, [1, 5, random.u64(1..300)][random.usize(..3)], m, n)
    })
}

/// Returns the six accesses of a step, in order: the source line, and its counts.
fn of_the_steps(count: &Count) -> impl Iterator<Item = (&'static str, &LineCount)> {
    let accesses = [" x.read(", " y.read(", "matrix.read(i", "matrix.write(i, j,"];
    let lines = count.lines.iter().map(|line| {
        let text = source(line.file).unwrap().lines().nth(line.line as usize - 1).unwrap();
        (text, line)
    });
    lines.filter(move |(text, _)| accesses.iter().any(|access| text.contains(access)))
}

/// Checks the algorithm of section V on a machine: its turns, which must be the kernel's, and the
/// paper's order of growth with constants.
#[test]
fn lemma_3_is_what_the_kernel_takes() {
    for (w, l, m, n) in machines_and_sizes(48) {
        let row = (n + 1).div_ceil(w) * w;
        let turns = whole(m, n, |i, j| i * row + j);
        for model in MODELS {
            let machine = Machine::new(model, w, l);
            assert_eq!(
                counted("dmm", &machine, m, n).time,
                time(model, w, l, &turns),
                "{model} w = {w}, l = {l}, m = {m}, n = {n}"
            );
        }
        if m <= n {
            // Six accesses a step, of at most m/w + 1 warps, and fewer than 2n steps; the first row
            // and column, the minimum, and the result.
            let most = 12 * ((m * n).div_ceil(w) + n * l) + 2 * n + 1 + (2 * n + 6) * l;
            assert!(time(Model::Dmm, w, l, &turns) <= most, "w = {w}, l = {l}, m = {m}, n = {n}");
        }
        if m.is_multiple_of(w) {
            // A warp has w rows, and computes cells in n + w - 1 steps.
            let step = m / w * (n + w - 1) + (m + n - 1) * (l - 1);
            let first_row = closed_form(&Machine::new(Model::Dmm, w, l), Pattern::Contiguous, n + 1, m).unwrap();
            let all = 6 * step + first_row + (m + l - 1) + (n + 1) * l + 2 * l;
            assert_eq!(time(Model::Dmm, w, l, &turns), all, "w = {w}, l = {l}, m = {m}, n = {n}");
        }
    }
}

/// The cells of a diagonal are in different banks for every width, as the matrix's rows are a
/// multiple of the width; x and y are contiguous in any case.
#[test]
fn lemma_3_has_no_bank_conflict_at_any_width() {
    for w in 2..=33 {
        for (m, n) in [(w, w), (2 * w + 1, 31), (40, 30)] {
            let count = counted("dmm", &Machine::new(Model::Dmm, w, 1), m, n);
            assert_eq!(of_the_steps(&count).count(), 6);
            for (text, line) in of_the_steps(&count) {
                assert_eq!(line.conflicts, 0, "w = {w}, m = {m}, n = {n}: {text}");
            }
        }
    }
}

/// Rows of n' words put neighbours on a diagonal n' - 1 words apart. The w cells of a warp are all
/// in different banks if and only if n' - 1 and w are coprime. The paper's multiples of w satisfy
/// this; multiples of another width need not.
#[test]
fn lemma_3_needs_a_row_length_that_fits_the_width() {
    let common = |a: u64, b: u64| (2..=a.min(b)).any(|c| a.is_multiple_of(c) && b.is_multiple_of(c));
    for w in 2..=33 {
        let n = w;
        assert!(!common(u64::from(row_length(n as u32, w as u32)) - 1, w));
        for row in n + 1..n + 1 + w {
            let diagonal: Turn = (1..=w).map(|i| Some(i * row + w + 1 - i)).collect();
            assert_eq!(time(Model::Dmm, w, 1, &[diagonal]) == 1, !common(row - 1, w), "w = {w}, n' = {row}");
        }
    }
    // Rows of a multiple of 32 words on 31 banks: each column is in one bank, and each cell takes a
    // stage.
    let stages = |row: u32| {
        let (m, n) = (64, 31);
        let mut gpu = Simulator::new(Options { trace: GLOBAL, ..Options::default() });
        let x = gpu.alloc::<u32>(m as usize, "X");
        let y = gpu.alloc::<u32>(n as usize, "Y");
        gpu.upload(&x, &vec![1; m as usize]).unwrap();
        gpu.upload(&y, &vec![1; n as usize]).unwrap();
        let (d, found) = (gpu.alloc(((m + 1) * row) as usize, "d"), gpu.alloc(FOUND, "found"));
        let strings = Strings { x: x.handle(), y: y.handle(), m, n };
        gpu.launch_kernel(1, Dmm { strings, row_words: row, d: d.handle(), found: found.handle() }).unwrap();
        let count = Machine::new(Model::Dmm, 31, 1).run(&gpu.take_trace().unwrap()).unwrap();
        of_the_steps(&count).map(|(text, line)| (text.contains("matrix."), line.stages)).collect::<Vec<_>>()
    };
    assert_eq!(stages(32), [(false, 154), (false, 154), (true, 1984), (true, 1984), (true, 1984), (true, 1984)]);
    assert_eq!(stages(row_length(31, 31)).into_iter().map(|(_, stages)| stages).collect::<Vec<_>>(), [154; 6]);
}

/// n' is n + 1 if that is a multiple of w, and otherwise the next multiple.
#[test]
fn lemma_3_s_row_length() {
    for w in 1..70 {
        for n in 0..200 {
            let row = row_length(n, w);
            assert!(row.is_multiple_of(w) && (n + 1..n + 1 + w).contains(&row), "{n} {w}: {row}");
        }
    }
}

/// Section VI: the slid matrix, on both machines.
#[test]
fn lemma_4_is_what_the_kernel_takes() {
    for (w, l, m, n) in machines_and_sizes(48) {
        let turns = whole(m, n, |i, j| (i + j) * (n + 1) + j);
        for model in MODELS {
            let machine = Machine::new(model, w, l);
            let taken = counted("umm", &machine, m, n).time;
            assert_eq!(taken, time(model, w, l, &turns), "{model} w = {w}, l = {l}, m = {m}, n = {n}");
            if m <= n {
                // As above, with two address groups for each warp access.
                let most = 24 * ((m * n).div_ceil(w) + n * l) + 2 * n + 1 + (2 * n + 6) * l;
                assert!(taken <= most, "{model} w = {w}, l = {l}, m = {m}, n = {n}");
            }
        }
    }
}

/// Only the rows s\[k - 1\], s\[k\] and s\[k + 1\], of m words; the matrix's initial contents are
/// not read.
#[test]
fn theorem_5_is_what_the_kernel_takes() {
    for (w, l, m, n) in machines_and_sizes(48) {
        let mut turns = steps(m, &[n], |_, i, j| three_rows(m, m, 0, i, j));
        // The thread of row m has kept the minimum.
        turns.extend([0, 1].map(|word| alone(m as usize - 1, word)));
        assert!(turns.iter().flatten().flatten().all(|&word| word < (3 * m).max(n)), "m = {m}, n = {n}");
        for model in MODELS {
            let machine = Machine::new(model, w, l);
            let taken = counted("umm-3m", &machine, m, n).time;
            assert_eq!(taken, time(model, w, l, &turns), "{model} w = {w}, l = {l}, m = {m}, n = {n}");
            if m <= n {
                let most = 24 * ((m * n).div_ceil(w) + n * l) + 2 * l;
                assert!(taken <= most, "{model} w = {w}, l = {l}, m = {m}, n = {n}");
            }
        }
    }
}

/// Returns the strings of `carrywave machine`: random DNA with this seed.
fn strings(m: u64, n: u64) -> (Vec<u8>, Vec<u8>) {
    let mut random = Rng::with_seed(m << 32 ^ n);
    let mut string = |length: u64| (0..length).map(|_| b"ACGT"[random.usize(..4)]).collect();
    (string(m), string(n))
}

/// Section VII: windows of 3m symbols side by side, all in the same step; a flag for each distance.
#[test]
fn theorem_6_is_what_the_kernel_takes() {
    for (w, l, m, n) in machines_and_sizes(48) {
        let (x, y) = strings(m, n);
        let windows = n.div_ceil(m).saturating_sub(2).max(1);
        let lengths: Vec<u64> = (0..windows).map(|z| (n - z * m).min(3 * m)).collect();
        let mut turns = steps(m, &lengths, |z, i, j| three_rows(m, windows * m, z * m, i, j));
        let least = |(z, length): (u64, &u64)| {
            let part = &y[(z * m) as usize..(z * m + length) as usize];
            let columns = edits::sellers((x.len(), part.len()), |i, j| x[i - 1] != part[j - 1]);
            u64::from(columns.map(|column| column[x.len()]).min().unwrap())
        };
        let least: Vec<u64> = (0..).zip(&lengths).map(least).collect();
        // The last thread of each window marks its flag; one thread searches for the first marked
        // flag, and writes the result.
        let mut marks = vec![None; (windows * m) as usize];
        for (z, &distance) in (1..).zip(&least) {
            marks[(z * m) as usize - 1] = Some(distance);
        }
        turns.push(marks);
        turns.extend((0..=*least.iter().min().unwrap()).map(|flag| alone(0, flag)));
        turns.extend([alone(0, 0), alone(0, 1)]);
        for model in MODELS {
            let machine = Machine::new(model, w, l);
            let taken = counted("umm-n", &machine, m, n).time;
            assert_eq!(taken, time(model, w, l, &turns), "{model} w = {w}, l = {l}, m = {m}, n = {n}");
            if m <= n {
                // 6 (4m - 1) turns of at most n/w + 1 warps; the flags.
                let most = 48 * ((m * n).div_ceil(w) + m * l) + n + (m + 4) * l;
                assert!(taken <= most, "{model} w = {w}, l = {l}, m = {m}, n = {n}");
            }
        }
    }
}
