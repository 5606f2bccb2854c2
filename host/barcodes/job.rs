//! The job: a list of barcodes, limits, and the place in the read.

use super::nearest::Nearest;
use super::packed::{Strings, code};
use super::place::Place;
use super::prepared::{Limits, PreparedBarcodes};
use super::reach::MOST_ERRORS;
use crate::error::{Error, Result, UsageFault};
use crate::memory;
use foldhash::fast::RandomState;
use hashbrown::HashMap;
use hashbrown::hash_map::Entry;

/// An assignment of reads to the nearest of many barcodes.
///
/// ```
/// use carrywave::barcodes::{Barcodes, Place};
///
/// let barcodes = Barcodes::new(["ACGTACGT", "TTGCATGC"])
///     .errors(2)
///     .mismatches_only(true)
///     .margin(2)
///     .place(Place::Within { first: 0, last: 3 })
///     .prepare()?;
/// assert_eq!(barcodes.len(), 2);
/// let nearest = barcodes.nearest(b"gTTGAATGCA")?.unwrap();
/// assert_eq!((nearest.barcode, nearest.errors, nearest.start, nearest.end), (1, 1, 1, 9));
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone)]
#[must_use = "an assignment does nothing until it is given reads"]
pub struct Barcodes {
    /// The barcodes as given.
    barcodes: Strings,
    errors: u32,
    mismatches_only: bool,
    margin: u32,
    place: Place,
}

impl Barcodes {
    /// Makes an assignment to barcodes of bases A, C, G, T or U, in upper or lower case. Their
    /// lengths may differ. The defaults are 1 error, a margin of 1, and a barcode at the start of
    /// the read. As in the [example](Self).
    pub fn new(barcodes: impl IntoIterator<Item = impl AsRef<[u8]>>) -> Self {
        let mut list = Strings::default();
        barcodes.into_iter().for_each(|barcode| list.push(barcode.as_ref().iter().copied()));
        Self { barcodes: list, errors: 1, mismatches_only: false, margin: 1, place: Place::default() }
    }

    /// Sets the greatest edit distance of a barcode from its part of the read. As in the
    /// [example](Self).
    pub fn errors(self, most: u32) -> Self {
        Self { errors: most, ..self }
    }

    /// Sets whether errors are mismatches alone; the barcode must then be within the read. The
    /// default is false: bases may be missing or added too. As in the [example](Self).
    pub fn mismatches_only(self, only: bool) -> Self {
        Self { mismatches_only: only, ..self }
    }

    /// Sets how many errors more than the best the second best barcode must have, so that the read
    /// is assigned. The limit of errors does not apply to the second best. As in the
    /// [example](Self).
    pub fn margin(self, least: u32) -> Self {
        Self { margin: least, ..self }
    }

    /// Sets where the barcode starts in the read. As in the [example](Self).
    pub fn place(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// Returns the nearest barcode of each read, in the order of the reads; `None` if all barcodes
    /// have too many errors. An N of a read, or any other code, is an error beside every base. As
    /// in the [example](crate::barcodes).
    ///
    /// # Errors
    /// As [`prepare`](Self::prepare) and [`PreparedBarcodes::nearest`].
    pub fn assign<R: AsRef<[u8]> + Sync>(&self, reads: &[R]) -> Result<Vec<Option<Nearest>>> {
        self.prepare()?.assign(reads)
    }

    /// Makes an index for many reads: up to 80 bytes for each barcode besides its bases, and up to
    /// 8 MiB. O(bases of all barcodes). As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Pattern`] with the barcode's number, from 0: with [`Syntax`](UsageFault::Syntax)
    /// for a letter that is no base, also for IUPAC codes of several bases; with
    /// [`Combination`](UsageFault::Combination) for a barcode that is in the list twice; with
    /// [`Range`](UsageFault::Range) for a barcode that has no more bases than the greatest number
    /// of errors, `errors + margin - 1`. [`Error::Usage`] with [`Empty`](UsageFault::Empty) for an
    /// empty list, with [`Range`](UsageFault::Range) for a margin of 0, for an `errors + margin`
    /// of more than 16, and for a window that ends before it starts, with
    /// [`TooLarge`](UsageFault::TooLarge) for 2^32 barcodes; [`Error::Memory`].
    pub fn prepare(&self) -> Result<PreparedBarcodes> {
        let radius = self.radius()?;
        if self.barcodes.len() == 0 {
            return Err(UsageFault::Empty.error("the list of barcodes is empty; give at least one"));
        }
        if u32::try_from(self.barcodes.len()).is_err() {
            let reason = format!("{} barcodes are more than 2^32 - 1", self.barcodes.len());
            return Err(UsageFault::TooLarge.error(reason));
        }
        if let Place::Within { first, last } = self.place
            && last < first
        {
            return Err(UsageFault::Range.error(format!("the window {first}-{last} ends before it starts")));
        }
        let codes = self.codes(radius)?;
        let limits = Limits {
            errors: self.errors as usize,
            margin: self.margin as usize,
            gaps: !self.mismatches_only,
            place: self.place,
        };
        PreparedBarcodes::new(codes, limits)
    }

    /// Returns the greatest number of errors that is searched for.
    fn radius(&self) -> Result<usize> {
        if self.margin == 0 {
            let reason = "a margin of 0 would assign reads to one of several equally near barcodes; give at least 1";
            return Err(UsageFault::Range.error(reason));
        }
        let radius = u64::from(self.errors) + u64::from(self.margin) - 1;
        if radius > MOST_ERRORS as u64 {
            return Err(UsageFault::Range.error(format!(
                "{} errors and a margin of {} are too many: errors + margin may be at most {}",
                self.errors,
                self.margin,
                MOST_ERRORS + 1
            )));
        }
        Ok(radius as usize)
    }

    /// Returns the codes of the barcodes' bases.
    fn codes(&self, radius: usize) -> Result<Strings> {
        let mut all = Strings::default();
        for (number, barcode) in self.barcodes.iter().enumerate() {
            if let Some(at) = barcode.iter().position(|&base| code(base).is_none()) {
                let shown = char::from(barcode[at]).escape_default();
                let reason =
                    format!("has '{shown}' at position {}; a barcode has the bases A, C, G and T alone", at + 1);
                return Err(Error::Pattern { number, fault: UsageFault::Syntax, reason });
            }
            if barcode.len() <= radius {
                let bases = if barcode.len() == 1 { "base" } else { "bases" };
                let reason = format!(
                    "has {} {bases}, which is too few for {} errors and a margin of {}",
                    barcode.len(),
                    self.errors,
                    self.margin
                );
                return Err(Error::Pattern { number, fault: UsageFault::Range, reason });
            }
            all.push(barcode.iter().filter_map(|&base| code(base)));
        }
        memory::check::<[usize; 4]>(all.len(), "a table of barcodes")?;
        let mut numbers: HashMap<&[u8], usize, RandomState> =
            HashMap::with_capacity_and_hasher(all.len(), RandomState::default());
        for (number, codes) in all.iter().enumerate() {
            match numbers.entry(codes) {
                Entry::Occupied(entry) => {
                    let reason = format!("is the same as barcode {} of the list", entry.get() + 1);
                    return Err(Error::Pattern { number, fault: UsageFault::Combination, reason });
                }
                Entry::Vacant(entry) => entry.insert(number),
            };
        }
        drop(numbers);
        Ok(all)
    }
}
