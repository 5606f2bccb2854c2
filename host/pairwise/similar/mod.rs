//! The distance of two similar strings, exactly, without most of the table: edit distance, or the indel distance, which gives the LCS.
//!
//! 1. `seeds`: parts of B that occur in A once say where an alignment goes, and those that do not what it costs at least.
//! 2. `bounds`: what the rest of an alignment costs at least, from any column on.
//! 3. `band`: the cheapest alignment that stays in some rows about the guide, in blocks of columns.
//!
//! ```text
//!          columns
//!       +--+
//!       |  |--+                 a block's rows are a rectangle. A path leaves the rows only from cells of their edges: from the last row
//!       |  |  |--+              down, or from rows that the next block has no more to the right.
//!       +--|  |  |--+
//!          +--|  |  |
//!             +--|  |
//!                +--+
//! ```
//!
//! **Why the result is exact.** Let d be the cost of the cheapest path that stays in the rows. Every other path leaves them, the first time
//! from a cell of an edge. Up to there it stayed in the rows, so it has cost at least what was computed for the cell; and the rest costs
//! at least its bound. Where the sum is not below d for any cell of the edges, no path is cheaper than d. Where it is below, the rows are made
//! wider by the difference there, and the band computed again.
//!
//! The scheme is that of A*PA2 (R. Groot Koerkamp, A*PA2: up to 19x faster exact global alignment, WABI 2024), and of Ukkonen's bands (1985)
//! before it: blocks of 256 columns, Myers' words on anti-diagonals, columns between blocks kept for the way back. The bound is another one.
//! A seed of 13 symbols that does not occur tells of one error, and where errors are frequent many seeds have two; the cheapest
//! alignment of a part of 2,048 columns, its ends free, counts all of them but those at its ends. So the band need be no wider than some
//! hundred rows for a million symbols, at 1 % and at 5 % of errors.

mod band;
mod bounds;
mod seeds;

use crate::alignment::runs::Run;
use band::{BLOCK, Column, GROUP, Kept, Table, Text};
use bounds::Bounds;
use seeds::{Guide, Seeds, Stretch};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

/// What an alignment costs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Costs {
    /// 1 for a substitution, an insertion, a deletion: the edit distance.
    Levenshtein,
    /// 1 for an insertion and a deletion, 2 for a substitution: m + n less twice the length of an LCS.
    Indel,
}

impl Costs {
    /// Cells of bands that take a third of the time of the full table of m × n cells by lanes: with so many allowed, to try
    /// costs no more than that where the strings are not similar.
    pub fn most_cells(self, m: usize, n: usize) -> u64 {
        let share = match self {
            Self::Levenshtein => 10,
            Self::Indel => 15,
        };
        (m as u64).saturating_mul(n as u64) / share
    }
}

/// What is asked about two strings.
#[derive(Debug, Clone, Copy)]
pub struct Request {
    /// What an alignment costs.
    pub costs: Costs,
    /// Whether the script is wanted.
    pub script: bool,
    /// Distances above this are not wanted exactly.
    pub maximum: Option<u64>,
    /// Cells that may be computed at most, of all bands together. A cell takes about 2.5 times as long as one of the full table by lanes.
    pub most_cells: u64,
    /// Where the distance seems to be greater than this, another way is faster: bands are not begun.
    pub most_errors: u64,
}

/// The answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// The distance, and the runs of matches of a script if that was asked for.
    Distance(u64, Option<Vec<Run>>),
    /// It is greater than the maximum.
    Above,
    /// More cells were needed than allowed: the strings are not similar enough. With a guess of the distance, if seeds tell.
    GaveUp(Option<u64>),
}

/// Rows to each side of the guide, at first: with those that a block's columns go down, as many as the smaller strip has.
const FIRST_WIDTH: usize = 96;
/// A band grows by this factor at most while the distance, and with it what is needed, still falls.
const GROWTH: usize = 4;
/// Blocks to each side of one that is made wider that are made as wide.
const NEAR: usize = 8;

