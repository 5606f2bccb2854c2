//! GBPR's launches.

use super::{DeviceSearch, GbprOptions};
use crate::engine::device::Device;
use crate::error::{Error, Result};
use carrywave_kernels::search::published::gbpr::{Gbpr, GbprDispatch, THREADS};
use simt_std::{Kernel, global::Global};
use std::marker::PhantomData;

/// Symbols of a segment at most.
const LONGEST_SEGMENT: u32 = 1 << 16;

/// Blocks that a multiprocessor has room for, at most.
const RESIDENT: u32 = 8;

/// Why the options do not work.
pub(super) fn check(options: GbprOptions) -> Result<()> {
    let GbprOptions { segment, alpha, .. } = options;
    if ![1, 4, 8, 16].contains(&alpha) {
        return Err(Error::Usage(format!("a thread of gbpr takes 1, 4, 8 or 16 symbols at a time, not {alpha}")));
    }
    if segment == 0 || !segment.is_multiple_of(alpha) || segment > LONGEST_SEGMENT {
        return Err(Error::Usage(format!(
            "gbpr's segments are of a multiple of {alpha} symbols, up to {LONGEST_SEGMENT}, not {segment}"
        )));
    }
    Ok(())
}

/// Puts a search with k errors into the stream.
pub(super) fn launch<D: Device>(
    search: &DeviceSearch<'_, '_, D>,
    options: GbprOptions,
    k: u32,
    from: u64,
) -> Result<()> {
    Start { search, options, from }
        .dispatch((super::words(search.m), options.alpha as usize, k as usize + 1))
        .ok_or_else(|| search.no_kernel())?
}

/// A search on its way into the stream.
struct Start<'a, D: Device> {
    search: &'a DeviceSearch<'a, 'a, D>,
    options: GbprOptions,
    from: u64,
}

impl<D: Device> GbprDispatch for Start<'_, D> {
    type Output = Result<()>;

    fn with<W, const WORDS: usize, const ALPHA: usize, const LEVELS: usize>(self) -> Result<()>
    where
        Gbpr<W, WORDS, ALPHA, LEVELS>: Kernel,
    {
        let Self { search, options, from } = self;
        let (device, text) = (search.text.device, search.text);
        let segments = (search.n - from).div_ceil(options.segment.into());
        // As many as can be resident: each makes a table.
        let most = u64::from(device.limits().multiprocessors * RESIDENT);
        let blocks = segments.div_ceil(THREADS.into()).min(most) as u32;
        let kernel = Gbpr::<W, WORDS, ALPHA, LEVELS> {
            text: Global::at(device.handle(&text.text).address()),
            n: search.n,
            first: from,
            segment: options.segment.into(),
            segments,
            blocks,
            halo: (search.m + LEVELS as u32 - 2).next_multiple_of(options.alpha),
            m: search.m,
            banks: options.banks.into(),
            table: device.handle(&search.table),
            bytes: device.handle(&search.bytes),
            word: PhantomData,
        };
        // SAFETY: text and bytes are rounded up, the table has 256 words for each 32 bits, and all live as long as the search,
        // which waits for the stream before they go.
        unsafe { device.launch(&text.stream, blocks, kernel)? };
        Ok(())
    }
}
