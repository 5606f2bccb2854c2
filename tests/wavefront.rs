//! The wavefront engine on simulated devices, one or several, and on a GPU if there is one.
#![cfg(feature = "simt")]
mod common;

use carrywave::Error;
use carrywave::device::Cpu;
use carrywave::internal::lcs::cpu::CpuColumns;
use carrywave::internal::lcs::cpu::{bit_parallel, dp};
use carrywave::internal::lcs::gpu::{Form, LcsPlan, NO_MORE_STRIPS, WavefrontLcs};
use carrywave::internal::pairwise::Columns;
use carrywave::internal::pairwise::{Cut, CutRequest, Cuts, Part, Side};
use carrywave::kernels::lcs::column_tiles::TILE;
use carrywave::kernels::lcs::wavefront::WAVEFRONT_INSTANCES;
use carrywave::lcs::{Algorithm, Comparison};
use common::devices::on_a_device;
use common::oracle::lcs as oracle;
use common::texts::{relative, text};
use simt_launch::device::Limits;
use simt_launch::{Device, Error as DeviceError, Result as DeviceResult, Simt};
use simt_std::global::Global;
use simt_std::{Blocks, Kernel, Word};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

fn request(rows: (Side, Range<usize>), columns: (Side, Range<usize>), middle: usize) -> CutRequest {
    let part = |(side, range)| Part { side, range };
    CutRequest { rows: part(rows), columns: part(columns), middle }
}

/// Returns the symbols of a part.
fn symbols<'s>(part: &Part, a: &'s [u8], b: &'s [u8]) -> &'s [u8] {
    &[a, b][part.side as usize][part.range.clone()]
}

/// Computes both columns of a request by the recurrence, and the cut: the first of the best rows.
fn expected(request: &CutRequest, a: &[u8], b: &[u8]) -> (Vec<usize>, Vec<usize>, Cut) {
    let (x, y) = (symbols(&request.rows, a, b), symbols(&request.columns, a, b));
    let (forward, backward) = (oracle::prefixes(x, &y[..request.middle]), oracle::suffixes(x, &y[request.middle..]));
    let sum = |i: usize| (forward[i] + backward[x.len() - i]) as u64;
    let length = (0..=x.len()).map(sum).max().unwrap();
    let row = (0..=x.len()).find(|&i| sum(i) == length).unwrap();
    (forward, backward, Cut { row, length })
}

/// Checks both columns of a request, its cut and its length against the recurrence.
fn check(engine: &dyn Columns, request: &CutRequest, a: &[u8], b: &[u8], place: &str) {
    let (forward, backward, cut) = expected(request, a, b);
    let halves = engine.halves(&request.rows, &request.columns, request.middle).unwrap();
    assert_eq!(halves.0.lengths(), forward, "{place}: forward, {request:?}");
    assert_eq!(halves.1.lengths(), backward, "{place}: backward, {request:?}");
    assert_eq!(engine.cuts(std::slice::from_ref(request)).unwrap(), [cut], "{place}: {request:?}");
}

fn check_plan<D: Device>(device: &Arc<D>, plan: LcsPlan, a: &[u8], b: &[u8], requests: &[CutRequest]) {
    let engine = WavefrontLcs::new(&[&**device], a, b, &|_| ()).unwrap().with_plan(plan).unwrap();
    for request in requests {
        check(&engine, request, a, b, &format!("{plan:?}"));
    }
}

