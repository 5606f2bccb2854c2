//! An alignment of a pattern with a part of a text: which of the pattern's symbols match, and where the errors are.
//!
//! Of all alignments within the limits it is one with the fewest errors, of those one with the fewest gaps, and of those the one that
//! comes first when they are read from the left and at each place a symbol of the pattern alone goes before a symbol of the text alone,
//! and that before a pair: so gaps are as far to the left as they may be, as variants are normalised (VCF).
//!
//! R\[i\]\[j\], the errors and then the gaps of the best alignment of the pattern from symbol i on with the part from symbol j on, is
//! computed from the ends to the starts; the alignment is then read off from the starts. Only diagonals are computed that it may reach,
//!
//! ```text
//!                text ──▶
//! pattern   ▓ ▒ ▒ ▒                 m symbols and n: with s gaps more than the |n - m| that there must be, it stays within
//!    │      ▒ ▓ ▒ ▒ ▒               ⌊s / 2⌋ diagonals of those between the first one and the last. s is tried from few on:
//!    ▼        ▒ ▓ ▓ ▒ ▒             as the errors are known, it is known when it was enough.
//!               ▒ ▒ ▓ ▒ ▒
//! ```
//!
//! and of its rows only some are kept: from each of them the rows up to the one before are computed again. With w diagonals that is O(m w)
//! time and O(√m w) memory. Where the first few diagonals are not enough, `many_errors` goes through the cells of the best alignments
//! alone. If kinds of errors are limited, a diagonal is not enough: then there is a cell for each number of insertions a and of deletions
//! b that are still to come, and w = (a + 1) (b + 1).

mod align;
mod many_errors;
mod pattern_alignment;
mod steps;
mod table;

pub(crate) use align::align;
pub use pattern_alignment::PatternAlignment;
