//! The LCS of two sequences of numbers (tokens), which stand for lines, words or anything else that can be compared.
//!
//! 1. What both have in common at their ends is matched; tokens that only one of them has match nothing and are left out. Both are exact.
//! 2. Furthest-reaching paths ([`furthest`]), where differences are few: they give up once they are expected to take more time than the other ways.
//! 3. Then, by what is left:
//!    - up to 256 different tokens are bytes, and go the way of all strings ([`Comparison`](super::Comparison));
//!    - few pairs of equal tokens: Hunt and Szymanski's chains ([`hunt_szymanski`]);
//!    - else bit-vectors in Hirschberg's recursion, on the CPU ([`TokenColumns`]) or, where it is faster, on a GPU ([`WavefrontLcs`]).
//!
//! Which way is taken depends on the sequences alone, and all engines' bit-vectors give the same LCS: so the result is the same on every machine.

use super::cpu::token_columns::TokenColumns;
use super::cpu::{hunt_szymanski, token_table};
use super::gpu::wavefront::WavefrontLcs;
use super::problem::Lcs;
use super::thresholds::{LEAF_CELLS, level_of_tokens_is_faster, tokens_are_faster_on_gpu};
use crate::alignment::runs::Run;
use crate::device::{Cpu, Device, Devices, EngineKind, Gpu};
use crate::pairwise::comparison::Settings;
use crate::pairwise::furthest::{self, Budget};
use crate::pairwise::hirschberg::{Recursion, Symbols};
use crate::text::numbered;
use crate::threads;
use crate::{Result, memory};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// Steps of furthest-reaching paths, about a second, after which it is asked whether they come to an end before the other ways would; and the cells
/// of the table that take as long as a step.
const BUDGET: u64 = 1 << 28;
const CELLS_A_STEP: u64 = 64;

/// Steps that are always tried.
const LEAST_BUDGET: u64 = 1 << 18;

/// Pairs of equal tokens up to which chains are thought of: each may take 12 bytes; and the cells of the table that take as long as a pair.
const PAIRS: u64 = 1 << 24;
const CELLS_A_PAIR: u64 = 2048;

/// How tokens are compared.
#[derive(Clone, Copy)]
pub(crate) struct Options<'j> {
    /// What computes; none for what should be fastest.
    pub devices: Option<&'j Devices>,
    /// Told how many tokens of both sequences have been settled since its last call.
    pub progress: &'j (dyn Fn(u64) + Sync),
    /// Whether tokens of the common ends count, too, when tokens are left out that only one sequence has. Then the result is that of GNU diff.
    pub keeps_ends: bool,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Self { devices: None, progress: &|_| (), keeps_ends: false }
    }
}

/// The matches of a longest common subsequence, as runs of places in the slices that are given.
///
/// # Errors
/// [`Error::Memory`](crate::Error::Memory), and those of the devices that were given.
pub(crate) fn runs(a: &[u32], b: &[u32], options: Options<'_>) -> Result<Vec<Run>> {
    let tokens = (a.len() + b.len()) as u64;
    let told = AtomicU64::new(0);
    let strips = !options.keeps_ends;
    let before = if strips { furthest::common_prefix(a, b) } else { 0 };
    let a = a.get(before..).unwrap_or_default();
    let b = b.get(before..).unwrap_or_default();
    let after = if strips { furthest::common_suffix(a, b) } else { 0 };
    let a = rest(a, after);
    let b = rest(b, after);
    let mut runs = Vec::new();
    push(&mut runs, Run { a_start: 0, b_start: 0, len: before as u64 });
    // Of what is left: cells of a table twice as large, as the recursion computes them, stand for tokens.
    let left = (a.len() + b.len()) as u64;
    let cells = 2 * (a.len() as u128 * b.len() as u128).max(1);
    let done = AtomicU64::new(0);
    let progress = |more: u64| {
        let done = u128::from(done.fetch_add(more, Ordering::Relaxed).saturating_add(more));
        let now = ((done * u128::from(left) / cells) as u64).min(left);
        (options.progress)(now.saturating_sub(told.fetch_max(now, Ordering::Relaxed)));
    };
    middle(a, b, before, Options { progress: &progress, ..options }, &mut runs)?;
    push(&mut runs, Run { a_start: (before + a.len()) as u64, b_start: (before + b.len()) as u64, len: after as u64 });
    (options.progress)(tokens - told.into_inner());
    Ok(runs)
}

