//! The distances of many pairs on the simulator, and on GPU 0 if there is one, checked against the
//! table of edits.
#![cfg(feature = "simt")]

mod common;

use carrywave::internal::{DevicePairs, PairBlock as Block, PairTuning as Tuning, kernel_cost};
use carrywave::kernels::distance::all_pairs::ALL_PAIRS_INSTANCES;
use carrywave::pairs::Cost;
use common::devices::on_a_device;
use fastrand::Rng;
use simt_launch::Device;
use std::sync::Arc;

/// Computes the distance by the recurrence.
fn oracle(a: &[u8], b: &[u8], cost: Cost) -> u32 {
    let mut rows: Vec<Vec<u32>> = vec![(0..=b.len() as u32).collect()];
    for (i, x) in a.iter().enumerate() {
        let above = &rows[i];
        let mut row = vec![i as u32 + 1];
        for (j, y) in b.iter().enumerate() {
            let replaced = match (x == y, cost) {
                (true, _) => above[j],
                (false, Cost::Levenshtein | Cost::Osa) => above[j] + 1,
                (false, Cost::Indel) => above[j] + 2,
            };
            let mut least = replaced.min(row[j] + 1).min(above[j + 1] + 1);
            if cost == Cost::Osa && i > 0 && j > 0 && a[i - 1] == *y && *x == b[j - 1] {
                least = least.min(rows[i - 1][j - 1] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// Returns `count` strings with lengths from `length` over an alphabet of `symbols` bytes; some
/// resemble one another.
fn strings(count: usize, symbols: usize, random: &mut Rng, length: impl Fn(&mut Rng) -> usize) -> Vec<Vec<u8>> {
    let mut all: Vec<Vec<u8>> = Vec::new();
    for i in 0..count {
        let n = length(random);
        let fresh = common::texts::random(n, symbols, random);
        let near = if i % 3 == 2 { common::texts::relative(&all[i - 1], n, symbols, random.u64(..)) } else { fresh };
        all.push(near);
    }
    all
}

fn references(strings: &[Vec<u8>]) -> Vec<&[u8]> {
    strings.iter().map(Vec::as_slice).collect()
}

/// Compares all pairs with the recurrence, and checks the documented properties of the blocks.
fn check_all(device: &impl Device, a: &[Vec<u8>], b: &[Vec<u8>], cost: Cost, limit: Option<u32>, tuning: Tuning) {
    let job = DevicePairs::new(device).max_distance(limit).tuning(tuning);
    let mut found = vec![None; a.len() * b.len()];
    let mut last = None;
    job.all(&references(a), &references(b), cost, &mut |block| {
        assert_eq!(block.distances.len(), block.rows * block.columns);
        assert!(last < Some((block.first_a, block.first_b)), "blocks come in order");
        last = Some((block.first_a, block.first_b));
        for (i, &distance) in block.distances.iter().enumerate() {
            let (row, column) = (block.first_a + i / block.columns, block.first_b + i % block.columns);
            assert!(found[row * b.len() + column].replace(distance).is_none(), "once");
        }
        Ok(())
    })
    .unwrap();
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate() {
            let mut expected = oracle(x, y, cost);
            if let Some(limit) = limit {
                expected = expected.min(limit + 1);
            }
            let what = format!("{cost:?}, {tuning:?}, {} × {}, string {i} and {j}", x.len(), y.len());
            assert_eq!(found[i * b.len() + j], Some(expected), "{what}");
        }
    }
}

const COSTS: [Cost; 3] = [Cost::Levenshtein, Cost::Indel, Cost::Osa];

fn every_instance<D: Device>(device: &Arc<D>) {
    let mut random = Rng::with_seed(1);
    for &(of, columns, table, logic) in ALL_PAIRS_INSTANCES {
        let cost = COSTS.into_iter().find(|&cost| kernel_cost(cost) == of).unwrap();
        let tuning = Tuning { columns: Some(columns), table: Some(table), logic: Some(logic), ..Tuning::default() };
        // More columns than a block has, and more strings than a group has, as columns and as rows.
        let a = strings(3, 4, &mut random, |random| random.usize(90..110));
        let b = strings(33, 5, &mut random, |random| random.usize(..40));
        check_all(&**device, &a, &b, cost, [None, Some(30)][columns / 2 % 2], tuning);
        // Near strings: their distances differ from cost to cost.
        let near = |_| common::texts::with_errors(&a[random.usize(..3)], 9, 4, &mut random);
        let near: Vec<_> = (0..5).map(near).collect();
        check_all(&**device, &a, &near, cost, [Some(14), None][columns / 2 % 2], tuning);
    }
}

#[test]
fn every_instance_of_the_kernel_finds_all_distances() {
    on_a_device!(every_instance());
}

fn shapes<D: Device>(device: &Arc<D>) {
    let mut random = Rng::with_seed(2);
    let lengths = [0, 1, 31, 32, 33, 100];
    for (case, symbols) in [2, 4, 26, 256].into_iter().enumerate() {
        for (k, count) in [1, 31, 32, 33, 70].into_iter().enumerate() {
            let cost = COSTS[(case + k) % 3];
            let limit = [None, Some(0), Some(20), Some(7)][(case + 2 * k) % 4];
            let a = strings(count, symbols, &mut random, |random| lengths[random.usize(..lengths.len())]);
            let b = strings([33, 1, 5][k % 3], symbols, &mut random, |random| lengths[random.usize(..lengths.len())]);
            check_all(&**device, &a, &b, cost, limit, Tuning::default());
            check_all(&**device, &b, &a, cost, limit, Tuning { side: Some(32), ..Tuning::default() });
        }
    }
}

#[test]
fn distances_are_right_for_every_shape() {
    on_a_device!(shapes());
}

fn lists_of_few<D: Device>(device: &Arc<D>) {
    let mut random = Rng::with_seed(5);
    let few = strings(3, 4, &mut random, |random| random.usize(..40));
    let many = strings(50, 4, &mut random, |random| random.usize(..40));
    let tuning = Tuning { many: Some(64), ..Tuning::default() };
    for cost in COSTS {
        check_all(&**device, &few, &many, cost, None, tuning);
        check_all(&**device, &many, &few, cost, Some(9), tuning);
    }
}

#[test]
fn a_list_of_few_strings_is_computed_as_listed_pairs() {
    on_a_device!(lists_of_few());
}

/// Checks similar strings, with a maximum close to their distances.
fn near_strings<D: Device>(device: &Arc<D>) {
    let mut random = Rng::with_seed(4);
    let original = common::texts::random(200, 4, &mut random);
    for (limit, cost) in [3, 12, 25].into_iter().flat_map(|limit| COSTS.map(|cost| (limit, cost))) {
        let near = |random: &mut Rng| {
            let errors = random.u32(..limit);
            common::texts::with_errors(&original[random.usize(..5)..], errors, 4, random)
        };
        let a: Vec<_> = (0..9).map(|_| near(&mut random)).collect();
        let b: Vec<_> = (0..35).map(|_| near(&mut random)).collect();
        check_all(&**device, &a, &b, cost, Some(limit), Tuning::default());
        let pairs: Vec<_> = b.into_iter().zip(a.into_iter().cycle()).collect();
        check_listed(&**device, &pairs, cost, Some(limit));
    }
}

#[test]
fn distances_up_to_a_maximum_are_exact() {
    on_a_device!(near_strings());
}

/// Compares listed pairs with the recurrence.
fn check_listed(device: &impl Device, pairs: &[(Vec<u8>, Vec<u8>)], cost: Cost, limit: Option<u32>) {
    let listed: Vec<[&[u8]; 2]> = pairs.iter().map(|(a, b)| [a.as_slice(), b.as_slice()]).collect();
    let distance = |(a, b): &(Vec<u8>, Vec<u8>)| oracle(a, b, cost).min(limit.map_or(u32::MAX, |limit| limit + 1));
    let expected: Vec<u32> = pairs.iter().map(distance).collect();
    // By either kernel, whatever the lengths; the simulator takes one for long lists.
    for long in [Some(false), Some(true)].into_iter().take(if pairs.len() > 3000 { 1 } else { 2 }) {
        let tuning = Tuning { long, ..Tuning::default() };
        let found = DevicePairs::new(device).max_distance(limit).tuning(tuning).listed(&listed, cost).unwrap();
        assert_eq!(found.len(), pairs.len());
        for (i, ((a, b), (found, expected))) in pairs.iter().zip(found.iter().zip(&expected)).enumerate() {
            assert_eq!(found, expected, "{cost:?}, {long:?}, pair {i}, {} × {}", a.len(), b.len());
        }
    }
}

fn listed_shapes<D: Device>(device: &Arc<D>) {
    let mut random = Rng::with_seed(3);
    let lengths = [0, 1, 31, 32, 33, 60];
    for (case, symbols) in [2, 4, 20, 250, 256].into_iter().enumerate() {
        for (k, count) in [1, 33, 70].into_iter().enumerate() {
            let limit = [None, Some(0), Some(20), Some(7)][(case + k) % 4];
            let length = |random: &mut Rng| lengths[random.usize(..lengths.len())];
            let a = strings(count, symbols, &mut random, length);
            let mut b = strings(count, symbols, &mut random, length);
            b[0] = a[0].clone();
            let pairs: Vec<_> = a.into_iter().zip(b).collect();
            check_listed(&**device, &pairs, COSTS[(case + k) % 3], limit);
        }
    }
    // As many strings of one length as fit a warp: no string needs padding.
    for cost in COSTS {
        let pairs: Vec<_> = strings(2048, 4, &mut random, |_| 21)
            .chunks(2)
            .map(|two| (two[0].clone(), [two[1].as_slice(), &two[0][..9]].concat()))
            .collect();
        check_listed(&**device, &pairs, cost, None);
    }
}

/// Several batches in flight, as the device's memory only holds a few groups at once.
#[test]
fn listed_pairs_in_many_batches() {
    let random = &mut Rng::with_seed(19);
    let device = simt_launch::Simt::with_memory(6 << 20);
    for (case, cost) in COSTS.into_iter().enumerate() {
        let count = 1024 * (20 + case) + 300;
        // A few long strings, so that batches have arrays of other sizes.
        let length = |random: &mut Rng| {
            let longest = if random.usize(..500) == 0 { 60 } else { 12 };
            random.usize(..longest)
        };
        let [a, b] = [(); 2].map(|()| strings(count, 3, random, length));
        check_listed(&device, &a.into_iter().zip(b).collect::<Vec<_>>(), cost, None);
    }
}

/// Checks strings of more columns than a warp takes at once, without and with a maximum.
fn long_strings<D: Device>(device: &Arc<D>) {
    let mut random = Rng::with_seed(7);
    for (symbols, longest) in [(2, 800), (20, 450), (200, 300)] {
        for cost in COSTS {
            for limit in [None, Some(40)] {
                let pairs: Vec<_> = (0..35)
                    .map(|_| {
                        let a = common::texts::random(random.usize(longest / 2..longest), symbols, &mut random);
                        let b = common::texts::with_errors(&a[random.usize(..30)..], 35, symbols, &mut random);
                        (a, b)
                    })
                    .collect();
                check_listed(&**device, &pairs, cost, limit);
            }
        }
    }
}

#[test]
fn long_strings_are_computed_by_a_warp() {
    on_a_device!(long_strings());
}

#[test]
fn listed_pairs_are_in_the_lists_order() {
    on_a_device!(listed_shapes());
}

#[test]
fn blocks_are_smaller_where_memory_is_short() {
    let device = simt_launch::Simt::with_memory(800_000);
    let mut random = Rng::with_seed(6);
    let (a, b) = (strings(300, 4, &mut random, |_| 5), strings(290, 4, &mut random, |random| random.usize(..9)));
    check_all(&device, &a, &b, Cost::Levenshtein, None, Tuning::default());
    let mut blocks = 0;
    let mut count = |_: Block<'_>| {
        blocks += 1;
        Ok(())
    };
    DevicePairs::new(&device).all(&references(&a), &references(&b), Cost::Indel, &mut count).unwrap();
    assert!(blocks > 1);
}

#[test]
fn what_cannot_be_done_is_an_error() {
    let device = simt_launch::Simt::with_memory(100_000);
    let long = vec![b'a'; 30_000];
    let job = DevicePairs::new(&device);
    let error = job.all(&[&long], &[&long], Cost::Indel, &mut |_| Ok(())).unwrap_err();
    assert!(matches!(error, carrywave::Error::DeviceMemory { .. }), "{error}");
    let error = job.listed(&[[&long, &long]], Cost::Indel).unwrap_err();
    assert!(matches!(error, carrywave::Error::DeviceMemory { .. }), "{error}");
    let too_long = vec![b'a'; 1 << 20];
    for error in [
        job.all(&[&too_long], &[b""], Cost::Levenshtein, &mut |_| Ok(())).unwrap_err(),
        job.listed(&[[b"", &too_long]], Cost::Levenshtein).unwrap_err(),
    ] {
        assert!(matches!(error, carrywave::Error::Usage { .. }), "{error}");
    }
    // Empty lists are not an error.
    job.all(&[], &[b"a"], Cost::Levenshtein, &mut |_| panic!("no block")).unwrap();
    assert_eq!(job.listed(&[], Cost::Levenshtein).unwrap(), [0; 0]);
    // An error from `each` ends the job.
    let ended = job.all(&[b"a"], &[b"b"], Cost::Levenshtein, &mut |_| Err(carrywave::Error::Interrupted));
    assert!(matches!(ended, Err(carrywave::Error::Interrupted)));
}

#[test]
fn progress_adds_up_to_all_cells() {
    let device = simt_launch::Simt::default();
    let done = std::sync::atomic::AtomicU64::new(0);
    let count = |cells| {
        done.fetch_add(cells, std::sync::atomic::Ordering::Relaxed);
    };
    let job = DevicePairs::new(&device).progress(&count);
    job.all(&[b"abc", b"d"], &[b"ab", b""], Cost::Levenshtein, &mut |_| Ok(())).unwrap();
    job.listed(&[[b"abcd", b"ab"], [b"", b"x"]], Cost::Indel).unwrap();
    assert_eq!(done.load(std::sync::atomic::Ordering::Relaxed), 8 + 8);
    assert_eq!(job.timings().cells, 16);
}
