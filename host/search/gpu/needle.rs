//! A pattern as the kernels of exact search take it: its symbols, and the first test of the sieve.

use super::row::{Launch, Request};
use super::text::DeviceText;
use super::witness::witnesses;
use crate::algorithm::About;
use crate::device::Device;
use crate::error::Result;
use crate::text::{Class, Pattern, period};
use carrywave_kernels::search::exact::needle::{Needle, pack_witness};
use carrywave_kernels::search::exact::sieve::{GRAM, MAX_FOLLOWING, SLOTS, Sieve, TILE, WINDOW};
use carrywave_kernels::search::exact::witness::{PackWitnesses, THREADS};
use simt_std::{U32x2, U32x4};
use std::collections::VecDeque;
use std::ops::Range;

/// A pattern whose positions each match all symbols that agree with a given symbol in some of their
/// bits.
#[derive(Debug, Clone)]
pub(super) struct Symbols {
    /// For each position, one symbol that it matches.
    symbols: Vec<u8>,
    /// For each position, the bits that all of its symbols share.
    significant_bits: Vec<u8>,
    /// True if any two positions match the same symbols or have none in common.
    classes_disjoint: bool,
}

/// Returns the bits that all symbols of a class share, or `None` if the class lacks a symbol with
/// the same bits.
fn significant_bits(class: &Class, first: u8) -> Option<u8> {
    let same = !class.symbols().fold(0, |bits, symbol| bits | (symbol ^ first));
    (class.len() == 1 << same.count_zeros()).then_some(same)
}

impl Symbols {
    /// Converts a pattern. `None` if a position does not match exactly the symbols that agree in
    /// some bits.
    pub fn from_pattern(pattern: &Pattern) -> Option<Self> {
        // Indexed by the first symbol of a class.
        let mut known: [Option<(Class, u8)>; 256] = [None; 256];
        let mut all = Class::default();
        let mut own = Self { symbols: Vec::new(), significant_bits: Vec::new(), classes_disjoint: true };
        for class in pattern.classes() {
            let first = class.symbols().next()?;
            let entry = &mut known[usize::from(first)];
            let of_class = match *entry {
                Some((same, significant_bits)) if same == *class => significant_bits,
                _ => {
                    let significant_bits = significant_bits(class, first)?;
                    own.classes_disjoint &= class.intersection(all).is_empty();
                    all = Class::from_symbols(all.symbols().chain(class.symbols()));
                    *entry = Some((*class, significant_bits));
                    significant_bits
                }
            };
            own.symbols.push(first);
            own.significant_bits.push(of_class);
        }
        Some(own)
    }

