//! Every engine and algorithm through the public interface, against the full-table oracle.
mod oracle;

use std::sync::atomic::{AtomicU64, Ordering};

use carrywave::Error;
use carrywave::align::columns::{Columns, Part, Side};
use carrywave::align::runs::CommonSubsequence;
use carrywave::device::Device;
use carrywave::device::gpu_present;
use carrywave::kernels::lcs::block_step::BlockStep;
use carrywave::kernels::lcs::carry::{ConditionalSum, LookAhead, WarpAdd};
use carrywave::lcs::cpu::columns::{CpuAlgorithm, CpuColumns};
use carrywave::lcs::gpu::block_step::BlockStepLcs;
use carrywave::lcs::gpu::wavefront::WavefrontLcs;
use carrywave::lcs::{Algorithm, Comparison, Engine, Report};
use proptest::prelude::*;
use simt_launch::Simt;
use simt_std::Kernel;

/// Around every border of words, sub-vectors and steps.
const LENGTHS: [usize; 14] = [0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 2047, 2048, 2049];

/// Sizes of the alphabets, one of them all bytes.
const SYMBOLS: [u64; 5] = [1, 2, 4, 20, 256];

fn text(len: usize, symbols: u64, seed: u64) -> Vec<u8> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..len).map(|_| random.u64(..symbols) as u8).collect()
}

/// `len` symbols of which most are those of `original`, in its order.
fn relative(original: &[u8], len: usize, symbols: u64, seed: u64) -> Vec<u8> {
    let noise = text(len, symbols, seed);
    let dice = text(len, 24, seed + 1);
    let (mut copy, mut from) = (Vec::with_capacity(len), 0);
    for (noise, dice) in noise.into_iter().zip(dice) {
        copy.push(if dice < 2 { noise } else { original.get(from).copied().unwrap_or(noise) });
        from += match dice {
            0 => 0,
            2 => 3,
            _ => 1,
        };
    }
    copy
}

/// A part of a string that is `text` there: whole, or without some of both ends.
fn part(side: Side, text: &[u8], inner: bool) -> Part {
    let cut = if inner { text.len() / 5 } else { 0 };
    Part { side, range: cut..text.len() - cut / 2 }
}

/// Whole columns, and both columns of a split, of the whole strings and of parts, each string being the rows.
fn check_columns(name: &str, engine: &dyn Columns, a: &[u8], b: &[u8]) {
    for inner in [false, true] {
        let (first, second) = (part(Side::A, a, inner), part(Side::B, b, inner));
        for (rows, columns) in [(&first, &second), (&second, &first)] {
            let symbols =
                |part: &Part| if part.side == Side::A { &a[part.range.clone()] } else { &b[part.range.clone()] };
            let (x, y) = (symbols(rows), symbols(columns));
            if x.is_empty() || y.is_empty() {
                continue;
            }
            let place = format!("{name}, {rows:?} × {columns:?}");
            assert_eq!(engine.column(rows, columns).unwrap().lengths(), oracle::prefixes(x, y), "{place}");
            let middle = y.len() / 2;
            if middle > 0 {
                let (forward, backward) = engine.halves(rows, columns, middle).unwrap();
                assert_eq!(forward.lengths(), oracle::prefixes(x, &y[..middle]), "forward half, {place}");
                assert_eq!(backward.lengths(), oracle::suffixes(x, &y[middle..]), "backward half, {place}");
            }
        }
    }
}

fn check_device_columns<D: Device, A: WarpAdd>(name: &str, device: &D, a: &[u8], b: &[u8])
where
    BlockStep<A>: Kernel,
{
    let name = format!("{name}, {}", <BlockStep<A> as Kernel>::NAME);
    check_columns(&name, &BlockStepLcs::<D, A>::new(device, a, b, &|_| ()).unwrap(), a, b);
}

