//! Parts that the processor's algorithms share, for all problems: SIMD vectors, bit planes, tiles
//! of a table on all cores.
//!
//! | file | what |
//! |---|---|
//! | `vector` | SIMD vectors of 64-bit words |
//! | `segment_isa`, `class_test` | class tests of 64 symbols at once, a word of such a vector |
//! | `symbols` | the symbols that occur in a text |
//! | `codes` | symbols renamed to small codes |
//! | `planes` | symbols as bit planes |
//! | `lanes` | the cells of a table in bits, a strip of rows in each bit of a vector |
//! | `lcs_cell` | the cell of an LCS table for `lanes` |
//! | `levenshtein_cell` | the cell of a table of Levenshtein's distance in bits |
//! | `lane_parallel` | the last column of a table by strips of lanes, on all cores |
//! | `myers` | 64 rows of an edit-distance table |
//! | `naive` | plain tables, for tests |
//! | `short` | tables of at most 64 rows, computed directly |
//! | `words` | tables of a few words of rows |
//! | `tiles` | the tiles of a table as a wavefront on all threads |
pub(crate) mod class_test;
pub(crate) mod codes;
#[cfg(target_arch = "x86_64")]
pub(crate) mod lane_parallel;
#[cfg(target_arch = "x86_64")]
pub(crate) mod lanes;
#[cfg(target_arch = "x86_64")]
pub(crate) mod lcs_cell;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "it serves x86-64 alone"))]
pub(crate) mod levenshtein_cell;
pub(crate) mod myers;
#[cfg(test)]
pub(crate) mod naive;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "some of it serves x86-64 alone"))]
pub(crate) mod planes;
pub(crate) mod segment_isa;
pub(crate) mod short;
pub(crate) mod symbols;
pub(crate) mod tiles;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "some of its operations serve x86-64 alone"))]
pub(crate) mod vector;
pub(crate) mod words;
