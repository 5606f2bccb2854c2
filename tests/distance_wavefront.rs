//! The wavefront of edit distance tables on simulated devices, one or several, and on a GPU if
//! there is one.
#![cfg(feature = "simt")]
mod common;

use carrywave::internal::pairwise::Direction;
use carrywave::internal::pairwise::EditColumns;
use carrywave::internal::pairwise::FirstColumn;
use carrywave::internal::pairwise::{BandRequest, Cut, CutRequest, Cuts, Part, Side};
use carrywave::internal::pairwise::{Distances, Form, Wavefront, WavefrontPlan};
use carrywave::kernels::distance::wavefront::DISTANCE_WAVEFRONT_INSTANCES;
use carrywave::kernels::distance::word_wavefront::WORD_WAVEFRONT_INSTANCES;
use common::devices::on_a_device;
use common::oracle::edits;
use common::texts::{relative, text};
use simt_launch::{Device, Simt};
use std::ops::Range;
use std::sync::Arc;

fn request(rows: (Side, Range<usize>), columns: (Side, Range<usize>), middle: usize) -> CutRequest {
    let part = |(side, range)| Part { side, range };
    CutRequest { rows: part(rows), columns: part(columns), middle }
}

/// Computes the last column of a table: the distances of every prefix of `rows` to the whole of
/// `columns`.
fn prefixes(rows: &[u8], columns: &[u8]) -> Vec<u64> {
    let replaced = |cell: u64, i: usize, j: usize| cell + u64::from(rows[i - 1] != columns[j - 1]);
    edits::columns((rows.len(), columns.len()), |j| j as u64, |cell| cell + 1, replaced).last().unwrap()
}

/// Computes the same for suffixes, the shortest first.
fn suffixes(rows: &[u8], columns: &[u8]) -> Vec<u64> {
    let reversed = |text: &[u8]| text.iter().rev().copied().collect::<Vec<u8>>();
    prefixes(&reversed(rows), &reversed(columns))
}

/// Computes both columns of a request by the recurrence, and the cut: the first row with the least
/// sum.
fn expected(request: &CutRequest, a: &[u8], b: &[u8]) -> (Vec<u64>, Vec<u64>, Cut) {
    let part = |part: &Part| &[a, b][part.side as usize][part.range.clone()];
    let (x, y) = (part(&request.rows), part(&request.columns));
    let (forward, backward) = (prefixes(x, &y[..request.middle]), suffixes(x, &y[request.middle..]));
    let sum = |i: usize| forward[i] + backward[x.len() - i];
    let length = (0..=x.len()).map(sum).min().unwrap();
    let row = (0..=x.len()).find(|&i| sum(i) == length).unwrap();
    (forward, backward, Cut { row, length })
}

/// Checks both columns of a request, its cut and its distance against the recurrence.
fn check<D: Device>(engine: &Wavefront<'_, D, Distances>, request: &CutRequest, a: &[u8], b: &[u8], place: &str) {
    let (forward, backward, cut) = expected(request, a, b);
    let halves = engine.halves_of(&request.rows, &request.columns, request.middle).unwrap();
    assert_eq!(halves.0.distances(), forward, "{place}: forward, {request:?}");
    assert_eq!(halves.1.distances(), backward, "{place}: backward, {request:?}");
    assert_eq!(engine.cuts(std::slice::from_ref(request)).unwrap(), [cut], "{place}: {request:?}");
    assert_eq!(engine.value(&request.rows, &request.columns).unwrap(), cut.length, "{place}: {request:?}");
}

fn check_plan<D: Device>(device: &Arc<D>, plan: WavefrontPlan<Distances>, a: &[u8], b: &[u8], requests: &[CutRequest]) {
    let engine = Wavefront::new(&[&**device], a, b, &|_| ()).unwrap().with_plan(plan).unwrap();
    for request in requests {
        check(&engine, request, a, b, &format!("{plan:?}"));
    }
}

/// Returns the size of an alphabet that needs at most `planes` planes.
fn symbols(planes: usize) -> usize {
    [4, 4, 4, 4, 4, 20, 64, 64, 256][planes]
}

