//! Many tables at once: bit t of a vector is a cell of table t.
//!
//! ```text
//!            columns in registers
//!           +---+---+---+---+---+             +---+---+---+ ...
//!   row 0   | > | > | > | > | > | vertical    |   |   |
//!           +---+---+---+---+---+ differences +---+---+
//!   row 1   | > | > | > | > | > | in memory   |   |    the next block of columns, which
//!           +---+---+---+---+---+      ->     +---+    takes up the vertical differences
//!   row 2   | > | > | > | > | > |             |        that this one leaves
//!           +---+---+---+---+---+             +
//!             horizontal differences, from row to row in registers
//! ```
//!
//! A cell of all tables is computed by a few logic instructions ([`Recurrence`]), as the bits are
//! independent. The distance of a table is a count of the horizontal differences in its last row,
//! with a number for each lane whose bits are vectors ([`Counter`]). A symbol is compared with 512
//! others
//!
//! - by a load, if all tables have the same row string ([`shared`]): a block of columns prepares a
//!   vector for each symbol and column, which serves all rows of all patterns;
//! - by one instruction for each bit that distinguishes symbols ([`listed`]), if each table has
//!   strings of its own.
//!
//! Cost, with AVX-512: 5 (Levenshtein), 7 (OSA) or 2 (LCS) instructions for 512 cells, and a load
//! or an instruction a bit; a load and a store of the vertical differences for each row of a block.
//! All tables of a group take the time of the longest strings.
//!
//! With a maximum k, only the cells of alignments of at most k operations are computed (E. Ukkonen,
//! Algorithms for approximate string matching, 1985): with n - m = d, at most (k + d) / 2 to the
//! right of the diagonal and (k - d) / 2 below it. Above and to the left of them D is assumed to
//! increase, so that no distance becomes too small, and those up to k stay right. A block's last
//! row may then be above the strings' last row. From a block to the next one's last row D increases
//! by one a row, so that the distance is still a count of horizontal differences, in each block's
//! own last row.

use super::band::BandWidth;
use super::counter::{Counter, planes_for};
use super::estimates::Options;
use super::recurrence::{Lcs, Levenshtein, Osa, Recurrence};
use super::symbols::{Alphabet, Planes, bits};
use crate::cpu::vector::{Isa, Vector};
use crate::job::Progress;
use crate::pairs::cost::{ABOVE, Cost};

/// Number of columns of a block with two bits to a cell. 24 of AVX-512's 32 registers, or 10
/// of AVX2's 16, hold its horizontal differences; the others hold a cell's input and intermediate
/// values.
const LEVENSHTEIN_COLUMNS: usize = 12;
const LEVENSHTEIN_COLUMNS_AVX2: usize = 5;
/// Number of columns of a block with three bits to a cell.
const OSA_COLUMNS: usize = 8;
const OSA_COLUMNS_AVX2: usize = 3;
/// Number of columns of a block with one bit to a cell.
const LCS_COLUMNS: usize = 24;
const LCS_COLUMNS_AVX2: usize = 10;
/// Number of pattern rows that go through the columns together, with their vertical differences in
/// the second-level cache.
const TILE_ROWS: usize = 4096;
/// Number of words of the widest vector.
const MAX_WORDS: usize = 8;

/// Returns the maximum number of tables in a group.
pub(super) const fn lanes<I: Isa>() -> usize {
    64 * I::Vector::WORDS
}

/// Computes the distances of pairs, at most one per lane, in order; [`ABOVE`] for distances above
/// the maximum.
pub(super) fn listed<I: Isa>(isa: I, pairs: &[[&[u8]; 2]], options: Options<'_>, distances: &mut [u32]) {
    let wide = I::Vector::WORDS == MAX_WORDS;
    match options.cost {
        Cost::Levenshtein if wide => by_bits::<Levenshtein, I, LEVENSHTEIN_COLUMNS>(isa, pairs, options, distances),
        Cost::Levenshtein => by_bits::<Levenshtein, I, LEVENSHTEIN_COLUMNS_AVX2>(isa, pairs, options, distances),
        Cost::Indel if wide => by_bits::<Lcs, I, LCS_COLUMNS>(isa, pairs, options, distances),
        Cost::Indel => by_bits::<Lcs, I, LCS_COLUMNS_AVX2>(isa, pairs, options, distances),
        Cost::Osa if wide => by_bits::<Osa, I, OSA_COLUMNS>(isa, pairs, options, distances),
        Cost::Osa => by_bits::<Osa, I, OSA_COLUMNS_AVX2>(isa, pairs, options, distances),
    }
}

