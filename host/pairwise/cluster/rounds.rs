//! The value of a whole table in rounds of bands, one band for each member, with shares that are
//! corrected from round to round.

use super::bands::Steps;
use super::border::Neighbours;
use super::deal::{self, Grain};
use super::member::{Channels, Member};
use super::shares::Computed;
use crate::error::Result;
use crate::pairwise::columns::Direction;
use crate::pairwise::cuts::Part;
use crate::pairwise::problem::Pairwise;

/// Upper bound on the rounds of bands, unless shares change.
const MAX_ROUNDS: u64 = 64;

/// Upper bound on the rounds if shares are corrected after each, unless more are needed, and the
/// least number that allows a correction.
const CORRECTED_ROUNDS: u64 = 16;
const LEAST_ROUNDS: u64 = 4;

/// Numbers of rounds of a table.
pub(super) struct Rounds {
    /// Least number of rounds without a band in parts, which would keep the band below waiting.
    pub(super) needed: usize,
    /// Number of rounds if shares are corrected after each, or `None` if there would be too few.
    pub(super) with_corrections: Option<usize>,
}

impl<P: Pairwise> Member<'_, P> {
    /// Returns the numbers of rounds of a table of m × n symbols.
    pub(super) fn rounds(&self, m: u64, n: u64) -> Result<Rounds> {
        let own = self.own_rows(m);
        let needed = own.div_ceil(self.engine.at_once(own, n).max(1)).min(MAX_ROUNDS);
        // Of rounds that leave this member enough rows to compute at full speed.
        let full = if self.shares.borrow().get()[self.link.rank()] > 0.0 {
            own / self.engine.full_rows(own, n).max(1)
        } else {
            u64::MAX
        };
        let all = self.all([needed.cast_signed(), full.min(MAX_ROUNDS).cast_signed()])?;
        let needed = all.iter().map(|[needed, _]| needed.cast_unsigned()).max().unwrap_or(1).max(1);
        let full = all.iter().map(|[_, full]| full.cast_unsigned()).min().unwrap_or(0);
        let most = full.min(CORRECTED_ROUNDS).max(needed);
        let corrected = self.shares.borrow().are_measured() && most >= LEAST_ROUNDS;
        Ok(Rounds { needed: needed as usize, with_corrections: corrected.then_some(most as usize) })
    }

    /// Returns the grain of each member in bands of a number of rounds.
    pub(super) fn grains(&self, m: usize, n: usize, rounds: usize) -> Result<Vec<Grain>> {
        let own = self.own_rows(m as u64).div_ceil(rounds as u64);
        // The plan for these rows may take them in two goes.
        let most = self.engine.at_once(own, n as u64).max(own).min(Grain::UNBOUNDED);
        let all = self.all([self.engine.unit(own, n as u64).cast_signed(), most.cast_signed()])?;
        let grain = |[unit, most]: &[i64; 2]| Grain { unit: unit.cast_unsigned(), most: most.cast_unsigned() };
        Ok(all.iter().map(grain).collect())
    }

    /// Computes the rise of the last column over this member's rows, in at least `least` rounds.
    /// When a member ends a round, all have ended the round before it, so no member waits for a
    /// report.
    pub(super) fn corrected_rise(&self, rows: &Part, columns: &Part, least: usize) -> Result<i64> {
        let m = rows.range.len();
        let rank = self.link.rank();
        let members = self.shares.borrow().members();
        let position = members.iter().position(|&member| member == rank);
        let grains = self.grains(m, columns.range.len(), least)?;
        let units = members.iter().map(|&member| grains[member].unit).fold(0, u64::saturating_add);
        if units.saturating_mul(least as u64) > m as u64 {
            // A member would have no rows in some round.
            return self.rise(rows, columns, least);
        }
        let mut before = None;
        let mut start = 0;
        let mut rise = 0;
        let mut own = 0;
        let mut taken = self.channel();
        let mut number = 0;
        while start < m {
            let round = deal::Round::new(number, least, m - start, self.shares.borrow().get(), &grains);
            let bands = deal::round(m - start, round, self.shares.borrow().get(), &grains);
            let next = self.channel();
            let report_channel = self.channel();
            if let Some(position) = position {
                let above = position.checked_sub(1).or_else(|| (number > 0).then(|| members.len() - 1));
                let (below, given) = match members.get(position + 1) {
                    Some(&below) => (Some(below), taken),
                    None => ((number + 1 < round.count).then(|| members[0]), next),
                };
                let neighbours = Neighbours { above: above.map(|above| members[above]), below };
                let band = Part { side: rows.side, range: start + bands[rank].start..start + bands[rank].end };
                rise += self.band(&band, columns, Direction::Forward, neighbours, Channels { taken, given })?.rise();
                own += band.range.len();
            }
            start += bands.last().map_or(0, |band| band.end);
            let report = self.computed.take().to_words();
            self.send_all(report_channel, report)?;
            if let Some((channel, report)) = before.replace((report_channel, report)) {
                let computed: Vec<Computed> =
                    self.receive_all(channel, report)?.into_iter().map(Computed::from_words).collect();
                self.shares.borrow_mut().correct(&computed, self.cells());
            }
            taken = next;
            number += 1;
        }
        if let Some((channel, report)) = before {
            self.receive_all(channel, report)?;
        }
        self.work.borrow_mut().rows = own;
        Ok(rise)
    }
}
