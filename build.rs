//! Compiles `gpu-kernels` to PTX, or uses the packaged PTX, and passes it to the library.
//!
//! The recipe is in `simt/simt_builder`. Without the feature `gpu`, the script does nothing; with
//! `compressed-ptx`, it compresses the PTX.

use std::process::ExitCode;

fn main() -> ExitCode {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var_os("CARGO_FEATURE_GPU").is_none() {
        return ExitCode::SUCCESS;
    }
    let kernels = simt_builder::Kernels::new("src/lib.rs")
        .in_package("carrywave-kernels")
        .packaged("ptx/carrywave_kernels.ptx")
        .without_block_sizes();
    #[cfg(feature = "compressed-ptx")]
    let kernels = kernels.compressed();
    kernels.build()
}
