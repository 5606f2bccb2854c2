//! The CPU engine, checked against an independent full-table oracle.
mod common;

use std::sync::atomic::{AtomicU64, Ordering};

use carrywave::alignment::Run;
use carrywave::internal::lcs::cpu::{ALGORITHMS, LastColumn, bit_table};
use carrywave::internal::pairwise::Direction;
use common::oracle::lcs as oracle;
use common::texts::{relative, text};
use common::vectors::again_with_less;
use proptest::prelude::*;

/// Lengths around every boundary of the engine: words, strips, and the growth in the tests.
const LENGTHS: [usize; 24] =
    [0, 1, 2, 31, 32, 33, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 2047, 2048, 2049];

/// Alphabet sizes, including all bytes.
const SYMBOLS: [usize; 5] = [1, 2, 4, 20, 256];

fn lengths(last_column: LastColumn, rows: &[u8], cols: &[u8], direction: Direction) -> Vec<usize> {
    let done = AtomicU64::new(0);
    let column = last_column(rows, cols, direction, &|cells| {
        done.fetch_add(cells, Ordering::Relaxed);
    });
    assert_eq!(done.into_inner(), (rows.len() * cols.len()) as u64, "cells reported");
    column.lengths()
}

/// Checks the whole column, by every algorithm in both directions.
fn check_columns(rows: &[u8], cols: &[u8]) {
    let expected =
        [(Direction::Forward, oracle::prefixes(rows, cols)), (Direction::Backward, oracle::suffixes(rows, cols))];
    for (direction, expected) in expected {
        for row in ALGORITHMS {
            let (name, sizes) = (row.about.name, (rows.len(), cols.len()));
            let Some(last_column) = row.columns() else { continue };
            assert_eq!(lengths(last_column, rows, cols, direction), expected, "{name}, {direction:?}, {sizes:?}");
        }
    }
}

/// Checks that the runs lie within both strings, ascend, are maximal and have equal symbols, and
/// that their total is the oracle's.
fn check_runs(runs: &[Run], a: &[u8], b: &[u8], length: usize) {
    let (mut i, mut j, mut total) = (0, 0, 0);
    for (k, run) in runs.iter().enumerate() {
        let (start_a, start_b, len) = (run.a_start as usize, run.b_start as usize, run.len as usize);
        assert!(len >= 1 && start_a >= i && start_b >= j, "runs overlap: {runs:?}");
        assert!(k == 0 || (start_a, start_b) != (i, j), "runs that should be one: {runs:?}");
        assert_eq!(a[start_a..start_a + len], b[start_b..start_b + len], "not a match: {run:?}");
        (i, j, total) = (start_a + len, start_b + len, total + len);
    }
    assert_eq!(total, length, "length of the LCS");
}

fn check_lcs(a: &[u8], b: &[u8]) {
    let length = oracle::prefixes(a, b)[a.len()];
    check_runs(&bit_table::lcs(a, b), a, b, length);
}

#[test]
fn every_boundary_of_the_rows() {
    for (k, &m) in LENGTHS.iter().enumerate() {
        for symbols in SYMBOLS {
            check_columns(&text(m, symbols, 1), &text([0, 1, 64, 65, 193][k % 5], symbols, 2));
        }
    }
}

#[test]
fn every_boundary_of_the_columns() {
    for (k, &n) in LENGTHS.iter().enumerate() {
        for symbols in SYMBOLS {
            check_columns(&text([1, 64, 65, 257, 320][k % 5], symbols, 3), &text(n, symbols, 4));
        }
    }
}

#[test]
fn small_squares_exhaustively() {
    for m in 0..=7u32 {
        for n in 0..=5u32 {
            for bits in 0..1u32 << (m + n) {
                let rows: Vec<u8> = (0..m).map(|i| (bits >> i & 1) as u8).collect();
                let cols: Vec<u8> = (m..m + n).map(|j| (bits >> j & 1) as u8).collect();
                check_columns(&rows, &cols);
                check_lcs(&rows, &cols);
            }
        }
    }
}

#[test]
fn tables_at_the_boundaries() {
    for &m in &LENGTHS[..18] {
        for n in [0, 1, 63, 64, 65, 200] {
            for symbols in SYMBOLS {
                let (a, b) = (text(m, symbols, 5), text(n, symbols, 6));
                check_lcs(&a, &b);
                check_lcs(&b, &a);
            }
        }
    }
}

#[test]
fn symbols_that_only_one_string_has() {
    let (rows, cols) = (vec![b'x'; 700], vec![b'y'; 700]);
    check_columns(&rows, &cols);
    check_lcs(&rows[..70], &cols);
    let every: Vec<u8> = (0..=255).chain((0..=255).rev()).collect();
    check_columns(&every, &every);
    check_columns(&every, b"a");
    check_columns(b"a", &every);
}

/// More than one band and block under the production thresholds, in pools of one and of several
/// threads.
#[test]
fn wavefront_of_several_tiles() {
    for threads in [1, 2, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        for (m, n, symbols) in [(4100, 8300, 4), (8200, 4200, 64), (2049, 12_289, 2)] {
            let rows = text(m, symbols, 7);
            let cols = if m > n { relative(&rows, n, symbols, 8) } else { text(n, symbols, 8) };
            assert!(rows.len() * cols.len() > 1 << 24, "too small to run in parallel");
            pool.install(|| check_columns(&rows, &cols));
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn columns_equal_the_oracle(
        m in prop::sample::select(LENGTHS.to_vec()),
        n in prop::sample::select(LENGTHS[..21].to_vec()),
        symbols in prop::sample::select(SYMBOLS.to_vec()),
        seed in any::<u32>(),
        related in any::<bool>(),
    ) {
        let rows = text(m, symbols, u64::from(seed));
        let cols = if related {
            relative(&rows, n, symbols, u64::from(seed) + 1)
        } else {
            text(n, symbols, u64::from(seed) + 2)
        };
        check_columns(&rows, &cols);
    }

    #[test]
    fn columns_of_any_bytes(
        rows in prop::collection::vec(any::<u8>(), 0..700),
        cols in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        check_columns(&rows, &cols);
    }

    #[test]
    fn tables_give_an_lcs(
        m in 0usize..400,
        n in 0usize..400,
        symbols in prop::sample::select(SYMBOLS.to_vec()),
        seed in any::<u32>(),
    ) {
        let a = text(m, symbols, u64::from(seed));
        check_lcs(&a, &text(n, symbols, u64::from(seed) + 1));
        check_lcs(&a, &relative(&a, n, symbols, u64::from(seed) + 2));
    }
}

#[test]
fn every_width_of_vectors() {
    again_with_less(&[]);
}
