//! The division of work: rows of a table by speed, and whole parts of a comparison.

use crate::pairwise::columns::Direction;
use std::ops::Range;

/// Returns the rows of each member in a table of m rows, filled in a direction: in proportion to
/// its share, in whole units of its own, except for the table's last band. A member may have no
/// rows.
///
/// The last band takes the remaining rows, so in the other direction the bands may begin some rows
/// earlier or later.
pub(super) fn bands(m: usize, shares: &[f64], units: &[u64], direction: Direction) -> Vec<Range<usize>> {
    let members = shares.len();
    let mut bands = vec![0..0; members];
    let mut done = 0;
    let mut sum = shares.iter().sum::<f64>();
    for place in 0..members {
        let member = match direction {
            Direction::Forward => place,
            Direction::Backward => members - 1 - place,
        };
        let left = m - done;
        let rows = if place + 1 == members {
            left
        } else {
            let unit = usize::try_from(units[member]).unwrap_or(usize::MAX).max(1);
            let wanted = if sum > 0.0 { left as f64 * shares[member] / sum } else { 0.0 };
            let units = (wanted / unit as f64).round() as usize;
            units.min(left / unit) * unit
        };
        sum -= shares[member];
        bands[member] = match direction {
            Direction::Forward => done..done + rows,
            Direction::Backward => left - rows..left,
        };
        done += rows;
    }
    bands
}

/// A band of rows, and its member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Turn {
    /// Number of the round; the bands of a round, from the first member to the last, share it.
    pub round: usize,
    pub member: usize,
    pub rows: Range<usize>,
}

/// Returns the bands of a table of m rows in `rounds` rounds, from the first row to the last. In
/// each round every member has a band in proportion to its share, in whole units of its own, except
/// for the table's last band. No band is empty, and no two consecutive bands belong to one member.
pub(super) fn rounds(m: usize, shares: &[f64], units: &[u64], rounds: usize) -> Vec<Turn> {
    let mut turns: Vec<Turn> = Vec::new();
    let mut start = 0;
    for round in 0..rounds.max(1) {
        let left = m - start;
        let height = left / (rounds.max(1) - round);
        let ranges = if height == left {
            bands(left, shares, units, Direction::Forward)
        } else {
            whole_bands(height, shares, units)
        };
        for (member, rows) in ranges.into_iter().enumerate().filter(|(_, rows)| !rows.is_empty()) {
            let rows = start + rows.start..start + rows.end;
            match turns.last_mut() {
                Some(last) if last.member == member => last.rows.end = rows.end,
                _ => turns.push(Turn { round, member, rows }),
            }
        }
        start = turns.last().map_or(0, |turn| turn.rows.end);
    }
    turns
}

/// The rows that a member can take at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Grain {
    /// Every band but the table's last has a multiple of this many rows.
    pub unit: u64,
    /// The band below waits for a band with more rows.
    pub most: u64,
}

impl Grain {
    /// The most rows of a member whose bands are never waited for.
    pub(super) const UNBOUNDED: u64 = i64::MAX as u64;

    fn unit(self) -> usize {
        usize::try_from(self.unit).unwrap_or(usize::MAX).max(1)
    }

    /// Returns true for a device, which takes hardly less time for fewer rows than the most.
    fn is_bounded(self) -> bool {
        self.most < Self::UNBOUNDED
    }
}

/// Number of the first rounds that have fewer rows, if no member is a device, and the part of the
/// others' rows that they have: shares are corrected after them.
const FIRST_ROUNDS: usize = 2;
const FIRST_PART: usize = 4;

/// A round of a number of rounds.
#[derive(Debug, Clone, Copy)]
pub(super) struct Round {
    /// 0-based.
    pub number: usize,
    pub count: usize,
}

impl Round {
    /// Returns round `number` of at least `least`, with `left` rows in it and the later ones: as
    /// many rounds as keep the bands at the members' most rows, by their shares, or twice the
    /// least.
    pub(super) fn new(number: usize, least: usize, left: usize, shares: &[f64], grains: &[Grain]) -> Self {
        let members = || shares.iter().zip(grains).filter(|(share, _)| **share > 0.0);
        let rows = left as f64 / shares.iter().sum::<f64>();
        let needed = members().map(|(share, grain)| (rows * share / grain.most.max(1) as f64).ceil() as usize).max();
        let unit = members().map(|(_, grain)| grain.unit()).fold(0, usize::saturating_add).max(1);
        let needed = needed.unwrap_or(1).min((2 * least).saturating_sub(number));
        let later = needed.max(least.saturating_sub(number)).min(left / unit).max(1);
        Self { number, count: number + later }
    }

    /// Returns its number of rows, of the `left` rows of this round and the later ones.
    fn height(self, left: usize, grains: &[Grain]) -> usize {
        let is_even = grains.iter().any(|grain| grain.is_bounded());
        // As a multiple of the rows of the first round.
        let weight = |number: usize| if number < FIRST_ROUNDS && !is_even { 1 } else { FIRST_PART };
        let all: usize = (self.number..self.count).map(weight).sum();
        (left as f64 * weight(self.number) as f64 / all as f64) as usize
    }
}

