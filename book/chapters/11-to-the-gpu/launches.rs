//! Chapter 11: host code that runs on a GPU and on the simulator.

use super::kernels::{Complement, ComplementVectors, ComplementWords};
use simt_launch::{Device, Result};
use simt_std::Kernel;

// ANCHOR: complement_of
/// Returns the complement of a DNA text, computed by a device.
pub fn complement_of(device: &impl Device, text: &[u8]) -> Result<Vec<u8>> {
    let stream = device.stream()?;
    let n = text.len();
    let input = device.alloc_from(&stream, text, "text")?;
    let result = device.alloc::<u8>(n, "result")?;
    let kernel = Complement { text: device.handle(&input), n: n as u32, result: device.handle(&result) };
    // SAFETY: both arrays have n symbols, and live until `download` has waited for the launch.
    unsafe { device.launch(&stream, n.div_ceil(256) as u32, kernel)? };
    device.download(&stream, &result, n)
}
// ANCHOR_END: complement_of

/// A piece of a text, in pinned memory of the host and in memory of the device.
pub struct Piece<D: Device> {
    len: usize,
    pinned: D::Pinned,
    text: D::Buffer<u8>,
    result: D::Buffer<u8>,
}

impl<D: Device> Piece<D> {
    /// Makes a piece, with its symbols in pinned memory.
    pub fn new(device: &D, symbols: &[u8]) -> Result<Self> {
        let len = symbols.len();
        let mut pinned = device.pinned(len)?;
        device.pinned_bytes(&mut pinned)?[..len].copy_from_slice(symbols);
        Ok(Self { len, pinned, text: device.alloc(len, "text")?, result: device.alloc(len, "result")? })
    }

    /// Queues the copy of the symbols to the device.
    pub fn upload(&mut self, device: &D, stream: &D::Stream) -> Result<()> {
        device.upload_async(stream, &self.text, &mut self.pinned, self.len)
    }

    /// Queues the kernel.
    ///
    /// # Safety
    /// The piece is not dropped before the host has waited for the stream.
    pub unsafe fn complement(&self, device: &D, stream: &D::Stream) -> Result<()> {
        let (text, result) = (device.handle(&self.text), device.handle(&self.result));
        let kernel = Complement { text, n: self.len as u32, result };
        // SAFETY: both arrays have `len` symbols; passed on to the caller.
        unsafe { device.launch(stream, self.len.div_ceil(256) as u32, kernel) }
    }

    /// Waits for the stream, and returns the result.
    pub fn download(&self, device: &D, stream: &D::Stream) -> Result<Vec<u8>> {
        device.download(stream, &self.result, self.len)
    }
}

// ANCHOR: in_pieces
/// Returns the complement of a text. While a kernel works on a piece, the next piece is copied.
pub fn complement_in_pieces<D: Device>(device: &D, text: &[u8], len: usize) -> Result<Vec<u8>> {
    let (copies, kernels) = (device.stream()?, device.stream()?);
    let pieces: Result<Vec<_>> = text.chunks(len).map(|symbols| Piece::new(device, symbols)).collect();
    let mut pieces = pieces?;
    for piece in &mut pieces {
        piece.upload(device, &copies)?;
        let copied = device.record(&copies)?;
        device.wait_for(&kernels, &copied)?;
        // SAFETY: the pieces live until `download` has waited for the stream.
        unsafe { piece.complement(device, &kernels)? };
    }
    let results: Result<Vec<_>> = pieces.iter().map(|piece| piece.download(device, &kernels)).collect();
    Ok(results?.concat())
}
// ANCHOR_END: in_pieces

/// Number of timed launches of a kernel.
const LAUNCHES: usize = 20;

/// The time of a kernel.
#[derive(Debug, Clone, PartialEq)]
pub struct Time {
    /// Name of the kernel.
    pub kernel: &'static str,
    /// Median of the launches, in microseconds.
    pub micros: f64,
}

