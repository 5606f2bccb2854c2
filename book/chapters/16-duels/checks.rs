//! Chapter 16: the message of its fault, and the costs that it predicts.

use super::faults::BothDuellistsWrite;
use super::launches::{by_duels, everywhere, witness_array};
use crate::report::{Chapter, Count};
use simt_std::simulator::{Access, LineCost, Options, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("16-duels");

/// The example of the text: 8 symbols, and groups of 4 positions.
const PATTERN: &[u8] = b"AATAACAA";

#[test]
fn two_writers_are_a_race() {
    let mut gpu = Simulator::default();
    let text = gpu.alloc_from(b"CGTGAATAACAAGTAC", "text");
    let pattern = gpu.alloc_from(PATTERN, "pattern");
    let witnesses = gpu.alloc_from(&witness_array(PATTERN).unwrap(), "witnesses");
    let winners = gpu.alloc::<u32>(3, "winners");
    let kernel = BothDuellistsWrite {
        text: text.handle(),
        pattern: pattern.handle(),
        witnesses: witnesses.handle(),
        starts: 9,
        r: 4,
        winners: winners.handle(),
    };
    CHAPTER.fault("race.txt", &gpu.launch_kernel(3, kernel).unwrap_err());
}

/// Returns the costs of a kernel's reads.
fn reads(gpu: &Simulator, kernel: &str, space: Space) -> LineCost {
    gpu.costs_by_kernel()[kernel].costs.total_of(space, Access::Read)
}

#[test]
fn predicted_costs() {
    let pattern = [vec![b'A'; 63], vec![b'T']].concat();
    let text = vec![b'A'; 4096 + 63];
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    assert_eq!(everywhere(&mut gpu, &text, &pattern).unwrap(), vec![0; 4096]);
    assert_eq!(by_duels(&mut gpu, &text, &pattern).unwrap(), vec![0; 4096]);
    let compared = reads(&gpu, "search_everywhere", Space::Global);
    let candidates = reads(&gpu, "duel_rounds", Space::Shared);
    let duels = reads(&gpu, "duel_rounds", Space::Global);
    let verified = reads(&gpu, "verify_winners", Space::Global);
    CHAPTER.counts(
        "reads.md",
        &[
            Count::new("duels", 128 * 31, (candidates.lanes - 128) / 2),
            Count::new("reads of global memory, every position", 4096 * 2 * 64, compared.lanes),
            Count::new("reads of global memory, duels", 128 * 31 * 3, duels.lanes),
            Count::new("reads of global memory, verification", 128 * (1 + 2 * 64), verified.lanes),
        ],
    );
    let reason = "The first round of a group reads one sector more: its 16 threads read the symbols 63 to 78 after \
                  the group's first position, and symbol 64 begins another sector.";
    CHAPTER.counts(
        "sectors.md",
        &[
            Count::new("sectors, every position", 128 * (64 + 2 + 62 * 2), compared.sectors),
            Count {
                what: "sectors, duels",
                predicted: (128 * 5 * 3).into(),
                measured: duels.sectors as f64,
                difference: Some(reason),
            },
            Count::new("sectors, verification", 4 * (4 + 64 * (32 + 1)), verified.sectors),
        ],
    );
}
