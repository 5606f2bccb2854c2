//! Wang (2018), exact search by duels and by brute force: checks that every occurrence is found,
//! and that the paper's slips lose occurrences.

use carrywave_kernels::published::brute_force::BruteForce;
use carrywave_kernels::published::duel_global::{Duel, DuelGlobal, block_positions};
use carrywave_kernels::published::duel_shared::DuelShared;
use simt_std::prelude::*;
use simt_std::simulator::{Buffer, Fault, Grid, Simulator};
use std::collections::HashSet;

/// Returns the start of each occurrence of a pattern.
fn occurrences(text: &[u8], pattern: &[u8]) -> Vec<usize> {
    (0..text.len()).filter(|&start| text[start..].starts_with(pattern)).collect()
}

/// Returns true if the pattern's period is more than half of its length.
fn is_non_periodic(pattern: &[u8]) -> bool {
    (1..=pattern.len() / 2).all(|shift| !pattern.starts_with(&pattern[shift..]))
}

/// Returns, for each i below ⌈m / 2⌉, a position where the pattern and the pattern shifted by i
/// disagree: the last such position, not the first.
fn witnesses(pattern: &[u8]) -> Vec<u32> {
    let of_shift = |shift: usize| (0..pattern.len() - shift).rev().find(|&k| pattern[k] != pattern[shift + k]);
    (0..pattern.len().div_ceil(2)).map(|shift| of_shift(shift).map_or(0, |k| k as u32)).collect()
}

/// The text and the pattern on a simulated GPU, and one byte per position, initially 7.
struct Setup {
    gpu: Simulator,
    duel: Duel,
    bytes: Buffer<u8>,
}

impl Setup {
    fn new(text: &[u8], pattern: &[u8]) -> Self {
        let mut gpu = Simulator::default();
        let duel = Duel {
            text: gpu.alloc_from(text, "text").handle(),
            pattern: gpu.alloc_from(pattern, "pattern").handle(),
            witnesses: gpu.alloc_from(&witnesses(pattern), "witnesses").handle(),
            n: text.len() as u32,
            m: pattern.len() as u32,
        };
        let bytes = gpu.alloc_from(&vec![7; text.len()], "bytes");
        Self { gpu, duel, bytes }
    }

    /// Returns the starts of the occurrences that the kernel found.
    fn found(mut self) -> Vec<usize> {
        let bytes = self.gpu.download(&self.bytes, self.bytes.len()).unwrap();
        assert!(bytes.iter().all(|&byte| byte <= 1));
        let ends = (1..).zip(bytes).filter(|&(_, byte)| byte == 1);
        ends.map(|(end, _)| end - self.duel.m as usize).collect()
    }

    fn brute_force(mut self) -> Vec<usize> {
        let Duel { text, pattern, n, m, .. } = self.duel;
        let kernel = BruteForce { text, n: n.into(), pattern, m, bytes: self.bytes.handle() };
        self.gpu.launch_kernel(kernel.blocks(), kernel).unwrap();
        self.found()
    }

    fn global(mut self) -> Vec<usize> {
        self.gpu.upload(&self.bytes, &vec![0; self.bytes.len()]).unwrap();
        let output = self.gpu.alloc::<u32>(self.bytes.len(), "output").handle();
        let first = DuelGlobal { duel: self.duel, output };
        self.gpu.launch_kernel(self.duel.blocks(), first).unwrap();
        let second = first.then(self.bytes.handle());
        self.gpu.launch_kernel(second.blocks(), second).unwrap();
        self.found()
    }

    fn shared(mut self) -> Vec<usize> {
        self.gpu.upload(&self.bytes, &vec![0; self.bytes.len()]).unwrap();
        let candidates = self.gpu.alloc::<u32>(self.duel.blocks() as usize, "candidates").handle();
        let first = DuelShared { duel: self.duel, candidates };
        self.gpu.launch_kernel(self.duel.blocks(), first).unwrap();
        let second = first.then(self.bytes.handle());
        self.gpu.launch_kernel(second.blocks(), second).unwrap();
        self.found()
    }
}

/// Checks that all three kernels find every occurrence; the duels only if the pattern is
/// non-periodic. Returns the number of occurrences of a non-periodic pattern, and 0 for other
/// patterns.
fn check(text: &[u8], pattern: &[u8]) -> usize {
    let (expected, on) = (occurrences(text, pattern), || Setup::new(text, pattern));
    let place = format!("m = {}, n = {}, {pattern:?}", pattern.len(), text.len());
    assert_eq!(on().brute_force(), expected, "brute force, {place}");
    if !is_non_periodic(pattern) {
        return 0;
    }
    assert_eq!(on().global(), expected, "global, {place}");
    assert_eq!(on().shared(), expected, "shared, {place}");
    expected.len()
}

