//! Nakano's matrix: the strings, the trait for its memory layouts, and the loop over its diagonals.

use simt_std::prelude::*;

/// Maximum number of threads per block.
pub const MAX_THREADS: u32 = 1024;

/// Maximum length of both strings together, in symbols.
pub const MAX_SYMBOLS: u64 = 1 << 30;

/// Number of words of a result: the distance, and the end (exclusive) of the first substring of Y
/// with that distance.
pub const FOUND: usize = 2;

/// Both strings, one word per symbol; m + n is at most [`MAX_SYMBOLS`].
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct Strings {
    /// X, m symbols.
    pub x: Global<u32>,
    /// Y, n symbols.
    pub y: Global<u32>,
    /// m, at least 1.
    pub m: u32,
    /// n, may be 0.
    pub n: u32,
}

/// The matrix d in the memory layout of one of the algorithms.
pub(super) trait Matrix: Copy {
    /// Reads d\[i\]\[j\].
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn read(self, i: u32, j: u32) -> u32;

    /// Sets d\[i\]\[j\]. i and j are not 0 if the layout does not store the first row and column.
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn write(self, i: u32, j: u32, value: u32);
}

/// The least value of row m so far, and the first column j that has it.
#[derive(Clone, Copy)]
pub(super) struct Least {
    pub(super) distance: u32,
    pub(super) end: u32,
}

impl Least {
    #[inline(always)]
    pub(super) fn or(self, distance: u32, end: u32) -> Self {
        if distance < self.distance { Self { distance, end } } else { self }
    }

    #[inline(always)]
    pub(super) fn write(self, found: Global<u32>) {
        found.write(0, self.distance);
        found.write(1, self.end);
    }
}

impl Strings {
    /// Number of threads that share the rows: thread i has row i + 1 and every 1,024th row after
    /// it.
    pub(super) fn threads(&self) -> u32 {
        self.m.min(MAX_THREADS)
    }

    /// The index of the thread that has row m.
    #[inline(always)]
    pub(super) fn last(&self) -> u32 {
        (self.m - 1) % MAX_THREADS
    }

    /// Computes all diagonals: the paper's third loop. The thread that has row m,
    /// [`last`](Self::last), keeps the least value of that row in a register and returns it. The
    /// return values of the other threads are meaningless.
    ///
    /// # Safety
    /// All threads of the block call it together, with the same number of steps, at least
    /// m + n - 1. Each matrix has [`threads`](Self::threads) threads; this one has index `rank`
    /// among them.
    #[inline(always)]
    pub(super) unsafe fn fill(self, matrix: impl Matrix, rank: u32, steps: u32) -> Least {
        let Self { x, y, m, n } = self;
        let mut least = Least { distance: m, end: 0 };
        let mut k = 1;
        while k <= steps {
            let mut i = rank + 1;
            while i <= m {
                if i <= k && k - i < n {
                    let j = k - i + 1;
                    let x = x.read(i as usize - 1);
                    let y = y.read(j as usize - 1);
                    let left = matrix.read(i, j - 1);
                    let above = matrix.read(i - 1, j);
                    let diagonal = matrix.read(i - 1, j - 1);
                    let value = (left + 1).min(above + 1).min(diagonal + u32::from(x != y));
                    matrix.write(i, j, value);
                    if i == m {
                        least = least.or(value, j);
                    }
                }
                i += MAX_THREADS;
            }
            // SAFETY: guaranteed by the caller.
            unsafe { thread::sync_threads() };
            k += 1;
        }
        least
    }

    /// Computes a matrix that memory holds as a whole, including its first row and column, and
    /// writes the least value of row m to `found`.
    ///
    /// # Safety
    /// All [`threads`](Self::threads) threads of the block call it together.
    #[inline(always)]
    pub(super) unsafe fn whole(self, matrix: impl Matrix, found: Global<u32>) {
        let Self { m, n, .. } = self;
        let (rank, threads) = (thread::thread_idx_x(), thread::block_dim_x());
        let mut j = rank;
        while j <= n {
            matrix.write(0, j, 0);
            j += threads;
        }
        let mut i = rank + 1;
        while i <= m {
            matrix.write(i, 0, i);
            i += threads;
        }
        // SAFETY: all threads of the block reach this call and those of the steps below, whose
        // number is the same for all of them.
        unsafe { thread::sync_threads() };
        // SAFETY: as above.
        unsafe { self.fill(matrix, rank, m + n - 1) };
        if rank == 0 {
            self.least(matrix).write(found);
        }
    }

    /// Returns the least value of row m. One thread reads the whole row.
    #[inline(always)]
    pub(super) fn least(self, matrix: impl Matrix) -> Least {
        let Self { m, n, .. } = self;
        let mut least = Least { distance: m, end: 0 };
        let mut j = 0;
        while j <= n {
            let value = matrix.read(m, j);
            least = least.or(value, j);
            j += 1;
        }
        least
    }
}
