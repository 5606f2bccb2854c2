//! The row of an algorithm in the table of the processor: what there is to know of it, and how it gets patterns ready for texts.

use super::query::Query;
use crate::algorithm::About;
use crate::error::Result;
use crate::infix::End;
use std::ops::Range;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A way to search on the processor.
#[derive(Debug)]
pub struct CpuAlgorithm {
    /// Its name, source, cost and limits.
    pub about: About,
    /// Refuses what it does not take beside its limits, as on a processor without its instructions.
    pub check: fn(&Query) -> Result<()>,
    /// How it takes patterns.
    pub takes: Takes,
}

/// How an algorithm takes patterns.
#[derive(Debug)]
pub enum Takes {
    /// It searches for one pattern at a time.
    One {
        /// About how many instructions a symbol of the text takes, where `auto` may choose it; it takes the least.
        cost: fn(&Query) -> Option<f64>,
        /// Makes a pattern ready. The rows are those of the table, for an algorithm that hands texts over.
        prepare: fn(Query, Rows) -> Box<dyn FindOne>,
        /// Whether it hands a text over to the fastest of the others where its own way would take longer. Such an algorithm is none of those others.
        hands_over: bool,
    },
    /// It searches for many patterns in one pass over the text ([`together`](crate::algorithm::Limits::together)).
    Many {
        /// Prepares groups of patterns; the patterns of a group are searched for in one pass. A pattern that it leaves out is in no group.
        prepare: fn(&Offer<'_>) -> Vec<Group>,
    },
    /// It compares patterns with whole records, and finds nothing within a record ([`whole_records`](crate::algorithm::Limits::whole_records)).
    WholeRecords {
        /// Prepares patterns.
        prepare: fn(Vec<Query>) -> Result<Box<dyn CompareRecords>>,
    },
}

/// The rows of the table.
pub type Rows = &'static [CpuAlgorithm];

/// A callback that any thread may call with the number of symbols done since the last call.
pub type Progress<'p> = &'p (dyn Fn(u64) + Sync);

/// A pattern that an algorithm is ready to look for.
pub trait FindOne: Send + Sync {
    /// The ends of occurrences in a text, those columns j of Sellers' table with D\[m\]\[j\] ≤ k, in order. `tell` is called with the number of
    /// symbols done since its last call.
    fn ends(&self, text: &[u8], tell: &dyn Fn(u64)) -> Vec<End>;

    /// The names of the algorithms that it handed texts over to since the last call.
    fn took_over(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns true if counting ends takes less than listing them.
    fn counts(&self) -> bool {
        false
    }

    /// The number of ends. Without errors, no end is before the text's m-th symbol.
    fn count(&self, text: &[u8]) -> u64 {
        self.ends(text, &|_| ()).len() as u64
    }
}

/// Patterns that are looked for in one pass over a text, by the threads of the current pool.
pub trait FindMany: Send + Sync {
    /// The ends of each pattern, in order.
    ///
    /// # Errors
    /// [`Memory`](crate::Error::Memory) for more ends than there is memory for.
    fn ends(&self, text: &[u8], tell: Progress<'_>) -> Result<Vec<Vec<End>>>;

    /// The names of the algorithms that it handed patterns over to since the last call.
    fn took_over(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Returns true if counting ends takes less than listing them.
    fn counts(&self) -> bool {
        false
    }

    /// The number of ends of all patterns; `None` if ends can only be listed.
    fn count(&self, _text: &[u8], _tell: Progress<'_>) -> Option<u64> {
        None
    }
}

/// Patterns that are compared with whole records, by the threads of the current pool.
pub trait CompareRecords: Send + Sync {
    /// The records, parts of a text, that are a pattern from their first symbol to their last: in order of records, then of patterns.
    fn matches(&self, symbols: &[u8], records: &[Range<usize>]) -> Vec<RecordMatch>;
}

/// A record that is a pattern.
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
    /// The numbers of those that are not taken yet, in order.
    pub left: &'o [usize],
    /// True if the algorithm was named: it then takes all patterns that it can, at any cost.
    pub is_named: bool,
    /// The rows of the table.
    pub rows: Rows,
}

/// Patterns that are searched for in one pass.
pub struct Group {
    /// Their numbers, in the order of [`FindMany::ends`].
    pub numbers: Vec<usize>,
    /// The patterns, prepared.
    pub finder: Box<dyn FindMany>,
}

impl Takes {
    /// Of an algorithm for one pattern at a time.
    pub(crate) const fn one(cost: fn(&Query) -> Option<f64>, prepare: fn(Query, Rows) -> Box<dyn FindOne>) -> Self {
        Self::One { cost, prepare, hands_over: false }
    }
}

impl CpuAlgorithm {
    /// Refuses a query that it does not take.
    ///
    /// # Errors
    /// [`Unsupported`](crate::Error::Unsupported), with the reason.
    pub fn refuse(&self, query: &Query) -> Result<()> {
        if self.about.limits.whole_records {
            return Err(self.about.unsupported("compares whole records, and finds no occurrences within them".into()));
        }
        let is_literal = self.about.limits.classes || query.literal().is_some();
        self.about.check(query.len(), query.k, is_literal)?;
        if !self.about.limits.gaps && query.allowed.has_gaps() {
            return Err(self
                .about
                .unsupported("finds substitutions alone: allow no insertions and no deletions".into()));
        }
        (self.check)(query)
    }

