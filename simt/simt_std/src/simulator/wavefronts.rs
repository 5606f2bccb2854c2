//! Shared memory: the wavefronts of a warp access. Global memory: its sectors. Atomic operations:
//! the turns at one address.

use super::access::Access;

/// A lane that takes part in a warp access, and the byte address that it accesses.
pub(super) type LaneAddress = (u32, u64);

/// The wavefronts of a warp access of shared memory.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Wavefronts {
    /// Number of wavefronts.
    pub taken: u64,
    /// Number of wavefronts without conflicts: one for each group of lanes served together.
    pub least: u64,
}

/// Returns the wavefronts of a shared-memory access. In each wavefront, each of the 32 banks serves
/// one word of 4 bytes; lanes that load or store the same word share it. Atomic operations share
/// nothing: each bank serves one lane.
///
/// Lanes that access 8 or 16 bytes each are served in groups of 16 or 8, or of 32 or 16 if they
/// read in pairs. They read in pairs if each lane that takes part reads the same as its neighbour,
/// or each the same as the lane two further (`lane ^ 2`); lanes that take no part are ignored.
pub(super) fn wavefronts(access: Access, size: u32, lanes: &[LaneAddress]) -> Wavefronts {
    let together = match size {
        ..=4 => 32,
        _ if access == Access::Read && (in_pairs(1, lanes) || in_pairs(2, lanes)) => 256 / size,
        _ => 128 / size,
    };
    let busiest = if access == Access::Atomic { lanes_of_busiest_bank } else { words_of_busiest_bank };
    let served = lanes.chunk_by(|(a, _), (b, _)| a / together == b / together);
    served.fold(Wavefronts::default(), |sum, lanes| Wavefronts {
        taken: sum.taken + busiest(size, lanes),
        least: sum.least + 1,
    })
}

/// Returns the maximum number of lanes that access one bank.
fn lanes_of_busiest_bank(size: u32, lanes: &[LaneAddress]) -> u64 {
    let mut banks = [0u64; 32];
    for (_, address) in lanes {
        for word in address / 4..(address + u64::from(size)).div_ceil(4) {
            banks[(word % 32) as usize] += 1;
        }
    }
    banks.into_iter().max().unwrap_or(0)
}

/// Returns the number of turns of a warp's atomic operations: the largest number of lanes with one
/// address.
pub(super) fn turns(lanes: &[LaneAddress]) -> u64 {
    let mut addresses = [0; 32];
    let addresses = &mut addresses[..lanes.len()];
    addresses.iter_mut().zip(lanes).for_each(|(to, (_, address))| *to = *address);
    addresses.sort_unstable();
    addresses.chunk_by(|a, b| a == b).map(|same| same.len() as u64).max().unwrap_or(0)
}

/// Returns true if each lane requests the same address as lane `lane ^ step`, or if the latter
/// takes no part.
fn in_pairs(step: u32, lanes: &[LaneAddress]) -> bool {
    let mut asked = [None; 32];
    lanes.iter().for_each(|&(lane, address)| asked[lane as usize] = Some(address));
    lanes.iter().all(|&(lane, own)| asked[(lane ^ step) as usize].is_none_or(|other| other == own))
}

/// Returns the maximum number of different words requested from one bank.
fn words_of_busiest_bank(size: u32, lanes: &[LaneAddress]) -> u64 {
    // `words`: the different words in order of arrival, each with the index of its bank's previous
    // word. `banks`: for each bank, the index of its last word and its number of words.
    let (mut words, mut known) = ([(0u64, u8::MAX); 128], 0u8);
    let mut banks = [(u8::MAX, 0u8); 32];
    for (_, address) in lanes {
        for word in address / 4..(address + u64::from(size)).div_ceil(4) {
            let (last, count) = &mut banks[(word % 32) as usize];
            let mut of_bank = *last;
            while of_bank != u8::MAX && words[usize::from(of_bank)].0 != word {
                of_bank = words[usize::from(of_bank)].1;
            }
            if of_bank == u8::MAX {
                words[usize::from(known)] = (word, *last);
                (*last, *count) = (known, *count + 1);
                known += 1;
            }
        }
    }
    banks.iter().map(|(_, count)| u64::from(*count)).max().unwrap_or(0)
}