/// Rows around words and strips; columns around tiles and around the 32 columns of delay of a
/// lane's bits, forwards and backwards.
#[test]
fn every_kernel_at_every_border() {
    const COLUMNS: [usize; 18] = [1, 2, 15, 16, 17, 30, 31, 32, 33, 34, 47, 48, 49, 63, 64, 65, 80, 97];
    let bit_lanes =
        DISTANCE_WAVEFRONT_INSTANCES.iter().map(|&(words, planes)| (Form::of_words(words as u32), symbols(planes)));
    let carrying = WORD_WAVEFRONT_INSTANCES.iter().flat_map(|&words| {
        let form = Form::with_carries(words as u32);
        [(form, 4), (form, 256 / words)]
    });
    for (i, (form, symbols)) in bit_lanes.chain(carrying).enumerate() {
        let plan = WavefrontPlan::for_form(form, 1 + i as u32 % if form.carries { 4 } else { 8 });
        let words = form.words as usize;
        let strip = 1024 * words;
        let rows = [1, words, 32 * words + 1, strip - 1, strip, strip + 1, 2 * strip + 1];
        // Tall tables take long.
        let rows = &rows[..if words <= 8 { 7 } else { 3 + i % 4 }];
        let longest = *rows.last().unwrap();
        let (a, number) = (text(longest, symbols, i as u64), i + 1);
        let b = if number.is_multiple_of(3) {
            text(200, symbols, 1000 + i as u64)
        } else {
            relative(&a, 200, symbols, 2000 + i as u64)
        };
        let place = |(k, &m): (usize, &usize)| {
            let (before, after) = (COLUMNS[(number + 3 * k) % 18], COLUMNS[(number * 5 + 7 * k + 1) % 18]);
            let (row, column) = ((longest - m) / 2, (200 - before - after) / 2);
            request((Side::A, row..row + m), (Side::B, column..column + before + after), before)
        };
        let requests: Vec<CutRequest> = rows.iter().enumerate().map(place).collect();
        on_a_device!(check_plan(plan, &a, &b, &requests));
    }
}

#[test]
fn adversarial_strings() {
    let every: Vec<u8> = (0..=255).collect();
    let runs: Vec<u8> = (0..2500u32).map(|i| (i / 97 % 3) as u8).collect();
    let random = text(2300, 4, 5);
    let cases: [(&str, Vec<u8>, Vec<u8>); 8] = [
        ("all equal", vec![7; 2200], vec![7; 130]),
        ("runs", runs.clone(), runs[40..240].to_vec()),
        ("runs in another order", runs.clone(), runs.iter().rev().take(170).copied().collect()),
        ("periodic", b"ACG".repeat(700), b"CAG".repeat(60)),
        ("nothing in common", vec![b'A'; 2100], vec![b'C'; 99]),
        ("one symbol in many", vec![0; 2100], vec![1, 0, 1, 0, 0, 2]),
        ("relatives", random.clone(), relative(&random, 2600, 4, 6)),
        ("256 symbols", every.repeat(8), every.iter().rev().copied().cycle().take(180).collect()),
    ];
    for (name, a, b) in &cases {
        println!("{name}");
        let whole = request((Side::A, 0..a.len()), (Side::B, 0..b.len()), b.len() / 2);
        let swapped = request((Side::B, 0..b.len()), (Side::A, 900..1000), 37);
        let plans =
            [WavefrontPlan::new(1, 2), WavefrontPlan::new(4, 8), WavefrontPlan::for_form(Form::with_carries(1), 3)];
        for plan in plans {
            on_a_device!(check_plan(plan, a, b, &[whole.clone(), swapped.clone()]));
        }
    }
}

