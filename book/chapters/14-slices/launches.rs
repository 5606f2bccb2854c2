//! Chapter 14: launches of its kernels.

use super::kernels::MyersBySlices;
use simt_std::simulator::{Fault, Simulator};

// ANCHOR: search
/// Returns the positions where an occurrence with at most k errors ends.
pub fn search(gpu: &mut Simulator, pattern: &[u8], text: &[u8], k: u32, slice: u32) -> Result<Vec<usize>, Fault> {
    let overlap = pattern.len() as u32 + k - 1;
    search_with_overlap(gpu, pattern, text, k, slice, overlap)
}

/// As [`search`], with any overlap.
pub fn search_with_overlap(
    gpu: &mut Simulator,
    pattern: &[u8],
    text: &[u8],
    k: u32,
    slice: u32,
    overlap: u32,
) -> Result<Vec<usize>, Fault> {
    let (n, m) = (text.len() as u32, pattern.len() as u32);
    let masks = gpu.alloc_from(&match_masks(pattern), "masks");
    let on_gpu = gpu.alloc_from(text, "text");
    let hits = gpu.alloc_from(&vec![0u8; text.len()], "hits");
    let (masks, text) = (masks.handle(), on_gpu.handle());
    let kernel = MyersBySlices { masks, text, n, m, k, slice, overlap, hits: hits.handle() };
    gpu.launch_kernel(n.div_ceil(slice).div_ceil(256), kernel)?;
    let hits = gpu.download(&hits, n as usize)?;
    Ok((0..hits.len()).filter(|&j| hits[j] == 1).collect())
}

/// Returns the positions of each symbol in the pattern, a bit for each.
pub fn match_masks(pattern: &[u8]) -> Vec<u32> {
    let mut masks = vec![0; 256];
    for (i, &symbol) in pattern.iter().enumerate() {
        masks[symbol as usize] |= 1 << i;
    }
    masks
}
// ANCHOR_END: search

/// Returns the table of errors, column by column: in row i, the fewest errors of the pattern's
/// first i symbols and any part of the text that ends there.
#[cfg(test)]
pub fn table(pattern: &[u8], text: &[u8]) -> Vec<Vec<u32>> {
    let mut columns = vec![Vec::from_iter(0..=pattern.len() as u32)];
    for symbol in text {
        let left = columns.last().unwrap();
        let mut column = vec![0];
        for i in 1..left.len() {
            let replaced = left[i - 1] + u32::from(pattern[i - 1] != *symbol);
            column.push(replaced.min(left[i] + 1).min(column[i - 1] + 1));
        }
        columns.push(column);
    }
    columns
}

/// Returns the ends of occurrences with at most k errors, by the table.
#[cfg(test)]
pub fn ends(pattern: &[u8], text: &[u8], k: u32) -> Vec<usize> {
    let columns = table(pattern, text);
    (0..text.len()).filter(|j| columns[j + 1][pattern.len()] <= k).collect()
}

/// Returns n symbols of DNA.
#[cfg(test)]
pub fn dna(n: usize) -> Vec<u8> {
    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        b"ACGT"[(state >> 30) as usize]
    };
    (0..n).map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    #[test]
    fn ends_are_those_of_the_table() {
        for (n, m, k, slice) in [(1, 1, 0, 1), (300, 6, 2, 1), (2000, 8, 3, 7), (1000, 32, 12, 40), (513, 5, 1, 600)] {
            let text = dna(n);
            let pattern = dna(m);
            exercise! {
                run: |gpu| search(gpu, &pattern, &text, k, slice).map(|ends| ends.iter().map(|&j| j as u32).collect()),
                expect: ends(&pattern, &text, k).iter().map(|&j| j as u32).collect::<Vec<u32>>(),
                schedules: 3,
            }
        }
    }

    #[test]
    fn an_occurrence_across_a_border_is_found_wherever_it_is() {
        let pattern = b"GATTACA";
        for at in 0..40 {
            let mut text = vec![b'C'; 60];
            text[at..at + 8].copy_from_slice(b"GATTCACA");
            exercise! {
                run: |gpu| search(gpu, pattern, &text, 1, 16).map(|ends| ends.len() as u32),
                expect: ends(pattern, &text, 1).len() as u32,
            }
        }
    }
}