/// Calls `each` with the index of a pattern and its distances to all texts, at most one text per
/// lane; [`ABOVE`] for distances above the maximum.
pub(super) fn shared<I: Isa>(
    isa: I,
    patterns: &[&[u8]],
    texts: &[&[u8]],
    options: Options<'_>,
    each: &mut dyn FnMut(usize, &[u32]),
) {
    let wide = I::Vector::WORDS == MAX_WORDS;
    match options.cost {
        Cost::Levenshtein if wide => {
            by_table::<Levenshtein, I, LEVENSHTEIN_COLUMNS>(isa, patterns, texts, options, each);
        }
        Cost::Levenshtein => {
            by_table::<Levenshtein, I, LEVENSHTEIN_COLUMNS_AVX2>(isa, patterns, texts, options, each);
        }
        Cost::Indel if wide => by_table::<Lcs, I, LCS_COLUMNS>(isa, patterns, texts, options, each),
        Cost::Indel => by_table::<Lcs, I, LCS_COLUMNS_AVX2>(isa, patterns, texts, options, each),
        Cost::Osa if wide => by_table::<Osa, I, OSA_COLUMNS>(isa, patterns, texts, options, each),
        Cost::Osa => by_table::<Osa, I, OSA_COLUMNS_AVX2>(isa, patterns, texts, options, each),
    }
}

/// Ends of the lanes' strings, in order, with the lanes that end there.
struct Ends(Vec<(usize, [u64; MAX_WORDS])>);

impl Ends {
    fn new(lengths: &[u32]) -> Self {
        let mut sorted: Vec<usize> = (0..lengths.len()).collect();
        radsort::sort_by_key(&mut sorted, |&lane| lengths[lane]);
        let mut ends: Vec<(usize, [u64; MAX_WORDS])> = Vec::new();
        for lane in sorted {
            let length = lengths[lane] as usize;
            match ends.last_mut() {
                Some((last, lanes)) if *last == length => lanes[lane / 64] |= 1 << (lane % 64),
                _ => {
                    let mut lanes = [0; MAX_WORDS];
                    lanes[lane / 64] = 1 << (lane % 64);
                    ends.push((length, lanes));
                }
            }
        }
        Self(ends)
    }

    fn longest(&self) -> usize {
        self.0.last().map_or(0, |&(length, _)| length)
    }
}

/// Lanes that have a column, column by column.
struct Active<'e, V> {
    ends: std::iter::Peekable<std::slice::Iter<'e, (usize, [u64; MAX_WORDS])>>,
    lanes: V,
    column: usize,
}

impl<'e, V: Vector> Active<'e, V> {
    fn new(isa: V::Isa, ends: &'e Ends) -> Self {
        Self { ends: ends.0.iter().peekable(), lanes: V::splat(isa, !0), column: 0 }
    }

    /// Returns the lanes of the next columns.
    #[inline(always)]
    fn next<const C: usize>(&mut self, isa: V::Isa) -> [V; C] {
        let mut all = [self.lanes; C];
        for lanes in &mut all {
            while let Some((_, ended)) = self.ends.next_if(|(length, _)| *length <= self.column) {
                self.lanes = self.lanes.and_not(V::load(isa, ended));
            }
            *lanes = self.lanes;
            self.column += 1;
        }
        all
    }
}

/// Compares a row's symbols with those of a block's columns.
trait Differences<V, const C: usize> {
    type Row: Copy;

    fn row(&self, row: usize) -> Self::Row;

    /// Returns a bit for each table: 1 if the symbols of its row and its column differ.
    fn differ(&self, row: Self::Row, column: usize) -> V;
}

