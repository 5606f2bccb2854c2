//! Parses records as their bytes arrive. Memory holds no more of a record than its header.
//!
//! | file | what |
//! |---|---|
//! | `parser` | a parser for any of the formats: [`Parser`] |
//! | `visitor` | the receiver of the records: [`Visitor`] |
//! | `lines` | the lines of any file |
//! | `fasta` | FASTA |
//! | `fastq` | FASTQ |
//! | `unwrap` | the lines of a FASTA record, joined |
//! | `cut` | where several threads may parse one input |
//! | `line` | what FASTA and FASTQ share: header lines, and symbols without blanks |
//! | `detect` | the start of a file: byte order mark, blanks, and format |

mod cut;
mod detect;
mod fasta;
mod fastq;
mod line;
mod lines;
mod parser;
mod unwrap;
mod visitor;

pub(super) use cut::{Cut, cut};
pub(super) use detect::{blanks, line_behind, mark, may_be_mark};
pub(super) use parser::Parser;
pub(super) use visitor::Visitor;
