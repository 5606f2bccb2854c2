//! The approximate string matching kernels on the simulator, compared with the matrix by its
//! recurrence.

#[path = "../../tests/common/oracle/edits.rs"]
#[allow(dead_code, reason = "other tests take more of it")]
mod edits;

use carrywave_kernels::published::nakano::dmm::{Dmm, row_length};
use carrywave_kernels::published::nakano::umm::Umm;
use carrywave_kernels::published::nakano::umm_3m::Umm3m;
use carrywave_kernels::published::nakano::umm_n::{FirstFlag, NONE, UmmN, windows};
use carrywave_kernels::published::nakano::{FOUND, Strings};
use simt_std::Word;
use simt_std::simulator::{Access, Buffer, Options, Simulator, Space};

/// Returns Sellers' matrix, row by row.
fn matrix(x: &[u8], y: &[u8]) -> Vec<Vec<u32>> {
    let columns: Vec<_> = edits::sellers((x.len(), y.len()), |i, j| x[i - 1] != y[j - 1]).collect();
    (0..=x.len()).map(|i| columns.iter().map(|column| column[i]).collect()).collect()
}

/// Returns the least value of the last row, and its first position.
fn least(d: &[Vec<u32>]) -> [u32; FOUND] {
    let row = d.last().unwrap();
    let least = *row.iter().min().unwrap();
    [least, row.iter().position(|&value| value == least).unwrap() as u32]
}

/// A simulated GPU with two strings on it.
struct Given {
    gpu: Simulator,
    strings: Strings,
    found: Buffer<u32>,
}

impl Given {
    fn new(x: &[u8], y: &[u8]) -> Self {
        Self::on(Simulator::default(), x, y)
    }

    fn on(mut gpu: Simulator, x: &[u8], y: &[u8]) -> Self {
        let words = |symbols: &[u8]| symbols.iter().map(|&symbol| symbol.into()).collect::<Vec<u32>>();
        let (x, y) = (upload(&mut gpu, &words(x), "X"), upload(&mut gpu, &words(y), "Y"));
        let strings = Strings { x: x.handle(), y: y.handle(), m: x.len() as u32, n: y.len() as u32 };
        let found = gpu.alloc(FOUND, "found");
        Self { gpu, strings, found }
    }

    fn found(&mut self) -> [u32; FOUND] {
        self.gpu.download(&self.found, FOUND).unwrap().try_into().unwrap()
    }

    /// Returns the result and the matrix.
    fn dmm(&mut self, row_words: u32) -> ([u32; FOUND], Vec<Vec<u32>>) {
        let (m, n) = (self.strings.m as usize, self.strings.n as usize);
        let d = self.gpu.alloc((m + 1) * row_words as usize, "d");
        let kernel = Dmm { strings: self.strings, row_words, d: d.handle(), found: self.found.handle() };
        self.gpu.launch_kernel(1, kernel).unwrap();
        let mut row = |i| self.gpu.download_from(&d, i * row_words as usize, n + 1).unwrap();
        let rows = (0..=m).map(&mut row).collect();
        (self.found(), rows)
    }

    /// Returns the result and the matrix.
    fn umm(&mut self) -> ([u32; FOUND], Vec<Vec<u32>>) {
        let (m, n) = (self.strings.m as usize, self.strings.n as usize);
        let s = self.gpu.alloc((n + m + 1) * (n + 1), "s");
        let kernel = Umm { strings: self.strings, s: s.handle(), found: self.found.handle() };
        self.gpu.launch_kernel(1, kernel).unwrap();
        let mut cell = |i: usize, j| self.gpu.download_from(&s, (i + j) * (n + 1) + j, 1).unwrap()[0];
        let rows = (0..=m).map(|i| (0..=n).map(|j| cell(i, j)).collect()).collect();
        (self.found(), rows)
    }

    fn umm_3m(&mut self) -> [u32; FOUND] {
        let s = self.gpu.alloc(3 * self.strings.m as usize, "s'");
        let kernel = Umm3m { strings: self.strings, s: s.handle(), found: self.found.handle() };
        self.gpu.launch_kernel(1, kernel).unwrap();
        self.found()
    }

    fn umm_n(&mut self) -> [u32; FOUND] {
        let Strings { m, n, .. } = self.strings;
        let windows = windows(m, n);
        let s = self.gpu.alloc(3 * m as usize * windows as usize, "s'");
        let flags = upload(&mut self.gpu, &vec![NONE; m as usize + 1], "flags");
        let kernel = UmmN { strings: self.strings, windows, s: s.handle(), flags: flags.handle() };
        self.gpu.launch_kernel(kernel.blocks(), kernel).unwrap();
        self.gpu.launch_kernel(1, FirstFlag { flags: flags.handle(), m, found: self.found.handle() }).unwrap();
        self.found()
    }
}

