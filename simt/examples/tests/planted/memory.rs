//! Faults of single accesses: bounds, alignment, lifetime, initialisation, stacks and limits.

use crate::common::{barrier, run};
use crate::fault::{Found, Group, Planted, planted};
use simt_std::prelude::*;
use simt_std::simulator::{Fault, Simulator};
use std::hint::black_box;

#[kernel(threads = 64)]
fn off_by_one_global(data: Global<u32>, n: u32) {
    let i = thread::thread_idx_x();
    if i <= n {
        data.write(i as usize, i); // fault: off_by_one_global
    }
}

#[kernel(threads = 32)]
fn off_by_one_shared(data: Global<u32>) {
    shared_array!(x: [u32; 32]);
    shared_array!(beside: [u32; 32]);
    let t = thread::thread_idx_x();
    beside.write(t, 0);
    x.write(t + 1, t); // fault: off_by_one_shared
    barrier();
    data.write(t as usize, x.read(t) + beside.read(t));
}

#[kernel(threads = 64)]
fn no_bounds_check(data: Global<u32>) {
    let i = thread::index_1d() as usize;
    data.write(i, 2 * data.read(i)); // fault: no_bounds_check
}

#[kernel(threads = 64)]
fn underflow_at_the_left_end(data: Global<u32>) {
    let i = thread::thread_idx_x();
    let left = data.read(i.wrapping_sub(1) as usize); // fault: underflow_at_the_left_end
    data.write(i as usize, left);
}

/// Reads backwards, from the array's length instead of its last element.
#[kernel(threads = 32)]
fn negative_stride(data: Global<u32>, sum: Global<u32>, stride: i32) {
    let t = thread::thread_idx_x() as i32;
    let i = 31 + (t + 1) * stride;
    sum.write(t as usize, data.read(i as usize)); // fault: negative_stride
}

#[kernel(threads = 64)]
fn length_out_of_date(data: Global<u32>, n: u32) {
    let i = thread::index_1d();
    if i < n {
        data.write(i as usize, i); // fault: length_out_of_date
    }
}

#[kernel(threads = 32)]
fn uninitialised_shared(data: Global<u32>) {
    shared_array!(count: [u32; 32]);
    let t = thread::thread_idx_x();
    count.write(t, count.read(t) + data.read(t as usize)); // fault: uninitialised_shared
}

#[kernel(threads = 32)]
fn uninitialised_global(input: Global<u32>, output: Global<u32>) {
    let i = thread::thread_idx_x() as usize;
    output.write(i, input.read(i) + 1); // fault: uninitialised_global
}

/// A counter in shared memory that nobody sets to 0.
#[kernel(threads = 32)]
fn counter_not_cleared(data: Global<u32>) {
    shared_array!(count: [u32; 1]);
    atomic::fetch_add(count, 0, data.read(thread::thread_idx_x() as usize)); // fault: counter_not_cleared
}

#[kernel(threads = 8)]
fn misaligned_vector(data: Global<u32>) {
    let i = thread::thread_idx_x() as usize;
    let vectors = data.skip(2).cast::<U32x4>();
    vectors.write(i, U32x4([1; 4])); // fault: misaligned_vector
}

/// The mean of two numbers whose sum has 33 bits.
#[kernel(threads = 1)]
fn integer_overflow(data: Global<u32>) {
    data.write(0, (data.read(0) + data.read(1)) / 2); // fault: integer_overflow
}

#[kernel(threads = 32)]
fn after_free(data: Global<u32>) {
    data.write(thread::thread_idx_x() as usize, 1); // fault: after_free
}

#[kernel(threads = 32)]
fn read_only_of_written(data: Global<u32>) {
    let i = thread::thread_idx_x() as usize;
    data.write(i, 1); // fault: read_only_of_written
    barrier();
    data.write(i + 32, data.read_only(31 - i)); // fault: read_only_of_written
}

#[kernel(threads = 32)]
fn local_array_of_160_kb(data: Global<u32>) {
    let i = thread::thread_idx_x() as usize;
    let mut local = [0u8; 160 << 10];
    for k in 0..160 {
        local[black_box(k << 10)] = data.read(i) as u8;
    }
    data.write(i, black_box(&local).iter().map(|&byte| u32::from(byte)).sum());
}

/// Walks a list whose last node points to itself.
#[inline(never)]
fn depth(next: Global<u32>, node: u32) -> u32 {
    let frame = black_box([node; 16]);
    let below = next.read(node as usize); // fault: deep_recursion
    if below == u32::MAX { 0 } else { depth(next, below) + black_box(frame)[3] % 2 }
}

#[kernel(threads = 1)]
fn deep_recursion(data: Global<u32>) {
    data.write(0, depth(data, 0));
}

/// Needs 4 bytes a thread.
#[kernel(threads = 64, shared = 128)]
fn dynamic_shared_too_small(data: Global<u32>) {
    let t = thread::thread_idx_x();
    let words = dynamic_shared_mem::<u32>();
    words.write(t, t); // fault: dynamic_shared_too_small
    data.write(t as usize, words.read(t));
}

#[kernel(threads = 32)]
fn static_shared_of_80_kb(data: Global<u32>) {
    shared_array!(x: [u32; 20 << 10]); // fault: static_shared_of_80_kb
    let t = thread::thread_idx_x();
    x.write(t * 640, t);
    data.write(t as usize, x.read(t * 640));
}