/// Rows around words and strips, columns around groups and tiles, forwards and backwards, whole
/// strings and parts.
#[test]
fn every_width_at_every_border() {
    const SYMBOLS: [usize; 6] = [1, 2, 4, 20, 64, 256];
    const COLUMNS: [usize; 16] = [1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 47, 48, 49, 64, 97];
    // Up to four warps read ahead.
    let of_one_digit = WAVEFRONT_INSTANCES.iter().filter(|(_, digits, _)| *digits == 1);
    for (i, &(words, _, ahead)) in of_one_digit.enumerate() {
        let (words, warps) = (words as u32, if ahead { 1..=4 } else { 5..=6 });
        let strip = 1024 * words as usize;
        for warps in warps {
            let plan = LcsPlan::new(words, warps);
            let rows = [1, 31, 32, 33, strip - 1, strip, strip + 1, 2 * strip + 1];
            // Tall tables take long, so only two of the four numbers of warps include the tallest.
            let rows = &rows[..if warps % 2 == 1 { 8 } else { 7 }];
            let number = i * 4 + warps as usize;
            let symbols = SYMBOLS.into_iter().filter(|s| s * words as usize <= 256).cycle().nth(number).unwrap();
            // The parts begin and end inside the strings, except the longest.
            let longest = *rows.last().unwrap();
            let a = text(longest, symbols, number as u64);
            let b = if number.is_multiple_of(3) {
                text(200, symbols, 1000 + number as u64)
            } else {
                relative(&a, 200, symbols, 2000 + number as u64)
            };
            let requests: Vec<CutRequest> = rows
                .iter()
                .enumerate()
                .map(|(k, &m)| {
                    let (before, after) = (COLUMNS[(number + 3 * k) % 16], COLUMNS[(number * 5 + 7 * k + 1) % 16]);
                    let (row, column) = ((longest - m) / 2, (200 - before - after) / 2);
                    request((Side::A, row..row + m), (Side::B, column..column + before + after), before)
                })
                .collect();
            on_a_device!(check_plan(plan, &a, &b, &requests));
        }
    }
}

/// Symbols of several digits: bytes and tokens, with the number of digits that they need, and with
/// digits that no symbol has.
#[test]
fn every_number_of_digits_at_every_border() {
    const TOKENS: [u32; 7] = [5, 20, 256, 1000, 4096, 40_000, 1 << 20];
    let of_digits = WAVEFRONT_INSTANCES.iter().filter(|(_, digits, _)| *digits > 1);
    for (i, &(words, digits, ahead)) in of_digits.enumerate() {
        let plan = LcsPlan::for_form(
            Form { digits: digits as u32, ..Form::of_words(words as u32) },
            if ahead { 2 } else { 5 },
        );
        let strip = 1024 * words;
        // The alphabets that benefit from this number of digits, two of them in turn.
        let worth = |&symbols: &u32| {
            let device = Simt::default();
            let a = [symbols - 1];
            WavefrontLcs::of_tokens(&[&device], &a, &a, &|_| ()).unwrap().with_plan(plan).is_ok()
        };
        let fitting: Vec<u32> = TOKENS.into_iter().chain([1 << 24]).filter(worth).collect();
        assert!(!fitting.is_empty(), "{plan:?} is for no alphabet");
        for (k, &symbols) in fitting.iter().enumerate().skip(i % fitting.len()).take(2) {
            let mut random = fastrand::Rng::with_seed(i as u64);
            // Few of the symbols, so that many match; the greatest symbol occurs.
            let kinds: Vec<u32> = (0..9).map(|_| random.u32(..symbols)).chain([symbols - 1]).collect();
            let mut token = || kinds[random.usize(..kinds.len())];
            let a: Vec<u32> = (0..2 * strip + 1).map(|_| token()).chain([symbols - 1]).collect();
            let b: Vec<u32> = (0..110).map(|_| token()).collect();
            let requests = [strip - 1, strip, 2 * strip + 1]
                .map(|m| request((Side::A, 1..1 + m), (Side::B, 3..110 - k), [16, 31, 32, 47][(i + m) % 4]));
            on_a_device!(check_tokens(plan, &a, &b, &requests[..if words > 8 { 2 } else { 3 }]));
        }
    }
}

/// Checks the cuts of strings of tokens, with few different ones, against those of their bytes by
/// the recurrence.
fn check_tokens<D: Device>(device: &Arc<D>, plan: LcsPlan, a: &[u32], b: &[u32], requests: &[CutRequest]) {
    let mut kinds: Vec<u32> = a.iter().chain(b).copied().collect();
    kinds.sort_unstable();
    kinds.dedup();
    let bytes =
        |tokens: &[u32]| -> Vec<u8> { tokens.iter().map(|token| kinds.binary_search(token).unwrap() as u8).collect() };
    let engine = WavefrontLcs::of_tokens(&[&**device], a, b, &|_| ()).unwrap().with_plan(plan).unwrap();
    for request in requests {
        check(&engine, request, &bytes(a), &bytes(b), &format!("{plan:?}"));
    }
}

