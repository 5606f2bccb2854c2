//! The distances of two columns of strings on the simulator, and on GPU 0 if there is one, checked
//! against the CPU.
#![cfg(feature = "simt")]

mod common;

use carrywave::Error;
use carrywave::device::{Cpu, Engine, Gpu, Simt};
use carrywave::error::UsageFault;
use carrywave::internal::HostColumns;
use carrywave::pairs::{ColumnAt, Cost, OffsetsAt, Pairs, ResidentColumn};
use carrywave::scorers::{Kind, Parameters, SCORERS, Score, Scorer, Weights, named};
use fastrand::Rng;
use simt_launch::Device;

const MISSING: u32 = i32::MAX as u32;

/// Strings one after another, and the place of each.
struct Column {
    symbols: Vec<u8>,
    offsets: Vec<u64>,
}

impl Column {
    /// Places strings behind `before` symbols that belong to none, and the same number of symbols
    /// after them.
    fn new(strings: &[Vec<u8>], before: usize) -> Self {
        let mut column = Self { symbols: vec![b'#'; before], offsets: vec![before as u64] };
        for string in strings {
            column.symbols.extend(string);
            column.offsets.push(column.symbols.len() as u64);
        }
        column.symbols.resize(column.symbols.len() + before, b'#');
        column
    }
}

/// Returns pairs of strings over an alphabet of `symbols` symbols. Two of three pairs are similar.
fn pairs(count: usize, symbols: usize, longest: usize, random: &mut Rng) -> [Vec<Vec<u8>>; 2] {
    let a: Vec<Vec<u8>> =
        (0..count).map(|_| common::texts::random(random.usize(..=longest), symbols, random)).collect();
    let mut near = |string: &Vec<u8>| match random.u8(..3) {
        0 => common::texts::random(random.usize(..=longest), symbols, random),
        _ => common::texts::with_errors(string, 3, symbols, random),
    };
    let b = a.iter().map(&mut near).collect();
    [a, b]
}

/// Returns the distances by the CPU, one more than the maximum for those above it.
fn expected(job: &Pairs<'_>, maximum: Option<u32>, [a, b]: &[Vec<Vec<u8>>; 2]) -> Vec<u32> {
    let pairs: Vec<_> = a.iter().zip(b).collect();
    let found = job.clone().on(&Cpu::new()).listed(&pairs).unwrap();
    found.into_iter().map(|distance| distance.unwrap_or_else(|| maximum.unwrap() + 1)).collect()
}

/// Calls `check` with the simulator, and with GPU 0 if there is one: with a device as another
/// library would use it, and an engine.
macro_rules! on_each {
    ($check:ident) => {
        let device = simt_launch::Simt::default();
        $check(&device, &Simt::from(device.peer()));
        if let Ok(gpu) = Gpu::open(0) {
            $check(&simt_launch::Gpu::open(0).unwrap(), &gpu);
        }
    };
}

fn columns_of_all_kinds(_: &impl Device, engine: &dyn Engine) {
    let mut random = Rng::with_seed(1);
    for (case, (count, symbols, longest)) in
        [(0, 4, 1), (1, 4, 9), (70, 256, 40), (1500, 26, 20), (1024, 2, 0)].into_iter().enumerate()
    {
        let strings = pairs(count, symbols, longest, &mut random);
        for (cost, maximum) in [(Cost::Levenshtein, None), (Cost::Indel, Some(4)), (Cost::Osa, Some(3))] {
            let job = Pairs::new().cost(cost);
            let job = maximum.map_or(job.clone(), |maximum| job.maximum(maximum));
            let expected = expected(&job, maximum, &strings);
            let [a, b] = &strings;
            let [of_a, of_b] = [ResidentColumn::new(engine, a).unwrap(), ResidentColumn::new(engine, b).unwrap()];
            let found = job.listed_resident(&of_a, &of_b).unwrap();
            assert_eq!((found.len(), found.download().unwrap()), (count, expected.clone()), "{case}");

            let [a, b] = [Column::new(a, 5), Column::new(b, 0)];
            let columns =
                HostColumns { symbols: [&a.symbols, &b.symbols], offsets: [&a.offsets, &b.offsets], missing: &[] };
            let above = |&distance: &u32| if maximum.is_some_and(|most| distance > most) { u32::MAX } else { distance };
            let expected: Vec<u32> = expected.iter().map(above).collect();
            assert_eq!(job.clone().on(engine).listed_columns(columns).unwrap(), expected, "{case}");
            assert_eq!(job.on(&Cpu::new()).listed_columns(columns).unwrap(), expected, "{case}");
        }
    }
}

