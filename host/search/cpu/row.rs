//! The entry of an algorithm in the CPU's table: its properties, and the interface that prepares
//! patterns for texts.

use super::query::Query;
use crate::algorithm::About;
use crate::error::Result;
use crate::infix::End;
use crate::job::Progress;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A search algorithm on the CPU.
#[derive(Debug)]
pub struct CpuAlgorithm {
    /// The name, source, cost and limits.
    pub about: About,
    /// Refuses queries for other reasons than the limits, for example on a processor without the
    /// instructions that the algorithm needs.
    pub check: fn(&Query) -> Result<()>,
    /// How the algorithm takes patterns.
    pub takes: Takes,
}

/// How an algorithm takes patterns.
#[derive(Debug)]
pub enum Takes {
    /// The algorithm searches for one pattern at a time.
    One {
        /// Estimates the instructions per symbol of the text, or returns `None` if `auto` must not
        /// choose the algorithm. `auto` chooses the least.
        cost: fn(&Query) -> Option<f64>,
        /// Prepares a pattern. The rows are those of the table, for an algorithm that hands texts
        /// over.
        prepare: fn(Query, Rows) -> Box<dyn FindOne>,
        /// True if the algorithm hands a text over to the fastest other algorithm when that would
        /// take less time. Algorithms that hand over are not among those others.
        hands_over: bool,
    },
    /// The algorithm searches for many patterns in one pass over the text
    /// ([`together`](crate::algorithm::Limits::together)).
    Many {
        /// Prepares groups of patterns; the patterns of a group are searched for in one pass. A
        /// pattern that the algorithm does not take is in no group.
        prepare: fn(&Offer<'_>) -> Vec<Group>,
    },
    /// The algorithm compares patterns with whole records, and finds nothing within a record
    /// ([`whole_records`](crate::algorithm::Limits::whole_records)).
    WholeRecords {
        /// Prepares patterns.
        prepare: fn(Vec<Query>) -> Result<Box<dyn CompareRecords>>,
    },
}

/// The rows of the table.
pub type Rows = &'static [CpuAlgorithm];

/// A pattern that an algorithm is ready to search for.
pub trait FindOne: Send + Sync {
    /// Returns the ends of occurrences in a text, in order: the columns j of Sellers' table with
    /// D\[m\]\[j\] ≤ k. Calls `on_progress` with the number of symbols searched since its last
    /// call.
    fn ends(&self, text: &[u8], on_progress: &dyn Fn(u64)) -> Vec<End>;

    /// Returns the names of the algorithms that texts were handed over to since the last call.
    fn fallbacks_used(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns true if counting ends is faster than listing them.
    fn counts(&self) -> bool {
        false
    }

    /// Counts the ends. Without errors, no end is before the text's m-th symbol.
    fn count(&self, text: &[u8]) -> u64 {
        self.ends(text, &|_| ()).len() as u64
    }
}

/// Patterns that are searched for in one pass over a text, by the threads of the current pool.
pub trait FindMany: Send + Sync {
    /// Returns the ends of each pattern, in order.
    ///
    /// # Errors
    /// [`Memory`](crate::Error::Memory) if the ends do not fit in memory.
    fn ends(&self, text: &[u8], on_progress: Progress<'_>) -> Result<Vec<Vec<End>>>;

    /// Returns the names of the algorithms that patterns were handed over to since the last call.
    fn fallbacks_used(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns true if counting ends is faster than listing them.
    fn counts(&self) -> bool {
        false
    }

    /// Counts the ends of all patterns; `None` if ends can only be listed.
    fn count(&self, _text: &[u8], _on_progress: Progress<'_>) -> Option<u64> {
        None
    }
}

/// Patterns that are compared with whole records, by the threads of the current pool.
pub trait CompareRecords: Send + Sync {
    /// Returns the records (parts of a text) that match a pattern from their first symbol to their
    /// last, ordered by record, then by pattern.
    fn matches(&self, symbols: &[u8], records: &[Range<usize>]) -> Vec<RecordMatch>;
}

/// A record that matches a pattern.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordMatch {
    /// The record's number.
    pub record: usize,
    /// The pattern's number.
    pub pattern: usize,
    /// The fewest errors of an alignment within the limits.
    pub errors: u32,
}

/// Patterns that are offered to an algorithm that searches for many together.
pub struct Offer<'o> {
    /// All patterns of a search.
    pub queries: &'o [Query],
    /// The numbers of the patterns that are not taken yet, in order.
    pub left: &'o [usize],
    /// True if the user named the algorithm: it then takes all patterns that it can, at any cost.
    pub is_named: bool,
    /// The rows of the table.
    pub rows: Rows,
}

/// Patterns that are searched for in one pass.
pub struct Group {
    /// The patterns' numbers, in the order of [`FindMany::ends`].
    pub numbers: Vec<usize>,
    /// The patterns, prepared.
    pub finder: Box<dyn FindMany>,
}

impl Takes {
    /// Makes the entry of an algorithm for one pattern at a time that hands nothing over.
    pub(crate) const fn one(cost: fn(&Query) -> Option<f64>, prepare: fn(Query, Rows) -> Box<dyn FindOne>) -> Self {
        Self::One { cost, prepare, hands_over: false }
    }
}

impl CpuAlgorithm {
    /// Refuses a query that the algorithm does not take.
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), with the reason.
    pub fn refuse(&self, query: &Query) -> Result<()> {
        if self.about.limits.whole_records {
            return Err(self.about.unsupported("compares whole records, and does not find hits within them".into()));
        }
        let is_literal = self.about.limits.classes || query.literal().is_some();
        self.about.check(query.len(), query.k, is_literal)?;
        let limits = &self.about.limits;
        if !limits.gaps && !limits.gaps_if_fixed && query.allowed.has_gaps() {
            return Err(self
                .about
                .unsupported("finds substitutions only; allow no insertions and no deletions".into()));
        }
        (self.check)(query)
    }

