//! The result for a read.

/// The nearest barcode of a read.
///
/// ```
/// use carrywave::barcodes::Barcodes;
///
/// let barcodes = Barcodes::new(["AAAACCCC", "AAAAGGGG", "AAAAGGGC"]).errors(1).margin(2);
/// let nearest = barcodes.assign(&["AAAACCCCT", "AAAAGGGGT", "AAAAGGGTT", "TTTTTTTT"])?;
/// let ambiguous = nearest[2].as_ref().unwrap();
/// assert_eq!((ambiguous.barcode, ambiguous.errors, ambiguous.ties), (1, 1, 2));
/// let second: Vec<_> = nearest.iter().flatten().map(|nearest| nearest.second).collect();
/// assert_eq!(second, [None, Some(1), Some(1)]);
/// let is_assigned: Vec<_> = nearest.iter().flatten().map(|own| own.is_assigned()).collect();
/// assert_eq!(is_assigned, [true, false, false]);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Nearest {
    /// Number of the barcode in the list, 0-based. If several are nearest, the first of the list.
    pub barcode: usize,
    /// Errors of the barcode.
    pub errors: u32,
    /// Start of the barcode in the read, 0-based: the first start that has the fewest errors.
    pub start: usize,
    /// End in the read, exclusive. If several ends have the fewest errors, the part's length is the
    /// nearest to the barcode's length, then the shorter.
    pub end: usize,
    /// Number of barcodes that have this number of errors in the read, at least 1.
    pub ties: u32,
    /// Errors of the second best barcode, if they are less than `errors` plus the margin.
    pub second: Option<u32>,
}

impl Nearest {
    /// Returns true if the read belongs to this barcode: the second best has more errors, by the
    /// margin at least. As in the [example](Self).
    pub fn is_assigned(&self) -> bool {
        self.second.is_none()
    }
}
