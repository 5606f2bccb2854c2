//! Tells the build script of `simt_std` where this crate lies, so that PTX can be compiled with it.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=dir={}", env!("CARGO_MANIFEST_DIR"));
}
