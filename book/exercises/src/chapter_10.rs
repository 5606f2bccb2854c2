//! Exercises of chapter 10: Order between blocks.

use simt_std::collective;
use simt_std::prelude::*;

/// Exercise `two_halves`: counts the spaces of a text of 64 symbols with two blocks. Each block
/// counts those of its half; the block that draws ticket 0 hands its count to the other, which
/// writes the sum to `spaces`. The hand-over is not ordered: repair it. Launch: 2 blocks;
/// `tickets`, `flag`, `first` and `spaces` have one element, and `tickets` and `flag` are 0.
#[kernel(threads = WARP)]
pub fn two_halves(text: Global<u8>, tickets: Global<u32>, first: Global<u32>, flag: Global<u32>, spaces: Global<u32>) {
    let is_space = text.read(thread::index_1d()) == b' ';
    // SAFETY: all 32 lanes are here.
    let own = unsafe { warp::warp_vote_ballot(FULL_WARP, is_space) }.count_ones();
    if warp::lane_id() == 0 {
        if atomic::fetch_add(tickets, 0, 1) == 0 {
            first.write(0, own);
            atomic::store(flag, 0, 1);
        } else {
            while atomic::load(flag, 0) == 0 {}
            spaces.write(0, first.read(0) + own);
        }
    }
}

/// Exercise `last_block_sum`: writes the sum of all numbers to `sum`, in one launch. Each block
/// adds up its 256 numbers; the kernel does this already, and thread 0 has the result. Complete it:
/// thread 0 writes the sum of its block to `partial` and counts the block in `arrived`. The thread
/// that counts last adds up all of `partial`. Launch: n / 256 blocks, rounded up; `numbers` has n
/// elements, `partial` one for each block; `arrived` and `sum` have one, and `arrived` is 0.
#[kernel(threads = 256)]
pub fn last_block_sum(numbers: Global<u32>, n: u32, partial: Global<u32>, arrived: Global<u32>, sum: Global<u32>) {
    shared_array!(scratch: [u32; 8]);
    let i = thread::index_1d();
    let number = if i < n { numbers.read(i) } else { 0 };
    // SAFETY: all threads of the block are here.
    let of_block = unsafe { collective::block_reduce(scratch, number, |a, b| a + b) };
    // Your code here.
}

/// Exercise `squeeze`: copies a text without its spaces, in one launch. Each block has a tile of 32
/// symbols, and needs the number of symbols that all tiles before its own keep. Let each block wait
/// for the prefix of the tile before it: this is `line_ends` without totals. Launch: n / 32 blocks,
/// rounded up; `text` and `kept` have n symbols; `prefixes` and `flags` have an element for each
/// block, `tickets` has one; `tickets` and all `flags` are 0.
#[kernel(threads = WARP)]
pub fn squeeze(
    text: Global<u8>,
    n: u32,
    kept: Global<u8>,
    tickets: Global<u32>,
    prefixes: Global<u32>,
    flags: Global<u32>,
) {
    // Your code here.
}
