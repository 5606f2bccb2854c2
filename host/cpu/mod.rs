//! What the processor's algorithms have in common, whatever the problem: SIMD vectors, bit planes, tiles of a table on all cores.
//!
//! | file | what |
//! |---|---|
//! | `simd` | which instruction sets are used |
//! | `vector` | SIMD vectors of 64-bit words |
//! | `segment_isa`, `class_test` | 64 symbols of a text as a word of such a vector: which of them are in a class |
//! | `planes` | symbols as bit planes |
//! | `myers` | 64 rows of an edit-distance table |
//! | `tiles` | the tiles of a table as a wavefront on all threads |
pub(crate) mod class_test;
pub(crate) mod myers;
#[cfg(target_arch = "x86_64")]
pub(crate) mod planes;
pub(crate) mod segment_isa;
#[cfg(target_arch = "x86_64")]
pub(crate) mod simd;
pub(crate) mod tiles;
#[cfg_attr(not(target_arch = "x86_64"), allow(dead_code, reason = "some of its operations serve x86-64 alone"))]
pub(crate) mod vector;
