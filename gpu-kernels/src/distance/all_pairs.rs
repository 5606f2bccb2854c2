//! Computes the distances of all pairs of strings of two lists. Each bit of a register is one pair.
//!
//! **Problem.** For each string A of one list and each string B of another, compute the Levenshtein
//! distance, the distance without substitutions (indel distance), m + n - 2 LCS, or that of optimal
//! string alignment.
//!
//! **Idea.** In the usual bit-vectors, a word holds neighbouring rows of one table, and carries run
//! along it. Here, a word holds the same cell of 32 tables: one A against 32 Bs. So nothing is
//! added or shifted, and a cell takes a handful of logic instructions
//! ([`pair_cell`](crate::distance::pair_cell)). One word says for all 32 tables which symbols are
//! equal: the Bs that have A's symbol in this column.
//!
//! ```text
//! a warp: 32 As, one a lane, against a group of 32 Bs, one a bit
//!
//!           C columns: h in registers          the next C columns
//!         ┌──────────────────────────┐       ┌──────────────────
//! row 0   │ →  →  →  →  →  →  →  → v │       │ v →  →       v: the differences along the edge
//! row 1   │ →  →  →  →  →  →  →  → v │       │ v →  →       between two blocks, through
//!   ⋮     │            ⋮             │       │      ⋮       global memory
//! row m   └─ h ──────────────────────┘       └─ h ──        D[m][n] = m + the sum of h along
//!                                                           the last row
//! ```
//!
//! **Blocks of columns.** A lane takes all rows of A through C columns. The differences along the
//! bottom edges of these columns stay in registers. The differences along the right edge of the
//! block are written for each row, and read when the next C columns begin. So a row moves 16 bytes
//! to and from memory per 32 C cells (8 for the LCS, 32 for optimal string alignment). Two rows are
//! computed at a time, one cell apart.
//!
//! **Equal symbols.** The C columns of the Bs become a table in shared memory, with one row per
//! symbol: bit b of word c is set if B number b has that symbol in column c. A warp makes its own
//! table by setting bits, anew for each block of columns, so warps never wait for one another.
//! Lanes read the rows of different symbols; three forms of the table keep them in different banks
//! (`EqualityTable`).
//!
//! **Lengths.** Strings are sorted by length before they are grouped
//! ([`string_groups`](crate::distance::string_groups)), and all strings of a group end together.
//! Shorter strings have padding symbols in front, which equal only one another. The cells before a
//! string's start belong to a table with these symbols in front, whose edges have differences of 0
//! there:
//!
//! ```text
//! A = AC, B = C          .  ·  C     · in front of B: h = 0 along the top edge
//!                     .  0  0  1     the difference along the left edge is 1 in each row of A,
//!                     A  1  1  1     also under ·: this column equals no symbol of A, so it
//!                     C  2  2  1     leaves v the same. The distance is 1
//! ```
//!
//! In the same way, a row in front of A leaves h the same. Two padding symbols must count as equal,
//! so that their cell stays 0. (For the LCS all edges are 0, and padding must equal nothing.) So
//! there are no masks and no ragged ends, and all 32 lanes run the same loop.
//!
//! **Maximum.** If only distances up to a maximum are needed, a block of columns takes only the
//! rows of a band ([`band`](crate::distance::band)).
//!
//! **Sums.** The differences of the last row are added up C columns at a time
//! ([`last_row`](crate::distance::last_row)).
//!
//! **Cost** per 32 cells: 5 logic instructions, or 3 and 4 additions in another pipe (7 logic
//! instructions for optimal string alignment); a quarter of
//! a load from shared memory, or one or two loads for larger alphabets; and about 8 instructions
//! more per row and C columns. A block of columns costs 5 m C instructions, plus about 4 C for the
//! sums, and C / 2 loads and C atomic operations for the table.

