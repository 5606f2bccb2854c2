//! The positions of the symbols of a string of at most 64 symbols, one word for each symbol.

use super::strings::Symbols;

/// Maximum length of the string.
pub(crate) const WORD: usize = 64;

/// For each symbol the positions where the string has it, as bits.
#[derive(Debug)]
pub(crate) struct WordMasks {
    low: [u64; 256],
    /// All symbols of a string that has some above 255.
    numbers: Option<Box<Hashed>>,
}

/// A hash table for at most 64 symbols. An empty slot has no positions.
#[derive(Debug)]
struct Hashed {
    symbols: [u32; SLOTS],
    masks: [u64; SLOTS],
    /// Factor of the hash function.
    factor: u32,
    /// Symbols are in the slot of their hash, or else in one after it.
    is_probed: bool,
}

const SLOTS: usize = 128;
/// Factors that are tried until all symbols have slots of their own.
const FACTORS: [u32; 3] = [0x9e37_79b1, 0x85eb_ca6b, 0xc2b2_ae35];
/// More symbols than this rarely all have slots of their own.
const FEW: usize = 24;

impl Hashed {
    /// Creates the table of a string, with the positions of each symbol. Symbols after the first
    /// 64 are ignored.
    fn new(string: &[u32]) -> Box<Self> {
        let empty = Self { symbols: [0; SLOTS], masks: [0; SLOTS], factor: FACTORS[0], is_probed: false };
        let mut table = Box::new(empty);
        let factors = if string.len() <= FEW { &FACTORS[..] } else { &[] };
        if !factors.iter().any(|&factor| table.fill(string, factor, false)) {
            // With probing, there is a slot for each of 64 symbols.
            table.fill(string, FACTORS[0], true);
        }
        table
    }

    /// Fills the table again; false if two symbols have the same slot.
    fn fill(&mut self, string: &[u32], factor: u32, is_probed: bool) -> bool {
        self.masks.fill(0);
        (self.factor, self.is_probed) = (factor, is_probed);
        string.iter().take(WORD).enumerate().all(|(at, &symbol)| {
            let slot = self.slot(symbol);
            let is_own = self.masks[slot] == 0 || self.symbols[slot] == symbol;
            self.symbols[slot] = symbol;
            self.masks[slot] |= 1 << at;
            is_own
        })
    }

    /// Returns the slot of a symbol, or the empty slot for it. There are always empty slots. If
    /// symbols are not probed, the slot may have another symbol.
    #[inline(always)]
    fn slot(&self, symbol: u32) -> usize {
        let mut slot = (symbol.wrapping_mul(self.factor) >> 25) as usize % SLOTS;
        if self.is_probed {
            while self.masks[slot] != 0 && self.symbols[slot] != symbol {
                slot = (slot + 1) % SLOTS;
            }
        }
        slot
    }

    /// Returns the positions of a symbol.
    #[inline(always)]
    fn of(&self, symbol: u32) -> u64 {
        let slot = self.slot(symbol);
        // Without a branch: whether symbols are equal is hard to predict.
        self.masks[slot] & u64::from(self.symbols[slot] == symbol).wrapping_neg()
    }
}

impl WordMasks {
    /// Creates the table of a string. Symbols after the first 64 are ignored.
    #[inline]
    pub(crate) fn new(string: Symbols<'_>) -> Self {
        let mut masks = Self { low: [0; 256], numbers: None };
        match string {
            Symbols::Bytes(bytes) => {
                bytes.iter().take(WORD).enumerate().for_each(|(at, &byte)| masks.low[usize::from(byte)] |= 1 << at);
            }
            Symbols::Numbers(numbers) => {
                let mut is_low = true;
                for (at, &number) in numbers.iter().take(WORD).enumerate() {
                    match masks.low.get_mut(number as usize) {
                        Some(mask) => *mask |= 1 << at,
                        None => is_low = false,
                    }
                }
                masks.numbers = (!is_low).then(|| Hashed::new(numbers));
            }
        }
        masks
    }

    /// Returns the positions of a symbol.
    #[inline]
    pub(crate) fn of(&self, symbol: u32) -> u64 {
        match &self.numbers {
            Some(numbers) => numbers.of(symbol),
            None => self.low.get(symbol as usize).copied().unwrap_or(0),
        }
    }

    /// Returns the positions of a byte.
    #[inline(always)]
    pub(crate) fn of_byte(&self, byte: u8) -> u64 {
        self.low[usize::from(byte)]
    }

    /// Returns the positions of all bytes.
    pub(crate) fn of_bytes(&self) -> &[u64; 256] {
        &self.low
    }

    /// Calls `each` with the positions of each symbol of another string, in order.
    #[inline(always)]
    pub(crate) fn each(&self, other: Symbols<'_>, mut each: impl FnMut(u64)) {
        match (other, &self.numbers) {
            (Symbols::Bytes(bytes), _) => bytes.iter().for_each(|&byte| each(self.low[usize::from(byte)])),
            (Symbols::Numbers(others), Some(numbers)) => others.iter().for_each(|&number| each(numbers.of(number))),
            (Symbols::Numbers(others), None) => others.iter().for_each(|&number| each(self.of(number))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_equal_symbols() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..600 {
            // Few symbols have slots of their own; with many, slots are probed.
            let kinds = [2, 30, 300, 20_000, u32::MAX][round % 5];
            let len = random.usize(..[10, 24, 25, 64, 80][round / 5 % 5]);
            let mut number = || random.u32(..kinds);
            let string: Vec<u32> = (0..len).map(|_| number()).collect();
            let others: Vec<u32> = (0..200).map(|_| number()).collect();
            let masks = WordMasks::new(Symbols::Numbers(&string));
            let of = |symbol: u32| {
                let own = string.iter().take(WORD).enumerate().filter(|(_, other)| **other == symbol);
                own.fold(0u64, |mask, (at, _)| mask | 1 << at)
            };
            for &symbol in string.iter().chain(&others).chain(&[0, 255, 256, u32::MAX]) {
                assert_eq!(masks.of(symbol), of(symbol), "{symbol} in {string:?}");
            }
            let mut expected = others.iter().map(|&symbol| of(symbol));
            masks.each(Symbols::Numbers(&others), |mask| assert_eq!(Some(mask), expected.next()));
            let bytes: Vec<u8> = others.iter().map(|&symbol| symbol as u8).collect();
            let mut expected = bytes.iter().map(|&symbol| of(symbol.into()));
            masks.each(Symbols::Bytes(&bytes), |mask| assert_eq!(Some(mask), expected.next()));
        }
    }
}