/// The distance of two strings, if they are similar enough. `progress` is told the cells that were computed, which are
/// far fewer than those of the table.
///
/// Of several scripts it gives the one that from the end to the start matches where it can, else takes a symbol of A alone where
/// that is cheapest in the band, else one of B alone, else substitutes.
pub fn similar(a: &[u8], b: &[u8], request: &Request, progress: &(dyn Fn(u64) + Sync)) -> Answer {
    let (m, n) = (a.len(), b.len());
    let maximum = request.maximum.unwrap_or(u64::MAX).min((m + n) as u64) as i64;
    if m.abs_diff(n) as i64 > maximum {
        return Answer::Above;
    }
    if m == 0 || n == 0 {
        return Answer::Distance(m.max(n) as u64, request.script.then(Vec::new));
    }
    // Before anything is looked at: what the narrowest band and its bounds take.
    if (n as u64).saturating_mul(2 * 64 * GROUP as u64) > request.most_cells {
        return Answer::GaveUp(None);
    }
    // The same where A is so much longer that the strings cannot be similar: blocks of a band have all of its rows.
    if m / 2 > n && (m as u64).saturating_mul(2 * BLOCK.min(n) as u64) > request.most_cells {
        return Answer::GaveUp(None);
    }
    let spent = AtomicU64::new(0);
    let tell = |cells| {
        spent.fetch_add(cells, Ordering::Relaxed);
        progress(cells);
    };
    // What all threads compute together takes so much less time.
    let threads = rayon::current_num_threads() as u64;
    let tell_parts = |cells| {
        spent.fetch_add(cells / threads, Ordering::Relaxed);
        progress(cells);
    };
    let table = Table::new(a, b, request.costs);
    let seeds = Seeds::new(a, b);
    let Some(guide) = Guide::new(&seeds, m, n) else { return Answer::GaveUp(None) };
    let guess = guide.errors(&seeds, n);
    let gave_up = Answer::GaveUp(Some(guess));
    if guess > request.most_errors {
        return gave_up;
    }
    let stretches = guide.stretches(BLOCK);
    let mut widths = vec![FIRST_WIDTH; stretches.len()];
    let mut plan = plan(&table, &stretches, &widths);
    if cells_of(&plan, n).saturating_mul(2) > request.most_cells {
        return gave_up;
    }
    // Cheap, and enough where errors are few; those of parts are computed where they are asked for.
    let mut bounds = Bounds::of_seeds(m, n, &seeds);
    let mut by_parts = false;
    let mut before = i64::MAX;
    loop {
        if bounds.whole() > maximum {
            return Answer::Above;
        }
        if spent.load(Ordering::Relaxed).saturating_add(cells_of(&plan, n)) > request.most_cells {
            return gave_up;
        }
        let band = Band::new(&table, Column::new(&table), &plan, request.script, &tell);
        // Whether there is a cheaper path, or one within the maximum, is known where all exits cost this or more.
        let target = band.distance.min(maximum.saturating_add(1));
        let mut exits = band.exits(&bounds);
        if !by_parts && exits.iter().any(|&exit| exit < target) {
            bounds = Bounds::of_parts(&table, &seeds, &guide, &tell_parts);
            by_parts = true;
            exits = band.exits(&bounds);
        }
        // A band that found nothing better than a narrower one is likely to have found the distance: what is left is to prove it.
        let most = if band.distance < before { GROWTH } else { usize::MAX };
        before = band.distance;
        if exits.iter().all(|&exit| exit >= target) {
            if band.distance > maximum {
                return Answer::Above;
            }
            let runs = request.script.then(|| band.runs(&table, &plan, a, b).1);
            return Answer::Distance(band.distance as u64, runs);
        }
        widths = wider(&widths, &exits, target, most);
        plan = self::plan(&table, &stretches, &widths);
    }
}