use crate::collectives::claim::claim;
use crate::distance::band::DiagonalBand;
use crate::distance::last_row::{LastRow, SUM_BYTES, distance, for_columns};
use crate::distance::pair_cell::{
    Horizontal, INDEL, Instructions, LEVENSHTEIN, LeftCell, OSA, Symbols, Vertical, cell,
};
use crate::distance::pair_edges::{self, read_edge, write_edge};
use crate::distance::string_groups::{FIELDS, NO_STRING};
use simt_std::prelude::*;

/// Upper bound on the warps per block.
pub const WARPS: u32 = 8;

/// The code of a column's symbol that no row has. It has no row in the table.
pub const NO_ROW: u32 = 0xffff;

/// A table with one row per symbol, read four columns at a time: without bank conflicts for up to 8
/// symbols.
pub const FOURS: u32 = 0;
/// A table with one row per symbol, read one column at a time: without bank conflicts for up to 32
/// symbols.
pub const SINGLES: u32 = 1;
/// A table with one row per value of the lower half and of the upper half of a symbol's code, four
/// bits each. Symbols are equal if both halves are. Read two columns at a time: always without bank
/// conflicts. The code of a symbol is low | high << 8.
pub const HALVES: u32 = 2;

/// Rows per half in a table of halves: 16 values, and one for the padding.
const HALF: u32 = 17;

/// The padding code for a table of halves.
pub const PADDING_HALVES: u32 = (HALF - 1) | ((HALF - 1) << 8);

/// Returns the words from one row of the table to the next: at least C, and an odd multiple of the
/// words that one load takes, so that rows begin in different banks.
pub const fn pitch(columns: usize, table: u32) -> u32 {
    let c = columns as u32;
    match table {
        FOURS => (c.div_ceil(4) | 1) * 4,
        SINGLES => c | 1,
        _ => (c.div_ceil(2) | 1) * 2,
    }
}

/// Returns the bytes of shared memory per warp, for a table of `rows` rows. For a table of halves
/// the result does not depend on `rows`.
pub const fn warp_bytes(columns: usize, table: u32, rows: u32) -> u32 {
    let rows = if table == HALVES { 2 * HALF } else { rows };
    SUM_BYTES + (rows * pitch(columns, table) * 4).next_multiple_of(16)
}

/// Returns the words of `edges` per warp, for groups of `rows` rows including the padding.
pub const fn edge_words(cost: u32, rows: u32) -> u64 {
    // One extra pair of rows, since the kernel reads ahead.
    pair_edges::edge_words(cost, rows + 2)
}

