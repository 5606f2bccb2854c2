fn main() -> std::process::ExitCode {
    simt_builder::Kernels::new("src/kernels.rs").build()
}
