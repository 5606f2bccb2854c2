//! Random inputs for readers and engines, checked against plain references: `cargo xtask fuzz`.
//! `CARRYWAVE_SIMD` restricts the vector instructions of the CPU engine.

#![cfg(feature = "io")]

#[path = "../common/mod.rs"]
mod common;
mod engines;
mod readers;

use common::random_inputs::{Kind, check};

#[test]
fn random_inputs() {
    check(vec![
        Kind::new("records", readers::records(), readers::are_read),
        Kind::new("any bytes", readers::any_bytes(), readers::do_no_harm),
        Kind::new("searches", engines::searches(), engines::find_the_same),
        Kind::new("short searches", engines::short_searches(), engines::tell_what_is_defined),
        Kind::new("best matches", engines::short_searches(), engines::are_among_the_hits),
        Kind::new("comparisons", engines::comparisons(), engines::have_one_length),
    ]);
}