/// Adds the matches of what is between the ends, which starts at `from` in both slices. Progress is told in cells.
fn middle(a: &[u32], b: &[u32], from: usize, options: Options<'_>, runs: &mut Vec<Run>) -> Result<()> {
    if a.is_empty() || b.is_empty() {
        return Ok(());
    }
    let most = a.iter().chain(b).copied().max().unwrap_or_default() as usize;
    if most / 8 > a.len() + b.len() {
        // Large numbers, of which a table would be mostly empty.
        let numbered = numbered::number(a, b)?;
        return middle(&numbered.a, &numbered.b, from, options, runs);
    }
    let Kept { a, b, kinds, pairs, differences } = kept(a, b, most)?;
    let cells = a.tokens.len() as u64 as u128 * b.tokens.len() as u64 as u128;
    let cells = u64::try_from(cells).unwrap_or(u64::MAX);
    // What the other ways take, in steps.
    let most = if are_few(pairs, cells) { pairs.saturating_mul(CELLS_A_PAIR) } else { cells } / CELLS_A_STEP;
    let budget = Budget { first: (cells / CELLS_A_STEP).clamp(LEAST_BUDGET, BUDGET), most };
    let started = Instant::now();
    // Where it is certain that the steps would not do, none is taken: they are one thread's.
    let found = match furthest::least_steps(&a.tokens, &b.tokens, differences) {
        steps if steps > budget.first.max(budget.most) => None,
        _ => furthest::runs(&a.tokens, &b.tokens, budget),
    };
    let way = if found.is_some() { "found" } else { "not found" };
    log::debug!("lcs of tokens: {way} by few differences, {:.3} s", started.elapsed().as_secs_f64());
    let found = match found {
        Some(found) => found,
        None => many_differences([&a.tokens, &b.tokens], kinds, pairs, cells, options)?,
    };
    log::debug!("lcs of tokens: {} runs after {:.3} s", found.len(), started.elapsed().as_secs_f64());
    put_back(&found, [&a, &b], from, runs);
    Ok(())
}

/// Whether there are so few pairs of equal tokens that chains of them take less time than bit-vectors.
fn are_few(pairs: u64, cells: u64) -> bool {
    pairs <= PAIRS && pairs <= cells / CELLS_A_PAIR
}

/// The matches where there are many differences, of tokens below `kinds` with so many pairs of equal ones.
fn many_differences([a, b]: [&[u32]; 2], kinds: u32, pairs: u64, cells: u64, options: Options<'_>) -> Result<Vec<Run>> {
    if kinds <= 256 {
        let settings =
            Settings::<Lcs> { devices: options.devices.cloned(), progress: options.progress, ..Settings::new() };
        return settings.runs(&bytes(a), &bytes(b));
    }
    if are_few(pairs, cells) {
        return hunt_szymanski::lcs(a, b, kinds as usize);
    }
    let lengths = (a.len() as u64, b.len() as u64);
    let on_cpu = || by_bit_vectors::<simt_launch::Simt>(&[], EngineKind::Cpu, [a, b], kinds, options);
    match options.devices {
        Some(Devices::Cpu(cpu)) => cpu.run(on_cpu),
        Some(Devices::Gpus(gpus)) => threads::run(|| by_bit_vectors(gpus, EngineKind::Gpu, [a, b], kinds, options)),
        #[cfg(feature = "simt")]
        Some(Devices::Simulated(devices)) => {
            threads::run(|| by_bit_vectors(devices, EngineKind::Simt, [a, b], kinds, options))
        }
        None if tokens_are_faster_on_gpu(lengths.0, lengths.1, rayon::current_num_threads()) => match Gpu::open(0) {
            Ok(gpu) => {
                threads::run(|| by_bit_vectors(&[gpu.device().clone()], EngineKind::Gpu, [a, b], kinds, options))
            }
            Err(_) => threads::run(on_cpu),
        },
        None => Cpu::new().run(on_cpu),
    }
}

/// The same by a way for strings of bytes; none for sequences that have more than 256 kinds of tokens in common.
pub(crate) fn runs_of_bytes(
    a: &[u32],
    b: &[u32],
    of_bytes: impl FnOnce(&[u8], &[u8]) -> Result<Vec<Run>>,
) -> Result<Option<Vec<Run>>> {
    let most = a.iter().chain(b).copied().max().unwrap_or_default() as usize;
    let Kept { a, b, kinds, .. } = kept(a, b, most)?;
    if kinds > 256 {
        return Ok(None);
    }
    let found = of_bytes(&bytes(&a.tokens), &bytes(&b.tokens))?;
    let mut runs = Vec::new();
    put_back(&found, [&a, &b], 0, &mut runs);
    Ok(Some(runs))
}

