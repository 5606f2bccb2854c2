//! Checks of chapter 11.

use crate::chapter_11::{Mystery, ReversePieces, two_streams};
use simt_launch::{Device, Simt};
use simt_std::exercise;
use simt_std::simulator::{BlockResources, Multiprocessor, occupancy};

#[test]
fn mystery() {
    for n in [1, 128, 300] {
        let a = Vec::from_iter((0..n).map(|i: u32| i.wrapping_mul(2_654_435_761)));
        let b = Vec::from_iter((0..n).map(|i: u32| i.wrapping_mul(40_503) ^ 0x00ff_1234));
        let bits = |(a, b): (&u32, &u32)| (a ^ b).count_ones();
        exercise! {
            run: |gpu| {
                let (on_a, on_b) = (gpu.alloc_from(&a, "a"), gpu.alloc_from(&b, "b"));
                let result = gpu.alloc::<u32>(n as usize, "result");
                let kernel = Mystery { a: on_a.handle(), b: on_b.handle(), n, result: result.handle() };
                gpu.launch_kernel(n.div_ceil(128), kernel)?;
                gpu.download(&result, n as usize)
            } => "`ctaid`, `ntid` and `tid` are the block, its size and the thread; `setp.ge` and `bra` are an `if`",
            expect: a.iter().zip(b.iter().rev()).map(bits).collect() => "`not` gives -1 - i, and `add` adds n to it",
            sectors: 3 * u64::from(n.div_ceil(8) + n.div_ceil(32)) => "the PTX has two loads and one store",
        }
    }
}

#[test]
fn reverse_pieces() {
    let text = Vec::from_iter((0..16_384u32).map(|i| b'a' + (i * i % 23) as u8));
    let device = Simt::new(true);
    let stream = device.stream().unwrap();
    let on_device = device.alloc_from(&stream, &text, "text").unwrap();
    // SAFETY: the text has 2 · 8,192 symbols, and `download` waits for the launch.
    unsafe { device.launch(&stream, 2, ReversePieces { text: device.handle(&on_device) }) }.unwrap();
    let reversed = device.download(&stream, &on_device, text.len()).unwrap();
    let expected = Vec::from_iter(text.chunks(8192).flat_map(|piece| piece.iter().rev().copied()));
    assert!(reversed == expected, "the pieces are not reversed\n  hint: only the type of the array need change");
    let shared = device.costs_by_kernel()["reverse_pieces"].totals.shared_bytes;
    // The assembler gives a thread of this kernel fewer than 32 registers.
    let fit = occupancy(&Multiprocessor::HOPPER, BlockResources { threads: 256, registers: 32, shared });
    assert!(fit.blocks == 8, "{fit}\n  hint: how many bytes of shared memory does a symbol need?");
}

#[test]
fn two_streams_have_an_order() {
    let text = b"GPU Kernels in Rust, Learned on Strings".repeat(5);
    match two_streams(&Simt::default(), &text) {
        Ok(small) => assert_eq!(String::from_utf8_lossy(&small), String::from_utf8_lossy(&text.to_ascii_lowercase())),
        Err(error) => panic!(
            "no fault is allowed: {error}\n  hint: `record` an event after a command, and let the other stream \
             `wait_for` it; two places need this"
        ),
    }
}