fn upload<T: Word>(gpu: &mut Simulator, data: &[T], name: &str) -> Buffer<T> {
    let buffer = gpu.alloc(data.len(), name);
    gpu.upload(&buffer, data).unwrap();
    buffer
}

#[track_caller]
fn check(x: &[u8], y: &[u8]) {
    let d = matrix(x, y);
    let expected = least(&d);
    let place = format!("m = {}, n = {}", x.len(), y.len());
    let row = row_length(y.len() as u32, 31 + x.len() as u32 % 2);
    assert_eq!(Given::new(x, y).dmm(row), (expected, d.clone()), "dmm, n' = {row}, {place}");
    assert_eq!(Given::new(x, y).umm(), (expected, d), "umm, {place}");
    assert_eq!(Given::new(x, y).umm_3m(), expected, "umm-3m, {place}");
    assert_eq!(Given::new(x, y).umm_n(), expected, "umm-n, {place}");
}

/// Checks the paper's figures 3 and 4, by its recurrence. The paper prints a 1 for d[1][1] and a 3
/// for d[5][6].
#[test]
fn figure_3() {
    let (x, y) = (b"ababa", b"aaabbbaa");
    let d = [
        [0, 0, 0, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 1, 1, 1, 0, 0],
        [2, 1, 1, 1, 0, 1, 1, 1, 1],
        [3, 2, 1, 1, 1, 1, 2, 1, 1],
        [4, 3, 2, 2, 1, 1, 1, 2, 2],
        [5, 4, 3, 2, 2, 2, 2, 1, 2],
    ]
    .map(Vec::from);
    assert_eq!(matrix(x, y), d);
    assert_eq!(Given::new(x, y).dmm(12), ([1, 7], d.to_vec()));
    check(x, y);
}

/// Returns the edit distance of two short strings, by its recursive definition.
fn ed(x: &[u8], y: &[u8]) -> u32 {
    match (x, y) {
        ([], rest) | (rest, []) => rest.len() as u32,
        ([a, x1 @ ..], [b, y1 @ ..]) => (ed(x1, y1) + u32::from(a != b)).min(ed(x1, y) + 1).min(ed(x, y1) + 1),
    }
}

/// Section IV: d[i][j] is the least distance of x[1..i] to a substring that ends with y[j],
/// including the empty one. The paper prints the minimum over j' from 1 to j, which excludes the
/// empty substring. That would make d[0][j] 1, but equation (1) says 0. All other rows are the
/// same.
#[test]
fn section_4_definition_of_d() {
    let mut random = fastrand::Rng::with_seed(4);
    for _ in 0..60 {
        let [x, y] = [4, 6].map(|most| (0..random.usize(1..=most)).map(|_| random.u8(..3)).collect::<Vec<u8>>());
        for (i, row) in matrix(&x, &y).into_iter().enumerate() {
            for (j, value) in row.into_iter().enumerate() {
                let to_end = |first: usize| ed(&x[..i], &y[first - 1..j]);
                assert_eq!(value, (1..=j + 1).map(to_end).min().unwrap(), "{x:?} {y:?} {i} {j}");
                let printed = (1..=j).map(to_end).min();
                assert_eq!(printed, (j > 0).then_some(if i == 0 { 1 } else { value }), "{x:?} {y:?} {i} {j}");
            }
        }
    }
}

#[test]
fn all_lengths() {
    let mut random = fastrand::Rng::with_seed(1);
    for m in [1, 2, 3, 5, 8, 31, 32, 33] {
        for n in [0, 1, 2, m - 1, m, m + 1, 2 * m, 3 * m - 1, 3 * m, 3 * m + 1, 4 * m, 7 * m + m / 2] {
            let symbols = random.u8(2..5);
            let [x, y] = [m, n].map(|len| (0..len).map(|_| random.u8(..symbols)).collect::<Vec<u8>>());
            check(&x, &y);
        }
    }
}

#[test]
fn all_equal_none_equal_and_in_turn() {
    for (m, n) in [(7, 50), (20, 20), (33, 100), (40, 7)] {
        let turns = |len: usize, first: u8| (0..len).map(|i| (i as u8 ^ first) & 1).collect::<Vec<u8>>();
        check(&vec![1; m], &vec![1; n]);
        check(&vec![1; m], &vec![2; n]);
        check(&turns(m, 0), &turns(n, 1));
        check(&turns(m, 0), &vec![1; n]);
        check(&vec![1; m], &turns(n, 0));
    }
}

