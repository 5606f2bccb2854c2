//! What the project's own tests, benchmarks and programs take from inside: no part of the interface, and it may change with any version.

// lcs, distance, pairwise
pub mod lcs {
    //! The LCS of two strings.
    pub use crate::lcs::thresholds::LEAF_CELLS;

    pub mod cpu {
        //! On the processor.
        pub use crate::lcs::cpu::columns::CpuColumns;
        pub use crate::lcs::cpu::token_columns::TokenColumns;
        pub use crate::lcs::cpu::{ALGORITHMS, LastColumn, bit_parallel, bit_table, dp};
    }

    pub mod gpu {
        //! On devices.
        #[cfg(feature = "published")]
        pub use crate::lcs::gpu::published;
        pub use crate::lcs::gpu::wavefront::{Form, Kernels, Lengths, NO_MORE_STRIPS, Plan, WavefrontLcs};
        pub use crate::lcs::gpu::{ABOUTS, DeviceAlgorithm};
    }
}
pub mod pairwise {
    //! Common to LCS and distance.
    pub use crate::pairwise::column::Direction;
    pub use crate::pairwise::columns::{Columns, EditColumns};
    pub use crate::pairwise::cuts::{BandRequest, Cut, CutRequest, Cuts, Part, Side};
    pub use crate::pairwise::differences::FirstColumn;
    pub use crate::pairwise::wavefront::{Distances, Kernels, Plan, Wavefront};
}

// sequences of items, diff

// search, best, infix

// pairs

// the rest
