//! The wavefront of overlap tables on simulated devices, one or several, and on a GPU if there is
//! one.
#![cfg(feature = "simt")]
mod common;

use carrywave::Error;
use carrywave::device::{Cpu, Simt};
use carrywave::distance::{Comparison, Overlap};
use carrywave::internal::pairwise::{Direction, Kernels, Overlaps, Part, Side, Wavefront, WavefrontPlan};
use carrywave::job::Recorder;
use carrywave::kernels::distance::overlap_wavefront::OVERLAP_WAVEFRONT_INSTANCES;
use carrywave::text::Equality;
use common::devices::{devices, on_a_device};
use common::texts::{relative, text};
use simt_launch::Device;
use std::ops::Range;
use std::sync::Arc;

/// Stored differences along the borders: free ends, and gaps.
const FREE: u32 = 3;
const GAPS: u32 = 0;

/// Computes the differences plus 3 along the last column and the last row, by the scores
/// themselves. `border` is the score of each symbol along the borders.
fn expected(a: &[u8], b: &[u8], border: i64) -> [Vec<u8>; 2] {
    let mut row: Vec<i64> = (0..=b.len() as i64).map(|j| border * j).collect();
    let mut column = vec![row[b.len()]];
    for (i, x) in (1..).zip(a) {
        let mut next = vec![border * i];
        for (j, y) in b.iter().enumerate() {
            let diagonal = row[j] + if x == y { 2 } else { -2 };
            next.push(diagonal.max(row[j + 1] - 3).max(next[j] - 3));
        }
        row = next;
        column.push(row[b.len()]);
    }
    [column, row].map(|scores| scores.windows(2).map(|two| (two[1] - two[0] + 3) as u8).collect())
}

/// Checks the tables of parts of both strings, forwards and backwards.
fn check<D: Device, const BORDER: u32>(
    engine: &Wavefront<'_, D, Overlaps<BORDER>>,
    [a, b]: [&[u8]; 2],
    parts: &[[Range<usize>; 2]],
    place: &str,
) {
    let reversed = |text: &[u8]| text.iter().rev().copied().collect::<Vec<u8>>();
    for [rows, columns] in parts {
        let (x, y) = (&a[rows.clone()], &b[columns.clone()]);
        let (rows, columns) =
            (Part { side: Side::A, range: rows.clone() }, Part { side: Side::B, range: columns.clone() });
        let border = i64::from(BORDER) - 3;
        let forward = engine.column_and_row(&rows, &columns, Direction::Forward).unwrap();
        assert!(forward == expected(x, y, border), "{place}: forward, border {border}, {rows:?}, {columns:?}");
        let backward = engine.column_and_row(&rows, &columns, Direction::Backward).unwrap();
        let reverse = expected(&reversed(x), &reversed(y), border);
        assert!(backward == reverse, "{place}: backward, border {border}, {rows:?}, {columns:?}");
    }
}

fn check_plan<D: Device>(device: &Arc<D>, words: u32, warps: u32, a: &[u8], b: &[u8], parts: &[[Range<usize>; 2]]) {
    let place = format!("{words} words, {warps} warps");
    let devices = [&**device];
    let engine = Wavefront::<_, Overlaps<FREE>>::new(&devices, a, b, &|_| ()).unwrap();
    check(&engine.with_plan(WavefrontPlan::new(words, warps)).unwrap(), [a, b], parts, &place);
    let engine = Wavefront::<_, Overlaps<GAPS>>::new(&devices, a, b, &|_| ()).unwrap();
    check(&engine.with_plan(WavefrontPlan::new(words, warps)).unwrap(), [a, b], parts, &place);
}

/// Rows around words and strips; columns around tiles and around the 32 columns of delay of a
/// lane's bits.
#[test]
fn every_kernel_at_every_border() {
    const COLUMNS: [usize; 16] = [1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 39, 40, 41, 64, 99];
    for (i, &(words, planes)) in OVERLAP_WAVEFRONT_INSTANCES.iter().enumerate() {
        let strip = 1024 * words;
        let rows = [1, 32 * words + 1, strip - 1, strip, strip + 1, 2 * strip + 1];
        // Tall tables take long.
        let rows = &rows[..if words <= 4 { 6 } else { 3 + i % 3 }];
        let symbols = if planes == 2 { 4 } else { 200 };
        let a = text(*rows.last().unwrap(), symbols, i as u64);
        let b = if i % 3 == 0 { text(100, symbols, 1000) } else { relative(&a, 100, symbols, 2000 + i as u64) };
        let part = |(k, &m): (usize, &usize)| {
            let n = COLUMNS[(i + 3 * k) % COLUMNS.len()];
            [(a.len() - m) / 2..(a.len() + m) / 2, (100 - n) / 2..(100 + n) / 2]
        };
        let parts: Vec<_> = rows.iter().enumerate().map(part).collect();
        on_a_device!(check_plan(words as u32, 1 + i as u32 % 8, &a, &b, &parts));
    }
}

