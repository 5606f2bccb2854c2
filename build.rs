//! Compiles `gpu-kernels` to PTX, or takes the packaged PTX, and hands it to the library.
//!
//! The recipe is in `simt/simt_builder`. Without the feature `gpu` there is nothing to do; with `compressed-ptx` the PTX is compressed.

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
