//! The simulator as an engine.

use super::engine::{Devices, Engine, sealed::Sealed};
use crate::error::{Result, UsageFault};
use simt_std::simulator::Options;
use std::sync::Arc;

/// Maximum number of simulated GPUs of an engine, each with memory of its own.
pub const MAX_SIMULATED: usize = 64;

/// Simulated GPUs: the processor runs the kernels of a GPU. Every memory access is checked, which
/// takes about ten thousand times as long as on a GPU.
///
/// ```
/// use carrywave::device::Simt;
/// use carrywave::lcs::{Algorithm, Comparison};
///
/// let wavefront = Comparison::new().algorithm(Algorithm::named("wavefront")?);
/// assert_eq!(wavefront.on(&Simt::several(2)?).length(b"ABCBDAB", b"BDCABA")?, 4);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct Simt {
    devices: Vec<Arc<simt_launch::Simt>>,
}

impl Default for Simt {
    fn default() -> Self {
        Self::new()
    }
}

impl From<simt_launch::Simt> for Simt {
    fn from(device: simt_launch::Simt) -> Self {
        Self { devices: vec![Arc::new(device)] }
    }
}

impl Simt {
    /// Returns one simulated GPU. It runs on as many threads as the [rayon] pool of the caller has.
    /// See the [example](Self).
    pub fn new() -> Self {
        simulated().into()
    }

    /// Returns several simulated GPUs of one host, 1 to [`MAX_SIMULATED`]. See the
    /// [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Range`] for another number.
    pub fn several(count: usize) -> Result<Self> {
        if !(1..=MAX_SIMULATED).contains(&count) {
            return Err(UsageFault::Range
                .error(format!("the number of simulated GPUs must be 1 to {MAX_SIMULATED}, not {count}")));
        }
        let first = simulated();
        let peers: Vec<_> = (1..count).map(|_| Arc::new(first.peer())).collect();
        Ok(Self { devices: std::iter::once(Arc::new(first)).chain(peers).collect() })
    }

    /// Returns one simulated GPU with this much memory, in bytes; the default is 256 MiB. See the
    /// [example](Self).
    pub fn with_memory(bytes: u64) -> Self {
        simt_launch::Simt::with_memory(bytes).into()
    }

    /// Returns one simulated GPU whose blocks and warps take turns in a random order, which depends
    /// only on the seed. By default they take turns by number. See the [example](Self).
    pub fn with_schedule(seed: u64) -> Self {
        simt_launch::Simt::with_options(Options { seed: Some(seed), ..Options::default() }).into()
    }
}

/// Returns a simulated GPU that runs on as many host threads as the [rayon] pool of the caller has.
fn simulated() -> simt_launch::Simt {
    simt_launch::Simt::with_options(Options { host_threads: rayon::current_num_threads(), ..Options::default() })
}

impl Sealed for Simt {
    fn devices(&self) -> Devices {
        Devices::Simulated(self.devices.clone())
    }
}

impl Engine for Simt {}