#[kernel(threads = 32)]
fn grid_of_0_blocks(data: Global<u32>) {
    data.write(thread::index_1d() as usize, 1);
}

#[kernel(threads = 2048)]
fn block_of_2048_threads(data: Global<u32>) {
    data.write(thread::index_1d() as usize % 32, 1);
}

/// Launches `after_free` on freed memory; another allocation may have taken it.
fn use_after_free(gpu: &mut Simulator, taken_again: bool) -> Result<Vec<u32>, Fault> {
    let data = gpu.alloc_from(&[0u32; 32], "data");
    let handle = data.handle();
    gpu.free(data);
    if taken_again {
        gpu.alloc_from(&[0u32; 32], "other");
    }
    gpu.launch_kernel(1, AfterFree { data: handle })?;
    Ok(Vec::new())
}

pub fn group() -> Group {
    let bounds = Found::ByLaunch("OutOfBounds");
    let uninitialised = Found::ByLaunch("Uninitialised");
    let freed = Found::ByLaunch("Freed");
    let stack = Found::ByLaunch("StackOverflow");
    let overflow = if cfg!(debug_assertions) {
        Found::ByLaunch("Panic")
    } else {
        Found::Wrong("builds without overflow checks wrap around, as a GPU does")
    };
    let planted: Vec<Planted> = vec![
        planted("off_by_one_global", "`<=` instead of `<`, in global memory", bounds, |gpu| {
            run(gpu, 1, &[0; 40], |data| OffByOneGlobal { data, n: 40 })
        }),
        planted("off_by_one_shared", "an index one too high, with another array beside", bounds, |gpu| {
            run(gpu, 1, &[0; 32], |data| OffByOneShared { data })
        }),
        planted("no_bounds_check", "no `if i < n`", bounds, |gpu| {
            run(gpu, 2, &[0; 100], |data| NoBoundsCheck { data })
        }),
        planted("underflow_at_the_left_end", "i − 1 in thread 0", bounds, |gpu| {
            run(gpu, 1, &[0; 64], |data| UnderflowAtTheLeftEnd { data })
        }),
        planted("negative_stride", "a negative stride that runs past the beginning", bounds, |gpu| {
            let sum = gpu.alloc::<u32>(32, "sum");
            run(gpu, 1, &[0; 32], |data| NegativeStride { data, sum: sum.handle(), stride: -1 })
        }),
        planted("length_out_of_date", "the parameter `n` is that of a longer array", bounds, |gpu| {
            run(gpu, 2, &[0; 80], |data| LengthOutOfDate { data, n: 100 })
        }),
        planted("uninitialised_shared", "shared memory is read before anyone writes it", uninitialised, |gpu| {
            run(gpu, 1, &[0; 32], |data| UninitialisedShared { data })
        }),
        planted("uninitialised_global", "an input that the host did not fill", uninitialised, |gpu| {
            let input = gpu.alloc::<u32>(32, "input");
            run(gpu, 1, &[0; 32], |output| UninitialisedGlobal { input: input.handle(), output })
        }),
        planted("counter_not_cleared", "a shared counter that nobody sets to 0", uninitialised, |gpu| {
            run(gpu, 1, &[0; 32], |data| CounterNotCleared { data })
        }),
        planted("misaligned_vector", "a vector of 16 bytes at a multiple of 8", Found::ByLaunch("Misaligned"), |gpu| {
            run(gpu, 1, &[0; 64], |data| MisalignedVector { data })
        }),
        planted("integer_overflow", "a sum beyond 32 bits", overflow, |gpu| {
            run(gpu, 1, &[3_000_000_000; 2], |data| IntegerOverflow { data })
        })
        .expecting(&[3_000_000_000; 2]),
        planted("after_free", "memory is used after `free`", freed, |gpu| use_after_free(gpu, false)),
        planted("after_free", "freed memory that another allocation has taken", freed, |gpu| use_after_free(gpu, true)),
        planted(
            "read_only_of_written",
            "`read_only` of memory that the launch writes",
            Found::ByLaunch("ReadOnly"),
            |gpu| run(gpu, 1, &[0; 64], |data| ReadOnlyOfWritten { data }),
        ),
        planted("local_array_of_160_kb", "a local array of 160 KB", stack, |gpu| {
            run(gpu, 1, &[0; 32], |data| LocalArrayOf160Kb { data }) // fault: local_array_of_160_kb
        }),
        planted("deep_recursion", "a recursion without an end", stack, |gpu| {
            run(gpu, 1, &[0; 1], |data| DeepRecursion { data })
        }),
        planted("dynamic_shared_too_small", "too little dynamic shared memory", bounds, |gpu| {
            run(gpu, 1, &[0; 64], |data| DynamicSharedTooSmall { data })
        }),
        planted("static_shared_of_80_kb", "80 KB of static shared memory", Found::ByLaunch("Launch"), |gpu| {
            run(gpu, 1, &[0; 32], |data| StaticSharedOf80Kb { data })
        }),
        planted("grid_of_0_blocks", "a grid of 0 blocks", Found::ByLaunch("Launch"), |gpu| {
            run(gpu, 0, &[0; 32], |data| GridOf0Blocks { data })
        }),
        planted("block_of_2048_threads", "a block of 2,048 threads", Found::ByLaunch("Launch"), |gpu| {
            run(gpu, 1, &[0; 32], |data| BlockOf2048Threads { data })
        }),
    ];
    Group { title: "Single accesses and limits", file: file!(), text: include_str!("memory.rs"), planted }
}
