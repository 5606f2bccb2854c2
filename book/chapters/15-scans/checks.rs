//! Chapter 15: the message of its fault, the worked table, and the costs that it predicts.

use super::faults::ScanWithOneBarrier;
use super::launches::{mismatch_masks, random, search, search_with_copies};
use crate::report::{Chapter, Count};
use simt_std::simulator::{Access, Meeting, Options, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("15-scans");

#[test]
fn a_missing_second_barrier_is_a_race() {
    let mut gpu = Simulator::default();
    let masks = gpu.alloc_from(&[1u32; 256], "masks");
    let result = gpu.alloc::<u32>(256, "result");
    let kernel = ScanWithOneBarrier { masks: masks.handle(), m: 8, result: result.handle() };
    CHAPTER.fault("race.txt", &gpu.launch_kernel(1, kernel).unwrap_err());
}

/// The states of the pattern GATA.
#[test]
fn the_worked_table() {
    let (pattern, text) = (b"GATA", b"GAGATA");
    let masks = mismatch_masks(pattern);
    let mut quoted = "| symbol | mask | state |\n|---|--:|--:|\n".to_owned();
    quoted += "| before the text | | 1111 |\n";
    let mut state = u32::MAX;
    for (j, &symbol) in text.iter().enumerate() {
        let mask = masks[symbol as usize];
        state = state << 1 | mask;
        for i in 0..4 {
            assert_eq!(state >> i & 1 == 0, text[..=j].ends_with(&pattern[..=i]));
        }
        quoted += &format!("| {} | {:04b} | {:04b} |\n", symbol as char, mask & 15, state & 15);
    }
    CHAPTER.quote("states.md", &quoted);
}

fn accounting() -> Simulator {
    Simulator::new(Options { accounting: true, ..Options::default() })
}

#[test]
fn predicted_costs_of_four_blocks() {
    let text = random(1000, b"ACGT");
    let mut gpu = accounting();
    search(&mut gpu, &text[100..108], &text).unwrap();
    let costs = gpu.costs();
    let reads = |(_, _, space, access, _): &(_, _, _, _, _)| (*space, *access) == (Space::Global, Access::Read);
    let text_reads = costs.lines().filter(reads).filter(|(.., cost)| cost.bytes == cost.lanes);
    let symbols = text_reads.map(|(.., cost)| cost.lanes).sum();
    CHAPTER.counts(
        "counts.md",
        &[
            Count::new("symbols read", 1000 + 3 * 7, symbols),
            Count::new(
                "barriers, for 4 blocks of 8 warps",
                4 * 8 * (1 + 2 * 3),
                costs.total_of_meetings(Meeting::Barrier).times,
            ),
            Count::new(
                "words read from `table` and `states`",
                (1000 + 3 * 7) + 4 * (255 + 254 + 252),
                costs.total_of(Space::Shared, Access::Read).lanes,
            ),
        ],
    );
}

#[test]
fn predicted_conflicts() {
    let conflicts = |text: &[u8], copies| {
        let mut gpu = accounting();
        search_with_copies(&mut gpu, &text[..3], text, copies).unwrap();
        gpu.costs().total(Space::Shared).conflicts
    };
    let four: Vec<u8> = random(256, b"ACGT");
    // Lanes 0 to 3 have symbol 0, lanes 4 to 7 symbol 32, and so on.
    let eight: Vec<u8> = (0..256).map(|j| 32 * (j % 32 / 4) as u8).collect();
    let all: Vec<u8> = (0..=255).collect();
    let bytes = random(256, &all);
    CHAPTER.counts(
        "conflicts.md",
        &[
            Count::new("A, C, G and T, 1 table", 0, conflicts(&four, 1)),
            Count::new("8 symbols of one bank, 1 table", 8 * 7, conflicts(&eight, 1)),
            Count::new("8 symbols of one bank, 8 copies", 8 * 3, conflicts(&eight, 8)),
            Count::new("8 symbols of one bank, 16 copies", 8, conflicts(&eight, 16)),
            Count::new("8 symbols of one bank, 32 copies", 0, conflicts(&eight, 32)),
            Count::new("random bytes, 32 copies", 0, conflicts(&bytes, 32)),
            Count {
                what: "random bytes, 1 table",
                predicted: 0.0,
                measured: conflicts(&bytes, 1) as f64,
                difference: Some(
                    "For random bytes one might predict 0: there are 32 lanes and 32 banks. But random symbols do \
                     not spread\nevenly. Some banks serve no lane, and the busiest bank has about three different \
                     words to deliver.",
                ),
            },
        ],
    );
}
