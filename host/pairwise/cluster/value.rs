//! The value of a whole table, by all members.

use super::bands::Steps;
use super::border::Neighbours;
use super::deal;
use super::member::{Channels, Member};
use super::shares::Computed;
use crate::error::Result;
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::{Part, Side};
use crate::pairwise::problem::Pairwise;

/// Upper bound on the rounds of bands.
const MAX_ROUNDS: u64 = 64;

/// Upper bound on the rounds if shares are corrected after each, and the least number that allows a
/// correction.
const CORRECTED_ROUNDS: i64 = 16;
const LEAST_ROUNDS: usize = 4;

/// Numbers of rounds of a table.
struct Rounds {
    /// Least number of rounds without a band in parts, which would keep the band below waiting.
    needed: usize,
    /// Greatest number of rounds, at least the needed ones, that leaves each member enough rows to
    /// compute at full speed; or 0.
    with_corrections: usize,
}

impl<P: Pairwise> Member<'_, P> {
    /// Computes the value of the whole table.
    pub(super) fn value(&self) -> Result<u64> {
        let [m, n] = self.strings.map(<[u8]>::len);
        if m == 0 || n == 0 {
            return Ok(P::value_of_distance((m + n) as u64, m as u64, n as u64));
        }
        let a = Part { side: Side::A, range: 0..m };
        let b = Part { side: Side::B, range: 0..n };
        let (rows, columns) = if m >= n { (a, b) } else { (b, a) };
        if let Some(member) = self.alone() {
            let own = if member == self.link.rank() { self.whole_value(&rows, &columns)? } else { 0 };
            return Ok(self.all([own.cast_signed()])?[member][0].cast_unsigned());
        }
        let rounds = self.rounds(m.max(n) as u64, m.min(n) as u64)?;
        let rise = if self.shares.borrow().are_measured() && rounds.with_corrections >= LEAST_ROUNDS {
            self.corrected_rise(&rows, &columns, rounds.with_corrections)?
        } else {
            self.rise(&rows, &columns, rounds.needed)?
        };
        let rises = self.all([rise])?;
        Ok(P::total(rises.iter().map(|[rise]| rise).sum(), columns.range.len() as u64))
    }

    /// Computes the rise of the last column over this member's rows, in rounds.
    fn rise(&self, rows: &Part, columns: &Part, rounds: usize) -> Result<i64> {
        let turns = self.turns(rows.range.len(), columns.range.len(), rounds)?;
        let rounds = turns.last().map_or(1, |turn| turn.round + 1);
        let channels: Vec<u64> = (0..rounds).map(|_| self.channel()).collect();
        let mut rise = 0;
        let mut own = 0;
        for (number, turn) in turns.iter().enumerate().filter(|(_, turn)| turn.member == self.link.rank()) {
            let above = number.checked_sub(1).and_then(|before| turns.get(before));
            let below = turns.get(number + 1);
            let neighbours = Neighbours { above: above.map(|turn| turn.member), below: below.map(|turn| turn.member) };
            let band = Part { side: rows.side, range: turn.rows.clone() };
            let channels = Channels { taken: channels[turn.round], given: channels[below.unwrap_or(turn).round] };
            rise += self.band(&band, columns, Direction::Forward, neighbours, channels)?.rise();
            own += turn.rows.len();
        }
        self.work.borrow_mut().rows = own;
        Ok(rise)
    }

    /// Implements [`rise`](Self::rise) with shares that are corrected from round to round. When a
    /// member ends a round, all have ended the round before it, so no member waits for a report.
    fn corrected_rise(&self, rows: &Part, columns: &Part, rounds: usize) -> Result<i64> {
        let m = rows.range.len();
        let rank = self.link.rank();
        let members = self.shares.borrow().members();
        let units = self.units(m, columns.range.len(), rounds)?;
        let carries: Vec<u64> = (0..rounds).map(|_| self.channel()).collect();
        let reports: Vec<u64> = (0..rounds).map(|_| self.channel()).collect();
        let mut before = None;
        let mut start = 0;
        let mut rise = 0;
        let mut own = 0;
        for number in 0..rounds {
            let round = deal::Round { number, count: rounds };
            let bands = deal::round(m - start, round, self.shares.borrow().get(), &units);
            if let Some(position) = members.iter().position(|&member| member == rank) {
                let above = position.checked_sub(1).or_else(|| (number > 0).then(|| members.len() - 1));
                let is_last = position + 1 == members.len();
                let given = if is_last { carries.get(number + 1) } else { carries.get(number) };
                let below = given.map(|_| if is_last { members[0] } else { members[position + 1] });
                let neighbours = Neighbours { above: above.map(|above| members[above]), below };
                let band = Part { side: rows.side, range: start + bands[rank].start..start + bands[rank].end };
                let channels = Channels { taken: carries[number], given: given.copied().unwrap_or(carries[number]) };
                rise += self.band(&band, columns, Direction::Forward, neighbours, channels)?.rise();
                own += band.range.len();
            }
            start += bands.last().map_or(0, |band| band.end);
            let report = self.computed.take().to_words();
            self.send_all(reports[number], report)?;
            if let Some((number, report)) = before.replace((number, report)) {
                let computed: Vec<Computed> =
                    self.receive_all(reports[number], report)?.into_iter().map(Computed::from_words).collect();
                self.shares.borrow_mut().correct(&computed, self.cells());
            }
        }
        if let Some((number, report)) = before {
            self.receive_all(reports[number], report)?;
        }
        self.work.borrow_mut().rows = own;
        Ok(rise)
    }

    /// Computes the value of the whole table by this member.
    fn whole_value(&self, rows: &Part, columns: &Part) -> Result<u64> {
        let value = self.engine.value(rows, columns)?;
        let rows = rows.range.len();
        let mut work = self.work.borrow_mut();
        work.rows = rows;
        work.cells += rows as u64 * columns.range.len() as u64;
        Ok(value)
    }

    /// Returns the numbers of rounds of a table of m × n symbols.
    fn rounds(&self, m: u64, n: u64) -> Result<Rounds> {
        let share = self.parts_of_all()[self.link.rank()];
        let own = (m as f64 * share).ceil().max(1.0) as u64;
        let needed = own.div_ceil(self.engine.at_once(own, n).max(1)).min(MAX_ROUNDS);
        let full = if share > 0.0 { own / self.engine.full_rows(own, n).max(1) } else { MAX_ROUNDS };
        let all = self.all([needed as i64, full.min(MAX_ROUNDS) as i64])?;
        let needed = all.iter().map(|[needed, _]| *needed).max().unwrap_or(1).max(1);
        let full = all.iter().map(|[_, full]| *full).min().unwrap_or(0);
        let with_corrections = full.min(CORRECTED_ROUNDS);
        let with_corrections = if with_corrections < needed { 0 } else { with_corrections };
        Ok(Rounds { needed: needed as usize, with_corrections: with_corrections as usize })
    }

    /// Returns the row granularity of each member in bands of a number of rounds.
    fn units(&self, m: usize, n: usize, rounds: usize) -> Result<Vec<u64>> {
        let share = self.parts_of_all()[self.link.rank()];
        let own = (m as f64 * share).ceil().max(1.0) as u64;
        let unit = self.engine.unit(own.div_ceil(rounds as u64), n as u64);
        Ok(self.all([unit as i64])?.iter().map(|[unit]| unit.cast_unsigned()).collect())
    }

    /// Returns the bands of a table of m × n symbols whose last column is not needed as a whole.
    fn turns(&self, m: usize, n: usize, rounds: usize) -> Result<Vec<deal::Turn>> {
        let units = self.units(m, n, rounds)?;
        Ok(deal::rounds(m, self.shares.borrow().get(), &units, rounds))
    }
}
