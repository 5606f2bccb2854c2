//! The value of a whole table, from two tables that meet at a staircase: see
//! [`carrywave_kernels::align::staircase`].
//!
//! The strips of both tables must cover the same rows. So both strings get the same symbol a few
//! times at their ends, until the rows are whole strips; this changes no distance, and makes the
//! LCS longer by a known number. A device's strings have room for it.

use super::kernels::{CutKernels, Kernels};
use super::last_columns::{LastColumns, in_order};
use super::launch::FindSteps;
use super::on_devices::{Planned, Wavefront, Work};
use super::plan::WavefrontPlan;
use super::stairs::Stairs;
use super::strip::Strip;
use super::table::{BatchTable, Extent};
use crate::device::Device;
use crate::error::{Error, Result};
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::Part;
use carrywave_kernels::align::split::{self, Split};
use carrywave_kernels::align::staircase;
use simt_std::WARP;
use std::marker::PhantomData;
use std::time::Instant;

/// Rows of a word of a bit-vector, and columns of a word of steps.
const WORD: u64 = 32;

/// Two tables that meet at a staircase.
#[derive(Debug, Clone)]
struct Staircase<K> {
    plan: WavefrontPlan<K>,
    /// Rows and columns of both tables, with the symbols at the ends.
    rows: Part,
    columns: Part,
    forward: Stairs,
    backward: Stairs,
}

impl<K: Kernels> Staircase<K> {
    /// Returns the tables of whole strings for a plan; `None` if a machine of `workers` warps
    /// cannot work on all strips at once, or if strips would start later than others end.
    fn new(plan: WavefrontPlan<K>, rows: &Part, columns: &Part, workers: u64) -> Option<Self> {
        let [m, n] = [rows, columns].map(|part| part.range.len() as u64);
        let strips = plan.strips(m);
        if strips < 2 || 2 * strips > workers {
            return None;
        }
        let padding = strips * plan.height() - m;
        let fall = u64::from(WARP) * K::behind(plan.form());
        let all = (strips - 1) * fall;
        if padding + all >= n {
            return None;
        }
        let first = (n + padding + all) / 2;
        let stairs = |first| Stairs { first, fall, padding };
        let padded = |part: &Part| Part { range: 0..part.range.end + padding as usize, ..part.clone() };
        let (rows, columns) = (padded(rows), padded(columns));
        Some(Self { plan, rows, columns, forward: stairs(first), backward: stairs(n + padding - (first - all)) })
    }

    /// Returns the number of columns of the longest strip.
    fn longest(&self) -> u64 {
        self.forward.first.max(self.backward.first)
    }

    /// Returns the expected clock cycles, see [`WavefrontPlan::best`].
    fn cycles(&self, symbols: u32) -> f64 {
        (self.longest() + self.forward.fall) as f64 * self.plan.column(symbols)
    }

    /// Returns both tables.
    fn tables(&self) -> [BatchTable; 2] {
        let end = self.columns.range.end;
        let table = |range, direction, stairs| BatchTable {
            extent: Extent::Stairs(stairs),
            ..BatchTable::new(self.rows.clone(), Part { range, ..self.columns.clone() }, direction)
        };
        [
            table(0..self.forward.first as usize, Direction::Forward, self.forward),
            table(end - self.backward.first as usize..end, Direction::Backward, self.backward),
        ]
    }

    /// Returns the number of words of a table's steps.
    fn words(&self) -> u64 {
        let m = self.rows.range.len() as u64;
        (m + (self.plan.strips(m) - 1) * self.forward.fall) / WORD
    }
}

