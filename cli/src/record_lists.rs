//! All records of two files, in memory, for commands that compare many of them.

use super::strand::{has_uracil, to_uracil};
use super::strings::{StringArguments, tell_kinds};
use super::text::file_name;
use carrywave::error::InputFault;
use carrywave::io::sequence::{Case, DocumentOptions, Format, Kind, Sequence, read_document, unify_uracil};
use carrywave::text::strand::reverse_complement;
use carrywave::{Error, Result};
use std::ffi::OsStr;
use std::ops::Range;

/// The records of a FASTA or FASTQ file.
pub(super) struct RecordList {
    /// The file's name, for people.
    pub file: String,
    /// The records' names, and for a record without one its number from 1.
    pub names: Vec<String>,
    pub kind: Kind,
    symbols: Vec<u8>,
    records: Vec<Range<usize>>,
}

impl RecordList {
    /// Reads two files, both at a time.
    pub fn read(arguments: &StringArguments) -> Result<[Self; 2]> {
        if arguments.a == "-" && arguments.b == "-" {
            return Err(Error::Usage("only one of A and B can be standard input".into()));
        }
        let (a, b) = rayon::join(|| list(&arguments.a), || list(&arguments.b));
        let ((mut a, mut in_a), (mut b, mut in_b)) = (a?, b?);
        let case = Case::from(arguments.case);
        if case == Case::Auto {
            tell_kinds(&in_a, &in_b);
        }
        unify_uracil(&mut in_a, &mut in_b);
        (a.symbols, b.symbols) = (in_a.with_case(case).symbols, in_b.with_case(case).symbols);
        Ok([a, b])
    }

    /// The symbols of each record.
    pub fn strings(&self) -> Vec<&[u8]> {
        self.records.iter().map(|record| &self.symbols[record.clone()]).collect()
    }

    /// The reverse complement of each record, with U for T if this or the other list is RNA.
    pub fn turned(&self, other: &Self) -> Result<Vec<Vec<u8>>> {
        let is_rna = has_uracil(&self.symbols) || has_uracil(&other.symbols);
        self.strings()
            .into_iter()
            .map(|symbols| {
                let mut turned = reverse_complement(symbols)?;
                if is_rna {
                    to_uracil(&mut turned);
                }
                Ok(turned)
            })
            .collect()
    }
}

/// A file's records, and the symbols of all of them.
fn list(path: &OsStr) -> Result<(RecordList, Sequence)> {
    let mut document = read_document(path, DocumentOptions::default())?;
    let file = file_name(path);
    if document.format == Format::Lines {
        let (fault, reason) = if document.symbols.is_empty() {
            (InputFault::Empty, "the file is empty")
        } else {
            (InputFault::NoFormat, "this is neither FASTA nor FASTQ, and --records compares the records of such files")
        };
        return Err(Error::Input { path: file.into(), fault, reason: reason.into() });
    }
    let name = |number: usize| document.name(number).map_or_else(|| (number + 1).to_string(), str::to_owned);
    let names = (0..document.records.len()).map(name).collect();
    let (kind, certain) = (document.kind(), document.kind_is_certain());
    let mut symbols = Sequence::new(file.clone(), std::mem::take(&mut document.symbols), kind);
    symbols.kind_is_certain = certain;
    Ok((RecordList { file, names, kind, symbols: Vec::new(), records: document.records }, symbols))
}
