//! The value of a whole table, by all members.

use super::bands::Steps;
use super::border::Neighbours;
use super::deal;
use super::member::{Channels, Member};
use crate::error::Result;
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::{Part, Side};
use crate::pairwise::problem::Pairwise;

/// Upper bound on the rounds of bands.
const MAX_ROUNDS: u64 = 64;

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
        let turns = self.turns(rows.range.len(), columns.range.len())?;
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
            rise += self.band(&band, &columns, Direction::Forward, neighbours, channels)?.rise();
            own += turn.rows.len();
        }
        self.work.borrow_mut().rows = own;
        let rises = self.all([rise])?;
        Ok(P::total(rises.iter().map(|[rise]| rise).sum(), columns.range.len() as u64))
    }

    /// Returns the bands of a table of m × n symbols whose last column is not needed as a whole.
    /// There are enough rounds that no member takes one of its bands in parts, which would keep the
    /// band below waiting.
    fn turns(&self, m: usize, n: usize) -> Result<Vec<deal::Turn>> {
        let share = self.parts_of_all()[self.link.rank()];
        let own = (m as f64 * share).ceil().max(1.0) as u64;
        let rounds = own.div_ceil(self.engine.at_once(own, n as u64).max(1)).min(MAX_ROUNDS);
        let rounds = self.all([rounds as i64])?.iter().map(|[rounds]| *rounds).max().unwrap_or(1).max(1);
        let unit = self.engine.unit(own.div_ceil(rounds.cast_unsigned()), n as u64);
        let units: Vec<u64> = self.all([unit as i64])?.iter().map(|[unit]| unit.cast_unsigned()).collect();
        Ok(deal::rounds(m, &self.shares, &units, rounds as usize))
    }
}
