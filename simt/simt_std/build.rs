//! Tells the build scripts of dependents where this crate and `simt_macros` lie, so that they can compile both a second
//! time, to PTX.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=dir={}", env!("CARGO_MANIFEST_DIR"));
    if let Some(macros) = std::env::var_os("DEP_SIMT_MACROS_DIR") {
        println!("cargo::metadata=macros={}", macros.display());
    }
}
