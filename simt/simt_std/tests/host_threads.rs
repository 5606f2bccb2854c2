//! Launches on several host threads have the results, faults and costs of one host thread.

use simt_std::prelude::*;
use simt_std::simulator::{Buffer, Costs, Fault, Options, Simulator};

/// Threads of a block: enough blocks of them make a launch large enough for several host threads.
const THREADS: u32 = 256;
const BLOCKS: u32 = 64;
const ALL: u32 = THREADS * BLOCKS;

fn simulator(host_threads: usize) -> Simulator {
    Simulator::new(Options { host_threads, accounting: true, echo: false, spin_limit: 1 << 16, ..Options::default() })
}

/// Runs a job on 1, 2, 3 and 4 host threads, and returns what all of them agree on.
fn on_host_threads(mut job: impl FnMut(&mut Simulator) -> Result<Vec<u32>, Fault>) -> Result<Vec<u32>, String> {
    let mut run = |host_threads| {
        let mut gpu = simulator(host_threads);
        let outcome = job(&mut gpu).map_err(|fault| fault.to_string());
        (outcome, format!("{:?}", gpu.costs_by_kernel()), gpu.take_printed())
    };
    let one = run(1);
    for host_threads in 2..=4 {
        assert!(run(host_threads) == one, "{host_threads} host threads differ from one");
    }
    one.0
}

fn filled(gpu: &mut Simulator, len: u32) -> Buffer<u32> {
    gpu.alloc_from(&Vec::from_iter(0..len), "data")
}

/// Thread i writes 3 i + 1 to element i × `stride` mod n. Launch: n / [`THREADS`] blocks; `to` has
/// n elements.
#[kernel(threads = THREADS)]
fn scatter(to: Global<u32>, from: Global<u32>, stride: u32, n: u32) {
    let i = thread::index_1d();
    to.write((i.wrapping_mul(stride) % n) as usize, 3 * from.read(i as usize) + 1);
}

#[test]
fn blocks_that_write_to_common_pages_are_joined() {
    // An odd stride is a permutation: each page has words of every block.
    for stride in [1, 3, 1025, 4097] {
        let result = on_host_threads(|gpu| {
            let (from, to) = (filled(gpu, ALL), gpu.alloc::<u32>(ALL as usize, "to"));
            gpu.launch_kernel(BLOCKS, Scatter { to: to.handle(), from: from.handle(), stride, n: ALL })?;
            // The second launch reads what all views have written.
            gpu.launch_kernel(BLOCKS, Scatter { to: from.handle(), from: to.handle(), stride: 1, n: ALL })?;
            gpu.download(&from, ALL as usize)
        });
        let mut expected = vec![0; ALL as usize];
        for i in 0..ALL {
            expected[(i.wrapping_mul(stride) % ALL) as usize] = 3 * (3 * i + 1) + 1;
        }
        assert!(result.unwrap() == expected, "stride {stride}");
    }
}

#[test]
fn unwritten_elements_are_found_after_the_views_are_joined() {
    for stride in [1, 3, 4097] {
        let run = |blocks| {
            on_host_threads(|gpu| {
                let (from, to) = (filled(gpu, ALL), filled(gpu, ALL));
                gpu.launch_kernel(blocks, Scatter { to: to.handle(), from: from.handle(), stride, n: ALL })?;
                gpu.check_written(&to)?;
                gpu.check_written(&from)?;
                Ok(Vec::new())
            })
        };
        assert!(run(BLOCKS).unwrap_err().contains("element 0 of `data` (16384 elements)"), "only read");
        let missing = ((BLOCKS - 1) * THREADS..ALL).map(|i| i.wrapping_mul(stride) % ALL).min().unwrap();
        let fault = run(BLOCKS - 1).unwrap_err();
        assert!(fault.contains(&format!("unwritten: element {missing} of `data` (16384 elements)")), "{fault}");
    }
}

/// Thread i writes byte i of `to`. Launch: n / [`THREADS`] blocks; `to` has n elements.
#[kernel(threads = THREADS)]
fn bytes(to: Global<u8>) {
    let i = thread::index_1d();
    to.write(i as usize, i as u8);
}

#[test]
fn blocks_that_write_neighbouring_bytes_are_joined() {
    let result = on_host_threads(|gpu| {
        let to = gpu.alloc::<u8>(ALL as usize, "to");
        gpu.launch_kernel(BLOCKS, Bytes { to: to.handle() })?;
        Ok(gpu.download(&to, ALL as usize)?.into_iter().map(u32::from).collect())
    });
    assert_eq!(result.unwrap(), Vec::from_iter((0..ALL).map(|i| i % 256)));
}

/// Thread i writes element i, and the last thread of the grid also accesses element 5. Launch: n /
/// [`THREADS`] blocks; `data` has n elements.
#[kernel(threads = THREADS)]
fn meddle(data: Global<u32>, writes: u32, last: u32) {
    let i = thread::index_1d();
    data.write(i as usize, i);
    if i == last && writes == 1 {
        data.write(5, 7);
    } else if i == last {
        data.read(5);
    }
}

#[test]
fn a_race_between_blocks_of_two_host_threads_is_reported_as_by_one() {
    for (writes, access) in [(1, "write"), (0, "read")] {
        let fault = on_host_threads(|gpu| {
            let data = filled(gpu, ALL);
            gpu.launch_kernel(BLOCKS, Meddle { data: data.handle(), writes, last: ALL - 1 })?;
            gpu.download(&data, 10)
        });
        let fault = fault.unwrap_err();
        assert!(fault.contains("race in global memory on element 5 of `data`"), "{fault}");
        assert!(
            fault.contains(&format!("this {access} and the write by block (0, 0, 0), thread (5, 0, 0)")),
            "{fault}"
        );
    }
}