/// Covers the ends of windows, and several blocks of windows.
#[test]
fn a_copy_of_x_anywhere() {
    let mut random = fastrand::Rng::with_seed(2);
    let x: Vec<u8> = (0..20).map(|_| random.u8(..)).collect();
    for start in 0..80 {
        let mut y = vec![0; 97];
        y[start..(start + 20).min(97)].copy_from_slice(&x[..20.min(97 - start)]);
        let expected = least(&matrix(&x, &y));
        assert_eq!(Given::new(&x, &y).umm_n(), expected, "at {start}");
        if start <= 77 {
            assert_eq!(expected, [0, start as u32 + 20]);
        }
    }
    let long: Vec<u8> = (0..2500).map(|_| random.u8(..3)).collect();
    for m in [1, 3, 100] {
        let x = &long[1700..1700 + m];
        assert_eq!(Given::new(x, &long).umm_n(), least(&matrix(x, &long)), "m = {m}");
    }
}

/// Patterns with more rows than a block has threads.
#[test]
fn long_patterns() {
    let mut random = fastrand::Rng::with_seed(3);
    for (m, n) in [(1024, 40), (1025, 30), (2100, 9)] {
        let [x, y] = [m, n].map(|len| (0..len).map(|_| random.u8(..2)).collect::<Vec<u8>>());
        check(&x, &y);
    }
    // Two windows, with the best substring only in the second.
    let x: Vec<u8> = (0..1025).map(|_| random.u8(..4)).collect();
    let y = [&[9; 2071], &x[..300], &x[320..]].concat();
    assert_eq!((windows(1025, y.len() as u32), least(&matrix(&x, &y))[0]), (2, 20));
    assert_eq!(Given::new(&x, &y).umm_n(), least(&matrix(&x, &y)));
}

/// Returns an entry for each line of `nakano/matrix.rs` that accesses global memory, in order: true
/// for a write, the number of words, and the average number of sectors of 8 words per warp access,
/// rounded up.
fn lines(run: impl Fn(&mut Given)) -> Vec<(bool, u64, u64)> {
    let options = Options { accounting: true, ..Options::default() };
    let mut given = Given::on(Simulator::new(options), &[1; M as usize], &[1; N as usize]);
    run(&mut given);
    let costs = given.gpu.costs().lines();
    let lines = costs.filter(|(file, _, space, ..)| file.ends_with("nakano/matrix.rs") && *space == Space::Global);
    lines
        .map(|(.., access, cost)| (access == Access::Write, cost.lanes, cost.sectors.div_ceil(cost.accesses)))
        .collect()
}

const M: u64 = 64;
const N: u64 = 199;

/// Each access of the paper's loop is one access, on a line of its own: the reads of x, y,
/// d[i][j - 1], d[i - 1][j] and d[i - 1][j - 1], and the write of d[i][j]. The writes of the result
/// come before these lines, and the other accesses of `whole` after them. In the plain matrix,
/// every word of a diagonal is in another row; in the slid matrix, they are contiguous.
#[test]
fn accesses_are_those_of_the_paper() {
    let all = M * N;
    let result = [(true, 1, 1), (true, 1, 1)];
    let last_row = (false, N + 1, 1);
    let loops = |words: [u64; 6], sectors: [u64; 6]| {
        let six = words.into_iter().zip(sectors).enumerate();
        six.map(|(line, (words, sectors))| (line == 5, words, sectors)).collect::<Vec<_>>()
    };
    let dmm = lines(|given| {
        given.dmm(224);
    });
    let apart = loops([all; 6], [4, 5, 28, 28, 28, 28]);
    // Row 0, whose 200 words take 7 accesses, and the rest of column 0.
    let first = |row, column| [(true, N + 1, row), (true, M, column)];
    assert_eq!(dmm, [&result[..], &apart, &first(4, 32), &[last_row]].concat(), "dmm");
    let umm = lines(|given| {
        given.umm();
    });
    let near = loops([all; 6], [4, 5, 5, 5, 5, 5]);
    assert_eq!(umm, [&result[..], &near, &first(29, 32), &[last_row]].concat(), "umm");
    // The kernel does not store the first row and column, so it does not read them.
    let words = [all, all, M * (N - 1), (M - 1) * N, (M - 1) * (N - 1), all];
    let umm_3m = lines(|given| {
        given.umm_3m();
    });
    assert_eq!(umm_3m, [&result[..], &loops(words, [4, 5, 5, 5, 5, 5])].concat(), "umm-3m");
}
