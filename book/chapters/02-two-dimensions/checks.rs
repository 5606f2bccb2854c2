//! Chapter 2: the message of its fault, and the sectors that it predicts.

use super::faults::{InvertExchanged, InvertUpright};
use super::launches::{edges_of, inverted};
use crate::report::{Chapter, Count};
use simt_std::simulator::{Access, Fault, Options, Simulator, Space};

const CHAPTER: Chapter = Chapter::new("02-two-dimensions");

/// A simulator that counts.
fn counting() -> Simulator {
    Simulator::new(Options { accounting: true, ..Options::default() })
}

/// A black picture.
fn black(width: u32, height: u32) -> Vec<u8> {
    vec![0; (width * height) as usize]
}

/// Returns the negative, by the kernel that exchanges x and y.
fn exchanged(gpu: &mut Simulator, picture: &[u8], width: u32) -> Result<Vec<u8>, Fault> {
    let height = picture.len() as u32 / width;
    let (input, result) = (gpu.alloc_from(picture, "picture"), gpu.alloc::<u8>(picture.len(), "result"));
    let kernel = InvertExchanged { picture: input.handle(), result: result.handle(), width, height };
    gpu.launch_kernel([width.div_ceil(32), height.div_ceil(8)], kernel)?;
    gpu.download(&result, picture.len())
}

/// Returns the negative, by blocks of 8 × 32 threads.
fn upright(gpu: &mut Simulator, picture: &[u8], width: u32) -> Result<Vec<u8>, Fault> {
    let height = picture.len() as u32 / width;
    let (input, result) = (gpu.alloc_from(picture, "picture"), gpu.alloc::<u8>(picture.len(), "result"));
    let kernel = InvertUpright { picture: input.handle(), result: result.handle(), width, height };
    gpu.launch_kernel([width.div_ceil(8), height.div_ceil(32)], kernel)?;
    gpu.download(&result, picture.len())
}

#[test]
fn an_exchange_is_out_of_bounds() {
    let fault = exchanged(&mut Simulator::default(), &black(96, 64), 96).unwrap_err();
    CHAPTER.fault("out-of-bounds.txt", &fault);
}

#[test]
fn an_exchange_is_a_race_in_a_high_picture() {
    let fault = exchanged(&mut Simulator::default(), &black(64, 96), 64).unwrap_err().to_string();
    for part in ["race in global memory", "release and acquire", "atomic::store"] {
        assert!(fault.contains(part), "{fault}");
    }
}

#[test]
fn an_exchange_is_right_in_a_square_picture() {
    let picture = Vec::from_iter((0..64 * 64u32).map(|i| (i % 251) as u8));
    let result = exchanged(&mut Simulator::default(), &picture, 64).unwrap();
    assert_eq!(result, inverted(&mut Simulator::default(), &picture, 64).unwrap());
}

/// Returns the number of sectors that the accesses of this kind touched.
fn sectors(gpu: &Simulator, access: Access) -> u64 {
    gpu.costs().total_of(Space::Global, access).sectors
}

#[test]
fn predicted_sectors_of_an_exchange() {
    let (side, picture) = (64, black(64, 64));
    let (mut by_rows, mut by_columns) = (counting(), counting());
    inverted(&mut by_rows, &picture, side).unwrap();
    exchanged(&mut by_columns, &picture, side).unwrap();
    let warps = side / 32 * side;
    CHAPTER.counts(
        "exchanged.md",
        &[
            Count::new("`invert`, 64 × 64 pixels: sectors written", warps, sectors(&by_rows, Access::Write)),
            Count::new("`invert_exchanged`", 32 * warps, sectors(&by_columns, Access::Write)),
        ],
    );
}

#[test]
fn predicted_sectors() {
    let (width, height) = (96, 64);
    let (mut wide, mut high, mut reads) = (counting(), counting(), counting());
    assert_eq!(inverted(&mut wide, &black(width, height), width).unwrap(), vec![255; 96 * 64]);
    assert_eq!(upright(&mut high, &black(width, height), width).unwrap(), vec![255; 96 * 64]);
    edges_of(&mut reads, &black(width, height), width).unwrap();

    let rows = width / 32 * height;
    let read = sectors(&reads, Access::Read);
    // Two sectors for each left and right neighbour, but at the picture's edge; no row above the
    // first and below the last.
    assert_eq!(read, u64::from(5 * rows + 2 * (rows - height) - 2 * (width / 32)));
    let neighbours = Count {
        what: "`edges`, 96 × 64 pixels, sectors read",
        predicted: f64::from(5 * rows),
        measured: read as f64,
        difference: Some(
            "The prediction for `edges` is too low. The left neighbours of a warp's 32 pixels begin one byte before \
             a\nsector, so they are in two sectors, except at the picture's left edge, where lane 0 reads nothing. \
             The right\nneighbours cost as much. On each of the 2 sides, 2 of the 3 warps of each of the 64 rows \
             touch one more sector:\n2 · 2 · 64 = 256 more. The 3 warps of the first row have nothing above them, \
             and the 3 warps of the last row nothing\nbelow: 2 · 3 = 6 fewer.",
        ),
    };
    CHAPTER.counts(
        "counts.md",
        &[
            Count::new(
                "`invert`, 96 × 64 pixels, blocks of 32 × 8: sectors written",
                rows,
                sectors(&wide, Access::Write),
            ),
            Count::new("the same, blocks of 8 × 32", 4 * rows, sectors(&high, Access::Write)),
            neighbours,
        ],
    );
}