/// Computes rows of a block of columns.
#[expect(clippy::needless_range_loop, reason = "the same index in an array and in a block's columns")]
#[inline(always)]
fn rows<R: Recurrence, V: Vector, const C: usize>(
    symbols: &impl Differences<V, C>,
    first: usize,
    vertical: &mut [R::Vertical<V>],
    horizontal: &mut [R::Horizontal<V>; C],
) {
    let mut h = *horizontal;
    for (row, vertical) in (first..).zip(vertical) {
        let row = symbols.row(row);
        let mut v = *vertical;
        for column in 0..C {
            (v, h[column]) = R::cell(symbols.differ(row, column), v, h[column]);
        }
        *vertical = v;
    }
    *horizontal = h;
}

/// Both strings as bit planes.
struct Both<'p, V, const P: usize, const C: usize> {
    zero: V,
    rows: &'p [[V; P]],
    columns: &'p [[V; P]; C],
}

impl<'p, V: Vector, const P: usize, const C: usize> Differences<V, C> for Both<'p, V, P, C> {
    type Row = &'p [V; P];

    #[inline(always)]
    fn row(&self, row: usize) -> &'p [V; P] {
        &self.rows[row]
    }

    #[inline(always)]
    fn differ(&self, row: &'p [V; P], column: usize) -> V {
        let column = &self.columns[column];
        let mut differ = self.zero;
        for (row, column) in row.iter().zip(column) {
            differ = differ.or(row.xor(*column));
        }
        differ
    }
}

/// Returns the band of a table of m rows and n columns; `None` if the distance is certainly above
/// the maximum.
fn band<R: Recurrence>(m: usize, n: usize, maximum: Option<u32>) -> Option<BandWidth> {
    let band = BandWidth::new(m, n, maximum.map(|k| k as usize))?;
    Some(if R::NEEDS_NEIGHBOURS { band.with_neighbours() } else { band })
}

fn by_bits<R: Recurrence, I: Isa, const C: usize>(
    isa: I,
    pairs: &[[&[u8]; 2]],
    options: Options<'_>,
    distances: &mut [u32],
) {
    let strings: Vec<&[u8]> = pairs.iter().flatten().copied().collect();
    let mut bits = bits(isa, &strings);
    // An even number of bits, which halves the code.
    if bits.len() % 2 == 1 {
        bits.extend((0..8).find(|bit| !bits.contains(bit)));
    }
    match bits.len() {
        2 => by_planes::<R, I, C, 2>(isa, pairs, &bits, options, distances),
        4 => by_planes::<R, I, C, 4>(isa, pairs, &bits, options, distances),
        6 => by_planes::<R, I, C, 6>(isa, pairs, &bits, options, distances),
        _ => by_planes::<R, I, C, 8>(isa, pairs, &bits, options, distances),
    }
}

fn by_planes<R: Recurrence, I: Isa, const C: usize, const P: usize>(
    isa: I,
    pairs: &[[&[u8]; 2]],
    bits: &[u32],
    Options { maximum, progress, .. }: Options<'_>,
    distances: &mut [u32],
) {
    let planes = [0, 1].map(|side| Planes::new(isa, pairs.iter().map(|pair| pair[side]).collect(), bits));
    let lengths = [0, 1].map(|side| pairs.iter().map(|pair| pair[side].len() as u32).collect::<Vec<u32>>());
    let bands = pairs.iter().filter_map(|[a, b]| band::<R>(a.len(), b.len(), maximum));
    let Some(band) = bands.reduce(BandWidth::union) else { return distances.fill(ABOVE) };
    isa.run(
        #[inline(always)]
        || {
            let tables = Tables { m: &lengths[0], n: &lengths[1], most: maximum.unwrap_or(ABOVE) };
            fill::<R, I, C, P>(isa, planes, &tables, band, progress, distances);
        },
    );
}

/// Sizes of a group's tables.
struct Tables<'l> {
    /// Number of rows.
    m: &'l [u32],
    /// Number of columns.
    n: &'l [u32],
    /// Maximum, or [`ABOVE`].
    most: u32,
}

