//! The extent of an occurrence from one of its ends: of all parts of a text that begin (or end) at a given place with a given
//! number of errors, the fewest there are, the one whose alignment has the fewest gaps, and of those the longest.
//!
//! G\[i\]\[j\] is the edit distance of the pattern's first i symbols and the text's first j, both taken from the given place on;
//! the parts in question are those j with G\[m\]\[j\] = d. The part of m symbols is looked at first, which has no gaps. If it has more
//! errors than d, `diagonals` computes G cell by cell where d is small, and `alignments` in blocks of 64 cells where it is not. If kinds of
//! errors or positions of the pattern are limited, it is `limited`.
mod alignments;
mod best;
mod diagonals;
mod limited;
mod reader;
mod size;

pub(crate) use limited::whole as whole_within;
pub(crate) use reader::Reader;
