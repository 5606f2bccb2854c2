//! Solutions of chapter 10: order between blocks.

use simt_std::collective;
use simt_std::prelude::*;

// ANCHOR: two_halves
/// Exercise `two_halves`: counts the spaces of a text of 64 symbols with two blocks. Launch: 2
/// blocks; `tickets`, `flag`, `first` and `spaces` have one element; `tickets` and `flag` are 0.
#[kernel(threads = WARP)]
pub fn two_halves(text: Global<u8>, tickets: Global<u32>, first: Global<u32>, flag: Global<u32>, spaces: Global<u32>) {
    let is_space = text.read(thread::index_1d()) == b' ';
    // SAFETY: all 32 lanes are here.
    let own = unsafe { warp::warp_vote_ballot(FULL_WARP, is_space) }.count_ones();
    if warp::lane_id() == 0 {
        if atomic::fetch_add(tickets, 0, 1) == 0 {
            first.write(0, own);
            atomic::store_release(flag, 0, 1);
        } else {
            while atomic::load_acquire(flag, 0) == 0 {}
            spaces.write(0, first.read(0) + own);
        }
    }
}
// ANCHOR_END: two_halves

// ANCHOR: last_block_sum
/// Exercise `last_block_sum`: writes the sum of all numbers to `sum`. Launch: n / 256 blocks,
/// rounded up; `numbers` has n elements, `partial` one for each block; `arrived` and `sum` have
/// one, and `arrived` is 0.
#[kernel(threads = 256)]
pub fn last_block_sum(numbers: Global<u32>, n: u32, partial: Global<u32>, arrived: Global<u32>, sum: Global<u32>) {
    shared_array!(scratch: [u32; 8]);
    let i = thread::index_1d();
    let number = if i < n { numbers.read(i) } else { 0 };
    // SAFETY: all threads of the block are here.
    let of_block = unsafe { collective::block_reduce(scratch, number, |a, b| a + b) };
    if thread::thread_idx_x() == 0 {
        partial.write(thread::block_idx_x(), of_block);
        let before = atomic::fetch_add_acq_rel(arrived, 0, 1);
        if before == thread::grid_dim_x() - 1 {
            sum.write(0, (0..thread::grid_dim_x()).map(|block| partial.read(block)).sum());
        }
    }
}
// ANCHOR_END: last_block_sum

// ANCHOR: squeeze
/// Exercise `squeeze`: copies a text without its spaces. Launch: n / 32 blocks, rounded up; `text`
/// and `kept` have n symbols; `prefixes` and `flags` have an element for each block, `tickets` has
/// one; `tickets` and all `flags` are 0.
#[kernel(threads = WARP)]
pub fn squeeze(
    text: Global<u8>,
    n: u32,
    kept: Global<u8>,
    tickets: Global<u32>,
    prefixes: Global<u32>,
    flags: Global<u32>,
) {
    let lane = warp::lane_id();
    let ticket = if lane == 0 { atomic::fetch_add(tickets, 0, 1) } else { 0 };
    // SAFETY: all 32 lanes are here.
    let tile = unsafe { warp::shfl_sync(FULL_WARP, ticket, 0, WARP) };
    let i = tile * WARP + lane;
    let symbol = if i < n { text.read(i) } else { b' ' };
    // SAFETY: all 32 lanes are here.
    let stays = unsafe { warp::warp_vote_ballot(FULL_WARP, symbol != b' ') };
    let mut before = 0;
    if lane == 0 {
        if tile > 0 {
            while atomic::load_acquire(flags, tile - 1) == 0 {}
            before = prefixes.read(tile - 1);
        }
        prefixes.write(tile, before + stays.count_ones());
        atomic::store_release(flags, tile, 1);
    }
    // SAFETY: all 32 lanes are here.
    let before = unsafe { warp::shfl_sync(FULL_WARP, before, 0, WARP) };
    if symbol != b' ' {
        kept.write(before + (stays & warp::lanemask_lt()).count_ones(), symbol);
    }
}
// ANCHOR_END: squeeze
