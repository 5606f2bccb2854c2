//! Chains: the ends of a pattern in a record, in groups that are decided apart from one another.
//!
//! ```text
//! ends      | ||  |      |        ||||||||||||||||||||||||||||||||
//! chains    └──┘         |        └─────────────────────────────┘    neighbours are nearer than m + k, the most symbols of an occurrence
//! pieces    └──┘         |        └───────────┘└─────────────────┘    a long chain in pieces of a fixed length, from its first end on
//! ```
//!
//! Occurrences of two chains cannot overlap. A chain may be as long as the text, so it is decided in pieces: memory is bounded, and the pieces
//! depend on the chain alone, and not on the parts of a text or the number of threads. A piece is decided with the ends of the same
//! chain that are near it. Overlapping hits are the same as without pieces. If hits must not
//! overlap, a piece chooses hits that begin behind the last hit of the piece before.

use super::hit::{Choice, Hit};
use super::records::RecordEnd;
use crate::error::Result;
use crate::memory;
use rayon::prelude::*;
use std::ops::Range;

/// The ends of a piece span this many symbols at most, or those of 16 occurrences if that is more.
pub(in crate::search) const LONGEST_PIECE: u64 = 1 << 16;
const PIECE_OCCURRENCES: u64 = 16;

/// Pieces whose hits a thread finds at a time, at least.
const TOGETHER: usize = 1 << 10;

/// Consecutive ends of a chain that are decided together.
#[derive(Debug, Clone)]
pub(crate) struct Piece<'e> {
    /// The piece's ends, and those of the same chain that are near it.
    pub ends: &'e [RecordEnd],
    /// The indices of the piece's own ends.
    pub own: Range<usize>,
    /// True if the chain has a piece before this one.
    pub continues: bool,
}

impl Piece<'_> {
    /// The first end that is the piece's own.
    pub fn first_own(&self) -> u64 {
        self.ends.get(self.own.start).map_or(0, |&(_, end)| end.end)
    }

    /// The number of the record.
    pub fn record(&self) -> usize {
        self.ends.first().map_or(0, |&(record, _)| record)
    }
}

/// The undecided part of the last chain of an unfinished record.
#[derive(Debug, Clone, Default)]
pub(in crate::search) struct Rest {
    /// Ends that are not decided, and those near them that are.
    pub ends: Vec<RecordEnd>,
    /// The last position whose ends are decided.
    decided: u64,
    /// True if the chain has decided pieces.
    continues: bool,
    /// For each strand the end of the last hit of the decided pieces.
    last_hits: [u64; 2],
}

/// How the ends of one pattern are cut into chains and pieces.
#[derive(Debug, Clone, Copy)]
pub(in crate::search) struct Chains {
    /// m + k.
    longest: u64,
    /// Symbols of a piece.
    piece: u64,
    choice: Choice,
}

impl Chains {
    /// For occurrences of at most `longest` symbols, in pieces of at least `piece` symbols.
    pub fn new(longest: u64, piece: u64, choice: Choice) -> Self {
        Self { longest, piece: piece.max(longest.saturating_mul(PIECE_OCCURRENCES)), choice }
    }

    /// The pieces of the ends of one pattern, in order of records and ends. The first ends are those of `rest`. Where the last record goes on,
    /// `known` is how many of its symbols were searched: what later ends may change is returned as the rest.
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
            // Later ends may be near what lies behind this position.
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

    /// The hits of the pieces, in order, by several threads. `choose` is given a piece and, for each strand, where its hits may begin, and adds the
    /// hits to a list. `before` and `rest` are those of [`pieces`](Self::pieces).
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
                if self.choice == Choice::Apart {
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

/// The hits of some pieces, and for each strand the end of the last one in the last chain.
struct BlockHits {
    hits: Vec<Hit>,
    last: [u64; 2],
}

/// Groups of at least [`TOGETHER`] pieces, each of whole chains.
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
    /// The first symbol of the record that a later hit may cover.
    pub fn start(&self, longest: u64) -> u64 {
        self.decided.saturating_add(1).saturating_sub(longest)
    }
}
