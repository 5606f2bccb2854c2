//! `cargo xtask miri`: tests of unsafe code under Miri, which finds undefined behaviour. The tests
//! cover the vectors of the CPU engine and the parts of the device layer that work without a
//! launch. A simulated launch needs signal stacks and coroutines, which Miri does not support; most
//! other tests are too slow.

use std::process::Command;

use crate::outcome::{Outcome, Stop};
use crate::shell;

/// The tests: a package, its features, and the tests' modules.
const TESTS: [&[&str]; 2] = [
    &["--package=carrywave", "--no-default-features", "--", "cpu::vector::", "cpu::segment_isa::", "cpu::planes::"],
    &["--package=simt_std", "--", "shared::", "print::", "simulator::cost::"],
];

/// Runs the tests on a nightly toolchain with Miri.
pub fn run() -> Outcome {
    if !shell::exists("rustup", "--version") || shell::capture(&mut miri(&["--version"])).is_err() {
        let add = "rustup component add --toolchain nightly miri rust-src";
        return Err(Stop::Unavailable(format!("there is no nightly with Miri; `{add}` adds it")));
    }
    for tests in TESTS {
        shell::show(&mut miri(&[&["test", "--lib"], tests].concat()))?;
    }
    Ok("Miri found nothing".into())
}

/// Returns a Miri command that emulates a processor with AVX2. Miri does not support AVX-512.
fn miri(arguments: &[&str]) -> Command {
    let mut rustup = Command::new("rustup");
    rustup.current_dir(shell::project()).args(["run", "nightly", "cargo", "miri"]).args(arguments);
    rustup
        .env("CARGO_TARGET_DIR", "target/miri")
        .env("RUSTFLAGS", "-C target-feature=+avx2")
        .env("SIMT_PTX", "packaged");
    // Cargo set these variables for this program, and they select the stable toolchain.
    for name in ["CARGO", "RUSTC", "RUSTUP_TOOLCHAIN"] {
        rustup.env_remove(name);
    }
    rustup
}
