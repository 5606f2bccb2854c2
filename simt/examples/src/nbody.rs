//! Gravity: every body attracts every other one.
//!
//! ```text
//!         Σ  m  d                      d: the vector to the other body, m: its mass
//!     a = j ─────────────               ε: softening, which keeps the quotient finite
//!           (d² + ε²)^1.5
//! ```
//!
//! **Threads.** One thread per body, in blocks of 128. Every thread needs all bodies, so the block
//! loads them in tiles of 128, one body per thread, and each thread then takes all of a tile from
//! shared memory. All lanes of a warp read the same body at once: a broadcast, without conflicts.
//!
//! **The reciprocal root** is one instruction, `rsqrt.approx`, with an error of 2^-22.9. A root and
//! a division, both exact, take more than 20. The exponent 1.5 is three multiplications by it.
//!
//! **Cost** per pair of bodies: 12 instructions on `f32`, eight of them multiply-adds, one `rsqrt`,
//! and one 128-bit read from shared memory. From global memory, each of the ⌈n / 128⌉ blocks reads
//! all n bodies once, besides each thread's own.

use simt_std::prelude::*;

/// Bodies of a tile, and threads of a block.
pub const THREADS: u32 = 128;

/// ε², added to the square of each distance.
pub const SOFTENING: f32 = 0.01;

/// Accelerations by all bodies. Launch: ⌈n / [`THREADS`]⌉ blocks; both arrays have n elements, n is
/// at most 2^31.
#[kernel(threads = THREADS)]
pub fn nbody(
    /// x, y, z and the mass of each body.
    bodies: Global<F32x4>,
    /// x, y, z of each acceleration, and 0; needs no initial value.
    accelerations: Global<F32x4>,
    /// Number of bodies.
    n: u32,
) {
    shared_array!(tile: [F32x4; THREADS as usize]);
    let (i, lane) = (thread::index_1d(), thread::thread_idx_x());
    // A body of mass 0 attracts nothing: it fills the last tile.
    let body = |i: u32| if i < n { bodies.read(i as usize) } else { F32x4([0.0; 4]) };
    let F32x4([x, y, z, _]) = body(i);
    let (mut ax, mut ay, mut az) = (0.0_f32, 0.0_f32, 0.0_f32);
    let mut first = 0;
    while first < n {
        tile.write(lane, body(first + lane));
        // SAFETY: every thread of the block is here, because n is the same in all threads.
        unsafe { thread::sync_threads() };
        for j in 0..THREADS {
            let F32x4([other_x, other_y, other_z, mass]) = tile.read(j);
            let (dx, dy, dz) = (other_x - x, other_y - y, other_z - z);
            let square = dx.mul_add(dx, dy.mul_add(dy, dz.mul_add(dz, SOFTENING)));
            let inverse = float::fast::rsqrt(square);
            let factor = mass * inverse * inverse * inverse;
            ax = dx.mul_add(factor, ax);
            ay = dy.mul_add(factor, ay);
            az = dz.mul_add(factor, az);
        }
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        first += THREADS;
    }
    if i < n {
        accelerations.write(i as usize, F32x4([ax, ay, az, 0.0]));
    }
}
