//! The witnesses of a pattern on a device, computed there: for patterns so long that the CPU would
//! take longer than the search.

use crate::device::Device;
use crate::error::{Error, Result};
use carrywave_kernels::search::exact::witness::{
    FillPeriod, FirstMismatches, JoinWindows, MAX_LEFT, NONE, THREADS, Windows,
};
use simt_std::U32x4;
use simt_std::global::Global;

/// Longest pattern, in symbols: less than 2^31.
pub(in crate::search) const MAX_SYMBOLS: u32 = (1 << 31) - 1;

/// Largest number of steps: each at least doubles the windows, from 1 to 2^28.
const MAX_STEPS: u32 = 30;

/// Number of blocks per multiprocessor that compare the pattern with itself.
const RESIDENT: u32 = 8;

/// Witnesses on a device.
pub(in crate::search) struct Witnesses<D: Device> {
    /// Number of witnesses: the minimum of the period and ⌈m / 2⌉.
    pub r: u32,
    /// For each shift from 1 to r - 1 a k with `P[k] != P[shift + k]`; entry 0 is 0. Entries after
    /// r - 1 are undefined.
    pub entries: D::Buffer<u32>,
}

/// Computes the witnesses of a pattern of m symbols, 1 to [`MAX_SYMBOLS`], padded with any symbols
/// to a multiple of 16. Waits for the stream.
///
/// # Errors
/// An error if the device fails.
pub(in crate::search) fn witnesses<D: Device>(
    device: &D,
    stream: &D::Stream,
    pattern: &D::Buffer<U32x4>,
    m: u32,
) -> Result<Witnesses<D>> {
    Doubling::new(device, stream, pattern, m)?.run()
}

/// The result of a step: the shift of a window, and the first position where P and P moved by the
/// shift differ; each [`NONE`] if there is none.
type Mismatch = (u32, u32);

/// The doubling of windows, as described in the kernels' module.
struct Doubling<'d, D: Device> {
    device: &'d D,
    stream: &'d D::Stream,
    pattern: Global<U32x4>,
    m: u32,
    entries: D::Buffer<u32>,
    windows: Windows,
    /// Two alternating arrays of the windows' shifts: the current ones, and the joined ones.
    shifts: [D::Buffer<u32>; 2],
    /// Two words for each window that is compared, and the number of windows in use.
    found: D::Buffer<u32>,
    used: u32,
}

impl<'d, D: Device> Doubling<'d, D> {
    fn new(device: &'d D, stream: &'d D::Stream, pattern: &D::Buffer<U32x4>, m: u32) -> Result<Self> {
        let shifts = m / 2 + 1;
        let mut entries = device.alloc(shifts as usize, "witnesses")?;
        device.upload(stream, &mut entries, &[0])?;
        let found = vec![NONE; 2 * (MAX_STEPS + MAX_LEFT) as usize];
        let buffers = [
            device.alloc(shifts.div_ceil(2) as usize, "shifts without a witness")?,
            device.alloc(shifts.div_ceil(4) as usize, "shifts without a witness, joined")?,
        ];
        Ok(Self {
            device,
            stream,
            pattern: device.handle(pattern),
            m,
            entries,
            // Windows of one shift have no array.
            windows: Windows { array: device.handle(&buffers[0]), width: 1, shifts, filled: 0 },
            shifts: buffers,
            found: device.alloc_from(stream, &found, "mismatches")?,
            used: 0,
        })
    }

    fn run(mut self) -> Result<Witnesses<D>> {
        let half = self.m.div_ceil(2);
        while 8 * self.windows.width <= half {
            let width = self.windows.width;
            let (shift, mismatch) = self.compare(1, 1)?.first().copied().unwrap_or((NONE, NONE));
            match (shift, mismatch) {
                (NONE, _) => self.join((NONE, NONE))?,
                (period, NONE) => return Ok(self.periodic(period)),
                _ if shift + mismatch < 8 * width => self.join((shift, mismatch))?,
                _ => {
                    let alpha = shift + mismatch;
                    self.fill(shift, alpha)?;
                    if alpha > half {
                        break;
                    }
                    while 2 * self.windows.width <= alpha / 2 {
                        self.join((NONE, NONE))?;
                    }
                }
            }
        }
        // The remaining windows, which are few.
        let first = (self.windows.filled / self.windows.width).max(1);
        let count = self.windows.count().saturating_sub(first);
        for (shift, mismatch) in self.compare(first, count)? {
            match (shift, mismatch) {
                (NONE, _) => (),
                (period, NONE) => return Ok(self.periodic(period)),
                _ => self.device.upload_to(self.stream, &mut self.entries, shift as usize, &[mismatch])?,
            }
        }
        Ok(Witnesses { r: half, entries: self.entries })
    }

