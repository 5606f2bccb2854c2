//! The value of a whole table, by all members.

use super::bands::Steps;
use super::border::Neighbours;
use super::deal;
use super::member::{Channels, Member};
use crate::error::Result;
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::{Part, Side};
use crate::pairwise::problem::Pairwise;

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
        let rounds = self.rounds(rows.range.len() as u64, columns.range.len() as u64)?;
        let rise = match rounds.with_corrections {
            Some(least) => self.corrected_rise(&rows, &columns, least)?,
            None => self.rise(&rows, &columns, rounds.needed)?,
        };
        let rises = self.all([rise])?;
        Ok(P::total(rises.iter().map(|[rise]| rise).sum(), columns.range.len() as u64))
    }

    /// Computes the rise of the last column over this member's rows, in rounds.
    pub(super) fn rise(&self, rows: &Part, columns: &Part, rounds: usize) -> Result<i64> {
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

    /// Computes the value of the whole table by this member.
    fn whole_value(&self, rows: &Part, columns: &Part) -> Result<u64> {
        let value = self.engine.value(rows, columns)?;
        let rows = rows.range.len();
        let mut work = self.work.borrow_mut();
        work.rows = rows;
        work.cells += rows as u64 * columns.range.len() as u64;
        Ok(value)
    }

    /// Returns the bands of a table of m × n symbols whose last column is not needed as a whole.
    fn turns(&self, m: usize, n: usize, rounds: usize) -> Result<Vec<deal::Turn>> {
        let units: Vec<u64> = self.grains(m, n, rounds)?.iter().map(|grain| grain.unit).collect();
        Ok(deal::rounds(m, self.shares.borrow().get(), &units, rounds))
    }
}
