//! How fast a GPU's memory is read and copied: the ceilings that the search kernels are held against.

use simt_std::prelude::*;

/// Copies an array, or only reads it. Launch: any number of blocks.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct MemoryRate {
    /// What is read.
    pub from: Global<U32x4>,
    /// Words of 16 bytes.
    pub words: u64,
    /// Whether to write what was read; else only words that are all ones are written, of which there should be few.
    pub copy: u32,
    /// Out: as long as `from`.
    pub to: Global<U32x4>,
    /// Threads of the launch.
    pub threads: u64,
}

#[kernel(threads = 512)]
fn memory_rate(self: MemoryRate) {
    let mut i = u64::from(thread::index_1d());
    while i < self.words {
        // Four loads on the way, then four stores.
        let mut words = [U32x4::default(); 4];
        unroll!(k in [0 1 2 3] {
            words[k as usize] = self.from.read((i + u64::from(k) * self.threads).min(self.words - 1) as usize);
        });
        unroll!(k in [0 1 2 3] {
            let at = i + u64::from(k) * self.threads;
            let U32x4(word) = words[k as usize];
            let wanted = self.copy != 0 || word[0] & word[1] & word[2] & word[3] == !0;
            if wanted && at < self.words {
                self.to.write(at as usize, words[k as usize]);
            }
        });
        i += 4 * self.threads;
    }
}
