//! Occupancy: the number of blocks and warps that a multiprocessor runs at a time.

use std::fmt;

/// Maximum number of threads of a block.
const BLOCK_THREADS: u32 = 1024;

/// The resources of a multiprocessor, by compute capability. Sources: CUDA Programming Guide,
/// "Technical Specifications per Compute Capability", and the constants of `cuda_occupancy.h` in
/// CUDA 13.0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Multiprocessor {
    /// Maximum number of resident warps.
    pub warps: u32,
    /// Maximum number of resident blocks.
    pub blocks: u32,
    /// Number of 32-bit registers; also the maximum of a block.
    pub registers: u32,
    /// Number of parts that have a scheduler and a share of the registers each.
    pub partitions: u32,
    /// A warp gets a multiple of this many registers.
    pub register_unit: u32,
    /// Maximum number of registers of a thread.
    pub thread_registers: u32,
    /// Bytes of shared memory.
    pub shared: u32,
    /// Maximum number of bytes of shared memory of a block, with the opt-in for dynamic memory.
    pub block_shared: u32,
    /// Bytes of shared memory that the system takes for each block.
    pub reserved_shared: u32,
    /// A block gets a multiple of this many bytes of shared memory.
    pub shared_unit: u32,
}

/// The resources in which GPUs differ; shared memory in KiB.
struct Limits {
    warps: u32,
    blocks: u32,
    shared: u32,
    block_shared: u32,
}

impl Multiprocessor {
    /// Resources for compute capability 9.0: H100 and H200.
    pub const HOPPER: Self = Self::new(9, Limits { warps: 64, blocks: 32, shared: 228, block_shared: 227 });

    /// Makes the resources of a GPU with this major number of the compute capability.
    const fn new(major: u32, Limits { warps, blocks, shared, block_shared }: Limits) -> Self {
        Self {
            warps,
            blocks,
            registers: 65_536,
            partitions: 4,
            register_unit: 256,
            thread_registers: 255,
            shared: shared * 1024,
            block_shared: block_shared * 1024,
            reserved_shared: if major < 8 { 0 } else { 1024 },
            shared_unit: if major < 8 { 256 } else { 128 },
        }
    }

    /// Returns the resources for a compute capability from 7.0 to 12.x, or `None` for others.
    ///
    /// ```
    /// use simt_std::simulator::Multiprocessor;
    ///
    /// assert_eq!(Multiprocessor::of(9, 0).unwrap().shared, 228 * 1024);
    /// assert_eq!(Multiprocessor::of(6, 1), None);
    /// ```
    pub fn of(major: u32, minor: u32) -> Option<Self> {
        let limits = match (major, minor) {
            (7, 0 | 2) => Limits { warps: 64, blocks: 32, shared: 96, block_shared: 96 },
            (7, 5) => Limits { warps: 32, blocks: 16, shared: 64, block_shared: 64 },
            (8, 0) => Limits { warps: 64, blocks: 32, shared: 164, block_shared: 163 },
            (8, 6) => Limits { warps: 48, blocks: 16, shared: 100, block_shared: 99 },
            (8, 7) => Limits { warps: 48, blocks: 16, shared: 164, block_shared: 163 },
            (8, 9) => Limits { warps: 48, blocks: 24, shared: 100, block_shared: 99 },
            (9, 0) | (10, 0 | 3) => return Some(Self::HOPPER),
            (11, 0) => Limits { warps: 48, blocks: 24, shared: 228, block_shared: 227 },
            (12, _) => Limits { warps: 48, blocks: 24, shared: 100, block_shared: 99 },
            _ => return None,
        };
        Some(Self::new(major, limits))
    }
}

/// The resources that a block of a kernel uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BlockResources {
    /// Number of threads, 1 to 1,024.
    pub threads: u32,
    /// Number of registers of a thread, as `ptxas -v` reports.
    pub registers: u32,
    /// Bytes of shared memory, static and dynamic.
    pub shared: u32,
}

/// The resource that limits the number of resident blocks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum OccupancyLimit {
    /// The number of resident warps, or an impossible number of threads of a block.
    Warps,
    /// The registers.
    Registers,
    /// The shared memory.
    Shared,
    /// The number of resident blocks.
    Blocks,
}

