//! Accesses given elements of shared memory, to measure the cost of one access by a warp on the
//! simulator and on a GPU.
//!
//! **Idea.** Shared memory has 32 banks of 4 bytes; word a is in bank a mod 32. In one *wavefront*
//! each bank serves one word, to all lanes that request it. So an access of one word per lane takes
//! as many wavefronts as the busiest bank has different words requested. Accesses of 8 or 16 bytes
//! per lane are less simple: the number of lanes served together is unknown, and this kernel
//! measures it. `docs/simulator.md` has the results for an H200.
//!
//! ```text
//! 8 banks, 4 lanes that read one word each, three accesses
//!
//! elements    0 1 2 3      0 8 9 8               5 5 5 .
//! wavefronts  1            2: 0 and 8 in bank 0  1: one word; the last lane takes no part
//! ```
//!
//! **Cost** per access: its wavefronts, and one word of global memory per lane for the element's
//! index.

use core::marker::PhantomData;
use simt_std::prelude::*;

/// The index of a lane that takes no part in an access.
pub const NO_ACCESS: u32 = !0;

/// Bytes of the shared array.
pub const BYTES: u32 = 16 << 10;

/// The unit that one lane accesses at once: an element of 4, 8 or 16 bytes.
pub trait Element: Word {
    /// Returns the element at index i. Its value encodes i, which [`folded`](Self::folded)
    /// recovers.
    fn new(i: u32) -> Self;
    /// Returns the exclusive or of the element's words, which is i.
    fn folded(self) -> u32;
}

impl Element for u32 {
    #[inline(always)]
    fn new(i: u32) -> Self {
        i
    }

    #[inline(always)]
    fn folded(self) -> u32 {
        self
    }
}

impl Element for u64 {
    #[inline(always)]
    fn new(i: u32) -> Self {
        Self::from(i) << 32
    }

    #[inline(always)]
    fn folded(self) -> u32 {
        (self ^ self >> 32) as u32
    }
}

impl Element for U32x4 {
    #[inline(always)]
    fn new(i: u32) -> Self {
        Self([0, 0, 0, i])
    }

    #[inline(always)]
    fn folded(self) -> u32 {
        self.0[0] ^ self.0[1] ^ self.0[2] ^ self.0[3]
    }
}

/// Accesses an array in shared memory `accesses` times; each lane accesses one element at a time.
/// Launch: one block of one warp.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct SharedAccess<E> {
    /// Word 32 t + i: the index of the element that lane i accesses in access t, within [`BYTES`],
    /// or [`NO_ACCESS`]. For writes, no two lanes may share an index.
    pub indices: Global<u32>,
    /// Number of accesses per lane.
    pub accesses: u32,
    /// Nonzero: write back the elements that are in the array already. Zero: read them.
    pub write: u32,
    /// Out: one word per lane, the exclusive or of all indices that it read.
    pub out: Global<u32>,
    /// Type of the elements.
    pub element: PhantomData<E>,
}

#[kernel(
    threads = WARP,
    shared = BYTES,
    instances = [shared_access_4: (u32), shared_access_8: (u64), shared_access_16: (U32x4)]
)]
fn shared_access<E: Element>(self: SharedAccess<E>) {
    let lane = thread::thread_idx_x();
    let array: Shared<E> = dynamic_shared_mem();
    let mut i = lane;
    while i < BYTES / size_of::<E>() as u32 {
        array.write(i, E::new(i));
        i += WARP;
    }
    // SAFETY: all lanes are here.
    unsafe { warp::sync_warp(FULL_WARP) };
    let mut all = 0;
    for access in 0..self.accesses {
        let index = self.indices.read((access * WARP + lane) as usize);
        if index != NO_ACCESS {
            if self.write != 0 {
                array.write(index, E::new(index));
            } else {
                all ^= array.read(index).folded();
            }
        }
        // The lanes synchronise, so that each iteration is one access of the whole warp.
        // SAFETY: all lanes are here.
        unsafe { warp::sync_warp(FULL_WARP) };
    }
    self.out.write(lane as usize, all);
}
