//! A search that is ready to be launched on a text in a device's memory.

use super::row::{DeviceAlgorithm, DeviceResult, Launch, Prepared, Request, ResultKind, Writes};
use super::text::{DeviceText, ROUND};
use crate::device::Device;
use crate::error::{Error, Result, UsageFault};
use crate::infix::End;
use carrywave_kernels::search::output::{self, SearchOutput};
use simt_std::U32x4;
use simt_std::global::Global;
use std::sync::Arc;

/// Initial capacity for hits.
const HITS: u32 = 1 << 13;

/// Initial and largest capacity for candidates.
const CANDIDATES: u32 = 1 << 20;
const MOST_CANDIDATES: u32 = 1 << 27;

/// Patterns and result buffers on a device, ready to search a [`DeviceText`].
pub struct DeviceSearch<D: Device> {
    pub(super) text: Arc<DeviceText<D>>,
    algorithm: &'static DeviceAlgorithm<D>,
    format: ResultKind,
    /// Number of symbols of the text.
    pub(super) n: u64,
    k: u32,
    /// Number of patterns.
    patterns: u64,
    prepared: Prepared<D>,
    bytes: D::Buffer<u8>,
    bitmap: D::Buffer<U32x4>,
    count: D::Buffer<u32>,
    hits: D::Buffer<u64>,
    capacity: u32,
    /// Largest capacity for candidates.
    most_candidates: u32,
}

impl<D: Device> DeviceText<D> {
    /// Prepares a search of the whole text.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a request that the algorithm does not take; other errors if the
    /// device fails.
    pub fn prepare(
        self: &Arc<Self>,
        algorithm: &'static DeviceAlgorithm<D>,
        request: &Request<'_>,
        format: ResultKind,
    ) -> Result<DeviceSearch<D>> {
        DeviceSearch::new(self.clone(), algorithm, request, format)
    }
}

impl<D: Device> DeviceSearch<D> {
    pub(super) fn new(
        text: Arc<DeviceText<D>>,
        algorithm: &'static DeviceAlgorithm<D>,
        request: &Request<'_>,
        format: ResultKind,
    ) -> Result<Self> {
        let device = &*text.device;
        algorithm.refuse(request, format, &device.limits())?;
        let prepared = (algorithm.prepare)(&text, request)?;
        let room = |wanted: bool, len: u64| if wanted { len as usize } else { 1 };
        let rounded = text.room.next_multiple_of(ROUND);
        let capacity = match (format, algorithm.writes) {
            (ResultKind::Hits, Writes::Candidates) => CANDIDATES,
            (ResultKind::Hits, _) => HITS,
            _ => 1,
        };
        let writes_bytes = algorithm.writes.only_bytes() || format == ResultKind::Bytes;
        let mut bytes = device.alloc(room(writes_bytes, rounded), "a byte a position")?;
        let mut bitmap = device.alloc(room(format == ResultKind::Bitmap, rounded / 128), "a bit a position")?;
        // Nothing is written before the position where a search starts, but everything is read.
        device.zero(&text.stream, &mut bytes)?;
        device.zero(&text.stream, &mut bitmap)?;
        Ok(Self {
            algorithm,
            format,
            n: text.room,
            k: request.k,
            patterns: request.patterns.len() as u64,
            prepared,
            bytes,
            bitmap,
            count: device.alloc(1, "count")?,
            hits: device.alloc(capacity as usize, "hits")?,
            capacity,
            most_candidates: MOST_CANDIDATES,
            text,
        })
    }

    /// Enqueues the search of the text from a position on, a multiple of [`ROUND`].
    ///
    /// # Errors
    /// An error if the device refuses the launch; [`Error::Usage`] if a count or hits are requested
    /// and 32 bits cannot count an end for each pattern and position.
    pub fn launch(&mut self, from: u64) -> Result<()> {
        self.launch_with(self.k, from)
    }

    fn launch_with(&mut self, k: u32, from: u64) -> Result<()> {
        self.text.device.zero(&self.text.stream, &mut self.count)?;
        // SAFETY: self has the counter, and waits for the stream before it frees it.
        unsafe { self.launch_counting(k, from, self.text.device.handle(&self.count)) }
    }

