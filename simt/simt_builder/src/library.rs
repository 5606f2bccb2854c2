//! Finds the standard library's source. Its `core` and `libm` are compiled for the GPU.

use crate::recipe::LIBM;
use crate::rustc::Rustc;
use std::env;
use std::path::{Path, PathBuf};

/// Environment variable that names the directory `library` of the standard library's source.
pub const RUST_SRC_VAR: &str = "SIMT_RUST_SRC";

/// Returns the directory for the source of a release in a target directory, for users without
/// rustup.
pub fn in_target(target: &Path, release: &str) -> PathBuf {
    target.join("rust-src").join(release).join("library")
}

/// Returns the directory of rustup's component `rust-src`.
pub fn in_sysroot(rustc: &Rustc) -> PathBuf {
    rustc.sysroot().join("lib/rustlib/src/rust/library")
}

/// Returns true if this is a directory `library` with all parts of `core` and `libm`.
pub fn is_complete(library: &Path) -> bool {
    ["core/src/lib.rs", "stdarch/crates/core_arch/src/mod.rs", "portable-simd/crates/core_simd/src/mod.rs", LIBM]
        .iter()
        .all(|file| library.join(file).is_file())
}

/// Finds the standard library's source: in the directory `SIMT_RUST_SRC`, in the toolchain, in the
/// directory of Debian's package `rust-src`, or in one of the target directories.
///
/// # Errors
/// If the variable is set to a directory without the source.
pub fn find(rustc: &Rustc, targets: &[PathBuf]) -> Result<Option<PathBuf>, String> {
    if let Some(library) = env::var_os(RUST_SRC_VAR).map(PathBuf::from) {
        if is_complete(&library) {
            return Ok(Some(library));
        }
        let shown = library.display();
        return Err(format!("{RUST_SRC_VAR}={shown} is not the standard library's directory `library`"));
    }
    let release = rustc.release();
    let mut places = vec![in_sysroot(rustc), format!("/usr/src/rustc-{release}/library").into()];
    places.extend(targets.iter().map(|target| in_target(target, release)));
    Ok(places.into_iter().find(|library| is_complete(library)))
}
