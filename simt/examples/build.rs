//! Compiles the kernels to PTX, or uses the packaged PTX.
fn main() -> std::process::ExitCode {
    simt_builder::Kernels::new("src/lib.rs").packaged("ptx/simt_examples.ptx").build()
}