/// Strings that do not fit on the device, blocks of columns that continue the previous ones, bands
/// of rows; several devices.
#[test]
fn little_memory_and_several_devices() {
    let (a, b) = (text(5000, 4, 1), relative(&text(5000, 4, 1), 900, 4, 2));
    let whole = request((Side::A, 0..a.len()), (Side::B, 0..b.len()), 400);
    let device = Simt::default();
    for memory in [8_000, 16_000, 40_000, 1 << 20] {
        let engine = Wavefront::new(&[&device], &a, &b, &|_| ()).unwrap().with_memory(memory);
        let engine = engine.with_plan(WavefrontPlan::new(1, 2)).unwrap();
        check(&engine, &whole, &a, &b, &format!("{memory} bytes"));
        let engine = engine.with_plan(WavefrontPlan::for_form(Form::with_carries(2), 2)).unwrap();
        check(&engine, &whole, &a, &b, &format!("{memory} bytes, words that carry"));
    }
    let peers = [device.peer(), device.peer()];
    let devices = [&device, &peers[0], &peers[1]];
    for count in [2, 3] {
        let engine =
            Wavefront::new(&devices[..count], &a, &b, &|_| ()).unwrap().with_plan(WavefrontPlan::new(1, 2)).unwrap();
        check(&engine, &whole, &a, &b, &format!("{count} devices"));
        let engine = engine.with_plan(WavefrontPlan::for_form(Form::with_carries(1), 2)).unwrap();
        check(&engine, &whole, &a, &b, &format!("{count} devices, words that carry"));
    }
}

/// Computes the last column of a table with a first column of zeros, by the recurrence: for each
/// row (of the text), the nearest part that ends there.
fn nearest(text: &[u8], pattern: &[u8]) -> Vec<u64> {
    let replaced = |cell: u64, i: usize, j: usize| cell + u64::from(pattern[i - 1] != text[j - 1]);
    edits::columns((pattern.len(), text.len()), |_| 0, |cell| cell + 1, replaced).map(|c| c[pattern.len()]).collect()
}

/// A first column of zeros, after other tables have used the same memory: in one launch, in blocks
/// of columns, in bands of rows, and on several devices.
#[test]
fn a_first_column_of_zeros() {
    let (a, b) = (text(3000, 4, 7), relative(&text(3000, 4, 7)[1000..], 900, 4, 8));
    let part = |side, range| Part { side, range };
    let check = |engine: &Wavefront<'_, Simt, Distances>, place: &str| {
        for (rows, columns) in [(0..3000, 100..200), (5..2400, 0..900), (0..1, 0..5)] {
            let expected = nearest(&a[rows.clone()], &b[columns.clone()]);
            let (rows, columns) = (part(Side::A, rows), part(Side::B, columns));
            engine.column_of(&rows, &columns).unwrap();
            let column = engine.edit_column(&rows, &columns, Direction::Forward, FirstColumn::Zero).unwrap();
            assert_eq!(column.distances(), expected, "{place}: {rows:?} {columns:?}");
        }
    };
    let device = Simt::default();
    for memory in [8_000, 16_000, 1 << 20] {
        let engine = Wavefront::new(&[&device], &a, &b, &|_| ()).unwrap().with_memory(memory);
        check(&engine.with_plan(WavefrontPlan::new(1, 2)).unwrap(), &format!("{memory} bytes"));
    }
    let devices = [&device, &device.peer()];
    check(
        &Wavefront::new(&devices, &a, &b, &|_| ()).unwrap().with_plan(WavefrontPlan::new(1, 2)).unwrap(),
        "2 devices",
    );
}

/// A level of the recursion: tables of many sizes in one launch.
#[test]
fn many_tables_at_once() {
    let (a, b) = (text(3000, 20, 3), relative(&text(3000, 20, 3), 3000, 20, 4));
    let part = |side, start: usize, len: usize| (side, start..start + len);
    let requests: Vec<CutRequest> = (0..12)
        .map(|k| {
            let (m, n) = (1 + 37 * k, 2 + 23 * ((k * 7) % 12));
            let sides = if k % 2 == 0 { (Side::A, Side::B) } else { (Side::B, Side::A) };
            request(part(sides.0, 100 * k, m), part(sides.1, 90 * k, n), 1 + n / 3)
        })
        .collect();
    let device = Simt::default();
    let engine = Wavefront::<_, Distances>::new(&[&device], &a, &b, &|_| ()).unwrap();
    let cuts: Vec<Cut> = requests.iter().map(|request| expected(request, &a, &b).2).collect();
    assert_eq!(engine.cuts(&requests).unwrap(), cuts);
}

