//! Restricts a table to the band that matters if only distances up to a maximum are needed (Ukkonen
//! 1985).
//!
//! A path of at most k insertions and deletions from the corner to D\[m\]\[n\], with d = m - n,
//! stays on the diagonals i - j from (d - k) / 2 to (d + k) / 2. Outside this band, D is taken to
//! grow by 1 per step away from the band. These values are never less than the true ones. If the
//! distance is at most k, the values along the path are exact, and so is the last one.
//!
//! ```text
//!        C columns    the next C
//!      ┌───────────┬───────────┐
//!      │ · · · · · │  h = 1    │
//!      │ · · · · · │ · · · · · │
//!      │ · · · · · │ · · · · · │
//!      └─── h ─────┤ · · · · · │
//!          v = 1   └─── h ─────┘
//! ```
//!
//! A block of columns takes the rows of its diagonals. Rows that it does not take keep the
//! difference of 1 along their left edge. The next block drops the rows above its own, and begins
//! with differences of 1 along its top edge.
//!
//! The bottom edges of all blocks, and steps of difference 1 from one bottom edge down to the next,
//! form a path to the end. So D\[m\]\[n\] is m plus the sum of h along the bottom edges, even where
//! these are not in the last row.

/// The computed diagonals of a table. Tables have `height` × `width` cells including the padding in
/// front of their strings; all strings end together.
#[derive(Debug, Clone, Copy)]
pub struct DiagonalBand {
    height: i32,
    /// The first row of a block that would begin at column 0, and the end of its rows before the
    /// width of the block is added.
    first: i32,
    end: i32,
}

impl DiagonalBand {
    /// Returns the band for all pairs of strings of `m` and of `n` symbols, each a range from least
    /// to most. Some pairs must differ in length by at most `limit`.
    #[inline(always)]
    pub fn new(limit: u32, m: (u32, u32), n: (u32, u32), height: u32, width: u32) -> Self {
        // No distance is greater than the sum of the lengths.
        let k = limit.min(m.1 + n.1) as i32;
        let least = (m.0 as i32 - n.1 as i32).max(-k);
        let most = (m.1 as i32 - n.0 as i32).min(k);
        // Relative to the diagonal on which all tables end, the path is on diagonals -(k + d) / 2
        // to (k - d) / 2.
        let to_end = height as i32 - width as i32;
        Self { height: height as i32, first: to_end - (k + most + 1) / 2, end: to_end + (k - least + 1) / 2 + 1 }
    }

    /// Returns the rows of a block of columns: the first row, and the row after the last.
    #[inline(always)]
    #[allow(clippy::manual_clamp, reason = "as below")]
    pub fn rows(self, column: u32, columns: u32) -> (u32, u32) {
        // `clamp` would panic if the bounds are in the wrong order.
        let first = (column as i32 + self.first).max(0).min(self.height);
        let end = ((column + columns) as i32 + self.end).max(first).min(self.height);
        (first as u32, end as u32)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_band_has_all_paths_of_so_few_edits() {
        for (m, n) in [(0u32, 0u32), (0, 3), (5, 2), (9, 9), (7, 12)] {
            let (height, width) = (m + 3, n + 1);
            for k in (m.abs_diff(n)..14).chain([u32::MAX]) {
                let band = DiagonalBand::new(k, (m, m), (n, n), height, width);
                for i in 0..=m {
                    for j in 1..=n {
                        // Insertions and deletions of the shortest path through node (i, j).
                        let edits = i.abs_diff(j) + (m - i).abs_diff(n - j);
                        let (row, column) = (i + 3, j + 1);
                        let (first, end) = band.rows(column - 1, 1);
                        let computed = first < row && row <= end;
                        assert!(computed || edits > k || row == first, "{m} × {n}, {k}: {i}, {j}: {first}..{end}");
                    }
                }
            }
        }
    }
}
