//! `carrywave barcodes`
//!
//! | file | what |
//! |---|---|
//! | `arguments` | the options |
//! | `list` | the barcodes and their names |
//! | `output` | the barcode of each read, as TSV and JSON |
//! | `split` | a file of reads for each barcode |
//! | `counts` | numbers of reads, UMIs and molecules |

mod arguments;
mod counts;
mod list;
mod output;
mod split;

pub use arguments::Arguments;

use crate::shared::notes::{file_name, is_stdin, note};
use crate::shared::output::{open_output, results_error, stdout, write_results};
use crate::shared::parts::{Measured, Part, ReportAtEnd, during};
use crate::shared::progress::FileBar;
use carrywave::barcodes::{Barcodes, Nearest, PreparedBarcodes};
use carrywave::error::{InputFault, UsageFault};
use carrywave::io::sequence::{Format, PartOptions, PartReader};
use carrywave::job::Recorder;
use carrywave::text::parts::{self, Parts};
use carrywave::{Error, Result};
use counts::{Counts, UmiCounts, write_molecules};
use list::List;
use output::ReadWriter;
use split::SplitFiles;
use std::ffi::OsString;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Bases of a part of the reads. Up to four parts are in memory at a time.
const PART: usize = 16 << 20;

/// Cost of a base of the reads, in bases of a text that is searched.
const BASE_COST: u64 = 50;

/// Results of the reads so far.
enum Collected<'n> {
    Reads(ReadWriter<'n>),
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
    let names: Vec<String> = list.names;
    let mut result = match umis {
        Some(umis) => Collected::Molecules(Box::new(umis)),
        None if let Some(name) = &arguments.split => Collected::Files(split::paths(name, &names)?, None),
        None if arguments.count => Collected::Counts(Counts::new(names.len(), arguments.errors)),
        None => Collected::Reads(ReadWriter::new(arguments.format, &names)),
    };
    write_results(output, |out| {
        for file in reads {
            assign(&barcodes, file, &mut result, out)?;
        }
        match result {
            Collected::Reads(_) | Collected::Files(_, None) => Ok(()),
            Collected::Files(_, Some(files)) => files.finish(),
            Collected::Counts(counts) => counts.write(&names, out).map_err(results_error),
            Collected::Molecules(umis) => {
                if umis.without > 0 {
                    let [reads, are] = if umis.without == 1 { ["read has", "is"] } else { ["reads have", "are"] };
                    let words = format!("assigned {reads} no UMI of the bases A, C, G and T, and {are} not counted");
                    note(&format!("{} {words}", umis.without));
                }
                write_molecules(&umis.finish()?, &names, out).map_err(results_error)
            }
        }
    })
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
fn assign(
    barcodes: &PreparedBarcodes,
    file: &OsString,
    result: &mut Collected<'_>,
    out: &mut (dyn Write + Send),
) -> Result<()> {
    let keeps_qualities = matches!(result, Collected::Files(..));
    let options = PartOptions::default().symbols(PART).whole(true).fastq(keeps_qualities);
    let reader = during(Part::Read, || PartReader::open(file, options))?;
    if reader.format() == Format::Lines && reader.first().is_some() {
        let reason = "neither FASTA nor FASTQ; reads have records that begin with a line such as `@read1`".into();
        return Err(Error::Input { path: Path::new(file).into(), fault: InputFault::NoFormat, reason });
    }
    match result {
        Collected::Reads(writer) => writer.heading(out).map_err(results_error)?,
        Collected::Files(_, Some(files)) => files.check(reader.format())?,
        Collected::Files(paths, files) => *files = Some(SplitFiles::open(paths, reader.format())?),
        Collected::Counts(_) | Collected::Molecules(_) => {}
    }
    let name = file_name(file);
    let bar = FileBar::default();
    bar.begin(reader.bytes(), BASE_COST);
    let mut reader = Measured(reader);
    while let Some(part) = reader.next_part()? {
        let reads: Vec<&[u8]> = part.records.iter().map(|record| &part.symbols[record.range.clone()]).collect();
        let nearest = barcodes.assign(&reads)?;
        add(result, &name, &part, &reads, &nearest, out)?;
        bar.add(part.symbols.len() as u64);
        reader.recycle(part.symbols);
    }
    bar.end();
    Ok(())
}

/// Writes or counts the reads of a part.
fn add(
    result: &mut Collected<'_>,
    file: &str,
    part: &parts::Part,
    reads: &[&[u8]],
    nearest: &[Option<Nearest>],
    out: &mut (dyn Write + Send),
) -> Result<()> {
    match result {
        Collected::Reads(writer) => {
            let written = during(Part::Write, || writer.write(out, file, &part.records, nearest));
            written.and_then(|()| out.flush()).map_err(results_error)
        }
        Collected::Counts(counts) => {
            counts.add(nearest);
            Ok(())
        }
        Collected::Molecules(umis) => umis.add(reads, nearest),
        Collected::Files(_, Some(files)) => during(Part::Write, || files.add(part, nearest)),
        Collected::Files(_, None) => Ok(()),
    }
}
