//! Melo and Canalli (2014), Myers by slices of the text: checks the paper's own example and
//! figures, and the cost of its slips.

use carrywave_kernels::published::myers_slices::{MyersSlices, SliceColumn, Slices, THREADS};
use carrywave_kernels::published::myers_slices_shared::{self as shared, MyersSlicesShared};
use simt_std::simulator::{Access, Costs, LineCost, Options, Simulator, Space};

/// Returns the distance of each prefix of `a` (rows) to each prefix of `b` (columns), by equation
/// 2.1. With `search`, row 0 is 0, by equation 2.3.
fn table(a: &[u8], b: &[u8], search: bool) -> Vec<Vec<u32>> {
    let mut c = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            c[i][j] = if i == 0 || j == 0 {
                if search { i as u32 } else { (i + j) as u32 }
            } else {
                let delta = u32::from(a[i - 1] != b[j - 1]);
                (c[i - 1][j] + 1).min(c[i][j - 1] + 1).min(c[i - 1][j - 1] + delta)
            };
        }
    }
    c
}

/// The variables of algorithm 1 in one column. Bit i - 1 is row i.
#[derive(Debug, Clone, Copy)]
struct Parts {
    vx: u32,
    hx: u32,
    /// HP and HN before they are shifted.
    hp: u32,
    hn: u32,
    vp: u32,
    vn: u32,
    score: u32,
}

/// Runs algorithm 1 line by line, with its slips corrected, on a pattern of up to 32 symbols.
/// Returns its variables in each column. With `search`, row 0 of the table is 0. Otherwise it
/// computes the distance of two whole strings, and shifts a 1 into HP.
fn algorithm_1(pattern: &[u8], text: &[u8], search: bool) -> Vec<Parts> {
    let n = pattern.len();
    let mut peq = [0u32; 256];
    for (i, &symbol) in pattern.iter().enumerate() {
        peq[usize::from(symbol)] |= 1 << i;
    }
    let (mut vp, mut vn, mut score) = (!0 >> (32 - n), 0, n as u32);
    let advanced_block = |&symbol: &u8| {
        let eq = peq[usize::from(symbol)];
        let vx = eq | vn;
        let hx = ((eq & vp).wrapping_add(vp) ^ vp) | eq;
        let hp = vn | !(vp | hx);
        let hn = vp & hx;
        score = score + (hp >> (n - 1) & 1) - (hn >> (n - 1) & 1);
        let (hp_below, hn_below) = (hp << 1 | u32::from(!search), hn << 1);
        vp = hn_below | !(hp_below | vx);
        vn = hp_below & vx;
        Parts { vx, hx, hp, hn, vp, vn, score }
    };
    text.iter().map(advanced_block).collect()
}

/// Checks that each variable agrees with the table by equations 2.5 and 2.6. HX | VX marks the rows
/// where the diagonal does not grow. It is the HX of equation 2.5; equation 2.8 prints it without
/// VX.
fn check_parts(pattern: &[u8], text: &[u8], search: bool) {
    let c = table(pattern, text, search);
    for (j, parts) in (1..).zip(algorithm_1(pattern, text, search)) {
        for i in 1..=pattern.len() {
            let bit = |word: u32| word >> (i - 1) & 1 == 1;
            let change = |from: u32| i64::from(c[i][j]) - i64::from(from);
            let (vertical, horizontal, diagonal) = (change(c[i - 1][j]), change(c[i][j - 1]), change(c[i - 1][j - 1]));
            assert_eq!([bit(parts.vp), bit(parts.vn)], [vertical == 1, vertical == -1], "VP, VN of {i}, {j}");
            assert_eq!([bit(parts.hp), bit(parts.hn)], [horizontal == 1, horizontal == -1], "HP, HN of {i}, {j}");
            assert_eq!(bit(parts.hx | parts.vx), diagonal == 0, "HX of {i}, {j}");
        }
        assert_eq!(parts.score, c[pattern.len()][j], "score of column {j}");
    }
}

