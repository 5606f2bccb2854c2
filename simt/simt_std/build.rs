//! Passes the directories of this crate and of `simt_macros` to the build scripts of dependents, so
//! that they can also compile both to PTX.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=dir={}", env!("CARGO_MANIFEST_DIR"));
    if let Some(macros) = std::env::var_os("DEP_SIMT_MACROS_DIR") {
        println!("cargo::metadata=macros={}", macros.display());
    }
}