/// The columns of every engine and algorithm.
fn check_all_columns(a: &[u8], b: &[u8]) {
    for algorithm in [CpuAlgorithm::Dp, CpuAlgorithm::BitParallel] {
        let engine = CpuColumns { strings: [a, b], algorithm, progress: &|_| () };
        check_columns(&format!("cpu, {algorithm:?}"), &engine, a, b);
    }
    check_device_columns::<_, ConditionalSum>("simt", &Simt::default(), a, b);
    check_device_columns::<_, LookAhead>("simt", &Simt::default(), a, b);
    let simt = Simt::default();
    check_columns("simt, wavefront", &WavefrontLcs::new(&[&simt], a, b, &|_| ()).unwrap(), a, b);
    #[cfg(feature = "gpu")]
    if gpu_present() {
        let gpu = carrywave::device::gpu::shared(0).unwrap();
        check_device_columns::<_, ConditionalSum>("gpu", &*gpu, a, b);
        check_device_columns::<_, LookAhead>("gpu", &*gpu, a, b);
        check_columns("gpu, wavefront", &WavefrontLcs::new(&[&*gpu], a, b, &|_| ()).unwrap(), a, b);
    }
}

/// Most cells that Hirschberg's recursion may compute: 2mn, and a row a level where a string of odd length is halved.
fn most_cells(m: usize, n: usize) -> u64 {
    let (m, n) = (m as u64, n as u64);
    2 * m * n + m.max(n) * u64::from((m.min(n) + 1).next_power_of_two().ilog2())
}

fn check_report(report: &Report, engine: Engine, algorithm: Algorithm) {
    assert_eq!((report.engine, report.algorithm), (engine, algorithm));
    assert!(report.kernels + report.transfer <= report.total, "{report:?}");
    assert_eq!(report.cpu() + report.kernels + report.transfer, report.total);
    assert!(report.device_cells <= report.cells, "{report:?}");
    if engine == Engine::Cpu {
        assert_eq!((report.device_cells, report.kernels.as_nanos()), (0, 0), "{report:?}");
    }
    let gcups = report.cells as f64 / 1e9 / report.total.as_secs_f64();
    assert!((report.gcups() - gcups).abs() <= gcups * 1e-6, "{report:?}");
}

/// What the recursion is made to do.
#[derive(Debug, Clone, Copy)]
enum Depth {
    /// The thresholds that users get.
    Usual,
    /// Five levels down, all of them on the device.
    Deep,
    /// The same, the lower levels on the CPU.
    Shared,
}

/// Lengths and subsequences of every engine and algorithm: right, and all the same.
fn check_comparisons(a: &[u8], b: &[u8], depths: &[Depth]) {
    let cells = a.len() as u64 * b.len() as u64;
    let longest = oracle::prefixes(a, b)[a.len()] as u64;
    for &depth in depths {
        let mut first: Option<CommonSubsequence> = None;
        for engine in Engine::present() {
            for &algorithm in Algorithm::of(engine) {
                let place = format!("{engine}, {algorithm}, {depth:?}, {} × {}", a.len(), b.len());
                let done = AtomicU64::new(0);
                let progress = |cells| {
                    done.fetch_add(cells, Ordering::Relaxed);
                };
                let comparison = Comparison::new().engine(engine).algorithm(algorithm).on_progress(&progress);
                let comparison = match depth {
                    Depth::Usual => comparison,
                    Depth::Deep => comparison.thresholds(0, cells / 40),
                    Depth::Shared => comparison.thresholds(cells / 3, cells / 40),
                };

                let (length, report) = comparison.length_with_report(a, b).unwrap();
                assert_eq!(length, longest, "{place}");
                check_report(&report, engine, algorithm);
                assert_eq!((done.swap(0, Ordering::Relaxed), report.cells), (cells, cells), "{place}: progress");
                if engine == Engine::Simt {
                    assert_eq!(report.device_cells, cells, "{place}");
                }

                let (lcs, report) = comparison.subsequence_with_report(a, b).unwrap();
                lcs.verify(a, b).unwrap();
                assert_eq!(lcs.len(), longest, "{place}");
                assert_eq!(lcs.subsequence(a).unwrap().len() as u64, longest, "{place}");
                assert_eq!((lcs.a_len(), lcs.b_len()), (a.len() as u64, b.len() as u64), "{place}");
                check_report(&report, engine, algorithm);
                assert_eq!(done.into_inner(), report.cells, "{place}: progress");
                assert!(report.cells <= most_cells(a.len(), b.len()), "{place}: {} cells", report.cells);
                match depth {
                    Depth::Deep if engine != Engine::Cpu => {
                        assert_eq!(report.device_cells, report.cells, "{place}: all on the device");
                    }
                    Depth::Shared => assert!(report.device_cells <= cells * 2, "{place}"),
                    _ => {}
                }
                match &first {
                    None => first = Some(lcs),
                    Some(first) => assert_eq!(first.runs(), lcs.runs(), "{place}: another subsequence"),
                }
            }
        }
    }
}

