//! The positions of the symbols of a string of at most 64 symbols, one word for each symbol.

use super::strings::Symbols;

/// Maximum length of the string.
pub(crate) const WORD: usize = 64;

/// For each symbol the positions where the string has it, as bits.
#[derive(Debug)]
pub(crate) struct WordMasks {
    low: [u64; 256],
    /// Symbols above 255.
    others: Option<Box<Others>>,
}

/// A table with open addressing for at most 64 symbols. An empty slot has no positions.
#[derive(Debug)]
struct Others {
    symbols: [u32; SLOTS],
    masks: [u64; SLOTS],
}

const SLOTS: usize = 128;

impl Others {
    const NEW: Self = Self { symbols: [0; SLOTS], masks: [0; SLOTS] };

    /// Returns the slot of a symbol, or the empty slot for it. There are always empty slots.
    #[inline]
    fn slot(&self, symbol: u32) -> usize {
        let mut slot = (symbol.wrapping_mul(0x9e37_79b1) >> 25) as usize % SLOTS;
        while self.masks[slot] != 0 && self.symbols[slot] != symbol {
            slot = (slot + 1) % SLOTS;
        }
        slot
    }
}

impl WordMasks {
    /// Creates the table of a string. Symbols after the first 64 are ignored.
    #[inline]
    pub(crate) fn new(string: Symbols<'_>) -> Self {
        let mut masks = Self { low: [0; 256], others: None };
        match string {
            Symbols::Bytes(bytes) => {
                bytes.iter().take(WORD).enumerate().for_each(|(at, &byte)| masks.low[usize::from(byte)] |= 1 << at);
            }
            Symbols::Numbers(numbers) => {
                numbers.iter().take(WORD).enumerate().for_each(|(at, &number)| masks.add(number, 1 << at));
            }
        }
        masks
    }

    fn add(&mut self, symbol: u32, bit: u64) {
        match self.low.get_mut(symbol as usize) {
            Some(mask) => *mask |= bit,
            None => {
                let others = self.others.get_or_insert_with(|| Box::new(Others::NEW));
                let slot = others.slot(symbol);
                others.symbols[slot] = symbol;
                others.masks[slot] |= bit;
            }
        }
    }

    /// Returns the positions of a symbol.
    #[inline]
    pub(crate) fn of(&self, symbol: u32) -> u64 {
        match (self.low.get(symbol as usize), &self.others) {
            (Some(&mask), _) => mask,
            (None, Some(others)) => others.masks[others.slot(symbol)],
            (None, None) => 0,
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
        match other {
            Symbols::Bytes(bytes) => bytes.iter().for_each(|&byte| each(self.low[usize::from(byte)])),
            Symbols::Numbers(numbers) => numbers.iter().for_each(|&number| each(self.of(number))),
        }
    }
}
