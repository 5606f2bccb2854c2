//! A launch of the wavefront kernel: the width of its lanes, known at run time, chooses one of the kernels.

use super::plan::Plan;
use crate::device::Device;
use crate::error::{Error, Result};
use carrywave_kernels::lcs::wavefront::{Wavefront, WavefrontDispatch};
use simt_std::{Kernel, global::Global};

/// A launch of the wavefront, of any width.
pub(super) struct Launch {
    pub(super) plan: Plan,
    /// Which kernel: that of the plan, whose warps may be more than there are strips for.
    pub(super) ahead: bool,
    pub(super) blocks: u32,
    pub(super) strips: Global<u64>,
    pub(super) count: u32,
    pub(super) symbols: u32,
    pub(super) planes: u32,
    pub(super) resume: u32,
    pub(super) shared_bytes: u32,
    pub(super) rows: Global<u32>,
    pub(super) plane_words: u64,
    pub(super) groups: Global<u64>,
    pub(super) v: Global<u32>,
    pub(super) carries: Global<u64>,
    pub(super) progress: Global<u32>,
}

impl Launch {
    fn kernel<const W: usize, const AHEAD: bool>(&self) -> Wavefront<W, AHEAD> {
        Wavefront {
            strips: self.strips,
            count: self.count,
            symbols: self.symbols,
            planes: self.planes,
            resume: self.resume,
            warps: self.plan.warps,
            shared_bytes: self.shared_bytes,
            rows: self.rows,
            plane_words: self.plane_words,
            groups: self.groups,
            v: self.v,
            carries: self.carries,
            progress: self.progress,
        }
    }

    /// # Safety
    /// As [`Device::launch`].
    pub(super) unsafe fn start<D: Device>(&self, device: &D, stream: &D::Stream) -> Result<()> {
        let values = (self.plan.words as usize, self.ahead);
        Start { launch: self, device, stream }
            .dispatch(values)
            .ok_or_else(|| Error::Usage(format!("there is no wavefront kernel of (words, ahead) = {values:?}")))?
    }
}

/// Puts a launch into a stream. Only [`Launch::start`] makes one, whose caller answers for what [`Device::launch`] asks for.
struct Start<'a, D: Device> {
    launch: &'a Launch,
    device: &'a D,
    stream: &'a D::Stream,
}

impl<D: Device> WavefrontDispatch for Start<'_, D> {
    type Output = Result<()>;

    fn with<const W: usize, const AHEAD: bool>(self) -> Result<()>
    where
        Wavefront<W, AHEAD>: Kernel,
    {
        // SAFETY: as the struct says.
        unsafe { self.device.launch(self.stream, self.launch.blocks, self.launch.kernel::<W, AHEAD>())? };
        Ok(())
    }
}
