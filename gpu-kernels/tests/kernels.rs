//! The kernels on the simulator against independent oracles.

use carrywave_kernels::block_step::{BlockStep, diagonal};
use carrywave_kernels::carry::{ConditionalSum, LookAhead, Sums, WarpAdd};
use carrywave_kernels::cuda::Kernel;
use carrywave_kernels::device_test::{self, DeviceTest};
use carrywave_kernels::match_vectors::{MatchVectors, Span};
use carrywave_kernels::simulator::{Grid, Options, Simulator, Space};
use num_bigint::BigUint;
use std::marker::PhantomData;

#[test]
fn the_device_layer_does_what_ptx_says() {
    for accounting in [false, true] {
        let mut gpu = Simulator::new(Options { accounting, ..Options::default() });
        let rows = gpu.alloc::<u32>((device_test::ROWS * device_test::THREADS) as usize, "rows");
        let atomics = gpu.alloc::<u32>(9, "atomics");
        gpu.upload(&atomics, &device_test::ATOMICS_BEFORE).unwrap();
        gpu.launch_kernel(1, DeviceTest { rows: rows.handle(), atomics: atomics.handle() }).unwrap();
        let got = gpu.download(&rows, rows.len()).unwrap();
        let want = device_test::expected();
        assert_eq!(want.len() + 64, got.len(), "every row is checked");
        for (row, (got, want)) in got.chunks(64).zip(want.chunks(64)).enumerate() {
            assert_eq!(got, want, "row {row}");
        }
        assert_eq!(got[want.len()..].iter().sum::<u32>(), 1, "one thread wins the exchange");
        assert_eq!(gpu.download(&atomics, atomics.len()).unwrap(), device_test::ATOMICS_AFTER);
    }
}

#[test]
fn every_type_shuffles_whole() {
    let mut gpu = Simulator::default();
    let out = gpu.alloc::<u32>(32, "equal");
    let handle = out.handle();
    gpu.launch("types", Grid::linear(1, 32), move || {
        use carrywave_kernels::cuda::warp::{lane_id, warp_shuffle_idx};
        fn mirrored<T: carrywave_kernels::cuda::warp::WarpShuffleValue + PartialEq>(value: impl Fn(u32) -> T) -> bool {
            let lane = lane_id();
            // SAFETY: all lanes are here.
            unsafe { warp_shuffle_idx(!0, value(lane), 31 - lane, 32).0 == value(31 - lane) }
        }
        let equal = mirrored(|l| l.wrapping_mul(0x9e37_79b9))
            & mirrored(|l| -(l as i32))
            & mirrored(|l| l as f32 - 0.5)
            & mirrored(|l| u64::from(l) << 40 | 1)
            & mirrored(|l| -i64::from(l) << 40)
            & mirrored(|l| f64::from(l) / 3.0);
        handle.write(lane_id() as usize, equal.into());
    })
    .unwrap();
    assert_eq!(gpu.download(&out, 32).unwrap(), [1; 32]);
}

/// 1,024-bit operands with every carry pattern that matters.
fn operands() -> Vec<([u32; 32], [u32; 32])> {
    let mut random = fastrand::Rng::with_seed(7);
    let mut cases = vec![
        ([!0; 32], [0; 32]),                    // all propagate
        ([!0; 32], [!0; 32]),                   // all generate
        ([0; 32], [0; 32]),                     // nothing
        ([0x8000_0000; 32], [0x8000_0000; 32]), // generate, kill what comes in
    ];
    let lanes = |f: &dyn Fn(usize) -> u32| -> [u32; 32] { std::array::from_fn(f) };
    for phase in 0..2 {
        // Generate and propagate in turn; propagate and kill in turn.
        cases.push((lanes(&|_| !0), lanes(&|l| if l % 2 == phase { 1 } else { 0 })));
        cases.push((lanes(&|l| if l % 2 == phase { !0 } else { 0 }), [0; 32]));
    }
    for start in 0..32 {
        // One carry that starts in a lane and ripples to the top; and one that stops at a lane.
        cases.push((lanes(&|_| !0), lanes(&|l| u32::from(l == start))));
        cases.push((lanes(&|l| if l == start { 0 } else { !0 }), lanes(&|l| u32::from(l == 0))));
    }
    for _ in 0..500 {
        // Lanes that propagate, generate, kill or hold anything, at random.
        let mut pair = ([0; 32], [0; 32]);
        for l in 0..32 {
            let r = random.u64(..);
            let any = (r >> 32) as u32;
            (pair.0[l], pair.1[l]) = match r % 8 {
                0..=3 => (any, !any),
                4 => (any, (!any).wrapping_add(1)),
                5 => (any >> 1, any >> 2),
                _ => (any, r as u32),
            };
        }
        cases.push(pair);
    }
    cases
}

fn big(words: &[u32]) -> BigUint {
    BigUint::from_slice(words)
}

fn check_sums<A: WarpAdd>()
where
    Sums<A>: Kernel,
{
    let mut cases = Vec::new();
    for (a, b) in operands() {
        for carry_in in [0, 1] {
            cases.push((a, b, carry_in));
        }
    }
    let mut gpu = Simulator::default();
    let a = gpu.alloc::<u32>(cases.len() * 32, "a");
    let b = gpu.alloc::<u32>(cases.len() * 32, "b");
    let carry_in = gpu.alloc::<u32>(cases.len(), "carry_in");
    let sum = gpu.alloc::<u32>(cases.len() * 32, "sum");
    let carry_out = gpu.alloc::<u32>(cases.len(), "carry_out");
    gpu.upload(&a, &cases.iter().flat_map(|c| c.0).collect::<Vec<_>>()).unwrap();
    gpu.upload(&b, &cases.iter().flat_map(|c| c.1).collect::<Vec<_>>()).unwrap();
    gpu.upload(&carry_in, &cases.iter().map(|c| c.2).collect::<Vec<_>>()).unwrap();
    let kernel = Sums::<A> {
        a: a.handle(),
        b: b.handle(),
        carry_in: carry_in.handle(),
        sum: sum.handle(),
        carry_out: carry_out.handle(),
        add: PhantomData,
    };
    gpu.launch_kernel(cases.len() as u32, kernel).unwrap();
    let (sum, carry_out) = (gpu.download(&sum, sum.len()).unwrap(), gpu.download(&carry_out, carry_out.len()).unwrap());
    for (i, (a, b, carry_in)) in cases.iter().enumerate() {
        let mut got = sum[i * 32..][..32].to_vec();
        got.push(carry_out[i]);
        assert_eq!(big(&got), big(a) + big(b) + carry_in, "case {i}: {a:x?} + {b:x?} + {carry_in}");
    }
}

#[test]
fn conditional_sum_is_addition() {
    check_sums::<ConditionalSum>();
}

#[test]
fn look_ahead_is_addition() {
    check_sums::<LookAhead>();
}

/// The last column of the LCS table by the recurrence, all m + 1 entries.
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
            && std::fs::read_to_string("src/block_step.rs")
                .unwrap()
                .lines()
                .nth(*line as usize - 1)
                .unwrap()
                .contains("match_words.read")
    });
    let cost = matches.expect("the line that reads match words").4;
    assert_eq!((cost.accesses, cost.sectors), (100, 400), "128 bytes a column in 4 sectors");
}
