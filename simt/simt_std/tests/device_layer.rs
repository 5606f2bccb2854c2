//! Compares every function of the device layer, under the simulator, with plain Rust.

use simt_std::atomic::{self, AtomicArray, AtomicInteger, AtomicWord, Order};
use simt_std::global::{Global, Slice};
use simt_std::simulator::{Fault, FaultKind, Grid, Simulator, Space};
use simt_std::thread::{UVec2, UVec3};
use simt_std::warp::{self, WarpReductionOp};
use simt_std::{F32x2, F32x4, FULL_WARP, U8x4, U32x2, U32x4, Word, printf, shared_array, thread};

/// Runs `kernel` on a copy of `before` and returns the copy after it.
fn run<T: Word>(grid: Grid, before: &[T], kernel: impl Fn(Global<T>) + 'static) -> Result<Vec<T>, Fault> {
    let mut gpu = Simulator::default();
    let data = gpu.alloc::<T>(before.len(), "data");
    gpu.upload(&data, before)?;
    let handle = data.handle();
    gpu.launch("test", grid, move || kernel(handle))?;
    gpu.download(&data, before.len())
}

/// Every type passes through global and shared memory, in an order that distinguishes the elements.
#[test]
fn words_of_every_type_are_moved() {
    macro_rules! moves {
        ($($t:ty: $value:expr;)*) => {$({
            let value: fn(u8) -> $t = $value;
            let before: Vec<$t> = (0..8).map(value).collect();
            let after = run(Grid::linear(1, 8), &before, |data| {
                shared_array!(there: [$t; 8]);
                let i = thread::thread_idx_x();
                there.write(i, data.read(i as usize));
                // SAFETY: every thread of the block is here.
                unsafe { thread::sync_threads() };
                data.write(i as usize, there.read(7 - i));
            });
            let mirrored: Vec<$t> = before.into_iter().rev().collect();
            assert_eq!(after.unwrap(), mirrored);
            assert_eq!(align_of::<$t>(), size_of::<$t>());
        })*};
    }
    moves! {
        u8: |i| 0xf0 + i;
        u16: |i| 0xf1f0 + u16::from(i);
        u32: |i| 0xf1f2_f3f0 + u32::from(i);
        u64: |i| u64::MAX - u64::from(i);
        i8: |i| -3 - i as i8;
        i16: |i| -300 - i16::from(i);
        i32: |i| -70_000 - i32::from(i);
        i64: |i| i64::MIN + i64::from(i);
        f32: |i| f32::from(i) - 0.5;
        f64: |i| f64::from(i) - 0.1;
        U8x4: |i| U8x4([i, 1, 2, 255]);
        U32x2: |i| U32x2([i.into(), !0]);
        U32x4: |i| U32x4([i.into(), 1, 2, !0]);
        F32x2: |i| F32x2([i.into(), -1.5]);
        F32x4: |i| F32x4([i.into(), -1.5, 2.5, 1e9]);
    }
}

/// Applies every operation to an element of its own; all elements have the value `current` before.
fn change_integers<A: AtomicArray>(array: A, operand: A::Element, current: A::Element)
where
    A::Element: AtomicInteger,
{
    atomic::fetch_add(array, 0, operand);
    atomic::fetch_min(array, 1, operand);
    atomic::fetch_max(array, 2, operand);
    atomic::fetch_and(array, 3, operand);
    atomic::fetch_or(array, 4, operand);
    atomic::fetch_xor(array, 5, operand);
    let before = atomic::exchange(array, 6, operand);
    atomic::compare_exchange(array, 7, current, operand);
    atomic::compare_exchange(array, 8, operand, before);
    atomic::store(array, 9, atomic::load(array, 6));
}

