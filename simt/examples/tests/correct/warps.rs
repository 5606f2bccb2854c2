//! Kernels of one warp: shuffles, votes and matches with whole and partial masks.

use crate::common::{all, any, ballot, match_any, run, shuffle, shuffle_down, shuffle_up, shuffle_xor, sync_warp};
use crate::{Case, case};
use simt_std::prelude::*;
use simt_std::warp::{lane_id, lanemask_lt};

/// Words with small and repeated values.
fn words(len: u32) -> Vec<u32> {
    (0..len).map(|i| i * 7 % 11).collect()
}

#[kernel(threads = WARP)]
fn sum_by_shuffles(data: Global<u32>) {
    let lane = lane_id() as usize;
    let mut sum = data.read(lane);
    for delta in [16, 8, 4, 2, 1] {
        sum += shuffle_xor(FULL_WARP, sum, delta);
    }
    data.write(lane, sum);
}

#[kernel(threads = WARP)]
fn scan_by_shuffles(data: Global<u32>) {
    let lane = lane_id() as usize;
    let mut sum = data.read(lane);
    for delta in [1, 2, 4, 8, 16] {
        sum += shuffle_up(FULL_WARP, sum, delta, WARP).unwrap_or(0);
    }
    data.write(lane, sum);
}

/// Products of segments; a segment begins at each multiple of 11.
#[kernel(threads = WARP)]
fn segmented_scan(data: Global<u32>) {
    let lane = lane_id();
    let mut value = data.read(lane as usize);
    let heads = ballot(FULL_WARP, lane.is_multiple_of(11));
    // Highest head at or below this lane.
    let head = 31 - (heads & warp::lanemask_le()).leading_zeros();
    for delta in [1, 2, 4, 8, 16] {
        let below = shuffle_up(FULL_WARP, value, delta, WARP);
        if lane >= head + delta {
            value = value.wrapping_mul(below.unwrap_or(1));
        }
    }
    data.write(lane as usize, value);
}

/// A sum in shared memory, with `sync_warp` before and after each write.
#[kernel(threads = WARP)]
fn sum_with_sync_warp(data: Global<u32>) {
    shared_array!(x: [u32; 32]);
    let t = lane_id();
    x.write(t, data.read(t as usize));
    sync_warp(FULL_WARP);
    for distance in [16, 8, 4, 2, 1] {
        let other = if t < distance { x.read(t + distance) } else { 0 };
        sync_warp(FULL_WARP);
        x.write(t, x.read(t) + other);
        sync_warp(FULL_WARP);
    }
    data.write(t as usize, x.read(0));
}

/// One atomic operation for all lanes that add.
#[kernel(threads = 96)]
fn warp_aggregated_atomics(data: Global<u32>) {
    let t = thread::thread_idx_x();
    let wanted = t % 3 != 1;
    let lanes = ballot(FULL_WARP, wanted);
    if wanted {
        let leader = lanes.trailing_zeros();
        let first = if lane_id() == leader { atomic::fetch_add(data, 0, lanes.count_ones()) } else { 0 };
        let ticket = shuffle(lanes, first, leader) + (lanes & lanemask_lt()).count_ones();
        data.write(1 + ticket as usize, 1);
    }
}

/// The lanes of equal keys add as one.
#[kernel(threads = 64)]
fn histogram_by_match(data: Global<u32>) {
    let key = thread::thread_idx_x() * 5 % 7;
    let same = match_any(FULL_WARP, key);
    if lane_id() == same.trailing_zeros() {
        atomic::fetch_add(data, key as usize, same.count_ones());
    }
}

/// Each arm of a branch computes with the lanes that are in it.
#[kernel(threads = WARP)]
fn masks_of_both_arms(data: Global<u32>) {
    let lane = lane_id();
    let low = ballot(FULL_WARP, lane < 12);
    let result = if lane < 12 {
        let next = (lane + 1) % 12;
        shuffle(low, lane, next) + 100 * u32::from(all(low, lane < 12))
    } else {
        let next = if lane == 31 { 12 } else { lane + 1 };
        sync_warp(!low);
        shuffle(!low, lane, next) + 1000 * u32::from(any(!low, lane < 12))
    };
    data.write(lane as usize, result);
}