fn check(a: &[u8], b: &[u8], depths: &[Depth]) {
    check_all_columns(a, b);
    check_comparisons(a, b, depths);
}

const ALL: [Depth; 3] = [Depth::Usual, Depth::Deep, Depth::Shared];

#[test]
fn adversarial_strings() {
    let every: Vec<u8> = (0..=255).collect();
    let reversed: Vec<u8> = every.iter().rev().copied().collect();
    let first_then_others = [b"A".as_slice(), &[b'C'; 1500]].concat();
    let others_then_last = [[b'C'; 1500].as_slice(), b"A"].concat();
    let cases: [(&str, &[u8], &[u8]); 18] = [
        ("both empty", b"", b""),
        ("one empty", b"ACGT", b""),
        ("one symbol", b"A", b"A"),
        ("one symbol, another", b"A", b"C"),
        ("the textbook's", b"ABCBDAB", b"BDCABA"),
        ("A C^n against A", &first_then_others, b"A"),
        ("C^n A against A", &others_then_last, b"A"),
        ("C^n A against A C^n", &others_then_last, &first_then_others),
        ("equal", &every.repeat(5), &every.repeat(5)),
        (
            "equal but for the ends",
            &[b"x", &every.repeat(5)[..], b"x"].concat(),
            &[b"y", &every.repeat(5)[..]].concat(),
        ),
        ("nothing in common", &[b'A'; 1100], &[b'C'; 1030]),
        ("nothing in common, odd halves", &[b'A'; 700], &[b'C'; 33]),
        ("256 symbols", &every, &every.repeat(2)),
        ("256 symbols against their reverse", &every, &reversed),
        ("alternating", &b"AC".repeat(600), &b"CA".repeat(550)),
        ("one symbol throughout", &[7; 2049], &[7; 1025]),
        ("NUL bytes", b"\0\0a\0", b"\0a\0\0"),
        ("carries through every word", &[0; 2100], &[1, 0, 1, 0, 0, 2]),
    ];
    for (name, a, b) in cases {
        println!("{name}");
        check(a, b, &ALL);
        if a.len() + b.len() < 2000 {
            check_comparisons(b, a, &ALL[1..2]);
        }
    }
}

