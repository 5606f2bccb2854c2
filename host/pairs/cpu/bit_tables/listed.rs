//! Tables that each have two strings of their own: symbols are compared bit by bit.

use super::by_recurrence::{ByRecurrence, by_recurrence};
use super::table::{Active, CHECK, Differences, Ends, LOOK, Tables, band, lanes};
use crate::cpu::vector::{Isa, Vector};
use crate::job::Progress;
use crate::pairs::cost::ABOVE;
use crate::pairs::cpu::band::BandWidth;
use crate::pairs::cpu::counter::{Counter, planes_for};
use crate::pairs::cpu::estimates::Options;
use crate::pairs::cpu::recurrence::Recurrence;
use crate::pairs::cpu::symbols::{Planes, bits};

/// Computes the distances of pairs, at most one per lane, in order; [`ABOVE`] for distances above
/// the maximum.
pub(in crate::pairs::cpu) fn listed<I: Isa>(isa: I, pairs: &[[&[u8]; 2]], options: Options<'_>, distances: &mut [u32]) {
    by_recurrence::<I>(options.cost, Listed { isa, pairs, options, distances });
}

struct Listed<'l, I> {
    isa: I,
    pairs: &'l [[&'l [u8]; 2]],
    options: Options<'l>,
    distances: &'l mut [u32],
}

impl<I: Isa> ByRecurrence for Listed<'_, I> {
    fn run<R: Recurrence, const C: usize>(self) {
        let Self { isa, pairs, options, distances } = self;
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
            super::table::rows::<R, I::Vector, C>(&symbols, row, &mut vertical[row..until], &mut h);
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