fn random(seed: u64, symbols: u8, len: usize) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..len).map(|_| b'a' + random.u8(..symbols)).collect()
}

fn fibonacci(len: usize) -> Vec<u8> {
    let (mut before, mut last) = (b"a".to_vec(), b"ab".to_vec());
    while last.len() < len {
        (before, last) = (last.clone(), [last, before].concat());
    }
    last.truncate(len);
    last
}

/// Returns a text that contains each string of `order` bits exactly once.
fn de_bruijn(order: usize) -> Vec<u8> {
    let mut text = vec![b'a'; order];
    let mut seen = HashSet::from([text.clone()]);
    // Appends b if that makes a new string, and a otherwise.
    while text.len() < (1 << order) + order - 1 {
        let before = text[text.len() + 1 - order..].to_vec();
        let next = [b'b', b'a'].map(|symbol| [&before[..], &[symbol]].concat());
        let symbol = if seen.insert(next[0].clone()) { b'b' } else { b'a' };
        seen.insert(next[1].clone());
        text.push(symbol);
    }
    text
}

#[test]
fn every_occurrence_is_found() {
    let mut found = 0;
    for m in 1..=70usize {
        let r = m.div_ceil(2);
        let texts = [random(m as u64, 2, 300), random(m as u64, 4, 260), fibonacci(300), de_bruijn(8)];
        for (number, text) in texts.into_iter().enumerate() {
            // The whole text; the pattern alone; a text whose last block is whole; and a text whose
            // last block has one position.
            let lengths = [text.len(), m, (m + 4 * r).next_multiple_of(r), (m + 4 * r).next_multiple_of(r) + 1];
            let n = lengths[(m + number) % 4].min(text.len());
            let mut random = fastrand::Rng::with_seed((m + 100 * number) as u64);
            let start = random.usize(..=n - m);
            let mut pattern = text[start..start + m].to_vec();
            if !is_non_periodic(&pattern) {
                // Replaces the last symbol, since too few patterns in these texts are non-periodic.
                pattern[m - 1] = b'c';
            }
            found += check(&text[..n], &pattern);
        }
        // A text of one symbol, and a text with another symbol here and there.
        let mut text = vec![b'a'; 5 * m + 3];
        check(&text, &vec![b'a'; m]);
        let pattern = [vec![b'a'; m - 1], b"b".to_vec()].concat();
        assert_eq!(check(&text, &pattern), 0);
        for at in [m - 1, 2 * m - 1, 3 * m - 2, 5 * m + 2] {
            text[at] = b'b';
        }
        found += check(&text, &pattern);
    }
    assert!(found > 500, "{found}");
}

/// Tests blocks with more positions than threads.
#[test]
fn a_thread_takes_several_positions() {
    for (m, n) in [(2047, 5000), (2048, 4096), (2049, 6000), (2051, 2051), (4100, 9000), (5001, 12_503)] {
        let mut text = random(m as u64, 2, n);
        let pattern = text[n - m..].to_vec();
        assert!(is_non_periodic(&pattern));
        text[..m].copy_from_slice(&pattern);
        assert!(check(&text, &pattern) >= 1, "m = {m}");
    }
}

/// The slips in the paper's listings. Each value stands for the listing with only that slip, in a
/// model where all blocks go through a level at the same time.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Slip {
    None,
    /// `witness_array[j - i]` with j before i reads the memory before the array. The model reads 0,
    /// no witness.
    Order,
    /// Algorithm 1: compares T(j + k - 1) with T(k).
    AgainstTheText,
    /// `text[output[j + k]]`.
    OutputOfText,
    /// `starting_pos + s < size` with a position of the text.
    PositionOfText,
    /// `buffer[pid] = id` if the partner is out of range.
    Reset,
    /// `while (s >= 2)` without a last level after it.
    NoLastLevel,
}