/// Returns the number of different 32-byte sectors of a global-memory access.
pub(super) fn sectors(size: u32, lanes: &[LaneAddress]) -> u64 {
    let (mut touched, mut count) = ([0; 64], 0);
    for (_, address) in lanes {
        for sector in address / 32..=(address + u64::from(size) - 1) / 32 {
            if count == 0 || touched[count - 1] != sector {
                touched[count] = sector;
                count += 1;
            }
        }
    }
    let touched = &mut touched[..count];
    if !touched.is_sorted() {
        touched.sort_unstable();
    }
    touched.chunk_by(|a, b| a == b).count() as u64
}

#[cfg(test)]
mod tests {
    use super::{Access, Wavefronts, sectors, turns};

    fn of(access: Access, size: u32, lanes: &[(u32, u64)]) -> (u64, u64) {
        let Wavefronts { taken, least } = super::wavefronts(access, size, lanes);
        (taken, least)
    }

    fn wavefronts(size: u32, lanes: &[(u32, u64)]) -> (u64, u64) {
        of(Access::Read, size, lanes)
    }

    fn lanes(stride: u64) -> Vec<(u32, u64)> {
        (0..32).map(|lane| (lane, u64::from(lane) * stride)).collect()
    }

    #[test]
    fn wavefronts_of_strides() {
        assert_eq!(wavefronts(4, &lanes(4)), (1, 1));
        assert_eq!(wavefronts(4, &lanes(8)), (2, 1));
        assert_eq!(wavefronts(4, &lanes(128)), (32, 1));
        assert_eq!(wavefronts(4, &lanes(132)), (1, 1));
        assert_eq!(wavefronts(4, &lanes(0)), (1, 1), "one word is broadcast");
        assert_eq!(wavefronts(1, &lanes(1)), (1, 1));
        assert_eq!(wavefronts(8, &lanes(8)), (2, 2));
        assert_eq!(wavefronts(16, &lanes(16)), (4, 4));
        assert_eq!(wavefronts(16, &lanes(128)), (32, 4));
    }

    #[test]
    fn only_reads_are_served_in_pairs() {
        let pairs: Vec<(u32, u64)> = (0..32).map(|lane| (lane, u64::from(lane / 2) * 8)).collect();
        assert_eq!(wavefronts(8, &pairs), (1, 1));
        let every_other: Vec<(u32, u64)> = (0..16).map(|i| (2 * i, u64::from(i) * 8)).collect();
        assert_eq!(wavefronts(8, &every_other), (1, 1));
        assert_eq!(of(Access::Write, 8, &every_other), (2, 2));
    }

