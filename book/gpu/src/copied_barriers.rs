//! A kernel whose barriers LLVM copies into both arms of a branch, unless the build repairs it.

#[path = "../../../simt/simt_builder/tests/kernels/between_tests.rs"]
mod between_tests;

use between_tests::BetweenTests;

#[test]
fn a_block_with_idle_threads_ends() {
    // The idle threads of the last warp take another arm than the others.
    let words: Vec<u32> = (0..250u32).map(|i| i.wrapping_mul(0x9e37_79b1)).collect();
    let expected = |i: usize| (0..=i).rev().take(4).enumerate().fold(0, |sum, (j, at)| sum | words[at] << j);
    simt_std::exercise! {
        run: |gpu| {
            let (on_gpu, sums) = (gpu.alloc_from(&words, "words"), gpu.alloc::<u32>(250, "sums"));
            gpu.launch_kernel(1, BetweenTests { words: on_gpu.handle(), n: 250, m: 4, sums: sums.handle() })?;
            Ok(gpu.download(&sums, 250)?[3..].to_vec())
        },
        expect: (3..250).map(expected).collect(),
    }
}
