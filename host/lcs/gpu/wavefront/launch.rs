//! A launch of the wavefront kernel: the width of its lanes, known at run time, chooses one of the kernels.

use super::plan::Plan;
use crate::device::Device;
use crate::error::{Error, Result};
use carrywave_kernels::lcs::wavefront::Wavefront;
use simt_std::global::Global;

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
        macro_rules! widths {
            ($($words:literal)*; $($ahead:literal)*) => {
                match (self.plan.words, self.ahead) {
                    // SAFETY: the caller's.
                    $(($words, false) => unsafe { device.launch(stream, self.blocks, self.kernel::<$words, false>())? },)*
                    // SAFETY: the caller's.
                    $(($ahead, true) => unsafe { device.launch(stream, self.blocks, self.kernel::<$ahead, true>())? },)*
                    (other, _) => return Err(Error::Usage(format!("there is no wavefront kernel of {other} words"))),
                }
            };
        }
        widths!(
            1 2 3 4 6 8 9 12 14 16 18 20;
            1 2 3 4 6 8 10 12 14 16 18 19 20
        );
        Ok(())
    }
}