/// Returns each member's rows in a round, of the `left` rows of this round and the later ones, from
/// 0 on: in proportion to its share, in whole units, at least one unit if it has a share. The last
/// round has all rows. There must be a unit for every member with a share in every round.
pub(super) fn round(left: usize, round: Round, shares: &[f64], grains: &[Grain]) -> Vec<Range<usize>> {
    let members: Vec<usize> = (0..shares.len()).filter(|&member| shares[member] > 0.0).collect();
    let of_a_round = members.iter().map(|&member| grains[member].unit()).fold(0, usize::saturating_add);
    let later = of_a_round.saturating_mul(round.count - round.number - 1);
    let height = round.height(left, grains) as f64 / shares.iter().sum::<f64>();
    let mut room = left.saturating_sub(later);
    let mut reserved = of_a_round;
    let mut done = 0;
    let mut bands = vec![0..0; shares.len()];
    for (position, &member) in members.iter().enumerate() {
        let unit = grains[member].unit();
        reserved -= unit;
        let rows = if position + 1 == members.len() && round.number + 1 == round.count {
            left - done
        } else {
            let wanted = ((height * shares[member] / unit as f64).round() as usize).max(1);
            wanted.min(room.saturating_sub(reserved) / unit).saturating_mul(unit)
        };
        room = room.saturating_sub(rows);
        bands[member] = done..done + rows;
        done += rows;
    }
    // Members without rows are between the others.
    let mut end = 0;
    for band in &mut bands {
        if band.start == band.end {
            *band = end..end;
        }
        end = band.end;
    }
    bands
}

/// Returns bands of about `height` rows in total, each of whole units.
fn whole_bands(height: usize, shares: &[f64], units: &[u64]) -> Vec<Range<usize>> {
    let sum = shares.iter().sum::<f64>().max(f64::MIN_POSITIVE);
    let mut done = 0;
    let band = |(&share, &unit): (&f64, &u64)| {
        let unit = usize::try_from(unit).unwrap_or(usize::MAX).max(1);
        let rows = ((height as f64 * share / sum / unit as f64) as usize).saturating_mul(unit);
        done += rows;
        done - rows..done
    };
    shares.iter().zip(units).map(band).collect()
}

