//! Items for the project's own tests, benchmarks and programs. They are not part of the interface
//! and may change with any version.

// lcs, distance, pairwise
pub mod lcs {
    //! The LCS of two strings.
    pub use crate::lcs::thresholds::LEAF_CELLS;

    pub mod cpu {
        //! On the processor.
        pub use crate::lcs::cpu::columns::CpuColumns;
        pub use crate::lcs::cpu::{ALGORITHMS, LastColumn, bit_parallel, bit_table, dp};
        pub use crate::lcs::items::cpu::columns::TokenColumns;
    }

    pub mod gpu {
        //! On devices.
        #[cfg(feature = "published")]
        pub use crate::lcs::gpu::published;
        pub use crate::lcs::gpu::wavefront::{Form, Kernels, LcsPlan, Lengths, NO_MORE_STRIPS, WavefrontLcs};
        pub use crate::lcs::gpu::{ABOUTS, DeviceAlgorithm};
    }
}
pub mod pairwise {
    //! Common to LCS and distance.
    pub use crate::pairwise::columns::Direction;
    pub use crate::pairwise::columns::{Columns, EditColumns};
    pub use crate::pairwise::cuts::{BandRequest, Cut, CutRequest, Cuts, Part, Side};
    pub use crate::pairwise::differences::FirstColumn;
    pub use crate::pairwise::wavefront::{Distances, Form, Kernels, Lengths, Overlaps, Wavefront, WavefrontPlan};
}

// sequences of items, diff
pub use crate::distance::traced::{Choice, Step, traced};

// search, best, infix
pub mod search {
    //! The engines of search.
    pub mod cpu {
        //! On the processor.
        pub use crate::search::cpu::*;
    }

    pub mod gpu {
        //! On devices.
        pub use crate::search::gpu::*;
    }

    pub mod ends {
        //! The ends that an engine finds.
        pub use crate::search::ends::*;
    }
}
pub mod best {
    //! The engines of the best match.
    pub mod end {
        //! The ends that an engine finds.
        pub use crate::best::end::*;
    }

    pub mod gpu {
        //! On devices.
        pub use crate::best::gpu::*;
    }
}
pub mod infix {
    //! Ends of a pattern in a text.
    pub use crate::infix::End;
}

// pairs
pub use crate::pairs::gpu::{Block as PairBlock, DevicePairs, Tuning as PairTuning, kernel_cost};
pub use crate::pairs::host_columns::{ColumnBytes, HostColumns};

// the rest

/// Groups digits by commas: 1234567 as 1,234,567.
pub fn grouped(number: u64) -> String {
    crate::algorithm::grouped(number)
}

/// Rates of the machine, and inputs to measure with.
pub mod measure {
    pub use crate::measure::*;
}

/// The costs of jobs, which `auto` compares.
pub mod cost {
    pub use crate::cost::calibration::{Calibration, path, read};
}

/// Threads, also in a forked process.
pub mod threads {
    #[cfg(feature = "io")]
    pub use crate::threads::crew::Crew;
    pub use crate::threads::{Stop, Stopped, check, generation, run, stop};
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
