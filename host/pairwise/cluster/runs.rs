//! An alignment by all members: they cut large parts together, and each solves some of the
//! remaining parts.

use super::deal;
use super::link::receive;
use super::member::Member;
use crate::alignment::Run;
use crate::device::EngineKind;
use crate::error::{Error, Result};
use crate::pairwise::cuts::Cuts;
use crate::pairwise::hirschberg::{Parts, Recursion};
use crate::pairwise::problem::{Bytes, Pairwise};
use crate::text::Equality;

/// Lower bound on the cells of a table that all members cut together. In a smaller one, sending
/// carries takes longer than solving it on one member.
const SHARED_CELLS: u64 = 1 << 32;

/// Lower bound on the number of parts assigned to single members, per member.
const PARTS_PER_MEMBER: u64 = 8;

/// Upper bound on the words of a message when results are collected.
const PIECE: usize = 1 << 20;

impl<P: Pairwise> Member<'_, P> {
    /// Computes the runs of matches of an alignment: all members cut large parts, and single
    /// members solve the rest.
    pub(super) fn runs(&self) -> Result<Vec<Run>> {
        let [a, b] = self.strings;
        let size = self.link.size();
        let rank = self.link.rank();
        let kind = self.kind;
        let device_cells = self.task.device_cells;
        let threads = rayon::current_num_threads();
        let is_large = |m: u64, n: u64, level: u64| match (kind, device_cells) {
            (EngineKind::Cpu, _) => false,
            (_, Some(least)) => m.saturating_mul(n) >= least,
            (kind, None) => kind == EngineKind::Simt || P::VALUE_COSTS.level_is_faster_on_gpu(level, threads),
        };
        let equality = Equality::exact();
        let recursion = Recursion {
            a,
            b,
            engine: self.engine as &dyn Cuts,
            small: self.small as &dyn Cuts,
            is_large: &is_large,
            leaf_cells: self.task.leaf_cells,
            symbols: Bytes::<P>::new(&equality),
        };
        let whole = Parts { a: 0..a.len(), b: 0..b.len() };
        if let Some(member) = self.alone() {
            let mine = if member == rank { vec![whole] } else { Vec::new() };
            return self.solve_and_collect(&recursion, mine, Vec::new());
        }
        let most = self
            .task
            .cluster
            .whole
            .unwrap_or_else(|| (whole.cells() / (PARTS_PER_MEMBER * size as u64)).max(SHARED_CELLS));
        let mut parts = vec![whole];
        let mut small = Vec::new();
        let mut runs = Vec::new();
        while let Some(next) = parts.pop() {
            // Every member finds these matches; the first one reports them.
            let mut found = Vec::new();
            let rest = recursion.trim(next, &mut found);
            if rank == 0 {
                runs.extend(found);
            }
            let Some(rest) = rest else { continue };
            // A single engine solves the same small parts without recursion, so all give the same
            // alignment.
            if rest.cells() <= most.max(self.task.leaf_cells) {
                small.push(rest);
                continue;
            }
            let request = rest.request();
            let row = self.cut(&request)?;
            parts.extend(rest.cut(&request, row));
        }
        let cells: Vec<u64> = small.iter().map(Parts::cells).collect();
        let members = deal::parts(&cells, self.shares.borrow().get());
        let mine = |&(_, member): &(Parts, usize)| member == rank;
        let mine: Vec<Parts> = small.into_iter().zip(members).filter(mine).map(|(parts, _)| parts).collect();
        self.solve_and_collect(&recursion, mine, runs)
    }

    /// Solves parts of this member, and collects all members' runs, in order. `runs` has this
    /// member's runs so far.
    fn solve_and_collect(
        &self,
        recursion: &Recursion<'_, u8, Bytes<'_, P>>,
        mine: Vec<Parts>,
        mut runs: Vec<Run>,
    ) -> Result<Vec<Run>> {
        self.work.borrow_mut().cells += 2 * mine.iter().map(Parts::cells).sum::<u64>();
        runs.extend(self.cpu.run(|| recursion.solve_parts(mine))?);
        let mut runs = self.collected(runs)?;
        runs.sort_unstable_by_key(|run: &Run| run.a_start);
        Ok(runs)
    }

    /// Collects the runs of all members.
    fn collected(&self, own: Vec<Run>) -> Result<Vec<Run>> {
        let channel = self.channel();
        let rank = self.link.rank();
        let counts = self.all([3 * own.len() as i64])?;
        let words: Vec<u64> = own.iter().flat_map(|run| [run.a_start, run.b_start, run.len]).collect();
        for to in (0..self.link.size()).filter(|&to| to != rank) {
            for piece in words.chunks(PIECE) {
                self.link.send(to, channel, piece.to_vec())?;
            }
        }
        let mut runs = own;
        for (from, [count]) in counts.into_iter().enumerate().filter(|&(from, _)| from != rank) {
            let mut words: Vec<u64> = Vec::new();
            while (words.len() as i64) < count {
                let piece = receive(self.link, from, channel)?;
                if piece.is_empty() {
                    return Err(Error::Member {
                        rank: from,
                        reason: "sent nothing instead of the expected runs".into(),
                    });
                }
                words.extend(piece);
            }
            let (whole, _) = words.as_chunks::<3>();
            runs.extend(whole.iter().map(|&[a_start, b_start, len]| Run { a_start, b_start, len }));
        }
        Ok(runs)
    }
}
