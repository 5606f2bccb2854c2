//! The mapping of a batch of tables to a machine: the words a lane, and the warps a block.

use super::form::Form;
use super::kernels::Kernels;
use super::strip::Strip;
use crate::device::Limits;
use carrywave_kernels::lcs::wavefront::NO_NEIGHBOUR;
use simt_std::WARP;
use std::marker::PhantomData;

/// Number of rows of one word of all lanes.
pub const ROWS: u64 = 1024;

/// Number of tables of a batch that are sampled.
const SAMPLE: usize = 256;

/// The size of a table: m rows and n columns.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Size {
    pub m: u64,
    pub n: u64,
}

/// A table's size, and the number of its columns that a strip takes: all, or `reach` more than it
/// has rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    pub size: Size,
    pub reach: u64,
}

impl From<Size> for Shape {
    /// Returns the shape with all columns.
    fn from(size: Size) -> Self {
        Self { size, reach: u64::MAX }
    }
}

/// The plan that should be fastest.
#[derive(Debug, Clone, Copy)]
pub struct Estimate<K> {
    pub plan: WavefrontPlan<K>,
    /// Expected clock cycles.
    pub cycles: f64,
}

/// A plan: the form of a problem's kernel, and the warps a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WavefrontPlan<K> {
    /// Number of words a lane: with the digits, one of [`Kernels::forms`].
    pub words: u32,
    /// Number of digits of a symbol.
    pub digits: u32,
    /// See [`Form::carries`].
    pub carries: bool,
    /// Number of warps of a block; there is one block a multiprocessor.
    pub warps: u32,
    kernels: PhantomData<K>,
}

/// Number of schedulers of a multiprocessor.
const SCHEDULERS: u32 = 4;

/// Numbers of warps a block to try.
const WARPS_TRIED: [u32; 6] = [1, 2, 4, 8, 12, 16];

impl<K: Kernels> WavefrontPlan<K> {
    /// Returns a plan of `words` words a lane and `warps` warps a block, for symbols of one digit.
    pub const fn new(words: u32, warps: u32) -> Self {
        Self::for_form(Form::of_words(words), warps)
    }

    /// Returns a plan of a kernel of this form and `warps` warps a block.
    pub const fn for_form(form: Form, warps: u32) -> Self {
        Self { words: form.words, digits: form.digits, carries: form.carries, warps, kernels: PhantomData }
    }

    /// Returns the form of its kernel.
    pub const fn form(&self) -> Form {
        Form { words: self.words, digits: self.digits, carries: self.carries }
    }

    /// Returns true if every warp has a scheduler to itself; there may be special kernels for that.
    pub fn is_alone(&self) -> bool {
        self.warps <= SCHEDULERS
    }

    /// Returns the number of rows of a strip.
    pub fn height(&self) -> u64 {
        ROWS * u64::from(self.words)
    }

    /// Returns the number of strips of a table of m rows.
    pub fn strips(&self, m: u64) -> u64 {
        m.div_ceil(self.height())
    }

    /// Returns the number of words of 32 rows of a strip in a plane.
    pub fn strip_words(&self) -> u64 {
        u64::from(self.words * WARP)
    }

    /// Returns strip number `number` of a table, or of a part of it, of size `size` whose words
    /// start at `start`, with all columns. The positions of its columns and its neighbours are not
    /// set yet.
    pub fn strip(&self, number: u64, start: u64, size: Size) -> Strip {
        Strip {
            words: start + number * self.strip_words(),
            rows: (size.m - number * self.height()).min(self.height()),
            columns: 0,
            n: size.n,
            below: NO_NEIGHBOUR,
            tiles_below: 0,
            above: NO_NEIGHBOUR,
            tags: 0,
            table_columns: size.n,
        }
    }

    /// Returns the number of columns of a tile.
    pub fn tile(&self) -> u64 {
        K::TILE.into()
    }

