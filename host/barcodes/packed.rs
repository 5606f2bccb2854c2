//! Bases in two bits each: barcodes in a word, and windows of a read.

use std::ops::Range;

/// Bases of a word.
pub const WORD: usize = 32;

/// The low bit of each base.
const LOW: u64 = 0x5555_5555_5555_5555;

/// Code of a byte that is no base.
const UNKNOWN: u8 = 4;

/// Codes of bytes: 0 to 3 for A, C, G and T or U in either case, else [`UNKNOWN`].
static CODES: [u8; 256] = codes();

const fn codes() -> [u8; 256] {
    let mut codes = [UNKNOWN; 256];
    let mut code = 0;
    while code < 4 {
        let base = b"ACGT"[code];
        codes[base as usize] = code as u8;
        codes[base.to_ascii_lowercase() as usize] = code as u8;
        code += 1;
    }
    codes[b'U' as usize] = 3;
    codes[b'u' as usize] = 3;
    codes
}

/// Returns the code of a base, 0 to 3; `None` for any other byte.
#[inline]
pub fn code(base: u8) -> Option<u8> {
    let code = CODES[base as usize];
    (code != UNKNOWN).then_some(code)
}

/// Strings of codes, one behind the other.
#[derive(Debug, Clone, Default)]
pub struct Strings {
    symbols: Vec<u8>,
    /// End of each string in the symbols.
    ends: Vec<usize>,
}

impl Strings {
    pub fn push(&mut self, string: impl IntoIterator<Item = u8>) {
        self.symbols.extend(string);
        self.ends.push(self.symbols.len());
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    #[inline]
    pub fn get(&self, number: usize) -> &[u8] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.symbols[start..self.ends[number]]
    }

    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[u8]> {
        (0..self.len()).map(|number| self.get(number))
    }
}

/// Returns a mask of the first `len` bases, at most 31.
#[inline]
pub const fn low_bases(len: usize) -> u64 {
    (1 << (2 * len)) - 1
}

/// The first bases of a barcode, at most 31 in two bits each, with a bit behind them that marks
/// their end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PackedBarcode(u64);

impl PackedBarcode {
    /// Packs at most 31 codes.
    pub fn new(codes: &[u8]) -> Self {
        debug_assert!(codes.len() < WORD);
        Self(codes.iter().rev().fold(1, |word, &code| word << 2 | u64::from(code)))
    }

    /// Returns the number of bases.
    #[inline]
    pub fn len(self) -> usize {
        (63 - self.0.leading_zeros() as usize) / 2
    }

    /// Returns `len` bases from base `from` on.
    #[inline]
    pub fn bases(self, from: usize, len: usize) -> u64 {
        self.0 >> (2 * from) & low_bases(len)
    }
}

/// 32 bases of a read, from a position on.
#[derive(Debug, Clone, Copy)]
pub struct Window {
    /// Two bits for each base, the first base lowest.
    bases: u64,
    /// The low bit of each base that is unknown or behind the end of the read.
    unknown: u64,
}

impl Window {
    /// Returns the window that begins `count` bases further on, less than 32.
    #[inline]
    pub fn after(self, count: usize) -> Self {
        Self { bases: self.bases >> (2 * count), unknown: self.unknown >> (2 * count) }
    }

    /// Returns the first base; `None` if it is unknown.
    #[inline]
    pub fn first(self) -> Option<u64> {
        (self.unknown & 1 == 0).then_some(self.bases & 3)
    }

    /// Returns the first `len` bases, at most 31; `None` if one is unknown.
    #[inline]
    pub fn bases(self, len: usize) -> Option<u64> {
        let mask = low_bases(len);
        (self.unknown & mask == 0).then_some(self.bases & mask)
    }

    /// Returns the window that begins `count` bases further on, or further back if the count is
    /// negative. It has at most 31 bases of the read that this window lacks: wrong ones.
    #[inline]
    pub fn shifted(self, count: i32) -> Self {
        let bits = 2 * count.unsigned_abs();
        if count >= 0 {
            Self { bases: self.bases >> bits, unknown: self.unknown >> bits }
        } else {
            Self { bases: self.bases << bits, unknown: self.unknown << bits }
        }
    }

    /// Returns the low bits of the barcode's bases that differ from the window's, and a bit behind
    /// the last base.
    #[inline]
    pub fn differences(self, barcode: PackedBarcode) -> u64 {
        let differs = barcode.0 ^ self.bases;
        let end = 1 << (2 * barcode.len());
        ((differs | differs >> 1) & LOW | self.unknown) & (end - 1) | end
    }
}

/// The bases of a read from some starts on, in two bits each.
#[derive(Debug, Default)]
pub struct PackedRead {
    /// Position of the first base.
    first: usize,
    words: Vec<Window>,
}

impl PackedRead {
    /// Packs the bases at `starts`, and as many as `behind` behind them. Takes O(starts + behind)
    /// time and memory.
    pub fn pack(&mut self, read: &[u8], starts: &Range<usize>, behind: usize) {
        self.first = starts.start;
        let end = starts.end.saturating_add(behind).min(read.len());
        self.words.clear();
        self.words.extend(read[starts.start.min(end)..end].chunks(WORD).map(|chunk| {
            let behind = if chunk.len() < WORD { LOW << (2 * chunk.len()) } else { 0 };
            let mut word = Window { bases: 0, unknown: behind };
            for (at, &base) in chunk.iter().enumerate() {
                let code = u64::from(CODES[base as usize]);
                word.bases |= (code & 3) << (2 * at);
                word.unknown |= (code >> 2) << (2 * at);
            }
            word
        }));
    }

    /// Returns the window at a position, not before the first start.
    #[inline]
    pub fn window(&self, position: usize) -> Window {
        let offset = position - self.first;
        let behind = Window { bases: 0, unknown: LOW };
        let word = |number: usize| self.words.get(number).copied().unwrap_or(behind);
        let low = word(offset / WORD);
        let bits = 2 * (offset % WORD);
        if bits == 0 {
            return low;
        }
        let high = word(offset / WORD + 1);
        Window {
            bases: low.bases >> bits | high.bases << (64 - bits),
            unknown: low.unknown >> bits | high.unknown << (64 - bits),
        }
    }
}
