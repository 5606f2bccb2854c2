//! Chapter 8: launches of its kernels.

use super::kernels::{BracketDepths, DepthsThroughShared, PIECE, PositionsOfSymbol};
use simt_std::simulator::{Fault, Simulator};

// ANCHOR: positions
/// Returns the positions of a symbol in a text, in order.
pub fn positions(gpu: &mut Simulator, text: &[u8], symbol: u8) -> Result<Vec<u32>, Fault> {
    let piece = PIECE as usize;
    let pieces = text.len().div_ceil(piece);
    let on_gpu = gpu.alloc_from(text, "text");
    let found = gpu.alloc_from(&vec![0u32; pieces * piece], "found");
    let counts = gpu.alloc::<u32>(pieces, "counts");
    let kernel = PositionsOfSymbol {
        text: on_gpu.handle(),
        n: text.len() as u32,
        symbol: symbol.into(),
        found: found.handle(),
        counts: counts.handle(),
    };
    gpu.launch_kernel(pieces as u32, kernel)?;
    let found = gpu.download(&found, pieces * piece)?;
    let counts = gpu.download(&counts, pieces)?;
    let hits = found.chunks(piece).zip(counts).flat_map(|(found, count)| &found[..count as usize]);
    Ok(hits.copied().collect())
}
// ANCHOR_END: positions

/// Returns the depth of brackets after each symbol, by shuffles.
pub fn depths(gpu: &mut Simulator, text: &[u8]) -> Result<Vec<i32>, Fault> {
    let on_gpu = gpu.alloc_from(text, "text");
    let depths = gpu.alloc::<i32>(text.len(), "depths");
    let kernel = BracketDepths { text: on_gpu.handle(), n: text.len() as u32, depths: depths.handle() };
    gpu.launch_kernel(1, kernel)?;
    gpu.download(&depths, text.len())
}

/// Returns the depth of brackets after each symbol, through shared memory.
pub fn depths_through_shared(gpu: &mut Simulator, text: &[u8]) -> Result<Vec<i32>, Fault> {
    let on_gpu = gpu.alloc_from(text, "text");
    let depths = gpu.alloc::<i32>(text.len(), "depths");
    let kernel = DepthsThroughShared { text: on_gpu.handle(), n: text.len() as u32, depths: depths.handle() };
    gpu.launch_kernel(1, kernel)?;
    gpu.download(&depths, text.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    /// A text of n symbols of `alphabet`, the same each time.
    fn text(n: usize, alphabet: &[u8]) -> Vec<u8> {
        let next = |&state: &u64| Some(state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407));
        let states = std::iter::successors(Some(n as u64 + 1), next);
        states.skip(1).take(n).map(|state| alphabet[(state >> 33) as usize % alphabet.len()]).collect()
    }

    #[test]
    fn positions_are_those_of_plain_rust() {
        for n in [1, 31, 32, 33, 1023, 1024, 1025, 3000] {
            let text = text(n, b"GATC");
            exercise! {
                run: |gpu| positions(gpu, &text, b'A'),
                expect: (0..n as u32).filter(|&i| text[i as usize] == b'A').collect(),
                schedules: 5,
            }
        }
        exercise! {
            run: |gpu| positions(gpu, &[b'A'; 1500], b'A'),
            expect: (0..1500).collect(),
        }
    }

    #[test]
    fn depths_are_those_of_plain_rust() {
        for n in [1, 31, 32, 33, 64, 100] {
            let text = text(n, b"(()x)");
            let mut depth = 0;
            let expected: Vec<i32> = text
                .iter()
                .map(|&symbol| {
                    depth += i32::from(symbol == b'(') - i32::from(symbol == b')');
                    depth
                })
                .collect();
            exercise! {
                run: |gpu| depths(gpu, &text),
                expect: expected.clone(),
                schedules: 10,
            }
            exercise! {
                run: |gpu| depths_through_shared(gpu, &text),
                expect: expected,
                schedules: 10,
            }
        }
    }
}
