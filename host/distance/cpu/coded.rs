//! Two strings in codes, and the relation between the codes of rows and columns that match.

use super::algorithm::DistanceTable;
use super::strip::MatchTable;
use crate::cpu::codes::Codes;
use crate::pairwise::columns::Direction;
use crate::text::Class;

/// A table's strings in codes.
pub(super) struct Coded {
    pub codes: Codes,
    /// Codes of the columns that are equal to each code of the rows; `None` if equal symbols have
    /// the same code.
    equal: Option<Box<[Vec<u8>; 256]>>,
}

impl Coded {
    /// Encodes both strings, in the order of filling the table.
    pub fn new(table: &DistanceTable<'_>) -> Self {
        let DistanceTable { rows, cols, direction, equality, .. } = *table;
        let backward = direction == Direction::Backward;
        if equality.is_exact() {
            return Self { codes: Codes::new(rows, cols, backward), equal: None };
        }
        // The rows stay unchanged. The symbols of the columns are numbered in ascending order.
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

    /// Creates strings from codes that are equal if and only if their symbols are.
    pub fn of_codes(codes: Codes) -> Self {
        Self { codes, equal: None }
    }

    /// Returns true if equal symbols have the same code.
    pub fn is_exact(&self) -> bool {
        self.equal.is_none()
    }

    /// Refills a match table for these rows, at most those of one strip.
    pub fn fill(&self, table: &mut MatchTable, rows: &[u8]) {
        match &self.equal {
            None => table.fill(self.codes.symbols, rows, std::slice::from_ref),
            Some(equal) => table.fill(self.codes.symbols, rows, |&code| &equal[usize::from(code)]),
        }
    }
}