    /// Converts the pattern of a request for one pattern.
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported) if [`from_pattern`](Self::from_pattern) returns
    /// `None`.
    pub fn of_request(about: &About, request: &Request<'_>) -> Result<Self> {
        request.patterns.first().and_then(Self::from_pattern).ok_or_else(|| {
            about.unsupported(
                "supports positions of one symbol, a letter in either case, or symbols that agree in some bits; a \
                 position of this pattern is none of these"
                    .into(),
            )
        })
    }

    /// Returns m.
    pub fn len(&self) -> usize {
        self.symbols.len()
    }

    /// Returns a string with the pattern's periods; `None` if two positions match different symbols
    /// and have some in common.
    pub fn as_string(&self) -> Option<&[u8]> {
        self.classes_disjoint.then_some(&self.symbols)
    }

    /// Returns the bits that are compared, if they are the same in all positions.
    pub fn all_care(&self) -> Option<u8> {
        let first = self.significant_bits.first().copied();
        first.filter(|first| self.significant_bits.iter().all(|significant_bits| significant_bits == first))
    }

    /// Returns the sieve with a window: around a critical position, or where the most bits are
    /// compared.
    pub fn window(&self) -> (Sieve, Vec<u32>) {
        let (m, len) = (self.len(), self.len().min(WINDOW as usize));
        let offset = match self.as_string() {
            Some(symbols) => period::critical(symbols).saturating_sub(len / 2).min(m - len),
            None => (0..=m - len).max_by_key(|&at| self.fold(at..at + len).count_ones()).unwrap_or(0),
        };
        self.window_at(offset)
    }

    /// Returns the sieve with the window that starts at a position.
    pub fn window_at(&self, offset: usize) -> (Sieve, Vec<u32>) {
        let len = (self.len() - offset).min(WINDOW as usize);
        let fold = self.fold(offset..offset + len);
        let (mut symbols, mut significant_bits) = ([0; 8], [0; 8]);
        for (i, &symbol) in self.symbols[offset..offset + len].iter().enumerate() {
            (symbols[i], significant_bits[i]) = (symbol & fold, 0xff);
        }
        let two = |bytes: [u8; 8]| {
            let [a, b, c, d, e, f, g, h] = bytes;
            U32x2([u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])])
        };
        (sieve(offset, fold, two(symbols), two(significant_bits)), Vec::new())
    }

    /// Returns true if the window is the whole comparison.
    pub fn is_window(&self) -> bool {
        self.len() <= WINDOW as usize
            && self.significant_bits.iter().all(|&significant_bits| significant_bits == self.fold(0..self.len()))
    }

    /// Returns the sieve with grams, and its table; `None` if no 16 consecutive grams all differ.
    pub fn grams(&self) -> Option<(Sieve, Vec<u32>)> {
        let (m, gram) = (self.len(), GRAM as usize);
        let fold = self.fold(0..m);
        let block = |at: usize| -> [u32; 4] {
            std::array::from_fn(|i| {
                let four = &self.symbols[at + 4 * i..at + 4 * i + 4];
                u32::from_le_bytes([four[0] & fold, four[1] & fold, four[2] & fold, four[3] & fold])
            })
        };
        let mut random = fastrand::Rng::with_seed(16);
        let mut some = || std::array::from_fn(|_| random.u32(..) | 1);
        let multipliers: [u32; 4] = some();
        // Searches for the first 17 consecutive different grams, and drops the first of them, which
        // may occur earlier in the pattern; else for the first 16.
        let mut last = VecDeque::with_capacity(gram + 1);
        let (mut different, mut of_16, mut first) = (0, None, None);
        for at in 0..(m + 1).saturating_sub(gram) {
            let own = hash(block(at), multipliers);
            different = last.iter().position(|&other| other == own).unwrap_or(different).min(gram) + 1;
            last.push_front(own);
            last.truncate(gram);
            if different > gram {
                first = Some(at + 1 - gram);
                break;
            }
            if different == gram && of_16.is_none() {
                of_16 = Some(at + 1 - gram);
            }
        }
        let first = first.or(of_16)?;
        let grams: Vec<[u32; 4]> = (first..first + gram).map(block).collect();
        let tried = |multipliers| Some((multipliers, slots(&grams, multipliers)?));
        let (multipliers, mut table) = (0..TRIES).find_map(|_| tried(some()))?;
        // The number of blocks after each of the grams that are within the pattern.
        let following = ((m - first + 1) / gram).saturating_sub(2).min(MAX_FOLLOWING as usize);
        for after in 1..=MAX_FOLLOWING as usize {
            let next = |at: usize| if after <= following { hash(block(at + after * gram), multipliers) } else { 0 };
            table.extend((first..first + gram).map(next));
        }
        let mut sieve = sieve(first, fold, U32x2::default(), U32x2::default());
        (sieve.multipliers, sieve.following) = (U32x4(multipliers), following as u32);
        Some((sieve, table))
    }

    /// Returns 16 copies of the first symbols, copy a shifted by a bytes, followed by copies of the
    /// compared bits (0 elsewhere); and the number of words of a copy.
    fn copies(&self, len: usize) -> (Vec<U32x4>, u32) {
        let pitch = (len + 15).div_ceil(16).max(1);
        let mut copies = vec![U32x4::default(); 32 * pitch];
        let bytes: &mut [u8] = bytemuck::cast_slice_mut(&mut copies);
        let (symbols, significant_bits) = bytes.split_at_mut(16 * 16 * pitch);
        for copy in 0..16 {
            let at = copy * 16 * pitch + copy;
            symbols[at..at + len].copy_from_slice(&self.symbols[..len]);
            significant_bits[at..at + len].copy_from_slice(&self.significant_bits[..len]);
        }
        (copies, pitch as u32)
    }

    /// Returns the bits that are compared in all of some positions.
    fn fold(&self, positions: Range<usize>) -> u8 {
        self.significant_bits[positions].iter().fold(!0, |all, &significant_bits| all & significant_bits)
    }
}

/// Number of multipliers that are tried: three out of five work for 16 grams in 256 slots.
const TRIES: usize = 1000;

/// Returns the hash of a block, as [`sieve`](carrywave_kernels::search::exact::sieve) computes it.
fn hash(block: [u32; 4], multipliers: [u32; 4]) -> u32 {
    block.into_iter().zip(multipliers).fold(0, |sum, (word, by)| sum.wrapping_add(word.wrapping_mul(by)))
}