/// Floats are compared by their bits in the order of IEEE 754's totalOrder, and a NaN operand
/// changes nothing.
#[test]
fn minima_and_maxima_of_floats() {
    const NAN: f32 = f32::NAN;
    const INF: f32 = f32::INFINITY;
    // Old value, operand, minimum, maximum.
    let cases: [[f32; 4]; 16] = [
        [1.0, 2.0, 1.0, 2.0],
        [2.0, 1.0, 1.0, 2.0],
        [-1.0, -2.0, -2.0, -1.0],
        [-2.0, -1.0, -2.0, -1.0],
        [-1.0, 1.0, -1.0, 1.0],
        [1.0, -1.0, -1.0, 1.0],
        [0.0, -0.0, -0.0, 0.0],
        [-0.0, 0.0, -0.0, 0.0],
        [INF, 1.0, 1.0, INF],
        [1.0, -INF, -INF, 1.0],
        [1.0, NAN, 1.0, 1.0],
        [-1.0, -NAN, -1.0, -1.0],
        [NAN, 1.0, 1.0, NAN],
        [-NAN, 1.0, -NAN, 1.0],
        [NAN, -INF, -INF, NAN],
        [1e-45, 0.0, 0.0, 1e-45],
    ];
    for [old, operand, min, max] in cases {
        let got = run(Grid::linear(1, 1), &[old; 4], move |data: Global<f32>| {
            shared_array!(there: [f32; 2]);
            atomic::fetch_min(data, 0, operand);
            atomic::fetch_max(data, 1, operand);
            (0..2).for_each(|i| there.write(i, old));
            atomic::block(there, 0).fetch_min(operand, Order::Relaxed);
            atomic::block(there, 1).fetch_max(operand, Order::Relaxed);
            (0..2).for_each(|i| data.write(2 + i, there.read(i)));
        })
        .unwrap();
        assert_eq!(
            got.into_iter().map(f32::to_bits).collect::<Vec<_>>(),
            [min, max, min, max].map(f32::to_bits),
            "{old} {operand}"
        );
        let wide = run(Grid::linear(1, 1), &[f64::from(old); 2], move |data: Global<f64>| {
            let before = atomic::fetch_min(data, 0, operand.into());
            assert_eq!(before.to_bits(), f64::from(old).to_bits());
            atomic::fetch_max(data, 1, operand.into());
        })
        .unwrap();
        let bits: Vec<u64> = wide.into_iter().map(f64::to_bits).collect();
        assert_eq!(bits, [min, max].map(|float| f64::from(float).to_bits()), "{old} {operand}");
    }
}

/// Indices of every type reach the same elements, and those below 0 are outside.
#[test]
fn indices_of_all_types() {
    let got = run(Grid::linear(1, 1), &[0u32; 6], |data| {
        shared_array!(x: [u32; 6]);
        x.write(0u8, 10);
        x.write(1u16, 11);
        x.write(2u32, 12);
        x.write(3i32, 13);
        x.write(4usize, 14);
        x.write(5, 15);
        data.write(0u8, x.read(0usize));
        data.write(1u16, x.read(1u32));
        data.write(2u32, x.read(2u16));
        data.write(3i32, x.read(3u8));
        data.write(4usize, x.read(4));
        data.write(5, x.read(5i32));
        data.update(5u32, |value| value + 100);
        x.update(4u32, |value| value + 100);
        data.update(4, |value| value + x.read(4));
    });
    assert_eq!(got.unwrap(), [10, 11, 12, 13, 128, 115]);
    let outside: [fn(Global<u32>, u32); 8] = [
        |data, zero| {
            data.read(zero.wrapping_sub(1));
        },
        |data, zero| {
            data.read((zero as usize).wrapping_sub(1));
        },
        |data, zero| {
            data.read(zero as i32 - 1);
        },
        |data, zero| data.write(zero + (1 << 30), 1),
        |_, zero| table().write(zero.wrapping_sub(1), 1),
        |_, zero| table().write((zero as usize).wrapping_sub(1), 1),
        |_, zero| table().write(zero + (1 << 30), 1),
        |_, zero| table().write((zero as usize + 1) << 62, 1),
    ];
    fn table() -> simt_std::shared::Shared<u32> {
        shared_array!(table: [u32; 6]);
        table
    }
    for (i, kernel) in outside.into_iter().enumerate() {
        let fault = run(Grid::linear(1, 1), &[0u32; 6], move |data| kernel(data, data.read(0))).unwrap_err();
        assert!(matches!(fault.kind, FaultKind::OutOfBounds { .. }), "{i}: {fault}");
        if [1, 2, 4, 5].contains(&i) {
            assert!(fault.to_string().contains("element -1 of `"), "{i}: {fault}");
        }
    }
}