impl<D: Device, K: CutKernels> Wavefront<'_, D, K> {
    /// Computes the value of the whole table by a staircase; `None` if that would not be faster
    /// than `straight`, or is not possible.
    pub(super) fn value_by_staircase(
        &self,
        rows: &Part,
        columns: &Part,
        straight: Option<Planned<K>>,
    ) -> Result<Option<u64>> {
        let either = [self.staircase(rows, columns), self.staircase(columns, rows)];
        let Some(staircase) = self.fastest(either.into_iter().flatten()) else { return Ok(None) };
        let planned = Planned::new(staircase.plan, staircase.cycles(self.symbols));
        // A staircase is never slower than a straight cut by the same plan, so the two estimates,
        // which are rough, are not compared then.
        let is_slower = |straight: Planned<K>| straight.plan != planned.plan && straight.expected <= planned.expected;
        if self.plan.is_none() && straight.is_some_and(is_slower) {
            return Ok(None);
        }
        let mut work = self.lock();
        let tables = staircase.tables();
        let steps = 2 * size_of::<u32>() as u64 * 2 * staircase.words();
        let needed =
            self.demand(staircase.plan, &tables).block_bytes(staircase.plan, staircase.longest()).saturating_add(steps);
        if needed > self.budget(&work)? {
            return Ok(None);
        }
        let batch = self.run_by(&mut work, &tables, planned);
        match batch.and_then(|batch| self.meet(&mut work, &batch, &staircase)) {
            // Others have taken the memory since it was queried.
            Err(Error::DeviceMemory { .. }) => Ok(None),
            value => value.map(Some),
        }
    }

    /// Returns the staircase that should take the least time.
    fn fastest(&self, staircases: impl Iterator<Item = Staircase<K>>) -> Option<Staircase<K>> {
        staircases.min_by(|a, b| a.cycles(self.symbols).total_cmp(&b.cycles(self.symbols)))
    }

    /// Returns the staircase that should be fastest, or that of the requested plan; `None` if
    /// there is none.
    fn staircase(&self, rows: &Part, columns: &Part) -> Option<Staircase<K>> {
        let is_whole = |part: &Part| part.range == (0..self.lengths[part.side as usize]);
        if !self.resident || self.devices.len() > 1 || !is_whole(rows) || !is_whole(columns) {
            return None;
        }
        let plans = self.plan.as_ref().map_or(&self.plans[..], std::slice::from_ref);
        let staircases = plans.iter().filter_map(|&plan| {
            let workers = u64::from(self.multiprocessors() * plan.warps);
            Staircase::new(plan, rows, columns, workers).filter(|own| own.forward.padding <= self.room as u64)
        });
        self.fastest(staircases)
    }

    /// Finds the value where two tables meet after their run.
    fn meet(&self, work: &mut Work<D>, batch: &LastColumns, staircase: &Staircase<K>) -> Result<u64> {
        let started = Instant::now();
        let device = self.devices[0];
        let member = &mut work.members[0];
        let words = staircase.words();
        let is_forward = |strip: &&Strip| strip.words < batch.starts[1];
        let forward = batch.strips.iter().filter(is_forward);
        let backward = batch.strips.iter().filter(|strip| !is_forward(strip));
        let mut fields = entries(staircase, forward, 0);
        fields.extend(entries(staircase, backward, words));
        let cut = fields.len();
        fields.extend([0, words, WORD * words]);
        let buffer = member.fields.take(device, &member.stream, fields.len())?;
        device.upload(&member.stream, buffer, &fields)?;
        member.steps.take(device, &member.stream, 4 * words as usize)?;
        member.found.take(device, &member.stream, 2)?;
        let parts = (staircase.plan.strip_words() + staircase.forward.fall / WORD).div_ceil(THREADS) as u32;
        let find_steps = FindSteps {
            blocks: parts * batch.strips.len() as u32,
            parts,
            strips: member.fields.handle(device),
            columns: in_order::<D, K>(member).handle(device),
            half: batch.half,
            carries: member.carries.handle(device),
            steps: member.steps.handle(device),
            all: 2 * words,
        };
        // SAFETY: the strips' columns and rows of carries are complete, and each strip has its own
        // part of the steps.
        unsafe { K::find_steps(device, &member.stream, find_steps)? };
        let split = Split::<split::Distance> {
            cuts: member.fields.handle(device).skip(cut),
            columns: member.steps.handle(device),
            half: 2 * words,
            found: member.found.handle(device),
            gain: PhantomData,
        };
        // SAFETY: both tables have `words` words of steps.
        unsafe { device.launch(&member.stream, 1, split)? };
        let found = member.found.take(device, &member.stream, 2)?;
        let gain = device.download(&member.stream, found, 2)?[1];
        work.timings.kernels += started.elapsed();
        let Staircase { forward, backward, .. } = staircase;
        Ok(K::without_common_end(K::total(gain, forward.first + backward.first), forward.padding))
    }
}

/// Approximate number of threads of a block that gathers steps.
const THREADS: u64 = 256;