    /// Enqueues the search like [`launch`](Self::launch), and adds the number of ends to a counter.
    ///
    /// # Safety
    /// The counter is in the text's device, and stays allocated until the stream has been waited
    /// for.
    unsafe fn launch_counting(&mut self, k: u32, from: u64, count: Global<u32>) -> Result<()> {
        let ends = self.n.saturating_sub(from).saturating_mul(self.patterns);
        let counts = matches!(self.format, ResultKind::Count | ResultKind::Hits);
        if counts && self.algorithm.writes != Writes::Candidates && ends > u32::MAX.into() {
            return Err(UsageFault::TooLarge
                .error(format!("{ends} possible ends exceed a 32-bit counter; search fewer positions at a time")));
        }
        let (device, stream) = (&*self.text.device, &self.text.stream);
        if self.algorithm.writes == Writes::Ones {
            device.zero(stream, &mut self.bytes)?;
        }
        let output = SearchOutput {
            format: match self.format {
                ResultKind::Bytes => output::BYTES,
                ResultKind::Bitmap => output::BITMAP,
                ResultKind::Count => output::COUNT,
                ResultKind::Hits => output::HITS,
            },
            capacity: self.capacity,
            bytes: Global::at(device.handle(&self.bytes).address()),
            bitmap: Global::at(device.handle(&self.bitmap).address()),
            bitmap_by_4: device.handle(&self.bitmap),
            count,
            hits: device.handle(&self.hits),
        };
        let launch = Launch { text: &self.text, n: self.n, from, k, output, bytes: device.handle(&self.bytes) };
        // SAFETY: the arrays are as long as the format requires for the text's capacity, and all
        // live as long as self, which waits for the stream before it frees them. The caller does
        // the same for the counter.
        unsafe { self.prepared.launcher.launch(&launch) }
    }

    /// Waits for the work on the stream.
    ///
    /// # Errors
    /// An error if a kernel failed.
    pub fn wait(&self) -> Result<()> {
        Ok(self.text.device.wait(&self.text.stream)?)
    }

    /// Searches from a position on, a multiple of [`ROUND`], and returns the results. Bytes and
    /// bits are those of the whole text, but undefined before the position.
    ///
    /// # Errors
    /// An error if the device fails.
    pub fn run(&mut self, from: u64) -> Result<DeviceResult> {
        self.begin(from)?;
        self.finish(from)
    }

    /// Returns true if hits take one launch for each number of errors.
    pub(super) fn one_launch_per_k(&self) -> bool {
        self.algorithm.writes.only_bytes() && self.format == ResultKind::Hits
    }

    /// Enqueues the search, if one launch is enough.
    pub(super) fn begin(&mut self, from: u64) -> Result<()> {
        if self.one_launch_per_k() { Ok(()) } else { self.launch(from) }
    }

    /// Enqueues the search like [`begin`](Self::begin), and adds the number of ends to a counter.
    ///
    /// # Safety
    /// As [`launch_counting`](Self::launch_counting).
    pub(super) unsafe fn begin_counting(&mut self, from: u64, count: Global<u32>) -> Result<()> {
        // SAFETY: passed on to the caller.
        if self.one_launch_per_k() { Ok(()) } else { unsafe { self.launch_counting(self.k, from, count) } }
    }

    /// Waits for the search and returns its results.
    pub(super) fn finish(&mut self, from: u64) -> Result<DeviceResult> {
        let counts = matches!(self.format, ResultKind::Count | ResultKind::Hits) && !self.one_launch_per_k();
        let found = if counts { self.counted()? } else { 0 };
        self.finish_counted(from, found)
    }

    /// Waits for the search and returns its results. It has found this number of ends, if it counts
    /// them.
    pub(super) fn finish_counted(&mut self, from: u64, found: u32) -> Result<DeviceResult> {
        if self.one_launch_per_k() {
            return Ok(DeviceResult::Hits(vec![self.hits_of_bytes(from)?]));
        }
        let (device, stream, n) = (&*self.text.device, &self.text.stream, self.n);
        Ok(match self.format {
            ResultKind::Bytes => DeviceResult::Bytes(device.download(stream, &self.bytes, n as usize)?),
            ResultKind::Bitmap => {
                let words = device.download(stream, &self.bitmap, n.div_ceil(128) as usize)?;
                DeviceResult::Bitmap(bytemuck::cast_slice(&words)[..n.div_ceil(32) as usize].to_vec())
            }
            ResultKind::Count => DeviceResult::Count(found.into()),
            ResultKind::Hits => {
                let mut all = vec![Vec::new(); self.prepared.last_bits.len().max(1)];
                for (position, bit, errors) in self.hits(from, found)?.into_iter().map(output::parts) {
                    let pattern = self.prepared.last_bits.binary_search(&bit).unwrap_or(0);
                    all[pattern].push(End { end: position + 1, errors });
                }
                DeviceResult::Hits(all)
            }
        })
    }

