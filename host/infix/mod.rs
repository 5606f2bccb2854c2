//! Infix alignment: the least edit distance of a pattern to any part of a text that ends at a given place.
//!
//! D\[i\]\[j\] is the least number of errors (insertions, deletions, substitutions) between the pattern's first i symbols and any part
//! of the text that ends after its first j symbols. A match may begin anywhere, so D\[0\]\[j\] = 0; the last row, D\[m\]\[j\], is what a
//! search for occurrences and the nearest part of a text are read from.
//!
//! | file | what | time |
//! |---|---|---|
//! | [`sellers`] | the last row by dynamic programming, as a reference | m cells a symbol |
//! | [`myers`] | the last row by bit-vectors | 17 ⌈m / 64⌉ instructions a symbol |
//! | [`cut_off`] | the last row where D is at most k, in the blocks that matter | about 17 ⌈2k / 64⌉ instructions a symbol in random text |
//! | [`alignment`] | where the errors of an occurrence are | O(m w) for the w diagonals that matter |
//! | [`allowed`] | which errors an occurrence may have, by their kinds | |
//! | [`extent`] | how far an occurrence reaches from one of its ends | O(m k / 64) an occurrence |
pub mod alignment;
pub mod allowed;
pub mod cut_off;
mod end;
pub mod extent;
pub mod myers;
pub mod sellers;

pub use end::End;