/// Computes the distances of all pairs. Launch: any number of blocks of `warps` warps; they need
/// not all be resident.
///
/// `COST`: [`LEVENSHTEIN`], [`INDEL`] or [`OSA`]. `C`: columns per block, an even number, at most
/// 96. `TABLE`: [`FOURS`], [`SINGLES`] or [`HALVES`]. `LOGIC`: every `LOGIC`-th column uses logic
/// instructions only, the others also additions; with 1 all columns use logic only, as for [`OSA`],
/// with 0 none.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
pub struct AllPairs<const COST: u32, const C: usize, const TABLE: u32, const LOGIC: u32> {
    /// The groups of the rows' strings
    /// ([`StringGroups`](crate::distance::string_groups::StringGroups)). Codes are rows of the
    /// table: one per symbol, one for all symbols that no column has, and `padding`.
    pub row_groups: Global<u64>,
    /// Words of the rows' groups, and 32 more for the reads ahead.
    pub row_words: Global<u32>,
    /// Length of each of the rows' strings, 32 per group.
    pub row_lengths: Global<u32>,
    /// Index in `out` of each of the rows' strings, or [`NO_STRING`].
    pub row_indices: Global<u32>,
    /// Number of the rows' groups.
    pub row_count: u32,
    /// The groups of the columns' strings, filled up to multiples of C. Codes are as in
    /// `row_groups`, except that [`NO_ROW`] stands for symbols that no row has and, for the indel
    /// distance, for the padding.
    pub column_groups: Global<u64>,
    /// Words of the columns' groups.
    pub column_words: Global<u32>,
    /// Length of each of the columns' strings, 32 per group.
    pub column_lengths: Global<u32>,
    /// Index in `out` of each of the columns' strings, or [`NO_STRING`].
    pub column_indices: Global<u32>,
    /// Number of the columns' groups.
    pub column_count: u32,
    /// Rows of the table: the number of symbols plus two.
    pub table_rows: u32,
    /// The padding code in front of the rows' strings.
    pub padding: u32,
    /// Warps per block.
    pub warps: u32,
    /// Bytes of shared memory per block: at least `warps` × [`warp_bytes`].
    pub shared_bytes: u32,
    /// Upper bound on the reported distances: a greater distance is reported as `limit` + 1.
    pub limit: u32,
    /// Working memory for the differences between blocks of columns, `edge_words` for each warp of
    /// the launch. Its address is a multiple of 16 bytes.
    pub edges: Global<u32>,
    /// [`edge_words`] of the longest group of rows.
    pub edge_words: u64,
    /// Out: the distance of row string r and column string c, at `row_pitch` × index of
    /// r + `column_pitch` × index of c.
    pub out: Global<u32>,
    /// See `out`.
    pub row_pitch: u64,
    /// See `out`.
    pub column_pitch: u64,
    /// Number of claimed pairs of groups, for the host to show progress. 0 when the launch starts.
    pub claimed: Global<u32>,
}

/// The table of a warp: for each symbol and column, the Bs with that symbol there. Rows are
/// [`pitch`] words apart, so that different symbols of one column are in different banks:
///
/// ```text
/// FOURS, C = 8: pitch 12      banks  0  4  8 12 16 20 24 28     the first load of 8 lanes
///                                   s0 s3 s6 s1 s4 s7 s2 s5     with 8 symbols
/// ```
#[derive(Clone, Copy)]
struct EqualityTable<const C: usize, const TABLE: u32> {
    /// Byte address of the table.
    address: u32,
}

/// Byte addresses of a symbol's row, or of the rows of its two halves.
#[derive(Clone, Copy)]
struct TableRow {
    low: u32,
    high: u32,
}

impl<const C: usize, const TABLE: u32> EqualityTable<C, TABLE> {
    const ROW_BYTES: u32 = pitch(C, TABLE) * 4;

    #[inline(always)]
    fn row(self, code: u32) -> TableRow {
        if TABLE == HALVES {
            let low = self.address + (code & 0xff) * Self::ROW_BYTES;
            TableRow { low, high: self.address + HALF * Self::ROW_BYTES + (code >> 8) * Self::ROW_BYTES }
        } else {
            let low = self.address + code * Self::ROW_BYTES;
            TableRow { low, high: low }
        }
    }