/// Returns the member that solves each of some parts, by their cells: the largest part first, each
/// part to the member that would finish it first.
pub(super) fn parts(cells: &[u64], shares: &[f64]) -> Vec<usize> {
    let mut order: Vec<usize> = (0..cells.len()).collect();
    order.sort_by_key(|&part| std::cmp::Reverse(cells[part]));
    let mut members = vec![0; cells.len()];
    let mut load = vec![0.0; shares.len()];
    for part in order {
        let done = |member: usize| (load[member] + cells[part] as f64) / shares[member].max(f64::MIN_POSITIVE);
        let first = (0..shares.len()).min_by(|&one, &other| done(one).total_cmp(&done(other))).unwrap_or(0);
        members[part] = first;
        load[first] += cells[part] as f64;
    }
    members
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_cover_all_rows_once_in_whole_units() {
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..5000 {
            let members = random.usize(1..6);
            let shares: Vec<f64> = (0..members).map(|_| [0.0, 0.3, 1.0, 2.5][random.usize(..4)]).collect();
            let units: Vec<u64> = (0..members).map(|_| [1, 64, 512, 3072][random.usize(..4)]).collect();
            let m = random.usize(..20_000);
            let count = random.usize(..6);
            let turns = rounds(m, &shares, &units, count);
            let mut next = 0;
            for (number, turn) in turns.iter().enumerate() {
                assert!(turn.rows.start == next && turn.rows.end > next && turn.round < count.max(1));
                let whole = turn.rows.len().is_multiple_of(units[turn.member] as usize);
                assert!(whole || number + 1 == turns.len(), "{shares:?} {units:?} {m} {count} {turns:?}");
                assert!(
                    number == 0 || turns[number - 1].member != turn.member && turns[number - 1].round <= turn.round
                );
                next = turn.rows.end;
            }
            assert_eq!(next, m);
        }
        let turn = |round, member, rows| Turn { round, member, rows };
        let expected = [turn(0, 0, 0..20), turn(0, 1, 20..50), turn(1, 0, 50..70), turn(1, 1, 70..103)];
        assert_eq!(rounds(103, &[1.0, 1.5], &[10, 10], 2), expected);
    }

    #[test]
    fn bands_cover_all_rows_once_in_whole_units() {
        let mut random = fastrand::Rng::with_seed(1);
        for _ in 0..2000 {
            let members = random.usize(1..7);
            let m = random.usize(0..20_000);
            let shares: Vec<f64> = (0..members).map(|_| random.u32(0..5).into()).collect();
            let units: Vec<u64> = (0..members).map(|_| [1, 64, 512, 1024, 20_480][random.usize(..5)]).collect();
            for direction in [Direction::Forward, Direction::Backward] {
                let mut bands = bands(m, &shares, &units, direction);
                for (member, band) in bands.iter().enumerate() {
                    let is_last = member == if direction == Direction::Forward { members - 1 } else { 0 };
                    assert!(is_last || band.len().is_multiple_of(units[member] as usize), "{bands:?} {units:?}");
                }
                bands.retain(|band| !band.is_empty());
                assert!(bands.is_sorted_by_key(|band| band.start), "{bands:?}");
                let ends = bands.iter().map(|band| band.end);
                let starts = bands.iter().map(|band| band.start).chain([m]);
                assert_eq!(std::iter::once(0).chain(ends).collect::<Vec<_>>(), starts.collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn rounds_one_by_one_cover_all_rows_in_whole_units() {
        let mut random = fastrand::Rng::with_seed(3);
        for _ in 0..5000 {
            let members = random.usize(1..6);
            let mut grain = || {
                let unit = [1, 64, 512, 3072][random.usize(..4)];
                Grain { unit, most: [Grain::UNBOUNDED, unit * 4, unit * 100][random.usize(..3)] }
            };
            let grains: Vec<Grain> = (0..members).map(|_| grain()).collect();
            let least = random.usize(1..20);
            let mut shares = vec![1.0; members];
            let spare = [1, 1000, 1_000_000][random.usize(..3)];
            let m = least * grains.iter().map(|grain| grain.unit()).sum::<usize>() + random.usize(..spare);
            let mut start = 0;
            let mut number = 0;
            let idle = random.usize(..members);
            while start < m {
                // As after a correction.
                shares.iter_mut().for_each(|share| *share = [1e-6, 0.01, 0.3, 1.0][random.usize(..4)]);
                if members > 1 {
                    shares[idle] = 0.0;
                }
                let left = m - start;
                let now = Round::new(number, least, left, &shares, &grains);
                let bands = round(left, now, &shares, &grains);
                let mut end = 0;
                for (member, band) in bands.iter().enumerate() {
                    assert!(band.start == end && (band.is_empty() == (shares[member] == 0.0)), "{bands:?} {shares:?}");
                    let is_last = number + 1 == now.count && bands[member + 1..].iter().all(Range::is_empty);
                    let unit = grains[member].unit();
                    assert!(is_last || band.len().is_multiple_of(unit), "{bands:?} {grains:?}");
                    end = band.end;
                }
                assert!(end == left || number + 1 < now.count);
                start += end;
                number += 1;
            }
            assert!(start == m && (least.min(m)..=2 * least).contains(&number));
        }
        let grains = [Grain { unit: 100, most: Grain::UNBOUNDED }; 2];
        let first = round(1_800_000, Round { number: 0, count: 6 }, &[1.0, 3.0], &grains);
        assert_eq!(first, [0..25_000, 25_000..100_000]);
        let last = round(1001, Round { number: 5, count: 6 }, &[1.0, 3.0], &grains);
        assert_eq!(last, [0..300, 300..1001]);
    }

    #[test]
    fn devices_have_full_rounds() {
        let grains = [Grain { unit: 1000, most: 100_000 }; 2];
        // Ten rounds at equal shares; with three times the rows for the second, fifteen.
        for (shares, rounds) in [([1.0, 1.0], 10), ([1.0, 3.0], 15)] {
            let now = Round::new(0, 8, 2_000_000, &shares, &grains);
            assert_eq!(now.count, rounds);
            let bands = round(2_000_000, now, &shares, &grains);
            assert!(bands.iter().all(|band| band.len() <= 100_000) && bands[1].len() == 100_000, "{bands:?}");
        }
        // In the middle: a round more is needed than was planned.
        assert_eq!(Round::new(3, 10, 1_410_000, &[1.0, 1.0], &grains).count, 11);
    }

    #[test]
    fn bands_are_in_proportion() {
        assert_eq!(
            bands(100_000, &[1.0, 3.0, 6.0], &[1; 3], Direction::Forward),
            [0..10_000, 10_000..40_000, 40_000..100_000]
        );
        let backward = bands(100_030, &[1.0, 3.0, 6.0], &[100; 3], Direction::Backward);
        assert_eq!(backward, [0..10_030, 10_030..40_030, 40_030..100_030]);
        assert_eq!(bands(10, &[1.0, 1.0], &[512; 2], Direction::Forward), [0..0, 0..10]);
        assert_eq!(bands(10, &[0.0, 0.0], &[1; 2], Direction::Forward), [0..0, 0..10]);
    }

    #[test]
    fn parts_go_to_whoever_is_done_first() {
        assert_eq!(parts(&[5, 5, 5, 5], &[1.0, 3.0]), [1, 1, 0, 1]);
        assert_eq!(parts(&[1, 100], &[1.0, 1.0]), [1, 0]);
        assert!(parts(&[], &[1.0]).is_empty());
    }
}
