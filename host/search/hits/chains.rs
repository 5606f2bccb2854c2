//! Chains: the ends of a pattern in a record, in groups that are independent of one another.
//!
//! ```text
//! ends      | ||  |      |        ||||||||||||||||||||||||||||||||
//! chains    └──┘         |        └─────────────────────────────┘    closer than m + k
//! pieces    └──┘         |        └───────────┘└─────────────────┘    of a fixed length
//! ```
//!
//! Neighbours in a chain are closer than m + k, the length of the longest occurrence, so
//! occurrences of two chains cannot overlap. A chain may be as long as the text, so it is cut into
//! pieces of a fixed length, starting at its first end. Memory is bounded, and the pieces depend on
//! the chain alone, not on the parts of a text or the number of threads. The hits of a piece are
//! chosen in view of the nearby ends of the same chain. Overlapping hits are the same as without
//! pieces. If hits must not overlap, a piece chooses only hits that start behind the last hit of
//! the piece before.

use super::hit::{Choice, Hit};
use super::records::RecordEnd;
use crate::error::Result;
use crate::memory;
use rayon::prelude::*;
use std::ops::Range;

/// Largest span of a piece's ends, in symbols, or the length of 16 occurrences if that is more.
pub(in crate::search) const LONGEST_PIECE: u64 = 1 << 16;
const PIECE_OCCURRENCES: u64 = 16;

/// Least number of pieces whose hits a thread finds at a time.
const TOGETHER: usize = 1 << 10;

/// Consecutive ends of a chain, whose hits are chosen together.
#[derive(Debug, Clone)]
pub(crate) struct Piece<'e> {
    /// The piece's ends, and the nearby ends of the same chain.
    pub ends: &'e [RecordEnd],
    /// Indices of the piece's own ends in `ends`.
    pub own: Range<usize>,
    /// True if the chain has a piece before this one.
    pub continues: bool,
}

impl Piece<'_> {
    /// Returns the position of the piece's first own end.
    pub fn first_own(&self) -> u64 {
        self.ends.get(self.own.start).map_or(0, |&(_, end)| end.end)
    }

    /// Returns the number of the record.
    pub fn record(&self) -> usize {
        self.ends.first().map_or(0, |&(record, _)| record)
    }
}

/// The undecided part of the last chain of an unfinished record.
#[derive(Debug, Clone, Default)]
pub(in crate::search) struct Rest {
    /// Ends whose hits are not chosen yet, and nearby ends whose hits are.
    pub ends: Vec<RecordEnd>,
    /// The hits of ends up to this position are chosen.
    decided: u64,
    /// True if the hits of earlier pieces of the chain are chosen.
    continues: bool,
    /// For each strand, the end of the last hit of the earlier pieces.
    last_hits: [u64; 2],
}

/// The rule that cuts the ends of one pattern into chains and pieces.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Chains {
    /// Length of the longest occurrence: m + k.
    longest: u64,
    /// Length of a piece, in symbols.
    piece: u64,
    choice: Choice,
}

impl Chains {
    /// Makes the rule for occurrences of at most `longest` symbols and pieces of at least `piece`
    /// symbols.
    pub fn new(longest: u64, piece: u64, choice: Choice) -> Self {
        Self { longest, piece: piece.max(longest.saturating_mul(PIECE_OCCURRENCES)), choice }
    }

