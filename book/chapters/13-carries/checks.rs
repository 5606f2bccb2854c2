//! Chapter 13: the message of its fault, the costs that it predicts, and its worked examples.

use super::faults::LcsTooEarly;
use super::launches::{lcs_block, lcs_warp, match_words};
use crate::report::{Chapter, Count};
use simt_std::simulator::{Access, Meeting, Options, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("13-carries");

#[test]
fn a_carry_read_early_is_a_race() {
    let mut gpu = Simulator::default();
    let matches = gpu.alloc_from(&match_words(&[0; 2048], 4, 64), "matches");
    let (text, column) = (gpu.alloc_from(&[0u8; 10], "text"), gpu.alloc::<u32>(64, "column"));
    let (matches, text) = (matches.handle(), text.handle());
    let kernel = LcsTooEarly { matches, text, n: 10, column: column.handle(), threads: 64 };
    CHAPTER.fault("race.txt", &gpu.launch_kernel(1, kernel).unwrap_err());
}

#[test]
fn costs_of_columns() {
    let (pattern, text) = (Vec::from_iter((0..8192).map(|i| (i * i % 11 % 4) as u8)), [0, 1, 2, 3].repeat(250));
    let n = 1000;
    let accounting = || Simulator::new(Options { accounting: true, ..Options::default() });
    let mut gpu = accounting();
    lcs_warp(&mut gpu, &pattern[..1024], &text).unwrap();
    let costs = gpu.costs();
    let ballots = costs.total_of_meetings(Meeting::Warp).times;
    let sectors = costs.total_of(Space::Global, Access::Read).sectors;
    let mut gpu = accounting();
    lcs_block(&mut gpu, &pattern, &text, 8).unwrap();
    let costs = gpu.costs();
    CHAPTER.counts(
        "counts.md",
        &[
            Count::new("one warp: ballots", 2 * n, ballots),
            Count::new("one warp: sectors read", (4 + 1) * n, sectors),
            Count::new("8 warps: ballots", 8 * 2 * n, costs.total_of_meetings(Meeting::Warp).times),
            Count::new("8 warps: barriers, for each warp", 8 * n, costs.total_of_meetings(Meeting::Barrier).times),
            Count::new("8 warps: states written", 8 * n, costs.total_of(Space::Shared, Access::Write).lanes),
            Count::new("8 warps: states read, a warp at once", (8 * 7 / 2) * n, {
                costs.total_of(Space::Shared, Access::Read).accesses
            }),
        ],
    );
}

/// The example of the text: the table's columns of the pattern BCAE, as bits.
#[test]
fn the_example_with_four_rows() {
    let (pattern, text) = (b"BCAE", b"EABE");
    let mut v = 0b1111u32;
    let mut columns = Vec::new();
    for symbol in text {
        let m: u32 = (0..4).map(|i| u32::from(pattern[i] == *symbol) << i).sum();
        v = ((v + (v & m)) | (v & !m)) & 0b1111;
        columns.push(v);
    }
    assert_eq!(columns, [0b0111, 0b1011, 0b1110, 0b0110]);
}

/// The example of the picture: 8 lanes.
#[test]
fn the_example_with_eight_lanes() {
    let (generate, propagate) = (0b0100_0010u32, 0b0010_1100u32);
    assert_eq!((generate << 1) + propagate, 0b1011_0000);
    assert_eq!(((generate << 1) + propagate) ^ propagate, 0b1001_1100);
}