#[test]
fn columns_give_what_lists_give() {
    on_each!(columns_of_all_kinds);
}

/// Scores are those of the host's strings, by each scorer that takes columns; some strings are
/// missing, and some are too long for the kernel that compares nearby positions.
fn scores_of_columns(_: &impl Device, engine: &dyn Engine) {
    let mut random = Rng::with_seed(3);
    let weights = Weights { insertion: 2, deletion: 2, replacement: 5 };
    let all = [Parameters::DEFAULT, Parameters { weights, prefix_weight: 0.25, ..Parameters::DEFAULT }];
    let limits = |scorer: &Scorer, kind: Kind| match (scorer.is_whole(kind), scorer.optimal(Kind::Similarity)) {
        (true, _) => [None, Some(Score::Whole(5))],
        (false, Some(100.0)) if kind == Kind::Similarity => [None, Some(Score::Fraction(60.0))],
        _ => [None, Some(Score::Fraction(0.6))],
    };
    for (count, symbols, longest) in [(0, 4, 1), (60, 4, 12), (80, 26, 66), (55, 256, 90)] {
        let strings = pairs(count, symbols, longest, &mut random);
        let mut columns = strings.map(|side| side.into_iter().map(Some).collect::<Vec<_>>());
        columns.iter_mut().zip([3, 50]).for_each(|(side, row)| side.get_mut(row).into_iter().for_each(|it| *it = None));
        let [a, b] = columns.each_ref().map(|side| {
            let side: Vec<Option<&[u8]>> = side.iter().map(Option::as_deref).collect();
            ResidentColumn::new_with_missing(engine, &side).unwrap()
        });
        let kinds = [Kind::Distance, Kind::Similarity, Kind::NormalizedDistance, Kind::NormalizedSimilarity];
        for (scorer, parameters) in SCORERS.iter().flat_map(|scorer| all.iter().map(move |own| (scorer, own))) {
            let found = |kind, limit| scorer.scores_of_columns(kind, [&a, &b], parameters, limit);
            if !scorer.takes_columns(parameters) {
                assert!(matches!(found(Kind::Distance, None), Err(Error::Unsupported { .. })), "{}", scorer.name);
                continue;
            }
            for (turn, kind) in kinds.into_iter().enumerate() {
                let limit = limits(scorer, kind)[(turn + count) % 2];
                let score = |(a, b): (&Option<Vec<u8>>, &Option<Vec<u8>>)| match (a, b) {
                    (Some(a), Some(b)) => scorer.score(kind, a, b, parameters, limit).unwrap().value(),
                    _ => f64::NAN,
                };
                let expected: Vec<f64> = columns[0].iter().zip(&columns[1]).map(score).collect();
                let bits = |scores: Vec<f64>| scores.into_iter().map(f64::to_bits).collect::<Vec<_>>();
                assert_eq!(bits(found(kind, limit).unwrap()), bits(expected), "{} {kind:?} {limit:?}", scorer.name);
            }
        }
    }
}

#[test]
fn scores_of_columns_are_those_of_strings() {
    on_each!(scores_of_columns);
}

/// What a column finds at its first use, several threads may need at the same time.
#[test]
fn several_threads_use_new_columns() {
    let simt = Simt::new();
    let prefix = named("prefix").unwrap();
    for _ in 0..30 {
        let [a, b] = [(); 2].map(|()| ResidentColumn::new(&simt, &[""; 4000]).unwrap());
        let score = || prefix.scores_of_columns(Kind::Similarity, [&a, &b], &Parameters::DEFAULT, None).unwrap();
        std::thread::scope(|scope| {
            let threads = [(); 4].map(|()| scope.spawn(score));
            assert!(threads.into_iter().all(|thread| thread.join().unwrap() == [0.0; 4000]));
        });
    }
}

