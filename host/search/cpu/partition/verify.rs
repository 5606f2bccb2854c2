//! Verifies windows, several at a time, column by column of Sellers' table, by Myers' bit-vectors.

use super::costs::{PLACE, WINDOW, alone, column};
use super::index::Index;
use super::windows::{GramPositions, windows};
use crate::cpu::segment_isa::SegmentIsa as _;
use crate::error::Result;
use crate::infix::{End, cut_off};
use crate::memory;
use crate::search::cpu::pieces;
use crate::search::cpu::query::Query;
use crate::search::cpu::row::{FallbacksUsed, Rows, prepare_fallback};
use crate::search::cpu::simd::Simd;

/// Number of windows of a pattern that are searched at a time, one in each lane of a SIMD vector.
const LANES: usize = 8;
/// Number of windows below which searching one by one is faster.
const FEW: usize = 3;
/// Number of symbols per window whose matches are transposed at a time.
const STEPS: usize = 32;

/// The description of ends in errors about memory.
pub const ENDS: &str = "the ends of occurrences";

/// The buffers of a thread.
pub struct Scratch {
    /// For each atom, the positions of a pattern that it matches; all 0 between patterns.
    matches: [u64; 256],
    /// Starts and ends of windows.
    windows: Vec<(u32, u32)>,
    /// The positions that match some symbols of the windows in the lanes.
    equal: [[u64; LANES]; STEPS],
    /// The ends in the lanes' windows; empty between patterns.
    found: [Vec<End>; LANES],
    simd: Option<Simd>,
}

impl Scratch {
    pub fn new() -> Self {
        Self {
            matches: [0; 256],
            windows: Vec::new(),
            equal: [[0; LANES]; STEPS],
            found: Default::default(),
            simd: Simd::widest(),
        }
    }
}

/// Adds the ends of a chosen pattern in a text, given the positions of its q-grams.
pub fn verify(
    index: &Index,
    fallbacks: &Fallbacks,
    gram_positions: &GramPositions<'_>,
    member: usize,
    scratch: &mut Scratch,
    found: &mut Vec<End>,
) -> Result<()> {
    let text = gram_positions.text;
    let (number, count) = (index.chosen[member] as usize, index.k as usize + 1);
    let pieces = &index.pieces[member * count..][..count];
    let m = index.patterns.positions(number).len();
    let many: usize = pieces.iter().map(|piece| gram_positions.starts_of(piece.gram).len()).sum();
    if many == 0 {
        return Ok(());
    }
    let whole = text.len() as f64 * alone(m, index.k);
    let mut cost = many as f64 * PLACE;
    if cost <= whole {
        windows(index, gram_positions, number, pieces, &mut scratch.windows);
        let symbols: u64 = scratch.windows.iter().map(|(start, end)| u64::from(end - start)).sum();
        cost += scratch.windows.len() as f64 * WINDOW + symbols as f64 * column(m);
    }
    if cost > whole {
        let ends = elsewhere(index, fallbacks, text, number)?;
        memory::reserve(found, ends.len(), ENDS)?;
        found.extend(ends);
        return Ok(());
    }
    if m <= 64 {
        return match scratch.simd {
            #[cfg(target_arch = "x86_64")]
            Some(Simd::Avx512(isa)) => isa.run(
                #[inline(always)]
                || verify_short(index, text, number, scratch, found),
            ),
            #[cfg(target_arch = "x86_64")]
            Some(Simd::Avx2(isa)) => isa.run(
                #[inline(always)]
                || verify_short(index, text, number, scratch, found),
            ),
            None => verify_short(index, text, number, scratch, found),
        };
    }
    let matches = index.patterns.pattern(number).match_words();
    for &(start, end) in &scratch.windows {
        let symbols = text[start as usize..end as usize].iter().copied();
        let ends = cut_off::ends(symbols, &matches, m, index.k, &|_| ());
        memory::reserve(found, ends.len(), ENDS)?;
        found.extend(ends.into_iter().map(|End { end, errors }| End { end: end + u64::from(start), errors }));
    }
    Ok(())
}

/// The algorithms that take over a pattern whose windows are too large a part of the text.
pub(super) struct Fallbacks {
    pub rows: Rows,
    /// The algorithms that took over.
    pub fallbacks_used: FallbacksUsed,
}

/// Returns the ends of a pattern in the whole text, by the fastest of the other algorithms.
fn elsewhere(index: &Index, fallbacks: &Fallbacks, text: &[u8], number: usize) -> Result<Vec<End>> {
    let query = Query::new(index.patterns.pattern(number), index.k);
    let halo = query.len() + query.k as usize - 1;
    let Some(fallback) = prepare_fallback(fallbacks.rows, query) else { return Ok(Vec::new()) };
    fallbacks.fallbacks_used.note(fallback.number);
    pieces::ends(text, halo, &|text, on_progress| fallback.finder.ends(text, on_progress), &|_| ())
}

