//! Every engine and algorithm through the public interface, checked against the full-table oracle.
#![cfg(all(feature = "published", feature = "simt"))]
mod common;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use carrywave::Error;
use carrywave::device::{Cpu, EngineKind, Gpu, Gpus, Simt};
use carrywave::internal::lcs::cpu::{self, CpuColumns};
use carrywave::internal::lcs::gpu::{self, DeviceAlgorithm};
use carrywave::internal::pairwise::Columns;
use carrywave::internal::pairwise::{Part, Side};
use carrywave::job::{Recorder, Report};
use carrywave::lcs::CommonSubsequence;
use carrywave::lcs::{Algorithm, Comparison};
use common::devices::{engines, gpu, on_a_device};
use common::oracle::lcs as oracle;
use common::texts::{relative, text};
use proptest::prelude::*;
use simt_launch::Device;

/// Lengths around every border of words, sub-vectors and steps.
const LENGTHS: [usize; 14] = [0, 1, 31, 32, 33, 63, 64, 65, 1023, 1024, 1025, 2047, 2048, 2049];

/// Alphabet sizes, including all bytes.
const SYMBOLS: [usize; 5] = [1, 2, 4, 20, 256];

/// Returns a part of a string, `text`: the whole, or without some symbols at both ends.
fn part(side: Side, text: &[u8], inner: bool) -> Part {
    let cut = if inner { text.len() / 5 } else { 0 };
    Part { side, range: cut..text.len() - cut / 2 }
}

/// Checks whole columns, and both columns of a split, of whole strings and of parts, with either
/// string as the rows.
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

fn check_device_columns<D: Device>(device: &Arc<D>, a: &[u8], b: &[u8]) {
    for row in DeviceAlgorithm::<D>::ALL {
        let engine = (row.open)(&[&**device], [a, b], &|_| ()).unwrap();
        check_columns(&format!("{}, {}", std::any::type_name::<D>(), row.about.name), &*engine, a, b);
    }
}

/// Checks the columns of every engine and algorithm.
fn check_all_columns(a: &[u8], b: &[u8]) {
    for row in cpu::ALGORITHMS {
        let Some(last_column) = row.columns() else { continue };
        let engine = CpuColumns { strings: [a, b], last_column, progress: &|_| () };
        check_columns(&format!("cpu, {}", row.about.name), &engine, a, b);
    }
    on_a_device!(check_device_columns(a, b));
}

/// Upper bound on the cells that Hirschberg's recursion computes: 2mn, and a row per level if a
/// string of odd length is halved.
fn most_cells(m: usize, n: usize) -> u64 {
    let (m, n) = (m as u64, n as u64);
    2 * m * n + m.max(n) * u64::from((m.min(n) + 1).next_power_of_two().ilog2())
}

/// Checks that the report names what ran, and that the parts of the time add up to at most the
/// whole, which is at most the caller's `waited`.
fn check_report(report: &Report, engine: EngineKind, algorithm: Algorithm, waited: Duration) {
    match (report.engine(), report.algorithm()) {
        (None, None) => assert_eq!(report.done, 0, "{report:?}"),
        // A device leaves small strings to the CPU.
        (Some(EngineKind::Cpu), Some("bit-parallel")) => assert_eq!(report.done_by_kernels, 0, "{report:?}"),
        ran => assert_eq!(ran, (Some(engine), Some(algorithm.name()))),
    }
    assert!(report.kernels + report.transfer() <= report.total && report.total <= waited, "{report:?}, {waited:?}");
    assert!(report.done_by_kernels <= report.done, "{report:?}");
    let times = (report.kernels.is_zero(), report.transfer().is_zero());
    match (engine, report.done_by_kernels) {
        (EngineKind::Cpu, cells) => assert_eq!((cells, times), (0, (true, true)), "{report:?}"),
        (_, 0) => {}
        _ => assert_eq!(times, (false, false), "{report:?}"),
    }
}

/// Returns the report of a job.
fn report_of<R>(comparison: Comparison<'_>, job: impl FnOnce(&Comparison<'_>) -> R) -> Report {
    let recorder = Recorder::new();
    job(&comparison.recorder(&recorder));
    recorder.take().unwrap()
}

