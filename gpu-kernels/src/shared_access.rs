//! Reads of shared memory at given places: what one warp access costs, on the simulator and on a GPU.
//!
//! **Idea.** Shared memory has 32 banks of 4 bytes; word a is in bank a mod 32. In one *wavefront* each bank serves one word,
//! to all lanes that ask for it. So a warp access takes as many wavefronts as the busiest bank is asked for different words,
//! whether its lanes read 4, 8 or 16 bytes each, and however many of them take part.
//!
//! ```text
//! 8 banks, 4 lanes      a word each      two words each      two words each
//!                       lane 0: 0        lane 0: 0 1         lane 0: 0 1
//!                       lane 1: 8        lane 1: 2 3         lane 1: 8 9
//!                       lane 2: 9        lane 2: 4 5         lane 2: 0 1
//!                       lane 3: 8        lane 3: 6 7         lane 3: 8 9
//!                       2: bank 0        1                   2: banks 0 and 1
//! ```
//!
//! **Cost** an access: its wavefronts, and one word of global memory a lane for where to read.

use crate::cuda::shared::{Shared, dynamic_shared_mem};
use crate::cuda::{Kernel, U32x4, global::Global, thread, warp};
use crate::{FULL_WARP, WARP, entry};

/// The place of a lane that does not take part in an access.
pub const NOWHERE: u32 = !0;

/// Bytes of the shared array.
pub const BYTES: u32 = 16 << 10;

/// Reads `turns` times, each lane an element of `SIZE` bytes. Launch: one block.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct SharedAccess<const SIZE: u32> {
    /// Where lane i reads in turn t: word 32 t + i, an element below [`BYTES`] / `SIZE` or [`NOWHERE`].
    pub places: Global<u32>,
    /// Warp accesses.
    pub turns: u32,
    /// Out: of each lane the exclusive or of its places.
    pub out: Global<u32>,
}

/// A kernel for elements of a type: element i, and all its words in one, which is i.
macro_rules! shared_access {
    ($($name:ident $element:ty = $element_of:expr, $folded:expr;)*) => {
        $(
            // SAFETY: repr(C); `entry!` below makes the entry of this name.
            unsafe impl Kernel for SharedAccess<{ size_of::<$element>() as u32 }> {
                const NAME: &'static str = stringify!($name);
                const BLOCK_THREADS: u32 = WARP;

                fn dynamic_shared_bytes(&self) -> u32 {
                    BYTES
                }

                #[inline(always)]
                unsafe fn run(self) {
                    let lane = thread::thread_idx_x();
                    let array: Shared<$element> = dynamic_shared_mem();
                    let element_of: fn(u32) -> $element = $element_of;
                    let folded: fn($element) -> u32 = $folded;
                    let mut i = lane;
                    while i < BYTES / size_of::<$element>() as u32 {
                        array.write(i, element_of(i));
                        i += WARP;
                    }
                    // SAFETY: all lanes are here.
                    unsafe { warp::sync_warp(FULL_WARP) };
                    let mut all = 0;
                    for turn in 0..self.turns {
                        let place = self.places.read((turn * WARP + lane) as usize);
                        if place != NOWHERE {
                            all ^= folded(array.read(place));
                        }
                        // One warp access a turn: the lanes go on together. SAFETY: all lanes are here.
                        unsafe { warp::sync_warp(FULL_WARP) };
                    }
                    self.out.write(lane as usize, all);
                }
            }

            entry!($name: SharedAccess<{ size_of::<$element>() as u32 }>);
        )*
    };
}

shared_access! {
    shared_access_4 u32 = |i| i, |word| word;
    shared_access_8 u64 = |i| u64::from(i) << 32, |words| (words ^ words >> 32) as u32;
    shared_access_16 U32x4 = |i| U32x4([0, 0, 0, i]), |U32x4(words)| words[0] ^ words[1] ^ words[2] ^ words[3];
}