/// Tokens below 256 as bytes.
fn bytes(tokens: &[u32]) -> Vec<u8> {
    tokens.iter().map(|&token| token as u8).collect()
}

/// Adds runs of what was kept, at the places that it had, which are counted from `from`.
fn put_back(found: &[Run], [a, b]: [&KeptOfOne; 2], from: usize, runs: &mut Vec<Run>) {
    for run in found {
        let of_a = a.places.iter().skip(run.a_start as usize);
        let of_b = b.places.iter().skip(run.b_start as usize);
        for (&x, &y) in of_a.zip(of_b).take(run.len as usize) {
            push(runs, Run { a_start: (from + x) as u64, b_start: (from + y) as u64, len: 1 });
        }
    }
}

/// Hirschberg's recursion by columns of bit-vectors, the large ones on devices, if there are any.
fn by_bit_vectors<D: Device>(
    devices: &[Arc<D>],
    engine: EngineKind,
    [a, b]: [&[u32]; 2],
    kinds: u32,
    options: Options<'_>,
) -> Result<Vec<Run>> {
    let small = TokenColumns::new([a, b], kinds as usize, options.progress);
    let threads = rayon::current_num_threads();
    let on_device = |_: u64, _: u64, level: u64| match engine {
        EngineKind::Cpu => false,
        EngineKind::Gpu => level_of_tokens_is_faster(level, threads),
        EngineKind::Simt => true,
    };
    let recursion = |engine| Recursion {
        a,
        b,
        engine,
        small: &small,
        is_large: &on_device,
        leaf_cells: LEAF_CELLS,
        symbols: Tokens,
    };
    if devices.is_empty() {
        return recursion(&small).solve();
    }
    let devices: Vec<&D> = devices.iter().map(|device| &**device).collect();
    let wavefront = WavefrontLcs::of_tokens(&devices, a, b, options.progress)?;
    recursion(&wavefront).solve()
}

/// Tokens as the symbols of Hirschberg's recursion.
struct Tokens;

impl Symbols<u32> for Tokens {
    fn match_each_other(&self, a: u32, b: u32) -> bool {
        a == b
    }

    fn leaf(&self, a: &[u32], b: &[u32]) -> Vec<Run> {
        token_table::lcs(a, b)
    }
}

/// A slice without its last items.
fn rest(tokens: &[u32], after: usize) -> &[u32] {
    tokens.get(..tokens.len() - after.min(tokens.len())).unwrap_or_default()
}

/// Adds a run, to the last one if it continues that.
fn push(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        _ if run.len == 0 => (),
        Some(last) if last.ends() == (run.a_start, run.b_start) => last.len += run.len,
        _ => runs.push(run),
    }
}

/// What both sequences have, numbered anew without gaps.
struct Kept {
    a: KeptOfOne,
    b: KeptOfOne,
    /// Different tokens.
    kinds: u32,
    /// Pairs of equal tokens, one of each sequence.
    pairs: u64,
    /// Tokens that one side has more often than the other, summed up: so many are inserted or deleted at least.
    differences: u64,
}

/// The tokens of a slice that the other one has too, and where they are.
#[derive(Default)]
struct KeptOfOne {
    tokens: Vec<u32>,
    places: Vec<usize>,
}

