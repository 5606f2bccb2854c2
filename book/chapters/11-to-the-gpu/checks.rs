//! Chapter 11: the message of its fault, the occupancy, and the times that it predicts.

use super::faults::complement_without_event;
use super::launches::times;
use crate::report::{Chapter, Count};
use simt_launch::{Error, Simt};
use simt_std::simulator::{BlockResources, Fault, GpuModel, LaunchCounts, Multiprocessor, estimate, occupancy};

const CHAPTER: Chapter = Chapter::new("11-to-the-gpu");

/// Registers of a thread, a row for each kernel; the first column of numbers is that of the H200.
const REGISTERS: &str = include_str!("output/registers.md");

/// Times on an H200: lines of a kernel's name and microseconds.
const MEASURED: &str = include_str!("output/h200.csv");

/// Number of symbols of the timed text.
const SYMBOLS: f64 = (1u64 << 28) as f64;

/// Returns the registers of a thread on an H200.
fn registers(kernel: &str) -> u32 {
    let row = REGISTERS.lines().find(|line| line.starts_with(&format!("| `{kernel}` |")));
    row.and_then(|row| row.split('|').nth(2)?.trim().parse().ok()).expect("the table has every kernel")
}

#[test]
fn a_missing_event_is_a_fault() {
    let fault: Box<Fault> = match complement_without_event(&Simt::default(), &[b'A'; 1000]) {
        Err(Error::Simulator(fault)) => fault,
        other => panic!("{other:?}"),
    };
    CHAPTER.fault("streams.txt", &fault);
}

/// Returns the number of blocks of 256 threads on a multiprocessor, as the text computes it.
fn by_hand(registers: u32, shared: u32) -> u32 {
    let by_warps = 64 / 8;
    let by_registers = 65_536 / (8 * (32 * registers).next_multiple_of(256));
    let by_shared_memory = 228 * 1024 / (shared + 1024);
    by_warps.min(by_registers).min(by_shared_memory)
}

#[test]
fn predicted_occupancy() {
    let count = |what, registers, shared| {
        let block = BlockResources { threads: 256, registers, shared };
        Count::new(what, by_hand(registers, shared), occupancy(&Multiprocessor::HOPPER, block).blocks.into())
    };
    CHAPTER.counts(
        "occupancy.md",
        &[
            count("blocks of `complement`", registers("complement"), 0),
            count("blocks of `complement_vectors`", registers("complement_vectors"), 0),
            count("blocks, 40 registers", 40, 0),
            count("blocks, 72 registers", 72, 0),
            count("blocks, 255 registers", 255, 0),
            count("blocks, 32 registers and 32 KiB of shared memory", 32, 32 * 1024),
        ],
    );
}

#[test]
fn predicted_times() {
    // The counts of a small text, scaled to the large one.
    let small = 1 << 14;
    let device = Simt::new(true);
    let kernels = times(&device, small).unwrap().into_iter().map(|time| time.kernel);
    let costs = device.costs_by_kernel();
    let predicted = 2.0 * SYMBOLS / 4.8e12 * 1e6;
    let mut table = "| kernel | bytes / 4.8 TB/s | estimate | limit of the estimate | measured |\n".to_owned();
    table += "|---|--:|--:|---|--:|\n";
    for kernel in kernels {
        let counts = LaunchCounts::of(&costs[kernel]).scaled(SYMBOLS / small as f64);
        let estimated = estimate(&GpuModel::H200, &counts, registers(kernel)).unwrap();
        let measured = MEASURED.lines().find_map(|line| line.strip_prefix(kernel)?.strip_prefix(','));
        let measured = measured.map_or("not yet".to_owned(), |micros| {
            let micros: f64 = micros.trim().parse().expect("a number of microseconds");
            format!("{micros:.0} µs, {:.2} TB/s", 2.0 * SYMBOLS / micros / 1e6)
        });
        let (micros, limit) = (estimated.micros, estimated.limit);
        table += &format!("| `{kernel}` | {predicted:.0} µs | {micros:.0} µs | {limit} | {measured} |\n");
    }
    CHAPTER.quote("h200.md", &table);
}
