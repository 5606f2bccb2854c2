//! The published scans' launches.

use super::{DeviceSearch, ScanOptions};
use crate::engine::device::Device;
use crate::error::{Error, Result};
use carrywave_kernels::search::published::scan_search::{ScanSearch, ScanSearchDispatch, THREADS};
use simt_std::WARP;
use simt_std::{Kernel, global::Global};
use std::marker::PhantomData;

/// Blocks that a multiprocessor has room for, about.
const RESIDENT: u32 = 6;

/// Symbols before a segment.
fn halo(m: u32, k: u32) -> u32 {
    (m + k - 1).next_multiple_of(32)
}

/// Why the options do not work.
pub(super) fn check(options: ScanOptions, m: u32, k: u32) -> Result<()> {
    let ScanOptions { alpha, disjoint, .. } = options;
    let alphas: &[u32] = if k == 0 { &[1, 2, 4, 8, 16, 32] } else { &[4, 16] };
    if !alphas.contains(&alpha) {
        return Err(Error::Usage(format!("with {k} errors a thread scans {alphas:?} symbols, not {alpha}")));
    }
    if !disjoint && alpha * WARP <= halo(m, k) {
        return Err(Error::Usage(format!(
            "a warp's {} symbols are no more than the halo of {}: take more symbols a thread, or the disjoint variant",
            alpha * WARP,
            halo(m, k)
        )));
    }
    Ok(())
}

/// Puts a search with k errors into the stream.
pub(super) fn launch<D: Device>(
    search: &DeviceSearch<'_, '_, D>,
    options: ScanOptions,
    k: u32,
    from: u64,
) -> Result<()> {
    Start { search, options, k, from }
        .dispatch((super::words(search.m), options.alpha as usize, k as usize + 1))
        .ok_or_else(|| search.no_kernel())?
}

/// A search on its way into the stream.
struct Start<'a, D: Device> {
    search: &'a DeviceSearch<'a, 'a, D>,
    options: ScanOptions,
    k: u32,
    from: u64,
}

impl<D: Device> ScanSearchDispatch for Start<'_, D> {
    type Output = Result<()>;

    fn with<W, const WORDS: usize, const ALPHA: usize, const LEVELS: usize>(self) -> Result<()>
    where
        ScanSearch<W, WORDS, ALPHA, LEVELS>: Kernel,
    {
        let Self { search, options, k, from } = self;
        let (device, text) = (search.text.device, search.text);
        let halo = halo(search.m, k);
        let threads = if options.disjoint { THREADS } else { WARP };
        let own = u64::from(ALPHA as u32 * threads) - u64::from(halo);
        let segments = (search.n - from).div_ceil(own);
        let segments = if options.disjoint { segments } else { segments.div_ceil((THREADS / WARP).into()) };
        // As many as can be resident: each makes a table.
        let blocks = segments.min((device.limits().multiprocessors * RESIDENT).into()) as u32;
        let kernel = ScanSearch::<W, WORDS, ALPHA, LEVELS> {
            text: Global::at(device.handle(&text.text).address()),
            n: search.n,
            first: from,
            segments,
            blocks,
            halo,
            m: search.m,
            disjoint: options.disjoint.into(),
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
