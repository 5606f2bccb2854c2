//! Lower bounds on the cost of the rest of an alignment, from any column on.
//!
//! B is cut into parts of [`PART`] columns. Every alignment crosses all of them, so the sum of the
//! least costs of the parts is a bound. A part's alignment does one of three things; `core` is some
//! diagonals around the guide, and `reserve` is more diagonals on each side of them:
//!
//! ```text
//!        \ \   core   \ \       1. It stays in the core and the reserve: it costs as much as the
//!         \ \          \ \         cheapest alignment there, from any row to any row. That cost
//!          \ \          \ \        is computed.
//!           \ \          \ \    2. It touches the core and leaves the reserve: it costs more than
//!   reserve->\ \          \ \<-    `reserve` insertions or deletions.
//!                               3. It keeps off the core: it costs an error for each seed that
//!                                  does not occur off the core, since seeds share no column.
//! ```
//!
//! The least of the three is the part's bound. For similar strings it is nearly the true cost: case
//! 1 is exact except for the free ends, and the bounds of cases 2 and 3 are larger.

use super::block::{CodedStrings, Deltas, Streams, VerticalDeltas};
use super::costs::Costs;
use super::guide::{Guide, Stretch};
use super::seeds::{Diagonals, Seeds};
use super::strip::BLOCK;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use std::ops::Range;

/// Number of columns of a part.
const PART: usize = 8 * BLOCK;
/// Number of columns between two known bounds.
const STEP: usize = 64;
/// Number of diagonals of the core on each side of the guide.
const CORE: i64 = 12;
/// Upper bound on the computed cells of a part, in words of 64 rows and blocks: wider parts only
/// use their seeds.
const MAX_WORDS: usize = 64;

/// Lower bounds on the cost from a column to the end.
#[derive(Debug)]
pub(super) struct Bounds {
    /// Bounds from column 64 g on, for any row.
    rest: Vec<i64>,
    m: i64,
    n: i64,
}

impl Bounds {
    fn none(m: usize, n: usize) -> Self {
        Self { rest: vec![0; n / STEP + 2], m: m as i64, n: n as i64 }
    }

    /// Returns bounds that count one error for each seed that does not occur.
    pub(super) fn by_seeds(m: usize, n: usize, seeds: &Seeds) -> Self {
        let mut bounds = Self::none(m, n);
        let mut sum = 0;
        let mut end = n;
        for (g, rest) in bounds.rest.iter_mut().enumerate().rev().filter(|(g, _)| g * STEP < n) {
            // Includes the seeds that begin before the next such column and end after it.
            sum += seeds.missing_from(g * STEP..end) as i64;
            (*rest, end) = (sum, g * STEP);
        }
        bounds
    }

    /// Returns the bounds from all parts. `tell` receives the number of computed cells.
    pub(super) fn by_parts(
        strings: &CodedStrings,
        seeds: &Seeds,
        guide: &Guide,
        on_progress: &(dyn Fn(u64) + Sync),
    ) -> Self {
        let mut bounds = Self::none(strings.m, strings.n);
        let stretches = guide.stretches(BLOCK);
        let parts: Vec<&[Stretch]> = stretches.chunks(PART / BLOCK).collect();
        let space = || Space { column: VerticalDeltas::new(strings), text: Streams::default() };
        let cost = |space: &mut Space, stretches: &&[Stretch]| part(strings, seeds, stretches, space, on_progress);
        let costs: Vec<u64> = parts.par_iter().with_min_len(4).map_init(space, cost).collect();
        let mut sum = 0;
        for (part, cost) in parts.iter().zip(costs).rev() {
            let columns = columns(part);
            // Within the part: seeds that do not occur.
            for g in (columns.start / STEP..=columns.end / STEP).rev() {
                if (columns.start + 1..=columns.end).contains(&(g * STEP)) && g * STEP < columns.end {
                    bounds.rest[g] = sum + seeds.missing(g * STEP..columns.end) as i64;
                }
            }
            sum += cost as i64;
            bounds.rest[columns.start / STEP] = sum;
        }
        bounds
    }