    /// Returns the witnesses of a pattern with a period: all smaller shifts have witnesses.
    fn periodic(self, period: u32) -> Witnesses<D> {
        Witnesses { r: period, entries: self.entries }
    }

    /// Compares the pattern with itself moved by the shifts of some windows.
    fn compare(&mut self, first: u32, count: u32) -> Result<Vec<Mismatch>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        let slots = 2 * self.used as usize;
        self.used += count;
        if self.used > MAX_STEPS + MAX_LEFT {
            return Err(Error::Verification(format!("{} windows are compared for {} symbols", self.used, self.m)));
        }
        let kernel = FirstMismatches {
            pattern: self.pattern,
            m: self.m,
            windows: self.windows,
            first,
            found: self.device.handle(&self.found).skip(slots),
        };
        let blocks = super::row::blocks(self.device, self.m.into(), THREADS * 16, RESIDENT);
        // SAFETY: the pattern has m symbols and is rounded up, window 0 is not among the windows,
        // each has two unused words, and all arrays live until the download has waited for the
        // launch.
        unsafe { self.device.launch(self.stream, [blocks, count], kernel)? };
        let found = self.device.download_from(self.stream, &self.found, slots, 2 * count as usize)?;
        Ok(found.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect())
    }

    /// Sets the witnesses of the shifts from a period of the first α symbols on.
    fn fill(&mut self, period: u32, alpha: u32) -> Result<()> {
        let filled = (alpha - 4 * self.windows.width).min(self.windows.shifts);
        let kernel = FillPeriod { period, alpha, filled, witnesses: self.device.handle(&self.entries) };
        // SAFETY: there is an entry for each shift. The period is less than 2b and α at least 8b,
        // so the period is less than `filled`. The shifts below it have witnesses, all less than
        // 4b.
        unsafe { self.device.launch(self.stream, kernel.blocks(), kernel)? };
        self.windows.filled = filled;
        Ok(())
    }

    /// Joins windows in pairs, given a shift that was compared.
    fn join(&mut self, (known, known_witness): Mismatch) -> Result<()> {
        let joined = self.device.handle(&self.shifts[0]);
        let kernel = JoinWindows {
            pattern: self.pattern.cast(),
            windows: self.windows,
            known,
            known_witness,
            joined,
            witnesses: self.device.handle(&self.entries),
        };
        // SAFETY: each of the two buffers is long enough for the windows that are joined into it
        // (the first one is the larger), and is not the one that is read. All shifts below 2b have
        // witnesses, and no duel reads beyond the pattern: 8b is at most ⌈m / 2⌉, or α is.
        unsafe { self.device.launch(self.stream, kernel.blocks(), kernel)? };
        self.shifts.swap(0, 1);
        self.windows = Windows { array: joined, width: 2 * self.windows.width, ..self.windows };
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text::period;
    use simt_launch::Simt;

    fn check(device: &Simt, symbols: &[u8], label: &str) {
        let m = symbols.len();
        let mut padded = symbols.to_vec();
        // The padding continues the pattern's period, or differs from all of the pattern.
        let after = |i| if m.is_multiple_of(2) { symbols[i % period(symbols)] } else { 255 };
        padded.extend((m..m.next_multiple_of(16)).map(after));
        let mut words = vec![U32x4::default(); padded.len() / 16];
        bytemuck::cast_slice_mut(&mut words).copy_from_slice(&padded);
        let stream = device.stream().unwrap();
        let pattern = device.alloc_from(&stream, &words, "pattern").unwrap();
        let found = witnesses(device, &stream, &pattern, m as u32).unwrap();
        let label = || format!("{label}, m = {m}: {:?}", &symbols[..m.min(80)]);
        let period = period(symbols);
        assert_eq!(found.r as usize, period.min(m.div_ceil(2)), "{}", label());
        let entries = device.download(&stream, &found.entries, found.r as usize).unwrap();
        assert_eq!(entries[0], 0, "{}", label());
        for (shift, witness) in (1..).zip(entries[1..].iter().map(|&witness| witness as usize)) {
            assert!(shift + witness < m, "{}, shift {shift}: {witness}", label());
            assert_ne!(symbols[witness], symbols[shift + witness], "{}, shift {shift}: {witness}", label());
        }
    }

    /// Up to 14 symbols there are no steps: all shifts are compared.
    #[test]
    fn all_short_strings() {
        let device = Simt::default();
        for m in 1..=12 {
            for number in 0..1u32 << m {
                let symbols: Vec<u8> = (0..m).map(|i| (number >> i & 1) as u8).collect();
                check(&device, &symbols, "binary");
            }
        }
    }

    /// One symbol except in two positions: prefixes with the period 1, some of them nearly too
    /// long for the rest.
    #[test]
    fn two_other_symbols() {
        let device = Simt::default();
        for m in [15, 16, 31] {
            for (i, j) in (0..m).flat_map(|j| (0..j).map(move |i| (i, j))) {
                let mut symbols = vec![b'a'; m];
                (symbols[i], symbols[j]) = (b'b', b'b');
                check(&device, &symbols, "two other symbols");
            }
        }
    }

    #[test]
    fn repetitions() {
        let device = Simt::default();
        let mut fibonacci = [b"a".to_vec(), b"ab".to_vec()];
        while fibonacci[1].len() < 5200 {
            fibonacci = [fibonacci[1].clone(), fibonacci.concat()];
        }
        let lengths = (15..80).chain([100, 127, 128, 129, 255, 256, 257, 1000, 2047, 2048, 4095, 4096, 4097, 5000]);
        for m in lengths {
            let of = |part: &[u8]| -> Vec<u8> { part.iter().copied().cycle().take(m).collect() };
            let ending = |mut symbols: Vec<u8>, at: usize| {
                symbols[at] = b'z';
                symbols
            };
            check(&device, &fibonacci[1][..m], "Fibonacci");
            check(&device, &of(b"a"), "a^n");
            check(&device, &ending(of(b"a"), m - 1), "a^(n-1) z");
            check(&device, &ending(of(b"a"), 0), "z a^(n-1)");
            check(&device, &ending(of(b"ab"), m - 1), "(ab)^n z");
            // A mismatch at each position where the case distinction changes.
            for at in [m / 8, m / 4, m / 2 - 1, m / 2, m / 2 + 1, 3 * m / 4] {
                check(&device, &ending(of(b"aab"), at), "(aab)^n z (aab)^n");
                check(&device, &ending(of(&fibonacci[1][..m.min(7)]), at), "a repetition of 7 with another symbol");
            }
            // Periods around half of the length.
            for period in [m / 2 - 1, m / 2, m / 2 + 1, m.div_ceil(2)] {
                check(&device, &of(&ending(of(b"aab"), period - 1)[..period]), "a period of half");
                check(&device, &ending(of(&ending(of(b"aab"), period - 1)[..period]), m - 1), "nearly one");
            }
        }
    }

    /// Repetitions of repetitions, each with a few additional symbols at its end.
    #[test]
    fn nested_repetitions() {
        let device = Simt::default();
        let mut random = fastrand::Rng::with_seed(17);
        for _ in 0..400 {
            let mut symbols: Vec<u8> = (0..random.usize(1..12)).map(|_| random.u8(..3)).collect();
            while symbols.len() < random.usize(20..5000) {
                symbols = symbols.repeat(random.usize(1..9));
                symbols.extend((0..random.usize(..3)).map(|_| random.u8(..3)));
            }
            symbols.truncate(random.usize(symbols.len() / 2..=symbols.len()).clamp(1, 5000));
            check(&device, &symbols, "nested");
        }
    }

    #[test]
    fn random_strings() {
        let device = Simt::default();
        let mut random = fastrand::Rng::with_seed(18);
        for number in 0..100 {
            let letters = [2, 4, 255][number % 3];
            let symbols: Vec<u8> = (0..random.usize(1..2000)).map(|_| random.u8(..letters)).collect();
            check(&device, &symbols, "random");
        }
    }
}