impl Tables<'_> {
    /// Computes the distances from the numbers of bits counted in the first columns. A table with
    /// more columns has been abandoned: its distance is above the maximum.
    #[inline(always)]
    fn distances<R: Recurrence>(&self, columns: usize, counted: &[u32], distances: &mut [u32]) {
        let columns = u32::try_from(columns).unwrap_or(u32::MAX);
        for (((distance, &m), &n), &counted) in distances.iter_mut().zip(self.m).zip(self.n).zip(counted) {
            let total = R::total(m, n, counted);
            let above = (total > self.most) | (m.abs_diff(n) > self.most) | (n > columns);
            *distance = if above { ABOVE } else { total };
        }
    }

    /// Returns true if no table with more columns than these can reach a distance of at most the
    /// maximum. D is known in the lowest computed row, or in the table's last row. Further up, D is
    /// smaller by at most the number of rows in between; and from there to the last row and column
    /// it increases by at least the number of diagonals in between.
    #[inline(always)]
    fn are_above<R: Recurrence>(&self, columns: usize, row: usize, counted: &[u32]) -> bool {
        let columns = columns as u32;
        let row = row as u32;
        let mut all = true;
        for ((&m, &n), &counted) in self.m.iter().zip(self.n).zip(counted) {
            let row = row.min(m);
            let d = R::total(row, columns, counted);
            // Rows between the computed row and the diagonal that leads to the last row and column.
            let below =
                (row.wrapping_add(n).wrapping_sub(columns).wrapping_sub(m)).cast_signed().max(0).cast_unsigned();
            all &= (n <= columns) | (m.abs_diff(n) > self.most) | (d > self.most.saturating_add(below));
        }
        all
    }
}

/// Number of blocks between two calls of the progress callback.
const CHECK: usize = 16;

/// Number of blocks between two checks whether all tables are above the maximum.
const LOOK: usize = 4;

/// Computes the tables of strings from their planes, rows and columns.
#[inline(always)]
fn fill<R: Recurrence, I: Isa, const C: usize, const P: usize>(
    isa: I,
    [mut rows, mut columns]: [Planes<'_, I>; 2],
    tables: &Tables<'_>,
    band: BandWidth,
    progress: Progress<'_>,
    distances: &mut [u32],
) {
    let zero: I::Vector = Vector::splat(isa, 0);
    let row_ends = Ends::new(tables.m);
    let column_ends = Ends::new(tables.n);
    let m = rows.longest();
    let n = columns.longest();
    let mut vertical = Vec::new();
    let mut planes = vec![zero; planes_for(2 * n as u32)];
    let mut counter = Counter::<I::Vector>::new(&mut planes);
    let mut counted = vec![0; lanes::<I>()];
    let mut active = Active::<I::Vector>::new(isa, &column_ends);
    let mut done = n;
    for block in 0..n.div_ceil(C) {
        if block % CHECK == CHECK - 1 {
            progress(0);
        }
        let own_columns = block * C..(block * C + C).min(n);
        let mut own = [[zero; P]; C];
        let planes = columns.up_to(own_columns.end).as_chunks::<P>().0;
        own[..own_columns.len()].copy_from_slice(&planes[own_columns.clone()]);
        let range = band.rows(m, own_columns.clone());
        let rows = rows.up_to(range.end).as_chunks::<P>().0;
        if vertical.len() < range.end {
            vertical.resize(range.end, R::left(isa));
        }
        let symbols = Both { zero, rows, columns: &own };
        let mut ends = row_ends.0.iter().filter(|(length, _)| range.contains(length) || *length == range.end);
        let mut h = [R::top(isa); C];
        // Differences in the last rows of the lanes that have ended.
        let mut ended = zero;
        let mut last = h;
        let mut row = range.start;
        loop {
            let end = ends.next();
            let until = end.map_or(range.end, |&(length, _)| length);
            self::rows::<R, I::Vector, C>(&symbols, row, &mut vertical[row..until], &mut h);
            row = until;
            let Some((_, lanes)) = end else { break };
            let lanes = Vector::load(isa, lanes);
            ended = ended.or(lanes);
            for (last, &h) in last.iter_mut().zip(&h) {
                *last = R::select(lanes, h, *last);
            }
        }
        let active = active.next::<C>(isa);
        let all = h.iter().zip(&last).zip(active);
        counter.add(isa, all.map(|((&h, &last), active)| R::counted(R::select(ended, last, h), active)));
        if tables.most != ABOVE && block % LOOK == LOOK - 1 {
            counter.numbers(&mut counted);
            if tables.are_above::<R>(own_columns.end, range.end, &counted) {
                done = own_columns.end;
                break;
            }
        }
    }
    counter.numbers(&mut counted);
    tables.distances::<R>(done, &counted, distances);
}

/// The row string as symbols, and the columns as a vector for each symbol and column.
struct Table<'t, V, const C: usize> {
    rows: &'t [u8],
    table: &'t [[V; C]; 256],
}