/// The other string's rows, and strings whose carries run far, stop everywhere or never start.
#[test]
fn adversarial_strings() {
    let every: Vec<u8> = (0..=255).collect();
    let runs: Vec<u8> = (0..2500u32).map(|i| (i / 97 % 3) as u8).collect();
    let random = text(2300, 4, 5);
    let cases: [(&str, Vec<u8>, Vec<u8>); 9] = [
        ("all equal", vec![7; 2200], vec![7; 130]),
        ("runs", runs.clone(), runs[40..240].to_vec()),
        ("runs in another order", runs.clone(), runs.iter().rev().take(170).copied().collect()),
        ("periodic", b"ACG".repeat(700), b"CAG".repeat(60)),
        ("two periods", b"AC".repeat(1030), b"ACC".repeat(50)),
        ("nothing in common", vec![b'A'; 2100], vec![b'C'; 99]),
        ("carries through every word", vec![0; 2100], vec![1, 0, 1, 0, 0, 2]),
        ("relatives", random.clone(), relative(&random, 260, 4, 6)),
        ("256 symbols", every.repeat(8), every.iter().rev().copied().cycle().take(180).collect()),
    ];
    for (name, a, b) in &cases {
        println!("{name}");
        for (words, warps) in [(1, 2), (2, 8), (4, 2), (6, 8), (20, 2)] {
            if words > 1 && *name == "256 symbols" {
                continue;
            }
            let whole = request((Side::A, 0..a.len()), (Side::B, 0..b.len()), b.len() / 2);
            let swapped = request((Side::B, 0..b.len()), (Side::A, 900..1000), 37);
            let requests = [whole, swapped];
            on_a_device!(check_plan(LcsPlan::new(words, warps), a, b, &requests));
        }
    }
}

#[test]
fn a_plan_that_no_kernel_has_is_refused() {
    let (a, simt) = ((0..=255).collect::<Vec<u8>>(), Simt::default());
    for (words, warps) in [(0, 1), (11, 1), (21, 1), (2, 1), (1, 0), (1, 17), (1, 8)] {
        let engine = WavefrontLcs::new(&[&simt], &a, &a, &|_| ()).unwrap();
        // 256 symbols with one word fill the shared memory of a strip, and seven strips fill that
        // of a block.
        assert!(
            matches!(engine.with_plan(LcsPlan::new(words, warps)), Err(Error::Usage { .. })),
            "{words} words, {warps} warps"
        );
    }
}

/// Memory for only a few tiles, and for none.
#[test]
fn blocks_of_columns_when_carries_do_not_fit() {
    let simt = Simt::default();
    for (words, seed) in [(1, 1), (2, 2), (6, 3)] {
        let a = text(3 * 1024 * words as usize + 40, 4, seed);
        let b = relative(&a, 400, 4, seed + 10);
        let plan = LcsPlan::new(words, 2);
        let request = request((Side::A, 0..a.len()), (Side::B, 3..390), 150);
        let done = AtomicU64::new(0);
        let progress = |cells| {
            done.fetch_add(cells, Ordering::Relaxed);
        };
        let engine =
            |bytes| WavefrontLcs::new(&[&simt], &a, &b, &progress).unwrap().with_plan(plan).unwrap().with_memory(bytes);
        let least = |bytes| match engine(bytes).cuts(std::slice::from_ref(&request)) {
            Err(Error::DeviceMemory { needed, free }) => {
                assert!(needed > bytes && free <= bytes, "{needed} bytes of {free}, {bytes} given");
                needed
            }
            other => panic!("{bytes} bytes: {other:?}"),
        };
        let needed = least(0);
        assert_eq!(least(needed - 1), needed);
        let cells = (a.len() * 387) as u64;
        for more in [0, 1, 100, 333, 1000, 2000, 5000] {
            done.store(0, Ordering::Relaxed);
            check(&engine(needed + more), &request, &a, &b, &format!("{more} bytes more than needed"));
            assert_eq!(done.load(Ordering::Relaxed), 2 * cells, "halves and cut");
        }
    }
}

