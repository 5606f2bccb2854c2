//! Receiver of the records of an input.

use crate::Result;

/// Receives records as they are found.
pub(in crate::io::sequence) trait Visitor {
    /// The next record of a FASTA or FASTQ file begins in this line, 1-based.
    fn line(&mut self, _: u64) -> Result<()> {
        Ok(())
    }

    /// A record begins. `header` has neither its mark nor its line end, and is empty for a line;
    /// `place` is the record's offset in the file.
    fn begin(&mut self, header: &[u8], place: u64) -> Result<()>;

    /// The next symbols of the record, without line ends and, except in lines, without blanks.
    fn symbols(&mut self, symbols: &[u8]) -> Result<()>;

    /// The next qualities of a FASTQ record; they come after its symbols.
    fn quality(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }

    /// The record ends; for lines, with these bytes.
    fn end(&mut self, line_end: &[u8]) -> Result<()>;
}