    /// Returns true if there is a kernel for it, and a multiprocessor has room for its warps, for σ
    /// symbols.
    pub fn fits(&self, symbols: u32, limits: Limits) -> bool {
        let is_there = K::forms(self.is_alone(), symbols).contains(&self.form());
        is_there && K::table_bytes(self.form(), symbols).is_some_and(|bytes| self.has_room(bytes, limits))
    }

    /// Returns true if a block may have its warps, and a multiprocessor has room for them, with
    /// `bytes` bytes of tables a warp.
    fn has_room(&self, bytes: u32, limits: Limits) -> bool {
        (1..=K::WARPS).contains(&self.warps) && bytes * self.warps <= limits.block_shared
    }

    /// Returns the plans for σ symbols that fit a multiprocessor.
    pub fn all(symbols: u32, limits: Limits) -> Vec<Self> {
        let mut plans = Vec::new();
        for is_alone in [true, false] {
            for form in K::forms(is_alone, symbols) {
                let Some(bytes) = K::table_bytes(form, symbols) else { continue };
                let of_form = WARPS_TRIED.map(|warps| Self::for_form(form, warps)).into_iter();
                plans.extend(of_form.filter(|plan| plan.is_alone() == is_alone && plan.has_room(bytes, limits)));
            }
        }
        plans
    }

    /// Chooses the plan that should take the least time for tables of these shapes over σ symbols.
    pub fn best(plans: &[Self], tables: &[Shape], symbols: u32, multiprocessors: u32) -> Estimate<K> {
        // A sample represents very many tables.
        let each = tables.len().div_ceil(SAMPLE).max(1);
        let sample: Vec<_> = tables.iter().copied().step_by(each).collect();
        plans
            .iter()
            .map(|plan| Estimate { plan: *plan, cycles: plan.cycles(&sample, each, symbols, multiprocessors) })
            .min_by(|a, b| a.cycles.total_cmp(&b.cycles))
            .unwrap_or(Estimate { plan: WavefrontPlan::new(1, 1), cycles: f64::INFINITY })
    }

    /// Returns the clock cycles of a column while all warps work.
    pub fn column(&self, symbols: u32) -> f64 {
        self.column_of(self.warps.into(), symbols)
    }

    /// Returns the clock cycles of a column while `warps` warps of a multiprocessor work.
    fn column_of(&self, warps: f64, symbols: u32) -> f64 {
        K::cycles(self.form(), symbols, (warps / f64::from(SCHEDULERS)).ceil().max(1.0), self.is_alone())
    }