/// Devices with too little memory for the strings or a table's rows; they refuse larger
/// allocations.
#[test]
fn tables_larger_than_the_memory_go_in_bands_and_blocks() {
    let texts = |symbols: usize, seed: u64| {
        let a = text(9_000, symbols, seed);
        let b = relative(&a[2000..], 400, symbols, seed + 1);
        (a, b)
    };
    for (words, symbols, memory) in
        [(1, 4, 2_300), (1, 4, 4_000), (1, 256, 3_500), (2, 20, 5_000), (3, 1, 7_000), (6, 4, 4_000), (4, 4, 60_000)]
    {
        let (a, b) = texts(symbols, memory);
        // Extra memory beyond the budget: the progress, and empty buffers.
        let simt = Simt::with_memory(memory + 64);
        let done = AtomicU64::new(0);
        let progress = |cells| {
            done.fetch_add(cells, Ordering::Relaxed);
        };
        let engine = WavefrontLcs::new(&[&simt], &a, &b, &progress).unwrap().with_memory(memory);
        let engine = engine.with_plan(LcsPlan::new(words, 3)).unwrap();
        let requests = [
            request((Side::A, 0..9_000), (Side::B, 0..400), 133),
            request((Side::B, 0..400), (Side::A, 1000..8_999), 4_000),
            request((Side::A, 17..2_000), (Side::B, 100..102), 1),
            request((Side::B, 5..6), (Side::A, 3..70), 32),
        ];
        let mut cells = 0;
        for request in &requests {
            check(&engine, request, &a, &b, &format!("{memory} bytes, {words} words"));
            cells += 2 * (request.rows.range.len() * request.columns.range.len()) as u64;
        }
        assert_eq!((done.load(Ordering::Relaxed), engine.timings().cells), (cells, cells), "progress");
        // A level of a recursion: some tables fit together, some alone, some not at all.
        let cuts: Vec<Cut> = requests.iter().map(|request| expected(request, &a, &b).2).collect();
        assert_eq!(engine.cuts(&requests).unwrap(), cuts, "{memory} bytes, {words} words");
        let (rows, columns) = (&requests[0].rows, &requests[0].columns);
        assert_eq!(engine.column(rows, columns).unwrap().lengths(), oracle::prefixes(&a, &b), "{memory} bytes");
        assert_eq!(engine.value(rows, columns).unwrap(), cuts[0].length);
    }
}

/// One table after another, of different shapes, in memory that holds the buffers of any one, but
/// not of all.
#[test]
fn buffers_of_other_shapes_make_room() {
    let a = text(120_000, 4, 31);
    let b = relative(&a, 60_000, 4, 32);
    let memory = 250_000;
    let simt = Simt::with_memory(memory + 64);
    let engine = WavefrontLcs::new(&[&simt], &a, &b, &|_| ()).unwrap().with_memory(memory);
    let engine = engine.with_plan(LcsPlan::new(1, 4)).unwrap();
    let cpu = CpuColumns { strings: [&a, &b], last_column: bit_parallel::last_column, progress: &|_| () };
    let tall = request((Side::A, 0..120_000), (Side::B, 7..9), 1);
    let wide = request((Side::B, 4..8), (Side::A, 0..60_000), 30_000);
    let square = request((Side::A, 50..3_050), (Side::B, 0..3_000), 1_500);
    for request in [&tall, &wide, &square, &tall, &square, &wide, &tall] {
        let request = std::slice::from_ref(request);
        assert_eq!(engine.cuts(request).unwrap(), cpu.cuts(request).unwrap(), "{request:?}");
    }
}

/// Returns requests of all shapes in the strings: with either side as the rows, wide, tall, tiny.
fn requests(count: usize, lengths: [usize; 2], seed: u64) -> Vec<CutRequest> {
    let mut random = fastrand::Rng::with_seed(seed);
    (0..count)
        .map(|i| {
            let sides = if random.bool() { [Side::A, Side::B] } else { [Side::B, Side::A] };
            let mut part = |side: Side, least: usize| {
                let length = lengths[side as usize];
                let most = if i.is_multiple_of(4) { length } else { length.min(150) };
                let len = random.usize(least..=most);
                let start = random.usize(0..=length - len);
                (side, start..start + len)
            };
            let (rows, columns) = (part(sides[0], 1), part(sides[1], 2));
            let middle = random.usize(1..columns.1.len());
            request(rows, columns, middle)
        })
        .collect()
}

/// The cuts are the same rows, not only equally good ones.
#[test]
fn batches_of_different_tables_are_cut_as_by_the_cpu() {
    for symbols in [1, 2, 4, 20, 256] {
        let seed = symbols as u64;
        let a = text(2600, symbols, seed);
        let b = relative(&a, 1900, symbols, seed + 1);
        let requests = requests(24, [a.len(), b.len()], seed);
        let cpu = CpuColumns { strings: [&a, &b], last_column: dp::watched, progress: &|_| () };
        let cuts = cpu.cuts(&requests).unwrap();
        for (request, cut) in requests.iter().zip(&cuts).step_by(7) {
            assert_eq!(*cut, expected(request, &a, &b).2, "{request:?}");
        }
        on_a_device!(check_batches(&a, &b, &requests, &cuts));
    }
}