    /// Returns the pieces of the ends of one pattern, ordered by record and end. The first ends are
    /// those of `rest`. If the last record continues, `known` is its number and the number of its
    /// symbols that are searched; ends whose hits later ends may change are returned as the rest.
    pub fn pieces<'e>(
        &self,
        ends: &'e [RecordEnd],
        rest: &Rest,
        known: Option<(usize, u64)>,
    ) -> (Vec<Piece<'e>>, Option<Rest>) {
        let near = |a: &RecordEnd, b: &RecordEnd| a.0 == b.0 && b.1.end - a.1.end < self.longest;
        let mut pieces = Vec::new();
        let mut is_first = !rest.ends.is_empty();
        for chain in ends.chunk_by(near) {
            let (record, first) = chain[0];
            let last = chain[chain.len() - 1].1.end;
            let resumed = std::mem::take(&mut is_first);
            let (mut decided, mut continues) = (first.end.saturating_sub(1), false);
            if resumed {
                (decided, continues) = (rest.decided, rest.continues);
            }
            // `None` if no later end can be near the ends of this chain.
            let known = known.filter(|&(open, known)| open == record && known < last.saturating_add(self.longest));
            if !resumed && known.is_none() && last - first.end < self.piece {
                pieces.push(Piece { ends: chain, own: 0..chain.len(), continues: false });
                continue;
            }
            loop {
                let to = decided.saturating_add(self.piece);
                let is_last = last <= to;
                let is_open = known.is_some_and(|(_, known)| is_last || known < to.saturating_add(self.longest));
                let from = chain.partition_point(|(_, end)| end.end + self.longest <= decided);
                if is_open {
                    let ends = chain[from..].to_vec();
                    return (pieces, Some(Rest { ends, decided, continues, last_hits: [0; 2] }));
                }
                let own = chain.partition_point(|(_, end)| end.end <= decided);
                let end = chain.partition_point(|(_, end)| end.end <= to);
                let behind = chain.partition_point(|(_, end)| end.end < to.saturating_add(self.longest));
                if own < end {
                    pieces.push(Piece { ends: &chain[from..behind], own: own - from..end - from, continues });
                }
                if is_last {
                    break;
                }
                (decided, continues) = (to, true);
            }
        }
        (pieces, None)
    }

    /// Returns the hits of the pieces, in order, computed by several threads. `choose` gets a piece
    /// and, for each strand, the first position where a hit may start; it adds the hits to a list.
    /// `before` and `rest` are those of [`pieces`](Self::pieces).
    pub fn hits<'e>(
        &self,
        pieces: &[Piece<'e>],
        before: &Rest,
        rest: Option<&mut Rest>,
        choose: impl Fn(&Piece<'e>, [u64; 2], &mut Vec<Hit>) -> Result<()> + Sync,
    ) -> Result<Vec<Hit>> {
        let in_block = |block: &[Piece<'e>]| -> Result<BlockHits> {
            let (mut hits, mut last) = (Vec::with_capacity(block.len()), before.last_hits);
            for piece in block {
                if !piece.continues {
                    last = [0; 2];
                }
                let known = hits.len();
                choose(piece, last, &mut hits)?;
                if self.choice == Choice::NonOverlapping {
                    for hit in &hits[known..] {
                        let last = &mut last[hit.strand as usize];
                        *last = hit.end.max(*last);
                    }
                }
            }
            Ok(BlockHits { hits, last })
        };
        let found: Result<Vec<BlockHits>> = match &blocks(pieces)[..] {
            [] => Ok(Vec::new()),
            [block] => Ok(vec![in_block(block)?]),
            blocks => blocks.par_iter().map(|block| in_block(block)).collect(),
        };
        let mut found = found?.into_iter();
        let BlockHits { mut hits, mut last } =
            found.next().unwrap_or(BlockHits { hits: Vec::new(), last: before.last_hits });
        memory::reserve(&mut hits, found.as_slice().iter().map(|block| block.hits.len()).sum(), "the hits")?;
        for block in found {
            hits.extend(block.hits);
            last = block.last;
        }
        if let Some(rest) = rest.filter(|rest| rest.continues) {
            rest.last_hits = last;
        }
        Ok(hits)
    }
}

/// The hits of some pieces, and for each strand the end of the last hit in the last chain.
struct BlockHits {
    hits: Vec<Hit>,
    last: [u64; 2],
}

/// Splits pieces into groups of at least [`TOGETHER`] pieces, each of whole chains.
fn blocks<'p, 'e>(mut pieces: &'p [Piece<'e>]) -> Vec<&'p [Piece<'e>]> {
    let mut blocks = Vec::new();
    while !pieces.is_empty() {
        let least = TOGETHER.min(pieces.len());
        let more = pieces[least..].iter().position(|piece| !piece.continues);
        let (block, later) = pieces.split_at(more.map_or(pieces.len(), |more| least + more));
        blocks.push(block);
        pieces = later;
    }
    blocks
}

impl Rest {
    /// Returns the position in the record of the first symbol that a later hit may cover.
    pub fn start(&self, longest: u64) -> u64 {
        self.decided.saturating_add(1).saturating_sub(longest)
    }
}