/// The words of the rows of each block: about the guide, of so many rows more to each side.
fn plan(table: &Table, stretches: &[Stretch], widths: &[usize]) -> Vec<Range<usize>> {
    let mut range = 0..0;
    let one = |(stretch, &width): (&Stretch, &usize)| {
        range = table.words_of(&range, stretch.rows.0.saturating_sub(width)..stretch.rows.1.saturating_add(width));
        range.clone()
    };
    stretches.iter().zip(widths).map(one).collect()
}

/// The way back through some columns of a full edit distance table: from its last cell, where D is `distance`, to the first column, in which
/// D is `top` above the first row and changes from row to row by `plus` and `minus`, 64 rows to a word. The row in which the path
/// comes in, and its matches; none if no path from these rows is as cheap.
pub(crate) fn way_back(
    a: &[u8],
    b: &[u8],
    (top, plus, minus): (u64, &[u64], &[u64]),
    distance: u64,
) -> Option<(usize, Vec<Run>)> {
    let table = Table::new(a, b, Costs::Levenshtein);
    let words = a.len().div_ceil(64).next_multiple_of(GROUP);
    let reversed = |bits: &[u64], past: u64| {
        let mut bits: Vec<u64> = bits.iter().copied().chain(std::iter::repeat(past)).take(words).collect();
        bits.reverse();
        bits
    };
    let mut column = Column::new(&table);
    column.set(0, &reversed(plus, !0), &reversed(minus, 0));
    column.top = top.cast_signed();
    let plan = vec![0..words; b.len().div_ceil(BLOCK)];
    let band = Band::new(&table, column, &plan, true, &|_| ());
    (band.distance == distance.cast_signed()).then(|| band.runs(&table, &plan, a, b))
}

/// Adds a run in front of those that were found from the end on.
fn add(runs: &mut Vec<Run>, run: Run) {
    match runs.last_mut() {
        Some(next) if (run.a_start + run.len, run.b_start + run.len) == (next.a_start, next.b_start) => {
            *next = Run { len: run.len + next.len, ..run };
        }
        _ => runs.push(run),
    }
}

/// Widths at which a path that leaves the rows should cost the target, or more. They grow `most` times at most.
fn wider(widths: &[usize], exits: &[i64], target: i64, most: usize) -> Vec<usize> {
    let needed = |(&width, &exit): (&usize, &i64)| match target - exit {
        // Each row further away costs about one more. Some to spare: a band too much costs more than some rows.
        more @ 1.. => (width + more as usize + width / 16 + 64).min(width.saturating_mul(most)),
        _ => width,
    };
    let needed: Vec<usize> = widths.iter().zip(exits).map(needed).collect();
    // A path that leaves here may come from some blocks before, or leave some blocks later.
    let about = |block: usize| block.saturating_sub(NEAR)..(block + NEAR + 1).min(needed.len());
    (0..needed.len()).map(|block| needed[about(block)].iter().copied().max().unwrap_or(0)).collect()
}

/// Cells of a band.
fn cells_of(plan: &[Range<usize>], n: usize) -> u64 {
    let words: u64 = plan.iter().map(|range| range.len() as u64).sum();
    words.saturating_mul(64 * BLOCK.min(n) as u64)
}

/// A block's first column.
struct Start {
    plus: Vec<u64>,
    minus: Vec<u64>,
    top: i64,
}

/// Cells from which a path leaves the rows of a band.
struct Exit {
    /// D in them, at least.
    least: i64,
    /// The last of their columns.
    column: usize,
    /// Their rows: the diagonals of these in the last column are those of all of the cells.
    rows: Range<usize>,
}

/// The cheapest path in some rows, computed.
struct Band {
    /// Its cost.
    distance: i64,
    /// Of each block the cells from which a path leaves the rows.
    exits: Vec<Vec<Exit>>,
    /// Of each block its first column, if the script is wanted.
    starts: Vec<Start>,
}

