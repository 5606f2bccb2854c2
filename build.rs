//! Compiles `gpu-kernels` to PTX and embeds it.
fn main() {}
