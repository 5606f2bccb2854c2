//! Columns of strings in the memory of a GPU, and distances that stay there.

use super::position_number::PositionNumber;
use crate::device::Devices;
use crate::error::Result;
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// Strings in the memory of a GPU, or of the simulator: their symbols, one after another, and
/// offsets. Made by [`new`](Self::new), or by [`at`](Self::at) of memory that another library
/// has filled.
///
/// ```no_run
/// use carrywave::device::Gpu;
/// use carrywave::pairs::{ResidentColumn, Pairs};
///
/// let gpu = Gpu::open(0)?;
/// let typed = ResidentColumn::new(&gpu, &["recieve", "adress"])?;
/// let right = ResidentColumn::new(&gpu, &["receive", "address"])?;
/// let distances = Pairs::new().listed_resident(&typed, &right)?;
/// assert_eq!(distances.download()?, [2, 1]);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
pub struct ResidentColumn {
    pub(super) column: Arc<dyn AnyColumn>,
    /// The GPU that has it.
    pub(super) devices: Devices,
}

/// A column of any device.
pub(super) trait AnyColumn: Any + Send + Sync {
    /// Returns the place of each string in the symbols, and the end of the last one.
    fn offsets(&self) -> &[u64];
    /// Returns the length of the longest string.
    fn longest(&self) -> usize;
    /// Returns the number of strings.
    fn len(&self) -> usize {
        self.offsets().len() - 1
    }
    /// Returns the address of the first string's symbols.
    fn address(&self) -> u64;
    /// Returns true if all symbols are below 128.
    fn is_ascii(&self) -> bool;
    /// Returns the rows that have no string; empty if all rows have one.
    fn missing(&self) -> &[bool];
    /// Returns the rows whose strings have symbols above 127, in order.
    fn rows_beyond_ascii(&self) -> Result<&[usize]>;
    /// Copies the symbols of all strings to the host.
    fn download(&self) -> Result<Vec<u8>>;
    /// Copies the strings of some rows to the host.
    fn strings(&self, rows: &[usize]) -> Result<Vec<Vec<u8>>>;
    /// Computes a number for each pair of this column and another one of as many strings. Anything
    /// for missing strings.
    fn position_matches(&self, b: &ResidentColumn, number: PositionNumber) -> Result<Vec<u32>>;
}

impl ResidentColumn {
    /// Returns the number of strings. See the [example](Self).
    pub fn len(&self) -> usize {
        self.column.len()
    }

    /// Returns true if there are no strings. See the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the address of the first string's symbols, for other code that uses the GPU. See the
    /// [example](Self).
    pub fn address(&self) -> u64 {
        self.column.address()
    }

    /// Returns true if all symbols are below 128. See the [example](Self).
    pub fn is_ascii(&self) -> bool {
        self.column.is_ascii()
    }

    /// Returns true for each row that has no string; nothing if all rows have one.
    #[doc(hidden)]
    pub fn missing(&self) -> &[bool] {
        self.column.missing()
    }

    /// Returns the rows whose strings have symbols above 127, in order. The first call copies all
    /// symbols to the host, if there are such rows.
    #[doc(hidden)]
    pub fn rows_beyond_ascii(&self) -> Result<&[usize]> {
        self.column.rows_beyond_ascii()
    }

    /// Returns the place of each string in the symbols, and the end of the last one.
    pub(crate) fn offsets(&self) -> &[u64] {
        self.column.offsets()
    }

    /// Returns the length of the longest string.
    pub(crate) fn longest(&self) -> usize {
        self.column.longest()
    }

    /// Computes a number for each pair of this column and another one of as many strings; anything
    /// for missing strings.
    pub(crate) fn position_matches(&self, b: &Self, number: PositionNumber) -> Result<Vec<u32>> {
        self.column.position_matches(b, number)
    }

    /// Copies the symbols of all strings to the host, with the place of each string, and the end of
    /// the last one, in the symbols.
    #[doc(hidden)]
    pub fn download(&self) -> Result<(Vec<u8>, Vec<u64>)> {
        let offsets = self.column.offsets();
        Ok((self.column.download()?, offsets.iter().map(|offset| offset - offsets[0]).collect()))
    }

    /// Copies the strings of some rows to the host.
    #[doc(hidden)]
    pub fn strings(&self, rows: &[usize]) -> Result<Vec<Vec<u8>>> {
        self.column.strings(rows)
    }
}

impl fmt::Debug for ResidentColumn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResidentColumn({} strings)", self.len())
    }
}

/// Distances in the memory of a GPU, or of the simulator: one `u32` per pair, in order of the
/// pairs. See the [example](ResidentColumn).
pub struct ResidentDistances(pub(super) Box<dyn AnyDistances>);

/// Distances on any device.
pub(super) trait AnyDistances: Send + Sync {
    fn len(&self) -> usize;
    fn address(&self) -> u64;
    /// Returns the number of the GPU; 0 for the simulator.
    fn ordinal(&self) -> usize;
    fn download(&self) -> Result<Vec<u32>>;
    /// Replaces the distances of some rows.
    fn replace(&mut self, rows: &[usize], distances: &[u32]) -> Result<()>;
}

impl ResidentDistances {
    /// Returns the number of distances. See the [example](ResidentColumn).
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Returns true if there are no distances. See the [example](ResidentColumn).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the address of the first distance, for other code that uses the GPU. All distances
    /// are there. See the [example](ResidentColumn).
    pub fn address(&self) -> u64 {
        self.0.address()
    }

    /// Returns the number of the GPU, from 0. See the [example](ResidentColumn).
    pub fn ordinal(&self) -> usize {
        self.0.ordinal()
    }

    /// Copies all distances to the host. See the [example](ResidentColumn).
    ///
    /// # Errors
    /// [`Gpu`](crate::Error::Gpu) if the copy fails.
    pub fn download(&self) -> Result<Vec<u32>> {
        self.0.download()
    }

    /// Replaces the distances of some rows.
    #[doc(hidden)]
    pub fn replace(&mut self, rows: &[usize], distances: &[u32]) -> Result<()> {
        self.0.replace(rows, distances)
    }
}

impl fmt::Debug for ResidentDistances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ResidentDistances({} distances)", self.len())
    }
}

/// The value of a distance that is not computed, because a string is missing.
pub(super) const MISSING: u32 = i32::MAX as u32;
