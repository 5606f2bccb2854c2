//! The launches of a batch of listed pairs.

use super::listed_choice::Choice;
use super::listed_input::Layout;
use crate::device::Device;
use crate::error::{Result, UsageFault};
use carrywave_kernels::distance::listed_pairs::{ListedPairs, ListedPairsDispatch};
use carrywave_kernels::distance::long_pairs::{LongPairs, LongPairsDispatch};
use carrywave_kernels::distance::string_planes::StringPlanes;
use simt_std::global::Global;
use simt_std::{Kernel, WARP};

/// The launches of a batch. Only a batch creates it: the arrays are as the kernels require,
/// and live until the stream has been waited for.
pub(super) struct Launch<'s, D: Device> {
    pub(super) device: &'s D,
    pub(super) stream: &'s D::Stream,
    pub(super) choice: &'s Choice,
    pub(super) layout: &'s Layout,
    pub(super) input: Global<u8>,
    /// The array that strings start in.
    pub(super) symbols: Global<u8>,
    pub(super) planes: [Global<u32>; 2],
    pub(super) longest: [usize; 2],
    pub(super) groups: u32,
    pub(super) limit: u32,
    pub(super) edges: Global<u32>,
    pub(super) edge_words: u64,
    pub(super) out: Global<u32>,
    pub(super) claimed: Global<u32>,
    pub(super) blocks: u32,
}

impl<D: Device> Launch<'_, D> {
    /// Makes planes of the strings of one side.
    pub(super) fn pack(&self, side: usize) -> Result<()> {
        let slices = self.longest[side].div_ceil(4 * WARP as usize).clamp(1, 1024) as u32;
        let kernel = StringPlanes {
            symbols: self.symbols,
            starts: self.layout.starts(self.input, side),
            lengths: self.layout.lengths(self.input, side),
            groups: self.layout.groups(self.input, side),
            slices,
            padding: self.choice.padding[side],
            codes: self.layout.codes(self.input),
            planes: self.choice.planes as u32,
            words: self.planes[side],
        };
        // SAFETY: see the struct.
        unsafe { self.device.launch(self.stream, slices * self.groups, kernel)? };
        Ok(())
    }
}

impl<'s, D: Device> Launch<'s, D> {
    /// Launches the kernel that computes the distances.
    pub(super) fn compute(self) -> Result<()> {
        let Choice { is_long, cost, planes, columns, .. } = *self.choice;
        let values = (cost, planes, columns);
        let launched = if is_long { Long(self).dispatch(values) } else { self.dispatch(values) };
        launched
            .ok_or_else(|| UsageFault::Engine.error(format!("there is no kernel for listed pairs of {values:?}")))?
    }

    fn kernel<const COST: u32, const PLANES: usize, const C: usize>(&self) -> ListedPairs<COST, PLANES, C> {
        ListedPairs {
            row_groups: self.layout.groups(self.input, 0),
            row_words: self.planes[0],
            row_lengths: self.layout.lengths(self.input, 0),
            column_groups: self.layout.groups(self.input, 1),
            column_words: self.planes[1],
            column_lengths: self.layout.lengths(self.input, 1),
            indices: self.layout.indices(self.input),
            count: self.groups,
            padding: self.choice.padding[0],
            limit: self.limit,
            edges: self.edges,
            edge_words: self.edge_words,
            out: self.out,
            claimed: self.claimed,
        }
    }
}

impl<D: Device> ListedPairsDispatch for Launch<'_, D> {
    type Output = Result<()>;

    fn with<const COST: u32, const PLANES: usize, const C: usize>(self) -> Result<()>
    where
        ListedPairs<COST, PLANES, C>: Kernel,
    {
        // SAFETY: see the struct.
        unsafe { self.device.launch(self.stream, self.blocks, self.kernel::<COST, PLANES, C>())? };
        Ok(())
    }
}

/// The launch of the kernel for long strings.
struct Long<'s, D: Device>(Launch<'s, D>);

impl<D: Device> LongPairsDispatch for Long<'_, D> {
    type Output = Result<()>;

    fn with<const COST: u32, const PLANES: usize, const C: usize>(self) -> Result<()>
    where
        LongPairs<COST, PLANES, C>: Kernel,
    {
        let Self(launch) = self;
        let kernel = LongPairs { pairs: launch.kernel::<COST, PLANES, C>() };
        // SAFETY: see the struct.
        unsafe { launch.device.launch(launch.stream, launch.blocks, kernel)? };
        Ok(())
    }
}
