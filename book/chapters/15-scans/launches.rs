//! Chapter 15: launches of its kernels.

use super::kernels::{ShiftOrByScan, ShiftOrWithCopies};
use simt_std::simulator::{Fault, Simulator};

// ANCHOR: search
/// Returns 1 for each symbol where an occurrence of the pattern ends, else 0.
pub fn search(gpu: &mut Simulator, pattern: &[u8], text: &[u8]) -> Result<Vec<u8>, Fault> {
    let (n, m) = (text.len() as u32, pattern.len() as u32);
    let masks = gpu.alloc_from(&mismatch_masks(pattern), "masks");
    let on_gpu = gpu.alloc_from(text, "text");
    let ends = gpu.alloc::<u8>(text.len(), "ends");
    let kernel = ShiftOrByScan { masks: masks.handle(), text: on_gpu.handle(), n, m, ends: ends.handle() };
    gpu.launch_kernel(blocks(n, m), kernel)?;
    gpu.download(&ends, text.len())
}

/// Returns the number of blocks: each begins m - 1 symbols before the end of the one before.
pub fn blocks(n: u32, m: u32) -> u32 {
    1 + n.saturating_sub(256).div_ceil(257 - m)
}

/// Returns a mask for each symbol: bit i is 0 if the pattern's symbol i is the symbol.
pub fn mismatch_masks(pattern: &[u8]) -> Vec<u32> {
    let mut masks = vec![u32::MAX; 256];
    for (i, &symbol) in pattern.iter().enumerate() {
        masks[symbol as usize] &= !(1 << i);
    }
    masks
}
// ANCHOR_END: search

/// As [`search`], with copies of the table of masks.
pub fn search_with_copies(gpu: &mut Simulator, pattern: &[u8], text: &[u8], copies: u32) -> Result<Vec<u8>, Fault> {
    let (n, m) = (text.len() as u32, pattern.len() as u32);
    let masks = gpu.alloc_from(&mismatch_masks(pattern), "masks");
    let on_gpu = gpu.alloc_from(text, "text");
    let ends = gpu.alloc::<u8>(text.len(), "ends");
    let (masks, text) = (masks.handle(), on_gpu.handle());
    let kernel = ShiftOrWithCopies { masks, text, n, m, copies, ends: ends.handle() };
    gpu.launch_kernel(blocks(n, m), kernel)?;
    gpu.download(&ends, n as usize)
}

/// Returns n symbols, each one of these, at random.
#[cfg(test)]
pub fn random(n: usize, symbols: &[u8]) -> Vec<u8> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        symbols[(state >> 16) as usize % symbols.len()]
    };
    (0..n).map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    /// Returns the ends by plain Rust.
    fn expected(pattern: &[u8], text: &[u8]) -> Vec<u8> {
        (1..=text.len()).map(|end| u8::from(text[..end].ends_with(pattern))).collect()
    }

    #[test]
    fn ends_are_those_of_plain_rust() {
        for (n, m) in [(1, 1), (3, 5), (255, 2), (256, 4), (257, 4), (700, 1), (1000, 17), (800, 32)] {
            // Two symbols and runs, so that a long pattern occurs as well.
            let text = random(n, b"AAAAAAAAAAAAAAAAC");
            let pattern = vec![b'A'; m];
            exercise! {
                run: |gpu| search(gpu, &pattern, &text),
                expect: expected(&pattern, &text),
                schedules: 5,
            }
        }
    }

    #[test]
    fn copies_of_the_table_change_no_result() {
        let text = random(900, b"ACGT");
        for copies in [1, 2, 8, 32] {
            exercise! {
                run: |gpu| search_with_copies(gpu, &text[600..603], &text, copies),
                expect: expected(&text[600..603], &text),
                schedules: 3,
            }
        }
    }
}
