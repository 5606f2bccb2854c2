//! The faults of arguments and of inputs.

/// The kind of a wrong argument.
///
/// ```
/// use carrywave::error::{Error, UsageFault};
/// use carrywave::text::Pattern;
///
/// let error = Pattern::parse_classes(b"[a-z", false).unwrap_err();
/// assert!(matches!(error, Error::Usage { fault: UsageFault::Syntax, .. }));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum UsageFault {
    /// Something required is missing or has no symbols: no pattern, an empty pattern, a text without records.
    Empty,
    /// A number is outside its range: 0 threads, as many errors as a pattern has symbols.
    Range,
    /// The input, or the work it stands for, exceeds a limit of the job: more than 2^32 − 1 different items, a string of 2^30 symbols among
    /// many pairs. Parts of the input may fit.
    TooLarge,
    /// Options exclude one another, require one another, or do not fit the kind of input: a raw file and a record's name, an algorithm's
    /// option without the algorithm.
    Combination,
    /// The engine cannot do this job, or a text is on another one: a text to keep on a GPU, and the CPU as engine.
    Engine,
    /// A position or a range is outside the string, or ranges overlap: a record that ends behind the text.
    Position,
    /// Two arguments do not belong together, mostly by their lengths: three limits for two patterns, a string that the result is not for.
    Mismatch,
    /// A text cannot be parsed: a class of symbols without its end, a symbol that the alphabet does not have, an option without `=`.
    Syntax,
    /// The name of an output file ends in no extension that is written: a dot plot named `plot.gif`.
    FileName,
}

/// The fault of a file.
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
    /// The compressed data are damaged.
    Damaged,
    /// It is compressed in a way that is not read.
    Compressed,
    /// There are several records, and the caller wants one.
    SeveralRecords,
    /// Several records have the wanted name.
    SameNames,
    /// No record has the wanted name.
    NoSuchRecord,
    /// There is no pattern in it.
    NoPattern,
}
