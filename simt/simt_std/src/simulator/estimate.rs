//! An estimate of a kernel's time from its counts: the largest of a few lower bounds.
//!
//! ```text
//! issue slots         2 instructions for each access and meeting, 4 per cycle   ┐
//! shared memory       one wavefront per cycle                                   │ of each
//! L1                  4 sectors per cycle                                       │ multiprocessor
//! latency             a warp's waits × blocks that follow one another           ┘
//! L2                  sectors that blocks load, write and change                ┐
//! DRAM                sectors that the launch touches                           │ of the GPU
//! atomic operations   those of all lanes, and those at the busiest word         ┘
//! ```

use super::access::{Access, Space};
use super::cost::Meeting;
use super::costs::KernelCosts;
use super::footprint::SECTOR;
use super::occupancy::{BlockResources, Multiprocessor, Occupancy, occupancy};
use super::totals::LaunchTotals;
use std::fmt;

/// Number of instructions for each access or meeting: itself, and one for the arithmetic on its
/// value. The simulator does not see arithmetic.
const INSTRUCTIONS_PER_STEP: f64 = 2.0;

/// Number of loads of global memory that a warp has in flight: the compiler issues independent
/// loads together.
const LOADS_IN_FLIGHT: f64 = 2.0;

/// The properties of a GPU that determine the estimate. The page docs/simulator.md has the sources
/// of the constants [`H100`](Self::H100) and [`H200`](Self::H200).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct GpuModel {
    /// Name of the model.
    pub name: &'static str,
    /// Resources of a multiprocessor.
    pub multiprocessor: Multiprocessor,
    /// Number of multiprocessors.
    pub multiprocessors: u32,
    /// Clock rate of the multiprocessors and of L2, in MHz.
    pub clock_mhz: f64,
    /// Rate of the DRAM, in 10^9 bytes per second.
    pub dram_gb_per_second: f64,
    /// Rate of all slices of L2 together, in bytes per cycle.
    pub l2_bytes_per_cycle: f64,
    /// Number of lanes' atomic operations that all slices of L2 do together per cycle. Each word
    /// has one per cycle.
    pub l2_atomics_per_cycle: f64,
    /// Number of sectors that the L1 cache of a multiprocessor serves per cycle.
    pub l1_sectors_per_cycle: f64,
    /// Number of instructions that a multiprocessor issues per cycle.
    pub issue_slots: f64,
    /// Latencies, in cycles.
    pub latency: Latency,
    /// Time of a launch without work, in microseconds.
    pub launch_micros: f64,
}

/// The cycles from an operation to its result, without waiting for other operations.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Latency {
    /// A load from shared memory, and a shuffle or vote.
    pub shared: f64,
    /// A load that hits in the L1 cache.
    pub l1: f64,
    /// A load that hits in L2, and an atomic operation in global memory.
    pub l2: f64,
    /// A load from DRAM.
    pub dram: f64,
    /// A barrier of a block.
    pub barrier: f64,
}

impl GpuModel {
    /// An H100 with SXM5 and HBM3.
    pub const H100: Self = Self {
        name: "H100",
        multiprocessor: Multiprocessor::HOPPER,
        multiprocessors: 132,
        clock_mhz: 1980.0,
        dram_gb_per_second: 3350.0,
        l2_bytes_per_cycle: 5120.0,
        l2_atomics_per_cycle: 80.0,
        l1_sectors_per_cycle: 4.0,
        issue_slots: 4.0,
        latency: Latency { shared: 30.0, l1: 40.0, l2: 281.0, dram: 690.0, barrier: 20.0 },
        launch_micros: 2.0,
    };

    /// An H200: an H100 with faster memory.
    pub const H200: Self = Self { name: "H200", dram_gb_per_second: 4800.0, ..Self::H100 };
}

/// The counts of one launch from which its time is estimated. They are fractions because they may
/// be means of launches or [scaled](Self::scaled).
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct LaunchCounts {
    /// Number of blocks.
    pub blocks: f64,
    /// Number of threads of a block.
    pub threads: u32,
    /// Bytes of shared memory of a block.
    pub shared_bytes: u32,
    /// Number of warp accesses and of warp instructions that synchronise.
    pub steps: f64,
    /// Number of wavefronts in shared memory.
    pub shared_wavefronts: f64,
    /// Number of warp loads from shared memory and of collectives of warps.
    pub shared_waits: f64,
    /// Number of warps that waited at barriers.
    pub barriers: f64,
    /// Number of warp loads from global memory.
    pub global_loads: f64,
    /// Number of sectors of the loads from global memory, counted for each warp load.
    pub load_sectors: f64,
    /// Number of sectors that blocks load, each counted once a block.
    pub block_load_sectors: f64,
    /// Number of sectors that the launch loads, each counted once.
    pub launch_load_sectors: f64,
    /// Number of sectors of stores and atomic operations, counted for each warp access.
    pub store_sectors: f64,
    /// Number of sectors that the launch writes, each counted once.
    pub launch_store_sectors: f64,
    /// Number of warps' atomic operations in global memory.
    pub global_atomics: f64,
    /// Number of lanes' atomic operations in global memory.
    pub atomic_lanes: f64,
    /// Number of lanes' atomic operations at the busiest word of global memory.
    pub busiest_word: f64,
}

