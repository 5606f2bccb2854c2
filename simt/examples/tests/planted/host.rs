//! Faults of the host: the shape of a launch, copies, streams and the life of buffers.

use crate::common::run;
use crate::fault::{Found, Group, Planted, planted};
use simt_launch::{Device, Simt};
use simt_std::prelude::*;
use simt_std::simulator::{Fault, Simulator};
use std::hint::black_box;

/// Number of elements of the outputs: not a multiple of 64.
const N: u32 = 200;

#[kernel(threads = 64)]
fn squares(out: Global<u32>, n: u32) {
    let i = thread::index_1d();
    if i < n {
        out.write(i as usize, i * i);
    }
}

/// A picture of 40 × 8 pixels in blocks of 8 × 8.
#[kernel(threads = [8, 8])]
fn picture(out: Global<u32>) {
    let pixel = thread::index_2d();
    if pixel.x < 40 && pixel.y < 8 {
        out.write((pixel.y * 40 + pixel.x) as usize, pixel.x + pixel.y);
    }
}

/// Runs `squares` with ⌊n / 64⌋ blocks, on an output of zeros or without a value.
fn a_block_too_few(gpu: &mut Simulator, zeroed: bool) -> Result<Vec<u32>, Fault> {
    let out = if zeroed { gpu.alloc_from(&[0; N as usize], "out") } else { gpu.alloc(N as usize, "out") };
    gpu.launch_kernel(N / 64, Squares { out: out.handle(), n: N })?;
    if zeroed {
        gpu.check_written(&out)?;
    }
    gpu.download(&out, N as usize)
}

/// Runs `picture` with a grid of 1 × 5 instead of 5 × 1 blocks.
fn grid_exchanged(gpu: &mut Simulator, zeroed: bool) -> Result<Vec<u32>, Fault> {
    let out = if zeroed { gpu.alloc_from(&[0; 320], "out") } else { gpu.alloc(320, "out") };
    gpu.launch_kernel([1, 5], Picture { out: out.handle() })?;
    if zeroed {
        gpu.check_written(&out)?;
    }
    gpu.download(&out, 320)
}

#[kernel(threads = 32)]
fn double(data: Global<u32>) {
    let i = thread::thread_idx_x() as usize;
    data.write(i, 2 * data.read(i)); // fault: two_streams
}

/// Doubles numbers in one stream and again in another, which does not wait for the first.
fn two_streams<D: Device>(device: &D) -> simt_launch::Result<Vec<u32>> {
    let (first, second) = (device.stream()?, device.stream()?);
    let data = device.alloc_from(&first, &[1u32; 32], "data")?;
    // SAFETY: the arrays are long enough; planted: nothing orders the two streams.
    unsafe {
        device.launch(&first, 1, Double { data: device.handle(&data) })?;
        device.launch(&second, 1, Double { data: device.handle(&data) })?;
    }
    device.download(&second, &data, 32)
}

/// Drops a buffer after the launch that uses it, without waiting.
fn dropped_before_the_wait<D: Device>(device: &D) -> simt_launch::Result<Vec<u32>> {
    let stream = device.stream()?;
    let data = device.alloc_from(&stream, &[1u32; 32], "data")?;
    // SAFETY: the array is long enough; planted: it is dropped before the stream is waited for.
    unsafe { device.launch(&stream, 1, Double { data: device.handle(&data) })? };
    drop(data);
    device.wait(&stream)?;
    Ok(Vec::new())
}

/// Returns the fault that a device reports.
fn fault_of(result: simt_launch::Result<Vec<u32>>) -> Result<Vec<u32>, Fault> {
    result.map_err(|error| match error {
        simt_launch::Error::Simulator(fault) => *fault,
        other => panic!("{other}"),
    })
}

pub fn group() -> Group {
    let uninitialised = Found::ByLaunch("Uninitialised");
    let unwritten = Found::ByLaunch("Unwritten");
    let planted: Vec<Planted> = vec![
        planted("a_block_too_few", "a block too few", uninitialised, |gpu| a_block_too_few(gpu, false)),
        planted("a_block_too_few", "a block too few; the output is zeroed", unwritten, |gpu| {
            a_block_too_few(gpu, true)
        }),
        planted("grid_exchanged", "x and y of the grid exchanged", uninitialised, |gpu| grid_exchanged(gpu, false)),
        planted("grid_exchanged", "x and y of the grid exchanged; the output is zeroed", unwritten, |gpu| {
            grid_exchanged(gpu, true)
        }),
        planted(
            "stale_host_copy",
            "the host changes its data after the upload",
            Found::Wrong("the device computes with the data it has"),
            |gpu| {
                let mut numbers = [1; 32];
                let doubled = run(gpu, 1, &numbers, |data| Double { data });
                numbers[0] = 5;
                black_box(&numbers);
                doubled.map(|doubled| doubled[..1].to_vec())
            },
        )
        .expecting(&[10]),
        planted("two_streams", "two streams without an event", Found::ByLaunch("Streams"), |_| {
            fault_of(two_streams(&Simt::default()))
        }),
        planted("dropped_before_the_wait", "a buffer dropped before the wait", Found::ByLaunch("FreedInUse"), |_| {
            fault_of(dropped_before_the_wait(&Simt::default()))
        }),
    ];
    Group { title: "On the host", file: file!(), text: include_str!("host.rs"), planted }
}
