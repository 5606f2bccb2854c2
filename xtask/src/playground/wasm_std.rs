//! Compiles the page's kernels for wasm32.
//!
//! rustup's component `rust-std` for the target is best. Without network access for rustup, cargo
//! compiles the standard library from its source, as `build-std` of a nightly does.

use std::fs;
use std::path::PathBuf;

use crate::outcome::Stop;
use crate::{rust_src, shell};
use simt_builder::rustc::Rustc;

const TARGET: &str = "wasm32-unknown-unknown";

/// The profile in `Cargo.toml`.
const PROFILE: &str = "browser";

/// The host switches the stack pointer when it switches coroutines.
const FLAGS: &str = "target.wasm32-unknown-unknown.rustflags=[\"-Clink-arg=--export=__stack_pointer\"]";

/// Compiles `simt_playground`, and returns the module.
pub fn compile() -> Result<PathBuf, Stop> {
    let rustc = Rustc::current()?;
    let mut cargo = shell::cargo();
    cargo.args(["build", "--quiet", "--package=simt_playground", "--lib", "--target", TARGET, "--config", FLAGS]);
    cargo.args(["--profile", PROFILE]);
    if !is_installed(&rustc) {
        let library = rust_src::whole(&rustc)?;
        cargo.arg("-Zbuild-std=std,panic_abort").env("RUSTC_BOOTSTRAP", "1");
        // Cargo's only way to name a source outside the toolchain.
        cargo.env("__CARGO_TESTS_ONLY_SRC_ROOT", library);
    }
    shell::capture(&mut cargo)?;
    Ok(shell::target().join(TARGET).join(PROFILE).join("simt_playground.wasm"))
}

/// Returns true if the toolchain has the standard library for the target.
fn is_installed(rustc: &Rustc) -> bool {
    let files = fs::read_dir(rustc.sysroot().join("lib/rustlib").join(TARGET).join("lib"));
    files.into_iter().flatten().flatten().any(|file| file.file_name().to_string_lossy().starts_with("libstd-"))
}