fn check_batches<D: Device>(device: &Arc<D>, a: &[u8], b: &[u8], requests: &[CutRequest], cuts: &[Cut]) {
    let cells: u64 = requests.iter().map(|r| (r.rows.range.len() * r.columns.range.len()) as u64).sum();
    let done = AtomicU64::new(0);
    let progress = |cells| {
        done.fetch_add(cells, Ordering::Relaxed);
    };
    let engine = || WavefrontLcs::new(&[&**device], a, b, &progress).unwrap();
    let plans = [(1, 1), (3, 2), (8, 1)].map(|(words, warps)| engine().with_plan(LcsPlan::new(words, warps)));
    let planned = plans.into_iter().flatten();
    // Memory so small that most tables run alone, so large that some run together, and all
    // available memory.
    for engine in [engine().with_memory(40_000), engine().with_memory(200_000), engine()].into_iter().chain(planned) {
        done.store(0, Ordering::Relaxed);
        assert_eq!(engine.cuts(requests).unwrap(), cuts);
        assert_eq!((done.load(Ordering::Relaxed), engine.timings().cells), (cells, cells), "progress");
        // One after the other they give the same: the batch leaves no state.
        for (request, cut) in requests.iter().zip(cuts).step_by(11) {
            assert_eq!(engine.cuts(std::slice::from_ref(request)).unwrap(), [*cut], "{request:?}");
            assert_eq!(engine.value(&request.rows, &request.columns).unwrap(), cut.length, "{request:?}");
        }
    }
}

/// Distributes strips over devices; some devices may get none.
#[test]
fn several_devices_do_as_one() {
    let a = text(9000, 4, 1);
    let b = relative(&a, 500, 4, 2);
    let first = Simt::default();
    let peers = [first.peer(), first.peer(), first.peer()];
    let devices = [&first, &peers[0], &peers[1], &peers[2]];
    let cpu = CpuColumns { strings: [&a, &b], last_column: dp::watched, progress: &|_| () };
    let batch = requests(10, [a.len(), b.len()], 3);
    let cuts = cpu.cuts(&batch).unwrap();
    for count in 1..=4 {
        for words in [1, 6] {
            let done = AtomicU64::new(0);
            let progress = |cells| {
                done.fetch_add(cells, Ordering::Relaxed);
            };
            let engine = WavefrontLcs::new(&devices[..count], &a, &b, &progress).unwrap();
            let engine = engine.with_plan(LcsPlan::new(words, 2)).unwrap();
            // From one strip a table to nine, so sometimes fewer strips than devices.
            for m in [5, 1025, 9000] {
                let request = request((Side::A, 0..m), (Side::B, 0..m.min(500)), m.min(500) / 2);
                check(&engine, &request, &a, &b, &format!("{count} devices, {words} words"));
            }
            done.store(0, Ordering::Relaxed);
            let (rows, columns) = (Part { side: Side::A, range: 0..40 }, Part { side: Side::B, range: 0..9 });
            let alone = engine.column(&rows, &columns).unwrap().lengths();
            assert_eq!(alone, oracle::prefixes(&a[..40], &b[..9]), "one strip, {count} devices");
            assert_eq!(done.load(Ordering::Relaxed), 360);
            assert_eq!(engine.cuts(&batch).unwrap(), cuts, "{count} devices, {words} words");
        }
    }
}

#[test]
fn a_comparison_on_several_devices_is_that_on_one() {
    let a = text(5000, 4, 11);
    let b = relative(&a, 3000, 4, 12);
    let wavefront = Algorithm::named("wavefront").unwrap();
    let cpu = Comparison::new().on(&Cpu::new()).thresholds(0, 50_000).alignment(&a, &b).unwrap();
    for count in 1..=4 {
        let engine = carrywave::device::Simt::several(count).unwrap();
        let simt = Comparison::new().on(&engine).algorithm(wavefront).thresholds(200_000, 50_000);
        let lcs = simt.alignment(&a, &b).unwrap();
        lcs.verify(&a, &b).unwrap();
        assert!(lcs.runs() == cpu.runs(), "{count} devices: another subsequence");
        assert_eq!(simt.length(&a, &b).unwrap(), cpu.len());
    }
}

