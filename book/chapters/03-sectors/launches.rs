//! Chapter 3: launches of its kernels.

use super::kernels::{CopyByFours, StridedCopy};
use simt_std::simulator::{Fault, Simulator};

// ANCHOR: every_word
/// Returns every `stride`-th word from `offset` on. `offset` is less than the number of words, and
/// `stride` is at least 1.
pub fn every_word(gpu: &mut Simulator, words: &[u32], offset: usize, stride: usize) -> Result<Vec<u32>, Fault> {
    let n = (words.len() - offset).div_ceil(stride);
    let input = gpu.alloc_from(words, "words");
    let result = gpu.alloc::<u32>(n, "result");
    let kernel = StridedCopy {
        words: input.handle(),
        offset: offset as u32,
        stride: stride as u32,
        n: n as u32,
        result: result.handle(),
    };
    gpu.launch_kernel(n.div_ceil(256) as u32, kernel)?;
    gpu.download(&result, n)
}
// ANCHOR_END: every_word

/// Returns a copy of the words, made by vectors. Their number is a multiple of 4, and not 0.
pub fn copy(gpu: &mut Simulator, words: &[u32]) -> Result<Vec<u32>, Fault> {
    let fours = words.len() / 4;
    let input = gpu.alloc_from(words, "words");
    let result = gpu.alloc::<u32>(words.len(), "result");
    let kernel = CopyByFours { words: input.handle(), fours: fours as u32, result: result.handle() };
    gpu.launch_kernel(fours.div_ceil(256) as u32, kernel)?;
    gpu.download(&result, words.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    #[test]
    fn every_word_is_that_of_step_by() {
        for (n, offset, stride) in
            [(1, 0, 1), (32, 31, 5), (255, 0, 1), (256, 1, 1), (257, 0, 1), (999, 7, 2), (5000, 3, 8)]
        {
            let words = Vec::from_iter((0..n).map(|i| i * i));
            exercise! {
                run: |gpu| every_word(gpu, &words, offset, stride),
                expect: words[offset..].iter().copied().step_by(stride).collect(),
                schedules: 5,
            }
        }
    }

    #[test]
    fn vectors_copy_all_words() {
        for n in [4, 124, 128, 132, 1024, 1028, 5000] {
            let words = Vec::from_iter((0..n).map(|i| i * i));
            exercise! { run: |gpu| copy(gpu, &words), expect: words.clone(), schedules: 5 }
        }
    }
}
