//! Tells the build script of `carrywave` where this crate lies, so that it can compile it a second time, to PTX.
fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::metadata=dir={}", env!("CARGO_MANIFEST_DIR"));
}
