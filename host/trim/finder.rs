//! The best match of one adapter in a read.

use super::alignment::{Aligned, Aligner, Column};
use super::ends::FreeEnds;
use super::found::Found;
use super::notation::Written;
use super::pieces::{Pieces, Sight};
use crate::Result;
use crate::error::UsageFault;
use crate::text::alphabet::nucleotides;
use std::ops::Range;

/// IUPAC codes that an adapter may have.
const CODES: &[u8] = b"ABCDGHKMNRSTUVWXY";

/// An adapter that is ready to be found.
#[derive(Debug, Clone)]
pub(super) struct Finder {
    pub aligner: Aligner,
    pieces: Option<Pieces>,
    /// True if the adapter and the reads are reversed, so that the rightmost match comes first.
    pub is_reversed: bool,
    /// True if codes of the adapter or of reads match all their bases.
    pub has_codes: bool,
}

impl Finder {
    /// Returns a finder of symbols in upper case.
    pub fn new(symbols: &[u8], written: &Written) -> Result<Self> {
        let settings = &written.settings;
        if settings.adapter_codes
            && let Some(wrong) = symbols.iter().find(|symbol| !CODES.contains(symbol))
        {
            let wrong = char::from(*wrong);
            return Err(UsageFault::Syntax.error(format!(
                "`{wrong}` is no IUPAC code; use A, C, G, T, U and codes, or `-N` for any symbols; a file of adapters \
                 is written file:NAME"
            )));
        }
        if settings.overlap == 0 {
            return Err(UsageFault::Range.error("the overlap is at least 1 symbol"));
        }
        let has_codes = settings.adapter_codes && !symbols.iter().all(|symbol| b"ACGT".contains(symbol));
        let codes = symbols.iter().filter(|symbol| **symbol == b'N').count();
        if has_codes && codes == symbols.len() {
            return Err(UsageFault::Empty.error("all symbols are N, which match everything"));
        }
        let counted = if codes == symbols.len() { codes } else { symbols.len() - codes };
        let rate = if settings.errors >= 1.0 { settings.errors / counted as f64 } else { settings.errors };
        if !(0.0..=1.0).contains(&rate) {
            return Err(UsageFault::Range.error(format!("at most {counted} errors are possible, and at least 0")));
        }
        let is_reversed = written.is_rightmost;
        let mut symbols = symbols.to_vec();
        let mut free = written.place.free_ends();
        if is_reversed {
            symbols.reverse();
            free = free.reversed();
        }
        if written.is_anywhere {
            free = FreeEnds::ALL;
        }
        let len = symbols.len();
        let most = (len as f64 * rate) as usize;
        let aligner = Aligner {
            masks: masks(&symbols, has_codes, settings.read_codes),
            len,
            codes_before: codes_before(&symbols, has_codes),
            rate,
            overlap: if written.place.is_anchored() { len } else { settings.overlap.min(len) },
            free,
            most,
            gap: if settings.indels { 1 } else { most + 1 },
        };
        let pieces = Pieces::new(&aligner);
        Ok(Self { aligner, pieces, is_reversed, has_codes: has_codes || settings.read_codes })
    }

    /// Returns the best match; the caller sets [`Found::is_front`].
    pub fn find(&self, read: &[u8], column: &mut Column) -> Option<Found> {
        if !self.is_reversed {
            return self.align(read, column).map(found);
        }
        let reversed: Vec<u8> = read.iter().rev().copied().collect();
        let mut result = found(self.align(&reversed, column)?);
        result.adapter = self.aligner.len - result.adapter.end..self.aligner.len - result.adapter.start;
        result.read = read.len() - result.read.end..read.len() - result.read.start;
        Some(result)
    }

    /// Returns the errors and the matches of an alignment of the whole adapter with a whole string,
    /// if the errors are allowed.
    pub fn whole(&self, string: &[u8], column: &mut Column) -> Option<(usize, i64)> {
        let len = self.aligner.len;
        if self.aligner.gap > 1 && string.len() != len {
            return None;
        }
        let cell = self.aligner.last_cell(string, column);
        // With M matches, X mismatches and G gaps, the errors are X + G, the score is M - X - 2 G,
        // and the sum of both lengths is 2 M + 2 X + G.
        let matches = (len + string.len()) as i64 - 3 * cell.errors as i64 - cell.score;
        (cell.errors <= self.aligner.most).then_some((cell.errors, matches))
    }

    fn align(&self, read: &[u8], column: &mut Column) -> Option<Aligned> {
        let aligner = &self.aligner;
        let widest = aligner.widest_window(read.len());
        // The adapter may hang over both ends of a short read, which has no piece of any length.
        let hangs_over_both = aligner.free.adapter_start && aligner.free.adapter_end;
        let is_short = hangs_over_both && read.len() < aligner.len + aligner.most;
        let Some(pieces) = self.pieces.as_ref().filter(|_| !is_short) else {
            return aligner.align(read, widest, column);
        };
        let sight = pieces.find(aligner, read);
        if sight.diagonals.is_empty() && sight.exact_end == 0 && sight.exact_start == 0 {
            return None;
        }
        if !hangs_over_both
            && aligner.most <= aligner.len / 2
            && let Some(exact) = aligner.exact(read, &sight)
        {
            return Some(exact);
        }
        aligner.align(read, aligner.window(read.len(), &sight), column)
    }
}