/// Checks cuts in bands against the recurrence: equal if the bound is right, and on a path in any
/// case.
fn check_bands<D: Device>(engine: &Wavefront<'_, D, Distances>, cuts: &[CutRequest], a: &[u8], b: &[u8], place: &str) {
    let expected: Vec<_> = cuts.iter().map(|cut| expected(cut, a, b)).collect();
    for more in [-40, -1, 0, 1, 50, 100_000] {
        let request = |(cut, expected): (&CutRequest, &(Vec<u64>, Vec<u64>, Cut))| BandRequest {
            cut: cut.clone(),
            most: expected.2.length.saturating_add_signed(more),
        };
        let requests: Vec<BandRequest> = cuts.iter().zip(&expected).map(request).collect();
        let found = engine.cuts_in_bands(&requests).unwrap();
        let differ = |r: &BandRequest| (r.cut.rows.range.len().abs_diff(r.cut.columns.range.len()) as u64) > r.most;
        let Some(found) = found else {
            assert!(requests.iter().any(differ), "{place}: no bands, {more} more");
            continue;
        };
        for ((found, request), (forward, backward, cut)) in found.iter().zip(&requests).zip(&expected) {
            let sum: u64 = found.costs.iter().sum();
            assert!(sum >= cut.length, "{place}: cheaper than any path, {request:?}");
            if request.most >= cut.length {
                let costs = [forward[cut.row], backward[request.cut.rows.range.len() - cut.row]];
                assert_eq!((found.row, found.costs), (cut.row, costs), "{place}: {request:?}");
            }
        }
    }
}

/// Runs the first two requests together, the others one by one.
fn check_bands_on<D: Device>(
    device: &Arc<D>,
    plan: WavefrontPlan<Distances>,
    a: &[u8],
    b: &[u8],
    requests: &[CutRequest],
    name: &str,
) {
    let engine = Wavefront::new(&[&**device], a, b, &|_| ()).unwrap().with_plan(plan).unwrap();
    let (together, alone) = requests.split_at(2);
    for requests in std::iter::once(together).chain(alone.chunks(1)) {
        check_bands(&engine, requests, a, b, &format!("{name}, {plan:?}"));
    }
}

/// Bands of strips of some rows: similar strings, strings of different lengths, with a long gap,
/// and unrelated ones.
#[test]
fn bands_of_similar_strings() {
    let a = text(3300, 4, 11);
    let similar = relative(&a, 3300, 4, 12);
    let gap = [&a[..1000], &a[1700..]].concat();
    let strings = [("similar", &a, &similar), ("a gap", &a, &gap), ("unrelated", &a, &text(2500, 4, 13))];
    for (name, a, b) in strings {
        let (m, n) = (a.len(), b.len());
        let requests = [
            request((Side::A, 0..m), (Side::B, 0..n), n / 2),
            request((Side::B, 0..n), (Side::A, 0..m), m / 3),
            request((Side::A, 100..m - 50), (Side::B, 90..n), n - 400),
            request((Side::A, 100..1300), (Side::B, 100..1250), 1),
        ];
        let carrying = WavefrontPlan::for_form(Form::with_carries(1), 2);
        for plan in [WavefrontPlan::new(1, 2), WavefrontPlan::new(2, 1), carrying] {
            on_a_device!(check_bands_on(plan, a, b, &requests, name));
        }
    }
}

#[test]
fn bands_on_several_devices_and_in_little_memory() {
    let a = text(5000, 20, 21);
    let b = relative(&a, 4900, 20, 22);
    let cut = request((Side::A, 0..a.len()), (Side::B, 0..b.len()), 2400);
    let device = Simt::default();
    let peers = [device.peer(), device.peer()];
    let engine = Wavefront::new(&[&device, &peers[0], &peers[1]], &a, &b, &|_| ()).unwrap();
    let engine = engine.with_plan(WavefrontPlan::new(1, 2)).unwrap();
    check_bands(&engine, std::slice::from_ref(&cut), &a, &b, "three devices");
    for memory in [8_000, 20_000] {
        let engine = Wavefront::<_, Distances>::new(&[&device], &a, &b, &|_| ()).unwrap().with_memory(memory);
        let found = engine.cuts_in_bands(&[BandRequest { cut: cut.clone(), most: 5000 }]).unwrap();
        assert!(found.is_none(), "{memory} bytes");
    }
}
