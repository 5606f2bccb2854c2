//! LCS by block steps on the simulator, compared with the recurrence.

use carrywave_kernels::collectives::add::{ConditionalSum, LookAhead, WarpAdd};
use carrywave_kernels::published::block_step::{BlockStep, diagonal};
use carrywave_kernels::published::match_vectors::{MatchVectors, Span};
use simt_std::Kernel;
use simt_std::simulator::{Options, Simulator, Space};
use std::marker::PhantomData;

/// Returns the last column of the LCS table by the recurrence, all m + 1 entries.
fn oracle(a: &[u8], b: &[u8]) -> Vec<u32> {
    let mut column = vec![0u32; a.len() + 1];
    for &y in b {
        let old = column.clone();
        for i in 1..=a.len() {
            column[i] = if a[i - 1] == y { old[i - 1] + 1 } else { old[i].max(column[i - 1]) };
        }
    }
    column
}

fn span(gpu: &mut Simulator, s: &[u8], backward: bool, name: &str) -> Span {
    let buffer = gpu.alloc::<u8>(s.len(), name);
    gpu.upload(&buffer, s).unwrap();
    let (first, step) = if backward { (s.len() as u64 - 1, -1) } else { (0, 1) };
    Span { symbols: buffer.handle(), first, step }
}

fn check_block_step<A: WarpAdd>(gpu: &mut Simulator, a: &[u8], b: &[u8], symbols: u32, backward: bool)
where
    BlockStep<A>: Kernel,
{
    let (m, n) = (a.len(), b.len());
    let (sub_vectors, steps) = (m.div_ceil(1024) as u32, n.div_ceil(1024) as u32);
    let words = sub_vectors as usize * 32;
    let (rows, columns) = (span(gpu, a, backward, "A"), span(gpu, b, backward, "B"));
    let vectors = gpu.alloc::<u32>(words * symbols as usize, "match vectors");
    let v = gpu.alloc::<u32>(words, "V");
    let carries = gpu.alloc::<u32>(2 * words, "carries");
    gpu.launch_kernel(sub_vectors, MatchVectors { rows, m: m as u64, symbols, vectors: vectors.handle() }).unwrap();
    let pm = gpu.download(&vectors, vectors.len()).unwrap();
    let at = |i: usize| if backward { a[m - 1 - i] } else { a[i] };
    for c in 0..symbols as usize {
        for i in 0..words * 32 {
            let set = pm[c * words + i / 32] >> (i % 32) & 1 == 1;
            assert_eq!(set, i < m && usize::from(at(i)) == c, "symbol {c}, row {i}");
        }
    }
    for d in 0..sub_vectors + steps - 1 {
        let (first_block, blocks) = diagonal(d, sub_vectors, steps);
        let kernel = BlockStep::<A> {
            v: v.handle(),
            match_vectors: vectors.handle(),
            carries: carries.handle(),
            columns,
            n: n as u64,
            sub_vectors,
            first_block,
            diagonal: d,
            add: PhantomData,
        };
        gpu.launch_kernel(blocks, kernel).unwrap();
    }
    let v = gpu.download(&v, v.len()).unwrap();
    let reversed = |s: &[u8]| s.iter().rev().copied().collect::<Vec<u8>>();
    let want = if backward { oracle(&reversed(a), &reversed(b)) } else { oracle(a, b) };
    let mut length = 0;
    for i in 0..words * 32 {
        if i < m {
            assert_eq!(length, want[i], "row {i} of {m}");
        }
        length += 1 - (v[i / 32] >> (i % 32) & 1);
    }
    assert_eq!(length, want[m], "rows past m never grow");
}

#[test]
fn block_step_is_the_recurrence() {
    let mut random = fastrand::Rng::with_seed(3);
    let mut string = |len: usize, symbols: u64| (0..len).map(|_| (random.u64(..symbols)) as u8).collect::<Vec<_>>();
    let cases = [
        (1, 1, 1),
        (1, 40, 2),
        (33, 31, 4),
        (1024, 1024, 4),
        (1025, 1023, 2),
        (2049, 3000, 4),
        (3000, 1100, 20),
        (70, 2049, 200),
    ];
    for (i, &(m, n, symbols)) in cases.iter().enumerate() {
        let (a, b) = (string(m, symbols), string(n, symbols));
        let mut gpu = Simulator::default();
        check_block_step::<LookAhead>(&mut gpu, &a, &b, symbols as u32, i % 2 == 0);
        if m * n < 3_000_000 {
            check_block_step::<ConditionalSum>(&mut gpu, &a, &b, symbols as u32, i % 2 == 1);
        }
    }
    // Carries that run through every word and across sub-vectors.
    let a = vec![0u8; 2100];
    check_block_step::<ConditionalSum>(&mut Simulator::default(), &a, &[1, 0, 1], 2, false);
    check_block_step::<LookAhead>(&mut Simulator::default(), &a, &[0; 1200], 1, false);
}

#[test]
fn block_step_has_no_bank_conflicts_and_coalesces() {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    let a: Vec<u8> = (0..1024u32).map(|i| (i * i % 4) as u8).collect();
    check_block_step::<LookAhead>(&mut gpu, &a, &a[..100], 4, false);
    assert_eq!(gpu.costs().total(Space::Shared).conflicts, 0);
    let matches = gpu.costs().lines().find(|(file, line, ..)| {
        file.ends_with("block_step.rs")
            && std::fs::read_to_string("src/published/block_step.rs")
                .unwrap()
                .lines()
                .nth(*line as usize - 1)
                .unwrap()
                .contains("match_words.read")
    });
    let cost = matches.expect("the line that reads match words").4;
    assert_eq!((cost.accesses, cost.sectors), (100, 400), "128 bytes a column in 4 sectors");
}
