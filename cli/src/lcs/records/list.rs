//! All records of two files, in memory.

use crate::lcs::strand::{has_uracil, to_uracil};
use crate::shared::notes::{file_name, is_stdin};
use crate::shared::parts::{Part, during};
use crate::shared::strings::{StringArguments, note_kinds, unify_letters};
use carrywave::error::{InputFault, UsageFault};
use carrywave::io::sequence::{Case, DocumentOptions, Format, Kind, Sequence, read_document};
use carrywave::text::reverse_complement;
use carrywave::{Error, Result};
use std::ffi::OsStr;
use std::ops::Range;

/// The records of a FASTA or FASTQ file.
pub struct RecordList {
    /// File name for messages.
    pub file: String,
    /// Names of the records. The name of an unnamed record is its 1-based number.
    pub names: Vec<String>,
    pub kind: Kind,
    symbols: Vec<u8>,
    records: Vec<Range<usize>>,
}

impl RecordList {
    /// Reads two files in parallel.
    pub fn read(arguments: &StringArguments) -> Result<[Self; 2]> {
        if is_stdin(&arguments.a) && is_stdin(&arguments.b) {
            return Err(
                UsageFault::Combination.error("A and B cannot both be standard input; use a file for one of them")
            );
        }
        let (a, b) = during(Part::Read, || rayon::join(|| list(&arguments.a), || list(&arguments.b)));
        let Listed { list: mut a, symbols: mut in_a } = a?;
        let Listed { list: mut b, symbols: mut in_b } = b?;
        let case = Case::from(arguments.case);
        if case == Case::Auto {
            note_kinds(&in_a, &in_b);
        }
        unify_letters(&mut in_a, &mut in_b, case);
        a.symbols = in_a.symbols;
        b.symbols = in_b.symbols;
        Ok([a, b])
    }

    /// Returns the symbols of each record.
    pub fn strings(&self) -> Vec<&[u8]> {
        self.records.iter().map(|record| &self.symbols[record.clone()]).collect()
    }

    /// Returns the number of symbols of a record.
    pub fn record_len(&self, record: usize) -> usize {
        self.records[record].len()
    }

    /// Returns the reverse complement of each record, with U for T if either list is RNA.
    pub fn reverse_complements(&self, other: &Self) -> Result<Vec<Vec<u8>>> {
        let is_rna = has_uracil(&self.symbols) || has_uracil(&other.symbols);
        self.strings()
            .into_iter()
            .map(|symbols| {
                let mut reverse = reverse_complement(symbols)?;
                if is_rna {
                    to_uracil(&mut reverse);
                }
                Ok(reverse)
            })
            .collect()
    }
}

/// A list without its symbols, and the symbols of all its records before the letters are unified.
struct Listed {
    list: RecordList,
    symbols: Sequence,
}

fn list(path: &OsStr) -> Result<Listed> {
    let mut document = read_document(path, DocumentOptions::default())?;
    let file = file_name(path);
    if document.format == Format::Lines {
        let (fault, reason) = if document.symbols.is_empty() {
            (InputFault::Empty, "the file is empty; --records needs FASTA or FASTQ records")
        } else {
            (InputFault::NoFormat, "neither FASTA nor FASTQ; --records compares the records of such files")
        };
        return Err(Error::Input { path: file.into(), fault, reason: reason.into() });
    }
    let name = |number: usize| document.name(number).map_or_else(|| (number + 1).to_string(), str::to_owned);
    let names = (0..document.records.len()).map(name).collect();
    let kind = document.kind();
    let certain = document.kind_is_certain();
    let mut symbols = Sequence::new(file.clone(), std::mem::take(&mut document.symbols), kind);
    symbols.kind_is_certain = certain;
    let list = RecordList { file, names, kind, symbols: Vec::new(), records: document.records };
    Ok(Listed { list, symbols })
}