/// Returns the tags and positions of 256 slots; `None` if two grams share a slot.
fn slots(grams: &[[u32; 4]], multipliers: [u32; 4]) -> Option<Vec<u32>> {
    // A tag that belongs to another slot marks an empty one.
    let mut table: Vec<u32> = (0..SLOTS).map(|slot| (slot ^ 0x80) << 24).chain((0..SLOTS).map(|_| 0)).collect();
    for (index, &gram) in (0..).zip(grams) {
        let tag = hash(gram, multipliers);
        let slot = (tag >> 24) as usize;
        if table[slot] >> 24 == slot as u32 {
            return None;
        }
        (table[slot], table[SLOTS as usize + slot]) = (tag, index);
    }
    Some(table)
}

/// Returns a sieve without grams. The host sets the table's address at the launch.
fn sieve(offset: usize, fold: u8, window: U32x2, significant_bits: U32x2) -> Sieve {
    Sieve {
        offset: offset as u32,
        fold: u32::from_le_bytes([fold; 4]),
        window,
        significant_bits,
        multipliers: U32x4::default(),
        following: 0,
        table: simt_std::global::Global::at(0),
    }
}

/// A pattern on a device, with its sieve.
pub(super) struct OnDevice<D: Device> {
    symbols: D::Buffer<U32x4>,
    significant_bits: D::Buffer<U32x4>,
    witnesses: D::Buffer<u64>,
    copies: D::Buffer<U32x4>,
    table: D::Buffer<u32>,
    sieve: Sieve,
    pub m: u32,
    pub reach: u32,
    pitch: u32,
    literal: u32,
}

/// The additional data for duels and verification.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Duels {
    /// True if witnesses are computed.
    pub witnesses: bool,
    /// Number of symbols of the pattern that are copied 16 times.
    pub copied: usize,
}

/// Least length of a pattern whose witnesses are computed on the device; for shorter ones the CPU
/// is faster than the launches.
const ON_DEVICE: usize = 1 << 17;

impl<D: Device> OnDevice<D> {
    /// Copies a pattern of at least one symbol to a device.
    ///
    /// # Errors
    /// An error if the device lacks memory, or fails.
    pub fn new(
        text: &DeviceText<D>,
        pattern: &Symbols,
        (sieve, table): (Sieve, Vec<u32>),
        duels: Duels,
    ) -> Result<Self> {
        let padded = |bytes: &[u8]| -> Vec<U32x4> {
            let mut words = vec![U32x4::default(); bytes.len().div_ceil(16)];
            bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
            words
        };
        let symbols = text.upload(&padded(&pattern.symbols), "the pattern's symbols")?;
        let significant_bits = text.upload(&padded(&pattern.significant_bits), "the pattern's bits that count")?;
        let string = pattern.as_string().filter(|_| duels.witnesses);
        let (witnesses, reach) = match string {
            Some(string) if string.len() >= ON_DEVICE => {
                found_on_device(text, (&symbols, &significant_bits), pattern.len() as u32)?
            }
            Some(string) => {
                let of = |k: u32| pack_witness(k, pattern.symbols[k as usize], pattern.significant_bits[k as usize]);
                let witnesses: Vec<u64> = period::witnesses(string).into_iter().map(of).collect();
                (text.upload(&witnesses, "witnesses")?, witnesses.len() as u32)
            }
            // No buffer is empty.
            None => (text.upload(&[0], "witnesses")?, 0),
        };
        let (copies, pitch) = pattern.copies(duels.copied);
        Ok(Self {
            symbols,
            significant_bits,
            witnesses,
            copies: text.upload(&copies, "copies of the pattern")?,
            table: text.upload(if table.is_empty() { &[0] } else { &table }, "grams")?,
            sieve,
            m: pattern.len() as u32,
            reach,
            pitch,
            literal: u32::from(pattern.all_care() == Some(0xff)),
        })
    }

    /// Returns the text and the pattern as a launch's kernels take them, and the sieve; `None` if
    /// the text is shorter than the pattern.
    pub fn needle(&self, launch: &Launch<'_, D>) -> Option<(Needle, Sieve)> {
        let (device, m) = (&*launch.text.device, u64::from(self.m));
        let first = launch.from.saturating_sub(m - 1);
        let needle = Needle {
            text: device.handle(&launch.text.text),
            n: launch.n,
            first,
            symbols: device.handle(&self.symbols),
            significant_bits: device.handle(&self.significant_bits),
            witnesses: device.handle(&self.witnesses),
            copies: device.handle(&self.copies),
            m: self.m,
            reach: self.reach,
            pitch: self.pitch,
            literal: self.literal,
        };
        let has_room = launch.n >= m && first <= launch.n - m;
        has_room.then(|| (needle, Sieve { table: device.handle(&self.table), ..self.sieve }))
    }
}

