//! Runs the tests of the book's listings and solutions on a GPU.
//!
//! The tests are those of the simulator, compiled once more. They name `simt_std`, which here is
//! this crate: all of the real `simt_std`, but with a [`simulator`] that launches on a GPU, and an
//! [`exercise!`] that checks results alone. A GPU finds no faults and counts no costs.

// The tests import `simt_std::…`.
extern crate self as simt_std;

pub use simt::*;

#[cfg(test)]
mod chapter_11_on_gpu;
#[cfg(test)]
mod copied_barriers;
pub mod simulator;

#[path = "../../chapters/01-threads/mod.rs"]
pub mod listings_01;
#[path = "../../chapters/02-two-dimensions/mod.rs"]
pub mod listings_02;
#[path = "../../chapters/03-sectors/mod.rs"]
pub mod listings_03;
#[path = "../../chapters/04-shared-memory/mod.rs"]
pub mod listings_04;
#[path = "../../chapters/05-banks/mod.rs"]
pub mod listings_05;
#[path = "../../chapters/06-tiles/mod.rs"]
pub mod listings_06;
#[path = "../../chapters/07-divergence/mod.rs"]
pub mod listings_07;
#[path = "../../chapters/08-warps/mod.rs"]
pub mod listings_08;
#[path = "../../chapters/09-atomics/mod.rs"]
pub mod listings_09;
#[path = "../../chapters/10-order/mod.rs"]
pub mod listings_10;
#[path = "../../chapters/11-to-the-gpu/mod.rs"]
pub mod listings_11;
#[path = "../../chapters/12-memory-machines/mod.rs"]
pub mod listings_12;
#[path = "../../chapters/13-carries/mod.rs"]
pub mod listings_13;
#[path = "../../chapters/14-slices/mod.rs"]
pub mod listings_14;
#[path = "../../chapters/15-scans/mod.rs"]
pub mod listings_15;
#[path = "../../chapters/16-duels/mod.rs"]
pub mod listings_16;

// The checks of the exercises name these modules.
#[path = "../../solutions/src/chapter_01.rs"]
pub mod chapter_01;
#[path = "../../solutions/src/chapter_02.rs"]
pub mod chapter_02;
#[path = "../../solutions/src/chapter_03.rs"]
pub mod chapter_03;
#[path = "../../solutions/src/chapter_04.rs"]
pub mod chapter_04;
#[path = "../../solutions/src/chapter_05.rs"]
pub mod chapter_05;
#[path = "../../solutions/src/chapter_06.rs"]
pub mod chapter_06;
#[path = "../../solutions/src/chapter_07.rs"]
pub mod chapter_07;
#[path = "../../solutions/src/chapter_08.rs"]
pub mod chapter_08;
#[path = "../../solutions/src/chapter_09.rs"]
pub mod chapter_09;
#[path = "../../solutions/src/chapter_10.rs"]
pub mod chapter_10;
#[path = "../../solutions/src/chapter_11.rs"]
pub mod chapter_11;
#[path = "../../solutions/src/chapter_12.rs"]
pub mod chapter_12;
#[path = "../../solutions/src/chapter_13.rs"]
pub mod chapter_13;
#[path = "../../solutions/src/chapter_14.rs"]
pub mod chapter_14;
#[path = "../../solutions/src/chapter_15.rs"]
pub mod chapter_15;
#[path = "../../solutions/src/chapter_16.rs"]
pub mod chapter_16;

#[cfg(test)]
#[path = "../../exercises/src/checks/mod.rs"]
mod checks;

/// Checks the result of an exercise on the GPU. Conditions on faults, schedules and costs have no
/// effect.
#[macro_export]
macro_rules! exercise {
    (run: $run:expr $(=> $about_run:expr)? $(, $condition:ident: $value:expr $(=> $hint:expr)?)* $(,)?) => {
        $crate::simulator::Exercise::new($run)$(.$condition($value))*.check()
    };
}
