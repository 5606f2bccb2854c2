//! The standard library's source, of which `core` is compiled for the GPU: where it may lie.

use crate::rustc::Rustc;
use std::env;
use std::path::{Path, PathBuf};

/// Environment variable that names the directory `library` of the standard library's source.
pub const RUST_SRC_VAR: &str = "SIMT_RUST_SRC";

/// Where the source of a release is kept in a target directory, for those who cannot use rustup.
pub fn in_target(target: &Path, release: &str) -> PathBuf {
    target.join("rust-src").join(release).join("library")
}

/// Where rustup puts its component `rust-src`.
pub fn in_sysroot(rustc: &Rustc) -> PathBuf {
    rustc.sysroot().join("lib/rustlib/src/rust/library")
}

/// Whether this is a directory `library` with all that `core` consists of.
pub fn holds_core(library: &Path) -> bool {
    ["core/src/lib.rs", "stdarch/crates/core_arch/src/mod.rs", "portable-simd/crates/core_simd/src/mod.rs"]
        .iter()
        .all(|file| library.join(file).is_file())
}

/// The standard library's source: where `SIMT_RUST_SRC` says, in the toolchain, where Debian's package `rust-src` puts it, or in
/// one of the target directories. To set the variable to a place that holds no source is an error.
///
/// # Errors
/// As said.
pub fn find(rustc: &Rustc, targets: &[PathBuf]) -> Result<Option<PathBuf>, String> {
    if let Some(library) = env::var_os(RUST_SRC_VAR).map(PathBuf::from) {
        if holds_core(&library) {
            return Ok(Some(library));
        }
        let shown = library.display();
        return Err(format!("{RUST_SRC_VAR}={shown} is not the standard library's directory `library`"));
    }
    let release = rustc.release();
    let mut places = vec![in_sysroot(rustc), format!("/usr/src/rustc-{release}/library").into()];
    places.extend(targets.iter().map(|target| in_target(target, release)));
    Ok(places.into_iter().find(|library| holds_core(library)))
}