impl LaunchCounts {
    /// Returns the mean counts of a kernel's launches, with the block of the last launch; all 0
    /// without a launch.
    pub fn of(kernel: &KernelCosts) -> Self {
        let KernelCosts { launches, costs, totals } = kernel;
        let mean = |count: u64| if *launches == 0 { 0.0 } else { count as f64 / *launches as f64 };
        let LaunchTotals { blocks, threads, shared_bytes, .. } = *totals;
        let shared = costs.total(Space::Shared);
        let [loads, stores, atomics] =
            [Access::Read, Access::Write, Access::Atomic].map(|access| costs.total_of(Space::Global, access));
        let [barriers, collectives] = [Meeting::Barrier, Meeting::Warp].map(|meeting| costs.total_of_meetings(meeting));
        let accesses = shared.accesses + costs.total(Space::Global).accesses;
        Self {
            blocks: mean(blocks),
            threads,
            shared_bytes,
            steps: mean(accesses + barriers.instructions + collectives.instructions),
            shared_wavefronts: mean(shared.wavefronts),
            shared_waits: mean(shared.accesses - costs.total_of(Space::Shared, Access::Write).accesses)
                + mean(collectives.instructions),
            barriers: mean(barriers.times),
            global_loads: mean(loads.accesses),
            load_sectors: mean(loads.sectors),
            block_load_sectors: mean(totals.block_read_sectors),
            launch_load_sectors: mean(totals.read_sectors),
            store_sectors: mean(stores.sectors + atomics.sectors),
            launch_store_sectors: mean(totals.written_sectors),
            global_atomics: mean(atomics.accesses),
            atomic_lanes: mean(atomics.lanes),
            busiest_word: mean(totals.busiest_word),
        }
    }

    /// Returns the counts of a launch that is `factor` times as large, for kernels whose counts
    /// grow linearly with the number of blocks; the block stays.
    #[must_use]
    pub fn scaled(self, factor: f64) -> Self {
        Self {
            blocks: self.blocks * factor,
            threads: self.threads,
            shared_bytes: self.shared_bytes,
            steps: self.steps * factor,
            shared_wavefronts: self.shared_wavefronts * factor,
            shared_waits: self.shared_waits * factor,
            barriers: self.barriers * factor,
            global_loads: self.global_loads * factor,
            load_sectors: self.load_sectors * factor,
            block_load_sectors: self.block_load_sectors * factor,
            launch_load_sectors: self.launch_load_sectors * factor,
            store_sectors: self.store_sectors * factor,
            launch_store_sectors: self.launch_store_sectors * factor,
            global_atomics: self.global_atomics * factor,
            atomic_lanes: self.atomic_lanes * factor,
            busiest_word: self.busiest_word * factor,
        }
    }

    /// Returns the cycles that an average warp waits for results.
    fn wait_of_warp(&self, latency: &Latency) -> f64 {
        let Self { load_sectors, block_load_sectors, launch_load_sectors, .. } = *self;
        let cached = (load_sectors - block_load_sectors).max(0.0) * latency.l1
            + (block_load_sectors - launch_load_sectors).max(0.0) * latency.l2;
        let of_load = (cached + launch_load_sectors * latency.dram) / load_sectors.max(1.0);
        let waits = self.global_loads * of_load / LOADS_IN_FLIGHT
            + self.global_atomics * latency.l2
            + self.shared_waits * latency.shared
            + self.barriers * latency.barrier;
        waits / (self.blocks * f64::from(self.threads.div_ceil(32)))
    }
}

/// The lower bound that determines an estimate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeLimit {
    /// The issue slots of the schedulers.
    IssueSlots,
    /// The wavefronts in shared memory.
    SharedWavefronts,
    /// The sectors in the L1 cache.
    L1Sectors,
    /// The latency of loads, collectives and barriers: too few warps are resident to hide it.
    Latency,
    /// The sectors in L2.
    L2Sectors,
    /// The bytes from and to DRAM.
    Dram,
    /// The atomic operations in global memory.
    Atomics,
}