impl Band {
    /// From a column on.
    fn new(table: &Table, mut column: Column, plan: &[Range<usize>], script: bool, tell: &dyn Fn(u64)) -> Self {
        let mut text = Text::default();
        let mut exits = Vec::with_capacity(plan.len());
        let mut starts = Vec::new();
        for (block, range) in plan.iter().enumerate() {
            let columns = block * BLOCK..((block + 1) * BLOCK).min(table.n);
            // To the right, from rows that this block does not have.
            let mut out = Vec::new();
            let mut top = column.top;
            for word in column.range.start..range.start {
                let least = least(top, column.word(word));
                out.push(Exit { least, column: columns.start, rows: word * 64..word * 64 + 63 });
                top += column.rise(word);
            }
            column.extend(range.end);
            column.forget(range.start);
            if script {
                let (plus, minus) = column.words();
                starts.push(Start { plus: plus.to_vec(), minus: minus.to_vec(), top: column.top });
            }
            table.text(columns.clone(), &mut text);
            let last = range.end * 64;
            let bottom = if last < table.m { column.bottom() } else { 0 };
            let steps = column.advance(table, &text, None);
            tell((range.len() * 64 * columns.len()) as u64);
            // Down, from the last row.
            if last < table.m {
                let mut d = bottom;
                for (word, first) in columns.clone().step_by(64).enumerate() {
                    let end = (first + 64).min(columns.end);
                    let mask = !0 >> (64 - (end - first));
                    let bits = (steps.plus[word] & mask, steps.minus[word] & mask);
                    out.push(Exit { least: least(d, bits), column: end, rows: last..last + 64 });
                    d += i64::from(bits.0.count_ones()) - i64::from(bits.1.count_ones());
                }
            }
            exits.push(out);
        }
        let mut distance = column.top;
        for word in column.range.start..table.m / 64 {
            distance += column.rise(word);
        }
        if !table.m.is_multiple_of(64) {
            let (plus, minus) = column.word(table.m / 64);
            let mask = !(!0 << (table.m % 64));
            distance += i64::from((plus & mask).count_ones()) - i64::from((minus & mask).count_ones());
        }
        Self { distance, exits, starts }
    }

    /// Of each block the least that a path costs which leaves the rows there.
    fn exits(&self, bounds: &Bounds) -> Vec<i64> {
        let cost = |exit: &Exit| exit.least + bounds.rest(exit.column, exit.rows.clone());
        self.exits.iter().map(|exits| exits.iter().map(cost).min().unwrap_or(i64::MAX)).collect()
    }