/// Both halves of a warp make sums, of different lengths and without the other half.
#[kernel(threads = WARP)]
fn halves_on_their_own(data: Global<u32>) {
    let lane = lane_id();
    let mask = if lane < 16 { 0xffff } else { 0xffff_0000 };
    let mut value = lane;
    for _ in 0..if lane < 16 { 3 } else { 7 } {
        value = shuffle(mask, value, lane & 16 | (lane + 1) & 15);
        sync_warp(mask);
    }
    data.write(lane as usize, value);
}

/// Sorts 32 numbers by exchanges between lanes.
#[kernel(threads = WARP)]
fn bitonic_sort_of_a_warp(data: Global<u32>) {
    let lane = lane_id();
    let mut value = data.read(lane as usize);
    let mut size = 2;
    while size <= 32 {
        let mut distance = size / 2;
        while distance > 0 {
            let other = shuffle_xor(FULL_WARP, value, distance);
            let takes_lower = (lane & size == 0) == (lane & distance == 0);
            value = if takes_lower { value.min(other) } else { value.max(other) };
            distance /= 2;
        }
        size *= 2;
    }
    data.write(lane as usize, value);
}

/// Adds two numbers of 1,024 bits: lane i has the words i.
#[kernel(threads = WARP)]
fn carry_look_ahead(a: Global<u32>, b: Global<u32>, sum: Global<u32>) {
    let lane = lane_id() as usize;
    let (word, overflows) = a.read(lane).overflowing_add(b.read(lane));
    let generates = ballot(FULL_WARP, overflows);
    let propagates = ballot(FULL_WARP, word == u32::MAX);
    let carries = ((generates << 1).wrapping_add(propagates)) ^ propagates;
    sum.write(lane, word.wrapping_add(carries >> lane & 1));
}

/// The positions of the words that are multiples of 3, without gaps.
#[kernel(threads = WARP)]
fn compaction_by_ballot(data: Global<u32>, kept: Global<u32>) {
    let lane = lane_id();
    let wanted = data.read(lane as usize).is_multiple_of(3);
    let lanes = ballot(FULL_WARP, wanted);
    if wanted {
        kept.write((lanes & lanemask_lt()).count_ones() as usize, lane);
    } else {
        // The other end, downwards.
        kept.write(31 - (!lanes & lanemask_lt()).count_ones() as usize, lane);
    }
}

/// Warps 1 and 3 have nothing to do and return; the others use their own lanes alone.
#[kernel(threads = 128)]
fn whole_warps_return(data: Global<u32>) {
    if warp::warp_id() % 2 == 1 {
        return;
    }
    let mut sum = thread::thread_idx_x();
    for delta in [16, 8, 4, 2, 1] {
        sum += shuffle_down(FULL_WARP, sum, delta, WARP);
    }
    if lane_id() == 0 {
        data.write(warp::warp_id() as usize, sum);
    }
}

/// Lanes leave a loop one by one, and the mask shrinks with them.
#[kernel(threads = WARP)]
fn mask_that_shrinks(data: Global<u32>) {
    let lane = lane_id();
    let (mut mask, mut rounds) = (FULL_WARP, 0);
    loop {
        let stay = ballot(mask, rounds < lane);
        if rounds >= lane {
            break;
        }
        mask = stay;
        rounds += 1;
    }
    data.write(lane as usize, mask.count_ones() + 100 * rounds);
}

/// Neighbours meet in pairs, each lane in two of them, and every third lane comes late.
#[kernel(threads = WARP)]
fn pairs_that_overlap(data: Global<u32>, delay: Global<u32>) {
    let lane = lane_id();
    if lane % 3 == 1 {
        for _ in 0..lane {
            atomic::fetch_add(delay, 0, 1);
        }
    }
    let (left, right) = (0b11 << lane.saturating_sub(1), 0b11 << lane.min(30));
    // Even lanes meet the right neighbour first, and odd lanes the left one.
    let masks = if lane & 1 == 0 { [right, left] } else { [left, right] };
    let mut met = ballot(masks[0], true).count_ones();
    // The first and the last lane have one neighbour.
    if masks[1] != masks[0] {
        met += ballot(masks[1], true).count_ones();
    }
    data.write(lane as usize, met);
}

fn sum_of_1024_bits(a: &[u32], b: &[u32]) -> Vec<u32> {
    let mut carry = 0;
    let words = a.iter().zip(b).map(|(&a, &b)| {
        let sum = u64::from(a) + u64::from(b) + carry;
        carry = sum >> 32;
        sum as u32
    });
    words.collect()
}

