//! The best match on a device: the approximate string matching of Nakano (2012), each of the paper's algorithms.

use crate::device::Device;
use crate::distance::best_end::{BestEnd, BestEnds};
use crate::error::{Error, Result};
use crate::text::pattern::Pattern;
use carrywave_kernels::distance::nakano::dmm::Dmm;
use carrywave_kernels::distance::nakano::umm::Umm;
use carrywave_kernels::distance::nakano::umm_3m::Umm3m;
use carrywave_kernels::distance::nakano::umm_n::{FirstFlag, NONE, UmmN, windows};
use carrywave_kernels::distance::nakano::{FOUND, MOST_SYMBOLS, Strings};
use simt_std::WARP;
use std::ops::Range;
use std::sync::Arc;

/// A way to find the best match on a device. With m symbols in the pattern and n in the text:
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AsmAlgorithm {
    /// Lemma 3: the matrix as it is, of (m + 1) n words; m threads.
    Dmm,
    /// Lemma 4: the slid matrix, of (n + m + 1)(n + 1) words; m threads.
    Umm,
    /// Theorem 5: three rows of it, of 3m words; m threads.
    Umm3m,
    /// Theorem 6: the same in windows of the text, of 3n words; n threads.
    UmmN,
}

impl AsmAlgorithm {
    /// The name on the command line.
    fn name(self) -> &'static str {
        match self {
            Self::Dmm => "dmm",
            Self::Umm => "umm",
            Self::Umm3m => "umm-3m",
            Self::UmmN => "umm-n",
        }
    }

    /// Words to work in.
    fn words(self, m: u32, n: u32) -> u64 {
        let (rows, columns) = (u64::from(m), u64::from(n));
        match self {
            Self::Dmm => (rows + 1) * u64::from(stride(n)),
            Self::Umm => (rows + columns + 1) * (columns + 1),
            Self::Umm3m => 3 * rows,
            Self::UmmN => 3 * rows * u64::from(windows(m, n)),
        }
    }
}

/// n' of lemma 3 where the width is a warp's.
fn stride(n: u32) -> u32 {
    (n + 1).next_multiple_of(WARP)
}

/// An engine that compares on a device, a record at a time.
pub struct DeviceBest<'p, D: Device> {
    device: Arc<D>,
    algorithm: AsmAlgorithm,
    progress: &'p (dyn Fn(u64) + Sync),
}

impl<'p, D: Device> DeviceBest<'p, D> {
    /// Of a device. `progress` is told the number of symbols done since its last call.
    pub fn new(device: Arc<D>, algorithm: AsmAlgorithm, progress: &'p (dyn Fn(u64) + Sync)) -> Self {
        Self { device, algorithm, progress }
    }

