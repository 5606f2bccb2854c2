//! Chapter 12: launches of its kernels.

use super::kernels::{AsmTable, ContiguousSums, RunSums, TurnedRowSums};
use simt_std::simulator::{Fault, Simulator};

// ANCHOR: contiguous_sums
/// Returns the sums of p threads, which take the numbers in turns.
pub fn contiguous_sums(gpu: &mut Simulator, numbers: &[u32], p: u32) -> Result<Vec<u32>, Fault> {
    let input = gpu.alloc_from(numbers, "numbers");
    let sums = gpu.alloc::<u32>(p as usize, "sums");
    let kernel = ContiguousSums { numbers: input.handle(), n: numbers.len() as u32, p, sums: sums.handle() };
    gpu.launch_kernel(1, kernel)?;
    gpu.download(&sums, p as usize)
}
// ANCHOR_END: contiguous_sums

/// Returns the sums of p runs of equal length.
pub fn run_sums(gpu: &mut Simulator, numbers: &[u32], p: u32) -> Result<Vec<u32>, Fault> {
    let input = gpu.alloc_from(numbers, "numbers");
    let sums = gpu.alloc::<u32>(p as usize, "sums");
    let kernel = RunSums { numbers: input.handle(), n: numbers.len() as u32, p, sums: sums.handle() };
    gpu.launch_kernel(1, kernel)?;
    gpu.download(&sums, p as usize)
}

/// Returns the sums of the rows of a matrix of 32 × 32 words.
pub fn turned_row_sums(gpu: &mut Simulator, matrix: &[u32]) -> Result<Vec<u32>, Fault> {
    let input = gpu.alloc_from(matrix, "matrix");
    let sums = gpu.alloc::<u32>(32, "sums");
    gpu.launch_kernel(1, TurnedRowSums { matrix: input.handle(), sums: sums.handle() })?;
    gpu.download(&sums, 32)
}

// ANCHOR: asm
/// Returns ASM(X, Y), the least edit distance of X to a substring of Y, by the table in rows
/// (`slide` 0) or by the slid table (`slide` 1).
pub fn asm(gpu: &mut Simulator, x: &[u8], y: &[u8], slide: u32) -> Result<u32, Fault> {
    let (m, n) = (x.len() as u32, y.len() as u32);
    let cells = ((m + 1 + slide * n) * (n + 1)) as usize;
    let (on_x, on_y) = (gpu.alloc_from(x, "x"), gpu.alloc_from(y, "y"));
    let table = gpu.alloc_from(&vec![0u32; cells], "table");
    let kernel = AsmTable { x: on_x.handle(), m, y: on_y.handle(), n, slide, table: table.handle() };
    gpu.launch_kernel(1, kernel)?;
    let table = gpu.download(&table, cells)?;
    let last_row = (0..=n).map(|j| table[((m + slide * j) * (n + 1) + j) as usize]);
    Ok(last_row.min().unwrap_or(m))
}
// ANCHOR_END: asm

#[cfg(test)]
mod tests {
    use super::*;
    use simt_std::exercise;

    #[test]
    fn sums_are_those_of_plain_rust() {
        for (n, p) in [(64, 1), (256, 32), (1024, 64), (1500, 100), (2048, 1024)] {
            let numbers = Vec::from_iter((0..n).map(|i| i % 91));
            exercise! {
                run: |gpu| contiguous_sums(gpu, &numbers, p),
                expect: (0..p as usize).map(|i| numbers.iter().skip(i).step_by(p as usize).sum()).collect(),
                schedules: 3,
            }
            exercise! {
                run: |gpu| run_sums(gpu, &numbers, p),
                expect: numbers.chunks((n / p) as usize).take(p as usize).map(|run| run.iter().sum()).collect(),
                schedules: 3,
            }
        }
        exercise! {
            run: |gpu| contiguous_sums(gpu, &[1, 2, 3, 4, 5], 7),
            expect: vec![1, 2, 3, 4, 5, 0, 0],
            schedules: 3,
        }
    }

    #[test]
    fn row_sums_have_no_conflicts() {
        let matrix = Vec::from_iter((0..1024u32).map(|i| i * i % 101));
        exercise! {
            run: |gpu| turned_row_sums(gpu, &matrix),
            expect: matrix.chunks(32).map(|row| row.iter().sum()).collect(),
            schedules: 10,
            conflicts: 0,
        }
    }

    /// Returns the edit distance of two strings: the recursion of its definition.
    fn edit_distance(x: &[u8], y: &[u8]) -> u32 {
        let mut row = Vec::from_iter(0..=y.len() as u32);
        for (i, a) in x.iter().enumerate() {
            let mut diagonal = row[0];
            row[0] = i as u32 + 1;
            for (j, b) in y.iter().enumerate() {
                let cell = (diagonal + u32::from(a != b)).min(row[j] + 1).min(row[j + 1] + 1);
                diagonal = row[j + 1];
                row[j + 1] = cell;
            }
        }
        row[y.len()]
    }

    /// Returns the least edit distance of X to all substrings of Y, tried one by one.
    fn best(x: &[u8], y: &[u8]) -> u32 {
        let parts = (0..=y.len()).flat_map(|end| (0..=end).map(move |start| &y[start..end]));
        parts.map(|part| edit_distance(x, part)).min().unwrap()
    }

    #[test]
    fn asm_is_the_least_distance_of_a_substring() {
        let text = Vec::from_iter((0..80u32).map(|i| b"ab"[(i * i % 7 % 2) as usize]));
        let cases: [(&[u8], &[u8]); 5] =
            [(b"ababa", b"aaabbbaa"), (b"a", b""), (b"abc", b"xyz"), (&text[5..38], &text[30..]), (&text, &text[1..9])];
        assert_eq!(cases.map(|(x, y)| best(x, y))[..3], [1, 1, 3]);
        for (x, y) in cases {
            for slide in [0, 1] {
                exercise! {
                    run: |gpu| asm(gpu, x, y, slide),
                    expect: best(x, y),
                    schedules: 5,
                }
            }
        }
    }
}