    /// The row in which the cheapest path leaves the first column, and its matches: from the end back through the blocks, each computed once
    /// more about the path.
    fn runs(&self, table: &Table, plan: &[Range<usize>], a: &[u8], b: &[u8]) -> (usize, Vec<Run>) {
        let mut runs: Vec<Run> = Vec::new();
        let mut text = Text::default();
        let mut kept = Kept::default();
        let mut column = Column::new(table);
        let (mut i, mut d) = (table.m, self.distance);
        for (block, range) in plan.iter().enumerate().rev() {
            let columns = block * BLOCK..((block + 1) * BLOCK).min(table.n);
            if i > range.end * 64 {
                // Below the block's rows D rises by 1 from row to row.
                d -= (i - range.end * 64) as i64;
                i = range.end * 64;
            }
            // Where all of its symbols match, the path needs no table: to match where it can costs least.
            let above = i.saturating_sub(columns.len());
            if above >= range.start * 64 && i - above == columns.len() && a[above..i] == b[columns.clone()] {
                add(&mut runs, Run { a_start: above as u64, b_start: columns.start as u64, len: columns.len() as u64 });
                i = above;
                continue;
            }
            let start = &self.starts[block];
            table.text(columns.clone(), &mut text);
            // The words that the path probably keeps to, and all down to where it ends.
            let end = i.div_ceil(64).max(range.start + 1);
            let near = end.saturating_sub(GROUP).max(range.start);
            let mut top = 0;
            for from in [near, range.start] {
                top = from;
                let words = (end - from).next_multiple_of(GROUP);
                let count = start.plus.len();
                // Last word first: the words from `from` to `from + words`, of which the range may lack the last.
                let offset = count - (from - range.start);
                let (plus, minus) = if words <= offset {
                    (start.plus[offset - words..offset].to_vec(), start.minus[offset - words..offset].to_vec())
                } else {
                    let pad = words - offset;
                    let padded = |fill: u64, bits: &[u64]| [&vec![fill; pad][..], &bits[..offset]].concat();
                    (padded(!0, &start.plus), padded(0, &start.minus))
                };
                column.set(from, &plus, &minus);
                let above = range.start..from;
                column.top = start.top
                    + above
                        .map(|word| {
                            let at = count - 1 - (word - range.start);
                            i64::from(start.plus[at].count_ones()) - i64::from(start.minus[at].count_ones())
                        })
                        .sum::<i64>();
                column.advance(table, &text, Some(&mut kept));
                // D where the path leaves the block: the same only if the path, or one as cheap, keeps to these words.
                let mut at_end = column.top;
                for word in from..i / 64 {
                    at_end += column.rise(word);
                }
                if !i.is_multiple_of(64) {
                    let (plus, minus) = column.word(i / 64);
                    let mask = !(!0 << (i % 64));
                    at_end += i64::from((plus & mask).count_ones()) - i64::from((minus & mask).count_ones());
                }
                if at_end == d {
                    break;
                }
            }
            let mut j = columns.end;
            while j > columns.start {
                if i == top * 64 {
                    // Along the row above the first.
                    d -= (j - columns.start) as i64;
                    j = columns.start;
                    break;
                }
                if a[i - 1] == b[j - 1] {
                    let ended = i as u64;
                    while i > top * 64 && j > columns.start && a[i - 1] == b[j - 1] {
                        (i, j) = (i - 1, j - 1);
                    }
                    add(&mut runs, Run { a_start: i as u64, b_start: j as u64, len: ended - i as u64 });
                    continue;
                }
                d -= 1;
                match kept.bits(i - 1, j - 1 - columns.start) {
                    (true, _) => i -= 1,
                    (false, true) => j -= 1,
                    (false, false) => (i, j) = (i - 1, j - 1),
                }
            }
            debug_assert_eq!(j, columns.start, "the way back ends at the block's first column");
        }
        runs.reverse();
        (i, runs)
    }
}

