//! Calls every function of the device layer once, in one kernel, to compare a machine with PTX's
//! rules. The tests compare the simulator; `carrywave verify` compares a GPU.
//!
//! Each check fills one row of the output, one word per thread. [`expected`] computes the rows from
//! PTX's definitions.

use simt_std::integer;
use simt_std::prelude::*;
use simt_std::warp::WarpReductionOp;

/// Threads of the block: two warps.
pub const THREADS: u32 = 64;

/// Segment widths of the tested shuffles.
const WIDTHS: [u32; 6] = [1, 2, 4, 8, 16, 32];

/// Operands (distance, lane or mask) of the tested shuffles.
const OPERANDS: [u32; 6] = [0, 1, 2, 5, 16, 31];

/// Rows of the output: 4 types of shuffle × widths × operands × (value, flag), plus the other
/// checks.
pub const ROWS: u32 = 4 * 36 * 2 + 28;

/// Returns a value that differs between threads and between the halves of a 64-bit word.
#[inline(always)]
fn mixed(thread: u32) -> u32 {
    thread.wrapping_mul(0x9e37_79b9) ^ 0x5bd1_e995
}

/// The output of a thread: one word per row.
struct Rows {
    rows: Global<u32>,
    thread: u32,
    /// Index of the next row.
    row: u32,
}

impl Rows {
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn put(&mut self, word: u32) {
        self.rows.write((self.row * THREADS + self.thread) as usize, word);
        self.row += 1;
    }
}

/// Calls every function of the device layer. Launch: one block.
#[kernel(threads = THREADS, shared = THREADS * 16)]
pub fn device_test(
    /// Out: [`ROWS`] × [`THREADS`] words.
    rows: Global<u32>,
    /// In and out: 9 words for the atomics, [`ATOMICS_BEFORE`] before the launch and
    /// [`ATOMICS_AFTER`] after it.
    atomics: Global<u32>,
    /// Working memory: [`THREADS`] words of 64 bits for the 64-bit atomics. All are 0 before the
    /// launch.
    wide: Global<u64>,
) {
    let i = thread::thread_idx_x();
    let lane = warp::lane_id();
    let value = mixed(i);
    let mut rows = Rows { rows, thread: i, row: 0 };
    // SAFETY: all lanes of both warps are here.
    unsafe {
        shuffles(&mut rows, value);
        wide_shuffle(&mut rows, u64::from(value) << 32 | u64::from(!value));
        votes(&mut rows, value, lane);
        reductions(&mut rows, value);
        shared_memory(&mut rows, i, lane, value);
    }
    rows.put(thread::index_1d() << 16 | thread::block_dim_x() << 8 | thread::grid_dim_x());
    rows.put(integer::dp4a(value, !mixed(i ^ 1), i));
    rows.put(integer::lop3::<{ integer::LOP3_A ^ (integer::LOP3_B & !integer::LOP3_C) }>(value, mixed(i ^ 1), i));
    // SAFETY: as above.
    unsafe { wide_atomics(&mut rows, wide, i, u64::from(!value) << 32 | u64::from(value)) };
    narrow_atomics(&mut rows, atomics, i, lane);
}

/// Tests the shuffles, with all widths and operands.
///
/// # Safety
/// All lanes of the warp call it together.
#[inline(always)]
unsafe fn shuffles(rows: &mut Rows, value: u32) {
    for &width in &WIDTHS {
        for &operand in &OPERANDS {
            // SAFETY: the caller guarantees that all lanes are here.
            unsafe {
                let (up, up_in) = warp::warp_shuffle_up(FULL_WARP, value, operand, width);
                let (down, down_in) = warp::warp_shuffle_down(FULL_WARP, value, operand, width);
                let (idx, idx_in) = warp::warp_shuffle_idx(FULL_WARP, value, operand, width);
                let (xor, xor_in) = warp::warp_shuffle_xor(FULL_WARP, value, operand, width);
                rows.put(up);
                rows.put(up_in.into());
                rows.put(down);
                rows.put(down_in.into());
                rows.put(idx);
                rows.put(idx_in.into());
                rows.put(xor);
                rows.put(xor_in.into());
            }
        }
    }
}

/// Tests a shuffle of 64 bits.
///
/// # Safety
/// All lanes of the warp call it together.
#[inline(always)]
unsafe fn wide_shuffle(rows: &mut Rows, value: u64) {
    // SAFETY: the caller guarantees that all lanes are here.
    let (wide, _) = unsafe { warp::warp_shuffle_xor(FULL_WARP, value, 3, 32) };
    rows.put(wide as u32);
    rows.put((wide >> 32) as u32);
}