    /// Returns the bound for the whole alignment.
    pub(super) fn whole(&self) -> i64 {
        self.rest[0].max((self.m - self.n).abs())
    }

    /// Returns the bound from any cell of a column at or before `column`, in some rows, to the end.
    pub(super) fn rest(&self, column: usize, rows: Range<usize>) -> i64 {
        let at = column.div_ceil(STEP).min(self.rest.len() - 1);
        // At least the insertions or deletions from the diagonal in these rows that is nearest to
        // the end's diagonal.
        let end = self.m - self.n;
        let least = rows.start as i64 - column as i64;
        let greatest = rows.end as i64 - column as i64;
        self.rest[at].max(least - end).max(end - greatest)
    }
}

/// Returns the columns of some stretches.
fn columns(part: &[Stretch]) -> Range<usize> {
    part.first().map_or(0, |stretch| stretch.columns.start)..part.last().map_or(0, |stretch| stretch.columns.end)
}

/// Buffers of a thread.
struct Space {
    column: VerticalDeltas,
    text: Streams,
}

/// Returns the lower bound on a part's cost.
fn part(
    strings: &CodedStrings,
    seeds: &Seeds,
    part: &[Stretch],
    Space { column, text }: &mut Space,
    on_progress: &(dyn Fn(u64) + Sync),
) -> u64 {
    let columns = columns(part);
    let core = Diagonals {
        least: part.iter().map(|stretch| stretch.diagonals.least).min().unwrap_or(0) - CORE,
        greatest: part.iter().map(|stretch| stretch.diagonals.greatest).max().unwrap_or(0) + CORE,
    };
    let nowhere = seeds.missing(columns.clone());
    let off = seeds.missing_off(columns.clone(), core);
    let expected = seeds.error_rate(columns.clone(), core) * columns.len() as f64;
    // Assumes that a third of the errors are substitutions.
    let expected = if strings.kind.costs == Costs::Indel { 4.0 / 3.0 * expected } else { expected };
    // Allows for more errors than expected.
    let reserve = (1.2 * expected + 3.0 * expected.sqrt()) as i64 + 8;
    // The cheapest alignment in the core and the reserve. The rectangle of a block contains their
    // rows, and more.
    let mut range = 0..0;
    let plan = part.iter().map(|Stretch { columns, .. }| {
        let row = |diagonal: i64, column: usize| (column as i64 + diagonal).max(0) as usize;
        range = strings
            .words_of(&range, row(core.least - reserve, columns.start)..row(core.greatest + reserve, columns.end));
        range.clone()
    });
    let plan: Vec<Range<usize>> = plan.collect();
    let words: usize = plan.iter().map(Range::len).sum();
    if off <= nowhere || words > MAX_WORDS * part.len() {
        return nowhere;
    }
    column.restart(plan.first().map_or(0, |range| range.start));
    for (stretch, range) in part.iter().zip(plan) {
        // Costs nothing at the part's first column, and then as a path continues.
        if stretch.columns.start == columns.start {
            column.extend_flat(range.end, strings.kind.costs);
        } else {
            column.extend(range.end);
        }
        column.forget(range.start);
        strings.streams(stretch.columns.clone(), text);
        column.advance(strings, text, None);
        on_progress((column.range.len() * 64 * stretch.columns.len()) as u64);
    }
    let mut cost = column.top;
    let mut d = column.top;
    for word in column.range.clone() {
        let Deltas { plus, minus } = column.word(word);
        for bit in 0..64.min((strings.m + 1).saturating_sub(word * 64 + 1)) {
            d += (plus >> bit & 1) as i64 - (minus >> bit & 1) as i64;
            cost = cost.min(d);
        }
    }
    (cost.max(0) as u64).min(off).min(reserve as u64).max(nowhere)
}
