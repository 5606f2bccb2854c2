//! The kinds of faults in a file.

/// What is wrong with a file.
///
/// ```
/// # #[cfg(feature = "io")] {
/// use carrywave::error::{Error, InputFault};
/// use carrywave::io::sequence::read;
///
/// let error = read("data", &Default::default()).unwrap_err();
/// assert!(matches!(error, Error::Input { fault: InputFault::Directory, .. }));
/// # }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum InputFault {
    /// It is a directory.
    Directory,
    /// There is nothing in it.
    Empty,
    /// It is neither FASTA nor FASTQ.
    NoFormat,
    /// A FASTQ record is not four lines as they should be.
    Malformed,
    /// It is text in UTF-16.
    Encoding,
    /// The lines end in a bare carriage return.
    LineEnds,
    /// It ends too early.
    CutShort,
    /// What decompresses it finds an error.
    Damaged,
    /// It is compressed in a way that is not read.
    Compressed,
    /// There are several records where one is asked for.
    SeveralRecords,
    /// Several records have the name that is asked for.
    SameNames,
    /// No record has the name that is asked for.
    NoSuchRecord,
    /// There is no pattern in it.
    NoPattern,
}
