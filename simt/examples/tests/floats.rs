//! Compares the errors of the floating-point functions with the tables of `docs/floats.md`.

use simt_examples::cases::Runner;
use simt_examples::ulps;
use simt_launch::{Device, Gpu, Simt};

/// Rounding of the references.
const SLACK: f64 = 1e-6;

const PAGE: &str = include_str!("../../../docs/floats.md");

/// Returns the numbers of a table's row that begins with this name: its last `N` cells.
fn stated<const N: usize>(name: &str) -> [f64; N] {
    let start = format!("| `{name}` |");
    let row = PAGE.lines().find(|line| line.starts_with(&start)).unwrap_or_else(|| panic!("no row of {name}"));
    let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
    std::array::from_fn(|i| cells[cells.len() - N + i].replace(',', "").parse().expect("a number"))
}

fn check<D: Device>(device: &D) {
    let runner = Runner::new(device).unwrap();
    for ulps::Errors { name, f32, f64 } in ulps::exact(&runner).unwrap() {
        let [of_f32, of_f64] = stated(name);
        assert!(f32 <= of_f32 + SLACK && f64 <= of_f64 + SLACK, "{name}: {f32} and {f64} ulp");
    }
    let fast = ulps::fast(&runner).unwrap();
    assert_eq!(PAGE.matches("\n| `fast::").count(), fast.len(), "every row is measured");
    for ulps::FastError { name, f32 } in fast {
        let [most] = stated(&format!("fast::{name}"));
        assert!(f32 <= most + SLACK, "fast::{name}: {f32} ulp");
    }
}

#[test]
fn errors_are_at_most_as_stated() {
    check(&Simt::default());
}

#[test]
fn errors_are_at_most_as_stated_on_a_gpu() {
    if simt_launch::gpu::count().is_ok() {
        check(&Gpu::with_module(0, simt_examples::MODULE).unwrap());
    }
}
