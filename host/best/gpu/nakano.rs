//! Parts that Nakano's four algorithms (2012) share: strings as numbers, and the arguments of a
//! launch. `docs/papers/nakano-2012.md` compares the algorithms with the paper.

use crate::device::Device;
use crate::text::{DistinctClasses, Pattern};
use carrywave_kernels::published::nakano::Strings;
use simt_std::global::Global;

/// Name of the paper in the tables of algorithms.
pub(super) const PAPER: &str = "Nakano 2012";

/// The arguments of a launch.
pub struct Launch<'l, D: Device> {
    /// The device.
    pub device: &'l D,
    /// Stream for the launches.
    pub stream: &'l D::Stream,
    /// Pattern and text as numbers, m and n symbols, neither 0.
    pub strings: Strings,
    /// Number w of the memory's banks: 32 on a GPU, as many as lanes of a warp, and any number from
    /// 1 on for a memory machine.
    pub width: u32,
    /// The matrix, of [`DeviceAlgorithm::words`](super::DeviceAlgorithm::words) words.
    pub matrix: Global<u32>,
    /// [`DeviceAlgorithm::flags`](super::DeviceAlgorithm::flags) flags, each `NONE` before the
    /// launch.
    pub flags: Global<u32>,
    /// Output: the least distance and its first end.
    pub found: Global<u32>,
}

/// Returns the pattern's symbols as numbers, and a number for every byte of a text, equal to that
/// of the symbols it matches. `None` if a byte matches two different symbols.
pub(super) fn codes(pattern: &Pattern) -> Option<(Vec<u32>, [u32; 256])> {
    let DistinctClasses { classes, indices } = pattern.distinct();
    // 0 matches no symbol.
    let mut table = [0; 256];
    for (class, number) in classes.iter().zip(1..) {
        for symbol in class.symbols() {
            if std::mem::replace(&mut table[usize::from(symbol)], number) != 0 {
                return None;
            }
        }
    }
    Some((indices.iter().map(|&class| class as u32 + 1).collect(), table))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Alphabet;

    #[test]
    fn numbers_are_equal_where_symbols_match() {
        for (symbols, alphabet) in
            [("banana", Alphabet::Bytes), ("GATTaCA", Alphabet::Iupac), ("MKV", Alphabet::Protein)]
        {
            let pattern = Pattern::parse(symbols.as_bytes(), alphabet).unwrap();
            let (x, table) = codes(&pattern).unwrap();
            for (class, number) in pattern.classes().iter().zip(x) {
                for symbol in 0..=255 {
                    assert_eq!(class.contains(symbol), table[usize::from(symbol)] == number, "{symbol} of {symbols}");
                }
            }
        }
        assert!(codes(&Pattern::parse(b"GAN", Alphabet::Iupac).unwrap()).is_none());
    }
}
