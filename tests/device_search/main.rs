//! Search kernels on a simulated device, and on a GPU if there is one, checked against Sellers'
//! recurrence or a comparison symbol by symbol.
//!
//! | file | what |
//! |---|---|
//! | `checks` | algorithms with their tunings, and checks of what they find |
//! | `published` | the published algorithms, at the borders of their parts |
//! | `own` | this project's own algorithms, and what all kernels refuse |
//! | `conflicts` | conflicts of the banks of shared memory |
//! | `exact` | exact search by every algorithm of every engine |
//! | `pieces` | the filter for pieces of patterns |
//! | `mismatches` | the kernel for mismatches |
//! | `stream` | texts that come in parts |
#![cfg(all(feature = "published", feature = "simt"))]

#[path = "../common/mod.rs"]
mod common;

mod checks;
mod conflicts;
mod exact;
mod mismatches;
mod own;
mod pieces;
mod published;
mod stream;