#[test]
fn scores_need_columns_of_one_length_and_one_device() {
    let [one, other] = [Simt::new(), Simt::new()];
    let column = |engine: &Simt, strings: &[&str]| ResidentColumn::new(engine, strings).unwrap();
    let (a, short) = (column(&one, &["wave", "carry"]), column(&one, &["wave"]));
    let elsewhere = column(&other, &["wave", "curry"]);
    for name in ["jaro", "ratio", "hamming"] {
        let scorer = named(name).unwrap();
        let with = |b| scorer.scores_of_columns(Kind::Similarity, [&a, b], &Parameters::DEFAULT, None);
        assert!(matches!(with(&short), Err(Error::Usage { fault: UsageFault::Mismatch, .. })));
        assert!(matches!(with(&elsewhere), Err(Error::Unsupported { .. })));
    }
    let parameters = Parameters { pad: false, ..Parameters::DEFAULT };
    let hamming = |b| named("hamming").unwrap().scores_of_columns(Kind::Distance, [&a, b], &parameters, None);
    assert_eq!(hamming(&a).unwrap(), [0.0, 0.0]);
    let longer = column(&one, &["waves", "carry"]);
    assert!(matches!(hamming(&longer), Err(Error::Usage { fault: UsageFault::Mismatch, .. })));
}

/// Memory that another library has filled: offsets of both sizes, strings of one length, missing
/// strings, and symbols that begin at any address.
fn memory_of_others(other: &impl Device, engine: &dyn Engine) {
    let mut random = Rng::with_seed(2);
    let stream = other.stream().unwrap();
    for before in [0, 1, 7] {
        let strings = pairs(200, 4, 25, &mut random);
        let columns = [Column::new(&strings[0], before), Column::new(&strings[1], before)];
        let [a, b] = columns.each_ref().map(|column| other.alloc_from(&stream, &column.symbols, "symbols").unwrap());
        let narrow: Vec<u32> = columns[0].offsets.iter().map(|&offset| offset as u32).collect();
        let narrow = other.alloc_from(&stream, &narrow, "offsets").unwrap();
        let wide = other.alloc_from(&stream, &columns[1].offsets, "offsets").unwrap();
        let valid: Vec<u8> = (0..26).map(|_| random.u8(..)).collect();
        let bits = other.alloc_from(&stream, &valid, "validity").unwrap();
        let is_valid = |row: usize| valid[(row + 3) / 8] >> ((row + 3) % 8) & 1 == 1;
        let [of_a, of_b] = [
            ColumnAt {
                rows: 200,
                symbols: other.handle(&a).address(),
                offsets: OffsetsAt::Narrow(other.handle(&narrow).address()),
                validity: None,
            },
            ColumnAt {
                rows: 200,
                symbols: other.handle(&b).address(),
                offsets: OffsetsAt::Wide(other.handle(&wide).address()),
                validity: Some((other.handle(&bits).address(), 3)),
            },
        ];
        // SAFETY: the arrays are there until the end of this round, and nobody writes them.
        let [of_a, of_b] = [of_a, of_b].map(|strings| unsafe { ResidentColumn::at(engine, strings) }.unwrap());
        let mut expected = expected(&Pairs::new(), None, &strings);
        expected.iter_mut().enumerate().filter(|(row, _)| !is_valid(*row)).for_each(|(_, value)| *value = MISSING);
        for [x, y] in [[&of_a, &of_b], [&of_b, &of_a]] {
            assert_eq!(Pairs::new().listed_resident(x, y).unwrap().download().unwrap(), expected);
        }
        // Few strings are copied one by one.
        for rows in [(0..200).collect::<Vec<usize>>(), vec![199, 0, 7]] {
            let expected: Vec<_> = rows.iter().map(|&row| strings[0][row].clone()).collect();
            assert_eq!(of_a.strings(&rows).unwrap(), expected);
        }
        let beyond = (0..200).filter(|&row| !strings[0][row].is_ascii());
        assert_eq!(of_a.rows_beyond_ascii().unwrap(), beyond.collect::<Vec<usize>>());
    }
    let rows = [&b"ACGTAC"[..], b"AGGTAC"].map(|symbols| other.alloc_from(&stream, symbols, "symbols").unwrap());
    let column = |number: usize| {
        let symbols = other.handle(&rows[number]).address();
        let strings = ColumnAt { rows: 2, symbols, offsets: OffsetsAt::Fixed(3), validity: None };
        // SAFETY: as above.
        unsafe { ResidentColumn::at(engine, strings) }.unwrap()
    };
    assert_eq!(Pairs::new().listed_resident(&column(0), &column(1)).unwrap().download().unwrap(), [1, 0]);
}