/// Every length of the list beside half of the short ones, and some of the long beside the long.
#[test]
fn every_pair_of_borders() {
    for (i, &m) in LENGTHS.iter().enumerate() {
        for (j, &n) in LENGTHS.iter().enumerate() {
            let (long, very_long) = (m.min(n) > 65, m.max(n) > 65);
            let diagonal = (i + j) % if long { 11 } else { 4 } == 0;
            let skipped = if very_long { !diagonal } else { (i + j / 2) % 2 == 1 };
            if skipped {
                continue;
            }
            let symbols = SYMBOLS[(i * 3 + j) % 5];
            let a = text(m, symbols, i as u64 + 1);
            let b = if i % 2 == 0 { relative(&a, n, symbols, j as u64) } else { text(n, symbols, j as u64 + 50) };
            check_comparisons(&a, &b, &[Depth::Deep]);
            if diagonal {
                check_all_columns(&a, &b);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 8, ..ProptestConfig::default() })]

    #[test]
    fn every_engine_equals_the_oracle(
        m in prop_oneof![prop::sample::select(LENGTHS.to_vec()), 0usize..1500],
        n in prop_oneof![prop::sample::select(LENGTHS[..11].to_vec()), 0usize..1500],
        symbols in prop::sample::select(SYMBOLS.to_vec()),
        seed in any::<u32>(),
        related in any::<bool>(),
        swapped in any::<bool>(),
    ) {
        let seed = u64::from(seed);
        let a = text(m, symbols, seed);
        let b = if related { relative(&a, n, symbols, seed + 1) } else { text(n, symbols, seed + 3) };
        let (a, b) = if swapped { (b, a) } else { (a, b) };
        check(&a, &b, &ALL[1..]);
    }

    #[test]
    fn short_strings_of_any_bytes(
        a in prop::collection::vec(any::<u8>(), 0..90),
        b in prop::collection::vec(any::<u8>(), 0..90),
    ) {
        check(&a, &b, &ALL);
    }
}

/// Large enough for the usual leaves to be reached by splitting, on every engine.
#[test]
fn the_usual_thresholds_split_long_strings() {
    let a = text(2049, 4, 1);
    let b = relative(&a, 2047, 4, 2);
    check_comparisons(&a, &b, &[Depth::Usual]);
    let (_, report) = Comparison::new().engine(Engine::Simt).subsequence_with_report(&a, &b).unwrap();
    assert!(report.device_cells > 4_000_000, "{report:?}");
}

/// The CPU takes what is below the device's threshold.
#[test]
fn small_subproblems_leave_the_device() {
    let (a, b) = (text(500, 4, 1), text(500, 4, 2));
    let simt = Comparison::new().engine(Engine::Simt);
    let (_, report) = simt.thresholds(250_001, 1000).subsequence_with_report(&a, &b).unwrap();
    assert!(report.device_cells == 0 && report.cells > 250_000, "{report:?}");
    // The first split alone.
    let (_, report) = simt.thresholds(249_000, 1000).subsequence_with_report(&a, &b).unwrap();
    assert!((249_000..=250_000).contains(&report.device_cells) && report.cells > 250_000, "{report:?}");
    let (_, report) = simt.thresholds(250_001, 1000).length_with_report(&a, &b).unwrap();
    assert_eq!((report.device_cells, report.cells), (0, 250_000), "{report:?}");
}

#[test]
fn the_defaults_and_the_shorthands_are_right() {
    let (a, b) = (text(1500, 4, 1), text(1400, 4, 2));
    let longest = oracle::prefixes(&a, &b)[a.len()] as u64;
    assert_eq!(carrywave::lcs_length(&a, &b).unwrap(), longest);
    let lcs = carrywave::lcs(&a, &b).unwrap();
    lcs.verify(&a, &b).unwrap();
    assert_eq!(lcs.len(), longest);
    let (_, report) = Comparison::new().length_with_report(&a, &b).unwrap();
    assert_ne!(report.engine, Engine::Auto, "a report names what ran");
    assert_ne!(report.algorithm, Algorithm::Auto, "a report names what ran");
}

#[test]
fn more_than_the_device_holds_is_refused_before_it_is_tried() {
    let (a, b) = (text(5 << 20, 256, 1), (0..=255).collect::<Vec<u8>>());
    for algorithm in [Algorithm::BlockStep, Algorithm::BlockStepLookAhead] {
        let comparison = Comparison::new().engine(Engine::Simt).algorithm(algorithm);
        for (x, y) in [(&a, &b), (&b, &a)] {
            let errors = [comparison.length(x, y).map(|_| ()), comparison.subsequence(x, y).map(|_| ())];
            for error in errors.map(Result::unwrap_err) {
                let Error::DeviceMemory { needed, free } = error else { panic!("{error}") };
                // 256 match vectors, V and two vectors of carries, twice; and the strings.
                let most = (5u64 << 20) * 259 / 8 * 2 + (6 << 20);
                assert!((most * 9 / 10..most).contains(&needed), "{needed}");
                assert_eq!(free, 256 << 20);
            }
        }
    }
    // With four symbols, the same length fits: no more than the check is of interest here.
    let a: Vec<u8> = a.iter().map(|s| s % 4).collect();
    assert!(BlockStepLcs::<_, LookAhead>::new(&Simt::default(), &a[..1 << 20], &b, &|_| ()).is_ok());
}

