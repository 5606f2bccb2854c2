//! Reductions and scans of warps and blocks of any size, compared with plain loops on the host, in
//! several orders of threads; and the messages of their wrong use.

use simt_std::collective::{self, BLOCK_WARPS};
use simt_std::prelude::*;
use simt_std::simulator::{Fault, FaultKind, Grid, Options, Simulator, schedules};
use simt_std::warp::WarpReductionOp;

/// An associative operator that is not commutative: the composition of x → a x + b, as a pair of 16
/// bits each.
fn compose(first: u32, second: u32) -> u32 {
    let parts = |map: u32| (map >> 16, map & 0xffff);
    let ((a, b), (c, d)) = (parts(first), parts(second));
    (a.wrapping_mul(c) & 0xffff) << 16 | (b.wrapping_mul(c).wrapping_add(d) & 0xffff)
}

/// The composition's neutral element: x → x.
const NEUTRAL: u32 = 1 << 16;

fn value(i: u32) -> u32 {
    (i ^ 5).wrapping_mul(0x9e37_79b1) | 1
}

/// Runs `body` in each thread of a block, and returns the results by the threads' numbers.
fn results(
    gpu: &mut Simulator,
    threads: [u32; 3],
    body: impl Fn(u32) -> [u32; 3] + 'static,
) -> Result<Vec<[u32; 3]>, Fault> {
    let count = threads.iter().product::<u32>() as usize;
    let out = gpu.alloc::<u32>(3 * count, "out");
    let handle: Global<u32> = out.handle();
    gpu.launch("results", Grid { threads, ..Grid::linear(1, 1) }, move || {
        let i = thread::index_in_block();
        for (k, word) in (0..).zip(body(i)) {
            handle.write(3 * i as usize + k, word);
        }
    })?;
    Ok(gpu.download(&out, 3 * count)?.chunks(3).map(|words| [words[0], words[1], words[2]]).collect())
}

/// Returns the reduction, the inclusive and the exclusive scan of the values of these threads.
fn expected(members: &[u32]) -> Vec<[u32; 3]> {
    let total = members.iter().fold(NEUTRAL, |sum, &i| compose(sum, value(i)));
    let mut sum = NEUTRAL;
    let mut next = |i: u32| {
        let before = sum;
        sum = compose(sum, value(i));
        [total, sum, compose(value(99), before)]
    };
    members.iter().map(|&i| next(i)).collect()
}

#[test]
fn a_warp_reduces_and_scans_the_lanes_of_any_mask() {
    for mask in
        [!0u32, 1, 0x8000_0000, 0xffff, 0x7fff_ffff, 0b11010, 0xffff_0000, 0x8000_0001, 0x5555_5555, 0x0ff0_1248]
    {
        let job = move |gpu: &mut Simulator| {
            results(gpu, [32, 1, 1], move |i| {
                if mask >> i & 1 == 0 {
                    return [0; 3];
                }
                // SAFETY: all lanes of the mask are here.
                unsafe {
                    [
                        collective::warp_reduce(mask, value(i), compose),
                        collective::warp_inclusive_scan(mask, value(i), compose),
                        collective::warp_exclusive_scan(mask, value(99), value(i), compose),
                    ]
                }
            })
        };
        let got = schedules(6, Options::default(), job).unwrap();
        let members: Vec<u32> = (0..32).filter(|i| mask >> i & 1 == 1).collect();
        for (&i, expected) in members.iter().zip(expected(&members)) {
            assert_eq!(got[i as usize], expected, "{mask:#x} lane {i}");
        }
    }
}

#[test]
fn a_block_reduces_and_scans_threads_of_any_number() {
    for threads in [[1, 1, 1], [31, 1, 1], [48, 1, 1], [33, 3, 1], [8, 4, 5], [256, 1, 1], [1000, 1, 1], [1024, 1, 1]] {
        let job = move |gpu: &mut Simulator| {
            results(gpu, threads, |i| {
                shared_array!(scratch: [u32; BLOCK_WARPS]);
                // SAFETY: every thread of the block is here. The calls share the scratch.
                unsafe {
                    [
                        collective::block_reduce(scratch, value(i), compose),
                        collective::block_inclusive_scan(scratch, value(i), compose),
                        collective::block_exclusive_scan(scratch, value(99), value(i), compose),
                    ]
                }
            })
        };
        let members: Vec<u32> = (0..threads.iter().product()).collect();
        assert_eq!(schedules(4, Options::default(), job).unwrap(), expected(&members), "{threads:?}");
    }
}

#[test]
fn a_reduction_by_the_hardwares_operations() {
    use WarpReductionOp::{Add, And, Max, Min, Or, Xor};
    for mask in [!0u32, 0x8421, 0xf0f0_f0f0] {
        Simulator::default()
            .launch("reduce_sync", Grid::linear(1, 32), move || {
                let lane = warp::lane_id();
                if mask >> lane & 1 == 0 {
                    return;
                }
                let values: Vec<u32> =
                    (0..32).filter(|i| mask >> i & 1 == 1).map(|i| value(i).rotate_left(i)).collect();
                let (own, all) = (value(lane).rotate_left(lane), || values.iter().copied());
                let signed = || values.iter().map(|&word| word as i32);
                // SAFETY: all lanes of the mask are here.
                unsafe {
                    let word = |operation| collective::reduce_sync(mask, own, operation);
                    assert_eq!(word(Add), all().fold(0, u32::wrapping_add));
                    assert_eq!(Some(word(Min)), all().min());
                    assert_eq!(Some(word(Max)), all().max());
                    assert_eq!(word(And), all().fold(!0, |a, b| a & b));
                    assert_eq!(word(Or), all().fold(0, |a, b| a | b));
                    assert_eq!(word(Xor), all().fold(0, |a, b| a ^ b));
                    assert_eq!(Some(collective::reduce_sync(mask, own as i32, Min)), signed().min());
                    assert_eq!(Some(collective::reduce_sync(mask, own as i32, Max)), signed().max());
                    let wide = |word: u32| u64::from(word) << 20;
                    assert_eq!(collective::reduce_sync(mask, wide(own), Add), all().map(wide).sum::<u64>());
                    let float = |word: u32| f64::from(word % 1000);
                    assert_eq!(collective::reduce_sync(mask, float(own), Add), all().map(float).sum::<f64>());
                }
            })
            .unwrap();
    }
}

