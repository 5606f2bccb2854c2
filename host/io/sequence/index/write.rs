//! Writes the indexes of a file beside it.

use super::beside;
use super::blocks::Block;
use super::gzi::{BlockStart, Gzi};
use super::rows::Rows;
use crate::error::InputFault;
use crate::io::output::OutputFile;
use crate::io::sequence::changes::RegularFile;
use crate::io::sequence::source::{Bytes, Input, Source, open};
use crate::io::sequence::two_bit::signature::is_two_bit;
use crate::io::sequence::unpack::bgzf::{HEADER, block_len};
use crate::io::sequence::unpack::{Compression, Method};
use crate::{Error, Result, memory, threads};
use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

/// Bytes to read at a time.
const BUFFER: usize = 1 << 18;

/// Summary of a file that was indexed. See the [example](write_index).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Indexed {
    /// Number of rows.
    pub records: u64,
    /// Number of records without a row, because an earlier record has their name.
    pub duplicates: u64,
    /// Name of the first record without a row.
    pub first_duplicate: Option<String>,
}

/// Writes `FILE.fai` beside a FASTA or FASTQ file, in the format of `samtools faidx`: for each
/// record its name, number of symbols, offset of the first symbol, symbols per line and bytes per
/// line, and for FASTQ the offset of the first quality. For a BGZF file, also writes `FILE.gzi`, in
/// the format of `bgzip -r`. Each appears whole or not at all. O(file) time; memory for the names.
///
/// A name that occurs again has no row, as in samtools: a region of it is one of the first record.
///
/// ```
/// use carrywave::io::sequence::write_index;
///
/// let folder = tempfile::tempdir()?;
/// let file = folder.path().join("x.fa");
/// std::fs::write(&file, ">chr1\nACGT\nACG\n")?;
/// assert_eq!(write_index(&file)?.records, 1);
/// assert_eq!(std::fs::read_to_string(folder.path().join("x.fa.fai"))?, "chr1\t7\t6\t4\t5\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Input`] if it is not a FASTA or FASTQ file, if lines of a record differ in length, or
/// if it is compressed by another method; [`Error::Io`] if it is not a regular file, or a file
/// cannot be read or written.
pub fn write_index(path: impl AsRef<Path>) -> Result<Indexed> {
    let path = path.as_ref();
    let input = open(path)?;
    let Some(file) = &input.file else {
        return Err(input.source.io(io::Error::other("only a regular file can be indexed")));
    };
    let gzi = block_starts(file, &input.source)?;
    let fai = OutputFile::open(&beside(path, "fai"))?;
    let gzi = match gzi {
        Some(gzi) => Some((OutputFile::open(&beside(path, "gzi"))?, gzi)),
        None => None,
    };
    let mut outcome = Ok(Indexed::default());
    let written = fai.write(|out| {
        outcome = write_rows(input, out);
        if outcome.is_ok() { Ok(()) } else { Err(io::Error::other("the file cannot be indexed")) }
    });
    let indexed = outcome?;
    written?;
    if let Some((file, gzi)) = gzi {
        file.write(|out| gzi.write(out))?;
    }
    Ok(indexed)
}

/// Returns the blocks of a BGZF file, or `None` for a file that is not compressed.
fn block_starts(file: &RegularFile, source: &Source) -> Result<Option<Gzi>> {
    let mut start = [0; HEADER];
    let read = file.read_full_at(&mut start, 0).map_err(|fault| source.io(fault))?;
    if is_two_bit(&start[..read]) {
        return Err(source.wrong(InputFault::NoFormat, "a two-bit file has an index inside"));
    }
    match Compression::detect(&start[..read]) {
        None => return Ok(None),
        Some(Compression::Read(Method::Gzip)) if block_len(&start).is_some() => {}
        Some(_) => {
            let reason = "a file in this compression cannot be read from the middle; decompress it, and compress it \
                          again with bgzip (gunzip -c FILE | bgzip > NEW)";
            return Err(source.wrong(InputFault::Compressed, reason));
        }
    }
    let failed = |fault: io::Error| match fault.kind() {
        io::ErrorKind::UnexpectedEof => source.wrong(InputFault::CutShort, fault.to_string()),
        io::ErrorKind::InvalidData => {
            let reason = format!("{fault}; compress it again with bgzip (gunzip -c FILE | bgzip > NEW)");
            source.wrong(InputFault::Compressed, reason)
        }
        _ => source.io(fault),
    };
    let mut starts = Vec::new();
    let mut next = Block::at(file, BlockStart::default()).map_err(failed)?;
    while let Some(block) = next {
        threads::check();
        if block.start != BlockStart::default() {
            memory::reserve(&mut starts, 1, "the blocks of a file")?;
            starts.push(block.start);
        }
        next = Block::at(file, block.end()).map_err(failed)?;
    }
    Ok(Some(Gzi::new(starts)))
}

/// Writes the rows of an input.
fn write_rows(input: Input, out: &mut (dyn Write + Send)) -> Result<Indexed> {
    let source = input.source.clone();
    let mut bytes = Bytes::new(input, false)?;
    let mut rows = Rows::new(&source);
    let mut names: HashSet<Vec<u8>> = HashSet::new();
    let mut indexed = Indexed::default();
    let mut pass = |row: super::fai::Row| {
        if names.contains(&row.name) {
            indexed.duplicates += 1;
            indexed.first_duplicate.get_or_insert_with(|| String::from_utf8_lossy(&row.name).into_owned());
            return Ok(());
        }
        indexed.records += 1;
        row.write(out).map_err(|fault| Error::Io { path: "the index".into(), source: fault })?;
        names.insert(row.name);
        Ok(())
    };
    let mut buffer = vec![0; BUFFER];
    loop {
        threads::check();
        let count = bytes.read(&mut buffer)?;
        if count == 0 {
            break;
        }
        rows.take(&buffer[..count], &mut pass).map_err(|complaint| bytes.cause(complaint))?;
    }
    rows.finish(&mut pass)?;
    Ok(indexed)
}
