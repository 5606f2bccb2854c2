//! Tables that share a row string: each pattern is compared with all texts.

use super::by_recurrence::{ByRecurrence, by_recurrence};
use super::columns::{Columns, Numbers, Symbol};
use super::table::{Active, CHECK, Differences, Ends, LOOK, Tables, band, lanes};
use crate::cpu::vector::{Isa, Vector};
use crate::pairs::cost::ABOVE;
use crate::pairs::cpu::band::BandWidth;
use crate::pairs::cpu::counter::{Counter, planes_for};
use crate::pairs::cpu::estimates::Options;
use crate::pairs::cpu::recurrence::Recurrence;

/// Number of pattern rows that go through the columns together, with their vertical differences in
/// the second-level cache.
const TILE_ROWS: usize = 4096;

/// Calls `each` with the index of a pattern and its distances to all texts, at most one text per
/// lane; [`ABOVE`] for distances above the maximum.
pub(in crate::pairs::cpu) fn shared<I: Isa, S: Symbol>(
    isa: I,
    patterns: &[&[S]],
    texts: &[&[S]],
    options: Options<'_>,
    each: &mut dyn FnMut(usize, &[u32]),
) {
    by_recurrence::<I>(options.cost, Shared { isa, patterns, texts, options, each });
}

struct Shared<'s, I, S> {
    isa: I,
    patterns: &'s [&'s [S]],
    texts: &'s [&'s [S]],
    options: Options<'s>,
    each: &'s mut dyn FnMut(usize, &[u32]),
}

/// The row string as symbols, and the columns as a vector for each symbol and column.
struct Table<'t, S, V, const C: usize> {
    rows: &'t [S],
    numbers: &'t Numbers<S>,
    table: &'t [[V; C]],
}

impl<'t, S: Symbol, V: Vector, const C: usize> Differences<V, C> for Table<'t, S, V, C> {
    type Row = &'t [V; C];

    #[inline(always)]
    fn row(&self, row: usize) -> &'t [V; C] {
        &self.table[self.numbers.of(self.rows[row])]
    }

    #[inline(always)]
    fn differ(&self, row: &'t [V; C], column: usize) -> V {
        row[column]
    }
}

/// A pattern and its progress through the columns.
struct Pattern<'s, S, R: Recurrence, V: Vector> {
    symbols: &'s [S],
    /// `None` if all distances are above the maximum.
    band: Option<BandWidth>,
    /// A difference for each of the pattern's rows.
    vertical: &'s mut [R::Vertical<V>],
    counter: Counter<'s, V>,
    /// Number of columns done.
    columns: usize,
}

/// Texts, at most one per lane, and what their comparison with all patterns needs.
struct Texts<'s, I: Isa, S: Symbol, const C: usize> {
    isa: I,
    columns: S::Columns<'s, I>,
    lengths: Vec<u32>,
    ends: Ends,
    options: Options<'s>,
    /// Numbers of the symbols of a tile's patterns.
    numbers: Numbers<S>,
    /// A vector for each of these symbols and each column of a block.
    table: Vec<[I::Vector; C]>,
}

impl<I: Isa, S: Symbol> ByRecurrence for Shared<'_, I, S> {
    fn run<R: Recurrence, const C: usize>(self) {
        let Self { isa, patterns, texts, options, each } = self;
        let lengths: Vec<u32> = texts.iter().map(|text| text.len() as u32).collect();
        let mut texts = Texts::<I, S, C> {
            isa,
            columns: S::Columns::new(isa, patterns, texts),
            ends: Ends::new(&lengths),
            lengths,
            options,
            numbers: Numbers::new(),
            table: Vec::new(),
        };
        let mut start = 0;
        while start < patterns.len() {
            let mut rows = 0;
            let fit = patterns[start..].iter().take_while(|pattern| {
                rows += pattern.len();
                rows <= TILE_ROWS
            });
            let end = start + fit.count().max(1);
            texts.tile::<R>(&patterns[start..end], &mut |pattern, distances| each(start + pattern, distances));
            start = end;
        }
    }
}