impl<'t, V: Vector, const C: usize> Differences<V, C> for Table<'t, V, C> {
    type Row = &'t [V; C];

    #[inline(always)]
    fn row(&self, row: usize) -> &'t [V; C] {
        &self.table[usize::from(self.rows[row])]
    }

    #[inline(always)]
    fn differ(&self, row: &'t [V; C], column: usize) -> V {
        row[column]
    }
}

/// A pattern and its progress through the columns.
struct Pattern<'s, R: Recurrence, V: Vector> {
    symbols: &'s [u8],
    /// `None` if all distances are above the maximum.
    band: Option<BandWidth>,
    /// A difference for each of the pattern's rows.
    vertical: &'s mut [R::Vertical<V>],
    counter: Counter<'s, V>,
    /// Number of columns done.
    columns: usize,
}

fn by_table<R: Recurrence, I: Isa, const C: usize>(
    isa: I,
    patterns: &[&[u8]],
    texts: &[&[u8]],
    Options { maximum, progress, .. }: Options<'_>,
    each: &mut dyn FnMut(usize, &[u32]),
) {
    let mut alphabet = Alphabet::new();
    patterns.iter().for_each(|string| alphabet.add(string));
    let symbols: Vec<u8> = alphabet.symbols().collect();
    let strings: Vec<&[u8]> = patterns.iter().chain(texts).copied().collect();
    let bits = bits(isa, &strings);
    let mut columns = Planes::new(isa, texts.to_vec(), &bits);
    let lengths: Vec<u32> = texts.iter().map(|text| text.len() as u32).collect();
    let ends = Ends::new(&lengths);
    let mut table: Vec<[I::Vector; C]> = std::iter::repeat_n([Vector::splat(isa, 0); C], 256).collect();
    let Ok(table) = <&mut [[I::Vector; C]; 256]>::try_from(&mut table[..]) else { return };
    let mut distances = vec![ABOVE; texts.len()];
    let planes = planes_for(2 * ends.longest() as u32);
    // Of all patterns of a tile.
    let (mut vertical, mut counts) = (Vec::new(), Vec::new());
    let mut start = 0;
    while start < patterns.len() {
        let mut rows = 0;
        let fit = patterns[start..].iter().take_while(|pattern| {
            rows += pattern.len();
            rows <= TILE_ROWS
        });
        let end = start + fit.count().max(1);
        let own = &patterns[start..end];
        vertical.clear();
        vertical.resize(own.iter().map(|pattern| pattern.len()).sum(), R::left(isa));
        counts.clear();
        counts.resize(own.len() * planes, Vector::splat(isa, 0));
        let mut rest = &mut vertical[..];
        let mut tile: Vec<Pattern<'_, R, I::Vector>> = Vec::with_capacity(own.len());
        for (&symbols, counts) in own.iter().zip(counts.chunks_exact_mut(planes)) {
            let (vertical, behind) = std::mem::take(&mut rest).split_at_mut(symbols.len());
            rest = behind;
            let bands = ends.0.iter().filter_map(|&(n, _)| band::<R>(symbols.len(), n, maximum));
            let band = if maximum.is_some() { bands.reduce(BandWidth::union) } else { Some(BandWidth::ALL) };
            tile.push(Pattern { symbols, band, vertical, counter: Counter::new(counts), columns: 0 });
        }
        isa.run(
            #[inline(always)]
            || {
                let (most, mut counted) = (maximum.unwrap_or(ABOVE), vec![0; lanes::<I>()]);
                let mut m = vec![0; lengths.len()];
                fill_shared::<R, I, C>(
                    isa,
                    &mut tile,
                    &mut columns,
                    &bits,
                    (&ends, &lengths, most),
                    (&symbols, table),
                    progress,
                );
                for (number, pattern) in (start..).zip(&tile) {
                    pattern.counter.numbers(&mut counted);
                    m.fill(pattern.symbols.len() as u32);
                    Tables { m: &m, n: &lengths, most }.distances::<R>(pattern.columns, &counted, &mut distances);
                    each(number, &distances);
                }
            },
        );
        start = end;
    }
}

