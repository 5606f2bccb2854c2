//! Distributes the strips of a block over the devices, and places the rows of carries between them.
//! This module only computes.
//!
//! The strips of all tables, in order, are distributed in bands of equal length. A row of carries
//! is on the device that reads it.

use super::kernels::Kernels;
use super::layout::device_of;
use super::member::Awaited;
use super::plan::{Size, WavefrontPlan};
use super::strip::{Strip, tags};
use super::table::Piece;
use carrywave_kernels::lcs::wavefront::NO_NEIGHBOUR;
use std::ops::Range;

/// A row of carries between a band and the host.
pub(super) struct Rim {
    /// Device that holds it.
    pub(super) device: usize,
    /// Columns of this launch.
    pub(super) columns: Range<u64>,
    /// Start among that device's carries.
    pub(super) start: u64,
    pub(super) tag: u32,
}

/// Rows of carries of a launch that the host writes and reads.
#[derive(Default)]
pub(super) struct Rims {
    /// Row into the lowest strip.
    pub(super) below: Option<Rim>,
    /// Row out of the highest strip.
    pub(super) above: Option<Rim>,
}

/// Borders that the only table of a block shares with other members.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SharedBorders {
    pub(super) below: bool,
    pub(super) above: bool,
}

/// A strip, and the position of the row of carries that it writes.
pub(super) struct DealtStrip {
    /// Number of the strip in its table, from the lowest.
    number: u64,
    pub(super) strip: Strip,
    /// Device whose carries `strip.above` is an index into.
    reader: usize,
}

/// A device's share of a block.
#[derive(Default)]
pub(super) struct Share {
    /// Strips, with the lowest ones of all tables first, as they wait for no other strip.
    pub(super) strips: Vec<DealtStrip>,
    /// Number of words of its rows of carries.
    pub(super) carries: u64,
    /// Rows of carries that other devices send.
    pub(super) awaited: Vec<Awaited>,
}

/// Distribution of the strips of a block.
pub(super) struct Deal {
    /// Share of each device.
    pub(super) shares: Vec<Share>,
    /// Rows of carries that go through the host.
    pub(super) rims: Rims,
    /// Number of tiles of all strips.
    pub(super) tiles: u64,
}

impl Deal {
    /// Distributes the strips of some tables. `starts` has the start of each table's prepared
    /// columns; `tag` is the first of a sequence of tags, one for each strip and one more.
    pub(super) fn new<K: Kernels>(
        plan: WavefrontPlan<K>,
        pieces: &[Piece<'_>],
        starts: &[u64],
        tag: u32,
        devices: usize,
        shared: SharedBorders,
    ) -> Self {
        let strips = pieces.iter().map(|piece| plan.strips(piece.table.size().m)).sum();
        let shares = (0..devices).map(|_| Share::default()).collect();
        let deal = Self { shares, rims: Rims::default(), tiles: 0 };
        let mut dealing = Dealing { deal, plan, strips, tag, next: 0 };
        if let [piece] = pieces {
            dealing.add_rims(piece, shared);
        }
        for (piece, &columns) in pieces.iter().zip(starts) {
            dealing.add_table(piece, columns);
        }
        let mut deal = dealing.deal;
        for share in &mut deal.shares {
            share.strips.sort_by_key(|dealt| dealt.number);
        }
        deal
    }

    /// Converts the rows of carries that strips write to indices among the carries of their own
    /// device. The carries of each device are at an address, and addresses wrap.
    pub(super) fn link(&mut self, addresses: &[u64]) {
        for (device, share) in self.shares.iter_mut().enumerate() {
            for DealtStrip { strip, reader, .. } in share.strips.iter_mut().filter(|dealt| dealt.reader != device) {
                let words = addresses[*reader].wrapping_sub(addresses[device]) as i64 / 8;
                strip.above = strip.above.wrapping_add(words as u64);
            }
        }
    }
}

/// A row of carries into a strip: its start, and its columns.
struct CarryRow {
    start: u64,
    columns: Range<u64>,
}

/// Part of a row of carries that a strip reads.
struct Below {
    /// Start of the part, or [`NONE`].
    start: u64,
    tiles: u64,
}

/// State of the distribution.
struct Dealing<K> {
    deal: Deal,
    plan: WavefrontPlan<K>,
    /// Number of all strips.
    strips: u64,
    tag: u32,
    /// Number of the next strip, among all.
    next: u64,
}

impl<K: Kernels> Dealing<K> {
    fn device(&self, strip: u64) -> usize {
        device_of(strip, self.strips, self.deal.shares.len() as u64)
    }

