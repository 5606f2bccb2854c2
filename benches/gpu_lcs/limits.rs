//! Kernel speeds that the GPU's instruction rates allow.

use crate::algorithms::{BLOCK_STEP, LOOK_AHEAD, WAVEFRONT};
use carrywave::internal::measure::ceilings::lcs_on_gpu;
use serde_json::{Value, json};

/// Instruction rates, in thread instructions per second.
pub struct Limits {
    /// Additions and logic operations, on all pipes.
    pub integer: f64,
    /// Additions with carry and logic operations, on the single pipe that they share.
    pub carry: f64,
}

impl Limits {
    /// Returns the ratio of a kernel's speed, in cells per second on long strings of DNA, to its
    /// speed if every slot were in use. Block-step: all issue slots, by the instructions of sm_90
    /// machine code for one column of a computing block (1,024 cells, one warp), counted in the
    /// inner loop that `cargo xtask sass` shows. Wavefront: the slots of the single pipe. `Null`
    /// for an algorithm whose instructions have not been counted.
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