/// Tests the votes, one of them with the even lanes only, and the match.
///
/// # Safety
/// All lanes of the warp call it together.
#[inline(always)]
unsafe fn votes(rows: &mut Rows, value: u32, lane: u32) {
    // SAFETY: the caller guarantees that all lanes are here; so all lanes of a partial mask are,
    // too.
    unsafe {
        rows.put(warp::warp_vote_all(FULL_WARP, lane < 31).into());
        rows.put(warp::warp_vote_all(FULL_WARP, lane < 32).into());
        rows.put(warp::warp_vote_any(FULL_WARP, lane > 31).into());
        rows.put(warp::warp_vote_any(FULL_WARP, lane > 30).into());
        rows.put(warp::warp_vote_ballot(FULL_WARP, value & 1 == 1));
        rows.put(if lane & 1 == 0 { warp::warp_vote_ballot(0x5555_5555, lane < 8) } else { 0 });
        rows.put(warp::warp_match_any(FULL_WARP, lane % 5));
    }
}

/// Tests the reductions.
///
/// # Safety
/// All lanes of the warp call it together.
#[inline(always)]
unsafe fn reductions(rows: &mut Rows, value: u32) {
    // SAFETY: the caller guarantees that all lanes are here.
    unsafe {
        rows.put(warp::warp_reduce(value, WarpReductionOp::Add));
        rows.put(warp::warp_reduce(value, WarpReductionOp::Min));
        rows.put(warp::warp_reduce(value, WarpReductionOp::Max));
        rows.put(warp::warp_reduce(value | 6, WarpReductionOp::And));
        rows.put(warp::warp_reduce(value & !9, WarpReductionOp::Or));
        rows.put(warp::warp_reduce(value, WarpReductionOp::Xor));
    }
}

/// Tests shared memory, static and dynamic, with words of all sizes. A thread reads words that the
/// other warp wrote, and bytes that a lane of its own warp wrote.
///
/// # Safety
/// All threads of the block call it together.
#[inline(always)]
unsafe fn shared_memory(rows: &mut Rows, i: u32, lane: u32, value: u32) {
    shared_array!(words: [u32; 64]);
    words.write(i, value);
    let vectors = dynamic_shared_mem::<U32x4>();
    vectors.write(i, U32x4([value, i, !value, lane]));
    // SAFETY: the caller guarantees that all threads are here, also below.
    unsafe { thread::sync_threads() };
    rows.put(words.read(THREADS - 1 - i));
    let U32x4([a, b, c, d]) = vectors.read(THREADS - 1 - i);
    rows.put(a ^ b ^ c ^ d);
    let pairs = dynamic_shared_mem::<u64>();
    rows.put((pairs.read(2 * (THREADS - 1 - i)) >> 32) as u32);
    let bytes = dynamic_shared_mem::<u8>();
    rows.put(bytes.read(16 * (THREADS - 1 - i)).into());
    // Each thread writes its own byte, then reads that of a neighbour in the warp.
    // SAFETY: as above.
    unsafe {
        warp::sync_warp(FULL_WARP);
        thread::sync_threads();
        bytes.write(i, i as u8);
        warp::sync_warp(FULL_WARP);
    }
    rows.put(bytes.read(i ^ 1).into());
}

/// Tests atomic loads and stores of 64 bits: a thread reads the other warp's word and then, for one
/// thread in three, its own.
///
/// # Safety
/// All threads of the block call it together.
#[inline(always)]
unsafe fn wide_atomics(rows: &mut Rows, wide: Global<u64>, i: u32, value: u64) {
    atomic::store_64(wide, i as usize, value);
    // SAFETY: the caller guarantees that all threads are here.
    unsafe { thread::sync_threads() };
    let word = atomic::load_64(wide, (THREADS - 1 - i) as usize);
    rows.put(word as u32);
    rows.put((word >> 32) as u32);
    let mut word = u64::from(i) << 32 | 5;
    atomic::load_64_if(i.is_multiple_of(3), wide, i as usize, &mut word);
    rows.put(word as u32);
    rows.put((word >> 32) as u32);
}

/// Tests atomic operations of 32 bits, on words that all threads share.
#[inline(always)]
fn narrow_atomics(rows: &mut Rows, atomics: Global<u32>, i: u32, lane: u32) {
    atomic::fetch_add(atomics, 0, i);
    atomic::fetch_max(atomics, 1, i);
    atomic::fetch_min(atomics, 2, i);
    atomic::fetch_or(atomics, 3, 1 << lane);
    atomic::fetch_and(atomics, 4, !(1 << lane));
    atomic::fetch_xor(atomics, 5, if i < 3 { 1 << i } else { 0 });
    atomic::store(atomics, 6, 5);
    let claimed = atomic::compare_exchange(atomics, 7, 7, 8) == 7;
    rows.put(if claimed { 1 } else { 0 });
    if claimed {
        atomic::exchange(atomics, 8, atomic::load(atomics, 7));
    }
}

