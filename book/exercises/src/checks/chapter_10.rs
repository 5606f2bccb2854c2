//! Checks of chapter 10.

use crate::chapter_10::{LastBlockSum, Squeeze, TwoHalves};
use simt_std::exercise;

/// A text of 64 symbols, 14 of them spaces.
const TEXT: &[u8; 64] = b"a warp has 32 lanes and a block has up to 32 warps. Blocks wait.";

#[test]
fn two_halves() {
    exercise! {
        run: |gpu| {
            let text = gpu.alloc_from(TEXT, "text");
            let (tickets, flag) = (gpu.alloc_from(&[0u32], "tickets"), gpu.alloc_from(&[0u32], "flag"));
            let (first, spaces) = (gpu.alloc::<u32>(1, "first"), gpu.alloc::<u32>(1, "spaces"));
            let kernel = TwoHalves {
                text: text.handle(),
                tickets: tickets.handle(),
                first: first.handle(),
                flag: flag.handle(),
                spaces: spaces.handle(),
            };
            gpu.launch_kernel(2, kernel)?;
            gpu.download(&spaces, 1)
        } => "which write comes before the flag's, and which read after it? Relaxed operations order neither",
        expect: vec![TEXT.iter().filter(|&&symbol| symbol == b' ').count() as u32],
        schedules: 100,
    }
}

#[test]
fn last_block_sum() {
    for n in [1, 256, 257, 5000] {
        let numbers = Vec::from_iter((1..=n).map(|i| i % 1000));
        let blocks = numbers.len().div_ceil(256);
        exercise! {
            run: |gpu| {
                let on_gpu = gpu.alloc_from(&numbers, "numbers");
                let partial = gpu.alloc::<u32>(blocks, "partial");
                let (arrived, sum) = (gpu.alloc_from(&[0u32], "arrived"), gpu.alloc::<u32>(1, "sum"));
                let kernel = LastBlockSum {
                    numbers: on_gpu.handle(),
                    n,
                    partial: partial.handle(),
                    arrived: arrived.handle(),
                    sum: sum.handle(),
                };
                gpu.launch_kernel(blocks as u32, kernel)?;
                gpu.download(&sum, 1)
            } => "one atomic operation can release the writes before it and acquire those of others; no block waits",
            expect: vec![numbers.iter().sum::<u32>()] => "the last block sees the number of blocks less 1",
            schedules: 20,
            turns: blocks as u64 => "each block counts once",
        }
    }
}

#[test]
fn squeeze() {
    for n in [31, 64, 600] {
        let text = Vec::from_iter(TEXT.iter().copied().cycle().take(n));
        let expected = Vec::from_iter(text.iter().copied().filter(|&symbol| symbol != b' '));
        let blocks = n.div_ceil(32);
        exercise! {
            run: |gpu| {
                let (on_gpu, kept) = (gpu.alloc_from(&text, "text"), gpu.alloc::<u8>(n, "kept"));
                let tickets = gpu.alloc_from(&[0u32], "tickets");
                let prefixes = gpu.alloc::<u32>(blocks, "prefixes");
                let flags = gpu.alloc_from(&vec![0u32; blocks], "flags");
                let kernel = Squeeze {
                    text: on_gpu.handle(),
                    n: n as u32,
                    kept: kept.handle(),
                    tickets: tickets.handle(),
                    prefixes: prefixes.handle(),
                    flags: flags.handle(),
                };
                gpu.launch_kernel(blocks as u32, kernel)?;
                gpu.download(&kept, expected.len())
            } => "lane 0 draws the tile, and a shuffle passes it on. Which block may a block wait for?",
            expect: expected.clone() => "the position is the prefix of the tile before, and the kept lanes below",
            schedules: 50,
        }
    }
}