    /// Returns the bits of the Bs that have the row's symbol, in the four columns from 4 × `four`
    /// on.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn equal(row: TableRow, four: u32) -> [u32; 4] {
        let mut equal = [0; 4];
        match TABLE {
            FOURS => U32x4(equal) = Shared::<U32x4>::at(row.low).read(four),
            SINGLES => {
                unroll!(k in [0 1 2 3] {
                    if ((4 * four + k) as usize) < C {
                        equal[k as usize] = Shared::<u32>::at(row.low).read(4 * four + k);
                    }
                });
            }
            _ => {
                unroll!(k in [0 1] {
                    if ((4 * four + 2 * k) as usize) < C {
                        let U32x2(low) = Shared::<U32x2>::at(row.low).read(2 * four + k);
                        let U32x2(high) = Shared::<U32x2>::at(row.high).read(2 * four + k);
                        equal[2 * k as usize] = low[0] & high[0];
                        equal[2 * k as usize + 1] = low[1] & high[1];
                    }
                });
            }
        }
        equal
    }

    /// Makes the table of C columns of a group of Bs. `columns` holds two columns per word.
    ///
    /// # Safety
    /// All lanes of the warp call it together.
    #[inline(always)]
    unsafe fn fill(self, columns: Global<u32>, table_rows: u32) {
        let lane = warp::lane_id();
        let table = Shared::<u32>::at(self.address);
        let rows = if TABLE == HALVES { 2 * HALF } else { table_rows };
        // SAFETY: the caller guarantees that all lanes are here. No lane still reads the previous
        // table.
        unsafe { warp::sync_warp(FULL_WARP) };
        let mut i = lane;
        while i < rows * pitch(C, TABLE) {
            table.write(i, 0);
            i += WARP;
        }
        // SAFETY: as above.
        unsafe { warp::sync_warp(FULL_WARP) };
        let set = |row: u32, column: u32| {
            atomic::fetch_or(Shared::<u32>::at(row), column, 1 << lane);
        };
        for pair in 0..C as u32 / 2 {
            let both = columns.read((pair * WARP + lane) as usize);
            unroll!(half in [0 1] {
                let code = both >> (16 * half) & 0xffff;
                if code != NO_ROW {
                    let row = self.row(code);
                    set(row.low, 2 * pair + half);
                    if TABLE == HALVES {
                        set(row.high, 2 * pair + half);
                    }
                }
            });
        }
        // SAFETY: as above.
        unsafe { warp::sync_warp(FULL_WARP) };
    }
}

impl<const COST: u32, const C: usize, const TABLE: u32, const LOGIC: u32> AllPairs<COST, C, TABLE, LOGIC> {
    #[inline(always)]
    fn cell(column: u32, equal: u32, h: &mut Horizontal, candidate: &mut u32, left: &mut LeftCell) {
        cell::<COST>(Instructions::for_column(column, LOGIC), Symbols::Equal(equal), h, candidate, left);
    }

    /// Reads the differences along the left edge of a pair of rows.
    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn read_edges(edges: Global<u32>, pair: u32) -> [LeftCell; 2] {
        let first = 2 * pair * WARP + warp::lane_id();
        [read_edge::<COST>(edges, first), read_edge::<COST>(edges, first + WARP)]
    }

    #[inline(always)]
    #[cfg_attr(not(target_arch = "nvptx64"), track_caller)]
    fn write_edges(edges: Global<u32>, pair: u32, [above, below]: [LeftCell; 2]) {
        let first = 2 * pair * WARP + warp::lane_id();
        write_edge::<COST>(edges, first, above);
        write_edge::<COST>(edges, first + WARP, below);
    }