/// Contents of `atomics` before the launch.
pub const ATOMICS_BEFORE: [u32; 9] = [0, 0, 9, 0, !0, 0, 0, 7, 7];

/// Contents of `atomics` after the launch.
pub const ATOMICS_AFTER: [u32; 9] = [63 * 64 / 2, 63, 0, !0, 0, 0b111, 5, 8, 8];

/// Returns the rows that PTX's rules require, except the last row. There one arbitrary thread has 1
/// and the others have 0.
#[cfg(not(target_arch = "nvptx64"))]
pub fn expected() -> Vec<u32> {
    let mut rows = Vec::new();
    let mut put = |f: &dyn Fn(u32) -> u32| rows.extend((0..THREADS).map(f));
    // PTX's definition of shfl.sync: the lane to read, and whether it is in range, from c = segment
    // mask and clamp.
    let ptx = |kind: u32, lane: u32, b: u32, width: u32| -> (u32, bool) {
        let clamp = if kind == 0 { 0 } else { 31 };
        let segment = 32 - width;
        let max_lane = (lane & segment) | (clamp & !segment);
        let min_lane = lane & segment;
        let (j, inside) = match kind {
            0 => (lane.wrapping_sub(b), lane as i32 - b as i32 >= max_lane as i32),
            1 => (lane + b, lane + b <= max_lane),
            2 => (min_lane | (b & !segment), (min_lane | (b & !segment)) <= max_lane),
            _ => (lane ^ b, lane ^ b <= max_lane),
        };
        (if inside { j } else { lane }, inside)
    };
    for width in WIDTHS {
        for b in OPERANDS {
            for kind in 0..4 {
                put(&|i| mixed(i / 32 * 32 + ptx(kind, i % 32, b, width).0));
                put(&|i| ptx(kind, i % 32, b, width).1.into());
            }
        }
    }
    let over_warp = |i: u32, f: &dyn Fn(u32, u32) -> u32, map: &dyn Fn(u32) -> u32| {
        (i / 32 * 32..i / 32 * 32 + 32).map(|t| map(mixed(t))).reduce(f).expect("32 lanes")
    };
    let bits = |i: u32, f: &dyn Fn(u32) -> bool| (0..32).filter(|l| f(i / 32 * 32 + l)).map(|l| 1 << l).sum::<u32>();
    let mirror = |i: u32| THREADS - 1 - i;
    put(&|i| !mixed(i ^ 3));
    put(&|i| mixed(i ^ 3));
    for all_or_any in [0, 1, 0, 1] {
        put(&|_| all_or_any);
    }
    put(&|i| bits(i, &|t| mixed(t) & 1 == 1));
    put(&|i| if i % 2 == 0 { 0b0101_0101 } else { 0 });
    put(&|i| bits(i, &|t| t % 32 % 5 == i % 32 % 5));
    put(&|i| over_warp(i, &u32::wrapping_add, &|v| v));
    put(&|i| over_warp(i, &|a, b| a.min(b), &|v| v));
    put(&|i| over_warp(i, &|a, b| a.max(b), &|v| v));
    put(&|i| over_warp(i, &|a, b| a & b, &|v| v | 6));
    put(&|i| over_warp(i, &|a, b| a | b, &|v| v & !9));
    put(&|i| over_warp(i, &|a, b| a ^ b, &|v| v));
    put(&|i| mixed(mirror(i)));
    put(&|i| !0 ^ mirror(i) ^ (mirror(i) % 32));
    put(&mirror);
    put(&|i| mixed(mirror(i)) & 0xff);
    put(&|i| i ^ 1);
    put(&|i| i << 16 | THREADS << 8 | 1);
    put(&|i| {
        let byte = |word: u32, k: u32| word >> (8 * k) & 0xff;
        (0..4).map(|k| byte(mixed(i), k) * byte(!mixed(i ^ 1), k)).sum::<u32>() + i
    });
    put(&|i| mixed(i) ^ (mixed(i ^ 1) & !i));
    put(&|i| mixed(mirror(i)));
    put(&|i| !mixed(mirror(i)));
    put(&|i| if i.is_multiple_of(3) { mixed(i) } else { 5 });
    put(&|i| if i.is_multiple_of(3) { !mixed(i) } else { i });
    rows
}