#[test]
fn a_gpu_that_is_not_there_is_an_error() {
    if gpu_present() {
        eprintln!("skipped: there is a GPU");
        return;
    }
    for algorithm in [Algorithm::Auto, Algorithm::BlockStep, Algorithm::BlockStepLookAhead] {
        let comparison = Comparison::new().engine(Engine::Gpu).algorithm(algorithm);
        for (a, b) in [(&b"ABC"[..], &b"BC"[..]), (b"", b"")] {
            let error = comparison.length(a, b).unwrap_err();
            assert!(matches!(error, Error::NoGpu(_)), "{error}");
            assert!(error.to_string().contains("--engine cpu"), "{error}");
            assert!(matches!(comparison.subsequence(a, b).unwrap_err(), Error::NoGpu(_)));
        }
    }
    // `Auto` takes the CPU for strings that a GPU would be faster on.
    let (_, report) = Comparison::new().length_with_report(&text(70_000, 4, 1), &text(70_000, 4, 2)).unwrap();
    assert_eq!((report.engine, report.algorithm), (Engine::Cpu, Algorithm::BitParallel));
}

#[test]
fn an_algorithm_of_another_engine_is_refused() {
    for (_, engine) in Engine::NAMES {
        for (_, algorithm) in Algorithm::NAMES {
            if algorithm == Algorithm::Auto || Algorithm::of(engine).contains(&algorithm) {
                continue;
            }
            if engine == Engine::Auto && gpu_present() {
                continue;
            }
            let comparison = Comparison::new().engine(engine).algorithm(algorithm);
            let error = comparison.subsequence(b"ABC", b"BC").unwrap_err();
            assert!(matches!(error, Error::Usage(_)), "{engine}, {algorithm}: {error}");
            for offered in Algorithm::of(engine) {
                assert!(error.to_string().contains(&offered.to_string()), "{error}");
            }
            assert!(matches!(comparison.length(b"ABC", b"BC"), Err(Error::Usage(_))));
        }
    }
}

#[test]
fn names_are_read_as_they_are_shown() {
    for (name, engine) in Engine::NAMES {
        assert_eq!((engine.to_string().as_str(), name.parse::<Engine>().unwrap()), (name, engine));
    }
    for (name, algorithm) in Algorithm::NAMES {
        assert_eq!((algorithm.to_string().as_str(), name.parse::<Algorithm>().unwrap()), (name, algorithm));
    }
    let error = "cuda".parse::<Engine>().unwrap_err().to_string();
    assert!(error.contains("`cuda`") && error.contains("auto, cpu, gpu, simt"), "{error}");
    assert!(matches!("Dp".parse::<Algorithm>(), Err(Error::Usage(_))));
}

/// Comparisons in several threads at a time, as in a server.
#[test]
fn comparisons_can_run_at_the_same_time() {
    let (a, b) = (text(1100, 4, 1), text(1000, 4, 2));
    let alone = Comparison::new().engine(Engine::Cpu).thresholds(0, 5000).subsequence(&a, &b).unwrap();
    std::thread::scope(|scope| {
        for engine in Engine::present().into_iter().cycle().take(4) {
            let (a, b, alone) = (&a, &b, &alone);
            scope.spawn(move || {
                let lcs = Comparison::new().engine(engine).thresholds(0, 5000).subsequence(a, b).unwrap();
                assert_eq!(lcs.runs(), alone.runs(), "{engine}");
            });
        }
    });
}
