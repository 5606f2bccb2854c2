//! `carrywave barcodes`
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the options |
//! | `list` | the barcodes and their names |
//! | `block` | the work on a block of reads |
//! | `output` | the barcode of each read, as TSV and JSON |
//! | `split` | a file of reads for each barcode |
//! | `counts` | numbers of reads, UMIs and molecules |

mod arguments;
mod block;
mod counts;
mod list;
mod output;
mod split;

pub use arguments::Arguments;

use crate::shared::in_order::in_order;
use crate::shared::notes::{file_name, is_stdin, note};
use crate::shared::output::{open_output, results_error, stdout, write_results};
use crate::shared::parts::{Part, ReportAtEnd, during};
use crate::shared::progress::FileBar;
use arguments::Format;
use block::{Made, Wanted, Work};
use carrywave::Result;
use carrywave::barcodes::Barcodes;
use carrywave::error::UsageFault;
use carrywave::io::sequence::{ReadBlock, ReadBlocks};
use carrywave::job::Recorder;
use counts::{Counts, UmiCounts, write_molecules};
use list::List;
use output::write_heading;
use split::SplitFiles;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Bytes of a block of reads.
const BLOCK: usize = 1 << 20;

/// Bytes of a block of reads for `--split`. The reads of each file are compressed apart.
const SPLIT_BLOCK: usize = 8 << 20;

/// Cost of a byte of the reads, in bases of a text that is searched.
const BYTE_COST: u64 = 20;

/// Results of the reads so far.
enum Collected {
    /// Rows are written as they come; true once the heading is written.
    Rows(Format, bool),
    Counts(Counts),
    Molecules(Box<UmiCounts>),
    /// The paths of the files, and the files once the format of the reads is known.
    Files(Vec<PathBuf>, Option<SplitFiles>),
}

/// Runs the command.
pub fn run(arguments: &Arguments) -> Result<()> {
    let output = arguments.output.as_deref().map(open_output).transpose()?;
    if output.is_none() {
        drop(stdout()?);
    }
    let Input { barcodes: path, reads } = input(arguments)?;
    let recorder = Recorder::new();
    let _report = ReportAtEnd(&recorder);
    let umis = arguments.umi_place().map(UmiCounts::new).transpose()?;
    let list = during(Part::Read, || List::read(path))?;
    let barcodes = Barcodes::new(list.bases())
        .errors(arguments.errors)
        .mismatches_only(arguments.mismatches_only)
        .margin(arguments.margin)
        .place(arguments.place())
        .prepare()
        .map_err(|error| list.located(path, error))?;
    let work = Arc::new(Work { barcodes, names: list.names });
    let mut result = match umis {
        Some(umis) => Collected::Molecules(Box::new(umis)),
        None if let Some(name) = &arguments.split => Collected::Files(split::paths(name, &work.names)?, None),
        None if arguments.count => Collected::Counts(Counts::new(work.names.len(), arguments.errors)),
        None => Collected::Rows(arguments.format, false),
    };
    write_results(output, |out| {
        for file in reads {
            assign(&work, file, &mut result, out)?;
        }
        finish(result, &work.names, out)
    })
}

/// Writes the results that need all reads.
fn finish(result: Collected, names: &[String], out: &mut (dyn Write + Send)) -> Result<()> {
    match result {
        Collected::Rows(..) | Collected::Files(_, None) => Ok(()),
        Collected::Files(_, Some(files)) => files.finish(),
        Collected::Counts(counts) => counts.write(names, out).map_err(results_error),
        Collected::Molecules(umis) => {
            if umis.without > 0 {
                let [reads, are] = if umis.without == 1 { ["read has", "is"] } else { ["reads have", "are"] };
                let words = format!("assigned {reads} no UMI of the bases A, C, G and T, and {are} not counted");
                note(&format!("{} {words}", umis.without));
            }
            write_molecules(&umis.finish()?, names, out).map_err(results_error)
        }
    }
}

/// Files of a call.
struct Input<'a> {
    barcodes: &'a Path,
    reads: &'a [OsString],
}

fn input(arguments: &Arguments) -> Result<Input<'_>> {
    let Some((barcodes, reads)) = arguments.words.split_first() else {
        let reason = "BARCODES and READS are missing; give a file of barcodes and a FASTQ file (see --help)";
        return Err(UsageFault::Empty.error(reason));
    };
    if reads.is_empty() {
        return Err(UsageFault::Empty.error("READS is missing; give a FASTQ file, or `-` for standard input"));
    }
    if is_stdin(barcodes) && reads.iter().any(|file| is_stdin(file)) {
        return Err(UsageFault::Combination
            .error("standard input cannot be both BARCODES and READS; use a file for one of them"));
    }
    Ok(Input { barcodes: Path::new(barcodes), reads })
}

/// Assigns the reads of a file.
fn assign(work: &Arc<Work>, file: &OsString, result: &mut Collected, out: &mut (dyn Write + Send)) -> Result<()> {
    let mut blocks = during(Part::Read, || ReadBlocks::open(file))?;
    let wanted = match result {
        Collected::Rows(format, has_heading) => {
            if !std::mem::replace(has_heading, true) {
                write_heading(*format, out).map_err(results_error)?;
            }
            Wanted::Rows(*format)
        }
        Collected::Counts(_) => Wanted::Counts,
        Collected::Molecules(umis) => Wanted::Umis(umis.place()),
        Collected::Files(paths, files) => {
            let files = match files {
                Some(files) => files,
                None => files.insert(SplitFiles::open(paths, blocks.format())?),
            };
            files.check(blocks.format())?;
            Wanted::Files(files.forms())
        }
    };
    let size = if matches!(wanted, Wanted::Files(_)) { SPLIT_BLOCK } else { BLOCK };
    let bar = FileBar::default();
    bar.begin(blocks.bytes(), BYTE_COST);
    let name = file_name(file);
    let work = Arc::clone(work);
    let assign = move |block: ReadBlock| Ok((block.size(), work.assign(&block, &wanted, &name)?));
    in_order(
        move || blocks.next_block(size, 1),
        assign,
        |(size, made)| {
            add(result, made, out)?;
            bar.add(size as u64);
            Ok(())
        },
    )?;
    bar.end();
    Ok(())
}

/// Writes or counts the results of a block.
fn add(result: &mut Collected, made: Made, out: &mut (dyn Write + Send)) -> Result<()> {
    match (result, made) {
        (_, Made::Text(text)) => {
            let written = during(Part::Write, || out.write_all(&text));
            written.and_then(|()| out.flush()).map_err(results_error)
        }
        (Collected::Counts(counts), Made::Counts(nearest)) => {
            counts.add(&nearest);
            Ok(())
        }
        (Collected::Molecules(counts), Made::Umis(umis)) => counts.add(&umis),
        (Collected::Files(_, Some(files)), Made::Files(outputs)) => during(Part::Write, || files.write(outputs)),
        _ => Ok(()),
    }
}