/// Returns the times of the three kernels on a text of n symbols, a multiple of 16. Copies between
/// host and device are not part of them.
pub fn times(device: &impl Device, n: usize) -> Result<Vec<Time>> {
    let stream = device.stream()?;
    let input = device.alloc_from(&stream, &vec![b'A'; n], "text")?;
    let output = device.alloc::<u8>(n, "result")?;
    let (text, result) = (device.handle(&input), device.handle(&output));
    let symbols = Complement { text, n: n as u32, result };
    let words = ComplementWords { text: text.cast(), words: n as u32 / 4, result: result.cast() };
    let vectors = ComplementVectors { text: text.cast(), vectors: n as u32 / 16, result: result.cast() };
    // SAFETY: both arrays have n symbols; `median` waits for its launches.
    unsafe {
        Ok(vec![
            median(device, &stream, n.div_ceil(256), symbols)?,
            median(device, &stream, (n / 4).div_ceil(256), words)?,
            median(device, &stream, (n / 16).div_ceil(256), vectors)?,
        ])
    }
}

// ANCHOR: median
/// Times launches of a kernel by events, after one that is not timed.
///
/// # Safety
/// As [`Device::launch`]; the function waits for its launches.
unsafe fn median<D: Device, K: Kernel>(device: &D, stream: &D::Stream, blocks: usize, kernel: K) -> Result<Time> {
    let mut times = Vec::new();
    for _ in 0..=LAUNCHES {
        let start = device.record(stream)?;
        // SAFETY: passed on to the caller.
        unsafe { device.launch(stream, blocks as u32, kernel)? };
        let end = device.record(stream)?;
        times.push(device.elapsed(&start, &end)?.as_secs_f64() * 1e6);
    }
    let timed = &mut times[1..];
    timed.sort_by(f64::total_cmp);
    Ok(Time { kernel: K::NAME, micros: timed[LAUNCHES / 2] })
}
// ANCHOR_END: median

#[cfg(test)]
mod tests {
    use super::*;
    use simt_launch::Simt;
    use simt_std::exercise;

    fn text(n: usize) -> Vec<u8> {
        (0..n).map(|i| b"ACGT"[i * i % 7 % 4]).collect()
    }

    fn complement(text: &[u8]) -> Vec<u8> {
        let one = |symbol: &u8| match symbol {
            b'A' => b'T',
            b'C' => b'G',
            b'G' => b'C',
            _ => b'A',
        };
        text.iter().map(one).collect()
    }

    #[test]
    fn a_device_computes_complements() {
        for n in [1, 255, 256, 257, 1000] {
            let text = text(n);
            assert_eq!(complement_of(&Simt::default(), &text).unwrap(), complement(&text), "{n}");
            assert_eq!(complement_in_pieces(&Simt::default(), &text, 300).unwrap(), complement(&text), "{n}");
        }
    }

    #[test]
    fn all_kernels_compute_complements() {
        for n in [16, 4096, 4112, 10_000] {
            let text = text(n);
            exercise! {
                run: |gpu| {
                    let input = gpu.alloc_from(&text, "text");
                    let [one, two, three] = ["one", "two", "three"].map(|name| gpu.alloc::<u8>(n, name));
                    let symbols = Complement { text: input.handle(), n: n as u32, result: one.handle() };
                    gpu.launch_kernel(n.div_ceil(256) as u32, symbols)?;
                    let words = n as u32 / 4;
                    let kernel = ComplementWords { text: input.handle().cast(), words, result: two.handle().cast() };
                    gpu.launch_kernel(words.div_ceil(256), kernel)?;
                    let (vectors, result) = (n as u32 / 16, three.handle().cast());
                    let kernel = ComplementVectors { text: input.handle().cast(), vectors, result };
                    gpu.launch_kernel(vectors.div_ceil(256), kernel)?;
                    Ok([gpu.download(&one, n)?, gpu.download(&two, n)?, gpu.download(&three, n)?].concat())
                },
                expect: complement(&text).repeat(3),
                schedules: 2,
            }
        }
    }

    #[test]
    fn times_are_positive() {
        let times = times(&Simt::default(), 1024).unwrap();
        let names = times.iter().map(|time| time.kernel);
        assert!(names.eq(["complement", "complement_words", "complement_vectors"]));
        assert!(times.iter().all(|time| time.micros > 0.0));
    }
}
