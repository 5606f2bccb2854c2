//! XBitPar's launches.

use super::table::mismatches;
use super::{DeviceSearch, XBitParOptions};
use crate::engine::device::{Device, Limits};
use crate::error::{Error, Result};
use crate::search::pattern::Pattern;
use carrywave_kernels::search::match_table::SYMBOLS;
use carrywave_kernels::search::published::xbitpar::{self, BITS, STEP, XBitPar, XbitparDispatch};
use simt_std::WARP;
use simt_std::{Kernel, global::Global};

/// Symbols of a pattern that there are kernels for.
pub(super) const MOST_SYMBOLS: usize = 4 * BITS as usize;

/// Symbols of a segment at most.
const LONGEST_SEGMENT: u32 = 1 << 20;

/// Words of a lane for m symbols.
fn words(m: u32) -> usize {
    (m.div_ceil(BITS) as usize).next_power_of_two()
}

/// Why the options do not work, or there is no room for a table.
pub(super) fn check(XBitParOptions { segment }: XBitParOptions, m: u32, limits: &Limits) -> Result<()> {
    if segment == 0 || !u64::from(segment).is_multiple_of(STEP) || segment > LONGEST_SEGMENT {
        return Err(Error::Usage(format!(
            "xbitpar's segments are of a multiple of {STEP} symbols, up to {LONGEST_SEGMENT}, not {segment}"
        )));
    }
    let (takes, has) = (xbitpar::shared_bytes(words(m)), limits.block_shared);
    if takes > has {
        return Err(Error::Usage(format!(
            "{m} symbols take {takes} bytes of shared memory, of which this device has {has}; take a shorter pattern, or the \
             engine cpu"
        )));
    }
    Ok(())
}

/// The pattern's words: for each word of a lane, of each symbol the lanes'.
pub(super) fn table(pattern: &Pattern) -> Vec<u32> {
    let words = words(pattern.len() as u32);
    let by_bits = mismatches(pattern, BITS * words as u32 - 1);
    let (lanes, symbols) = (WARP as usize, SYMBOLS as usize);
    let of = |i: usize| {
        let (word, symbol, lane) = (i / (symbols * lanes), i / lanes % symbols, i % lanes);
        by_bits[(lane * words + word) * symbols + symbol]
    };
    (0..by_bits.len()).map(of).collect()
}

/// Puts a search with k errors into the stream.
pub(super) fn launch<D: Device>(
    search: &DeviceSearch<'_, '_, D>,
    options: XBitParOptions,
    k: u32,
    from: u64,
) -> Result<()> {
    Start { search, options, from }.dispatch((words(search.m), k as usize + 1)).ok_or_else(|| search.no_kernel())?
}

/// A search on its way into the stream.
struct Start<'a, D: Device> {
    search: &'a DeviceSearch<'a, 'a, D>,
    options: XBitParOptions,
    from: u64,
}

impl<D: Device> XbitparDispatch for Start<'_, D> {
    type Output = Result<()>;

    fn with<const WORDS: usize, const LEVELS: usize>(self) -> Result<()>
    where
        XBitPar<WORDS, LEVELS>: Kernel,
    {
        let Self { search, options, from } = self;
        let (device, text) = (search.text.device, search.text);
        let segments = (search.n - from).div_ceil(options.segment.into());
        // As many as can be resident: each loads the table.
        let resident = match WORDS {
            1 => 7,
            2 => 3,
            _ => 1,
        };
        let most = u64::from(device.limits().multiprocessors * resident);
        let blocks = segments.div_ceil(xbitpar::warps(WORDS).into()).min(most) as u32;
        let kernel = XBitPar::<WORDS, LEVELS> {
            text: Global::at(device.handle(&text.text).address()),
            n: search.n,
            first: from,
            segment: options.segment.into(),
            segments,
            blocks,
            halo: (search.m + LEVELS as u32 - 2).next_multiple_of(STEP as u32),
            m: search.m,
            table: device.handle(&search.table),
            bytes: device.handle(&search.bytes),
        };
        // SAFETY: text and bytes are rounded up, the table has 256 rows of 32 words for each word of a lane, and all live as long
        // as the search, which waits for the stream before they go.
        unsafe { device.launch(&text.stream, blocks, kernel)? };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_words_of_all_lanes() {
        // The last of 1,500 symbols is bit 2047: lane 31's second word; the one before it too.
        let mut pattern = vec![b'a'; 1500];
        pattern[1498] = b'b';
        let table = table(&Pattern::literal(&pattern));
        let row = |word: usize, symbol: u8| &table[(word * 256 + usize::from(symbol)) * 32..][..32];
        assert_eq!((table.len(), row(1, b'a')[31], row(1, b'b')[31]), (2 * 256 * 32, 1 << 30, !(1 << 30)));
        // 548 bits are below the pattern: lane 8 (64 bits each) has the first 36 of its own free.
        assert_eq!((row(0, b'c')[7], row(0, b'c')[8], row(1, b'c')[8], row(0, b'c')[9]), (0, 0, !0 << 4, !0));
    }
}