#[test]
fn adversarial_strings() {
    let every: Vec<u8> = (0..=255).collect();
    let random = text(2300, 4, 5);
    let cases: [(&str, Vec<u8>, Vec<u8>); 6] = [
        ("all equal", vec![7; 2200], vec![7; 130]),
        ("periodic", b"ACG".repeat(700), b"CAG".repeat(60)),
        ("nothing in common", vec![b'A'; 2100], vec![b'C'; 99]),
        ("one symbol in many", vec![0; 2100], vec![1, 0, 1, 0, 0, 2]),
        ("relatives", random.clone(), relative(&random, 2600, 4, 6)),
        ("256 symbols", every.repeat(8), every.iter().rev().copied().cycle().take(180).collect()),
    ];
    for (name, a, b) in &cases {
        println!("{name}");
        let whole = [0..a.len(), 0..b.len()];
        on_a_device!(check_plan(1, 3, a, b, std::slice::from_ref(&whole)));
    }
}

/// Strings that do not fit on the device, blocks of columns that continue the previous ones, bands
/// of rows; several devices.
#[test]
fn little_memory_and_several_devices() {
    let (a, b) = (text(3000, 4, 1), relative(&text(3000, 4, 1), 900, 4, 2));
    let parts = [[0..a.len(), 0..b.len()], [17..1100, 100..900]];
    let device = simt_launch::Simt::default();
    for memory in [16_000, 40_000, 1 << 20] {
        let engine = Wavefront::<_, Overlaps<GAPS>>::new(&[&device], &a, &b, &|_| ()).unwrap().with_memory(memory);
        let engine = engine.with_plan(WavefrontPlan::new(1, 2)).unwrap();
        check(&engine, [&a, &b], &parts, &format!("{memory} bytes"));
    }
    let peers = [device.peer(), device.peer()];
    let engine = Wavefront::<_, Overlaps<FREE>>::new(&[&device, &peers[0], &peers[1]], &a, &b, &|_| ()).unwrap();
    check(&engine.with_plan(WavefrontPlan::new(1, 2)).unwrap(), [&a, &b], &parts, "3 devices");
}

/// The carries of a row in the format of a cluster, and back.
#[test]
fn carries_in_tiles() {
    for columns in [1, 8, 63, 64, 65, 200] {
        let words = usize::div_ceil(columns, 64);
        let random = text(32 * words, 256, columns as u64);
        let row: Vec<u64> = random.chunks(8).map(|eight| u64::from_le_bytes(eight.try_into().unwrap())).collect();
        let tiles = Overlaps::<FREE>::to_tiles(&row);
        let bit = |vector: usize, column: usize| row[vector * words + column / 64] >> (column % 64) & 1;
        for column in 0..64 * words {
            let stored = |vector: usize| tiles[column / 8] >> (8 * vector + 7 - column % 8) & 1;
            assert!((0..4).all(|vector| u64::from(stored(vector)) == bit(vector, column)), "{column} of {columns}");
        }
        assert_eq!(Overlaps::<FREE>::from_tiles(&tiles, columns), row);
    }
}

/// The best overlap of a comparison, as the CPU finds it.
#[test]
fn overlaps_of_comparisons() {
    let cpu = Comparison::new().on(&Cpu::new());
    let [x, y, z] = [1, 2, 3].map(|seed| text(400, 4, seed));
    let shared = text(300, 4, 4);
    let copy = relative(&shared, 300, 4, 5);
    let folded = Equality::exact().ignore_case();
    let cases = [
        [[&x[..], &shared].concat(), [&copy[..], &y].concat()],
        [[&shared[..], &x].concat(), [&y[..], &copy].concat()],
        [[&x[..], &shared, &y].concat(), copy.clone()],
        [shared.clone(), [&z[..], &copy, &y].concat()],
        [vec![], x.clone()],
        [x.clone(), vec![]],
        [vec![7], vec![7]],
        [b"abc".to_vec(), b"xyz".to_vec()],
        [b"xxGATTACA".to_vec(), b"gaTTacayy".to_vec()],
    ];
    for engine in devices() {
        for equality in [Equality::exact(), folded.clone()] {
            for [a, b] in &cases {
                let on = |comparison: Comparison<'static>| comparison.equality(equality.clone()).overlap(a, b).unwrap();
                assert_eq!(on(Comparison::new().on(&*engine)), on(cpu.clone()), "{} {a:?} {b:?}", engine.kind());
            }
        }
        let recorder = Recorder::new();
        let [a, b] = [["not", "to", "be"], ["to", "be", "or"]];
        let overlap = Comparison::new().on(&*engine).recorder(&recorder).overlap_of(&a, &b).unwrap();
        assert_eq!((overlap.a, overlap.b, overlap.score), (1..3, 0..2, 4));
        let report = recorder.report().unwrap();
        assert_eq!((report.engine(), report.algorithm()), (Some(engine.kind()), Some("wavefront")));
        assert!(report.done > 0 && report.done_by_kernels > 0);
    }
}

/// Settings that an engine does not support are refused with the reason.
#[test]
fn what_devices_do_not_support() {
    let simt = Simt::new();
    let refused = |overlap: Result<Overlap, Error>| overlap.unwrap_err().to_string();
    let on_simt = Comparison::new().on(&simt);
    let chain = Equality::exact().group(b"AC").group(b"CG");
    let error = refused(on_simt.clone().equality(chain).overlap(b"xxACGT", b"acAtyy"));
    assert!(error.contains("supports only transitive equality on this engine"), "{error}");
    let items: Vec<u32> = (0..300).collect();
    let error = refused(on_simt.overlap_of(&items, &items));
    assert!(error.contains("share up to 254 distinct symbols"), "{error}");
}
