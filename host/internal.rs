//! What the project's own tests, benchmarks and programs take from inside: no part of the interface, and it may change with any version.

// lcs, distance, pairwise

// sequences of items, diff

// search, best, infix

// pairs

// the rest

/// 1234567 as 1,234,567.
pub fn grouped(number: u64) -> String {
    crate::algorithm::grouped(number)
}

/// Rates of the machine, and inputs to measure with.
pub mod measure {
    pub use crate::measure::*;
}

/// Threads, also in a forked process.
pub mod threads {
    pub use crate::threads::{Stop, Stopped, check, generation, run};
}

/// The hardware behind an engine.
pub mod device {
    pub use crate::device::engine::Devices;
    pub use crate::device::gpu::open_gpu;
}

/// The bar chart of `carrywave bench`.
#[cfg(feature = "plot")]
pub mod bars {
    pub use crate::view::bars::{Bar, Bars, bar_chart};
}