#[test]
fn a_shuffle_of_the_value_alone_is_that_of_the_pair() {
    Simulator::default()
        .launch("shfl", Grid::linear(1, 32), || {
            let lane = warp::lane_id();
            let word = 1000 + lane;
            // SAFETY: all lanes are here.
            unsafe {
                assert_eq!(warp::shfl_sync(!0, word, 9, 8), 1000 + (lane & 24) + 1);
                assert_eq!(warp::shfl_up_sync(!0, word, 3, 32), if lane < 3 { word } else { word - 3 });
                assert_eq!(warp::shfl_down_sync(!0, word, 3, 32), if lane > 28 { word } else { word + 3 });
                assert_eq!(warp::shfl_xor_sync(!0, f64::from(word), 5, 32), f64::from(1000 + (lane ^ 5)));
            }
        })
        .unwrap();
}

#[test]
fn a_match_of_all_lanes_compares_all_bits() {
    Simulator::default()
        .launch("match_all", Grid::linear(1, 32), || {
            let lane = warp::lane_id();
            let half = if lane < 16 { 0xffff } else { 0xffff_0000 };
            // SAFETY: all lanes are here, or all lanes of each half.
            unsafe {
                assert_eq!(warp::warp_match_all(!0, 7u32), Some(!0));
                assert_eq!(warp::warp_match_all(!0, lane / 31), None);
                assert_eq!(warp::warp_match_all(half, lane / 16), Some(half));
                assert_eq!(warp::warp_match_all(half, u64::from(lane / 24) << 40), (lane < 16).then_some(half));
                assert_eq!(warp::warp_match_any(!0, u64::from(lane % 2) << 40), 0x5555_5555 << (lane % 2));
                assert_eq!(warp::warp_match_any(!0, -f64::from(lane / 16)), half);
            }
        })
        .unwrap();
}

fn fault_of(threads: u32, body: impl Fn() + 'static) -> Fault {
    Simulator::default().launch("planted", Grid::linear(1, threads), body).unwrap_err()
}

#[test]
fn the_fault_of_a_full_mask_in_a_short_warp_names_the_cure() {
    let line = line!() + 3;
    let fault = fault_of(48, || {
        // SAFETY: planted: the second warp has 16 lanes.
        let _ = unsafe { warp::warp_reduce(1, WarpReductionOp::Add) };
    });
    let text = fault.to_string();
    for part in [
        "kernel planted, block (0, 0, 0), thread (32, 0, 0)",
        "lanes 16 to 31 do not exist",
        "`warp::warp_mask()`",
        "`collective::reduce_sync`",
    ] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(fault.location.map(|at| at.line()), Some(line), "{text}");
}

#[test]
fn active_lanes_are_no_mask() {
    let line = line!() + 4;
    let kernel = || {
        if warp::lane_id() < 8 {
            // SAFETY: planted: the GPU decides which lanes are active.
            let _ = unsafe { warp::warp_vote_any(warp::activemask(), warp::lane_id() == 3) };
        }
    };
    let fault = fault_of(32, kernel);
    let text = fault.to_string();
    assert!(matches!(fault.kind, FaultKind::Collective { .. }), "{text}");
    for part in ["thread (0, 0, 0)", "is from `activemask`", "`warp::warp_mask()`", "a ballot"] {
        assert!(text.contains(part), "{text}");
    }
    assert_eq!(fault.location.map(|at| at.line()), Some(line), "{text}");
    assert!(
        fault_of(32, || {
            let mask = warp::activemask();
            // SAFETY: planted.
            unsafe { warp::sync_warp(mask) };
        })
        .to_string()
        .contains("is from `activemask`")
    );

    // The number of active lanes may be asked for, and a ballot has other masks.
    let legal = || {
        assert!(warp::activemask() >> warp::lane_id() & 1 == 1);
        // SAFETY: all lanes are here, then each lane alone.
        unsafe {
            assert_eq!(warp::warp_vote_ballot(!0, true), !0);
            assert_eq!(warp::warp_vote_ballot(warp::lanemask_eq(), true), warp::lanemask_eq());
        }
    };
    Simulator::default().launch("legal", Grid::linear(1, 32), legal).unwrap();
}

/// A scratch with too few elements, and one that is used during the call.
#[test]
fn a_wrong_scratch_is_a_fault() {
    let short = fault_of(96, || {
        shared_array!(scratch: [u32; 2]);
        // SAFETY: planted: three warps.
        let _ = unsafe { collective::block_reduce(scratch, 1, u32::wrapping_add) };
    });
    assert!(matches!(short.kind, FaultKind::OutOfBounds { .. }), "{short}");
    assert!(short.to_string().contains("`scratch`"), "{short}");
    let divergent = fault_of(96, || {
        shared_array!(scratch: [u32; BLOCK_WARPS]);
        if warp::warp_id() < 2 {
            // SAFETY: planted: the third warp is missing.
            let _ = unsafe { collective::block_reduce(scratch, 1, u32::wrapping_add) };
        }
    });
    assert!(matches!(divergent.kind, FaultKind::DivergentBarrier { .. }), "{divergent}");
}
