//! Chapter 9: launches of its kernels.

use super::kernels::{CountInBlocks, CountSymbols, FrequentLetters, LanesAtWords};
use simt_std::simulator::{Fault, Simulator};

// ANCHOR: counts
/// Returns the number of times that each of the 256 symbols is in a text, by two blocks.
pub fn symbol_counts(gpu: &mut Simulator, text: &[u8], are_bins_shared: bool) -> Result<Vec<u32>, Fault> {
    let on_gpu = gpu.alloc_from(text, "text");
    let bins = gpu.alloc_from(&[0u32; 256], "counts");
    let (text, n, counts) = (on_gpu.handle(), text.len() as u32, bins.handle());
    if are_bins_shared {
        gpu.launch_kernel(2, CountInBlocks { text, n, counts })?;
    } else {
        gpu.launch_kernel(2, CountSymbols { text, n, counts })?;
    }
    gpu.download(&bins, 256)
}
// ANCHOR_END: counts

/// Lets the 32 lanes of a warp add to `words` words, and returns them.
pub fn lanes_at_words(gpu: &mut Simulator, words: u32) -> Result<Vec<u32>, Fault> {
    let counts = gpu.alloc_from(&vec![0u32; words as usize], "counts");
    gpu.launch_kernel(1, LanesAtWords { counts: counts.handle(), words })?;
    gpu.download(&counts, words as usize)
}

// ANCHOR: letters
/// Returns the most frequent letter of each 64 letters of a text, counted in `buffers` buffers.
pub fn letters_of_pieces(gpu: &mut Simulator, text: &[u8], buffers: u32) -> Result<Vec<u8>, Fault> {
    let pieces = text.len() / 64;
    let on_gpu = gpu.alloc_from(text, "text");
    let frequent = gpu.alloc::<u8>(pieces, "frequent");
    // Buffer 1 is at the bottom of the stack: below it is 0, which is no buffer.
    let top = gpu.alloc_from(&[u64::from(buffers)], "top");
    let below = gpu.alloc_from(&Vec::from_iter((0..=buffers).map(|buffer| buffer.saturating_sub(1))), "below");
    let words = gpu.alloc::<u32>(32 * buffers as usize, "buffers");
    let kernel = FrequentLetters {
        text: on_gpu.handle(),
        frequent: frequent.handle(),
        top: top.handle(),
        below: below.handle(),
        buffers: words.handle(),
    };
    gpu.launch_kernel(pieces as u32, kernel)?;
    gpu.download(&frequent, pieces)
}
// ANCHOR_END: letters

/// Returns a text of n symbols of `alphabet`, as random ones, the same each time.
pub fn random_text(n: usize, alphabet: &[u8]) -> Vec<u8> {
    let next = |&state: &u64| Some(state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
    let states = std::iter::successors(Some(n as u64), next);
    states.skip(1).take(n).map(|state| alphabet[(state >> 33) as usize % alphabet.len()]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    #[test]
    fn counts_are_those_of_plain_rust() {
        for n in [1, 255, 256, 257, 1500] {
            let text = random_text(n, b"GATTACA\x00\xff");
            let expected =
                Vec::from_iter((0..=255).map(|symbol| text.iter().filter(|&&other| other == symbol).count() as u32));
            for are_bins_shared in [false, true] {
                exercise! {
                    run: |gpu| symbol_counts(gpu, &text, are_bins_shared),
                    expect: expected.clone(),
                    schedules: 5,
                }
            }
        }
    }

    #[test]
    fn all_lanes_are_counted() {
        for words in [1, 4, 32] {
            exercise! {
                run: |gpu| lanes_at_words(gpu, words),
                expect: vec![32 / words; words as usize],
            }
        }
    }

    #[test]
    fn letters_are_those_of_plain_rust() {
        for (pieces, buffers) in [(1, 1), (9, 1), (9, 3), (20, 4)] {
            let text = random_text(64 * pieces, b"thequickbrownfox");
            let count = |piece: &[u8], letter| piece.iter().filter(|&&other| other == letter).count();
            let frequent = |piece: &[u8]| (b'a'..=b'z').rev().max_by_key(|&letter| count(piece, letter)).unwrap();
            exercise! {
                run: |gpu| letters_of_pieces(gpu, &text, buffers),
                expect: text.chunks(64).map(frequent).collect(),
                schedules: 100,
            }
        }
    }
}