impl<I: Isa, S: Symbol, const C: usize> Texts<'_, I, S, C> {
    /// Compares some patterns with all texts. Calls `each` with each pattern's index and distances.
    fn tile<R: Recurrence>(&mut self, patterns: &[&[S]], each: &mut dyn FnMut(usize, &[u32])) {
        let isa = self.isa;
        let maximum = self.options.maximum;
        self.numbers.renew(patterns);
        self.table.clear();
        self.table.resize(self.numbers.symbols().len() + 1, [Vector::splat(isa, !0); C]);
        let mut vertical = vec![R::left(isa); patterns.iter().map(|pattern| pattern.len()).sum()];
        let planes = planes_for(2 * self.ends.longest() as u32);
        let mut counts = vec![Vector::splat(isa, 0); patterns.len() * planes];
        let mut rest = &mut vertical[..];
        let mut tile: Vec<Pattern<'_, S, R, I::Vector>> = Vec::with_capacity(patterns.len());
        for (&symbols, counts) in patterns.iter().zip(counts.chunks_exact_mut(planes)) {
            let (vertical, behind) = std::mem::take(&mut rest).split_at_mut(symbols.len());
            rest = behind;
            let bands = self.ends.0.iter().filter_map(|&(n, _)| band::<R>(symbols.len(), n, maximum));
            let band = if maximum.is_some() { bands.reduce(BandWidth::union) } else { Some(BandWidth::ALL) };
            tile.push(Pattern { symbols, band, vertical, counter: Counter::new(counts), columns: 0 });
        }
        isa.run(
            #[inline(always)]
            || {
                self.fill::<R>(&mut tile);
                let mut counted = vec![0; lanes::<I>()];
                let mut distances = vec![ABOVE; self.lengths.len()];
                let mut m = vec![0; self.lengths.len()];
                for (number, pattern) in tile.iter().enumerate() {
                    pattern.counter.numbers(&mut counted);
                    m.fill(pattern.symbols.len() as u32);
                    self.tables(&m).distances::<R>(pattern.columns, &counted, &mut distances);
                    each(number, &distances);
                }
            },
        );
    }

    /// Returns the tables of patterns with these lengths.
    fn tables<'t>(&'t self, m: &'t [u32]) -> Tables<'t> {
        Tables { m, n: &self.lengths, most: self.options.maximum.unwrap_or(ABOVE) }
    }

    /// Computes the tables of a tile of patterns.
    #[inline(always)]
    fn fill<R: Recurrence>(&mut self, tile: &mut [Pattern<'_, S, R, I::Vector>]) {
        let (n, mut counted) = (self.ends.longest(), vec![0; lanes::<I>()]);
        let mut active = Active::<I::Vector>::new(self.isa, &self.ends);
        for block in 0..n.div_ceil(C) {
            if block % CHECK == CHECK - 1 {
                (self.options.progress)(0);
            }
            // All distances are above the maximum.
            if tile.iter().all(|pattern| pattern.band.is_none()) {
                break;
            }
            let range = block * C..(block * C + C).min(n);
            self.columns.compare(range.clone(), &self.numbers, &mut self.table);
            let active = active.next::<C>(self.isa);
            for pattern in &mut *tile {
                let Some(band) = pattern.band else { continue };
                let rows = band.rows(pattern.symbols.len(), range.clone());
                let symbols = Table { rows: pattern.symbols, numbers: &self.numbers, table: &self.table };
                let mut h = [R::top(self.isa); C];
                let last = rows.end;
                super::table::rows::<R, I::Vector, C>(&symbols, rows.start, &mut pattern.vertical[rows], &mut h);
                pattern.counter.add(self.isa, h.iter().zip(active).map(|(&h, active)| R::counted(h, active)));
                pattern.columns = range.end;
                if self.options.maximum.is_some() && block % LOOK == LOOK - 1 {
                    pattern.counter.numbers(&mut counted);
                    let m = vec![pattern.symbols.len() as u32; self.lengths.len()];
                    if self.tables(&m).are_above::<R>(range.end, last, &counted) {
                        pattern.band = None;
                    }
                }
            }
        }
    }
}
