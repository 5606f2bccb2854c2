//! Records as their bytes come, a few at a time: no more of a record is in memory than its header.
//!
//! | file | what |
//! |---|---|
//! | `parser` | any of the formats: [`Parser`] |
//! | `visitor` | what takes the records: [`Visitor`] |
//! | `lines` | the lines of any file |
//! | `fasta` | FASTA |
//! | `fastq` | FASTQ |
//! | `line` | what FASTA and FASTQ share: header lines, and symbols without blanks |
//! | `detect` | the start of a file: byte order mark, blanks, and which format it has |

mod detect;
mod fasta;
mod fastq;
mod line;
mod lines;
mod parser;
mod visitor;

pub(super) use detect::{blanks, line_behind, mark, may_be_mark};
pub(super) use parser::Parser;
pub(super) use visitor::Visitor;
