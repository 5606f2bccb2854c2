//! The complement of a DNA string, one thread for each base.

use simt_std::prelude::*;
use simt_std::simulator::{Fault, Simulator};

/// `result[i]` is the complement of the base `text[i]`. Launch: at least n threads; `text` and
/// `result` have n elements.
#[kernel(threads = 64)]
pub fn complement(text: Global<u8>, n: u32, result: Global<u8>) {
    let i = thread::index_1d();
    if i < n {
        let base = match text.read(i) {
            b'A' => b'T',
            b'C' => b'G',
            b'G' => b'C',
            _ => b'A',
        };
        result.write(i, base);
    }
}

/// Returns the complement of a text of A, C, G and T that is not empty.
pub fn complement_of(gpu: &mut Simulator, text: &[u8]) -> Result<Vec<u8>, Fault> {
    let n = text.len();
    let input = gpu.alloc_from(text, "text");
    let result = gpu.alloc::<u8>(n, "result");
    let kernel = Complement { text: input.handle(), n: n as u32, result: result.handle() };
    gpu.launch_kernel(n.div_ceil(64) as u32, kernel)?;
    gpu.download(&result, n)
}

pub fn main() -> Result<(), Fault> {
    let mut gpu = Simulator::default();
    let text = b"GATTACA".repeat(10);
    let result = complement_of(&mut gpu, &text)?;
    println!("{}", String::from_utf8_lossy(&result));
    Ok(())
}
