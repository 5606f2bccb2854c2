//! Chapter 11's host code is generic over devices. Here it runs on the GPU, and its kernels are
//! timed.

use crate::listings_11::launches::{complement_in_pieces, complement_of, times};
use crate::simulator::gpu;

#[test]
fn a_gpu_computes_complements() {
    let gpu = gpu().as_ref().expect("a GPU");
    let text = b"GATTACA".repeat(1000);
    let expected = b"CTAATGT".repeat(1000);
    assert!(complement_of(gpu, &text).unwrap() == expected);
    assert!(complement_in_pieces(gpu, &text, 1000).unwrap() == expected);
}

/// Prints the lines of chapter 11's `output/h200.csv`.
#[test]
fn times_of_complements() {
    let gpu = gpu().as_ref().expect("a GPU");
    for time in times(gpu, 1 << 28).unwrap() {
        println!("{},{:.1}", time.kernel, time.micros);
    }
}
