//! Infix alignment: the least edit distance of a pattern to any part of a text that ends at a given
//! position.
//!
//! D\[i\]\[j\] is the least number of errors (insertions, deletions, substitutions) between the
//! pattern's first i symbols and any part of the text that ends after its first j symbols. A match
//! may begin anywhere, so D\[0\]\[j\] = 0. The last row, D\[m\]\[j\], gives the occurrences of a
//! search and the nearest part of a text.
//!
//! | file | what | time |
//! |---|---|---|
//! | [`sellers`] | the last row by dynamic programming, as a reference | m cells a symbol |
//! | [`myers`] | the last row by bit-vectors | 17 ⌈m / 64⌉ instructions a symbol |
//! | [`cut_off`] | the last row where D is at most k, in the blocks that may have it | see below |
//! | [`alignment`] | the positions of the errors of an occurrence | O(m w) for w diagonals |
//! | [`allowed`] | limits on the errors of an occurrence, by their kinds | |
//! | [`extent`] | the extent of an occurrence from one of its ends | O(m k / 64) an occurrence |
//!
//! In random text, [`cut_off`] takes about 17 ⌈2k / 64⌉ instructions a symbol.
pub mod alignment;
pub mod allowed;
pub mod cut_off;
mod end;
pub mod extent;
pub mod myers;
pub mod sellers;

pub use end::End;
