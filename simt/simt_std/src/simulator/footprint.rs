//! The sectors of global memory that a block or a launch touches, each counted once.

use super::wavefronts::LaneAddress;
use std::collections::HashMap;

/// Number of bytes of a sector.
pub(super) const SECTOR: u64 = 32;
/// Number of sectors of a page: the bits of a set's entry.
const SECTORS_OF_PAGE: u64 = 128;

/// A set of sectors.
#[derive(Debug, Clone, Default)]
pub(super) struct SectorSet {
    /// For each page of 4 KiB, one bit for each of its sectors.
    pages: HashMap<u64, u128>,
}

impl SectorSet {
    /// Adds the sectors of a warp access; the lanes access `size` bytes each.
    pub fn add(&mut self, size: u32, lanes: &[LaneAddress]) {
        let (mut page, mut bits) = (None, 0u128);
        for (_, address) in lanes {
            for sector in address / SECTOR..=(address + u64::from(size) - 1) / SECTOR {
                let of = sector / SECTORS_OF_PAGE;
                if page != Some(of) {
                    self.add_bits(page, bits);
                    (page, bits) = (Some(of), 0);
                }
                bits |= 1 << (sector % SECTORS_OF_PAGE);
            }
        }
        self.add_bits(page, bits);
    }

    fn add_bits(&mut self, page: Option<u64>, bits: u128) {
        if let Some(page) = page {
            *self.pages.entry(page).or_default() |= bits;
        }
    }

    /// Adds the sectors of another set.
    pub fn add_all(&mut self, other: &Self) {
        other.pages.iter().for_each(|(&page, &bits)| self.add_bits(Some(page), bits));
    }

    /// Returns the number of sectors.
    pub fn count(&self) -> u64 {
        self.pages.values().map(|bits| u64::from(bits.count_ones())).sum()
    }

    /// Empties the set.
    pub fn clear(&mut self) {
        self.pages.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::SectorSet;

    #[test]
    fn a_sector_counts_once() {
        let mut set = SectorSet::default();
        // 32 words from byte 0 on: 4 sectors; then the same again.
        let words = |start: u64| -> Vec<(u32, u64)> { (0..32).map(|i| (i, start + u64::from(i) * 4)).collect() };
        set.add(4, &words(0));
        set.add(4, &words(0));
        assert_eq!(set.count(), 4);
        // From byte 4,080 on: the page's last sector and the next page's first 4.
        set.add(4, &words(4080));
        assert_eq!(set.count(), 4 + 5);
        // 8 bytes across the border of two sectors.
        let mut other = SectorSet::default();
        other.add(8, &[(0, 1 << 40 | 28)]);
        assert_eq!(other.count(), 2);
        set.add_all(&other);
        set.add_all(&other);
        assert_eq!(set.count(), 11);
        set.clear();
        assert_eq!(set.count(), 0);
    }
}