impl fmt::Display for OccupancyLimit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            OccupancyLimit::Warps => "warps",
            OccupancyLimit::Registers => "registers",
            OccupancyLimit::Shared => "shared memory",
            OccupancyLimit::Blocks => "blocks",
        })
    }
}

/// The occupancy of a multiprocessor by one kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Occupancy {
    /// Number of resident blocks; 0 if a block uses more than there is, so that a launch fails.
    pub blocks: u32,
    /// Number of their warps.
    pub warps: u32,
    /// Maximum number of warps of the multiprocessor.
    pub max_warps: u32,
    /// The limiting resource; of several ones, the first in the order of [`OccupancyLimit`].
    pub limit: OccupancyLimit,
}

impl Occupancy {
    /// Returns the share of the multiprocessor's warps, 0 to 1.
    pub fn share(&self) -> f64 {
        f64::from(self.warps) / f64::from(self.max_warps)
    }
}

/// Example: `2 blocks, 32 of 64 warps (50 %), limited by registers`.
impl fmt::Display for Occupancy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { blocks, warps, max_warps, limit } = self;
        let (noun, percent) = (if *blocks == 1 { "block" } else { "blocks" }, 100.0 * self.share());
        write!(f, "{blocks} {noun}, {warps} of {max_warps} warps ({percent:.0} %), limited by {limit}")
    }
}

/// Returns the occupancy of a multiprocessor by blocks that use these resources. All of its shared
/// memory counts as configured as such; the rest is the L1 cache.
///
/// It is the calculation of NVIDIA's `cuda_occupancy.h`, and so of
/// `cuOccupancyMaxActiveBlocksPerMultiprocessor`. Registers belong to one of the partitions, so
/// each partition holds a whole number of warps.
///
/// ```
/// use simt_std::simulator::{BlockResources, Multiprocessor, OccupancyLimit, occupancy};
///
/// let h100 = Multiprocessor::of(9, 0).unwrap();
/// // 72 registers × 32 lanes = 9 units of 256. A partition has 64 units, for 7 warps; 28 warps are
/// // 3 blocks of 8 warps.
/// let occupied = occupancy(&h100, BlockResources { threads: 256, registers: 72, shared: 0 });
/// assert_eq!((occupied.blocks, occupied.warps), (3, 24));
/// assert_eq!(occupied.limit, OccupancyLimit::Registers);
/// ```
pub fn occupancy(multiprocessor: &Multiprocessor, block: BlockResources) -> Occupancy {
    let Multiprocessor { warps: max_warps, .. } = *multiprocessor;
    if block.threads == 0 || block.threads > BLOCK_THREADS {
        return Occupancy { blocks: 0, warps: 0, max_warps, limit: OccupancyLimit::Warps };
    }
    let warps = block.threads.div_ceil(32);
    let limits = [
        (max_warps / warps, OccupancyLimit::Warps),
        (blocks_by_registers(multiprocessor, block.registers, warps), OccupancyLimit::Registers),
        (blocks_by_shared(multiprocessor, block.shared), OccupancyLimit::Shared),
        (multiprocessor.blocks, OccupancyLimit::Blocks),
    ];
    let [first, others @ ..] = limits;
    let (blocks, limit) = others.into_iter().fold(first, |least, other| if other.0 < least.0 { other } else { least });
    Occupancy { blocks, warps: blocks * warps, max_warps, limit }
}

fn blocks_by_registers(multiprocessor: &Multiprocessor, registers: u32, warps: u32) -> u32 {
    if registers > multiprocessor.thread_registers {
        return 0;
    }
    let of_warp = (registers * 32).next_multiple_of(multiprocessor.register_unit);
    // The hardware's check of a launch counts as many warps in each partition.
    if of_warp * warps.next_multiple_of(multiprocessor.partitions) > multiprocessor.registers {
        return 0;
    }
    let of_partition = multiprocessor.registers / multiprocessor.partitions;
    of_partition.checked_div(of_warp).map_or(u32::MAX, |held| held * multiprocessor.partitions / warps)
}

fn blocks_by_shared(multiprocessor: &Multiprocessor, shared: u32) -> u32 {
    if shared > multiprocessor.block_shared {
        return 0;
    }
    let of_block = (shared + multiprocessor.reserved_shared).next_multiple_of(multiprocessor.shared_unit);
    multiprocessor.shared.checked_div(of_block).unwrap_or(u32::MAX)
}
