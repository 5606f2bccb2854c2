//! Shift-And over exact pieces of an adapter: several words in one machine word (Baeza-Yates and
//! Gonnet 1992).

use super::alignment::Aligner;
use std::ops::Range;

/// Diagonals, read position minus adapter position, of the pieces that a read has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Diagonals {
    pub least: isize,
    pub greatest: isize,
}

impl Diagonals {
    /// No diagonal.
    pub const NONE: Self = Self { least: isize::MAX, greatest: isize::MIN };

    /// Returns true if there is no diagonal.
    pub fn is_empty(&self) -> bool {
        self.least > self.greatest
    }

    fn add(&mut self, diagonal: isize) {
        self.least = self.least.min(diagonal);
        self.greatest = self.greatest.max(diagonal);
    }
}

/// Pieces of an adapter that are searched for in a part of a read.
#[derive(Debug, Clone)]
pub(super) struct Group {
    /// Pieces, by their positions in the adapter.
    pub pieces: Vec<Range<usize>>,
    /// Number of symbols at the end of the read among which the pieces are.
    pub reach: usize,
}

/// An automaton for the pieces of some groups.
#[derive(Debug, Clone)]
pub(super) struct Scan {
    masks: Box<[u64; 256]>,
    /// First bits of the pieces.
    starts: u64,
    /// Reach and last bits of each group, by reach.
    groups: Vec<(usize, u64)>,
    /// End of each piece in the adapter, by its last bit.
    ends: Vec<usize>,
}

impl Scan {
    /// Packs groups into as few automata as their order allows. Returns `None` if a piece is empty
    /// or a group has more than 64 symbols.
    pub fn pack(aligner: &Aligner, mut groups: Vec<Group>) -> Option<Vec<Self>> {
        groups.sort_by_key(|group| group.reach);
        let mut scans: Vec<Self> = Vec::new();
        for group in groups {
            let bits: usize = group.pieces.iter().map(Range::len).sum();
            if bits > 64 || group.pieces.iter().any(Range::is_empty) {
                return None;
            }
            match scans.last_mut() {
                Some(scan) if scan.ends.len() + bits <= 64 => scan.add(aligner, &group),
                _ => {
                    let mut scan = Self { masks: Box::new([0; 256]), starts: 0, groups: Vec::new(), ends: Vec::new() };
                    scan.add(aligner, &group);
                    scans.push(scan);
                }
            }
        }
        Some(scans)
    }

    fn add(&mut self, aligner: &Aligner, group: &Group) {
        let mut last_bits = 0;
        for piece in &group.pieces {
            self.starts |= 1 << self.ends.len();
            for position in piece.clone() {
                let bit = self.ends.len();
                for (symbol, mask) in (0..=255).zip(&mut *self.masks) {
                    *mask |= u64::from(aligner.matches(position, symbol)) << bit;
                }
                self.ends.push(position + 1);
            }
            last_bits |= 1 << (self.ends.len() - 1);
        }
        self.groups.push((group.reach, last_bits));
    }

    /// Adds the diagonals of all groups' pieces in a range of the read.
    pub fn within(&self, read: &[u8], range: Range<usize>, found: &mut Diagonals) {
        let last_bits = self.groups.iter().fold(0, |all, (_, bits)| all | bits);
        self.run(read, range, last_bits, 0, found);
    }

    /// Adds the diagonals of the pieces of each group among its last symbols of the read.
    pub fn at_end(&self, read: &[u8], found: &mut Diagonals) {
        let start = |reach: usize| read.len().saturating_sub(reach);
        let mut last_bits = 0;
        let mut state = 0;
        for (number, (reach, bits)) in self.groups.iter().enumerate().rev() {
            last_bits |= bits;
            let end = if number == 0 { read.len() } else { start(self.groups[number - 1].0) };
            state = self.run(read, start(*reach)..end, last_bits, state, found);
        }
    }

    /// Adds the diagonals of the pieces of each group among as many first symbols of the read.
    pub fn at_start(&self, read: &[u8], found: &mut Diagonals) {
        let mut last_bits = self.groups.iter().fold(0, |all, (_, bits)| all | bits);
        let mut state = 0;
        let mut done = 0;
        for (reach, bits) in &self.groups {
            let end = (*reach).min(read.len());
            state = self.run(read, done..end, last_bits, state, found);
            last_bits &= !bits;
            done = end;
        }
    }

    /// Runs the automaton over a range, and returns its last state.
    fn run(&self, read: &[u8], range: Range<usize>, last_bits: u64, mut state: u64, found: &mut Diagonals) -> u64 {
        let start = range.start;
        for (at, symbol) in read[range].iter().enumerate() {
            state = (state << 1 | self.starts) & self.masks[usize::from(*symbol)];
            let mut ended = state & last_bits;
            while ended != 0 {
                let piece_end = self.ends[ended.trailing_zeros() as usize];
                found.add((start + at + 1) as isize - piece_end as isize);
                ended &= ended - 1;
            }
        }
        state
    }
}

/// An automaton for the exact overlaps of the start of an adapter with the end of a read.
#[derive(Debug, Clone)]
pub(super) struct ExactOverlap {
    masks: Box<[u64; 256]>,
    /// Lengths of the overlaps.
    lens: Range<usize>,
}

impl ExactOverlap {
    /// Returns the automaton for overlaps of some lengths, at most 64. `position` is the position
    /// in the adapter of each symbol of an overlap.
    pub fn new(aligner: &Aligner, lens: Range<usize>, position: impl Fn(usize) -> usize) -> Self {
        let mut masks = Box::new([0; 256]);
        for bit in 0..lens.end - 1 {
            for (symbol, mask) in (0..=255).zip(&mut *masks) {
                *mask |= u64::from(aligner.matches(position(bit), symbol)) << bit;
            }
        }
        Self { masks, lens }
    }

    /// Returns the length of the longest overlap with the end of some symbols, 0 for none.
    pub fn longest<'s>(&self, symbols: impl DoubleEndedIterator<Item = &'s u8> + ExactSizeIterator) -> usize {
        let skipped = symbols.len().saturating_sub(self.lens.end - 1);
        let state = symbols.skip(skipped).fold(0, |state, symbol| (state << 1 | 1) & self.masks[usize::from(*symbol)]);
        let len = (u64::BITS - state.leading_zeros()) as usize;
        if self.lens.contains(&len) { len } else { 0 }
    }
}