    /// Takes the pairs of rows from `first` to before `end` through C columns. `h` holds the
    /// differences along the top edges of the columns before the call, and along the bottom edges
    /// after it.
    #[inline(always)]
    fn block(
        words: Global<u32>,
        (first, end): (u32, u32),
        table: EqualityTable<C, TABLE>,
        edges: Global<u32>,
        h: &mut [Horizontal; C],
    ) {
        let lane = warp::lane_id();
        // Reads the inputs of the next two rows while it computes these.
        let symbols = |pair: u32| words.read((pair * WARP + lane) as usize);
        let mut candidates = [0; C];
        let (mut next, mut next_edges) = (symbols(first), Self::read_edges(edges, first));
        for pair in first..end {
            let (both, mut left) = (next, next_edges);
            next = symbols(pair + 1);
            next_edges = Self::read_edges(edges, pair + 1);
            let (above, below) = (table.row(both & 0xffff), table.row(both >> 16));
            unroll!(four in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23] {
                if (4 * four as usize) < C {
                    let equal = [EqualityTable::<C, TABLE>::equal(above, four), EqualityTable::<C, TABLE>::equal(below, four)];
                    unroll!(k in [0 1 2 3] {
                        if ((4 * four + k) as usize) < C {
                            let c = (4 * four + k) as usize;
                            Self::cell(4 * four + k, equal[0][k as usize], &mut h[c], &mut candidates[c], &mut left[0]);
                            Self::cell(4 * four + k, equal[1][k as usize], &mut h[c], &mut candidates[c], &mut left[1]);
                        }
                    });
                }
            });
            Self::write_edges(edges, pair, left);
        }
    }

    /// Computes the distances of a group of As and a group of Bs.
    ///
    /// # Safety
    /// All lanes of the warp call it together.
    #[inline(always)]
    unsafe fn group(
        self,
        row_group: u32,
        column_group: u32,
        sums: LastRow,
        table: EqualityTable<C, TABLE>,
        edges: Global<u32>,
    ) {
        let lane = warp::lane_id();
        let rows = self.row_groups.skip(row_group as usize * FIELDS);
        let columns = self.column_groups.skip(column_group as usize * FIELDS);
        let row_string = (row_group * WARP + lane) as usize;
        let (row_index, length) = (self.row_indices.read(row_string), self.row_lengths.read(row_string));
        let out = self.out.skip((u64::from(row_index) * self.row_pitch) as usize);
        let column_strings = (column_group * WARP) as usize;
        let over = self.limit.saturating_add(1);
        // Least difference in length between the two groups: if it exceeds the limit, so do all
        // distances.
        let apart = rows.read(2).saturating_sub(columns.read(3)).max(columns.read(2).saturating_sub(rows.read(3)));
        if apart > u64::from(self.limit) {
            for b in 0..WARP as usize {
                let column_index = self.column_indices.read(column_strings + b);
                if row_index != NO_STRING && column_index != NO_STRING {
                    out.write((u64::from(column_index) * self.column_pitch) as usize, over);
                }
            }
            return;
        }

        let words = self.row_words.skip(rows.read(0) as usize);
        let pairs = rows.read(1) as u32 / 2;
        // The difference along the left edge is 1 (0 for the LCS), and 0 before the string. No
        // symbol equals one on the left of the first column.
        let edge = |code: u32| {
            let p = if COST == INDEL || code == self.padding { 0 } else { !0 };
            LeftCell { v: Vertical::new(p, 0), ..LeftCell::default() }
        };
        // One extra pair of rows, since the kernel reads ahead.
        for pair in 0..=pairs {
            let both = words.read((pair * WARP + lane) as usize);
            Self::write_edges(edges, pair, [edge(both & 0xffff), edge(both >> 16)]);
        }
        sums.clear();
        let mut column_words = self.column_words.skip(columns.read(0) as usize);
        let width = columns.read(1) as u32;
        let band = DiagonalBand::new(
            self.limit,
            (rows.read(2) as u32, rows.read(3) as u32),
            (columns.read(2) as u32, columns.read(3) as u32),
            2 * pairs,
            width,
        );
        for block in 0..width / C as u32 {
            let (first, end) = band.rows(block * C as u32, C as u32);
            // SAFETY: all lanes are here: the loop's bounds are the same in all lanes.
            unsafe { table.fill(column_words, self.table_rows) };
            let mut h = [[0; 2]; C];
            if COST != INDEL {
                // The difference along the top edge is 1, and 0 before the string.
                let padding = Shared::<u32>::at(table.row(self.padding).low);
                for_columns!(c, C, {
                    h[c as usize][0] = !padding.read(c);
                });
            }
            Self::block(words, (first / 2, end.div_ceil(2)), table, edges, &mut h);
            sums.add::<COST, C>(&h, LOGIC);
            column_words = column_words.skip(C / 2 * WARP as usize);
        }

        let totals = sums.totals();
        unroll!(b in [0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30 31] {
            let column = column_strings + b as usize;
            let column_index = self.column_indices.read(column);
            let n = self.column_lengths.read(column);
            let distance = distance::<COST>(length, n, totals[b as usize], width);
            if row_index != NO_STRING && column_index != NO_STRING {
                out.write((u64::from(column_index) * self.column_pitch) as usize, distance.min(over));
            }
        });
    }
}

