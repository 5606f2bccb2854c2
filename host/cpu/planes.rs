//! Symbols as bit planes: plane q holds bit q of every code, 64 codes per word. Two symbols are
//! equal if all their planes are.

/// Returns bit `plane` of 64 codes, the first code's in bit 0.
pub(crate) fn plane(codes: &[u8; 64], plane: usize) -> u64 {
    let mut word = [0; 8];
    for (byte, eight) in word.iter_mut().zip(codes.as_chunks::<8>().0) {
        // The bit of code i, at 8 i, times 2^(56 - 7 i) lands on bit 56 + i; no other product
        // reaches the top byte.
        let bits = u64::from_le_bytes(*eight) >> plane & 0x0101_0101_0101_0101;
        *byte = (bits.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u8;
    }
    u64::from_le_bytes(word)
}

/// Returns the number of planes that distinguish codes 0..`symbols`; at least one.
pub(crate) fn planes(symbols: usize) -> usize {
    (symbols.max(2) - 1).ilog2() as usize + 1
}

/// Transposes a matrix of bits: bit j of word i becomes bit i of word j. Hacker's Delight (Warren,
/// 2nd edition), section 7-3: swaps quarters, then the quarters' quarters and so on, all of one
/// size at once.
pub(crate) fn transpose(words: &mut [u64; 64]) {
    let mut size = 32;
    let mut low = u64::from(u32::MAX);
    while size > 0 {
        for i in (0..64).filter(|i| i & size == 0) {
            let swap = (words[i] >> size ^ words[i + size]) & low;
            words[i] ^= swap << size;
            words[i + size] ^= swap;
        }
        size /= 2;
        low ^= low << size;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn planes_by_single_bits() {
        let codes: [u8; 64] = std::array::from_fn(|i| (i * i * 37 + i * 11) as u8);
        for q in 0..8 {
            for (i, code) in codes.iter().enumerate() {
                assert_eq!(plane(&codes, q) >> i & 1, u64::from(code >> q & 1), "code {i}, plane {q}");
            }
        }
    }

    #[test]
    fn planes_of_alphabets() {
        let expected = [(0, 1), (1, 1), (2, 1), (3, 2), (4, 2), (5, 3), (8, 3), (9, 4), (128, 7), (129, 8), (256, 8)];
        for (symbols, expected) in expected {
            assert_eq!(planes(symbols), expected, "{symbols} symbols");
        }
    }

    #[test]
    fn transpose_by_single_bits() {
        let before: [u64; 64] = std::array::from_fn(|i| (i as u64 + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
        let mut after = before;
        transpose(&mut after);
        for (i, before) in before.iter().enumerate() {
            for (j, after) in after.iter().enumerate() {
                assert_eq!(after >> i & 1, before >> j & 1, "bit {j} of word {i}");
            }
        }
    }
}