/// Returns the entries of a table's strips, the lowest first, whose steps start at `start`.
fn entries<'s, K: Kernels>(
    staircase: &Staircase<K>,
    strips: impl Iterator<Item = &'s Strip>,
    mut start: u64,
) -> Vec<u64> {
    let down = staircase.plan.strip_words();
    let mut fields = Vec::new();
    for strip in strips {
        // The highest strip has no row of carries out.
        let is_highest = strip.above == carrywave_kernels::lcs::wavefront::NO_NEIGHBOUR;
        let (row, left) = if is_highest { (0, 0) } else { (strip.above, staircase.forward.fall / WORD) };
        let entry: [u64; staircase::FIELDS] = [strip.words, down, row, strip.n, left, start];
        fields.extend(entry);
        start += down + left;
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::super::{Distances, Form, Lengths};
    use super::*;
    use crate::pairwise::cuts::Side;
    use simt_launch::Simt;
    use std::sync::atomic::{AtomicU64, Ordering};

    /// LCS length and edit distance.
    struct Values {
        lcs: u64,
        distance: u64,
    }

    /// Computes both by their recurrences.
    fn values(a: &[u8], b: &[u8]) -> Values {
        let (mut lcs, mut distances) = (vec![0u64; b.len() + 1], (0..=b.len() as u64).collect::<Vec<_>>());
        for (i, x) in a.iter().enumerate() {
            let (mut lcs_before, mut before) = (0, i as u64);
            distances[0] = i as u64 + 1;
            for (j, y) in b.iter().enumerate() {
                let (lcs_above, above) = (lcs[j + 1], distances[j + 1]);
                lcs[j + 1] = if x == y { lcs_before + 1 } else { lcs_above.max(lcs[j]) };
                distances[j + 1] = (before + u64::from(x != y)).min(above + 1).min(distances[j] + 1);
                (lcs_before, before) = (lcs_above, above);
            }
        }
        Values { lcs: lcs[b.len()], distance: distances[b.len()] }
    }

    fn part(side: Side, len: usize) -> Part {
        Part { side, range: 0..len }
    }

    fn check<K: CutKernels>(plan: WavefrontPlan<K>, a: &[u8], b: &[u8], expected: u64) {
        let device = Simt::default();
        let told = AtomicU64::new(0);
        let progress = |cells| {
            told.fetch_add(cells, Ordering::Relaxed);
        };
        let engine = Wavefront::<_, K>::new(&[&device], a, b, &progress).unwrap().with_plan(plan).unwrap();
        let (rows, columns) = (part(Side::A, a.len()), part(Side::B, b.len()));
        let found = engine.value_by_staircase(&rows, &columns, None).unwrap();
        assert_eq!(found, Some(expected), "{plan:?}, {} × {}", a.len(), b.len());
        assert_eq!(told.load(Ordering::Relaxed), (a.len() * b.len()) as u64, "{plan:?}");
    }

    fn text(len: usize, symbols: u8, seed: u64) -> Vec<u8> {
        let mut random = fastrand::Rng::with_seed(seed);
        (0..len).map(|_| random.u8(..symbols)).collect()
    }

    /// Strips of one and two words, two and three of them, lanes of both kinds, and strings that
    /// fill the last strip or nearly do.
    #[test]
    fn values_where_tables_meet() {
        for (i, (m, n)) in [(2048, 2000), (3000, 1100), (3072, 3300), (2047, 900), (4090, 4001)].into_iter().enumerate()
        {
            for symbols in [2, 4, 64] {
                let a = text(m, symbols, i as u64);
                let mut b = text(n, symbols, 100 + i as u64);
                if i % 2 == 0 {
                    // Similar strings, with other symbols in between.
                    for (j, y) in b.iter_mut().enumerate().filter(|(j, _)| j % 7 > 0) {
                        *y = a[j.min(m - 1)];
                    }
                }
                let Values { lcs, distance } = values(&a, &b);
                check(WavefrontPlan::<Lengths>::new(1, 4), &a, &b, lcs);
                check(WavefrontPlan::<Distances>::for_form(Form::with_carries(1), 4), &a, &b, distance);
                match m {
                    3072 => check(WavefrontPlan::<Distances>::new(1, 4), &a, &b, distance),
                    4090 => check(WavefrontPlan::<Lengths>::new(2, 3), &a, &b, lcs),
                    _ => {}
                }
            }
        }
    }

    #[test]
    fn equal_and_unlike_strings() {
        let (equal, other) = (vec![b'A'; 3000], vec![b'C'; 2900]);
        let words = WavefrontPlan::<Distances>::for_form(Form::with_carries(1), 4);
        check(WavefrontPlan::<Lengths>::new(1, 4), &equal, &equal, 3000);
        check(WavefrontPlan::<Lengths>::new(1, 4), &equal, &other, 0);
        check(words, &equal, &equal, 0);
        check(words, &equal, &other, 3000);
    }

    /// Every column of a strip belongs to one of the tables.
    #[test]
    fn ends_fit_together() {
        for form in Distances::all_forms() {
            let plan = WavefrontPlan::<Distances>::for_form(form, 4);
            for (m, n) in [(2000, 3000), (70_000, 40_000), (1_000_000, 1_000_000), (1_000_000, 999_999)] {
                let (rows, columns) = (part(Side::A, m), part(Side::B, n));
                let Some(staircase) = Staircase::new(plan, &rows, &columns, 528) else { continue };
                let Staircase { rows, columns, forward, backward, .. } = staircase;
                let (rows, columns) = (rows.range.end as u64, columns.range.end as u64);
                let strips = plan.strips(m as u64);
                assert_eq!(rows, strips * plan.height());
                let padding = rows - m as u64;
                assert_eq!((columns, forward.padding), (n as u64 + padding, padding));
                for strip in 0..strips {
                    let (before, after) = (forward.end(strip), backward.end(strips - 1 - strip));
                    assert!(before > 0 && after > padding && before + after == columns, "{form:?}, {m} × {n}");
                }
            }
        }
    }

    /// Parts of strings, and tables of a single strip, have no staircase.
    #[test]
    fn other_tables_have_none() {
        let device = Simt::default();
        let (a, b) = (text(3000, 4, 1), text(2000, 4, 2));
        let engine = Wavefront::<_, Lengths>::new(&[&device], &a, &b, &|_| ()).unwrap();
        let columns = part(Side::B, 2000);
        let value = |rows: Part| engine.value_by_staircase(&rows, &columns, None).unwrap();
        assert_eq!(value(Part { side: Side::A, range: 1..3000 }), None);
        assert_eq!(value(Part { side: Side::A, range: 0..1000 }), None);
        let engine = engine.with_memory(9_000);
        assert_eq!(engine.value_by_staircase(&part(Side::A, 3000), &columns, None).unwrap(), None);
    }
}