/// The last thread reads an element that the first has to write: a race, and an element without a
/// value. Launch: as [`meddle`](Meddle).
#[kernel(threads = THREADS)]
fn read_before(data: Global<u32>, to: Global<u32>, last: u32) {
    let i = thread::index_1d();
    if i == last {
        to.write(0, data.read(0));
    }
    data.write(i as usize, i);
}

#[test]
fn a_read_of_an_element_that_another_host_thread_writes_is_reported_as_by_one() {
    for uploaded in [false, true] {
        let fault = on_host_threads(|gpu| {
            let data = if uploaded { filled(gpu, ALL) } else { gpu.alloc(ALL as usize, "data") };
            let to = gpu.alloc::<u32>(1, "to");
            gpu.launch_kernel(BLOCKS, ReadBefore { data: data.handle(), to: to.handle(), last: ALL - 1 })?;
            gpu.download(&to, 1)
        });
        let fault = fault.unwrap_err();
        assert!(fault.contains("race in global memory on element 0 of `data`"), "{fault}");
    }
}

/// Each thread adds 1 to its element, and thread 0 of each block counts the block. Launch: n /
/// [`THREADS`] blocks; `data` has n elements, `count` one.
#[kernel(threads = THREADS)]
fn count_blocks(data: Global<u32>, count: Global<u32>) {
    let i = thread::index_1d() as usize;
    data.write(i, data.read(i) + 1);
    if thread::thread_idx_x() == 0 {
        atomic::fetch_add(count, 0, 1);
    }
}

#[test]
fn a_launch_that_begins_again_on_one_host_thread_begins_with_the_memory_before() {
    let result = on_host_threads(|gpu| {
        let (data, count) = (filled(gpu, ALL), gpu.alloc_from(&[0u32], "count"));
        for _ in 0..2 {
            gpu.launch_kernel(BLOCKS, CountBlocks { data: data.handle(), count: count.handle() })?;
        }
        let mut result = gpu.download(&data, ALL as usize)?;
        result.extend(gpu.download(&count, 1)?);
        Ok(result)
    });
    assert!(result.unwrap() == Vec::from_iter((2..ALL + 2).chain([2 * BLOCKS])));
}

/// Each block prints its number, and stores a clock. Launch: [`BLOCKS`] blocks; `times` has as many
/// elements.
#[kernel(threads = THREADS)]
fn say(times: Global<u32>) {
    if thread::thread_idx_x() == 0 {
        printf!("block %u\n", thread::block_idx_x());
        times.write(thread::block_idx_x() as usize, thread::clock());
    }
}

#[test]
fn text_and_clocks_do_not_depend_on_the_number_of_host_threads() {
    let times = on_host_threads(|gpu| {
        let times = gpu.alloc::<u32>(BLOCKS as usize, "times");
        gpu.launch_kernel(BLOCKS, Say { times: times.handle() })?;
        assert!(gpu.printed().starts_with("block 0\n"));
        gpu.download(&times, BLOCKS as usize)
    });
    assert_eq!(times.unwrap().len(), BLOCKS as usize);
}

/// Sums the block's elements in shared memory, with divergent and narrow accesses. Launch: n /
/// [`THREADS`] blocks; `from` has n elements, `to` one for each block.
#[kernel(threads = THREADS)]
fn sums(from: Global<u32>, to: Global<u32>) {
    shared_array!(partial: [u32; THREADS as usize]);
    let i = thread::thread_idx_x();
    partial.write(i, from.read(thread::index_1d() as usize));
    let mut half = THREADS / 2;
    while half > 0 {
        // SAFETY: every thread of the block comes here.
        unsafe { thread::sync_threads() };
        if i < half {
            partial.write(i, partial.read(i) + partial.read(i + half));
        }
        half /= 2;
    }
    if i == 0 {
        to.write(thread::block_idx_x() as usize, partial.read(0));
    }
}

#[test]
fn costs_do_not_depend_on_the_number_of_host_threads() {
    let costs = |host_threads| -> Costs {
        let mut gpu = simulator(host_threads);
        let (from, to) = (filled(&mut gpu, ALL), gpu.alloc::<u32>(BLOCKS as usize, "to"));
        gpu.launch_kernel(BLOCKS, Sums { from: from.handle(), to: to.handle() }).unwrap();
        let expected = |b: u32| (b * THREADS..(b + 1) * THREADS).sum::<u32>();
        assert_eq!(gpu.download(&to, BLOCKS as usize).unwrap(), Vec::from_iter((0..BLOCKS).map(expected)));
        gpu.costs().clone()
    };
    assert_eq!(costs(1).to_json(), costs(4).to_json());
}

/// Thread `lost` waits for a word that nobody writes. Launch: n / [`THREADS`] blocks.
#[kernel(threads = THREADS)]
fn waits(word: Global<u32>, data: Global<u32>, lost: u32) {
    let i = thread::index_1d();
    data.write(i as usize, i);
    while i == lost && word.read(0) == 0 {}
}

#[test]
fn a_thread_that_spins_is_reported_as_by_one_host_thread() {
    let fault = on_host_threads(|gpu| {
        let (word, data) = (gpu.alloc_from(&[0u32], "word"), filled(gpu, ALL));
        gpu.launch_kernel(BLOCKS, Waits { word: word.handle(), data: data.handle(), lost: 300 })?;
        gpu.download(&data, 10)
    });
    assert!(fault.unwrap_err().contains("spinning on element 0 of `word`"));
}