    /// Returns the expected clock cycles of a batch; each table represents `each` tables.
    fn cycles(&self, tables: &[Shape], each: usize, symbols: u32, multiprocessors: u32) -> f64 {
        let workers = f64::from(multiprocessors * self.warps);
        // Delay of a strip behind the one below it, in columns.
        let behind = (u64::from(WARP) * K::behind(self.form())) as f64;
        let column = |warps: f64| self.column_of(warps, symbols);
        let mut strips = 0.0;
        let mut columns = 0.0;
        let mut chain = 0.0f64;
        let mut most = 0.0f64;
        for &Shape { size: Size { m, n }, reach } in tables {
            let count = self.strips(m) as f64;
            let own = n.min(reach.saturating_add(self.height())) as f64;
            strips += count * each as f64;
            columns += count * (own + behind) * each as f64;
            // In a band few strips work at the same time, and all start one after the other.
            let late = if own < n as f64 { count } else { count.min(workers) };
            chain = chain.max(n as f64 + behind * late);
            most = most.max(count.min(workers).min(own / self.height() as f64 + 1.0));
        }
        // Rounds with a strip for every warp, and one with the remaining strips.
        let average = columns / strips;
        let rounds = (strips / workers).floor();
        let rest = strips % workers;
        let mut cycles = rounds * average * column(f64::from(self.warps));
        if rest > 0.0 {
            cycles += average * column((rest / f64::from(multiprocessors)).ceil());
        }
        cycles += most * behind * column(f64::from(self.warps).min((strips / f64::from(multiprocessors)).ceil()));
        // Strips that wait for one another are never faster than strips in sequence.
        cycles.max(chain * column(1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::distances::Distances;
    use super::super::lengths::Lengths;
    use super::super::overlaps::Overlaps;
    use super::*;
    use std::collections::BTreeSet;

    /// Numbers of multiprocessors, from a part of a GPU to a large one.
    const MULTIPROCESSORS: [u32; 6] = [16, 40, 84, 108, 132, 170];

    /// KiB of shared memory of a block, of compute capability 7.5, 8.6, 8.0 and 9.0.
    const SHARED: [u32; 4] = [64, 99, 163, 227];

    /// A kernel: its planes, its form, and whether every warp has a scheduler to itself.
    type Kernel = (u32, Form, bool);

    /// Returns the kernels for these alphabets that no plan chooses, over batches of 1 to 512 equal
    /// tables of 200 to 20 million rows and columns.
    fn never_chosen<K: Kernels>(alphabets: &[u32], has_ahead: bool) -> BTreeSet<Kernel> {
        let lengths: Vec<u64> = std::iter::successors(Some(200.0), |length| Some(length * 2.5))
            .take_while(|&length| length < 5e7)
            .map(|length| length as u64)
            .collect();
        // Words that carry have match words for any number of planes.
        let kernel =
            |planes, form: Form, is_alone| (if form.carries { 0 } else { planes }, form, is_alone && has_ahead);
        let mut all = BTreeSet::new();
        let mut chosen = BTreeSet::new();
        for &symbols in alphabets {
            for is_alone in [true, false] {
                all.extend(
                    K::forms(is_alone, symbols).into_iter().map(|form| kernel(planes::<K>(symbols), form, is_alone)),
                );
            }
            for block_shared in SHARED.map(|kib| kib << 10) {
                for multiprocessors in MULTIPROCESSORS {
                    let limits = Limits { multiprocessors, block_shared, exclusive_shared: 0 };
                    let plans = WavefrontPlan::<K>::all(symbols, limits);
                    for (&m, &n) in lengths.iter().flat_map(|m| lengths.iter().map(move |n| (m, n))) {
                        for count in
                            [1, 2, 8, 64, 512].into_iter().filter(|&count| count as u64 * (m + n) < 200_000_000)
                        {
                            let shape = [Shape::from(Size { m, n })];
                            let cycles = |plan: &WavefrontPlan<K>| plan.cycles(&shape, count, symbols, multiprocessors);
                            let best = plans.iter().min_by(|a, b| cycles(a).total_cmp(&cycles(b)));
                            let plan = best.expect("every alphabet has a plan");
                            chosen.insert(kernel(planes::<K>(symbols), plan.form(), plan.is_alone()));
                        }
                    }
                }
            }
        }
        &all - &chosen
    }

    /// Returns the planes of a kernel for σ symbols, if they are a part of its form.
    fn planes<K: Kernels>(symbols: u32) -> u32 {
        if K::table_bytes(Form::of_words(1), symbols) == Some(0) { K::planes(symbols) } else { 0 }
    }

    /// Each kernel takes time to compile and space in the package, so some plan must take it.
    #[test]
    fn every_kernel_of_lengths_is_chosen() {
        let alphabets =
            [4, 6, 10, 16, 20, 26, 64, 128, 256, 4096, 65_536, 1 << 20, 1 << 24, super::super::lengths::MAX_TOKENS];
        assert_eq!(never_chosen::<Lengths>(&alphabets, true), BTreeSet::new());
    }

    #[test]
    fn every_kernel_of_distances_is_chosen() {
        assert_eq!(never_chosen::<Distances>(&[4, 20, 64, 256], false), BTreeSet::new());
    }

    #[test]
    fn every_kernel_of_overlaps_is_chosen() {
        assert_eq!(never_chosen::<Overlaps<3>>(&[4, 256], false), BTreeSet::new());
    }
}
