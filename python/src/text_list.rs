//! Texts, or strings of bytes, that are converted for comparison a part at a time, on any thread.

use crate::arrow::{Chunk, StringColumn, StringSpan};
use crate::compared::{Text, of_column};
use crate::copied::Copied;
use carrywave::pairs::{self, PairString};
use rayon::prelude::*;
use std::ops::Range;

/// A list of texts, or of strings of bytes. Some may be missing.
pub enum TextList<'a> {
    Copied(&'a Copied),
    /// A column whose texts are UTF-8.
    Column {
        column: &'a StringColumn,
        is_text: bool,
    },
    Texts(Vec<Option<Text<'a>>>),
}

impl TextList<'_> {
    /// Number of strings that a thread should convert at a time: they stay in its cache.
    pub const PART: usize = Copied::PART;

    pub fn len(&self) -> usize {
        match self {
            Self::Copied(copied) => copied.len(),
            Self::Column { column, .. } => column.len(),
            Self::Texts(texts) => texts.len(),
        }
    }

    /// Returns the strings of some rows, with `None` for each missing one.
    pub fn part(&self, rows: Range<usize>) -> Vec<Option<Text<'_>>> {
        match self {
            Self::Copied(copied) => rows.map(|row| copied.get(row).map(Text::from)).collect(),
            Self::Column { column, is_text } => {
                let texts = column.part(rows).map(|(chunk, span)| {
                    let is_encoded = *is_text && !chunk.is_ascii;
                    of_column(chunk.string(span?), is_encoded)
                });
                texts.collect()
            }
            Self::Texts(texts) => texts[rows].iter().map(|text| text.as_ref().map(Text::borrowed)).collect(),
        }
    }

    /// Returns the numbers of symbols of some strings, 0 for each missing one.
    fn lengths(&self, rows: Range<usize>) -> Vec<usize> {
        let of_text = |text: Option<pairs::Symbols<'_>>| text.map_or(0, |text| text.len());
        match self {
            Self::Copied(copied) => {
                rows.map(|row| of_text(copied.get(row).as_ref().map(PairString::symbols))).collect()
            }
            Self::Column { column, is_text } => {
                // Each character has one byte that does not continue another.
                let characters = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte & 0xc0 != 0x80).count();
                let len = |(chunk, span): (&Chunk, Option<StringSpan>)| match span {
                    Some(span) if *is_text && !chunk.is_ascii => characters(chunk.string(span)),
                    span => span.map_or(0, |span| span.len),
                };
                column.part(rows).map(len).collect()
            }
            Self::Texts(texts) => {
                texts[rows].iter().map(|text| of_text(text.as_ref().map(PairString::symbols))).collect()
            }
        }
    }

    /// Returns the ranges of rows that are converted at a time.
    fn parts(&self) -> impl IndexedParallelIterator<Item = Range<usize>> {
        let len = self.len();
        let part = move |part| part * Self::PART..len.min((part + 1) * Self::PART);
        (0..len.div_ceil(Self::PART)).into_par_iter().map(part)
    }

    /// Returns the mean number of symbols.
    pub fn mean(&self) -> usize {
        let symbols = self.parts().map(|rows| self.lengths(rows).iter().sum::<usize>());
        symbols.sum::<usize>() / self.len().max(1)
    }

    pub fn is_any_missing(&self) -> bool {
        match self {
            Self::Copied(copied) => copied.texts().any(|text| text.is_none()),
            Self::Column { column, .. } => column.strings().any(|string| string.is_none()),
            Self::Texts(texts) => texts.iter().any(Option::is_none),
        }
    }

    /// Returns the cells of the tables of the strings of two lists of one length, side by side.
    pub fn cells(&self, other: &TextList<'_>) -> u64 {
        let cells = |rows: Range<usize>| -> u64 {
            let [m, n] = [self.lengths(rows.clone()), other.lengths(rows)];
            m.into_iter().zip(n).map(|(m, n)| (m as u64).saturating_mul(n as u64)).sum()
        };
        self.parts().map(cells).sum()
    }
}
