//! Conflicts of the banks of shared memory, which the simulator counts.

use super::checks::{Tuned, gbpr, named, plain, prepare, scan, takes, xbitpar};
use carrywave::internal::search::gpu::{DeviceAlgorithm, DeviceText, ResultKind, Writes};
use carrywave::text::Pattern;
use simt_launch::Simt;
use simt_std::simulator::Space;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Counts the shared-memory conflicts of a search, on the simulator.
fn conflicts(text: &[u8], pattern: &Pattern, algorithm: &Tuned, k: u32) -> u64 {
    let simt = Arc::new(Simt::new(true));
    let on_device = DeviceText::new(simt.clone(), text).unwrap();
    let format = if named::<Simt>(algorithm.name).writes == Writes::CountsAndHits {
        ResultKind::Hits
    } else {
        ResultKind::Bytes
    };
    prepare(&on_device, algorithm, std::slice::from_ref(pattern), k, format).unwrap().run(0).unwrap();
    simt.costs().total(Space::Shared).conflicts
}

/// The paper's figure 9: its table makes lanes wait for one another in a text of many symbols; a
/// table with a word for each bank never does.
#[test]
fn no_text_makes_a_bank_conflict() {
    let mut random = fastrand::Rng::with_seed(9);
    let text: Vec<u8> = (0..4096).map(|_| random.u8(..)).collect();
    for m in [16, 32, 64] {
        let pattern = Pattern::literal(&text[1000..1000 + m]);
        for k in [0, 1] {
            let patterns = std::slice::from_ref(&pattern);
            let all = DeviceAlgorithm::<Simt>::ALL.iter();
            // Duels look up grams by their hashes, so two blocks of a warp may use one bank.
            let ours =
                all.filter(|row| !row.writes.only_bytes() && takes(row, patterns, k) && row.about.name != "duel");
            let ours: Vec<Tuned> = ours.map(|row| plain(row.about.name)).collect();
            assert!(ours.len() >= 3);
            let tuned = [scan(16, true, true), gbpr(8, 1, true), gbpr(16, 16, true), xbitpar(256)];
            for algorithm in ours.iter().chain(&tuned) {
                assert_eq!(conflicts(&text, &pattern, algorithm, k), 0, "{algorithm:?}, m = {m}, k = {k}");
            }
            for algorithm in [scan(16, true, false), gbpr(8, 1, false)] {
                assert!(conflicts(&text, &pattern, &algorithm, k) > 100, "{algorithm:?}, m = {m}, k = {k}");
            }
        }
    }
}

/// Counts the extra turns that warps take to look up the symbols of a text in the paper's table,
/// which has the word of symbol c in bank c mod 32. The scan has segments of 4,096 symbols with a
/// halo of 32 before them, 16 symbols a lane. Lanes outside the text look up word 256.
fn turns_of_the_papers_table(text: &[u8]) -> u64 {
    const HALO: usize = 32;
    let look_up = |segment: usize, thread: usize, i: usize| {
        let at = (segment * (4096 - HALO) + 16 * thread).checked_sub(HALO).filter(|&at| at < text.len());
        at.map_or(256, |at| text.get(at + i).copied().unwrap_or(0).into())
    };
    let mut turns = 0;
    for segment in 0..text.len().div_ceil(4096 - HALO) {
        for (warp, i) in (0..8).flat_map(|warp| (0..16).map(move |i| (warp, i))) {
            let words: BTreeSet<usize> = (0..32).map(|lane| look_up(segment, 32 * warp + lane, i)).collect();
            let most = (0..32).map(|bank| words.iter().filter(|&&word| word % 32 == bank).count()).max();
            turns += most.map_or(0, |most| most.saturating_sub(1)) as u64;
        }
    }
    turns
}

#[test]
fn conflicts_of_the_papers_table_are_those_of_its_symbols() {
    let mut random = fastrand::Rng::with_seed(10);
    for symbols in [4, 32, 33, 64, 128, 256] {
        let text: Vec<u8> = (0..9000).map(|_| random.u32(..symbols) as u8).collect();
        for m in [17, 32] {
            let found = conflicts(&text, &Pattern::literal(&text[1000..1000 + m]), &scan(16, true, false), 0);
            assert_eq!(found, turns_of_the_papers_table(&text), "{symbols} symbols, m = {m}");
        }
    }
}
