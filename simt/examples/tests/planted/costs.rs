//! Kernels that are right and slow: the simulator counts their accesses by line.

use crate::common::{barrier, run};
use crate::fault::{Found, Group, Planted, planted};
use simt_std::prelude::*;

/// Reads the columns of a tile whose rows are 32 words apart.
#[kernel(threads = 32)]
fn bank_conflicts(data: Global<u32>) {
    shared_array!(tile: [u32; 1024]);
    let t = thread::thread_idx_x();
    for row in 0..32 {
        tile.write(row * 32 + t, row);
    }
    barrier();
    let word = tile.read(t * 32); // fault: bank_conflicts
    data.write(t as usize, word);
}

/// Neighbouring lanes read words that are 32 words apart.
#[kernel(threads = 32)]
fn uncoalesced_access(data: Global<u32>) {
    let t = thread::thread_idx_x() as usize;
    let word = data.read(t * 32); // fault: uncoalesced_access
    data.write(t, word);
}

pub fn group() -> Group {
    let planted: Vec<Planted> = vec![
        planted("bank_conflicts", "32 lanes read one bank", Found::ByCosts { conflicts: 31, sectors: 0 }, |gpu| {
            run(gpu, 1, &[0; 32], |data| BankConflicts { data })
        }),
        planted(
            "uncoalesced_access",
            "neighbouring lanes read words far apart",
            Found::ByCosts { conflicts: 0, sectors: 32 },
            |gpu| run(gpu, 1, &[0; 1024], |data| UncoalescedAccess { data }),
        ),
    ];
    Group { title: "Slow kernels", file: file!(), text: include_str!("costs.rs"), planted }
}
