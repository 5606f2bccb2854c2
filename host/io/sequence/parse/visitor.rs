//! Receiver of the records of an input.

use crate::Result;

/// Receives records as they are found.
pub(in crate::io::sequence) trait Visitor {
    /// Receives the number of the line in the file, 1-based, before a FASTA or FASTQ record begins.
    fn line(&mut self, _: u64) -> Result<()> {
        Ok(())
    }

    /// Begins a record. `header` has neither its mark nor its line end, and is empty for a line;
    /// `place` is the record's offset in the file.
    fn begin(&mut self, header: &[u8], place: u64) -> Result<()>;

    /// Receives the next symbols of the record, without line ends and, except in lines, without
    /// blanks.
    fn symbols(&mut self, symbols: &[u8]) -> Result<()>;

    /// Receives the next qualities of a FASTQ record; they come after its symbols.
    fn quality(&mut self, _: &[u8]) -> Result<()> {
        Ok(())
    }

    /// Ends the record; `line_end` is the end of the line for lines.
    fn end(&mut self, line_end: &[u8]) -> Result<()>;
}
