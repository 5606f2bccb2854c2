//! Kinds of faults of arguments and of inputs.

/// The fault of an argument.
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
    /// Something required is missing or has no symbols: no pattern, an empty pattern, a text
    /// without records.
    Empty,
    /// A number is outside its range: 0 threads, as many errors as a pattern has symbols.
    Range,
    /// The input, or the work that it requires, exceeds a limit of the job: more than 2^32 − 1
    /// different items, a string of 2^30 symbols among many pairs. Parts of the input may fit.
    TooLarge,
    /// Options exclude one another, require one another, or do not fit the kind of input: a raw
    /// file with a record's name, an algorithm's option without the algorithm.
    Combination,
    /// The engine cannot do this job, or a text is on another engine: a text to keep on a GPU, with
    /// the CPU as the engine.
    Engine,
    /// A position or a range is outside the string, or ranges overlap: a record that ends beyond
    /// the end of the text.
    Position,
    /// Two arguments do not belong together, mostly because of their lengths: three limits for two
    /// patterns, a result with another string than its own.
    Mismatch,
    /// A text cannot be parsed: a class of symbols without its end, a symbol outside the alphabet,
    /// an option without `=`.
    Syntax,
    /// The extension of an output file's name is not supported: a dot plot named `plot.gif`.
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
    /// The path is a directory.
    Directory,
    /// The file is empty.
    Empty,
    /// The file is neither FASTA nor FASTQ.
    NoFormat,
    /// A FASTQ record does not have the four lines of the format.
    Malformed,
    /// The text is in UTF-16.
    Encoding,
    /// The lines end in a bare carriage return.
    LineEnds,
    /// The file ends too early.
    CutShort,
    /// The compressed data are damaged.
    Damaged,
    /// The file is compressed in a format that is not supported.
    Compressed,
    /// The file has several records, and the caller wants one.
    SeveralRecords,
    /// Several records have the wanted name.
    SameNames,
    /// No record has the wanted name.
    NoSuchRecord,
    /// The file has no pattern.
    NoPattern,
    /// A file of variants has a line that is no line of VCF, or a variant does not fit the text.
    Variants,
}
