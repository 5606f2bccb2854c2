//! Chapter 5: the message of its fault, and the costs that it predicts.

use super::faults::TransposeWithReturn;
use super::launches::{transposed, transposed_directly};
use crate::report::{Chapter, Count};
use simt_std::simulator::{Access, Costs, Fault, Options, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("05-banks");

#[test]
fn an_early_return_is_a_divergent_barrier() {
    let mut gpu = Simulator::default();
    let matrix = gpu.alloc_from(&[7u32; 40 * 40], "matrix");
    let result = gpu.alloc::<u32>(40 * 40, "result");
    let kernel =
        |size| TransposeWithReturn { matrix: matrix.handle(), width: size, height: size, result: result.handle() };
    gpu.launch_kernel([1, 1], kernel(32)).unwrap();
    CHAPTER.fault("divergent.txt", &gpu.launch_kernel([2, 2], kernel(40)).unwrap_err());
}

/// Returns the costs of a job on one tile of 32 × 32 words.
fn costs(job: impl FnOnce(&mut Simulator, &[u32]) -> Result<Vec<u32>, Fault>) -> Costs {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    job(&mut gpu, &[7; 32 * 32]).unwrap();
    gpu.costs().clone()
}

#[test]
fn predicted_sectors_of_a_tile() {
    let direct = costs(|gpu, matrix| transposed_directly(gpu, matrix, 32));
    let tile = costs(|gpu, matrix| transposed(gpu, matrix, 32, 32));
    let sectors = |costs: &Costs, access| costs.total_of(Space::Global, access).sectors;
    CHAPTER.counts(
        "sectors.md",
        &[
            Count::new("sectors read, directly", 32 * 4, sectors(&direct, Access::Read)),
            Count::new("sectors written, directly", 32 * 32, sectors(&direct, Access::Write)),
            Count::new("sectors read, through a tile", 32 * 4, sectors(&tile, Access::Read)),
            Count::new("sectors written, through a tile", 32 * 4, sectors(&tile, Access::Write)),
        ],
    );
}

/// Returns the greatest common divisor.
fn gcd(a: u32, b: u32) -> u32 {
    if b == 0 { a } else { gcd(b, a % b) }
}

#[test]
fn predicted_conflicts_of_a_tile() {
    let shared =
        |pitch, access| costs(|gpu, matrix| transposed(gpu, matrix, 32, pitch)).total_of(Space::Shared, access);
    let conflicts = |pitch| shared(pitch, Access::Read).conflicts;
    let predicted = |pitch| 32 * (gcd(pitch, 32) - 1);
    CHAPTER.counts(
        "conflicts.md",
        &[
            Count::new("conflicts of the writes, pitch 32", 0, shared(32, Access::Write).conflicts),
            Count::new("conflicts of the reads, pitch 32", predicted(32), conflicts(32)),
            Count::new("conflicts of the reads, pitch 33", predicted(33), conflicts(33)),
            Count::new("conflicts of the reads, pitch 34", predicted(34), conflicts(34)),
            Count::new("conflicts of the reads, pitch 35", predicted(35), conflicts(35)),
            Count::new("conflicts of the reads, pitch 36", predicted(36), conflicts(36)),
            Count::new("wavefronts of the reads, pitch 32", 32 * 32, shared(32, Access::Read).wavefronts),
            Count::new("wavefronts of the reads, pitch 33", 32, shared(33, Access::Read).wavefronts),
        ],
    );
}