#[test]
fn cache_operators_change_no_result_and_no_check() {
    let got = run(Grid::linear(1, 1), &[1u32, 2, 3, 4, 5], |data| {
        data.stwb(0, data.ldca(4));
        data.stcg(1, data.ldcg(0) + 10);
        data.stcs(2, data.ldcs(1u32) + 10);
        data.stwt(3usize, data.ldlu(2) + 10);
        data.write(4, data.ldcv(3) + 10);
    });
    assert_eq!(got.unwrap(), [5, 15, 25, 35, 45]);
    let fault = run(Grid::linear(1, 2), &[1u32], |data| data.stcs(0, data.ldcg(0))).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::Race { .. }), "{fault}");
    let fault = run(Grid::linear(1, 1), &[1u32], |data| data.stcs(1, 0)).unwrap_err();
    assert!(matches!(fault.kind, FaultKind::OutOfBounds { .. }), "{fault}");
}

macro_rules! integers {
    ($($name:ident: $t:ty;)*) => {$(
        #[test]
        fn $name() {
            let (value, operand) = (<$t>::MAX - 5, <$t>::MIN + 0x59);
            let expected = [
                value.wrapping_add(operand),
                value.min(operand),
                value.max(operand),
                value & operand,
                value | operand,
                value ^ operand,
                operand,
                operand,
                value,
                operand,
            ];
            let global = run(Grid::linear(1, 1), &[value; 10], move |data| {
                change_integers(data, operand, value);
            });
            assert_eq!(global.unwrap(), expected);
            let shared = run(Grid::linear(1, 1), &[value; 10], move |data| {
                shared_array!(there: [$t; 10]);
                (0..10).for_each(|i| there.write(i, value));
                change_integers(there, operand, value);
                (0..10).for_each(|i| data.write(i as usize, there.read(i)));
            });
            assert_eq!(shared.unwrap(), expected);
        }
    )*};
}

integers! {
    atomics_of_u32: u32;
    atomics_of_i32: i32;
    atomics_of_u64: u64;
    atomics_of_i64: i64;
}

#[test]
fn atomics_of_floats_add_exchange_and_compare_bits() {
    fn check_atomics<T: AtomicWord + PartialEq + std::fmt::Debug>(values: [T; 2], sum: T) {
        let [one, other] = values;
        let global = run(Grid::linear(1, 1), &[one; 4], move |data| {
            atomic::fetch_add(data, 0, other);
            atomic::exchange(data, 1, other);
            atomic::compare_exchange(data, 2, one, other);
            atomic::compare_exchange(data, 3, other, other);
        });
        assert_eq!(global.unwrap(), [sum, other, other, one]);
    }
    check_atomics([1.5_f32, -0.25], 1.25);
    check_atomics([1e300_f64, 1e299], 1.1e300);
    // Negative zero equals zero, but has other bits.
    let zeros = run(Grid::linear(1, 1), &[0.0_f32], |data| {
        atomic::compare_exchange(data, 0, -0.0, 1.0);
    });
    assert_eq!(zeros.unwrap(), [0.0]);
}

