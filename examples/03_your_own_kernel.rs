//! A kernel of your own on the simulator, no GPU needed: `cargo run --release --example
//! 03_your_own_kernel`.
//!
//! A warp reads 32 symbols and stores the positions of the A's without gaps. Each lane votes; the
//! number of votes below its own bit is the index of its position. The book explains it in
//! chapter 8.

use simt_std::prelude::*;
use simt_std::simulator::{Options, Simulator};

/// Launch: one block; `text` has 32 symbols and `kept` has 32 words.
#[kernel(threads = WARP)]
fn keep(
    text: Global<u8>,
    kept: Global<u32>,
    /// 0 plants a bug: no barrier between the writes to shared memory and the reads.
    synchronise: u32,
) {
    let lane = warp::lane_id();
    shared_array!(positions: [u32; 32]);
    positions.write(lane, 0);
    // SAFETY: all 32 lanes are here.
    unsafe { warp::sync_warp(FULL_WARP) };
    let wanted = text.read(lane as usize) == b'A';
    // SAFETY: all 32 lanes are here.
    let ballot = unsafe { warp::warp_vote_ballot(FULL_WARP, wanted) };
    if wanted {
        positions.write((ballot & ((1 << lane) - 1)).count_ones(), lane);
    }
    if synchronise != 0 {
        // SAFETY: all 32 lanes are here, since they have the same parameters.
        unsafe { warp::sync_warp(FULL_WARP) };
    }
    if lane < ballot.count_ones() {
        kept.write(lane as usize, positions.read(lane));
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    let (text, kept) = (gpu.alloc::<u8>(32, "text"), gpu.alloc::<u32>(32, "kept"));
    gpu.upload(&text, b"GATTACAGATTACAGATTACAGATTACAGATT")?;
    let keep = Keep { text: text.handle(), kept: kept.handle(), synchronise: 1 };
    gpu.launch_kernel(1, keep)?;
    println!("A at {:?}\n\n{}", gpu.download(&kept, 12)?, gpu.costs());

    let fault = gpu.launch_kernel(1, Keep { synchronise: 0, ..keep }).expect_err("the simulator sees the race");
    println!("{fault}");
    Ok(())
}
