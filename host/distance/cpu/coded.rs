//! Two strings in codes, and which codes of the rows match which of the columns.

use super::algorithm::Table;
use super::strip::MatchTable;
use crate::cpu::codes::Codes;
use crate::pairwise::columns::Direction;
use crate::text::Class;

/// A table's strings in codes.
pub(super) struct Coded {
    pub codes: Codes,
    /// For each code of the rows those of the columns that are equal to it; none where equal symbols have the same code.
    equal: Option<Box<[Vec<u8>; 256]>>,
}

impl Coded {
    /// Both in the order in which the table is filled.
    pub fn new(table: &Table<'_>) -> Self {
        let Table { rows, cols, direction, equality, .. } = *table;
        let backward = direction == Direction::Backward;
        if equality.is_exact() {
            return Self { codes: Codes::new(rows, cols, backward), equal: None };
        }
        // The rows stay as they are; the symbols of the columns are numbered as they are in order.
        let present: Vec<u8> = Class::from_symbols(cols.iter().copied()).symbols().collect();
        let mut codes = [0; 256];
        (0u8..=255).zip(&present).for_each(|(code, &symbol)| codes[usize::from(symbol)] = code);
        let of_row = |symbol: usize| {
            let equal = present.iter().filter(|&&other| equality.equal(symbol as u8, other));
            equal.map(|&other| codes[usize::from(other)]).collect()
        };
        let ordered = |mut text: Vec<u8>| {
            if backward {
                text.reverse();
            }
            text
        };
        Self {
            codes: Codes {
                rows: ordered(rows.to_vec()),
                cols: ordered(cols.iter().map(|&symbol| codes[usize::from(symbol)]).collect()),
                symbols: present.len(),
            },
            equal: Some(Box::new(std::array::from_fn(of_row))),
        }
    }

    /// Codes that are equal where the symbols are.
    pub fn of_codes(codes: Codes) -> Self {
        Self { codes, equal: None }
    }

    /// Whether equal symbols have the same code.
    pub fn is_exact(&self) -> bool {
        self.equal.is_none()
    }

    /// Refills a table for these rows, at most those of a strip.
    pub fn fill(&self, table: &mut MatchTable, rows: &[u8]) {
        match &self.equal {
            None => table.fill(self.codes.symbols, rows, std::slice::from_ref),
            Some(equal) => table.fill(self.codes.symbols, rows, |&code| &equal[usize::from(code)]),
        }
    }
}