/// Returns the candidate of each block.
fn eliminate(text: &[u8], pattern: &[u8], slip: Slip) -> Vec<usize> {
    let (witnesses, n, r) = (witnesses(pattern), text.len(), pattern.len().div_ceil(2));
    let mut output: Vec<usize> = (0..n).collect();
    let mut sizes: Vec<usize> = (0..n).step_by(r).map(|first| r.min(n - first)).collect();
    while sizes.iter().any(|&size| size > 1) {
        let before = output.clone();
        for (size, first) in sizes.iter_mut().zip((0..n).step_by(r)) {
            let s = size.div_ceil(2);
            if *size <= 1 || s == 1 && slip == Slip::NoLastLevel {
                *size = 1;
                continue;
            }
            // In the last level only thread 0 has a duel, and it checks no bounds.
            let start = if slip == Slip::PositionOfText && s > 1 { first } else { 0 };
            for t in (0..s).filter(|t| start + t + s < *size) {
                let (mut i, mut j) = (output[first + t], output[first + t + s]);
                if slip != Slip::Order {
                    (i, j) = (i.min(j), i.max(j));
                }
                let k = j.checked_sub(i).map_or(0, |shift| witnesses[shift] as usize);
                let at = if slip == Slip::OutputOfText { before.get(j + k).copied() } else { Some(j + k) };
                let expected = if slip == Slip::AgainstTheText { text.get(k) } else { pattern.get(k) };
                output[first + t] = if at.is_some_and(|at| at < n && text.get(at) == expected) { j } else { i };
            }
            if slip == Slip::Reset && *size % 2 == 1 {
                // `threadIdx.x <= size / 2`: for an odd size this includes the middle thread, which
                // has no partner.
                output[first + *size / 2] = first + *size / 2;
            }
            *size = s;
        }
    }
    output.into_iter().step_by(r).collect()
}

/// Returns the number of random texts for which `eliminate` loses an occurrence.
fn losing(slip: Slip) -> usize {
    let loses = |seed: u64| {
        let text = random(seed, 2, 200);
        let m = 9 + seed as usize % 12;
        let start = seed as usize * 37 % (200 - m);
        let pattern = &text[start..start + m];
        let candidates = eliminate(&text, pattern, slip);
        is_non_periodic(pattern) && occurrences(&text, pattern).iter().any(|at| !candidates.contains(at))
    };
    (0..200).filter(|&seed| loses(seed)).count()
}

#[test]
fn each_slip_loses_occurrences() {
    assert_eq!(losing(Slip::None), 0);
    let slips =
        [Slip::Order, Slip::AgainstTheText, Slip::OutputOfText, Slip::PositionOfText, Slip::Reset, Slip::NoLastLevel];
    for slip in slips {
        assert!(losing(slip) > 20, "{slip:?}: {}", losing(slip));
    }
}

/// Runs the second listing's loop for a block of four, as printed: thread size / 2 writes the
/// element that thread 0 reads.
#[test]
fn the_printed_reset_is_a_race() {
    /// A thread with a partner reads both candidates. The duel itself is left out, and i stays.
    fn printed(until: impl Fn(u32, u32) -> bool) {
        let (buffer, t) = (dynamic_shared_mem::<u32>(), thread::thread_idx_x());
        buffer.write(t, t);
        // SAFETY: all threads are here.
        unsafe { thread::sync_threads() };
        let (s, size) = (2, 4);
        if until(t, size) {
            if t + s >= size {
                buffer.write(t, t);
            } else {
                let (_j, i) = (buffer.read(t + s), buffer.read(t));
                buffer.write(t, i);
            }
        }
    }
    let grid = Grid { dynamic_shared: 16, ..Grid::linear(1, 4) };
    let launch = |until: fn(u32, u32) -> bool| -> Result<(), Fault> {
        Simulator::default().launch("printed", grid, move || printed(until))
    };
    let fault = launch(|t, size| t <= size / 2).unwrap_err().to_string();
    assert!(fault.contains("race in shared memory on byte 8"), "{fault}");
    launch(|t, size| t < size / 2).unwrap();
}

/// For m up to 2, `blocksize` is one thread. The last duel of thread 0 would then be with the next
/// block's first position, but there is no witness for j - i = 1.
#[test]
fn blocks_of_one_position_have_no_duel() {
    for pattern in [b"a".as_slice(), b"ab"] {
        assert_eq!((block_positions(pattern.len() as u32), witnesses(pattern).len()), (1, 1));
        let text = b"abaababaab";
        assert_eq!(check(text, pattern), occurrences(text, pattern).len());
    }
}

/// In the listing as printed, a block of the text has entries from n on, and duels read beyond the
/// text. The simulator would report that.
#[test]
fn nothing_is_read_or_written_beyond_the_text() {
    // Texts of each length up to several blocks. The buffers are exactly as long as the text.
    let pattern = b"abaab";
    for n in pattern.len()..40 {
        check(&b"abaababaab".repeat(4)[..n], pattern);
    }
    // Texts shorter than the pattern.
    for n in 1..5 {
        assert_eq!(check(&pattern[..n], pattern), 0);
    }
}
