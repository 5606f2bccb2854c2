//! An alignment of a pattern with a part of a text: the symbols of the pattern that match, and the
//! positions of the errors.
//!
//! The result is an alignment with the fewest errors within the limits, among those one with the
//! fewest gaps, and among those the first in this order: reading from the left, a symbol of the
//! pattern alone precedes a symbol of the text alone, which precedes a pair. So gaps are as far to
//! the left as possible, as variants are normalised (VCF).
//!
//! R\[i\]\[j\] is the errors and then the gaps of the best alignment of the pattern from symbol i
//! on with the part from symbol j on. It is computed from the ends to the starts; the alignment is
//! then read off from the starts. Only diagonals that it may reach are computed,
//!
//! ```text
//!                text ──▶
//! pattern   ▓ ▒ ▒ ▒             m symbols and n: with s gaps more than the |n - m| that are
//!    │      ▒ ▓ ▒ ▒ ▒           needed, it stays within ⌊s / 2⌋ diagonals of those between the
//!    ▼        ▒ ▓ ▓ ▒ ▒         first one and the last. s is tried from small values on: as the
//!               ▒ ▒ ▓ ▒ ▒       number of errors is known, it is known when s is large enough.
//! ```
//!
//! and only some rows are kept. The rows between two kept ones are computed again from the later
//! one. With w diagonals this takes O(m w) time and O(√m w) memory. If the first few diagonals
//! are not enough, `many_errors` visits only the cells of the best alignments. With limits on kinds
//! of errors, a diagonal does not determine a state: there is then a cell for each number of
//! insertions a and of deletions b still to come, and w = (a + 1) (b + 1).

mod align;
mod many_errors;
mod pattern_alignment;
mod steps;
mod table;

pub(crate) use align::align;
pub use pattern_alignment::PatternAlignment;