impl Aligner {
    /// Returns the part of a read of `n` symbols that has all alignments.
    pub fn widest_window(&self, n: usize) -> Range<usize> {
        let most = self.len + self.most;
        match (self.free.read_start, self.free.read_end) {
            (false, _) => 0..n.min(most),
            (true, false) => n.saturating_sub(most)..n,
            (true, true) => 0..n,
        }
    }

    /// Returns the part that has the alignments through the pieces of a read.
    fn window(&self, n: usize, sight: &Sight) -> Range<usize> {
        let widest = self.widest_window(n);
        let mut start = widest.end;
        let mut end = widest.start;
        if !sight.diagonals.is_empty() {
            start = start.min((sight.diagonals.least - self.most as isize).max(0) as usize);
            end = end.max((sight.diagonals.greatest + (self.len + self.most) as isize).max(0) as usize);
        }
        if sight.exact_end > 0 {
            start = start.min(n - sight.exact_end);
            end = n;
        }
        if sight.exact_start > 0 {
            start = 0;
            end = end.max(sight.exact_start);
        }
        let start = if self.free.read_start { start.max(widest.start) } else { widest.start };
        let end = if self.free.read_end { end.min(widest.end) } else { widest.end };
        start.min(end)..end
    }

    /// Returns the alignment without errors, if no other can be chosen: all pieces of the read are
    /// on its diagonal. An alignment with errors through that diagonal has a lower score, and
    /// overlaps it; one without a diagonal is shorter.
    fn exact(&self, read: &[u8], sight: &Sight) -> Option<Aligned> {
        let n = read.len();
        if sight.diagonals.is_empty() {
            let len = sight.exact_end.max(sight.exact_start);
            let (adapter, read) =
                if sight.exact_end > 0 { (0..len, n - len..n) } else { (self.len - len..self.len, 0..len) };
            return Some(Aligned { adapter, read, score: len as i64, errors: 0 });
        }
        let diagonal = sight.diagonals.least;
        if diagonal != sight.diagonals.greatest {
            return None;
        }
        let adapter_start = (-diagonal).max(0) as usize;
        let read_start = diagonal.max(0) as usize;
        let len = (self.len - adapter_start).min(n.checked_sub(read_start)?);
        let adapter = adapter_start..adapter_start + len;
        let part = read_start..read_start + len;
        let may_end = (self.free.adapter_start || adapter.start == 0)
            && (self.free.adapter_end || adapter.end == self.len)
            && (self.free.read_start || part.start == 0)
            && (self.free.read_end || part.end == n);
        let is_exact = || adapter.clone().zip(&read[part.clone()]).all(|(at, symbol)| self.matches(at, *symbol));
        (may_end && len >= self.overlap && is_exact()).then(|| Aligned {
            adapter: adapter.clone(),
            read: part.clone(),
            score: len as i64,
            errors: 0,
        })
    }
}

fn found(aligned: Aligned) -> Found {
    let Aligned { adapter, read, score, errors } = aligned;
    Found { adapter, read, score, errors, is_front: false }
}

/// Returns the number of N before each position, and in all.
fn codes_before(symbols: &[u8], has_codes: bool) -> Vec<usize> {
    let mut count = 0;
    let mut before = vec![0];
    for symbol in symbols {
        count += usize::from(has_codes && *symbol == b'N');
        before.push(count);
    }
    before
}

/// Returns the positions of the adapter that match each symbol of a read.
fn masks(symbols: &[u8], adapter_codes: bool, read_codes: bool) -> Vec<[u64; 256]> {
    let is_equal = |own: u8, other: u8| match (adapter_codes, read_codes) {
        (false, false) => own == other.to_ascii_uppercase(),
        (true, false) => code(own) & base(other) != 0,
        (false, true) => base(own) & code(other) != 0,
        (true, true) => code(own) & code(other) != 0,
    };
    let mut masks = vec![[0; 256]; symbols.len().div_ceil(64)];
    for (position, own) in symbols.iter().enumerate() {
        for (symbol, mask) in (0..=255).zip(&mut masks[position / 64]) {
            *mask |= u64::from(is_equal(*own, symbol)) << (position % 64);
        }
    }
    masks
}

/// Symbols that are no base, which N matches.
const OTHER: u8 = 0x80;

/// Returns the bit of a base; [`OTHER`] for other symbols.
fn base(symbol: u8) -> u8 {
    match symbol.to_ascii_uppercase() {
        b'A' => 1,
        b'C' => 2,
        b'G' => 4,
        b'T' | b'U' => 8,
        _ => OTHER,
    }
}

/// Returns the bits of the bases of an IUPAC code; 0 for other symbols, and X.
fn code(symbol: u8) -> u8 {
    let upper = symbol.to_ascii_uppercase();
    let bases = nucleotides(upper).into_iter().flatten().fold(0, |bits, one| bits | base(*one));
    if upper == b'N' { bases | OTHER } else { bases }
}
