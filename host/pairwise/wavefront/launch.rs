//! The arguments of the wavefront's launches.

use super::form::Form;
use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::align::staircase::{CarryRows, Unfold};
use carrywave_kernels::lcs::digits::Digits;
use simt_std::Kernel;
use simt_std::global::Global;
use std::marker::PhantomData;

/// Approximate number of blocks that prepare the tables of a batch.
const PREPARING: u32 = 1024;

/// Number of rows or columns that a block prepares at a time.
const PREPARED: u64 = 8192;

/// Returns the number of blocks that prepare one of `tables` tables, whose longest side is
/// `longest`.
pub(super) fn preparing_blocks(longest: u64, tables: u64) -> u32 {
    longest.div_ceil(PREPARED).min(u64::from(PREPARING) / tables).max(1) as u32
}

/// Codes of strings on a device, by the size of a code.
#[derive(Debug, Clone, Copy)]
pub enum CodesOnDevice {
    /// One byte a code, for up to 256 symbols.
    Bytes(Global<u8>),
    /// Four bytes a code, for any number of symbols.
    Words(Global<u32>),
}

/// A launch that prepares the columns of tables.
pub struct PrepareColumns {
    pub blocks: u32,
    /// Number of blocks for each table.
    pub parts: u32,
    /// Symbols of both strings as codes.
    pub codes: CodesOnDevice,
    /// Entries of the tables.
    pub tables: Global<u64>,
    pub form: Form,
    pub planes: u32,
    pub digits: Digits,
    pub prepared: Global<u64>,
}

/// A launch that computes the planes of tables' rows.
pub struct PrepareRows {
    pub blocks: u32,
    /// Number of blocks for each table.
    pub parts: u32,
    /// Symbols of both strings as codes.
    pub codes: CodesOnDevice,
    /// Entries of the tables.
    pub tables: Global<u64>,
    pub form: Form,
    pub planes: u32,
    /// Number of words of a plane of all tables.
    pub plane_words: u64,
    pub words: Global<u32>,
}

/// A launch that puts columns into the order of the rows.
pub struct PutInOrder {
    pub blocks: u32,
    /// Number of blocks for each table.
    pub parts: u32,
    /// Entries of the tables.
    pub tables: Global<u64>,
    pub form: Form,
    /// Number of words of a plane of all tables.
    pub plane_words: u64,
    pub lanes: Global<u32>,
    pub columns: Global<u32>,
}

/// A launch that finds the cuts of pairs of columns.
pub struct FindCuts {
    pub count: u32,
    pub cuts: Global<u64>,
    pub columns: Global<u32>,
    /// Number of words of a vector of all columns.
    pub half: u64,
    pub found: Global<u64>,
}

/// A launch that gathers the steps of a staircase.
pub struct FindSteps {
    pub blocks: u32,
    /// Number of blocks for each strip.
    pub parts: u32,
    /// Entries of the strips.
    pub strips: Global<u64>,
    pub columns: Global<u32>,
    /// Number of words of a vector of all columns.
    pub half: u64,
    pub carries: Global<u64>,
    pub steps: Global<u32>,
    /// Number of words of steps.
    pub all: u64,
}

/// A launch of the wavefront, of any width.
pub struct Launch {
    /// Form of the kernel.
    pub form: Form,
    /// Number of warps of a block.
    pub warps: u32,
    /// True if the plan's warps, which may be more than there are strips for, have schedulers to
    /// themselves.
    pub alone: bool,
    pub blocks: u32,
    pub strips: Global<u64>,
    pub count: u32,
    pub symbols: u32,
    pub planes: u32,
    pub digits: Digits,
    pub resume: u32,
    pub shared_bytes: u32,
    pub rows: Global<u32>,
    pub plane_words: u64,
    pub columns: Global<u64>,
    pub v: Global<u32>,
    pub carries: Global<u64>,
    pub progress: Global<u32>,
}

impl FindSteps {
    /// Starts the kernel for columns and rows of carries of one format.
    ///
    /// # Safety
    /// As for [`Device::launch`]: it must describe valid buffers.
    pub unsafe fn launch<R: CarryRows, D: Device>(self, device: &D, stream: &D::Stream) -> Result<()>
    where
        Unfold<R>: Kernel,
    {
        let Self { blocks, parts, strips, columns, half, carries, steps, all } = self;
        let kernel = Unfold { strips, parts, columns, half, carries, steps, all, format: PhantomData::<R> };
        // SAFETY: guaranteed by the caller.
        unsafe { Ok(device.launch(stream, blocks, kernel)?) }
    }
}
