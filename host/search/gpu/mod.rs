//! Search on a GPU or on the simulator: one algorithm a file. The text goes to the device in chunks, or stays there, and each chunk is
//! searched by a launch a pass.
//!
//! | file | what |
//! |---|---|
//! | `row` | what there is to know of an algorithm, and how it is launched |
//! | `size` | what the cost of a pass depends on |
//! | `text` | a text, or a chunk of one, in a device's memory |
//! | `search` | a search that is ready to be launched on such a text |
//! | `passes` | which patterns are searched together, and by what |
//! | `stream` | texts of any size, in chunks that take turns |
//! | `resident` | texts that stay |
//! | `clock` | where the time goes |
//! | `match_table` | a pattern's match words as kernels take them |
//! | `needle` | a pattern as the kernels of exact search take it |
//! | `witness` | the witnesses of a long pattern, computed on the device |

mod clock;
mod match_table;
mod needle;
mod passes;
mod resident;
mod row;
mod search;
mod size;
mod stream;
mod text;
mod witness;

pub use resident::Resident;
pub(in crate::search) use resident::ResidentEnds;
pub use row::{DeviceAlgorithm, DeviceResult, Launch, Launcher, Prepared, Request, ResultKind, Writes};
pub use search::DeviceSearch;
pub use size::Size;
pub use stream::{CHUNK, DeviceEnds};
pub use text::{DeviceText, ROUND};

device_algorithms! {
    DeviceAlgorithm;
    pub mod packed;
    pub mod pieces;
    pub mod mismatches;
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
        pub mod gbpr;
        pub mod myers_slices;
        pub mod myers_slices_shared;
        pub mod xbitpar;
    }
}