#[test]
fn the_papers_table_2_1() {
    let c = table(b"kitten", b"sitting", false);
    // As printed, with one row per letter of sitting.
    let printed = [
        [1, 1, 2, 3, 4, 5, 6],
        [2, 2, 1, 2, 3, 4, 5],
        [3, 3, 2, 1, 2, 3, 4],
        [4, 4, 3, 2, 1, 2, 3],
        [5, 5, 4, 3, 2, 2, 3],
        [6, 6, 5, 4, 3, 3, 2],
        [7, 7, 6, 5, 4, 4, 3],
    ];
    for (j, row) in (1..).zip(printed) {
        assert_eq!((0..=6).map(|i| c[i][j]).collect::<Vec<_>>(), row, "column {j}");
    }
    let parts = algorithm_1(b"kitten", b"sitting", false);
    assert_eq!(parts.last().unwrap().score, 3);
    check_parts(b"kitten", b"sitting", false);
    check_parts(b"kitten", b"sitting", true);
}

/// Checks random strings of up to 32 symbols, and that the kernels' column equals that of
/// algorithm 1.
#[test]
fn the_parts_of_algorithm_1_are_the_tables() {
    let mut random = fastrand::Rng::with_seed(21);
    for number in 0..200 {
        let mut string = |most: usize| -> Vec<u8> {
            let length = random.usize(1..=most);
            (0..length).map(|_| b'a' + random.u8(..2 + number % 3)).collect()
        };
        let (pattern, text) = (string(32), string(60));
        check_parts(&pattern, &text, false);
        check_parts(&pattern, &text, true);
        let m = pattern.len() as u32;
        let mut column = SliceColumn::new(m);
        for (symbol, parts) in text.iter().zip(algorithm_1(&pattern, &text, true)) {
            column.step(peq(&pattern)[usize::from(*symbol)], m);
            assert_eq!((column.vp, column.vn, column.score), (parts.vp, parts.vn, parts.score));
        }
    }
}

#[test]
fn slices_are_the_papers() {
    let slices = |n, m| {
        let Slices { count, base, remaining } = Slices::new(n, m);
        (count, base, remaining)
    };
    // The output of the paper's program for configurations 2 and 8.
    assert_eq!(slices(4_351_843, 4), (1_048_576, 4, 157_539));
    assert_eq!(slices(4_351_843, 31), (131_072, 33, 26_467));
    // A text shorter than the pattern, an empty text, and an empty pattern.
    assert_eq!([slices(3, 4), slices(0, 4), slices(5, 0)], [(1, 3, 0), (1, 0, 0), (1, 5, 0)]);
    for m in 1..=32 {
        for n in (m..200).chain([1 << 20, (1 << 40) + 12_345]) {
            let slices = Slices::new(n, m as u32);
            assert!(slices.count.is_power_of_two() && slices.count <= n / m && n / m < 2 * slices.count);
            assert!(slices.base >= m && slices.base + u64::from(slices.remaining > 0) <= 2 * m, "{slices:?}");
            assert_eq!((slices.start(0), slices.start(slices.count)), (0, n));
            for number in (0..slices.count.min(100)).chain(slices.count - slices.count.min(100)..slices.count) {
                let more = u64::from(number >= slices.count - n % slices.count);
                assert_eq!(slices.start(number + 1) - slices.start(number), slices.base + more);
            }
        }
    }
}

fn peq(pattern: &[u8]) -> [u32; 256] {
    let mut peq = [0; 256];
    for (i, &symbol) in pattern.iter().enumerate() {
        peq[usize::from(symbol)] |= 1 << i;
    }
    peq
}

/// Runs the published kernel with the given overlap. Returns the positions of the last symbols of
/// the occurrences that it finds, and its cost.
fn published(text: &[u8], pattern: &[u8], k: u32, overlap: u64) -> (Vec<usize>, Costs) {
    let (n, m) = (text.len(), pattern.len() as u32);
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    let text = gpu.alloc_from(text, "text");
    let peq = gpu.alloc_from(&peq(pattern), "PEq");
    let ones = gpu.alloc_from(&vec![0u32; n.div_ceil(4)], "ones");
    let slices = Slices::new(n as u64, m);
    let kernel =
        MyersSlices { text: text.handle(), n: n as u64, slices, overlap, m, k, peq: peq.handle(), ones: ones.handle() };
    gpu.launch_kernel(slices.count.div_ceil(THREADS.into()) as u32, kernel).unwrap();
    let words = gpu.download(&ones, ones.len()).unwrap();
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_le_bytes).collect();
    assert!(bytes.iter().all(|&byte| byte <= 1) && bytes[n..].iter().all(|&byte| byte == 0));
    ((0..n).filter(|&j| bytes[j] == 1).collect(), gpu.costs().clone())
}