/// Two numbers whose carry runs through many words.
fn summands() -> [Vec<u32>; 2] {
    let a = (0..32).map(|i| if i % 9 == 4 { 5 } else { u32::MAX }).collect();
    let b = (0..32).map(|i| if i % 9 == 5 || i == 0 { 1 } else { 0 }).collect();
    [a, b]
}

pub fn cases() -> Vec<Case> {
    let data = words(32);
    let prefix = |i: usize| data[..=i].iter().sum();
    let segment = |i: usize| data[i / 11 * 11..=i].iter().fold(1u32, |product, &word| product.wrapping_mul(word));
    let mut sorted = data.clone();
    sorted.sort_unstable();
    let multiples = |wanted: bool| (0..32u32).filter(move |&i| (i * 7 % 11).is_multiple_of(3) == wanted);
    let [a, b] = summands();
    let arms = |lane: u32| match lane {
        0..12 => 100 + (lane + 1) % 12,
        31 => 12,
        _ => lane + 1,
    };
    let halves = |lane: u32| lane & 16 | (lane + if lane < 16 { 3 } else { 7 }) & 15;
    let shrinking = |lane: u32| (32 - lane) + 100 * lane;
    vec![
        case(
            "sum_by_shuffles",
            |gpu| run(gpu, 1, &words(32), |data| SumByShuffles { data }),
            vec![data.iter().sum(); 32],
        ),
        case(
            "scan_by_shuffles",
            |gpu| run(gpu, 1, &words(32), |data| ScanByShuffles { data }),
            (0..32).map(prefix).collect(),
        ),
        case(
            "segmented_scan",
            |gpu| run(gpu, 1, &words(32), |data| SegmentedScan { data }),
            (0..32).map(segment).collect(),
        ),
        case(
            "sum_with_sync_warp",
            |gpu| run(gpu, 1, &words(32), |data| SumWithSyncWarp { data }),
            vec![data.iter().sum(); 32],
        ),
        case(
            "warp_aggregated_atomics",
            |gpu| run(gpu, 1, &[0; 65], |data| WarpAggregatedAtomics { data }),
            [vec![64], vec![1; 64]].concat(),
        ),
        case(
            "histogram_by_match",
            |gpu| run(gpu, 2, &[0; 7], |data| HistogramByMatch { data }),
            (0..7).map(|key| 2 * (0..64).filter(|t| t * 5 % 7 == key).count() as u32).collect(),
        ),
        case(
            "masks_of_both_arms",
            |gpu| run(gpu, 1, &[0; 32], |data| MasksOfBothArms { data }),
            (0..32).map(arms).collect(),
        ),
        case(
            "halves_on_their_own",
            |gpu| run(gpu, 1, &[0; 32], |data| HalvesOnTheirOwn { data }),
            (0..32).map(halves).collect(),
        ),
        case("bitonic_sort_of_a_warp", |gpu| run(gpu, 1, &words(32), |data| BitonicSortOfAWarp { data }), sorted),
        case(
            "carry_look_ahead",
            |gpu| {
                let [a, b] = summands();
                let (a, b) = (gpu.alloc_from(&a, "a"), gpu.alloc_from(&b, "b"));
                run(gpu, 1, &[0; 32], |sum| CarryLookAhead { a: a.handle(), b: b.handle(), sum })
            },
            sum_of_1024_bits(&a, &b),
        ),
        case(
            "compaction_by_ballot",
            |gpu| {
                let data = gpu.alloc_from(&words(32), "data");
                run(gpu, 1, &[0; 32], |kept| CompactionByBallot { data: data.handle(), kept })
            },
            multiples(true).chain(multiples(false).collect::<Vec<_>>().into_iter().rev()).collect(),
        ),
        case(
            "whole_warps_return",
            |gpu| run(gpu, 1, &[0; 4], |data| WholeWarpsReturn { data }),
            vec![(0..32).sum(), 0, (64..96).sum(), 0],
        ),
        case(
            "pairs_that_overlap",
            |gpu| {
                let delay = gpu.alloc_from(&[0u32], "delay");
                run(gpu, 1, &[0; 32], |data| PairsThatOverlap { data, delay: delay.handle() })
            },
            (0..32).map(|lane| if matches!(lane, 0 | 31) { 2 } else { 4 }).collect(),
        ),
        case(
            "mask_that_shrinks",
            |gpu| run(gpu, 1, &[0; 32], |data| MaskThatShrinks { data }),
            (0..32).map(shrinking).collect(),
        ),
    ]
}
