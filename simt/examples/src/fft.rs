//! The discrete Fourier transform of 1,024 complex numbers, by Stockham's fast algorithm.
//!
//! ```text
//!            1023
//!     X[k] =  Σ   x[j] e^(-2 π i j k / 1024)
//!            j=0
//! ```
//!
//! **Ten steps.** In the step of length l = 1, 2, 4, … 512, each thread combines two numbers that
//! are 512 apart, with the turning factor w = e^(-π i k / l), k = thread mod l:
//!
//! ```text
//!     a ──┬──────── a + w b          a is number t, b is number t + 512
//!         ╳                          the results are numbers p and p + l,
//!     b ──┴─ w ──── a - w b          p = 2 (t - k) + k
//! ```
//!
//! The results are in order at the end; the algorithm of Cooley and Tukey, which works in place,
//! must first reverse the bits of all indices.
//!
//! **Threads.** One block of 512 threads per transform, one pair per thread. The numbers are in
//! shared memory, real and imaginary parts in separate arrays, and twice: each step reads one copy
//! and writes the other, so one barrier per step suffices.
//!
//! **Cost.** All reads are of 32 neighbouring words. The writes of the first five steps go to pairs
//! of addresses in one bank: 2 conflicts for each 32 words of each part, 320 per transform. From
//! the sixth step on, l is a multiple of 32, and there are none.

use simt_std::prelude::*;

/// Length of a transform.
pub const LEN: u32 = 1024;

/// Threads of a block: one per pair.
pub const THREADS: u32 = LEN / 2;

/// Transforms rows of [`LEN`] complex numbers in place. Launch: a block per row; `numbers` has
/// [`LEN`] elements, real and imaginary part, for each block.
#[kernel(threads = THREADS)]
pub fn fft(
    /// The rows.
    numbers: Global<F32x2>,
) {
    shared_array!(real: [f32; 2 * LEN as usize]);
    shared_array!(imaginary: [f32; 2 * LEN as usize]);
    let t = thread::thread_idx_x();
    let row = numbers.skip((thread::block_idx_x() * LEN) as usize);
    let load = |i: u32| {
        let F32x2([re, im]) = row.read(i as usize);
        real.write(i, re);
        imaginary.write(i, im);
    };
    load(t);
    load(t + THREADS);
    // SAFETY: every thread of the block is here, once per step.
    unsafe { thread::sync_threads() };

    // Starts of the copy that is read and of the one that is written.
    let (mut from, mut to) = (0, LEN);
    let mut len = 1;
    while len < LEN {
        let k = t & (len - 1);
        let (a_re, a_im) = (real.read(from + t), imaginary.read(from + t));
        let (b_re, b_im) = (real.read(from + t + THREADS), imaginary.read(from + t + THREADS));
        // k / len is exact, and at most 1.
        let angle = -core::f32::consts::PI * (k as f32 / len as f32);
        let (w_re, w_im) = (float::cos(angle), float::sin(angle));
        let turned_re = w_re.mul_add(b_re, -(w_im * b_im));
        let turned_im = w_re.mul_add(b_im, w_im * b_re);
        let place = to + 2 * (t - k) + k;
        real.write(place, a_re + turned_re);
        imaginary.write(place, a_im + turned_im);
        real.write(place + len, a_re - turned_re);
        imaginary.write(place + len, a_im - turned_im);
        // SAFETY: as above.
        unsafe { thread::sync_threads() };
        (from, to) = (to, from);
        len *= 2;
    }

    let store = |i: u32| row.write(i as usize, F32x2([real.read(from + i), imaginary.read(from + i)]));
    store(t);
    store(t + THREADS);
}
