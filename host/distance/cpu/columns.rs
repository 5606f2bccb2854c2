//! The CPU engine for Hirschberg's recursion: cuts parts of two strings by edit distance.

use super::algorithm::{DistanceTable, LastColumn};
use super::bit_parallel::is_faster_exchanged;
use crate::error::Result;
use crate::pairwise::columns::{Direction, EditColumns};
use crate::pairwise::cuts::{Cut, CutRequest, Cuts, Part, check};
use crate::pairwise::differences::{Differences, FirstColumn, least_cut};
use crate::text::Equality;

/// The CPU engine for two strings.
pub struct CpuColumns<'s> {
    /// A and B.
    pub strings: [&'s [u8]; 2],
    /// Equality of their symbols.
    pub equality: &'s Equality,
    /// Function that computes last columns.
    pub last_column: LastColumn,
    /// Callback that gets the number of cells done since its last call.
    pub progress: &'s (dyn Fn(u64) + Sync),
}

impl CpuColumns<'_> {
    fn column(&self, rows: &Part, columns: &Part, direction: Direction, first: FirstColumn) -> Differences {
        let text = |part: &Part| &self.strings[part.side as usize][part.range.clone()];
        let table = DistanceTable { rows: text(rows), cols: text(columns), direction, first, equality: self.equality };
        (self.last_column)(&table, self.progress)
    }

    fn cut(&self, request: &CutRequest) -> Result<Cut> {
        let CutRequest { rows, columns, middle } = request;
        check(rows, columns, Some(*middle), self.strings.map(<[u8]>::len))?;
        let (before, after) = columns.split(*middle);
        let (forward, backward) = rayon::join(
            || self.column(rows, &before, Direction::Forward, FirstColumn::Rising),
            || self.column(rows, &after, Direction::Backward, FirstColumn::Rising),
        );
        Ok(least_cut(&forward, &backward))
    }
}

impl Cuts for CpuColumns<'_> {
    fn cuts(&self, requests: &[CutRequest]) -> Result<Vec<Cut>> {
        requests.iter().map(|request| self.cut(request)).collect()
    }

    fn value(&self, rows: &Part, columns: &Part) -> Result<u64> {
        check(rows, columns, None, self.strings.map(<[u8]>::len))?;
        let text = |part: &Part| &self.strings[part.side as usize][part.range.clone()];
        // The equality of different symbols is that of rows with columns.
        let exchange = self.equality.is_exact() && is_faster_exchanged(text(rows), text(columns));
        let (rows, columns) = if exchange { (columns, rows) } else { (rows, columns) };
        Ok(self.column(rows, columns, Direction::Forward, FirstColumn::Rising).last())
    }
}

impl EditColumns for CpuColumns<'_> {
    fn edit_column(
        &self,
        rows: &Part,
        columns: &Part,
        direction: Direction,
        first: FirstColumn,
    ) -> Result<Differences> {
        check(rows, columns, None, self.strings.map(<[u8]>::len))?;
        Ok(self.column(rows, columns, direction, first))
    }
}

#[cfg(test)]
mod tests {
    use super::super::{bit_parallel, bit_table, dp};
    use super::*;
    use crate::alignment::runs::CommonSubsequence;
    use crate::cpu::codes::random;
    use crate::pairwise::cuts::Side;
    use crate::pairwise::hirschberg::{Recursion, Symbols};
    use crate::pairwise::similar::{Costs, script_cost};

    #[test]
    fn parts_that_are_not_in_the_strings_are_refused() {
        let equality = Equality::exact();
        let engine =
            CpuColumns { strings: [b"ACGT", b"AC"], equality: &equality, last_column: dp::of_table, progress: &|_| () };
        let request = |columns, middle| CutRequest {
            rows: Part { side: Side::B, range: 0..2 },
            columns: Part { side: Side::A, range: columns },
            middle,
        };
        assert_eq!(engine.cuts(&[request(0..4, 2)]).ok(), Some(vec![Cut { row: 2, length: 2 }]));
        for wrong in [request(0..5, 2), request(0..4, 0), request(0..4, 4), request(1..1, 0)] {
            assert!(engine.cuts(std::slice::from_ref(&wrong)).is_err(), "{wrong:?}");
        }
    }

    /// Few rows give each of many threads a strip; few columns do not.
    #[test]
    fn a_table_of_few_columns_is_exchanged() {
        let (long, short) = (random(60_000, 4, 1), random(1000, 4, 2));
        let equality = Equality::exact();
        let engine = CpuColumns {
            strings: [&long, &short],
            equality: &equality,
            last_column: bit_parallel::last_column,
            progress: &|_| (),
        };
        let [a, b] = [(Side::A, 60_000), (Side::B, 1000)].map(|(side, len)| Part { side, range: 0..len });
        let expected = dp::last_column(&long, &short, Direction::Forward).last();
        let pool = rayon::ThreadPoolBuilder::new().num_threads(16).build().unwrap();
        pool.install(|| {
            assert!(is_faster_exchanged(&long, &short) && !is_faster_exchanged(&short, &long));
            assert_eq!(engine.value(&a, &b).ok(), Some(expected));
            assert_eq!(engine.value(&b, &a).ok(), Some(expected));
        });
    }

    struct Exact;

    impl Symbols<u8> for Exact {
        fn match_each_other(&self, a: u8, b: u8) -> bool {
            a == b
        }

        fn leaf(&self, a: &[u8], b: &[u8]) -> Vec<crate::alignment::Run> {
            bit_table::script_by(a, b, &Equality::exact())
        }
    }

    #[test]
    fn hirschberg_s_recursion_gives_a_script_of_the_distance() {
        for (m, n, symbols) in [(0, 9, 4), (300, 500, 2), (777, 640, 4), (500, 500, 100), (2, 900, 3)] {
            let (a, b) = (random(m, symbols, 5), random(n, symbols, 6));
            for last_column in [bit_parallel::last_column, dp::of_table] {
                let equality = Equality::exact();
                let engine = CpuColumns { strings: [&a, &b], equality: &equality, last_column, progress: &|_| () };
                for leaf_cells in [4, 100, 10_000, 1 << 30] {
                    let recursion = Recursion {
                        a: &a,
                        b: &b,
                        engine: &engine,
                        small: &engine,
                        is_large: &|_, _, _| false,
                        leaf_cells,
                        symbols: Exact,
                    };
                    let runs = recursion.solve().unwrap();
                    let expected = dp::last_column(&a, &b, Direction::Forward).last();
                    assert_eq!(
                        script_cost(&runs, m, n, Costs::Levenshtein),
                        expected,
                        "{m} x {n}, leaves of {leaf_cells}"
                    );
                    CommonSubsequence::new(runs, m as u64, n as u64).unwrap().verify(&a, &b).unwrap();
                }
            }
        }
    }
}