impl fmt::Display for TimeLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            TimeLimit::IssueSlots => "issue slots",
            TimeLimit::SharedWavefronts => "shared-memory wavefronts",
            TimeLimit::L1Sectors => "L1 sectors",
            TimeLimit::Latency => "latency",
            TimeLimit::L2Sectors => "L2 sectors",
            TimeLimit::Dram => "DRAM bytes",
            TimeLimit::Atomics => "atomic operations",
        })
    }
}

/// A lower bound on the time of a launch.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct TimeBound {
    /// The resource.
    pub limit: TimeLimit,
    /// Time that the launch needs at least, in microseconds.
    pub micros: f64,
}

/// The estimated time of a launch.
#[derive(Debug, Clone, PartialEq)]
pub struct Estimate {
    /// Name of the GPU's model.
    pub gpu: &'static str,
    /// Time of the launch in microseconds: the largest bound, and the time of an empty launch.
    pub micros: f64,
    /// The resource of the largest bound.
    pub limit: TimeLimit,
    /// All bounds.
    pub bounds: Vec<TimeBound>,
    /// Occupancy of each multiprocessor.
    pub occupancy: Occupancy,
}

/// Example: `estimated time on an H100: 12 µs, limited by shared-memory wavefronts`.
impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { gpu, micros, limit, .. } = self;
        let decimals = if *micros < 10.0 { 1 } else { 0 };
        write!(f, "estimated time on an {gpu}: {micros:.decimals$} µs, limited by {limit}")
    }
}

/// Estimates the time of a launch whose threads have `registers` registers each. Returns `None` if
/// nothing was launched, or if a block does not fit on a multiprocessor.
///
/// The estimate is the largest of a few lower bounds. It knows nothing of threads that wait for
/// other blocks, of arithmetic beyond a fixed share, and of how bounds add up.
///
/// ```
/// use simt_std::simulator::{GpuModel, Grid, LaunchCounts, Options, Simulator, estimate};
/// use simt_std::thread;
///
/// let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
/// let data = gpu.alloc::<u32>(1 << 15, "data").handle();
/// gpu.launch("fill", Grid::linear(128, 256), move || data.write(thread::index_1d() as usize, 1))?;
///
/// // 1,024 times as large a launch writes 128 MiB: 40.1 µs at 3,350 GB/s, and 2 µs for the launch.
/// let counts = LaunchCounts::of(&gpu.costs_by_kernel()["fill"]).scaled(1024.0);
/// let time = estimate(&GpuModel::H100, &counts, 16).unwrap();
/// assert_eq!(time.to_string(), "estimated time on an H100: 42 µs, limited by DRAM bytes");
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
pub fn estimate(gpu: &GpuModel, counts: &LaunchCounts, registers: u32) -> Option<Estimate> {
    let block = BlockResources { threads: counts.threads, registers, shared: counts.shared_bytes };
    let occupancy = occupancy(&gpu.multiprocessor, block);
    if occupancy.blocks == 0 || counts.blocks <= 0.0 {
        return None;
    }
    let multiprocessors = f64::from(gpu.multiprocessors);
    // The busiest multiprocessor has a whole number of blocks.
    let share = (counts.blocks / multiprocessors).ceil() / counts.blocks;
    let followers = (counts.blocks / (multiprocessors * f64::from(occupancy.blocks))).max(1.0);
    let l2_bytes = (counts.block_load_sectors + counts.store_sectors) * SECTOR as f64;
    let dram_bytes = (counts.launch_load_sectors + counts.launch_store_sectors) * SECTOR as f64;
    let cycles = [
        (TimeLimit::IssueSlots, share * counts.steps * INSTRUCTIONS_PER_STEP / gpu.issue_slots),
        (TimeLimit::SharedWavefronts, share * counts.shared_wavefronts),
        (TimeLimit::L1Sectors, share * (counts.load_sectors + counts.store_sectors) / gpu.l1_sectors_per_cycle),
        (TimeLimit::Latency, followers * counts.wait_of_warp(&gpu.latency)),
        (TimeLimit::L2Sectors, l2_bytes / gpu.l2_bytes_per_cycle),
        (TimeLimit::Atomics, counts.busiest_word.max(counts.atomic_lanes / gpu.l2_atomics_per_cycle)),
    ];
    let mut bounds: Vec<TimeBound> =
        cycles.map(|(limit, cycles)| TimeBound { limit, micros: cycles / gpu.clock_mhz }).into();
    bounds.push(TimeBound { limit: TimeLimit::Dram, micros: dram_bytes / (1000.0 * gpu.dram_gb_per_second) });
    let largest = bounds.iter().copied().max_by(|a, b| a.micros.total_cmp(&b.micros))?;
    let micros = gpu.launch_micros + largest.micros;
    Some(Estimate { gpu: gpu.name, micros, limit: largest.limit, bounds, occupancy })
}
