//! Chapter 3: the message of its fault, and the costs that it predicts.

use super::faults::CopyFoursFrom;
use super::kernels::StridedCopy;
use super::launches::{copy, every_word};
use crate::report::{Chapter, Count};
use simt_std::simulator::{Access, LineCost, Options, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("03-sectors");

#[test]
fn a_vector_at_word_2_is_misaligned() {
    let mut gpu = Simulator::default();
    let words = gpu.alloc_from(&[7u32; 130], "words");
    let result = gpu.alloc::<u32>(128, "result");
    let kernel = |first| CopyFoursFrom { words: words.handle(), first, fours: 31, result: result.handle() };
    gpu.launch_kernel(1, kernel(0)).unwrap();
    gpu.launch_kernel(1, kernel(4)).unwrap();
    CHAPTER.fault("misaligned.txt", &gpu.launch_kernel(1, kernel(2)).unwrap_err());
}

/// Returns the costs of one warp's reads or writes in a copy of 32 words.
fn cost_of_a_warp(offset: u32, stride: u32, access: Access) -> LineCost {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    let words = gpu.alloc_from(&[7u32; 1024], "words");
    let result = gpu.alloc::<u32>(32, "result");
    let kernel = StridedCopy { words: words.handle(), offset, stride, n: 32, result: result.handle() };
    gpu.launch_kernel(1, kernel).unwrap();
    gpu.costs().total_of(Space::Global, access)
}

#[test]
fn predicted_sectors_of_strides() {
    let sectors = |offset, stride| cost_of_a_warp(offset, stride, Access::Read).sectors;
    CHAPTER.counts(
        "strides.md",
        &[
            Count::new("stride 1", 32 * 4 / 32, sectors(0, 1)),
            Count::new("stride 2", 32 * 2 * 4 / 32, sectors(0, 2)),
            Count::new("stride 4", 32 * 4 * 4 / 32, sectors(0, 4)),
            Count::new("stride 8", 32 * 8 * 4 / 32, sectors(0, 8)),
            Count {
                difference: Some(
                    "With stride 16 the formula counts sectors that no lane needs. The GPU moves only those that a lane\n\
                     reads, and a word lies in one sector: 32 lanes need at most 32.",
                ),
                ..Count::new("stride 16", 32 * 16 * 4 / 32, sectors(0, 16))
            },
            Count::new("stride 1, offset 1", 1 + 32 * 4 / 32, sectors(1, 1)),
            Count::new("stride 1, offset 8", 32 * 4 / 32, sectors(8, 1)),
            Count::new("stride 8: write of the 32 words", 32 * 4 / 32, cost_of_a_warp(0, 8, Access::Write).sectors),
        ],
    );
}

#[test]
fn predicted_costs_of_vectors() {
    let costs_of = |job: &dyn Fn(&mut Simulator)| {
        let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
        job(&mut gpu);
        gpu.costs().total_of(Space::Global, Access::Read)
    };
    let words = [7u32; 1024];
    let singly = costs_of(&|gpu| drop(every_word(gpu, &words, 0, 1).unwrap()));
    let by_fours = costs_of(&|gpu| drop(copy(gpu, &words).unwrap()));
    CHAPTER.counts(
        "vectors.md",
        &[
            Count::new("reads of a warp, word by word", 1024 / 32, singly.accesses),
            Count::new("sectors of these reads", 1024 * 4 / 32, singly.sectors),
            Count::new("reads of a warp, by `U32x4`", 1024 / (32 * 4), by_fours.accesses),
            Count::new("sectors of these reads", 1024 * 4 / 32, by_fours.sectors),
        ],
    );
}
