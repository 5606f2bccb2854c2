//! The speeds that the GPU's instruction rates allow.

use crate::algorithms::{BLOCK_STEP, LOOK_AHEAD, WAVEFRONT};
use carrywave::internal::measure::ceilings::lcs_on_gpu;
use serde_json::{Value, json};

/// Thread instructions a second.
pub struct Limits {
    /// Additions and logic operations, on all pipes.
    pub integer: f64,
    /// Additions with carry and logic operations, on the one pipe that they share.
    pub carry: f64,
}

impl Limits {
    /// What kernels reach, in cells a second on long strings of DNA, of the speed they would have if every slot were in
    /// use. Block-step: of all issue slots, by the instructions of sm_90 machine code for one column of a computing block
    /// (1,024 cells, one warp), counted in the inner loop that `cargo xtask sass` shows. Wavefront: of the one pipe.
    /// `Null` for an algorithm whose instructions were not counted.
    pub fn share(&self, algorithm: &str, cups: f64) -> Value {
        let limit = match algorithm {
            BLOCK_STEP => self.integer / 32.0 / 97.0 * 1024.0,
            LOOK_AHEAD => self.integer / 32.0 / 35.0 * 1024.0,
            WAVEFRONT => lcs_on_gpu(self.carry),
            _ => return Value::Null,
        };
        json!(cups / limit)
    }
}
