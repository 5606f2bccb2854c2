//! Values of whole strings, which a device may compute by two tables that meet at a staircase, on
//! the simulator, and on a GPU if there is one.
#![cfg(feature = "simt")]
mod common;

use carrywave::internal::pairwise::{Cuts, Distances, Form, Kernels, Lengths, Part, Side, Wavefront, WavefrontPlan};
use common::devices::on_a_device;
use common::oracle::{edits, lcs};
use common::texts::{relative, text};
use simt_launch::Device;
use std::sync::Arc;

/// The strings of a comparison, and their values by the recurrences.
struct Case {
    a: Vec<u8>,
    b: Vec<u8>,
    distance: u64,
    lcs: u64,
}

impl Case {
    fn new(a: Vec<u8>, b: Vec<u8>) -> Self {
        let replaced = |cell: u64, i: usize, j: usize| cell + u64::from(a[i - 1] != b[j - 1]);
        let columns = edits::columns((a.len(), b.len()), |j| j as u64, |cell| cell + 1, replaced);
        let distance = *columns.last().unwrap().last().unwrap();
        let lcs = *lcs::prefixes(&a, &b).last().unwrap() as u64;
        Self { a, b, distance, lcs }
    }

    fn parts(&self) -> [Part; 2] {
        [(Side::A, &self.a), (Side::B, &self.b)].map(|(side, text)| Part { side, range: 0..text.len() })
    }
}

/// Checks the value of both orders of the strings, by a plan or by the plan that should be fastest.
fn check<D: Device, K: Kernels>(device: &Arc<D>, plan: Option<WavefrontPlan<K>>, case: &Case, expected: u64)
where
    for<'d> Wavefront<'d, D, K>: Cuts,
{
    let mut engine = Wavefront::<'_, D, K>::new(&[&**device], &case.a, &case.b, &|_| ()).unwrap();
    if let Some(plan) = plan {
        engine = engine.with_plan(plan).unwrap();
    }
    let [rows, columns] = case.parts();
    // The carries of the first comparison are still in the device's memory in the second.
    for _ in 0..2 {
        assert_eq!(engine.value(&rows, &columns).unwrap(), expected, "{plan:?}, {rows:?} × {columns:?}");
        assert_eq!(engine.value(&columns, &rows).unwrap(), expected, "{plan:?}, {columns:?} × {rows:?}");
    }
}

fn check_distance<D: Device>(device: &Arc<D>, plan: Option<WavefrontPlan<Distances>>, case: &Case) {
    check(device, plan, case, case.distance);
}

fn check_lcs<D: Device>(device: &Arc<D>, plan: Option<WavefrontPlan<Lengths>>, case: &Case) {
    check(device, plan, case, case.lcs);
}

/// Strings around the borders of strips and words.
#[test]
fn values_of_whole_strings() {
    let sizes = [(2048, 2000), (2047, 1500), (2000, 2049), (3000, 1100), (3072, 3300), (3071, 3333), (4090, 3001)];
    for (i, (m, n)) in sizes.into_iter().enumerate() {
        for symbols in [4, 20] {
            let a = text(m, symbols, i as u64);
            let b = if i % 2 == 0 { relative(&a, n, symbols, 50 + i as u64) } else { text(n, symbols, 50 + i as u64) };
            let case = Case::new(a, b);
            on_a_device!(check_distance(None, &case));
            on_a_device!(check_lcs(None, &case));
            for form in [Form::with_carries(1), Form::of_words(1)] {
                on_a_device!(check_distance(Some(WavefrontPlan::for_form(form, 4)), &case));
            }
            for words in [1, 2] {
                on_a_device!(check_lcs(Some(WavefrontPlan::new(words, 4)), &case));
            }
        }
    }
}

#[test]
fn adversarial_whole_strings() {
    let runs: Vec<u8> = (0..3060u32).map(|i| (i / 97 % 3) as u8).collect();
    let every: Vec<u8> = (0..=255).collect();
    let cases = [
        ("all equal", vec![7; 3000], vec![7; 2048]),
        ("nothing in common", vec![b'A'; 3000], vec![b'C'; 2100]),
        ("runs", runs.clone(), runs.iter().rev().copied().collect()),
        ("periodic", b"ACG".repeat(1020), b"CAG".repeat(700)),
        ("the end of one is all of one symbol", [text(2000, 4, 1), vec![0; 1000]].concat(), text(3000, 4, 2)),
        ("256 symbols", every.repeat(8), every.iter().rev().copied().cycle().take(2040).collect()),
    ];
    for (name, a, b) in cases {
        println!("{name}");
        let case = Case::new(a, b);
        on_a_device!(check_distance(None, &case));
        on_a_device!(check_distance(Some(WavefrontPlan::for_form(Form::with_carries(1), 4)), &case));
        on_a_device!(check_lcs(None, &case));
        on_a_device!(check_lcs(Some(WavefrontPlan::new(1, 4)), &case));
    }
}

/// On a GPU, strings of many strips.
#[test]
fn values_of_long_strings() {
    let Some(gpu) = common::devices::gpu() else { return };
    let device = carrywave::internal::device::open_gpu(gpu);
    for (m, n) in [(20_000, 18_000), (33_000, 9_000), (9_001, 33_001)] {
        let a = text(m, 4, 1);
        for b in [text(n, 4, 2), relative(&a, n, 4, 3)] {
            let case = Case::new(a.clone(), b);
            check_distance(device, None, &case);
            check_lcs(device, None, &case);
            for form in Distances::forms(true, 4).into_iter().filter(|form| form.words <= 4) {
                check_distance(device, Some(WavefrontPlan::for_form(form, 4)), &case);
            }
            for words in [1, 2, 3, 4] {
                check_lcs(device, Some(WavefrontPlan::new(words, 4)), &case);
            }
        }
    }
}