/// Returns the engine and the algorithm of a report.
fn ran(report: &Report) -> (EngineKind, &'static str) {
    (report.engine().unwrap(), report.algorithm().unwrap())
}

/// Depth of the recursion.
#[derive(Debug, Clone, Copy)]
enum Depth {
    /// Default thresholds.
    Usual,
    /// Five levels, all of them on the device.
    Deep,
    /// Five levels, the lower ones on the CPU.
    Shared,
}

/// Checks lengths and subsequences of every engine and algorithm.
fn check_comparisons(a: &[u8], b: &[u8], depths: &[Depth]) {
    let cells = a.len() as u64 * b.len() as u64;
    let longest = oracle::prefixes(a, b)[a.len()] as u64;
    for &depth in depths {
        let mut first: Option<CommonSubsequence> = None;
        for engine in engines() {
            let kind = engine.kind();
            for algorithm in Algorithm::all_on(kind) {
                let place = format!("{kind}, {algorithm}, {depth:?}, {} × {}", a.len(), b.len());
                let done = AtomicU64::new(0);
                let progress = |cells| {
                    done.fetch_add(cells, Ordering::Relaxed);
                };
                let recorder = Recorder::new();
                let comparison = Comparison::new().on(&*engine).algorithm(algorithm).on_progress(&progress);
                let comparison = comparison.recorder(&recorder);
                let comparison = match depth {
                    Depth::Usual => comparison,
                    Depth::Deep => comparison.thresholds(0, cells / 40),
                    Depth::Shared => comparison.thresholds(cells / 3, cells / 40),
                };

                let started = Instant::now();
                let length = comparison.length(a, b).unwrap();
                let report = recorder.take().unwrap();
                check_report(&report, kind, algorithm, started.elapsed());
                assert_eq!(length, longest, "{place}");
                assert_eq!(done.swap(0, Ordering::Relaxed), report.done, "{place}: progress");
                let is_bands = report.algorithm() == Some("bands");
                assert!(is_bands || report.done == cells, "{place}: {} cells", report.done);
                if kind == EngineKind::Simt {
                    assert_eq!(report.done_by_kernels, cells, "{place}");
                }

                let started = Instant::now();
                let lcs = comparison.alignment(a, b).unwrap();
                let report = recorder.take().unwrap();
                check_report(&report, kind, algorithm, started.elapsed());
                lcs.verify(a, b).unwrap();
                assert_eq!(lcs.len(), longest, "{place}");
                assert_eq!(lcs.subsequence(a).unwrap().len() as u64, longest, "{place}");
                assert_eq!((lcs.a_len(), lcs.b_len()), (a.len() as u64, b.len() as u64), "{place}");
                assert_eq!(done.into_inner(), report.done, "{place}: progress");
                if report.algorithm() == Some("bands") {
                    continue;
                }
                assert!(report.done <= most_cells(a.len(), b.len()), "{place}: {} cells", report.done);
                match depth {
                    Depth::Deep if kind != EngineKind::Cpu => {
                        assert_eq!(report.done_by_kernels, report.done, "{place}: all on the device");
                    }
                    Depth::Shared => assert!(report.done_by_kernels <= cells * 2, "{place}"),
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

/// Combines every length of the list with half of the short ones, and some of the long with the
/// long.
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

/// Strings large enough that splitting reaches the default leaves, on every engine.
#[test]
fn the_usual_thresholds_split_long_strings() {
    let a = text(2049, 4, 1);
    let b = relative(&a, 2047, 4, 2);
    check_comparisons(&a, &b, &[Depth::Usual]);
    let report = report_of(Comparison::new().on(&Simt::new()), |job| job.alignment(&a, &b).unwrap());
    assert!(report.done_by_kernels > 4_000_000, "{report:?}");
}

/// The CPU takes subproblems below the device's threshold.
#[test]
fn small_subproblems_leave_the_device() {
    let (a, b) = (text(500, 4, 1), text(500, 4, 2));
    let simt = || Comparison::new().on(&Simt::new());
    let report = report_of(simt().thresholds(250_001, 1000), |job| job.alignment(&a, &b).unwrap());
    assert!(report.done_by_kernels == 0 && report.done > 250_000, "{report:?}");
    // Only the first split runs on the device.
    let report = report_of(simt().thresholds(249_000, 1000), |job| job.alignment(&a, &b).unwrap());
    assert!((249_000..=250_000).contains(&report.done_by_kernels) && report.done > 250_000, "{report:?}");
    let report = report_of(simt().thresholds(250_001, 1000), |job| job.length(&a, &b).unwrap());
    assert_eq!((report.done_by_kernels, report.done), (0, 250_000), "{report:?}");
}

#[test]
fn the_defaults_and_the_shorthands_are_right() {
    let (a, b) = (text(1500, 4, 1), text(1400, 4, 2));
    let longest = oracle::prefixes(&a, &b)[a.len()] as u64;
    assert_eq!(carrywave::lcs_length(&a, &b).unwrap(), longest);
    let lcs = carrywave::lcs(&a, &b).unwrap();
    lcs.verify(&a, &b).unwrap();
    assert_eq!(lcs.len(), longest);
    let report = report_of(Comparison::new(), |job| job.length(&a, &b).unwrap());
    assert_eq!(ran(&report), (EngineKind::Cpu, "bit-parallel"), "short strings are the CPU's");
}

#[test]
fn more_than_the_device_holds_is_refused_before_it_is_tried() {
    const FREE: u64 = 4 << 20;
    let device = Simt::from(simt_launch::Simt::with_memory(FREE));
    let (a, b) = (text(5 << 14, 256, 1), (0..=255).collect::<Vec<u8>>());
    for algorithm in ["block-step", "block-step-look-ahead"].map(|name| Algorithm::named(name).unwrap()) {
        let comparison = Comparison::new().on(&device).algorithm(algorithm);
        for (x, y) in [(&a, &b), (&b, &a)] {
            let errors = [comparison.length(x, y).map(|_| ()), comparison.alignment(x, y).map(|_| ())];
            for error in errors.map(Result::unwrap_err) {
                let Error::DeviceMemory { needed, free } = error else { panic!("{error}") };
                // 256 match vectors, V and two vectors of carries, twice; and the strings.
                let most = (5u64 << 14) * 259 / 8 * 2 + (6 << 14);
                assert!((most * 9 / 10..most).contains(&needed), "{needed}");
                assert_eq!(free, FREE);
            }
        }
        // With four symbols, the same length fits.
        let a: Vec<u8> = a.iter().map(|symbol| symbol % 4).collect();
        assert_eq!(comparison.length(&a, &b).unwrap(), 4);
    }
}

/// If a GPU that the library chose has too little memory for the strings, the job runs on the CPU;
/// a GPU that the caller chose gives an error.
#[test]
fn a_chosen_gpu_of_little_memory_is_left_for_the_cpu() {
    let (a, b) = (text(20_000, 4, 1), relative(&text(20_000, 4, 1), 20_000, 4, 2));
    // One thread, so that a GPU is faster.
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let little: Simt = simt_launch::Simt::with_memory(100).into();
        let chosen = Comparison::new().automatic(&little);
        let recorder = Recorder::new();
        let chosen = chosen.recorder(&recorder);
        let length = chosen.length(&a, &b).unwrap();
        let report = recorder.take().unwrap();
        let longest = Comparison::new().on(&Cpu::new()).length(&a, &b).unwrap();
        let cpu = (EngineKind::Cpu, "bit-parallel");
        assert_eq!((length, ran(&report)), (longest, cpu));
        assert_eq!((report.done, report.done_by_kernels), (a.len() as u64 * b.len() as u64, 0));
        let lcs = chosen.alignment(&a, &b).unwrap();
        let report = recorder.take().unwrap();
        lcs.verify(&a, &b).unwrap();
        assert_eq!((lcs.len(), ran(&report)), (longest, cpu));
        let given = Comparison::new().on(&little);
        assert!(matches!(given.length(&a, &b), Err(Error::DeviceMemory { .. })));
        assert!(matches!(given.alignment(&a, &b), Err(Error::DeviceMemory { .. })));
        // With enough memory the GPU is used, even if it leaves all parts to the CPU.
        let plenty = Simt::new();
        let left = Comparison::new().automatic(&plenty).thresholds(u64::MAX, 1 << 20);
        let report = report_of(left, |job| job.length(&a, &b).unwrap());
        assert_eq!((ran(&report), report.done_by_kernels), (cpu, 0));
        // The CPU always takes short strings.
        chosen.length(&a[..1000], &b[..1000]).unwrap();
        assert_eq!(ran(&recorder.take().unwrap()), cpu);
    });
}

/// Returns a string with every n-th symbol replaced by another.
fn changed_at_every(n: usize, string: &[u8]) -> Vec<u8> {
    let mut changed = string.to_vec();
    changed.iter_mut().step_by(n).for_each(|symbol| *symbol ^= 1);
    changed
}

/// Similar strings are answered by the CPU before a GPU is opened; for others, the GPU is opened.
#[test]
fn similar_strings_open_no_gpu() {
    let a = text(20_000, 4, 1);
    let similar = changed_at_every(500, &a);
    let random = text(20_000, 4, 2);
    // A job that opens the first would run there. The memory of the second is too little for any
    // strings, so a job that opens it ends on the CPU.
    let plenty = Simt::new();
    let little = Simt::with_memory(1 << 10);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        for (b, device, algorithm) in [(&similar, &plenty, "bands"), (&random, &little, "bit-parallel")] {
            let longest = Comparison::new().on(&Cpu::new()).length(&a, b).unwrap();
            let recorder = Recorder::new();
            let chosen = Comparison::new().automatic(device).closed().recorder(&recorder);
            assert_eq!(chosen.length(&a, b).unwrap(), longest);
            assert_eq!(ran(&recorder.take().unwrap()), (EngineKind::Cpu, algorithm));
            let lcs = chosen.alignment(&a, b).unwrap();
            lcs.verify(&a, b).unwrap();
            assert_eq!((lcs.len(), ran(&recorder.take().unwrap())), (longest, (EngineKind::Cpu, algorithm)));
        }
    });
}

/// A GPU that the caller has chosen, but that is not open yet, gets no part of similar strings; it
/// computes all others.
#[test]
fn a_chosen_gpu_opens_when_it_is_needed() {
    let a = text(20_000, 4, 1);
    let similar = changed_at_every(500, &a);
    let random = text(20_000, 4, 2);
    // Too little memory for any strings, so a job that uses it fails.
    let little = Simt::with_memory(1 << 10);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    pool.install(|| {
        let recorder = Recorder::new();
        let chosen = Comparison::new().on(&little).closed().recorder(&recorder);
        let longest = Comparison::new().on(&Cpu::new()).length(&a, &similar).unwrap();
        assert_eq!(chosen.length(&a, &similar).unwrap(), longest);
        assert_eq!(ran(&recorder.take().unwrap()), (EngineKind::Cpu, "bands"));
        assert_eq!(chosen.alignment(&a, &similar).unwrap().len(), longest);
        assert!(matches!(chosen.length(&a, &random), Err(Error::DeviceMemory { .. })));
        let named = chosen.clone().algorithm(Algorithm::named("wavefront").unwrap());
        assert!(matches!(named.length(&a, &similar), Err(Error::DeviceMemory { .. })));
        let (a, random) = (&a[..600], &random[..600]);
        let plenty = Simt::new();
        let computed = Comparison::new().on(&plenty).closed().length(a, random).unwrap();
        assert_eq!(computed, Comparison::new().on(&Cpu::new()).length(a, random).unwrap());
    });
}

#[test]
fn a_gpu_that_is_not_there_is_an_error() {
    if gpu().is_some() {
        eprintln!("skipped: there is a GPU");
        return;
    }
    assert!(matches!(Gpu::open(0), Err(Error::NoGpu(_))));
    assert!(matches!(Gpus::open(0, 2), Err(Error::NoGpu(_))));
    // An algorithm that only GPUs have needs a GPU.
    let on_cpu: Vec<Algorithm> = Algorithm::all_on(EngineKind::Cpu).collect();
    let of_gpus: Vec<Algorithm> = Algorithm::all_on(EngineKind::Gpu).filter(|own| !on_cpu.contains(own)).collect();
    assert!(!of_gpus.is_empty());
    for algorithm in of_gpus {
        let comparison = Comparison::new().algorithm(algorithm);
        for (a, b) in [(&b"ABC"[..], &b"BC"[..]), (b"", b"")] {
            let error = comparison.length(a, b).unwrap_err();
            assert!(matches!(error, Error::NoGpu(_)), "{error}");
            assert!(error.to_string().contains("use the CPU"), "{error}");
            assert!(matches!(comparison.alignment(a, b).unwrap_err(), Error::NoGpu(_)));
        }
    }
    // Without an engine, the CPU takes strings that a GPU would compute faster.
    let (a, b) = (text(70_000, 4, 1), text(70_000, 4, 2));
    let report = report_of(Comparison::new(), |job| job.length(&a, &b).unwrap());
    assert_eq!(ran(&report), (EngineKind::Cpu, "bit-parallel"));
}

#[test]
fn an_algorithm_of_another_engine_is_refused() {
    let mut refused = 0;
    for engine in engines() {
        let own: Vec<Algorithm> = Algorithm::all_on(engine.kind()).collect();
        for algorithm in Algorithm::all().filter(|algorithm| !own.contains(algorithm)) {
            let comparison = Comparison::new().on(&*engine).algorithm(algorithm);
            let error = comparison.alignment(b"ABC", b"BC").unwrap_err();
            assert!(matches!(error, Error::Unsupported { .. }), "{}, {algorithm}: {error}", engine.kind());
            for word in own.iter().map(|own| own.name()).chain([algorithm.name(), engine.kind().name()]) {
                assert!(error.to_string().contains(word), "no {word}: {error}");
            }
            assert!(matches!(comparison.length(b"ABC", b"BC"), Err(Error::Unsupported { .. })));
            refused += 1;
        }
    }
    assert!(refused >= 4, "{refused}");
}

/// Several GPUs take only an algorithm that distributes its work.
#[test]
fn an_algorithm_of_one_gpu_refuses_several() {
    let (two, names) = (Simt::several(2).unwrap(), gpu::ABOUTS);
    for about in names {
        let comparison = Comparison::new().on(&two).algorithm(Algorithm::named(about.name).unwrap());
        let outcome = comparison.length(b"ABC", b"BC");
        if about.limits.devices > 1 {
            assert_eq!(outcome.unwrap(), 2, "{}", about.name);
        } else {
            let error = outcome.unwrap_err();
            assert!(matches!(error, Error::Unsupported { .. }) && error.to_string().contains("one GPU"), "{error}");
        }
    }
    assert!(names.iter().any(|about| about.limits.devices > 1) && names.iter().any(|about| about.limits.devices == 1));
    for count in [0, 65] {
        assert!(matches!(Simt::several(count), Err(Error::Usage { .. })), "{count}");
    }
    for threads in [0, 4097] {
        assert!(matches!(Cpu::with_threads(threads), Err(Error::Usage { .. })), "{threads}");
    }
}

#[test]
fn names_are_read_as_they_are_shown() {
    for algorithm in Algorithm::all().chain([Algorithm::AUTO]) {
        assert_eq!(
            (algorithm.to_string().parse::<Algorithm>().unwrap(), algorithm.name()),
            (algorithm, &*algorithm.to_string())
        );
    }
    let error = "Dp".parse::<Algorithm>().unwrap_err();
    assert!(matches!(error, Error::UnknownName { .. }), "{error}");
    let words = error.to_string();
    assert!(words.contains("`Dp`") && Algorithm::all().all(|known| words.contains(known.name())), "{error}");
    assert!(words.contains("auto"), "{error}");
}

/// Comparisons in several threads at the same time, as in a server.
#[test]
fn comparisons_can_run_at_the_same_time() {
    let (a, b) = (text(1100, 4, 1), text(1000, 4, 2));
    let alone = Comparison::new().on(&Cpu::new()).thresholds(0, 5000).alignment(&a, &b).unwrap();
    // Two comparisons on each engine.
    let engines = engines();
    std::thread::scope(|scope| {
        for engine in engines.iter().chain(&engines) {
            let (a, b, alone) = (&a, &b, &alone);
            scope.spawn(move || {
                let lcs = Comparison::new().on(&**engine).thresholds(0, 5000).alignment(a, b).unwrap();
                assert_eq!(lcs.runs(), alone.runs(), "{}", engine.kind());
            });
        }
    });
}
