//! A comparison by the rules of Kawanami and Fujimoto (2014): Hirschberg's recursion of their
//! listing 2, turned to columns as in their section 3.1, and their choice of the means for a last
//! column (section 3.5).
//!
//! ```text
//! lcs(A of m symbols, B of n):
//!     no symbol in one of them: nothing
//!     B is one symbol: its first position in A
//!     L1 = llcs(A, first half of B)                              ⌊n / 2⌋ columns
//!     L2 = llcs(A reversed, second half of B reversed)           ⌈n / 2⌉ columns
//!     k = the least row where L1[k] + L2[m - k] is greatest
//!     lcs(first k symbols of A, first half of B), then lcs(the rest of A, second half of B)
//! ```
//!
//! So B is cut and A never is, whichever is longer, and nothing is matched without a table. With a
//! GPU, one step follows the other. Their program for the CPU alone (section 4.1) is here too: the
//! two columns of a cut are tasks, and so are the two calls after it; a column is computed by one
//! thread, in words. This project's own recursion is `hirschberg` in [`pairwise`](crate::pairwise).

use super::cpu::columns::CpuColumns;
use super::cpu::{LastColumn, bit_parallel, dp};
use super::problem::Lcs;
use super::rules::Rules;
use crate::alignment::Run;
use crate::device::EngineKind;
use crate::error::Result;
use crate::pairwise::attempt::Wanted;
use crate::pairwise::columns::{Columns, Direction, LcsColumn, best_cut};
use crate::pairwise::comparison::{Engines, Settings};
use crate::pairwise::cuts::{Part, Side};
use std::ops::Range;

/// Minimum total length of both strings, in symbols, for a last column on the GPU.
const DEVICE_SYMBOLS: usize = 2048;

/// Rows (symbols of A) below which dynamic programming computes a column on the CPU.
const BIT_VECTOR_ROWS: usize = 96;

/// Columns (symbols of B) below which dynamic programming computes a column on the CPU.
const BIT_VECTOR_COLUMNS: usize = 256;

/// The means to compute a last column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Method {
    /// The GPU.
    Device,
    /// The CPU, by bit-vectors.
    BitVectors,
    /// The CPU, by dynamic programming.
    Table,
}

impl Method {
    /// Chooses the means for m rows and n columns, with or without a GPU.
    fn choose(m: usize, n: usize, has_device: bool) -> Self {
        if has_device && m + n >= DEVICE_SYMBOLS {
            Self::Device
        } else if m < BIT_VECTOR_ROWS || n < BIT_VECTOR_COLUMNS {
            Self::Table
        } else {
            Self::BitVectors
        }
    }
}