/// Adds the ends of a pattern of at most 64 positions in its windows.
#[inline(always)]
fn verify_short(index: &Index, text: &[u8], number: usize, scratch: &mut Scratch, found: &mut Vec<End>) -> Result<()> {
    let Scratch { matches, windows, equal, found: of_lanes, .. } = scratch;
    let positions = index.patterns.positions(number);
    for (i, class) in positions.iter().enumerate() {
        for atom in &index.patterns.members[usize::from(*class)] {
            matches[usize::from(*atom)] |= 1 << i;
        }
    }
    let (m, k) = (positions.len(), i64::from(index.k));
    let matches_of = |symbol: u8| matches[usize::from(index.patterns.atoms[usize::from(symbol)])];
    for group in windows.chunks(LANES) {
        // Unused lanes repeat the last window.
        let lanes: [(u32, u32); LANES] = std::array::from_fn(|lane| group[lane.min(group.len() - 1)]);
        let end = |lane: usize, j: usize, errors: i64| End {
            end: u64::from(group[lane].0) + j as u64 + 1,
            errors: errors as u32,
        };
        let shared = lanes.iter().map(|(start, end)| (end - start) as usize).min().unwrap_or(0);
        let shared = if group.len() < FEW { 0 } else { shared };
        let mut columns = LaneColumns::<LANES>::new(m);
        for at in (0..shared).step_by(STEPS) {
            let steps = STEPS.min(shared - at);
            // Loads the symbols first, so that lanes do not wait for each other's memory accesses.
            let mut symbols = [[0; STEPS]; LANES];
            for (symbols, (start, _)) in symbols.iter_mut().zip(lanes) {
                let rest = &text[start as usize + at..];
                match rest.first_chunk() {
                    Some(chunk) => *symbols = *chunk,
                    None => symbols[..rest.len()].copy_from_slice(rest),
                }
            }
            for (step, equal) in equal[..steps].iter_mut().enumerate() {
                *equal = std::array::from_fn(|lane| matches_of(symbols[lane][step]));
            }
            for (j, equal) in (at..).zip(&equal[..steps]) {
                if columns.take(equal, m, k) {
                    for (lane, errors) in columns.errors.into_iter().enumerate().take(group.len()) {
                        if errors <= k {
                            memory::reserve(&mut of_lanes[lane], 1, ENDS)?;
                            of_lanes[lane].push(end(lane, j, errors));
                        }
                    }
                }
            }
        }
        for (lane, of_lane) in of_lanes.iter_mut().enumerate().take(group.len()) {
            memory::reserve(found, of_lane.len(), ENDS)?;
            found.append(of_lane);
            let mut column = columns.lane(lane);
            let window = lanes[lane].0 as usize..lanes[lane].1 as usize;
            for (j, symbol) in text[window].iter().enumerate().skip(shared) {
                if column.take(&[matches_of(*symbol)], m, k) {
                    memory::reserve(found, 1, ENDS)?;
                    found.push(end(lane, j, column.errors[0]));
                }
            }
        }
    }
    *matches = [0; 256];
    Ok(())
}

/// Columns of at most 64 rows side by side, each as in Myers' algorithm: the rows where D increases
/// and where it decreases, and D in row m.
#[derive(Clone, Copy)]
struct LaneColumns<const L: usize> {
    plus: [u64; L],
    minus: [u64; L],
    pub errors: [i64; L],
}

impl<const L: usize> LaneColumns<L> {
    /// Returns column 0 of a pattern with m positions.
    pub fn new(m: usize) -> Self {
        Self { plus: [!0; L], minus: [0; L], errors: [m as i64; L] }
    }

    /// Returns the column of one lane.
    pub fn lane(&self, lane: usize) -> LaneColumns<1> {
        LaneColumns { plus: [self.plus[lane]], minus: [self.minus[lane]], errors: [self.errors[lane]] }
    }

    /// Computes the next columns from the positions that match each lane's symbol. Returns true if
    /// D in row m is at most k in any lane.
    #[inline(always)]
    pub fn take(&mut self, equal: &[u64; L], m: usize, k: i64) -> bool {
        let (pv, mv, eq, last) = (self.plus, self.minus, *equal, m - 1);
        // Each step runs over all lanes before the next step, so that the compiler vectorises it.
        let xh: [u64; L] =
            std::array::from_fn(|lane| ((eq[lane] & pv[lane]).wrapping_add(pv[lane]) ^ pv[lane]) | eq[lane]);
        let ph: [u64; L] = std::array::from_fn(|lane| mv[lane] | !(xh[lane] | pv[lane]));
        let mh: [u64; L] = std::array::from_fn(|lane| pv[lane] & xh[lane]);
        self.errors = std::array::from_fn(|lane| {
            self.errors[lane] + (ph[lane] >> last & 1) as i64 - (mh[lane] >> last & 1) as i64
        });
        self.plus = std::array::from_fn(|lane| mh[lane] << 1 | !(eq[lane] | mv[lane] | ph[lane] << 1));
        self.minus = std::array::from_fn(|lane| ph[lane] << 1 & (eq[lane] | mv[lane]));
        self.errors.iter().fold(false, |any, errors| any | (*errors <= k))
    }
}
