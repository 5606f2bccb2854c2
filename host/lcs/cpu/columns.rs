//! The CPU engine for Hirschberg's recursion: last columns of parts of two strings.

use super::algorithm::LastColumn;
use crate::error::Result;
use crate::pairwise::columns::{Columns, Direction, LcsColumn};
use crate::pairwise::cuts::{Cut, CutRequest, Cuts, Part, check};

/// The CPU engine for two strings.
pub struct CpuColumns<'s> {
    /// A and B.
    pub strings: [&'s [u8]; 2],
    /// Function that computes last columns.
    pub last_column: LastColumn,
    /// Callback that gets the number of cells done since its last call.
    pub progress: &'s (dyn Fn(u64) + Sync),
}

impl Cuts for CpuColumns<'_> {
    fn cuts(&self, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        requests.iter().map(|request| self.cut(request)).collect()
    }

    fn value(&self, rows: &Part, columns: &Part) -> Result<u64> {
        Ok(self.column(rows, columns)?.last() as u64)
    }
}

impl Columns for CpuColumns<'_> {
    fn directed_column(&self, rows: &Part, columns: &Part, direction: Direction) -> Result<LcsColumn> {
        check(rows, columns, None, self.strings.map(<[u8]>::len))?;
        let text = |part: &Part| &self.strings[part.side as usize][part.range.clone()];
        Ok((self.last_column)(text(rows), text(columns), direction, self.progress))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lcs::cpu::dp;
    use crate::pairwise::cuts::Side;

    #[test]
    fn parts_that_are_not_in_the_strings_are_refused() {
        let engine = CpuColumns { strings: [b"ACGT", b"AC"], last_column: dp::watched, progress: &|_| () };
        let part = |side, range| Part { side, range };
        let (a, b) = (part(Side::A, 0..4), part(Side::B, 0..2));
        assert_eq!(engine.column(&a, &b).map(|c| c.last()).ok(), Some(2));
        assert!(engine.column(&part(Side::A, 0..5), &b).is_err());
        assert!(engine.column(&a, &part(Side::B, 1..1)).is_err());
        assert!(engine.halves(&a, &b, 1).is_ok());
        for middle in [0, 2, 3] {
            let error = engine.halves(&a, &b, middle).err().map(|error| error.to_string()).unwrap_or_default();
            assert!(error.contains("has no two halves"), "{middle}: {error}");
        }
    }
}