#[kernel(
    max_threads = WARPS * WARP,
    threads = self.warps * WARP,
    shared = self.shared_bytes,
    instances = [
        all_pairs_fours_16_8: (LEVENSHTEIN, 16, 0, 8), all_pairs_fours_26_8: (LEVENSHTEIN, 26, 0, 8),
        all_pairs_fours_34_8: (LEVENSHTEIN, 34, 0, 8), all_pairs_fours_40_8: (LEVENSHTEIN, 40, 0, 8),
        all_pairs_fours_50_8: (LEVENSHTEIN, 50, 0, 8),
        all_pairs_singles_16_8: (LEVENSHTEIN, 16, 1, 8), all_pairs_singles_26_8: (LEVENSHTEIN, 26, 1, 8),
        all_pairs_singles_40_8: (LEVENSHTEIN, 40, 1, 8), all_pairs_singles_50_8: (LEVENSHTEIN, 50, 1, 8),
        all_pairs_halves_16_8: (LEVENSHTEIN, 16, 2, 8), all_pairs_halves_36_8: (LEVENSHTEIN, 36, 2, 8),
        all_pairs_halves_50_8: (LEVENSHTEIN, 50, 2, 8),
        all_pairs_indel_fours_16_2: (INDEL, 16, 0, 2), all_pairs_indel_fours_34_2: (INDEL, 34, 0, 2),
        all_pairs_indel_fours_50_2: (INDEL, 50, 0, 2), all_pairs_indel_fours_80_2: (INDEL, 80, 0, 2),
        all_pairs_indel_singles_16_2: (INDEL, 16, 1, 2), all_pairs_indel_singles_34_2: (INDEL, 34, 1, 2),
        all_pairs_indel_singles_50_2: (INDEL, 50, 1, 2), all_pairs_indel_singles_80_2: (INDEL, 80, 1, 2),
        all_pairs_indel_halves_16_2: (INDEL, 16, 2, 2), all_pairs_indel_halves_34_2: (INDEL, 34, 2, 2),
        all_pairs_indel_halves_50_2: (INDEL, 50, 2, 2),
        all_pairs_osa_fours_16_1: (OSA, 16, 0, 1), all_pairs_osa_fours_34_1: (OSA, 34, 0, 1),
        all_pairs_osa_singles_16_1: (OSA, 16, 1, 1), all_pairs_osa_singles_34_1: (OSA, 34, 1, 1),
        all_pairs_osa_halves_34_1: (OSA, 34, 2, 1),
    ]
)]
pub fn all_pairs<const COST: u32, const C: usize, const TABLE: u32, const LOGIC: u32>(
    self: AllPairs<COST, C, TABLE, LOGIC>,
) {
    let warp = thread::thread_idx_x() / WARP;
    let own = dynamic_shared_mem::<u8>().address() + warp * warp_bytes(C, TABLE, self.table_rows);
    let (sums, table) = (LastRow::at(own), EqualityTable { address: own + SUM_BYTES });
    let number = thread::block_idx_x() * self.warps + warp;
    let edges = self.edges.skip(number as usize * self.edge_words as usize);
    loop {
        // SAFETY: all lanes are here: they leave the loop together.
        let claimed = unsafe { claim(self.claimed, 0) };
        // A divisor must be at least 1: a possible division by 0 would compile to a call of the
        // panic handler.
        let row_count = self.row_count.max(1);
        let (row_group, column_group) = (claimed % row_count, claimed / row_count);
        if column_group >= self.column_count || self.row_count == 0 {
            break;
        }
        // SAFETY: as above.
        unsafe { self.group(row_group, column_group, sums, table, edges) };
    }
}
