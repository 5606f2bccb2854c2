//! A launch of the wavefront kernel: the width of its lanes, known at run time, chooses one of the kernels.

use super::plan::Plan;
use crate::engine::device::Device;
use crate::error::{Error, Result};
use carrywave_kernels::cuda::global::Global;
use carrywave_kernels::wavefront::Wavefront;

/// A launch of the wavefront, of any width.
pub(super) struct Launch {
    pub(super) plan: Plan,
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
    fn kernel<const W: usize>(&self) -> Wavefront<W> {
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
    pub(super) unsafe fn start<D: Device>(&self, device: &D, queue: &D::Queue) -> Result<()> {
        macro_rules! widths {
            ($($words:literal)*) => {
                match self.plan.words {
                    // SAFETY: the caller's.
                    $($words => unsafe { device.launch(queue, self.blocks, self.kernel::<$words>()) },)*
                    other => Err(Error::Usage(format!("there is no wavefront kernel of {other} words"))),
                }
            };
        }
        widths!(1 2 3 4 5 6 7 8 9 10 12 14 16 18 20)
    }
}