    fn tiles(&self, columns: &Range<u64>) -> u64 {
        (columns.end - columns.start).div_ceil(self.plan.tile())
    }

    /// Reserves space for a row of carries on a device, and returns its start.
    fn reserve(&mut self, device: usize, columns: &Range<u64>) -> u64 {
        let tiles = self.tiles(columns);
        let share = &mut self.deal.shares[device];
        share.carries += tiles;
        share.carries - tiles
    }

    /// Adds the rows of carries of a band that go through the host. The row into the lowest strip
    /// has the block's first tag.
    fn add_rims(&mut self, piece: &Piece<'_>, shared: SharedBorders) {
        let columns = 0..piece.n;
        if shared.below {
            // Not always device 0: with fewer strips than devices, some devices have none.
            let device = self.device(0);
            let start = self.reserve(device, &columns);
            self.deal.rims.below = Some(Rim { device, columns: columns.clone(), start, tag: self.tag });
        }
        if shared.above {
            let device = self.device(self.strips.saturating_sub(1));
            let start = self.reserve(device, &columns);
            let tag = (tags(self.tag, self.strips.saturating_sub(1)) >> 32) as u32;
            self.deal.rims.above = Some(Rim { device, columns, start, tag });
        }
    }

    /// Adds the strips of a table, whose prepared columns start at `columns`.
    fn add_table(&mut self, piece: &Piece<'_>, columns: u64) {
        let rim = self.deal.rims.below.as_ref();
        let mut below = rim.map(|rim| CarryRow { start: rim.start, columns: rim.columns.clone() });
        for number in 0..self.plan.strips(piece.table.size().m) {
            below = self.add_strip(piece, columns, number, below);
        }
    }

    /// Adds a strip, with the row of carries that it writes for the next strip, if there is one.
    fn add_strip(
        &mut self,
        piece: &Piece<'_>,
        first_column: u64,
        number: u64,
        below: Option<CarryRow>,
    ) -> Option<CarryRow> {
        let plan = self.plan;
        let m = piece.table.size().m;
        let device = self.device(self.next);
        let columns = piece.table.columns_of_strip(plan, number, piece.n);
        let tags = tags(self.tag, self.next);
        let mut above = NO_NEIGHBOUR;
        let mut reader = device;
        if number + 1 < plan.strips(m) {
            reader = self.device(self.next + 1);
            above = self.reserve(reader, &columns);
        } else if let Some(rim) = &self.deal.rims.above {
            above = rim.start;
        }
        let Below { start, tiles } = self.below(below, &columns);
        if tiles > 0 && (self.next == 0 || self.device(self.next - 1) != device) {
            self.deal.shares[device].awaited.push(Awaited { start, tiles, tag: tags as u32 });
        }
        let strip = Strip {
            columns: first_column + columns.start / plan.tile(),
            n: columns.end - columns.start,
            below: start,
            tiles_below: tiles,
            above,
            tags,
            ..plan.strip(number, piece.start, Size { m, n: piece.n })
        };
        self.deal.tiles += self.tiles(&columns);
        self.deal.shares[device].strips.push(DealtStrip { number, strip, reader });
        self.next += 1;
        (above != NO_NEIGHBOUR).then_some(CarryRow { start: above, columns })
    }

