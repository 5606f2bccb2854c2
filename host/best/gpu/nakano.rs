//! Shared by Nakano's four algorithms (2012): strings as numbers, and the arguments of a launch. `docs/papers/nakano-2012.md` compares
//! them with the paper.

use crate::device::Device;
use crate::text::{DistinctClasses, Pattern};
use carrywave_kernels::published::nakano::Strings;
use simt_std::global::Global;

/// The paper, as the tables of algorithms name it.
pub(super) const PAPER: &str = "Nakano 2012";

/// The arguments of a launch.
pub struct Launch<'l, D: Device> {
    /// The device.
    pub device: &'l D,
    /// The stream that launches go into.
    pub stream: &'l D::Stream,
    /// Pattern and text as numbers, m and n symbols, neither 0.
    pub strings: Strings,
    /// w, the banks of the memory: a warp's 32 on a GPU, any number from 1 on for a memory machine.
    pub width: u32,
    /// The matrix, of [`DeviceAlgorithm::words`](super::DeviceAlgorithm::words) words.
    pub matrix: Global<u32>,
    /// [`DeviceAlgorithm::flags`](super::DeviceAlgorithm::flags) flags, each `NONE` before the launch.
    pub flags: Global<u32>,
    /// Out: the least distance and its first end.
    pub found: Global<u32>,
}

/// The pattern's symbols as numbers, and the number of every byte of a text, which is equal to those of the symbols that it
/// matches: if no byte matches two different ones.
pub(super) fn codes(pattern: &Pattern) -> Option<(Vec<u32>, [u32; 256])> {
    let DistinctClasses { classes, indices } = pattern.distinct();
    // 0 matches nothing.
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
