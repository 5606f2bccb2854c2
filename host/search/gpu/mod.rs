//! Search on a GPU or on the simulator: one algorithm per file. The text is copied to the device in
//! chunks, or stays there. Each chunk is searched by one launch per pass.
//!
//! | file | what |
//! |---|---|
//! | `row` | the table entry of an algorithm, and its launch interface |
//! | `size` | the size of a pass, which its cost depends on |
//! | `text` | a text, or a chunk of one, in a device's memory |
//! | `search` | a search that is ready to be launched on such a text |
//! | `least` | the end with the fewest errors in such a text |
//! | `passes` | assigns patterns to passes and algorithms |
//! | `stream` | texts of any size, in chunks that alternate between buffers |
//! | `resident` | texts that stay on the device |
//! | `planes` | sets of symbols and launches, as the kernels with bit planes take them |
//! | `clock` | times of kernels and copies |
//! | `match_table` | a pattern's match words as kernels take them |
//! | `needle` | a pattern as the kernels of exact search take it |
//! | `witness` | the witnesses of a long pattern, computed on the device |

mod clock;
mod least;
mod match_table;
mod needle;
mod passes;
mod planes;
mod resident;
mod row;
mod search;
mod size;
mod stream;
mod text;
mod witness;

pub use resident::Resident;
pub(in crate::search) use resident::ResidentEnds;
pub use row::{DeviceAlgorithm, DeviceResult, Gaps, Launch, Launcher, Prepared, Request, ResultKind, Writes};
pub use search::DeviceSearch;
pub use size::Size;
pub use stream::{CHUNK, DeviceEnds};
pub use text::{DeviceText, ROUND};

device_algorithms! {
    DeviceAlgorithm;
    pub mod packed;
    pub mod pieces;
    pub mod mismatches;
    pub mod guides;
    pub mod shift_or;
    pub mod wu_manber;
    pub mod myers;
    pub mod kmp;
    pub mod brute_force_filtered;
    pub mod duel;
    published {
        pub mod brute_force;
        pub mod duel_global;
        pub mod duel_shared;
        pub mod scan;
        pub mod scan_steps;
        pub mod scan_segments;
        pub mod gbpr;
        pub mod myers_slices;
        pub mod myers_slices_shared;
        pub mod xbitpar;
    }
}