    /// The least distance and the first end with it, of a text whose symbols are `y`.
    fn one(&self, stream: &D::Stream, x: &D::Buffer<u32>, m: u32, y: &[u32]) -> Result<(u32, u64)> {
        let device = &*self.device;
        let too_long = || {
            let most = MOST_SYMBOLS;
            Error::Usage(format!(
                "{} takes {most} symbols of both strings at most; take --engine cpu",
                self.algorithm.name()
            ))
        };
        if u64::from(m) + y.len() as u64 > MOST_SYMBOLS {
            return Err(too_long());
        }
        let n = y.len() as u32;
        let words = self.algorithm.words(m, n);
        let flags = if self.algorithm == AsmAlgorithm::UmmN { m as usize + 1 } else { 0 };
        let needed = 4 * (words + u64::from(n) + flags as u64 + FOUND as u64);
        let free = device.free_memory()?;
        if needed > free {
            return Err(match self.algorithm {
                AsmAlgorithm::Umm3m => Error::DeviceMemory { needed, free },
                _ => Error::Usage(format!(
                    "{} takes {} MiB of device memory for {m} and {n} symbols and {} are free; take umm-3m, or --engine cpu",
                    self.algorithm.name(),
                    needed.div_ceil(1 << 20),
                    free >> 20
                )),
            });
        }
        let mut text = device.alloc::<u32>(y.len(), "Y")?;
        device.upload(stream, &mut text, y)?;
        let work = device.alloc::<u32>(words as usize, "matrix")?;
        let mut marks = device.alloc::<u32>(flags, "flags")?;
        device.upload(stream, &mut marks, &vec![NONE; flags])?;
        let found = device.alloc::<u32>(FOUND, "found")?;

        let strings = Strings { x: device.handle(x), y: device.handle(&text), m, n };
        let (words, flags, out) = (device.handle(&work), device.handle(&marks), device.handle(&found));
        // SAFETY: m is not 0, and m + n is not too much; the matrix is as large as `words` says, which is what each kernel asks
        // for. The buffers go away when the stream was waited for, below.
        let launched = unsafe {
            match self.algorithm {
                AsmAlgorithm::Dmm => device.launch(stream, 1, Dmm { strings, stride: stride(n), d: words, found: out }),
                AsmAlgorithm::Umm => device.launch(stream, 1, Umm { strings, s: words, found: out }),
                AsmAlgorithm::Umm3m => device.launch(stream, 1, Umm3m { strings, s: words, found: out }),
                AsmAlgorithm::UmmN => {
                    let kernel = UmmN { strings, windows: windows(m, n), s: words, flags };
                    let marked = device.launch(stream, kernel.blocks(), kernel);
                    marked.and_then(|()| device.launch(stream, 1, FirstFlag { flags, m, found: out }))
                }
            }
        };
        let done = device.wait(stream);
        launched.and(done)?;
        match device.download(stream, &found, FOUND)?[..] {
            [distance, end] => Ok((distance, end.into())),
            _ => Err(Error::Verification("another number of words than asked for".into())),
        }
    }
}

impl<D: Device> BestEnds for DeviceBest<'_, D> {
    fn best_end(&self, symbols: &[u8], records: &[Range<usize>], pattern: &Pattern) -> Result<BestEnd> {
        let (x, table) = codes(pattern).ok_or_else(|| {
            Error::Usage(format!(
                "{} compares symbols for equality, and the pattern has some that stand for several others; take --engine cpu",
                self.algorithm.name()
            ))
        })?;
        let device = &*self.device;
        let stream = device.stream()?;
        let mut pattern = device.alloc::<u32>(x.len(), "X")?;
        device.upload(&stream, &mut pattern, &x)?;
        let mut best: Option<BestEnd> = None;
        for (record, range) in records.iter().enumerate() {
            let y: Vec<u32> = symbols[range.clone()].iter().map(|&symbol| table[usize::from(symbol)]).collect();
            let (distance, end) = self.one(&stream, &pattern, x.len() as u32, &y)?;
            let found = BestEnd { distance, record, end };
            best = Some(best.map_or(found, |best| best.min(found)));
            (self.progress)(y.len() as u64);
        }
        best.ok_or_else(|| Error::Usage("there is no record to search in".into()))
    }
}

/// The pattern's symbols as numbers, and the number of every byte of a text, which is equal to those of the symbols that it
/// matches: if no byte matches two different ones.
fn codes(pattern: &Pattern) -> Option<(Vec<u32>, [u32; 256])> {
    let (classes, positions) = pattern.distinct();
    // 0 matches nothing.
    let mut table = [0; 256];
    for (class, number) in classes.iter().zip(1..) {
        for symbol in class.symbols() {
            if std::mem::replace(&mut table[usize::from(symbol)], number) != 0 {
                return None;
            }
        }
    }
    Some((positions.iter().map(|&class| class as u32 + 1).collect(), table))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::Alphabet;

    #[test]
    fn numbers_are_equal_where_symbols_match() {
        for (symbols, alphabet) in
            [("banana", Alphabet::Bytes), ("GATTaCA", Alphabet::Iupac), ("MKV", Alphabet::Protein)]
        {
            let pattern = Pattern::parse(symbols.as_bytes(), alphabet).unwrap();
            let (x, table) = codes(&pattern).unwrap();
            for (class, number) in pattern.classes().iter().zip(x) {
                for symbol in 0..=255 {
                    assert_eq!(class.contains(symbol), table[usize::from(symbol)] == number, "{symbol} of {symbols}");
                }
            }
        }
        assert!(codes(&Pattern::parse(b"GAN", Alphabet::Iupac).unwrap()).is_none());
    }
}
