//! The extent of an occurrence from one of its ends: among all parts of a text that begin (or end)
//! at a given position with the fewest errors of any such part, the part whose alignment has the
//! fewest gaps, and among those the longest.
//!
//! G\[i\]\[j\] is the edit distance of the pattern's first i symbols and the text's first j, both
//! read from the given position on; the candidates are those j with G\[m\]\[j\] = d. The part of m
//! symbols, which has no gaps, is examined first. If it has more errors than d, `diagonals`
//! computes G cell by cell for small d, and `alignments` in blocks of 64 cells for larger d. If
//! kinds of errors or positions of the pattern are limited, `limited` computes it.
mod alignments;
mod best;
mod diagonals;
mod limited;
mod reader;
mod size;

pub(crate) use limited::whole as whole_within;
pub(crate) use reader::Reader;
