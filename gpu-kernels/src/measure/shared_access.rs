//! Accesses of shared memory at given places: what one access by a warp costs, on the simulator and on a GPU.
//!
//! **Idea.** Shared memory has 32 banks of 4 bytes; word a is in bank a mod 32. In one *wavefront* each bank serves one word,
//! to all lanes that ask for it. So an access of a word a lane takes as many wavefronts as the busiest bank is asked for different
//! words. Of 8 or 16 bytes a lane it is not as simple: how many lanes are served together is to be found out, and this kernel
//! is what to find it out with. What an H200 does is in `docs/simulator.md`.
//!
//! ```text
//! 8 banks, 4 lanes that read a word each, three turns
//!
//! places    0 1 2 3      0 8 9 8               5 5 5 .
//! takes     1            2: 0 and 8 in bank 0  1: one word, and a lane that takes no part
//! ```
//!
//! **Cost** an access: its wavefronts, and one word of global memory a lane for where to read.

use core::marker::PhantomData;
use simt_std::prelude::*;

/// The place of a lane that does not take part in an access.
pub const NOWHERE: u32 = !0;

/// Bytes of the shared array.
pub const BYTES: u32 = 16 << 10;

/// What one lane accesses at once: an element of 4, 8 or 16 bytes.
pub trait Element: Word {
    /// The element that lies at place i, made so that i can be told from it.
    fn new(i: u32) -> Self;
    /// The exclusive or of all its words, which is i.
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

/// Accesses an array in shared memory `turns` times, each lane an element a time. Launch: one block, which is a warp.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct SharedAccess<E> {
    /// The place of lane i in turn t: word 32 t + i, the number of an element that lies in [`BYTES`], or [`NOWHERE`]. To write, no
    /// two lanes may have the same.
    pub places: Global<u32>,
    /// How many accesses each lane makes.
    pub turns: u32,
    /// Whether to write (not 0) to each place the element that is there already, or to read it (0).
    pub write: u32,
    /// Out: a word a lane, the exclusive or of all places that it has read.
    pub out: Global<u32>,
    /// The type of the elements.
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
    for turn in 0..self.turns {
        let place = self.places.read((turn * WARP + lane) as usize);
        if place != NOWHERE {
            if self.write != 0 {
                array.write(place, E::new(place));
            } else {
                all ^= array.read(place).folded();
            }
        }
        // The lanes go on together, so that each turn is one access of the warp.
        // SAFETY: all lanes are here.
        unsafe { warp::sync_warp(FULL_WARP) };
    }
    self.out.write(lane as usize, all);
}