/// A lower bound, at most some too low, of D in the cells before each of 64 differences: D before the first is `start`.
fn least(start: i64, (_, minus): (u64, u64)) -> i64 {
    start - i64::from(minus.count_ones())
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::alignment::runs::CommonSubsequence;
    use crate::cpu::codes::random;
    use crate::cpu::myers::{Block, Step};
    use proptest::prelude::*;

    /// The distance by the full table, by words: Myers' blocks, or Crochemore's addition.
    fn full(a: &[u8], b: &[u8], costs: Costs) -> u64 {
        let words = a.len().div_ceil(64);
        let mut matches = vec![vec![0u64; words]; 256];
        a.iter().enumerate().for_each(|(i, &symbol)| matches[usize::from(symbol)][i / 64] |= 1 << (i % 64));
        let rows = |word: usize| (a.len() - 64 * word).min(64) as u32;
        match costs {
            Costs::Levenshtein => {
                let mut blocks = vec![Block::RISING; words];
                for &symbol in b {
                    let mut step = Step::of(1);
                    for (block, &eq) in blocks.iter_mut().zip(&matches[usize::from(symbol)]) {
                        step = block.advance(eq, step, 63);
                    }
                }
                let rise: i64 = blocks.iter().enumerate().map(|(word, block)| block.rise(rows(word))).sum();
                (b.len() as u64).checked_add_signed(rise).unwrap()
            }
            Costs::Indel => {
                let mut vector = vec![!0u64; words];
                for &symbol in b {
                    let mut carry = false;
                    for (v, &eq) in vector.iter_mut().zip(&matches[usize::from(symbol)]) {
                        let (sum, next) = v.carrying_add(*v & eq, carry);
                        (*v, carry) = (sum | *v & !eq, next);
                    }
                }
                let zeros = |(word, v): (usize, &u64)| u64::from((!v & !0 >> (64 - rows(word))).count_ones());
                (a.len() + b.len()) as u64 - 2 * vector.iter().enumerate().map(zeros).sum::<u64>()
            }
        }
    }

    /// What a script costs that keeps these matches.
    pub(crate) fn cost(runs: &[Run], a_len: usize, b_len: usize, costs: Costs) -> u64 {
        let (mut cost, mut a_end, mut b_end) = (0, 0, 0);
        let end = Run { a_start: a_len as u64, b_start: b_len as u64, len: 0 };
        for run in runs.iter().chain([&end]) {
            let (x, y) = (run.a_start - a_end, run.b_start - b_end);
            cost += if costs == Costs::Indel { x + y } else { x.max(y) };
            (a_end, b_end) = (run.a_start + run.len, run.b_start + run.len);
        }
        cost
    }

    /// Distance and script against the full table; whether there was an answer at all.
    fn check(a: &[u8], b: &[u8], what: &str) -> bool {
        [Costs::Levenshtein, Costs::Indel].into_iter().all(|costs| check_of(costs, a, b, what))
    }

    fn check_of(costs: Costs, a: &[u8], b: &[u8], what: &str) -> bool {
        let what = format!("{costs:?}, {what}, {} x {}", a.len(), b.len());
        let distance = full(a, b, costs);
        let unlimited = Request { costs, script: true, maximum: None, most_cells: u64::MAX, most_errors: u64::MAX };
        match similar(a, b, &unlimited, &|_| ()) {
            Answer::Distance(found, Some(runs)) => {
                assert_eq!(found, distance, "{what}");
                assert_eq!(cost(&runs, a.len(), b.len(), costs), distance, "the script's cost, {what}");
                CommonSubsequence::new(runs, a.len() as u64, b.len() as u64).unwrap().verify(a, b).unwrap();
            }
            Answer::GaveUp(_) => return false,
            other => panic!("{other:?}, {what}"),
        }
        for maximum in [0, distance / 2, distance.saturating_sub(1), distance, distance + 1, 2 * distance] {
            let request = Request { script: false, maximum: Some(maximum), ..unlimited };
            let expected = if distance <= maximum { Answer::Distance(distance, None) } else { Answer::Above };
            assert_eq!(similar(a, b, &request, &|_| ()), expected, "at most {maximum}, {what}");
        }
        true
    }

    /// Substitutions, insertions and deletions in equal shares.
    fn mutated(a: &[u8], symbols: usize, rate: f64, seed: u64) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(seed);
        let mut b = Vec::new();
        for &symbol in a {
            let other = random.usize(..symbols) as u8;
            match if random.f64() < rate { random.u8(..3) } else { 3 } {
                0 => b.push(other),
                1 => b.extend([symbol, other]),
                2 => {}
                _ => b.push(symbol),
            }
        }
        b
    }

    #[test]
    fn every_rate_of_errors() {
        for symbols in [2, 4, 20, 256] {
            for rate in [0.0, 0.001, 0.01, 0.05, 0.1, 0.15, 0.3] {
                for len in [1, 63, 64, 65, 255, 256, 257, 1000, 2047, 2049, 6000, 15_000] {
                    let a = random(len, symbols, 1);
                    let b = mutated(&a, symbols, rate, 2);
                    let answered = check(&a, &b, &format!("{symbols} symbols, {rate} of errors"));
                    assert!(answered || rate > 0.1 || b.is_empty(), "{symbols} symbols, {rate} of errors");
                }
            }
        }
    }

    #[test]
    fn long_gaps_inversions_repeats_and_periods() {
        let a = random(12_000, 4, 3);
        let noisy = mutated(&a, 4, 0.02, 4);
        let cut = |text: &[u8], from: usize, to: usize| [&text[..from], &text[to..]].concat();
        let put = |text: &[u8], at: usize, part: &[u8]| [&text[..at], part, &text[at..]].concat();
        let mut inverted = noisy.clone();
        inverted[5000..7000].reverse();
        let repeat: Vec<u8> = random(300, 4, 5).repeat(40);
        let period = |len: usize, period: usize| -> Vec<u8> { (0..len).map(|i| (i % period) as u8).collect() };
        for (b, what) in [
            (cut(&noisy, 3000, 7000), "a gap"),
            (cut(&noisy, 0, 2500), "no beginning"),
            (cut(&noisy, 9000, noisy.len()), "no end"),
            (put(&noisy, 6000, &random(3000, 4, 6)), "an insertion"),
            (put(&noisy, 0, &random(3000, 4, 7)), "another beginning"),
            (put(&noisy, noisy.len(), &random(3000, 4, 8)), "another end"),
            (put(&noisy, 6000, &noisy[2000..6000]), "a part twice"),
            (put(&cut(&noisy, 1000, 2000), 8000, &noisy[1000..2000]), "a part elsewhere"),
            (inverted, "an inversion"),
            (noisy.clone(), "errors"),
            (a.clone(), "equal"),
        ] {
            check(&a, &b, what);
            check(&b, &a, what);
        }
        for rate in [0.01, 0.1] {
            check(&repeat, &mutated(&repeat, 4, rate, 9), "a repeat");
            for length in [1, 2, 7, 100] {
                let a = period(8000, length);
                check(&a, &mutated(&a, 4, rate, 10), "a period");
                check(&a, &period(6000, length), "periods of two lengths");
                check(&a, &period(8000, length + 1), "two periods");
            }
        }
        check(&random(5000, 4, 11), &random(5000, 4, 12), "unrelated");
        check(b"", b"ACGT", "an empty string");
        check(b"ACGT", b"", "an empty string");
    }

    #[test]
    fn strings_that_are_not_similar_are_given_up_early() {
        let (a, b) = (random(20_000, 4, 1), random(20_000, 4, 2));
        let cells = AtomicU64::new(0);
        let progress = |done| {
            cells.fetch_add(done, Ordering::Relaxed);
        };
        let (costs, most_cells) = (Costs::Levenshtein, 40_000_000);
        let request = Request { costs, script: false, maximum: None, most_cells, most_errors: u64::MAX };
        assert_eq!(similar(&a, &b, &request, &progress), Answer::GaveUp(None));
        assert!(cells.into_inner() <= request.most_cells);
        let request = Request { maximum: Some(1000), ..request };
        assert_ne!(similar(&a, &b, &request, &|_| ()), Answer::Distance(1000, None));
    }

    #[test]
    fn the_guess_is_near_the_distance() {
        let a = random(100_000, 4, 1);
        for rate in [0.02, 0.1, 0.15] {
            let b = mutated(&a, 4, rate, 2);
            let unlimited = Request {
                costs: Costs::Levenshtein,
                script: false,
                maximum: None,
                most_cells: u64::MAX,
                most_errors: u64::MAX,
            };
            let Answer::Distance(distance, _) = similar(&a, &b, &unlimited, &|_| ()) else { panic!("gave up") };
            let request = Request { most_errors: 1000, ..unlimited };
            let Answer::GaveUp(Some(guess)) = similar(&a, &b, &request, &|_| ()) else { panic!("no guess") };
            assert!(guess.abs_diff(distance) * 10 < distance, "{guess} for {distance}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

        #[test]
        fn pieces_of_one_string_in_another(
            len in 1usize..9000,
            symbols in 1usize..30,
            rate in 0.0f64..0.2,
            pieces in proptest::collection::vec((0.0f64..1.0, 0.0f64..1.0, any::<bool>()), 0..4),
            seed in any::<u32>(),
        ) {
            let a = random(len, symbols, u64::from(seed));
            let mut b = mutated(&a, symbols, rate, u64::from(seed) + 1);
            for (from, to, copy) in pieces {
                let at = |share: f64| (share * b.len() as f64) as usize;
                let (from, to) = (at(from.min(to)), at(from.max(to)));
                if copy {
                    let piece = b[from..to].to_vec();
                    b.splice(from..from, piece);
                } else if (to - from) < b.len() / 2 {
                    b.drain(from..to);
                }
            }
            check(&a, &b, "pieces");
        }
    }
}
