//! XBitPar of Tran, Liu and Schmidt (2016): words of 1,024 bits and more across a warp. Built from
//! the description in Mitani et al. (2017), because the paper itself is not available.

use crate::algorithm::{About, Limits};
use crate::device::{self, Device};
use crate::error::Result;
use crate::search::gpu::match_table::mismatches;
use crate::search::gpu::row::{DeviceAlgorithm, Launch, Launcher, Prepared, Request, Start, Writes, blocks, no_kernel};
use crate::search::gpu::size::Size;
use crate::search::tuning::TuningOption;
use crate::text::Pattern;
use carrywave_kernels::published::xbitpar::{self, BITS, STEP, XBitPar, XbitparDispatch};
use carrywave_kernels::search::match_table::SYMBOLS;
use simt_std::{Kernel, WARP, global::Global};

/// The algorithm's description and limits.
pub const ABOUT: About = About::new(
    "xbitpar",
    "words of 1,024 bits across a warp, one, two or four per lane, as described by others",
    "Tran, Liu, Schmidt 2016, built from Mitani, Ino, Hagihara 2017",
    "(k + 1) ⌈m / 1024⌉ word steps per lane of a warp",
)
.limited(Limits { symbols: Some(4 * BITS as u64), errors: Some(3), ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        fits: Size::is_one,
        writes: Writes::Bytes,
        tuning: OPTIONS,
        check,
        cost: |_| None,
        prepare: |text, request| {
            let m = request.m();
            let table = text.upload(&table(&request.patterns[0]), "match words")?;
            let launcher = Published::<D> { m, options: Options::from_request(request), table };
            Ok(Prepared::alone(launcher))
        },
    }
}

/// The options of `tuning`.
const OPTIONS: &[TuningOption] =
    &[TuningOption { name: "segment", values: "a multiple of 32 up to 1048576", default: "4096" }];

/// The tuning parameters of XBitPar.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Options {
    /// Number of symbols of a warp: a multiple of 32, up to 2^20.
    segment: u32,
}

impl Options {
    fn from_request(request: &Request<'_>) -> Self {
        Self { segment: request.tuning.segment.unwrap_or(4096) }
    }
}

/// Largest number of symbols of a segment.
const LONGEST_SEGMENT: u32 = 1 << 20;

/// Returns the number of words of a lane for m symbols.
fn words(m: u32) -> usize {
    (m.div_ceil(BITS) as usize).next_power_of_two()
}

/// Refuses options that do not work, and patterns whose table does not fit shared memory.
fn check(request: &Request<'_>, limits: &device::Limits) -> Result<()> {
    let refuse = |reason| Err(ABOUT.unsupported(reason));
    let (Options { segment }, m) = (Options::from_request(request), request.m());
    if segment == 0 || !u64::from(segment).is_multiple_of(STEP) || segment > LONGEST_SEGMENT {
        return refuse(format!(
            "supports segments of a multiple of {STEP} symbols, up to {LONGEST_SEGMENT}, not {segment}"
        ));
    }
    let (takes, has) = (xbitpar::shared_bytes(words(m)), limits.block_shared);
    if takes > has {
        return refuse(format!("needs {takes} bytes of shared memory for {m} symbols, but this device has {has}"));
    }
    Ok(())
}

/// Returns the pattern's words: for each word of a lane and each symbol, the words of all lanes.
fn table(pattern: &Pattern) -> Vec<u32> {
    let words = words(pattern.len() as u32);
    let by_bits = mismatches(pattern, BITS * words as u32 - 1);
    let (lanes, symbols) = (WARP as usize, SYMBOLS as usize);
    let of = |i: usize| {
        let (word, symbol, lane) = (i / (symbols * lanes), i / lanes % symbols, i % lanes);
        by_bits[(lane * words + word) * symbols + symbol]
    };
    (0..by_bits.len()).map(of).collect()
}

struct Published<D: Device> {
    m: u32,
    options: Options,
    table: D::Buffer<u32>,
}

impl<D: Device> Launcher<D> for Published<D> {
    unsafe fn launch(&self, launch: &Launch<'_, D>) -> Result<()> {
        let values = (words(self.m), launch.k as usize + 1);
        Start { own: self, launch }.dispatch(values).ok_or_else(|| no_kernel(&ABOUT, values))?
    }
}

/// Largest number of launched blocks, as a multiple of the resident blocks; the fastest value. Each
/// block loads the table.
const SETS_OF_BLOCKS: u32 = 8;

impl<D: Device> XbitparDispatch for Start<'_, Published<D>, D> {
    type Output = Result<()>;

    fn with<const WORDS: usize, const LEVELS: usize>(self) -> Result<()>
    where
        XBitPar<WORDS, LEVELS>: Kernel,
    {
        let Self { own, launch } = self;
        let (text, n, from, options) = (launch.text, launch.n, launch.from, own.options);
        let device = &*text.device;
        let segments = (n - from).div_ceil(options.segment.into());
        let mut kernel = XBitPar::<WORDS, LEVELS> {
            text: Global::at(device.handle(&text.text).address()),
            n,
            first: from,
            segment: options.segment.into(),
            segments,
            blocks: 0,
            halo: (own.m + LEVELS as u32 - 2).next_multiple_of(STEP as u32),
            m: own.m,
            table: device.handle(&own.table),
            bytes: launch.bytes,
        };
        let most = SETS_OF_BLOCKS * device.resident_blocks(&kernel)?;
        kernel.blocks = blocks(device, segments, xbitpar::warps(WORDS), most);
        // SAFETY: as for `Launcher::launch`; text and bytes are rounded up, and the table has 256
        // rows of 32 words for each word of a lane.
        Ok(unsafe { device.launch(&text.stream, kernel.blocks, kernel) }?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_has_the_words_of_all_lanes() {
        // The last of 1,500 symbols is bit 2047, in lane 31's second word, as is the one before it.
        let mut pattern = vec![b'a'; 1500];
        pattern[1498] = b'b';
        let table = table(&Pattern::literal(&pattern));
        let row = |word: usize, symbol: u8| &table[(word * 256 + usize::from(symbol)) * 32..][..32];
        assert_eq!((table.len(), row(1, b'a')[31], row(1, b'b')[31]), (2 * 256 * 32, 1 << 30, !(1 << 30)));
        // 548 bits are below the pattern: lane 8 (64 bits each) has its first 36 bits free.
        assert_eq!((row(0, b'c')[7], row(0, b'c')[8], row(1, b'c')[8], row(0, b'c')[9]), (0, 0, !0 << 4, !0));
    }
}
