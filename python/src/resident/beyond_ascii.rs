//! Texts beyond ASCII in two columns in the memory of a GPU, which compares bytes: the host
//! compares their characters.

use super::column::ResidentColumn;
use crate::compared::{Text, of_column};
use crate::symbols::Kind;
use carrywave::Result;
use carrywave::error::UsageFault;
use rayon::prelude::*;

/// The pairs of two columns, side by side, that have a text with a character beyond ASCII.
pub struct BeyondAscii {
    /// Their rows, in order.
    pub rows: Vec<usize>,
    strings: [Vec<Vec<u8>>; 2],
    is_text: [bool; 2],
}

impl BeyondAscii {
    /// Copies the strings of these pairs to the host, but for pairs with a missing string.
    pub fn of(columns: [&ResidentColumn; 2]) -> Result<Self> {
        let is_text = columns.map(|column| column.kind == Some(Kind::Text));
        let mut rows = Vec::new();
        for (column, _) in columns.into_iter().zip(is_text).filter(|(_, is_text)| *is_text) {
            rows.extend_from_slice(column.column.rows_beyond_ascii()?);
        }
        rows.sort_unstable();
        rows.dedup();
        // The bytes of a missing string may be anything.
        rows.retain(|&row| columns.iter().all(|column| column.column.missing().get(row) != Some(&true)));
        let [a, b] = columns;
        let strings = [a.column.strings(&rows)?, b.column.strings(&rows)?];
        Ok(Self { rows, strings, is_text })
    }

    /// Returns the strings of each row.
    pub fn pairs(&self) -> Result<Vec<(Text<'_>, Text<'_>)>> {
        let ([a, b], [is_text_a, is_text_b]) = (&self.strings, self.is_text);
        let both = a.par_iter().zip(b);
        let pairs: Option<Vec<_>> =
            both.map(|(x, y)| Some((of_column(x, is_text_a)?, of_column(y, is_text_b)?))).collect();
        pairs.ok_or_else(|| UsageFault::Syntax.error("a string of Arrow is not UTF-8"))
    }
}
