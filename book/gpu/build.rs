//! Compiles the kernels of the book and of the solutions to PTX.
fn main() -> std::process::ExitCode {
    // The tests of costs and faults are for the simulator alone.
    println!("cargo::rustc-cfg=on_gpu");
    simt_builder::Kernels::new("src/kernels.rs").build()
}