/// Rows of carries are distinguished by tags. When the tags are used up, they start again, on
/// memory that has held the same tags.
#[test]
fn tags_that_are_used_up_start_again() {
    let a = text(8 * 1024, 2, 21);
    let b = [text(100, 2, 22), relative(&a[3000..], 100, 2, 23)].concat();
    let requests = [
        request((Side::A, 0..8192), (Side::B, 0..100), 50),
        request((Side::A, 1..8001), (Side::B, 90..200), 60),
        request((Side::A, 5..4100), (Side::B, 70..170), 10),
    ];
    for devices in [1, 2] {
        let first = Simt::default();
        let second = first.peer();
        let engine = WavefrontLcs::new(&[&first, &second][..devices], &a, &b, &|_| ()).unwrap();
        let engine = engine.with_plan(LcsPlan::new(1, 2)).unwrap();
        for left in 0..20 {
            // Tags from 1 on, then the last ones, then from 1 on again.
            for request in &requests[left as usize % 2..][..2] {
                assert_eq!(
                    engine.cuts(std::slice::from_ref(request)).unwrap(),
                    [expected(request, &a, &b).2],
                    "{left}"
                );
                engine.skip_to_tag(u32::MAX - left);
            }
        }
    }
}

/// One of two devices. Its launches fail, or wait for the other device's carries until the host
/// tells them to stop.
struct Waiting {
    simt: Simt,
    fails: bool,
    launched: AtomicBool,
    told: AtomicBool,
    /// Number of words of carries sent to this device instead of the other.
    sent: AtomicU64,
}

impl Waiting {
    fn end(&self) -> DeviceResult<bool> {
        if !self.launched.load(Ordering::Relaxed) {
            return Ok(true);
        }
        if self.fails {
            return Err(DeviceError::Gpu { call: "wavefront".into(), reason: "it fell off the bus".into() });
        }
        Ok(self.told.load(Ordering::Relaxed))
    }
}

// SAFETY: all functions forward to a device, or launch nothing.
unsafe impl Device for Waiting {
    type Buffer<T: Word> = <Simt as Device>::Buffer<T>;
    type Stream = <Simt as Device>::Stream;
    type Pinned = <Simt as Device>::Pinned;
    type Event = <Simt as Device>::Event;

    fn limits(&self) -> Limits {
        self.simt.limits()
    }

    fn stream(&self) -> DeviceResult<Self::Stream> {
        self.simt.stream()
    }

    fn alloc<T: Word>(&self, len: usize, name: &str) -> DeviceResult<Self::Buffer<T>> {
        self.simt.alloc(len, name)
    }

    fn handle<T: Word>(&self, buffer: &Self::Buffer<T>) -> Global<T> {
        self.simt.handle(buffer)
    }

