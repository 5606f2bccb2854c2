//! What the processor's algorithms have in common, whatever the problem: SIMD vectors, bit planes, tiles of a table on all cores.
//!
//! | file | what |
//! |---|---|
//! | `simd` | which instruction sets are used |
//! | `vector` | SIMD vectors of words for bit-vectors across lanes |
//! | `segment_vector`, `class_test` | SIMD vectors whose words are 64 symbols of a text, and which of these are in a class |
//! | `planes` | symbols as bit planes |
//! | `myers` | 64 rows of an edit-distance table |
//! | `tiles` | the tiles of a table as a wavefront on all threads |
pub(crate) mod class_test;
pub(crate) mod myers;
#[cfg(target_arch = "x86_64")]
pub(crate) mod planes;
pub(crate) mod segment_vector;
#[cfg(target_arch = "x86_64")]
pub(crate) mod simd;
pub(crate) mod tiles;
#[cfg(target_arch = "x86_64")]
pub(crate) mod vector;
