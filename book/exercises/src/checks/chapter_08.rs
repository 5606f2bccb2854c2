//! Checks of chapter 8.

use crate::chapter_08::{EqualSymbols, RunHeads, Sort32, SpacesOfWarps};
use simt_std::exercise;

#[test]
fn equal_symbols() {
    let first = Vec::from_iter((0..1000u32).map(|i| b"GATC"[(i * i % 7 % 4) as usize]));
    let second = Vec::from_iter((0..1000u32).map(|i| b"GATC"[(i % 11 % 4) as usize]));
    let equal = Vec::from_iter(first.iter().zip(&second).map(|(a, b)| u32::from(a == b)));
    exercise! {
        run: |gpu| {
            let (on_first, on_second) = (gpu.alloc_from(&first, "first"), gpu.alloc_from(&second, "second"));
            let counts = gpu.alloc::<u32>(32, "counts");
            let kernel =
                EqualSymbols { first: on_first.handle(), second: on_second.handle(), n: 1000, counts: counts.handle() };
            gpu.launch_kernel(32, kernel)?;
            gpu.download(&counts, 32)
        } => "every lane takes part in one ballot; the last block has 8 symbols, and lanes without one vote no",
        expect: equal.chunks(32).map(|part| part.iter().sum()).collect(),
        schedules: 10,
        steps: 32 * 4 => "two reads, one ballot and one write for each block",
    }
}

#[test]
fn spaces_of_warps() {
    let text = b"Each warp of a block has 32 lanes, but for the last one. ".repeat(4);
    let (n, blocks) = (text.len(), text.len().div_ceil(80));
    let spaces = |symbols: &[u8]| symbols.iter().filter(|&&symbol| symbol == b' ').count() as u32;
    // Positions behind the end have no symbol.
    let padded = [&text[..], &vec![0; 80 * blocks - n]].concat();
    let of_block = |block: &[u8]| [spaces(&block[..32]), spaces(&block[32..64]), spaces(&block[64..])];
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&text, "text");
            let counts = gpu.alloc::<u32>(3 * blocks, "counts");
            let kernel = SpacesOfWarps { text: on_gpu.handle(), n: n as u32, counts: counts.handle() };
            gpu.launch_kernel(blocks as u32, kernel)?;
            gpu.download(&counts, 3 * blocks)
        } => "the mask names the lanes that reach the ballot: which has the last warp, and which skip the `if`?",
        expect: padded.chunks(80).flat_map(of_block).collect() => "a lane without a symbol votes no",
        schedules: 10,
    }
}

#[test]
fn run_heads() {
    let text = Vec::from_iter((0..1000u32).map(|i| b"GATC"[(i * i / 300 % 4) as usize]));
    let is_head = |i: usize| i == 0 || text[i] != text[i - 1];
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&text, "text");
            let heads = gpu.alloc::<u32>(32, "heads");
            let kernel = RunHeads { text: on_gpu.handle(), n: 1000, heads: heads.handle() };
            gpu.launch_kernel(32, kernel)?;
            gpu.download(&heads, 32)
        } => "all 32 lanes reach the shuffle and the ballot, with a symbol or without",
        expect: (0..32)
            .map(|b| (0..32).filter(|j| 32 * b + j < 1000 && is_head(32 * b + j)).map(|j| 1u32 << j).sum())
            .collect() => "the symbol to the left of lane 0 belongs to the block before; block 0 has none",
        schedules: 10,
        steps: 32 * 5 => "for each block: a read of all lanes, a shuffle, a read of lane 0, a ballot, a write",
        sectors: 32 * 3 => "lanes 1 to 31 take the symbol to their left from a lane, not from memory",
    }
}

#[test]
fn sort_32() {
    let numbers = Vec::from_iter((0..128u32).map(|i| i.wrapping_mul(2_654_435_761) >> 20));
    let mut sorted = numbers.clone();
    sorted[..96].chunks_mut(32).for_each(<[u32]>::sort_unstable);
    // The last 32 are in descending order: the largest number moves in each round.
    let numbers = Vec::from_iter(numbers[..96].iter().copied().chain((0..32).rev()));
    sorted.splice(96.., 0..32);
    exercise! {
        run: |gpu| {
            let on_gpu = gpu.alloc_from(&numbers, "numbers");
            gpu.launch_kernel(4, Sort32 { numbers: on_gpu.handle() })?;
            gpu.download(&on_gpu, 128)
        } => "in the odd rounds, lanes 0 and 31 have no partner, but they take part in the shuffle",
        expect: sorted => "which lane is the partner in even rounds, which in odd ones? Who keeps the smaller number?",
        schedules: 10,
        steps: 4 * 34 => "one read, 32 shuffles and one write for each warp",
        wavefronts: 0 => "shuffles exchange the numbers, without shared memory",
    }
}