    /// Estimates the instructions per symbol of the text; `None` if `auto` must not choose the
    /// algorithm for this query.
    pub fn cost(&self, query: &Query) -> Option<f64> {
        match self.takes {
            Takes::One { cost, .. } => cost(query).filter(|_| self.refuse(query).is_ok()),
            Takes::Many { .. } | Takes::WholeRecords { .. } => None,
        }
    }
}

/// Returns the algorithm for one pattern that should be fastest.
pub fn fastest<'r>(rows: impl Iterator<Item = &'r CpuAlgorithm>, query: &Query) -> Option<&'r CpuAlgorithm> {
    cheapest(rows, query).map(|(_, row)| row)
}

/// Returns the algorithm for one pattern with the least cost, and its cost.
fn cheapest<'r>(rows: impl Iterator<Item = &'r CpuAlgorithm>, query: &Query) -> Option<(f64, &'r CpuAlgorithm)> {
    let costs = rows.filter_map(|row| Some((row.cost(query)?, row)));
    costs.min_by(|a, b| a.0.total_cmp(&b.0))
}

/// The rows of the table that took over from another algorithm: one bit each.
#[derive(Debug, Default)]
pub(super) struct FallbacksUsed(AtomicU32);

impl FallbacksUsed {
    /// Notes a row by its index in the table.
    pub fn note(&self, row: usize) {
        let bit = 1 << row;
        // The bit is nearly always set already; testing it first keeps threads from waiting for
        // each other.
        if self.0.load(Relaxed) & bit == 0 {
            self.0.fetch_or(bit, Relaxed);
        }
    }

    /// Returns the names of the rows noted since the last call.
    pub fn take(&self, rows: Rows) -> Vec<&'static str> {
        let bits = self.0.swap(0, Relaxed);
        let noted = rows.iter().enumerate().filter(|(row, _)| bits >> row & 1 == 1);
        noted.map(|(_, row)| row.about.name).collect()
    }
}

/// Prepares a pattern for its fastest algorithm among those that hand nothing over.
pub fn prepare_fallback(rows: Rows, query: Query) -> Option<Fallback> {
    let hands_nothing_over = |row: &&CpuAlgorithm| matches!(row.takes, Takes::One { hands_over: false, .. });
    let (cost, row) = cheapest(rows.iter().filter(hands_nothing_over), &query)?;
    let number = rows.iter().position(|other| std::ptr::eq(other, row))?;
    match row.takes {
        Takes::One { prepare, .. } => Some(Fallback { number, finder: prepare(query, rows), cost }),
        Takes::Many { .. } | Takes::WholeRecords { .. } => None,
    }
}

/// The algorithm that takes over, with the pattern.
pub struct Fallback {
    /// Index of the algorithm in the table.
    pub number: usize,
    /// The pattern, prepared.
    pub finder: Box<dyn FindOne>,
    /// Estimated number of instructions per symbol of the text.
    pub cost: f64,
}

/// Finds the ends of a pattern in a text. Calls the last argument with the number of symbols
/// searched since its last call.
pub(crate) type EndsOf = fn(&[u8], &Query, &dyn Fn(u64)) -> Vec<End>;

/// Makes a searcher from a function that finds the ends of a pattern.
pub(crate) fn by(query: Query, ends: EndsOf) -> Box<dyn FindOne> {
    Box::new(ByFunction { query, ends })
}

struct ByFunction {
    query: Query,
    ends: EndsOf,
}

impl FindOne for ByFunction {
    fn ends(&self, text: &[u8], on_progress: &dyn Fn(u64)) -> Vec<End> {
        (self.ends)(text, &self.query, on_progress)
    }
}
