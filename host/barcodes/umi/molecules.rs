//! Reads, UMIs and molecules of each barcode.

use super::directional::{MOST_BASES, Ranked, owners, packed};
use crate::error::{Result, UsageFault};
use crate::memory;
use rayon::prelude::*;

/// Number of pairs at which equal pairs are merged for the first time.
const MANY: usize = 1 << 20;

/// The UMIs of each barcode, with their numbers of reads. Takes 24 bytes for each different pair of
/// barcode and UMI, up to twice.
///
/// ```
/// use carrywave::barcodes::umi::Molecules;
///
/// let mut molecules = Molecules::new(4)?;
/// for (barcode, umi) in [(7, "ACGT"), (7, "ACGT"), (7, "ACGA"), (7, "TTTT"), (2, "ACGT")] {
///     assert!(molecules.add(barcode, umi.as_bytes())?);
/// }
/// assert!(!molecules.add(2, b"ACGN")? && !molecules.add(2, b"ACG")?);
/// let counts = molecules.counts()?;
/// assert_eq!((counts[0].barcode, counts[0].reads), (2, 1));
/// assert_eq!((counts[1].reads, counts[1].umis, counts[1].molecules), (4, 3, 2));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug)]
pub struct Molecules {
    /// Bases of a UMI.
    len: usize,
    pairs: Vec<Pair>,
    /// Number of pairs at which equal pairs are merged.
    pub(super) limit: usize,
}

/// A barcode and a UMI.
#[derive(Debug, Clone, Copy)]
struct Pair {
    barcode: u32,
    umi: u64,
    count: u64,
}

/// The number of reads, UMIs and molecules of a barcode. As in the [example](Molecules).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct BarcodeMolecules {
    /// Number of the barcode.
    pub barcode: usize,
    /// Reads with a UMI.
    pub reads: u64,
    /// Different UMIs.
    pub umis: u64,
    /// Clusters of UMIs by the [directional](super::directional()) method.
    pub molecules: u64,
}

impl Molecules {
    /// Makes a count of UMIs of `len` bases, 1 to 31. As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`Range`](UsageFault::Range) for another length.
    pub fn new(len: usize) -> Result<Self> {
        if !(1..=MOST_BASES).contains(&len) {
            return Err(UsageFault::Range.error(format!("a UMI has 1 to {MOST_BASES} bases, not {len}")));
        }
        Ok(Self { len, pairs: Vec::new(), limit: MANY })
    }

    /// Adds a read. Returns false, and adds nothing, if the UMI has another length or a letter that
    /// is no base. O(log n) on average. As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`Range`](UsageFault::Range) for a barcode number
    /// of 2^32 or more; [`Error::Memory`](crate::Error::Memory).
    pub fn add(&mut self, barcode: usize, umi: &[u8]) -> Result<bool> {
        let number = u32::try_from(barcode);
        let barcode = number.map_err(|_| UsageFault::Range.error(format!("barcode {barcode} is beyond 2^32 - 1")))?;
        let packed = if umi.len() == self.len { packed(umi) } else { None };
        let Some(umi) = packed else { return Ok(false) };
        if self.pairs.len() >= self.limit {
            self.join();
            self.limit = MANY.max(self.pairs.len().saturating_mul(2));
        }
        memory::reserve(&mut self.pairs, 1, "UMIs")?;
        self.pairs.push(Pair { barcode, umi, count: 1 });
        Ok(true)
    }

    /// Merges equal pairs.
    fn join(&mut self) {
        self.pairs.par_sort_unstable_by_key(|pair| (pair.barcode, pair.umi));
        self.pairs.dedup_by(|later, earlier| {
            let is_equal = (later.barcode, later.umi) == (earlier.barcode, earlier.umi);
            if is_equal {
                earlier.count += later.count;
            }
            is_equal
        });
    }

    /// Returns the counts of the barcodes that have reads, by the numbers of the barcodes.
    /// O(n log n + n × bases) for n different pairs. As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Memory`](crate::Error::Memory).
    pub fn counts(mut self) -> Result<Vec<BarcodeMolecules>> {
        self.join();
        let groups: Vec<&[Pair]> = self.pairs.chunk_by(|a, b| a.barcode == b.barcode).collect();
        let of_group = |pairs: &&[Pair]| {
            let ranked =
                |(number, pair): (usize, &Pair)| Ranked { packed: pair.umi, count: pair.count, number: number as u32 };
            let mut umis: Vec<_> = pairs.iter().enumerate().map(ranked).collect();
            Ok(BarcodeMolecules {
                barcode: pairs[0].barcode as usize,
                reads: pairs.iter().map(|pair| pair.count).sum(),
                umis: pairs.len() as u64,
                molecules: u64::from(owners(&mut umis, self.len)?.count),
            })
        };
        groups.par_iter().map(of_group).collect()
    }
}