#[test]
fn memory_that_another_library_has_filled() {
    on_each!(memory_of_others);
}

/// Memory that is not there, or too short, and offsets that fall.
fn wrong_memory(other: &impl Device, engine: &dyn Engine) {
    let stream = other.stream().unwrap();
    let text = other.alloc_from(&stream, b"ACGT", "symbols").unwrap();
    let offsets = [[0, 2, 4], [0, 3, 2], [0, 4, 1 << 33]]
        .map(|offsets: [u64; 3]| other.alloc_from(&stream, &offsets, "offsets").unwrap());
    let symbols = other.handle(&text).address();
    let [rising, falling, far] = offsets.each_ref().map(|offsets| other.handle(offsets).address());
    let wide = OffsetsAt::Wide;
    let strings = ColumnAt { rows: 2, symbols, offsets: wide(rising), validity: None };
    // SAFETY: what is not allocated is found out.
    let column = |strings: ColumnAt| unsafe { ResidentColumn::at(engine, strings) };
    assert_eq!(column(strings).unwrap().len(), 2);
    for wrong in [
        ColumnAt { symbols: 16, ..strings },
        ColumnAt { offsets: wide(far), ..strings },
        ColumnAt { offsets: wide(16), ..strings },
        ColumnAt { offsets: OffsetsAt::Fixed(1 << 40), ..strings },
        ColumnAt { offsets: OffsetsAt::Fixed(usize::MAX), ..strings },
        ColumnAt { rows: 1 << 30, ..strings },
        ColumnAt { validity: Some((16, 0)), ..strings },
        ColumnAt { validity: Some((symbols, 1 << 50)), ..strings },
    ] {
        let error = column(wrong).unwrap_err();
        assert!(matches!(error, Error::Gpu { .. } | Error::Simulator(_)), "{wrong:?}: {error}");
    }
    for wrong in [ColumnAt { offsets: wide(falling), ..strings }, ColumnAt { rows: usize::MAX, ..strings }] {
        let error = column(wrong).unwrap_err();
        assert!(matches!(error, Error::Usage { .. }), "{wrong:?}: {error}");
    }
}

#[test]
fn memory_that_is_not_there_is_an_error() {
    on_each!(wrong_memory);
}

#[test]
fn columns_that_cannot_be_compared() {
    let (engine, other) = (Simt::new(), Simt::new());
    let column = |engine: &dyn Engine, count: usize| ResidentColumn::new(engine, &vec!["wave"; count]).unwrap();
    let [a, b, shorter] = [column(&engine, 2), column(&other, 2), column(&engine, 1)];
    let usage = [
        Pairs::new().listed_resident(&a, &shorter).unwrap_err(),
        Pairs::new().similarity(0.5).listed_resident(&a, &a).unwrap_err(),
        ResidentColumn::new(&Cpu::new(), &["wave"]).unwrap_err(),
        ResidentColumn::new(&Simt::several(2).unwrap(), &["wave"]).unwrap_err(),
    ];
    assert!(usage.iter().all(|error| matches!(error, Error::Usage { .. })), "{usage:?}");
    let error = Pairs::new().listed_resident(&a, &b).unwrap_err();
    assert!(matches!(error, Error::Unsupported { .. }), "{error}");
    // The engine of a job does not matter.
    assert_eq!(Pairs::new().on(&Cpu::new()).listed_resident(&a, &a).unwrap().download().unwrap(), [0, 0]);
    // A column keeps its engine's device.
    drop(engine);
    assert_eq!(Pairs::new().listed_resident(&a, &a).unwrap().download().unwrap(), [0, 0]);
}

/// A place behind an allocation is in no other one, however far behind it is.
#[test]
fn downloads_stay_inside_their_allocation() {
    let device = simt_launch::Simt::default();
    let stream = device.stream().unwrap();
    let [first, second] = ["first", "second"].map(|name| device.alloc_from(&stream, &[7u64; 4], name).unwrap());
    let apart = device.handle(&second).address().wrapping_sub(device.handle(&first).address()) / 8;
    for start in [3, apart as usize, usize::MAX / 8, usize::MAX] {
        assert!(device.download_from(&stream, &first, start, 2).is_err(), "{start}");
    }
    assert_eq!(device.download_from(&stream, &first, 2, 2).unwrap(), [7, 7]);
}