    /// Returns the number of ends that the launch found.
    fn counted(&self) -> Result<u32> {
        let count = self.text.device.download(&self.text.stream, &self.count, 1)?;
        count.first().copied().ok_or_else(|| Error::Verification("no count".into()))
    }

    /// Returns the hits of a launch that found this number of ends, in order.
    fn hits(&mut self, from: u64, mut found: u32) -> Result<Vec<u64>> {
        if found == 0 {
            return Ok(Vec::new());
        }
        while found > self.capacity {
            // Some hits did not fit: searches again, with enough capacity.
            log::debug!("{found} hits and room for {}: again", self.capacity);
            let is_counted = self.algorithm.writes != Writes::Candidates;
            if !is_counted && self.capacity >= self.most_candidates {
                return self.hits_of_halves(from);
            }
            self.capacity = if is_counted { found } else { (8 * self.capacity).min(self.most_candidates) };
            self.hits = self.text.device.alloc(self.capacity as usize, "hits")?;
            self.launch(from)?;
            found = self.counted()?;
        }
        let mut hits = self.text.device.download(&self.text.stream, &self.hits, found as usize)?;
        hits.sort_unstable();
        // Candidates may come several times.
        hits.dedup();
        Ok(hits)
    }

    /// Returns the candidates of a launch that has too many, by a launch for each half of the text
    /// from a position on.
    fn hits_of_halves(&mut self, from: u64) -> Result<Vec<u64>> {
        let end = self.n;
        let middle = from + ((end - from) / 2).next_multiple_of(ROUND);
        if middle >= end {
            return Err(Error::Verification(format!("{} positions have too many candidates", end - from)));
        }
        let mut all = Vec::new();
        for (from, to) in [(from, middle), (middle, end)] {
            self.n = to;
            self.launch(from)?;
            let found = self.counted()?;
            all.extend(self.hits(from, found)?);
        }
        Ok(all)
    }

    /// Returns the ends from a position on, each with its fewest errors, for an algorithm that
    /// writes bytes: one launch for each number of errors.
    fn hits_of_bytes(&mut self, from: u64) -> Result<Vec<End>> {
        // Number of launches that found each end: an end with d errors is also found with more.
        let mut found = vec![0u8; (self.n - from) as usize];
        for k in 0..=self.k {
            self.launch_with(k, from)?;
            let bytes = self.text.device.download(&self.text.stream, &self.bytes, self.n as usize)?;
            for (found, byte) in found.iter_mut().zip(&bytes[from as usize..]) {
                *found += byte;
            }
        }
        let ends = found.into_iter().enumerate().filter(|&(_, found)| found != 0);
        Ok(ends.map(|(i, found)| End { end: from + i as u64 + 1, errors: self.k + 1 - u32::from(found) }).collect())
    }
}

impl<D: Device> Drop for DeviceSearch<D> {
    fn drop(&mut self) {
        // A launch may still use the buffers that are freed next.
        if let Err(error) = self.wait() {
            log::warn!("{error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::guides;
    use super::super::row::Gaps;
    use super::*;
    use crate::search::tuning::Tuning;
    use crate::text::{Alphabet, Pattern};
    use simt_launch::Simt;

    /// More candidates than there is room for: the capacity grows, and then the text is split.
    #[test]
    fn no_candidate_is_lost_when_there_are_many() {
        const GUIDES: DeviceAlgorithm<Simt> = guides::algorithm();
        let n = 3 * ROUND;
        let text = DeviceText::new(Arc::new(Simt::default()), &vec![b'A'; n as usize]).unwrap();
        let pattern = Pattern::parse(b"NAAAA", Alphabet::Iupac).unwrap().with_fixed([0]).unwrap();
        let gaps = Gaps { insertions: 1, deletions: 0 };
        let request = Request { patterns: &[pattern], k: 1, gaps, tuning: Tuning::default() };
        for (first, most) in [(CANDIDATES, CANDIDATES), (1 << 10, 1 << 20), (1 << 10, 1 << 15)] {
            let mut search = text.prepare(&GUIDES, &request, ResultKind::Hits).unwrap();
            (search.capacity, search.most_candidates) = (first, most);
            let DeviceResult::Hits(all) = search.run(0).unwrap() else { panic!("hits") };
            let ends: Vec<u64> = all[0].iter().map(|end| end.end).collect();
            assert_eq!(ends, (5..=n).collect::<Vec<_>>(), "{first}, {most}");
        }
    }
}