/// Computes the tables of a tile of patterns and of the texts from their planes.
#[inline(always)]
fn fill_shared<R: Recurrence, I: Isa, const C: usize>(
    isa: I,
    tile: &mut [Pattern<'_, R, I::Vector>],
    columns: &mut Planes<'_, I>,
    bits: &[u32],
    (ends, lengths, most): (&Ends, &[u32], u32),
    (symbols, table): (&[u8], &mut [[I::Vector; C]; 256]),
    progress: Progress<'_>,
) {
    let (n, mut counted) = (columns.longest(), vec![0; lanes::<I>()]);
    let mut active = Active::<I::Vector>::new(isa, ends);
    for block in 0..n.div_ceil(C) {
        if block % CHECK == CHECK - 1 {
            progress(0);
        }
        let range = block * C..(block * C + C).min(n);
        // All distances are above the maximum.
        if tile.iter().all(|pattern| pattern.band.is_none()) {
            break;
        }
        let planes = columns.up_to(range.end);
        prepare(isa, &planes[range.start * bits.len()..range.end * bits.len()], bits, symbols, table);
        let active = active.next::<C>(isa);
        for pattern in &mut *tile {
            let Some(band) = pattern.band else { continue };
            let rows = band.rows(pattern.symbols.len(), range.clone());
            let symbols = Table { rows: pattern.symbols, table };
            let mut h = [R::top(isa); C];
            let last = rows.end;
            self::rows::<R, I::Vector, C>(&symbols, rows.start, &mut pattern.vertical[rows], &mut h);
            pattern.counter.add(isa, h.iter().zip(active).map(|(&h, active)| R::counted(h, active)));
            pattern.columns = range.end;
            if most != ABOVE && block % LOOK == LOOK - 1 {
                pattern.counter.numbers(&mut counted);
                let m = vec![pattern.symbols.len() as u32; lengths.len()];
                if (Tables { m: &m, n: lengths, most }).are_above::<R>(range.end, last, &counted) {
                    pattern.band = None;
                }
            }
        }
    }
}

/// Computes, for some symbols and all columns of a block, the lanes that have another symbol there.
#[inline(always)]
fn prepare<I: Isa, const C: usize>(
    isa: I,
    columns: &[I::Vector],
    bits: &[u32],
    symbols: &[u8],
    table: &mut [[I::Vector; C]; 256],
) {
    let (low, high) = bits.split_at(bits.len().min(4));
    for (c, planes) in columns.chunks_exact(bits.len()).enumerate() {
        let (low_planes, high_planes) = planes.split_at(low.len());
        let without_low = without(isa, low_planes);
        let without_high = without(isa, high_planes);
        for &symbol in symbols {
            table[usize::from(symbol)][c] = without_low[number(symbol, low)].or(without_high[number(symbol, high)]);
        }
    }
}

/// Returns, for each number with a bit per plane (at most 4), the lanes whose planes have another
/// number.
#[inline(always)]
fn without<I: Isa>(isa: I, planes: &[I::Vector]) -> [I::Vector; 16] {
    let ones = I::Vector::splat(isa, !0);
    let mut all = [I::Vector::splat(isa, 0); 16];
    for (q, &plane) in planes.iter().enumerate() {
        for number in 0..1 << q {
            all[number + (1 << q)] = all[number].or(plane.xor(ones));
            all[number] = all[number].or(plane);
        }
    }
    all
}

/// Packs some bits of a symbol, at most 4.
#[inline(always)]
fn number(symbol: u8, bits: &[u32]) -> usize {
    bits.iter().enumerate().fold(0, |number, (q, bit)| number | usize::from(symbol >> bit & 1) << q) % 16
}