    /// Returns the part of the row below that a strip with some columns reads: the tiles that both
    /// have.
    fn below(&self, row: Option<CarryRow>, columns: &Range<u64>) -> Below {
        let Some(row) = row else { return Below { start: NO_NEIGHBOUR, tiles: 0 } };
        let skipped = (columns.start - row.columns.start) / self.plan.tile();
        let read = columns.start..row.columns.end.clamp(columns.start, columns.end);
        Below { start: row.start + skipped, tiles: self.tiles(&read) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::lengths::Lengths;
    use super::super::table::{BatchTable, Positions};
    use super::*;
    use crate::pairwise::columns::Direction;
    use crate::pairwise::cuts::{Part, Side};

    fn table(m: usize, n: usize) -> BatchTable {
        let rows = Part { side: Side::A, range: 0..m };
        BatchTable::new(rows, Part { side: Side::B, range: 0..n }, Direction::Forward)
    }

    /// Each row of carries has its own space on the device that reads it, and the next strip reads
    /// it there.
    #[test]
    fn rows_of_carries_lie_where_they_are_read() {
        let plan = WavefrontPlan::<Lengths>::new(1, 1);
        let tables = [table(5000, 100), table(2000, 70)];
        let piece = |table| Piece { table, positions: Positions { rows: 0, columns: 0 }, start: 0, n: table.size().n };
        for devices in 1..=4 {
            for shared in [false, true] {
                let pieces: Vec<Piece<'_>> = tables[usize::from(shared)..].iter().map(piece).collect();
                let shared = SharedBorders { below: shared, above: shared };
                let mut deal = Deal::new(plan, &pieces, &[0, 10], 1, devices, shared);
                let mut written: Vec<Vec<Range<u64>>> = vec![Vec::new(); devices];
                for dealt in
                    deal.shares.iter().flat_map(|share| &share.strips).filter(|d| d.strip.above != NO_NEIGHBOUR)
                {
                    written[dealt.reader]
                        .push(dealt.strip.above..dealt.strip.above + dealt.strip.n.div_ceil(plan.tile()));
                }
                if let Some(rim) = &deal.rims.below {
                    written[rim.device].push(rim.start..rim.start + rim.columns.end.div_ceil(plan.tile()));
                }
                for (rows, share) in written.iter_mut().zip(&deal.shares) {
                    rows.sort_by_key(|row| row.start);
                    let ends = rows.iter().map(|row| row.end);
                    let starts = rows.iter().map(|row| row.start).chain([share.carries]);
                    assert!(std::iter::once(0).chain(ends).eq(starts), "{rows:?}");
                    let read = share.strips.iter().filter(|dealt| dealt.strip.below != NO_NEIGHBOUR);
                    assert!(read.clone().all(|dealt| rows.iter().any(|row| row.start == dealt.strip.below)));
                }
                let strips: u64 = pieces.iter().map(|piece| plan.strips(piece.table.size().m)).sum();
                assert_eq!(deal.shares.iter().map(|share| share.strips.len() as u64).sum::<u64>(), strips);
                let tiles =
                    deal.shares.iter().flat_map(|share| &share.strips).map(|dealt| dealt.strip.n.div_ceil(plan.tile()));
                assert_eq!(deal.tiles, tiles.sum::<u64>());
                // An index into another device's carries becomes an index into a strip's own.
                let before: Vec<u64> = above(&deal);
                deal.link(&(0..devices as u64).map(|device| 80 * device).collect::<Vec<u64>>());
                let owners =
                    deal.shares.iter().enumerate().flat_map(|(d, share)| share.strips.iter().map(move |s| (d, s)));
                for ((device, dealt), before) in
                    owners.zip(before).filter(|((_, dealt), _)| dealt.strip.above != NO_NEIGHBOUR)
                {
                    let moved = 10u64.wrapping_mul((dealt.reader as u64).wrapping_sub(device as u64));
                    assert_eq!(dealt.strip.above, before.wrapping_add(moved));
                }
            }
        }
    }

    fn above(deal: &Deal) -> Vec<u64> {
        deal.shares.iter().flat_map(|share| &share.strips).map(|dealt| dealt.strip.above).collect()
    }
}
