//! Compares the kernels on the simulator with independent oracles.

use carrywave_kernels::align::split::{self, Split};
use carrywave_kernels::collectives::add::{ConditionalSum, LookAhead, WarpAdd};
use carrywave_kernels::lcs::column_tiles::{self, ColumnTiles};
use carrywave_kernels::lcs::digits::{Code, Digits};
use carrywave_kernels::lcs::lane_column::{Lane, LaneColumn};
use carrywave_kernels::lcs::row_planes::{self, RowPlanes};
use carrywave_kernels::measure::device_test::{self, DeviceTest};
use carrywave_kernels::measure::shared_access::{self, Element, NO_ACCESS, SharedAccess};
use carrywave_kernels::measure::sums::Sums;
use num_bigint::BigUint;
use simt_std::simulator::{Access, Grid, Options, Simulator, Space};
use simt_std::{Kernel, U32x4};
use std::marker::PhantomData;

#[test]
fn the_device_layer_does_what_ptx_says() {
    for accounting in [false, true] {
        let mut gpu = Simulator::new(Options { accounting, ..Options::default() });
        let rows = gpu.alloc::<u32>((device_test::ROWS * device_test::THREADS) as usize, "rows");
        let atomics = gpu.alloc::<u32>(9, "atomics");
        gpu.upload(&atomics, &device_test::ATOMICS_BEFORE).unwrap();
        let wide = gpu.alloc::<u64>(device_test::THREADS as usize, "wide");
        gpu.upload(&wide, &[0; device_test::THREADS as usize]).unwrap();
        let kernel = DeviceTest { rows: rows.handle(), atomics: atomics.handle(), wide: wide.handle() };
        gpu.launch_kernel(1, kernel).unwrap();
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
        use simt_std::warp::{lane_id, warp_shuffle_idx};
        fn mirrored<T: simt_std::warp::WarpShuffleValue + PartialEq>(value: impl Fn(u32) -> T) -> bool {
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

/// Returns 1,024-bit operands with every relevant carry pattern.
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
        // Lanes that alternate between generate and propagate, and between propagate and kill.
        cases.push((lanes(&|_| !0), lanes(&|l| if l % 2 == phase { 1 } else { 0 })));
        cases.push((lanes(&|l| if l % 2 == phase { !0 } else { 0 }), [0; 32]));
    }
    for start in 0..32 {
        // One carry that starts in a lane and ripples to the top, and one carry that stops at a
        // lane.
        cases.push((lanes(&|_| !0), lanes(&|l| u32::from(l == start))));
        cases.push((lanes(&|l| if l == start { 0 } else { !0 }), lanes(&|l| u32::from(l == 0))));
    }
    for _ in 0..500 {
        // Lanes that propagate, generate, kill or hold arbitrary values, at random.
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

/// Compares a lane's step with the sum as one number. Carries in and out are packed as in the
/// wavefront.
fn check_lane<const W: usize>()
where
    Lane<W>: LaneColumn<W>,
{
    let mut random = fastrand::Rng::with_seed(W as u64);
    let ones = (BigUint::from(1u32) << (32 * W)) - 1u32;
    for case in 0..300 {
        // Words that propagate a carry, words that start or stop one, and arbitrary words.
        let mut word = |kind: u8| match (kind, random.u8(..8)) {
            (0, _) | (2, 0..5) => !0,
            (1, _) | (2, 5) => 0,
            (2, 6) => 1 << 31,
            _ => random.u32(..),
        };
        let mut v: [u32; W] = std::array::from_fn(|_| word(case as u8 % 4));
        let carries_in = word(case as u8 / 4 % 4);
        let (mut rest, mut carries_out) = (carries_in, 0);
        let (mut want, mut want_out) = (big(&v), 0u32);
        for column in 0..32 {
            let matches: [u32; W] = std::array::from_fn(|_| word((case / 16 + column) as u8 % 4));
            Lane::<W>::step(&mut v, &matches, &mut rest, &mut carries_out);
            let m = big(&matches);
            let sum = &want + (&want & &m) + (carries_in >> (31 - column) & 1);
            let carry = &sum >> (32 * W);
            want_out |= u32::try_from(carry).unwrap() << (31 - column);
            want = (&sum & &ones) | (&want & (&ones ^ m));
            assert_eq!(big(&v), want, "{W} words, case {case}, column {column}");
        }
        assert_eq!((carries_out, rest), (want_out, 0), "{W} words, case {case}: the first column's carry is highest");
    }
}

#[test]
fn a_lane_adds_with_carries_in_and_out() {
    macro_rules! widths {
        ($($words:literal)*) => { $(check_lane::<$words>();)* };
    }
    widths!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20);
}

/// Tables for the kernels that prepare strings: position of the first symbol, true if backwards,
/// and number of symbols.
const SPANS: [(u64, bool, u64); 9] = [
    (0, false, 1),
    (3, false, 31),
    (2999, true, 32),
    (40, false, 33),
    (500, true, 127),
    (700, false, 1023),
    (1100, true, 1024),
    (1, false, 2999),
    (2999, true, 3000),
];

#[test]
fn columns_are_cut_into_tiles() {
    let mut random = fastrand::Rng::with_seed(5);
    let text: Vec<u8> = (0..3000).map(|_| random.u8(..)).collect();
    for (tile, parts) in [(32, 1), (16, 3), (8, 2)] {
        check_tiles(&text, tile, parts, Digits { count: 1, bits: 8 });
        check_tiles(&text, tile, parts, Digits { count: 2, bits: 4 });
        check_tiles(&text, tile, parts, Digits { count: 3, bits: 3 });
        let tokens: Vec<u32> = (0..3000).map(|_| random.u32(..1 << 20)).collect();
        check_tiles(&tokens, tile, parts, Digits { count: 5, bits: 4 });
        check_tiles(&tokens, tile, parts, Digits { count: 6, bits: 5 });
    }
}

fn check_tiles<C: Code>(text: &[C], tile: u32, parts: u32, digits: Digits)
where
    ColumnTiles<C>: Kernel,
{
    let mut gpu = Simulator::default();
    let symbols = gpu.alloc::<C>(text.len(), "symbols");
    gpu.upload(&symbols, text).unwrap();
    let (mut fields, mut starts, mut all) = (Vec::new(), Vec::new(), 0);
    for (first, backward, n) in SPANS {
        fields.extend([first, if backward { u64::MAX } else { 1 }, n, all]);
        starts.push(all as usize);
        all += u64::from(digits.count) * column_tiles::groups(n, tile);
    }
    assert_eq!(fields.len(), SPANS.len() * column_tiles::FIELDS);
    let (tables, groups) = (gpu.alloc::<u64>(fields.len(), "tables"), gpu.alloc::<u64>(all as usize, "groups"));
    gpu.upload(&tables, &fields).unwrap();
    let kernel = ColumnTiles {
        symbols: symbols.handle(),
        tables: tables.handle(),
        parts,
        tile,
        digits: digits.count,
        digit_bits: digits.bits,
        groups: groups.handle(),
    };
    gpu.launch_kernel(parts * SPANS.len() as u32, kernel).unwrap();
    let groups = gpu.download(&groups, groups.len()).unwrap();
    for ((first, backward, n), start) in SPANS.into_iter().zip(starts) {
        let tiles = n.div_ceil(tile.into()) as usize;
        // Includes the spare tile, whose symbols are read ahead but not used.
        for column in 0..(tiles + 1) * tile as usize {
            let (number, inside) = (column / tile as usize, column % tile as usize);
            let position = if backward { first.wrapping_sub(column as u64) } else { first + column as u64 };
            let want = if (column as u64) < n { text[position as usize].number() } else { 0 };
            // The code from its digits, lowest first.
            let digit = |d: usize| {
                let group = groups[start + (d * tile as usize / 8 + inside / 8) * (tiles + 1) + number];
                u32::from((group >> (inside % 8 * 8)) as u8) << (d * digits.bits as usize)
            };
            let found: u32 = (0..digits.count as usize).map(digit).sum();
            assert_eq!(found, want, "tiles of {tile}, {n} columns, column {column}, {digits:?}");
        }
    }
}

#[test]
fn rows_are_bit_planes() {
    let mut random = fastrand::Rng::with_seed(6);
    for (planes, parts, padding) in [(1, 1, 0), (2, 2, 32), (5, 1, 96), (8, 3, 640)] {
        let text: Vec<u8> = (0..3000).map(|_| random.u64(..1 << planes) as u8).collect();
        let mut gpu = Simulator::default();
        let symbols = gpu.alloc::<u8>(text.len(), "symbols");
        gpu.upload(&symbols, &text).unwrap();
        let (mut fields, mut starts, mut all) = (Vec::new(), Vec::new(), 0);
        for (first, backward, m) in SPANS {
            let words = m.div_ceil(32).next_multiple_of(32) + padding;
            fields.extend([first, if backward { u64::MAX } else { 1 }, m, all, words]);
            starts.push((all as usize, words as usize));
            all += words;
        }
        assert_eq!(fields.len(), SPANS.len() * row_planes::FIELDS);
        let tables = gpu.alloc::<u64>(fields.len(), "tables");
        let words = gpu.alloc::<u32>(planes * all as usize, "planes");
        gpu.upload(&tables, &fields).unwrap();
        let kernel = RowPlanes {
            symbols: symbols.handle(),
            tables: tables.handle(),
            parts,
            planes: planes as u32,
            plane_words: all,
            words: words.handle(),
        };
        gpu.launch_kernel(parts * SPANS.len() as u32, kernel).unwrap();
        let words = gpu.download(&words, words.len()).unwrap();
        for ((first, backward, m), (start, count)) in SPANS.into_iter().zip(starts) {
            for row in 0..count * 32 {
                let position = if backward { first.wrapping_sub(row as u64) } else { first + row as u64 };
                let want = if (row as u64) < m { text[position as usize] } else { 0 };
                let bit = |plane: usize| words[plane * all as usize + start + row / 32] >> (row % 32) & 1;
                let got: u32 = (0..planes).map(|plane| bit(plane) << plane).sum();
                assert_eq!(got, u32::from(want), "{planes} planes, {m} rows, row {row}");
            }
        }
    }
}

/// Tests columns with chosen rows, so that the best row is the first, the last, one of many or the
/// only one.
#[test]
fn a_split_finds_the_least_of_the_best_rows() {
    let mut random = fastrand::Rng::with_seed(8);
    let (mut fields, mut v, mut want) = (Vec::new(), Vec::new(), Vec::new());
    for m in [1usize, 2, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 32767, 32768, 32800, 40001] {
        for kind in 0..8 {
            let mut growth = |backward: bool| -> Vec<bool> {
                let one = random.usize(..m);
                let row = |i: usize| match (kind, backward) {
                    (0, _) | (1, true) | (2, false) => false,
                    (1, false) | (2, true) | (3, _) => true,
                    // The lower half grows from both ends: the middle row is the only best one.
                    (4, _) => i < m / 2,
                    // Many best rows: those where neither column grows.
                    (5, _) => i < m / 3,
                    (6, _) => i == one,
                    _ => random.bool(),
                };
                (0..m).map(row).collect()
            };
            let (forward, backward) = (growth(false), growth(true));
            let lengths = |growth: &[bool]| -> Vec<u64> {
                growth.iter().fold(vec![0], |mut all, &grows| {
                    all.push(all[all.len() - 1] + u64::from(grows));
                    all
                })
            };
            let (l1, l2) = (lengths(&forward), lengths(&backward));
            let length = (0..=m).map(|i| l1[i] + l2[m - i]).max().unwrap();
            let row = (0..=m).position(|i| l1[i] + l2[m - i] == length).unwrap();
            want.extend([row as u64, length]);
            for growth in [forward, backward] {
                fields.push(v.len() as u64);
                // Bits past the last row are arbitrary.
                let mut words = vec![random.u32(..); m.div_ceil(32)];
                for (i, &grows) in growth.iter().enumerate() {
                    words[i / 32] = words[i / 32] & !(1 << (i % 32)) | u32::from(!grows) << (i % 32);
                }
                v.extend(words);
            }
            fields.push(m as u64);
        }
    }
    let count = fields.len() / split::FIELDS;
    let mut gpu = Simulator::default();
    let cuts = gpu.alloc::<u64>(fields.len(), "cuts");
    let columns = gpu.alloc::<u32>(v.len(), "columns");
    let found = gpu.alloc::<u64>(2 * count, "found");
    gpu.upload(&cuts, &fields).unwrap();
    gpu.upload(&columns, &v).unwrap();
    gpu.launch_kernel(
        count as u32,
        Split::<split::Length> {
            cuts: cuts.handle(),
            columns: columns.handle(),
            half: 0,
            found: found.handle(),
            gain: PhantomData,
        },
    )
    .unwrap();
    let found = gpu.download(&found, found.len()).unwrap();
    for (i, (got, want)) in found.chunks(2).zip(want.chunks(2)).enumerate() {
        assert_eq!(got, want, "row and length, m = {}, kind {}", fields[i * split::FIELDS + 2], i % 8);
    }
}

/// Accesses the given elements of shared memory. Returns the exclusive or of each lane's reads, and
/// the number of wavefronts.
fn shared_access<E: Element>(turns: &[[u32; 32]], write: bool) -> (Vec<u32>, u64)
where
    SharedAccess<E>: Kernel,
{
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    let list = turns.concat();
    let (places, out) = (gpu.alloc::<u32>(list.len(), "places"), gpu.alloc::<u32>(32, "out"));
    gpu.upload(&places, &list).unwrap();
    let kernel = SharedAccess::<E> {
        indices: places.handle(),
        accesses: turns.len() as u32,
        write: write.into(),
        out: out.handle(),
        element: PhantomData,
    };
    gpu.launch_kernel(1, kernel).unwrap();
    // The kernel fills the array before the first access, without conflicts.
    let made = u64::from(shared_access::BYTES) / 128;
    let [reads, writes] = [Access::Read, Access::Write].map(|of| gpu.costs().total_of(Space::Shared, of).wavefronts);
    assert_eq!(if write { reads } else { writes - made }, 0);
    (gpu.download(&out, 32).unwrap(), if write { writes - made } else { reads })
}

#[test]
fn shared_memory_is_accessed_where_a_list_says() {
    let one = |place| [place; 32];
    let far: [u32; 32] = std::array::from_fn(|lane| 32 * lane as u32);
    let some: [u32; 32] = std::array::from_fn(|lane| if lane < 7 { 5 } else { NO_ACCESS });
    let turns = [one(3), far, one(NO_ACCESS), some];
    let read: Vec<u32> = (0..32).map(|lane| 3 ^ (32 * lane) ^ if lane < 7 { 5 } else { 0 }).collect();
    assert_eq!(shared_access::<u32>(&turns, false), (read.clone(), 1 + 32 + 1));
    assert_eq!(shared_access::<u64>(&turns, false), (read.clone(), 1 + 2 * 16 + 1));
    assert_eq!(shared_access::<U32x4>(&turns, false), (read, 2 + 4 * 8 + 1));
    let turns = [far, one(NO_ACCESS), std::array::from_fn(|lane| lane as u32)];
    assert_eq!(shared_access::<u32>(&turns, true), (vec![0; 32], 32 + 1));
    assert_eq!(shared_access::<u64>(&turns, true), (vec![0; 32], 2 * 16 + 2));
    assert_eq!(shared_access::<U32x4>(&turns, true), (vec![0; 32], 4 * 8 + 4));
}