    /// Compares with an H200, measured by Nsight Compute for the same accesses (`SharedAccess` of
    /// `gpu-kernels`).
    #[test]
    fn wavefronts_of_wide_accesses_are_those_of_an_h200() {
        // Bytes, wavefronts, and the position that each lane accesses; a point is a lane that takes
        // no part.
        let accesses = [
            (16, 6, "129 1014 . . . 999 798 . . 912 468 . 650 52 . 780 . . . . . . . . . . . . . . . 607"),
            (16, 3, ". . 704 . . . 11 . . . . . 420 . 746 . 846 . . . . . . . 470 . . 187 . . . 144"),
            (16, 4, ". . . 434 . 156 610 . . 17 . . . 943 76 . . 886 . . . . . 823 . 411 . . . 879 197 ."),
            (16, 4, ". . . . . . 612 . 506 131 . . . 899 . . . 528 . . . . 726 . . 567 . . . 15 649 ."),
            (8, 2, ". 891 . 306 . 980 1248 . 1620 . . 215 1617 . 651 . . 1029 . . . . 528 . 630 . . . 140 . . ."),
            (8, 4, "949 755 . . 2019 . . 191 . . . . . 180 1172 . 1278 . . . . 1050 . 1142 . . 151 710 . . . ."),
            (8, 2, ". 807 . . . . 1666 780 . . . 1962 . . 1594 525 1581 . . . . 1544 . . . . 1409 . 1950 . . 1601"),
            (8, 1, "1775 . . 501 . . . . . . . . . . . . . . . 1446 . . . . . 1010 . . 499 . . ."),
            (
                16,
                4,
                "443 443 443 443 8 8 8 8 11 11 11 11 724 724 724 724 279 279 279 279 652 652 652 652 1017 1017 1017 1017 577 577 577 577",
            ),
            (
                16,
                5,
                "642 642 483 483 834 834 82 82 664 664 214 214 765 765 279 279 808 808 1005 1005 410 410 731 731 992 992 659 659 185 185 652 652",
            ),
            (
                16,
                5,
                "32 364 32 364 299 513 299 513 563 608 563 608 477 189 477 189 393 221 393 221 916 955 916 955 284 700 284 700 259 599 259 599",
            ),
            (
                16,
                8,
                "10 26 26 10 679 1003 1003 679 674 169 169 674 857 798 798 857 214 461 461 214 612 526 526 612 441 0 0 441 201 341 341 201",
            ),
            (16, 2, "87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87 87"),
            (
                16,
                2,
                ". 791 791 791 791 791 791 791 . . 791 791 791 791 791 . 791 791 791 791 791 791 . 791 . 791 . 791 791 . . 791",
            ),
            (
                8,
                3,
                "1134 1134 1134 1134 1396 1396 1396 1396 644 644 644 644 1908 1908 1908 1908 439 439 439 439 505 505 505 505 1451 1451 1451 1451 300 300 300 300",
            ),
            (
                8,
                4,
                "980 980 1594 1594 260 260 1318 1318 224 224 1764 1764 788 788 1 1 529 529 741 741 1205 1205 1782 1782 533 533 2025 2025 1258 1258 1571 1571",
            ),
            (
                8,
                3,
                "1367 1606 1367 1606 845 1577 845 1577 1430 1233 1430 1233 567 430 567 430 203 1360 203 1360 115 1481 115 1481 239 66 239 66 2009 1555 2009 1555",
            ),
            (
                8,
                4,
                "270 857 857 270 528 610 610 528 1006 939 939 1006 779 557 557 779 1906 466 466 1906 1946 919 919 1946 1559 1559 1559 1559 1589 1437 1437 1589",
            ),
            (
                8,
                1,
                "582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582 582",
            ),
            (
                8,
                1,
                "128 128 128 128 128 . 128 . 128 128 128 128 128 128 128 128 128 . 128 128 . 128 128 128 128 128 128 . 128 . 128 128",
            ),
        ];
        for (size, counted, places) in accesses {
            let lanes = (0..).zip(places.split(' ')).filter(|(_, place)| *place != ".");
            let lanes: Vec<(u32, u64)> =
                lanes.map(|(lane, place)| (lane, place.parse::<u64>().unwrap() * u64::from(size))).collect();
            assert_eq!(wavefronts(size, &lanes).0, counted, "{size} bytes at {places}");
        }
    }

    #[test]
    fn atomics_share_no_word() {
        let atomic = |size, lanes: &[(u32, u64)]| (of(Access::Atomic, size, lanes), turns(lanes));
        // 32 lanes at one word: one bank serves them one by one.
        assert_eq!(atomic(4, &lanes(0)), ((32, 1), 32));
        // One word in each bank.
        assert_eq!(atomic(4, &lanes(4)), ((1, 1), 1));
        // 32 words in one bank: as many wavefronts, but no address is taken twice.
        assert_eq!(atomic(4, &lanes(128)), ((32, 1), 1));
        // Pairs of lanes at one word, 16 words in 16 banks.
        let pairs: Vec<(u32, u64)> = (0..32).map(|lane| (lane, u64::from(lane / 2) * 4)).collect();
        assert_eq!(atomic(4, &pairs), ((2, 1), 2));
        // The words 0 and 32 share bank 0: 3 lanes at word 0 and 5 at word 32.
        let two: Vec<(u32, u64)> = (0..8).map(|lane| (lane, if lane < 3 { 0 } else { 128 })).collect();
        assert_eq!(atomic(4, &two), ((8, 1), 5));
        // 8 bytes: 2 groups of 16 lanes; with one address, each lane is alone in 16 wavefronts.
        assert_eq!(atomic(8, &lanes(0)), ((32, 2), 32));
        assert_eq!(atomic(8, &lanes(8)), ((2, 2), 1));
        assert_eq!(turns(&[]), 0);
    }

    #[test]
    fn sectors_of_strides() {
        assert_eq!(sectors(4, &lanes(4)), 4);
        assert_eq!(sectors(1, &lanes(1)), 1);
        assert_eq!(sectors(4, &lanes(32)), 32);
        assert_eq!(sectors(16, &lanes(16)), 16);
        assert_eq!(sectors(4, &lanes(0)), 1);
    }
}
