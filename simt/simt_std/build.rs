//! Tells the build scripts of dependents where this crate lies, so that they can compile it a second time, to PTX.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=dir={}", env!("CARGO_MANIFEST_DIR"));
}