    /// Of an algorithm for one pattern at a time, that may be chosen: about how many instructions a symbol of the text takes.
    pub fn cost(&self, query: &Query) -> Option<f64> {
        match self.takes {
            Takes::One { cost, .. } => cost(query).filter(|_| self.refuse(query).is_ok()),
            Takes::Many { .. } | Takes::WholeRecords { .. } => None,
        }
    }
}

/// The algorithm for one pattern that should be fastest.
pub fn fastest<'r>(rows: impl Iterator<Item = &'r CpuAlgorithm>, query: &Query) -> Option<&'r CpuAlgorithm> {
    cheapest(rows, query).map(|(_, row)| row)
}

/// The algorithm for one pattern that costs least, and its cost.
fn cheapest<'r>(rows: impl Iterator<Item = &'r CpuAlgorithm>, query: &Query) -> Option<(f64, &'r CpuAlgorithm)> {
    let costs = rows.filter_map(|row| Some((row.cost(query)?, row)));
    costs.min_by(|a, b| a.0.total_cmp(&b.0))
}

/// Which rows of the table took over from another one: a bit each.
#[derive(Debug, Default)]
pub(super) struct TookOver(AtomicU32);

impl TookOver {
    /// Notes a row by its place in the table.
    pub fn note(&self, row: usize) {
        let bit = 1 << row;
        // Nearly always it is noted already, and threads need not wait for each other.
        if self.0.load(Relaxed) & bit == 0 {
            self.0.fetch_or(bit, Relaxed);
        }
    }

    /// The names of the rows that were noted since the last call.
    pub fn take(&self, rows: Rows) -> Vec<&'static str> {
        let bits = self.0.swap(0, Relaxed);
        let noted = rows.iter().enumerate().filter(|(row, _)| bits >> row & 1 == 1);
        noted.map(|(_, row)| row.about.name).collect()
    }
}

/// A pattern's fastest algorithm of those that hand nothing over, ready, and about how many instructions a symbol takes.
pub fn other(rows: Rows, query: Query) -> Option<Other> {
    let hands_nothing_over = |row: &&CpuAlgorithm| matches!(row.takes, Takes::One { hands_over: false, .. });
    let (cost, row) = cheapest(rows.iter().filter(hands_nothing_over), &query)?;
    let number = rows.iter().position(|other| std::ptr::eq(other, row))?;
    match row.takes {
        Takes::One { prepare, .. } => Some(Other { number, finder: prepare(query, rows), cost }),
        Takes::Many { .. } | Takes::WholeRecords { .. } => None,
    }
}

/// Another algorithm, with the pattern.
pub struct Other {
    /// Its place in the table.
    pub number: usize,
    /// The algorithm with the pattern.
    pub finder: Box<dyn FindOne>,
    /// About how many instructions a symbol of the text takes.
    pub cost: f64,
}

/// Finds the ends of a pattern in a text; the last argument is called with the number of symbols done since its last call.
pub(crate) type EndsOf = fn(&[u8], &Query, &dyn Fn(u64)) -> Vec<End>;

/// A pattern that a function finds.
pub(crate) fn by(query: Query, ends: EndsOf) -> Box<dyn FindOne> {
    Box::new(ByFunction { query, ends })
}

struct ByFunction {
    query: Query,
    ends: EndsOf,
}

impl FindOne for ByFunction {
    fn ends(&self, text: &[u8], tell: &dyn Fn(u64)) -> Vec<End> {
        (self.ends)(text, &self.query, tell)
    }
}