/// Tests an occurrence that begins with the last symbol of a slice and has k insertions: with the
/// paper's overlap of m - 1 symbols, no thread sees all of it.
#[test]
fn the_printed_overlap_loses_an_occurrence() {
    let (pattern, k) = (b"acgtacgtac", 2);
    let mut occurrence = pattern.to_vec();
    occurrence.splice(5..5, *b"yy");
    let mut text = vec![b'x'; 128];
    let slices = Slices::new(128, 10);
    assert_eq!((slices.count, slices.base), (8, 16));
    text[47..47 + 12].copy_from_slice(&occurrence);
    let scores = table(pattern, &text, true).pop().unwrap();
    let expected: Vec<usize> = (0..128).filter(|j| scores[j + 1] <= k).collect();
    assert_eq!(expected, [58]);
    let m = pattern.len() as u64;
    assert_eq!(published(&text, pattern, k, m - 1).0, [0usize; 0]);
    assert_eq!(published(&text, pattern, k, m + u64::from(k) - 2).0, [0usize; 0], "a symbol less is not enough");
    assert_eq!(published(&text, pattern, k, m + u64::from(k) - 1).0, expected);
}

/// Returns the costs of the lines that read global memory: one line reads the text, the other the
/// match words.
fn global_reads(costs: &Costs) -> Vec<LineCost> {
    let reads = costs.lines().filter(|(_, _, space, access, _)| (*space, *access) == (Space::Global, Access::Read));
    reads.map(|(.., line)| *line).collect()
}

/// Tests the paper's bottleneck and the future work that removes it. A warp of the published kernel
/// touches one sector per lane to read one symbol each. The kernel with shared memory reads whole
/// lines, and has few bank conflicts although slices are 32 symbols long.
#[test]
fn shared_memory_makes_neighbours_of_accesses() {
    let text: Vec<u8> = (0..1u32 << 15).map(|i| b"for his mercy "[(i * i / 7 % 14) as usize]).collect();
    let (pattern, k) = (&text[5000..5031], 0);
    let (ends, costs) = published(&text, pattern, k, 30);
    // A slice is one sector, so every lane of a warp reads a different sector.
    let text_reads = global_reads(&costs).into_iter().find(|line| line.bytes == line.lanes).unwrap();
    assert_eq!(text_reads.sectors, text_reads.lanes, "{text_reads:?}");

    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    let words: Vec<u32> = text.chunks(4).map(|four| u32::from_le_bytes(four.try_into().unwrap())).collect();
    let on_gpu = gpu.alloc_from(&words, "text");
    let peq = gpu.alloc_from(&peq(pattern), "PEq");
    let bytes = gpu.alloc::<u8>(text.len(), "bytes");
    let slices = Slices::new(text.len() as u64, 31);
    assert_eq!((slices.base, slices.remaining), (32, 0));
    let kernel = MyersSlicesShared {
        text: on_gpu.handle(),
        slices,
        halo: 30,
        m: 31,
        k,
        peq: peq.handle(),
        bytes: bytes.handle(),
    };
    gpu.launch_kernel((slices.count as u32).div_ceil(shared::THREADS), kernel).unwrap();
    let found = gpu.download(&bytes, text.len()).unwrap();
    assert_eq!((0..text.len()).filter(|&j| found[j] == 1).collect::<Vec<_>>(), ends);
    assert!(!ends.is_empty());
    let costs = gpu.costs();
    let (writes, loads) = (costs.total_of(Space::Global, Access::Write), costs.total_of(Space::Shared, Access::Read));
    // 16 bytes per lane.
    assert_eq!((writes.sectors, writes.accesses), (text.len() as u64 / 32, text.len() as u64 / 512));
    assert!(loads.conflicts < loads.accesses / 3, "{loads:?}");
    // The line that reads the text has the fewest global reads, one word per four symbols. It reads
    // each sector once, and one more sector before each block but the first.
    let text_reads = global_reads(costs).into_iter().min_by_key(|line| line.lanes).unwrap();
    let blocks = slices.count / u64::from(shared::THREADS);
    assert_eq!(text_reads.sectors, text.len() as u64 / 32 + (blocks - 1), "{text_reads:?}");
}