/// Solves a comparison by the published rules.
///
/// # Errors
/// [`Unsupported`](crate::Error::Unsupported) for an algorithm that the rules do not cover; the
/// errors of the comparison.
pub(super) fn solved<R: Send>(
    settings: &Settings<'_, Lcs>,
    a: &[u8],
    b: &[u8],
    solve: fn(&Published<'_>) -> Result<R>,
) -> Result<R> {
    Rules::Published.check(settings.algorithm)?;
    settings.run(a, b, Wanted::Columns, &|engines: Engines<'_, '_, Lcs>| {
        // An algorithm of the CPU stands for the program without a GPU.
        let is_cpu = settings.algorithm.about(EngineKind::Cpu).is_some();
        let device = if is_cpu { None } else { Some(&**engines.large as &dyn Columns) };
        solve(&Published::new([a, b], device, engines.progress))
    })
}

/// Two strings and the engines that compute on them.
pub(super) struct Published<'s> {
    lengths: [usize; 2],
    strings: [&'s [u8]; 2],
    /// `None` for the program of the CPU alone.
    device: Option<&'s dyn Columns>,
    /// As in the paper: in words, each column on one thread.
    bit_vectors: CpuColumns<'s>,
    table: CpuColumns<'s>,
}

impl<'s> Published<'s> {
    /// Takes two strings, and a device if there is one. `progress` gets the number of cells that
    /// the CPU computes.
    pub fn new(strings: [&'s [u8]; 2], device: Option<&'s dyn Columns>, progress: &'s (dyn Fn(u64) + Sync)) -> Self {
        let on_cpu = |last_column: LastColumn| CpuColumns { strings, last_column, progress };
        Self {
            lengths: strings.map(<[u8]>::len),
            strings,
            device,
            bit_vectors: on_cpu(bit_parallel::by_words),
            table: on_cpu(dp::watched),
        }
    }

    /// Computes the length of an LCS by one last column.
    pub fn length(&self) -> Result<u64> {
        let [m, n] = self.lengths;
        if m == 0 || n == 0 {
            return Ok(0);
        }
        let part = |side, len| Part { side, range: 0..len };
        Ok(self.column(&part(Side::A, m), &part(Side::B, n), Direction::Forward)?.last() as u64)
    }

    /// Finds an LCS, with one run per match, in order.
    pub fn runs(&self) -> Result<Vec<Run>> {
        let mut runs = Vec::new();
        self.solve(0..self.lengths[0], 0..self.lengths[1], &mut runs)?;
        Ok(runs)
    }

    /// Appends the matches of an LCS of two parts. Each call halves B, so at most 64 calls are open
    /// at a time.
    fn solve(&self, a: Range<usize>, b: Range<usize>, runs: &mut Vec<Run>) -> Result<()> {
        if a.is_empty() || b.is_empty() {
            return Ok(());
        }
        if b.len() == 1 {
            let [text, other] = self.strings;
            let first = text[a.clone()].iter().position(|&symbol| symbol == other[b.start]);
            runs.extend(first.map(|i| Run { a_start: (a.start + i) as u64, b_start: b.start as u64, len: 1 }));
            return Ok(());
        }
        let rows = Part { side: Side::A, range: a.clone() };
        let columns = Part { side: Side::B, range: b.clone() };
        let (before, after) = columns.split(b.len() / 2);
        let forward = || self.column(&rows, &before, Direction::Forward);
        let backward = || self.column(&rows, &after, Direction::Backward);
        let (forward, backward) =
            if self.device.is_some() { (forward(), backward()) } else { rayon::join(forward, backward) };
        let k = a.start + best_cut(&forward?, &backward?).row;
        if self.device.is_some() {
            self.solve(a.start..k, before.range, runs)?;
            return self.solve(k..a.end, after.range, runs);
        }
        let mut others = Vec::new();
        let first = || self.solve(a.start..k, before.range, runs);
        let (first, second) = rayon::join(first, || self.solve(k..a.end, after.range, &mut others));
        first?;
        runs.append(&mut others);
        second
    }

    /// Computes a last column by the means of the rule.
    fn column(&self, rows: &Part, columns: &Part, direction: Direction) -> Result<LcsColumn> {
        let engine: &dyn Columns =
            match (Method::choose(rows.range.len(), columns.range.len(), self.device.is_some()), self.device) {
                (Method::Device, Some(device)) => device,
                (Method::Table, _) => &self.table,
                _ => &self.bit_vectors,
            };
        engine.directed_column(rows, columns, direction)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Section 3.5: the GPU computes columns of at least 2,048 symbols in total. Of the others,
    /// dynamic programming computes those with fewer than 96 symbols of A or fewer than 256 of B.
    #[test]
    fn the_paper_s_constants_decide_at_their_borders() {
        let cases = [
            (2047, 1, Method::Device),
            (1, 2047, Method::Device),
            (1024, 1024, Method::Device),
            (1024, 1023, Method::BitVectors),
            (96, 256, Method::BitVectors),
            (95, 256, Method::Table),
            (96, 255, Method::Table),
            (95, 1952, Method::Table),
            (95, 1953, Method::Device),
            (1, 1, Method::Table),
        ];
        for (m, n, expected) in cases {
            assert_eq!(Method::choose(m, n, true), expected, "{m} × {n}");
            let on_cpu = if m < 96 || n < 256 { Method::Table } else { Method::BitVectors };
            assert_eq!(Method::choose(m, n, false), on_cpu, "{m} × {n} without a GPU");
        }
    }
}
