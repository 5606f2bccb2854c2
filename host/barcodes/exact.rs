//! Barcodes by all their bases.

use super::packed::{PackedBarcode, Window};
use crate::error::Result;
use crate::memory;
use foldhash::fast::RandomState;
use hashbrown::HashMap;

/// The numbers of barcodes of one length by their bases.
#[derive(Debug)]
pub struct Exact {
    /// Bases of a barcode, at most 31.
    len: usize,
    numbers: HashMap<u64, u32, RandomState>,
}

impl Exact {
    /// Makes the table; `None` if the lengths differ, or if two barcodes are equal because they are
    /// cut. O(barcodes).
    pub fn new(all: &[PackedBarcode]) -> Result<Option<Self>> {
        let len = all.first().map_or(0, |first| first.len());
        if all.iter().any(|barcode| barcode.len() != len) {
            return Ok(None);
        }
        memory::check::<[u64; 4]>(all.len(), "a table of barcodes")?;
        let mut numbers = HashMap::with_capacity_and_hasher(all.len(), RandomState::default());
        // There are at most 2^32 - 1 barcodes: `Barcodes::prepare` has checked it.
        numbers.extend(all.iter().enumerate().map(|(number, barcode)| (barcode.bases(0, len), number as u32)));
        Ok((numbers.len() == all.len()).then_some(Self { len, numbers }))
    }

    /// Returns the number of the barcode at the start of a window.
    #[inline]
    pub fn get(&self, window: Window) -> Option<u32> {
        self.numbers.get(&window.bases(self.len)?).copied()
    }
}
