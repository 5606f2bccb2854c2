//! `carrywave index`

use crate::shared::help::{EXIT_STATUS, TEMPLATE, few};
use crate::shared::notes::note;
use carrywave::Result;
use carrywave::io::output::Shortened;
use carrywave::io::sequence::{Indexed, write_index};
use clap::Args;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  carrywave index genome.fa                                 writes genome.fa.fai
  carrywave index genome.fa.gz                              of bgzip: also genome.fa.gz.gzi
  carrywave search GATTACA genome.fa:chr1:1001-2000         uses the index";

const LONG: &str = "\
Files:
  FASTA and FASTQ, plain or compressed with bgzip. The indexes are those of `samtools faidx` and
  `bgzip -r`, and other programs can use them. Each appears whole or not at all.
  All lines of a record but the last must have one length. A name that occurs again has no row.
  Every command uses the index for FILE:RECORD in FASTA. If it does not fit its file, a warning says
  so, and the whole file is read. Two-bit files have an index inside.";

/// Writes the index of a FASTA or FASTQ file beside it, so that commands read a part of it by
/// seeking.
#[derive(Debug, Args)]
#[command(override_usage = "carrywave index FILE...")]
#[command(help_template = TEMPLATE, before_help = few(EXAMPLES), before_long_help = EXAMPLES, after_help = EXIT_STATUS)]
#[command(after_long_help = format!("{LONG}\n\n{EXIT_STATUS}"))]
pub struct Arguments {
    /// FASTA or FASTQ files, plain or compressed with bgzip.
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
}

/// Runs the command. Stops at the first file that cannot be indexed.
pub fn run(arguments: &Arguments) -> Result<()> {
    for file in &arguments.files {
        let Indexed { records, duplicates, first_duplicate, .. } = write_index(file)?;
        if let Some(name) = first_duplicate {
            note(&format!(
                "{}: not in the index, because an earlier record has the same name: {duplicates} of {} records, first {}",
                file.display(),
                records + duplicates,
                Shortened(&name)
            ));
        }
        log::info!("{}: {records} records in the index", file.display());
    }
    Ok(())
}
