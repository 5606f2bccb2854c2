//! The occupancy of all generations of GPUs from sm_70 to sm_120.

use simt_std::simulator::{BlockResources, Multiprocessor, OccupancyLimit, occupancy};

const fn block(threads: u32, registers: u32, shared: u32) -> BlockResources {
    BlockResources { threads, registers, shared }
}

/// Compares with `cudaOccMaxActiveBlocksPerMultiprocessor` of `cuda_occupancy.h`, CUDA 13.0: the
/// number of blocks, and the limiting factors (W: warps, R: registers, S: shared memory, B:
/// blocks). The header was compiled by g++ and called with the limits of the Programming Guide, and
/// with all shared memory configured as such.
#[test]
fn occupancy_is_that_of_nvidias_header() {
    let blocks = [
        block(32, 16, 0),
        block(64, 32, 0),
        block(96, 40, 1000),
        block(128, 32, 0),
        block(128, 64, 4096),
        block(256, 32, 0),
        block(256, 40, 17000),
        block(256, 72, 0),
        block(256, 255, 0),
        block(384, 56, 30000),
        block(512, 64, 49152),
        block(768, 80, 20000),
        block(1024, 32, 0),
        block(1024, 64, 65536),
        block(1024, 65, 0),
        block(1024, 24, 98304),
        block(40, 33, 7000),
        block(200, 48, 101376),
        block(128, 168, 232448),
        block(1, 8, 1),
    ];
    let expected = [
        (7, 0, "32B 32WRB 16R 16WR 8R 8WR 5S 3R 1R 3RS 2RS 1R 2WR 1RS 0R 1S 13S 0S 0S 32B"),
        (7, 2, "32B 32WRB 16R 16WR 8R 8WR 5S 3R 1R 3RS 2RS 1R 2WR 1RS 0R 1S 13S 0S 0S 32B"),
        (7, 5, "16B 16WB 10W 8W 8WR 4W 3S 3R 1R 2WS 1S 1WR 1W 1WRS 0R 0S 9S 0S 0S 16B"),
        (8, 0, "32B 32WRB 16R 16WR 8R 8WR 6R 3R 1R 3R 2R 1R 2WR 1R 0R 1S 20S 1S 0S 32B"),
        (8, 6, "16B 16B 16WRB 12W 8R 6W 5S 3R 1R 3RS 2RS 1R 1W 1WRS 0R 1WS 12S 1S 0S 16B"),
        (8, 7, "16B 16B 16WRB 12W 8R 6W 6WR 3R 1R 3R 2R 1R 1W 1WR 0R 1WS 16B 1S 0S 16B"),
        (8, 9, "24B 24WB 16WR 12W 8R 6W 5S 3R 1R 3RS 2RS 1R 1W 1WRS 0R 1WS 12S 1S 0S 24B"),
        (9, 0, "32B 32WRB 16R 16WR 8R 8WR 6R 3R 1R 3R 2R 1R 2WR 1R 0R 2WRS 24R 2S 1S 32B"),
        (10, 0, "32B 32WRB 16R 16WR 8R 8WR 6R 3R 1R 3R 2R 1R 2WR 1R 0R 2WRS 24R 2S 1S 32B"),
        (10, 3, "32B 32WRB 16R 16WR 8R 8WR 6R 3R 1R 3R 2R 1R 2WR 1R 0R 2WRS 24R 2S 1S 32B"),
        (11, 0, "24B 24WB 16WR 12W 8R 6W 6WR 3R 1R 3R 2R 1R 1W 1WR 0R 1W 24WRB 2S 1S 24B"),
        (12, 0, "24B 24WB 16WR 12W 8R 6W 5S 3R 1R 3RS 2RS 1R 1W 1WRS 0R 1WS 12S 1S 0S 24B"),
        (12, 1, "24B 24WB 16WR 12W 8R 6W 5S 3R 1R 3RS 2RS 1R 1W 1WRS 0R 1WS 12S 1S 0S 24B"),
    ];
    for (major, minor, row) in expected {
        let multiprocessor = Multiprocessor::of(major, minor).unwrap();
        assert_eq!(row.split(' ').count(), blocks.len());
        for (block, cell) in blocks.into_iter().zip(row.split(' ')) {
            let (count, limits) = cell.split_at(cell.find(char::is_alphabetic).unwrap());
            let occupied = occupancy(&multiprocessor, block);
            let letter = match occupied.limit {
                OccupancyLimit::Warps => 'W',
                OccupancyLimit::Registers => 'R',
                OccupancyLimit::Shared => 'S',
                OccupancyLimit::Blocks => 'B',
            };
            let of = format!("sm_{major}{minor}, {block:?}: {occupied}");
            assert_eq!(occupied.blocks, count.parse::<u32>().unwrap(), "{of}");
            assert!(limits.starts_with(letter), "{of}, not {limits}");
            assert_eq!(occupied.warps, occupied.blocks * block.threads.div_ceil(32), "{of}");
        }
    }
}

#[test]
fn impossible_blocks_do_not_fit() {
    let h100 = Multiprocessor::of(9, 0).unwrap();
    let fits = |threads, registers, shared| {
        let occupied = occupancy(&h100, block(threads, registers, shared));
        (occupied.blocks, occupied.limit)
    };
    assert_eq!(fits(0, 32, 0), (0, OccupancyLimit::Warps));
    assert_eq!(fits(1025, 32, 0), (0, OccupancyLimit::Warps));
    assert_eq!(fits(u32::MAX, u32::MAX, u32::MAX), (0, OccupancyLimit::Warps));
    assert_eq!(fits(32, 256, 0), (0, OccupancyLimit::Registers));
    assert_eq!(fits(32, u32::MAX, 0), (0, OccupancyLimit::Registers));
    assert_eq!(fits(32, 32, 227 * 1024 + 1), (0, OccupancyLimit::Shared));
    assert_eq!(fits(32, 32, u32::MAX), (0, OccupancyLimit::Shared));
    assert_eq!(fits(32, 0, 0), (32, OccupancyLimit::Blocks));
    for (major, minor) in [(0, 0), (6, 1), (7, 1), (8, 1), (9, 1), (13, 0), (u32::MAX, u32::MAX)] {
        assert_eq!(Multiprocessor::of(major, minor), None);
    }
}

#[test]
fn an_occupancy_reads_as_a_sentence() {
    let h100 = Multiprocessor::of(9, 0).unwrap();
    let text = |threads, registers, shared| occupancy(&h100, block(threads, registers, shared)).to_string();
    // 1,024 threads with 64 registers take all registers.
    assert_eq!(text(1024, 64, 0), "1 block, 32 of 64 warps (50 %), limited by registers");
    assert_eq!(text(256, 32, 0), "8 blocks, 64 of 64 warps (100 %), limited by warps");
    // 100,096 bytes and 1,024 reserved ones: two blocks in 233,472.
    assert_eq!(text(128, 32, 100_000), "2 blocks, 8 of 64 warps (12 %), limited by shared memory");
}
