//! Chapter 6: the message of its fault, and the costs that it predicts.

use super::faults::ProductOverwritten;
use super::kernels::TILE;
use super::launches::{product, product_direct};
use crate::report::{Chapter, Count};
use simt_std::simulator::{Access, Costs, Fault, LineCost, Meeting, Options, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("06-tiles");

/// Launches the product without its second barrier.
fn overwritten(n: u32) -> Result<(), Fault> {
    let mut gpu = Simulator::default();
    let len = (n * n) as usize;
    let (a, b) = (gpu.alloc_from(&vec![1.0f32; len], "a"), gpu.alloc_from(&vec![1.0f32; len], "b"));
    let c = gpu.alloc::<f32>(len, "c");
    let kernel = ProductOverwritten { a: a.handle(), b: b.handle(), c: c.handle(), n };
    gpu.launch_kernel([n / TILE, n / TILE], kernel)
}

#[test]
fn a_tile_that_is_overwritten_too_early_is_a_race() {
    CHAPTER.fault("race.txt", &overwritten(32).unwrap_err());
}

#[test]
fn a_single_tile_hides_the_race() {
    overwritten(16).unwrap();
}

#[test]
fn predicted_costs_of_the_product() {
    let n = 64;
    let matrix = vec![1.0f32; n * n];
    let costs_of = |by_tiles: bool| -> Costs {
        let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
        let run = if by_tiles { product } else { product_direct };
        run(&mut gpu, &matrix, &matrix, n as u32).unwrap();
        gpu.costs().clone()
    };
    let (direct, tiles) = (costs_of(false), costs_of(true));
    let reads = |costs: &Costs, space| -> LineCost { costs.total_of(space, Access::Read) };
    let (elements, warps, blocks) = ((n * n) as u64, (n * n / 32) as u64, 16);
    let each = |total: u64, parts: u64| -> u64 {
        assert_eq!(total % parts, 0);
        total / parts
    };
    let (n, tile) = (n as f64, f64::from(TILE));
    let (words_direct, words) = (reads(&direct, Space::Global).lanes, reads(&tiles, Space::Global).lanes);
    let (sectors_direct, sectors) = (reads(&direct, Space::Global).sectors, reads(&tiles, Space::Global).sectors);
    let shared = reads(&tiles, Space::Shared).lanes;
    let barriers = tiles.total_of_meetings(Meeting::Barrier).times;
    CHAPTER.counts(
        "counts.md",
        &[
            Count::new("words of global memory an element, direct", 2.0 * n, each(words_direct, elements)),
            Count::new("words of global memory an element, by tiles", 2.0 * n / tile, each(words, elements)),
            Count::new("words of shared memory an element, by tiles", 2.0 * n, each(shared, elements)),
            Count::new("bank conflicts, by tiles", 0.0, tiles.total(Space::Shared).conflicts),
            Count::new("barriers a block, for 8 warps", 2.0 * n / tile * 8.0, each(barriers, blocks)),
            Count::new("sectors a warp, direct", 4.0 * n, each(sectors_direct, warps)),
            Count {
                difference: Some("The tiles divide the sectors by 8, not by 16: in the direct kernel, lanes of a warp already share sectors."),
                ..Count::new("sectors a warp, by tiles", 4.0 * n / tile, each(sectors, warps))
            },
        ],
    );
}