#[test]
fn shared_atomics_give_every_thread_a_ticket() {
    let threads = 96;
    let tickets = run(Grid::linear(2, threads), &vec![0; 2 * threads as usize], move |data| {
        shared_array!(next: [u32; 1]);
        if thread::first() {
            next.write(0, 0);
        }
        // SAFETY: every thread of the block is here.
        unsafe { thread::sync_threads() };
        let ticket = atomic::block(next, 0).fetch_add(1, Order::Relaxed);
        data.write((thread::block_idx_x() * threads + ticket) as usize, thread::index_1d() + 1);
    });
    let mut tickets = tickets.unwrap();
    tickets.sort_unstable();
    assert_eq!(tickets, (1..=192).collect::<Vec<u32>>());
}

/// The last block to arrive adds up the words of all blocks. This needs the orders.
#[test]
fn release_and_acquire_pass_results_between_blocks() {
    let sum_by_the_last = |order: Order| {
        run(Grid::linear(5, 1), &[0_u32; 7], move |data| {
            let block = thread::block_idx_x() as usize;
            data.write(block, 10 + block as u32);
            if atomic::device(data, 5).fetch_add(1, order) == 4 {
                data.write(6, (0..5).map(|i| data.read(i)).sum());
            }
        })
    };
    assert_eq!(sum_by_the_last(Order::AcqRel).unwrap()[6], 60);
    assert!(matches!(sum_by_the_last(Order::Relaxed).unwrap_err().kind, FaultKind::Race { .. }));
    assert!(matches!(sum_by_the_last(Order::Release).unwrap_err().kind, FaultKind::Race { .. }));
}

/// Block 0 writes a word and sets a flag, block 1 waits for the flag and reads the word.
fn hand_over(raise: fn(Global<u32>), wait: fn(Global<u32>)) -> Result<Vec<u32>, Fault> {
    run(Grid::linear(2, 1), &[0, 0, 0], move |data| {
        if thread::block_idx_x() == 0 {
            data.write(0, 42);
            raise(data);
        } else {
            wait(data);
            data.write(2, data.read(0));
        }
    })
}

#[test]
fn acquire_and_release_and_fences_hand_a_word_over() {
    let wait_acquire = |data| while atomic::load_acquire(data, 1) == 0 {};
    let wait_relaxed = |data| while atomic::load(data, 1) == 0 {};
    let raise_relaxed = |data| atomic::store(data, 1, 1);
    assert_eq!(hand_over(|data| atomic::store_release(data, 1, 1), wait_acquire).unwrap()[2], 42);
    let add = |data| assert_eq!(atomic::fetch_add_acq_rel(data, 1, 1), 0);
    assert_eq!(hand_over(add, wait_acquire).unwrap()[2], 42);
    // A fence before a relaxed write, or after a relaxed read, also works.
    macro_rules! fenced {
        ($fence:path) => {
            hand_over(
                |data| {
                    $fence();
                    atomic::store(data, 1, 1);
                },
                |data| {
                    while atomic::load(data, 1) == 0 {}
                    $fence();
                },
            )
        };
    }
    assert_eq!(fenced!(thread::device_fence).unwrap()[2], 42);
    assert_eq!(fenced!(thread::system_fence).unwrap()[2], 42);
    // One half is not enough, nor is block scope between blocks.
    let races = |outcome: Result<Vec<u32>, Fault>| matches!(outcome.unwrap_err().kind, FaultKind::Race { .. });
    assert!(races(hand_over(raise_relaxed, wait_acquire)));
    assert!(races(hand_over(|data| atomic::store_release(data, 1, 1), wait_relaxed)));
    assert!(races(fenced!(thread::block_fence)));
}

