//! The listings of the book, a module for each chapter. `cargo xtask book` builds the pages from
//! `chapters`, which quote these files.
//!
//! | file of a chapter | contents |
//! |---|---|
//! | `index.md`, `picture.svg` | the text and its picture |
//! | `kernels.rs` | the kernels, compiled for the GPU too |
//! | `faults.rs` | the planted fault, for the simulator alone |
//! | `launches.rs` | host code that runs the kernels, and tests of the results |
//! | `checks.rs` | tests of the fault's message and of the costs that the text predicts |
//! | `output` | what the tests print, as the text quotes it |
//!
//! The tests compare `output` with the simulator; `WRITE_BOOK=1 cargo test --release -p simt_book`
//! writes it again.

#[cfg(test)]
mod report;

#[path = "chapters/01-threads/mod.rs"]
pub mod chapter_01;
#[path = "chapters/02-two-dimensions/mod.rs"]
pub mod chapter_02;
#[path = "chapters/03-sectors/mod.rs"]
pub mod chapter_03;
#[path = "chapters/04-shared-memory/mod.rs"]
pub mod chapter_04;
#[path = "chapters/05-banks/mod.rs"]
pub mod chapter_05;
#[path = "chapters/06-tiles/mod.rs"]
pub mod chapter_06;
#[path = "chapters/07-divergence/mod.rs"]
pub mod chapter_07;
#[path = "chapters/08-warps/mod.rs"]
pub mod chapter_08;
#[path = "chapters/09-atomics/mod.rs"]
pub mod chapter_09;
#[path = "chapters/10-order/mod.rs"]
pub mod chapter_10;
#[path = "chapters/11-to-the-gpu/mod.rs"]
pub mod chapter_11;
#[path = "chapters/12-memory-machines/mod.rs"]
pub mod chapter_12;
#[path = "chapters/13-carries/mod.rs"]
pub mod chapter_13;
#[path = "chapters/14-slices/mod.rs"]
pub mod chapter_14;
#[path = "chapters/15-scans/mod.rs"]
pub mod chapter_15;
#[path = "chapters/16-duels/mod.rs"]
pub mod chapter_16;
