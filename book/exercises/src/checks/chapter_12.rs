//! Checks of chapter 12.

use crate::chapter_12::{AsmWarp, RotatedTranspose, time_units};
use simt_std::exercise;

/// The time by its definition: turn for turn, warp for warp.
fn counted(n: u64, w: u64, l: u64, p: u64) -> u64 {
    let mut time = 0;
    for first in (0..n).step_by(p as usize) {
        let threads = p.min(n - first);
        time += (0..threads).step_by(w as usize).count() as u64 + l - 1;
    }
    time
}

#[test]
fn time_units_of_lemma_1() {
    let cases = [
        ((4096, 32, 400, 256), "each turn has p / w warps of one stage, and waits l - 1 time units after the last one"),
        ((1024, 16, 20, 8), "fewer threads than w are still a warp: it takes one stage"),
        ((1024, 32, 20, 80), "80 threads are three warps of 32, the last of them with 16 threads"),
        ((1000, 32, 20, 64), "the last turn has 1000 mod 64 = 40 words: two warps"),
        ((1, 1, 1, 1), "a latency of 1 adds nothing to a stage"),
        ((5, 32, 7, 64), "without a whole turn, the only turn has n words"),
    ];
    for ((n, w, l, p), hint) in cases {
        let (units, expected) = (time_units(n, w, l, p), counted(n, w, l, p));
        assert!(
            units == expected,
            "n = {n}, w = {w}, l = {l}, p = {p}: {units}, expected are {expected}\n  hint: {hint}"
        );
    }
}

#[test]
fn rotated_transpose() {
    let matrix = Vec::from_iter((0..1024u32).map(|i| i * i % 1009));
    exercise! {
        run: |gpu| {
            let (input, result) = (gpu.alloc_from(&matrix, "matrix"), gpu.alloc::<u32>(1024, "result"));
            gpu.launch_kernel(1, RotatedTranspose { matrix: input.handle(), result: result.handle() })?;
            gpu.download(&result, 1024)
        } => "a position is 32 times the row, and a number below 32",
        expect: (0..1024).map(|i| matrix[i % 32 * 32 + i / 32]).collect()
            => "read each word at the position where it was written: its row decides how far it moved",
        schedules: 5,
        conflicts: 0 => "the words of a column are in 32 banks if each row is turned by one word more than the row before",
        sectors: 2 * 128 => "in global memory, the lanes access neighbouring words; change the positions in the tile alone",
    }
}

/// The least distance of `x` to a substring of `y`, column by column.
fn asm(x: &[u8], y: &[u8]) -> u32 {
    let mut column = Vec::from_iter(0..=x.len() as u32);
    let mut least = x.len() as u32;
    for b in y {
        let mut diagonal = 0;
        for (i, a) in x.iter().enumerate() {
            let cell = (diagonal + u32::from(a != b)).min(column[i] + 1).min(column[i + 1] + 1);
            diagonal = column[i + 1];
            column[i + 1] = cell;
        }
        least = least.min(column[x.len()]);
    }
    least
}

#[test]
fn asm_warp() {
    let symbols = Vec::from_iter((0..300u32).map(|i| b"acgt"[(i * i % 23 % 4) as usize]));
    let mut near = symbols[100..132].to_vec();
    (near[3], near[20]) = (b'x', b'x');
    near.remove(9);
    near.push(b'a');
    for (x, y) in
        [(&near, &symbols[..]), (&near, &symbols[..1]), (&near, &[]), (&symbols[..32].to_vec(), &symbols[5..70])]
    {
        let n = y.len() as u32;
        exercise! {
            run: |gpu| {
                let (on_x, on_y) = (gpu.alloc_from(x, "x"), gpu.alloc_from(y, "y"));
                let least = gpu.alloc::<u32>(1, "least");
                let kernel = AsmWarp { x: on_x.handle(), y: on_y.handle(), n, least: least.handle() };
                gpu.launch_kernel(1, kernel)?;
                Ok(gpu.download(&least, 1)?[0])
            } => "all 32 lanes must reach each shuffle, also those without a cell; lane 31 writes the result",
            expect: asm(x, y)
                => "the diagonal cell is the cell above of the step before; the least is over row 32, from column 0 on",
            schedules: 5,
            barriers: 0 => "a shuffle needs no barrier of the block",
            sectors: u64::from(2 * (n + 31) + 2) => "a step reads one symbol of `y` a lane, and no table",
        }
    }
}