    fn upload_to<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &mut Self::Buffer<T>,
        start: usize,
        data: &[T],
    ) -> DeviceResult<()> {
        let bytes: &[u8] = bytemuck::cast_slice(data);
        let progress: Vec<u8> = NO_MORE_STRIPS.iter().flat_map(|word| word.to_le_bytes()).collect();
        if bytes == progress {
            self.told.store(true, Ordering::Relaxed);
        } else if self.told.load(Ordering::Relaxed) {
            // Words of carries with a tag, which is never 0.
            let words = bytes.chunks(8).map(|word| u64::from_le_bytes(word.try_into().unwrap()));
            assert!(words.clone().all(|word| word >> 32 != 0));
            self.sent.fetch_add(words.count() as u64, Ordering::Relaxed);
        }
        if self.told.load(Ordering::Relaxed) {
            // A launch that uses the memory is in progress, on purpose.
            return Ok(());
        }
        self.simt.upload_to(stream, buffer, start, data)
    }

    fn pinned(&self, len: usize) -> DeviceResult<Self::Pinned> {
        self.simt.pinned(len)
    }

    fn pinned_bytes<'p>(&self, pinned: &'p mut Self::Pinned) -> DeviceResult<&'p mut [u8]> {
        self.simt.pinned_bytes(pinned)
    }

    fn upload_async<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Self::Buffer<T>,
        pinned: &mut Self::Pinned,
        len: usize,
    ) -> DeviceResult<()> {
        self.simt.upload_async(stream, buffer, pinned, len)
    }

    fn download_async<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Self::Buffer<T>,
        pinned: &mut Self::Pinned,
        len: usize,
    ) -> DeviceResult<()> {
        self.simt.download_async(stream, buffer, pinned, len)
    }

    fn download_from<T: Word>(
        &self,
        stream: &Self::Stream,
        buffer: &Self::Buffer<T>,
        start: usize,
        len: usize,
    ) -> DeviceResult<Vec<T>> {
        self.simt.download_from(stream, buffer, start, len)
    }

    fn check_memory(&self, _: u64, _: u64) -> DeviceResult<()> {
        unreachable!("the job uses no memory of others")
    }

    unsafe fn download_at<T: Word>(&self, _: Global<T>, _: usize) -> DeviceResult<Vec<T>> {
        unreachable!("the job uses no memory of others")
    }

    unsafe fn launch<K: Kernel>(&self, _: &Self::Stream, _: impl Into<Blocks>, _: K) -> DeviceResult<()> {
        self.launched.store(true, Ordering::Relaxed);
        Ok(())
    }

    fn resident_blocks<K: Kernel>(&self, kernel: &K) -> DeviceResult<u32> {
        self.simt.resident_blocks(kernel)
    }

    fn zero<T: Word>(&self, stream: &Self::Stream, buffer: &mut Self::Buffer<T>) -> DeviceResult<()> {
        self.simt.zero(stream, buffer)
    }

    fn copy<T: Word>(
        &self,
        stream: &Self::Stream,
        from: &Self::Buffer<T>,
        to: &mut Self::Buffer<T>,
        len: usize,
    ) -> DeviceResult<()> {
        self.simt.copy(stream, from, to, len)
    }

    fn record(&self, stream: &Self::Stream) -> DeviceResult<Self::Event> {
        self.simt.record(stream)
    }

    fn wait_for(&self, stream: &Self::Stream, event: &Self::Event) -> DeviceResult<()> {
        self.simt.wait_for(stream, event)
    }

    fn is_reached(&self, event: &Self::Event) -> DeviceResult<bool> {
        self.simt.is_reached(event)
    }

    fn wait_event(&self, event: &Self::Event) -> DeviceResult<()> {
        self.simt.wait_event(event)
    }

    fn elapsed(&self, from: &Self::Event, to: &Self::Event) -> DeviceResult<Duration> {
        self.simt.elapsed(from, to)
    }

    fn is_done(&self, _: &Self::Stream) -> DeviceResult<bool> {
        self.end()
    }

    fn wait(&self, stream: &Self::Stream) -> DeviceResult<()> {
        let started = Instant::now();
        while !self.end()? {
            assert!(started.elapsed() < Duration::from_secs(60), "it waits for ever");
            std::thread::yield_now();
        }
        self.simt.wait(stream)
    }

    fn free_memory(&self) -> DeviceResult<u64> {
        self.simt.free_memory()
    }
}

/// A device that waits for the carries of a failed device must not wait for ever.
#[test]
fn the_failure_of_one_device_ends_the_launches_of_the_others() {
    let (a, b) = (text(9000, 4, 1), text(500, 4, 2));
    for failing in [0, 1] {
        let device = |fails| Waiting {
            simt: Simt::default(),
            fails,
            launched: AtomicBool::new(false),
            told: AtomicBool::new(false),
            sent: AtomicU64::new(0),
        };
        let devices = [device(failing == 0), device(failing == 1)];
        let engine = WavefrontLcs::new(&[&devices[0], &devices[1]], &a, &b, &|_| ()).unwrap();
        let engine = engine.with_plan(LcsPlan::new(1, 2)).unwrap();
        let part = |side, len| Part { side, range: 0..len };
        let error = engine.column(&part(Side::A, a.len()), &part(Side::B, b.len())).unwrap_err();
        assert!(error.to_string().contains("it fell off the bus"), "{error}");
        let sent = devices.each_ref().map(|device| device.sent.load(Ordering::Relaxed));
        // The second device waits for the first, which waits for no device.
        assert_eq!(sent, [0, 500u64.div_ceil(TILE.into())], "{failing} fails");
        assert!(devices.iter().all(|device| device.told.load(Ordering::Relaxed)));
    }
}