/// Computes the packed witnesses of a pattern on the device. Returns them and their number.
fn found_on_device<D: Device>(
    text: &DeviceText<D>,
    (symbols, significant_bits): (&D::Buffer<U32x4>, &D::Buffer<U32x4>),
    m: u32,
) -> Result<(D::Buffer<u64>, u32)> {
    let (device, stream) = (&*text.device, &text.stream);
    let found = witnesses(device, stream, symbols, m)?;
    let packed = device.alloc(found.r as usize, "witnesses")?;
    let kernel = PackWitnesses {
        entries: device.handle(&found.entries),
        count: found.r,
        symbols: device.handle(symbols).cast(),
        significant_bits: device.handle(significant_bits).cast(),
        to: device.handle(&packed),
    };
    // SAFETY: there is a witness for each shift, less than m; all arrays live until the stream is
    // waited for.
    unsafe { device.launch(stream, found.r.div_ceil(THREADS), kernel) }?;
    device.wait(stream)?;
    Ok((packed, found.r))
}

/// Returns the tiles that may contain the sieve's target: up to `after` symbols after the sieve's
/// offset.
pub(super) fn tiles(needle: &Needle, sieve: &Sieve, after: u32) -> Range<u64> {
    let offset = u64::from(sieve.offset);
    let last = (needle.n - u64::from(needle.m) + offset + u64::from(after)).min(needle.n - 1);
    (needle.first + offset) / TILE..last / TILE + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::{Alphabet, SymbolRules};

    fn literal(symbols: &[u8]) -> Symbols {
        Symbols::from_pattern(&Pattern::literal(symbols)).unwrap()
    }

    #[test]
    fn classes_are_symbols_that_agree_in_some_bits() {
        let dna = Symbols::from_pattern(&Pattern::parse(b"GATU", Alphabet::Dna).unwrap()).unwrap();
        assert_eq!(dna.significant_bits, [0xdf, 0xdf, 0xde, 0xde]);
        assert!(dna.classes_disjoint && dna.symbols[2] == dna.symbols[3]);
        // N is any symbol, so it shares those of A.
        let wild = Symbols::from_pattern(&Pattern::with_wildcard(b"A.A", b'.')).unwrap();
        assert_eq!((wild.significant_bits.as_slice(), wild.as_string()), (&[0xff, 0, 0xff][..], None));
        assert!(Symbols::from_pattern(&Pattern::new(vec![Class::from_symbols(*b"abc")])).is_none());
        assert!(Symbols::from_pattern(&Pattern::new(vec![Class::default()])).is_none());
        let rules = SymbolRules::from(Alphabet::Dna);
        assert_eq!(significant_bits(&rules.class(b'A').unwrap(), b'A'), Some(0xdf));
    }

    #[test]
    fn grams_are_different() {
        let mut random = fastrand::Rng::with_seed(4);
        let dna: Vec<u8> = (0..100).map(|_| b"ACGT"[random.usize(..4)]).collect();
        let (sieve, table) = literal(&dna).grams().unwrap();
        assert_eq!((sieve.offset, sieve.following, table.len()), (1, 3, 560));
        let used = (0..256u32).filter(|&slot| table[slot as usize] >> 24 == slot).count();
        assert_eq!(used, 16);
        // After 50 times a: the first gram starts with the last 15 of them.
        let late = [&[b'a'; 50][..], &dna].concat();
        assert_eq!(literal(&late).grams().unwrap().0.offset, 50 - 15);
        let none = [&[b'a'; 50][..], b"b"].concat();
        assert!(literal(&none).grams().is_none());
        assert!(literal(&dna[..30]).grams().is_none());
        assert_eq!(literal(&dna[..31]).grams().unwrap().0.offset, 0);
        assert_eq!(
            [32, 47, 48, 63, 64, 80].map(|m| literal(&dna[..m]).grams().unwrap().0.following),
            [0, 0, 1, 1, 2, 3]
        );
        assert!(literal(&b"ab".repeat(50)).grams().is_none());
    }

    #[test]
    fn the_window_is_about_a_critical_position() {
        let late = [&[b'a'; 50][..], b"b"].concat();
        let (sieve, _) = literal(&late).window();
        assert_eq!(
            (sieve.offset, sieve.window),
            (43, U32x2([u32::from_le_bytes(*b"aaaa"), u32::from_le_bytes(*b"aaab")]))
        );
        let (sieve, _) = literal(b"abc").window();
        assert_eq!((sieve.offset, sieve.significant_bits), (0, U32x2([0x00ff_ffff, 0])));
        assert!(literal(b"abc").is_window() && !literal(b"abcdefghi").is_window());
        let (sieve, _) = Symbols::from_pattern(&Pattern::with_wildcard(b"a..bcdefghijk..", b'.')).unwrap().window();
        assert!((3..=5).contains(&sieve.offset));
    }
}