#[test]
fn a_load_cannot_release_and_a_store_cannot_acquire() {
    let load = run(Grid::linear(1, 1), &[0_u32], |data| {
        atomic::device(data, 0).load(Order::Release);
    });
    let store = run(Grid::linear(1, 1), &[0_u32], |data| atomic::device(data, 0).store(1, Order::Acquire));
    for (outcome, words) in [(load, "an atomic read"), (store, "an atomic write")] {
        match outcome.unwrap_err().kind {
            FaultKind::Panic { message } => assert!(message.starts_with(words), "{message}"),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn slices_are_checked_by_line() {
    type Kernel = fn(Slice<u32>, usize);
    let outside = |access: Kernel| {
        run(Grid::linear(2, 32), &[7; 64], move |data| {
            let i = thread::index_1d() as usize;
            // The array has 64 elements: only the slice can refuse the last one.
            access(data.slice(63), i);
        })
    };
    let cases: [(Kernel, u32); 2] = [
        (|slice, i| slice.write(i, 1), line!()),
        (|slice, i| slice.part(i, 1).write(0, slice.part(0, 63).read(i)), line!()),
    ];
    for (access, line) in cases {
        let fault = outside(access).unwrap_err();
        assert_eq!(fault.location.unwrap().line(), line, "{fault}");
        assert_eq!(fault.thread.unwrap().block[0], 1);
        assert_eq!(fault.thread.unwrap().thread[0], 31);
        let place = fault.to_string();
        assert!(place.contains("of a slice of 63 elements"), "{place}");
        assert!(matches!(fault.kind, FaultKind::OutOfBounds { space: Space::Global, .. }));
    }
    let read = outside(|slice, i| assert_eq!(slice.read(i), 7)).unwrap_err();
    assert!(read.to_string().contains("element 63 of a slice of 63 elements"), "{read}");
    let doubled = outside(|slice, i| match slice.get(i) {
        Some(value) => slice.write(i, 2 * value),
        None => assert!(i == 63 && slice.len() == 63 && !slice.is_empty() && slice.array().slice(0).is_empty()),
    });
    assert_eq!(doubled.unwrap(), [vec![14; 63], vec![7]].concat());
}

/// The simulator itself finds a slice that is longer than its array.
#[test]
fn a_slice_longer_than_its_array_is_found() {
    let fault = run(Grid::linear(1, 1), &[0_u32; 4], |data| data.slice(5).write(4, 1)).unwrap_err();
    assert!(fault.to_string().contains("element 4 of `data` (4 elements)"), "{fault}");
}

#[test]
fn printf_prints_in_the_manner_of_c() {
    let mut gpu = Simulator::default();
    gpu.launch("print", Grid::linear(1, 2), || {
        let i = thread::thread_idx_x();
        printf!("thread %u: %5.2f|%-4d|%llx|%c%%\n", i, i as f32 / 2.0, -3, u64::MAX, b'a' + i as u8);
        if i == 1 {
            printf!("no argument\n");
        }
    })
    .unwrap();
    let lines = "thread 0:  0.00|-3  |ffffffffffffffff|a%\nthread 1:  0.50|-3  |ffffffffffffffff|b%\nno argument\n";
    assert_eq!(gpu.take_printed(), lines);
}

#[test]
fn barriers_that_vote_count_the_block() {
    let votes = run(Grid::linear(1, 70), &[0; 70], |data| {
        let i = thread::thread_idx_x();
        // SAFETY: every thread of the block is here.
        let (count, none, all, some, any, every) = unsafe {
            (
                thread::sync_threads_count(i.is_multiple_of(3)),
                thread::sync_threads_count(false),
                thread::sync_threads_and(i < 70),
                thread::sync_threads_and(i != 69),
                thread::sync_threads_or(i == 69),
                thread::sync_threads_or(i == 70),
            )
        };
        let bits = [all, some, any, every].iter().fold(0, |bits, &bit| bits << 1 | u32::from(bit));
        data.write(i as usize, count << 16 | none << 8 | bits);
    });
    assert_eq!(votes.unwrap(), [24 << 16 | 0b1010; 70]);
}

/// Threads see each other's earlier writes after such a barrier.
#[test]
fn barriers_that_vote_order_accesses() {
    let mirrored = run(Grid::linear(1, 64), &[0; 64], |data| {
        shared_array!(there: [u32; 64]);
        let i = thread::thread_idx_x();
        there.write(i, i);
        // SAFETY: every thread of the block is here.
        unsafe { thread::sync_threads_or(false) };
        data.write(i as usize, there.read(63 - i));
    });
    assert_eq!(mirrored.unwrap(), (0..64).rev().collect::<Vec<u32>>());
}

#[test]
fn indices_in_three_dimensions() {
    let grid = Grid { blocks: [3, 2, 2], threads: [4, 3, 2], ..Grid::linear(1, 1) };
    let seen = run(grid, &[0_u32; 12 * 24], |data| {
        let (t, b) = (thread::thread_idx(), thread::block_idx());
        assert_eq!((thread::block_dim(), thread::grid_dim()), (UVec3 { x: 4, y: 3, z: 2 }, UVec3 { x: 3, y: 2, z: 2 }));
        assert_eq!(thread::index_2d(), UVec2 { x: b.x * 4 + t.x, y: b.y * 3 + t.y });
        assert_eq!(thread::index_in_block(), t.x + 4 * t.y + 12 * t.z);
        assert_eq!(thread::first(), (t.x, t.y, t.z) == (0, 0, 0));
        assert_eq!((thread::warp_size(), warp::warp_id()), (32, 0));
        let number = (b.x + 3 * b.y + 6 * b.z) * 24 + thread::index_in_block();
        data.write(number as usize, number + 1);
    });
    assert_eq!(seen.unwrap(), (1..=288).collect::<Vec<u32>>());
}

#[test]
fn lanes_and_their_masks() {
    let outcome = run(Grid::linear(1, 64), &[0_u32], |_| {
        let lane = warp::lane_id();
        let below: u32 = (0..lane).map(|l| 1 << l).sum();
        let above = (lane + 1..32).map(|l| 1 << l).sum::<u32>();
        assert_eq!(warp::lanemask_lt(), below);
        assert_eq!(warp::lanemask_le(), below | 1 << lane);
        assert_eq!(warp::lanemask_eq(), 1 << lane);
        assert_eq!(warp::lanemask_ge(), above | 1 << lane);
        assert_eq!(warp::lanemask_gt(), above);
        assert_eq!(warp::activemask() & warp::lanemask_eq(), 1 << lane);
        assert_eq!(warp::warp_id(), thread::thread_idx_x() / 32);
    });
    outcome.unwrap();
}

#[test]
fn warps_reduce_values_of_every_type() {
    fn reduce<T: warp::WarpReduceValue>(value: T, op: WarpReductionOp) -> T {
        // SAFETY: all lanes are here.
        unsafe { warp::warp_reduce(value, op) }
    }
    run(Grid::linear(1, 32), &[0_u32], |_| {
        use WarpReductionOp::{Add, And, Max, Min, Or, Xor};
        let lane = warp::lane_id();
        assert_eq!(reduce(lane, Add), 496);
        assert_eq!([Min, Max].map(|op| reduce(lane as i32 - 16, op)), [-16, 15]);
        assert_eq!([And, Or, Xor].map(|op| reduce(1_u64 << 40 | u64::from(lane), op)), [1 << 40, 1 << 40 | 31, 0]);
        assert_eq!(reduce(i64::from(lane) << 33, Add), 496 << 33);
        assert_eq!([Add, Min, Max].map(|op| reduce(lane as f32 - 0.5, op)), [480.0, -0.5, 30.5]);
        assert_eq!(reduce(f64::from(lane), Add), 496.0);
        // SAFETY: all lanes are here.
        let ballot = unsafe { warp::warp_vote_ballot(FULL_WARP, lane % 2 == 1) };
        assert_eq!((ballot & warp::lanemask_lt()).count_ones(), lane / 2);
    })
    .unwrap();
}

#[test]
fn clocks_grow() {
    run(Grid::linear(1, 1), &[0_u32], |data| {
        let start = (thread::clock(), thread::clock64());
        thread::nanosleep(10);
        data.write(0, 1);
        assert!(thread::clock() > start.0 && thread::clock64() > start.1);
    })
    .unwrap();
}
