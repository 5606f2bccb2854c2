//! Passes this crate's directory to the build script of `simt_std`, so that PTX can be compiled
//! with it.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=dir={}", env!("CARGO_MANIFEST_DIR"));
}