/// What both slices have, whose tokens are `most` at most.
fn kept(a: &[u32], b: &[u32], most: usize) -> Result<Kept> {
    memory::check::<[u32; 3]>(most + 1, "the kinds of tokens")?;
    let count = |tokens: &[u32]| {
        let mut counts = vec![0u32; most + 1];
        for &token in tokens {
            if let Some(count) = counts.get_mut(token as usize) {
                *count = count.saturating_add(1);
            }
        }
        counts
    };
    let of_a = count(a);
    let of_b = count(b);
    // The new number of each token; none for those that only one side has.
    const ALONE: u32 = u32::MAX;
    let mut kinds = 0u32;
    let mut pairs = 0u64;
    let mut differences = 0u64;
    let mut numbers = of_a;
    for (number, &of_b) in numbers.iter_mut().zip(&of_b) {
        let of_both = u64::from(*number) * u64::from(of_b);
        differences += if of_both == 0 { 0 } else { number.abs_diff(of_b).into() };
        *number = if of_both == 0 { ALONE } else { kinds };
        kinds += u32::from(of_both > 0);
        pairs = pairs.saturating_add(of_both);
    }
    let of = |tokens: &[u32]| -> Result<KeptOfOne> {
        let number = |token: u32| numbers.get(token as usize).copied().filter(|&number| number != ALONE);
        let count = tokens.iter().filter(|&&token| number(token).is_some()).count();
        let mut kept = KeptOfOne::default();
        memory::reserve(&mut kept.tokens, count, "tokens")?;
        memory::reserve(&mut kept.places, count, "places of tokens")?;
        for (place, &token) in tokens.iter().enumerate() {
            if let Some(number) = number(token) {
                kept.tokens.push(number);
                kept.places.push(place);
            }
        }
        Ok(kept)
    };
    Ok(Kept { a: of(a)?, b: of(b)?, kinds, pairs, differences })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::runs::CommonSubsequence;
    use crate::pairwise::recurrence::lcs_length;

    #[test]
    fn random_tokens() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let kinds = [1, 2, 5, 30, 1000, 100_000, u32::MAX][random.usize(..7)];
            let mut tokens =
                |most: usize| (0..random.usize(..most)).map(|_| random.u32(..=kinds - 1)).collect::<Vec<_>>();
            let (start, end) = (tokens(5), tokens(5));
            let side = |side: &[u32]| [&start, side, &end].concat();
            let (mut a, mut b) = (side(&tokens(50)), side(&tokens(50)));
            // With large numbers hardly any are equal by chance.
            for _ in 0..random.usize(..20) {
                let (Some(x), false) = (a.get(random.usize(..a.len().max(1))), b.is_empty()) else { break };
                let place = random.usize(..b.len());
                b[place] = *x;
            }
            if random.bool() {
                std::mem::swap(&mut a, &mut b);
            }
            let settled = std::sync::atomic::AtomicU64::new(0);
            let progress = |tokens| {
                settled.fetch_add(tokens, std::sync::atomic::Ordering::Relaxed);
            };
            let runs = runs(&a, &b, Options { progress: &progress, ..Options::default() }).unwrap();
            assert_eq!(settled.into_inner(), (a.len() + b.len()) as u64);
            for run in &runs {
                let (x, y, len) = (run.a_start as usize, run.b_start as usize, run.len as usize);
                assert_eq!(a[x..x + len], b[y..y + len], "{a:?} {b:?}");
            }
            let lcs = CommonSubsequence::new(runs.clone(), a.len() as u64, b.len() as u64).unwrap();
            assert_eq!(lcs.runs(), runs);
            assert_eq!(lcs.len(), lcs_length(&a, &b), "{a:?} {b:?}");
        }
    }

    /// Ways that are taken of long sequences alone, of short ones: each an LCS, and those by bit-vectors the same one.
    #[test]
    #[cfg(feature = "simt")]
    fn every_way_gives_an_lcs() {
        use crate::device::Simt;
        let mut random = fastrand::Rng::with_seed(2);
        let simulated = Devices::of(&Simt::new());
        let cpu = Devices::of(&Cpu::new());
        for kinds in [3, 200, 300, 5000, 70_000] {
            for (m, n) in [(40, 70), (1500, 900)] {
                // Of the kinds that there may be, few, so that there are matches.
                let some: Vec<u32> = (0..kinds.min(600)).map(|_| random.u32(..kinds)).collect();
                let mut text = |len| (0..len).map(|_| some[random.usize(..some.len())]).collect::<Vec<u32>>();
                let (a, b) = (text(m), text(n));
                let expected = lcs_length(&a, &b);
                let of = |devices: Option<&Devices>, pairs| {
                    let options = Options { devices, ..Options::default() };
                    let cells = if pairs == 0 { u64::MAX } else { 1 };
                    let runs = many_differences([&a, &b], kinds, pairs, cells, options).unwrap();
                    let lcs = CommonSubsequence::new(runs, m as u64, n as u64).unwrap();
                    for run in lcs.runs() {
                        let (x, y, len) = (run.a_start as usize, run.b_start as usize, run.len as usize);
                        assert_eq!(a[x..x + len], b[y..y + len], "{kinds} kinds");
                    }
                    assert_eq!(lcs.len(), expected, "{m} × {n}, {kinds} kinds, {devices:?}");
                    lcs
                };
                of(None, 0);
                let by_cpu = of(Some(&cpu), 1);
                assert_eq!(of(Some(&simulated), 1), by_cpu, "{m} × {n}, {kinds} kinds");
                assert_eq!(of(None, 1), by_cpu);
            }
        }
    }
}
