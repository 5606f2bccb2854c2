//! All pairs of two lists, in groups of rows that together have few different symbols.

use super::engine::{PairEngine, PutRow};
use super::strings::Symbols;
use super::symbol_codes::{Code, SymbolCodes};
use crate::error::Result;
use crate::memory;
use rayon::prelude::*;

/// Approximate number of symbols that a thread codes at a time.
const TASK: usize = 1 << 14;

/// Two lists, and how to compare them.
pub(super) struct SymbolGroups<'g> {
    pub engine: &'g dyn PairEngine,
    pub rows: &'g [Symbols<'g>],
    pub columns: &'g [Symbols<'g>],
    /// Receives the distances.
    pub put: PutRow<'g>,
    /// Compares some rows, given by their numbers, with all columns pair by pair.
    pub by_pairs: &'g dyn Fn(&[usize]) -> Result<()>,
}

/// Codes that an engine compares.
trait CodeOfEngine: Code {
    /// Computes the distances of all rows to all columns, as [`PairEngine::tile`]. Returns false,
    /// and does nothing, if single pairs are faster.
    fn tile(engine: &dyn PairEngine, rows: &[&[Self]], columns: &[&[Self]], put: PutRow<'_>) -> Result<bool>
    where
        Self: Sized;
}

impl CodeOfEngine for u8 {
    fn tile(engine: &dyn PairEngine, rows: &[&[Self]], columns: &[&[Self]], put: PutRow<'_>) -> Result<bool> {
        engine.tile(rows, columns, put)?;
        Ok(true)
    }
}

impl CodeOfEngine for u16 {
    fn tile(engine: &dyn PairEngine, rows: &[&[Self]], columns: &[&[Self]], put: PutRow<'_>) -> Result<bool> {
        engine.tile_of_two_bytes(rows, columns, put)
    }
}

impl SymbolGroups<'_> {
    /// Computes the distances of all rows to all columns.
    pub(super) fn compare(&self) -> Result<()> {
        // Rows of bytes first: together they have few different symbols, and other rows between
        // them would split them into groups.
        let (mut order, others): (Vec<usize>, Vec<usize>) =
            (0..self.rows.len()).partition(|&row| matches!(self.rows[row], Symbols::Bytes(_)));
        let of_bytes = order.len();
        order.extend(others);
        let first = Rows::<u8>::new(self.rows, &order);
        if first.numbers.len() < order.len() && self.engine.takes_two_bytes() {
            self.in_turn::<u8>(&order[..of_bytes])?;
            return self.in_turn::<u16>(&order[of_bytes..]);
        }
        let rest = self.group(&first, &order)?;
        self.in_turn::<u8>(rest)
    }

    /// Compares some rows, one group after the other.
    fn in_turn<C: CodeOfEngine>(&self, mut order: &[usize]) -> Result<()> {
        while !order.is_empty() {
            order = self.group(&Rows::<C>::new(self.rows, order), order)?;
        }
        Ok(())
    }

    /// Compares a group, the first rows of some. Returns the others.
    fn group<'o, C: CodeOfEngine>(&self, group: &Rows<C>, order: &'o [usize]) -> Result<&'o [usize]> {
        if group.numbers.is_empty() {
            let (alone, rest) = order.split_at(order.len().min(1));
            (self.by_pairs)(alone)?;
            return Ok(rest);
        }
        let all = self.columns.iter().map(Symbols::len).fold(0, usize::saturating_add);
        memory::check::<C>(all, "the codes of strings")?;
        let code = |columns: &[Symbols<'_>]| {
            let mut coded: Vec<C> = Vec::with_capacity(columns.iter().map(Symbols::len).sum());
            columns.iter().for_each(|&column| group.codes.code_known(column, &mut coded));
            coded
        };
        let task = task(self.columns.len(), all);
        let coded: Vec<Vec<C>> = self.columns.par_chunks(task).map(code).collect();
        let mut columns: Vec<&[C]> = Vec::with_capacity(self.columns.len());
        for (strings, coded) in self.columns.chunks(task).zip(&coded) {
            let mut rest = &coded[..];
            for column in strings {
                let (own, after) = rest.split_at(column.len());
                columns.push(own);
                rest = after;
            }
        }
        let put: PutRow<'_> = &|row, columns, distances| (self.put)(group.numbers[row], columns, distances);
        if !C::tile(self.engine, &group.strings(), &columns, put)? {
            (self.by_pairs)(&group.numbers)?;
        }
        Ok(&order[group.numbers.len()..])
    }
}

/// Returns the number of strings, or pairs, that a thread codes at a time, out of `count` with a
/// number of symbols.
pub(super) fn task(count: usize, symbols: usize) -> usize {
    (TASK / (symbols / count.max(1)).max(1)).max(1)
}

/// Rows in codes.
struct Rows<C> {
    codes: SymbolCodes,
    /// Numbers of the rows.
    numbers: Vec<usize>,
    /// End of each row's symbols.
    ends: Vec<usize>,
    symbols: Vec<C>,
}

impl<C: Code> Rows<C> {
    /// Codes rows in this order, until there are no codes for a row.
    fn new(rows: &[Symbols<'_>], order: &[usize]) -> Self {
        let codes = SymbolCodes::new(C::CODES - 1);
        let mut coded = Self { codes, numbers: Vec::new(), ends: Vec::new(), symbols: Vec::new() };
        for &row in order {
            if !coded.codes.code(&[rows[row]], &mut coded.symbols) {
                break;
            }
            coded.numbers.push(row);
            coded.ends.push(coded.symbols.len());
        }
        coded
    }

    fn strings(&self) -> Vec<&[C]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.symbols[start..end]).collect()
    }
}
