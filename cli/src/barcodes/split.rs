//! `--split`: a file of reads for each barcode.

use crate::shared::file_names::{UNKNOWN, check_file_name, check_names, replaced};
use crate::shared::read_files::{Files, Form, Output};
use carrywave::Result;
use carrywave::barcodes::Nearest;
use carrywave::error::UsageFault;
use carrywave::io::sequence::Format;
use carrywave::text::parts::Part;
use rayon::prelude::*;
use std::path::{Path, PathBuf};

/// Level of compression, 1 to 12.
const LEVEL: u32 = 1;

/// The files, one for each barcode and one for the other reads.
pub struct SplitFiles {
    files: Files,
    forms: Vec<Form>,
    /// Format of the reads.
    format: Format,
}

/// Checks the name of the files, and returns their paths: one for each barcode, and one for the
/// other reads.
pub fn paths(name: &Path, barcodes: &[String]) -> Result<Vec<PathBuf>> {
    if !name.to_string_lossy().contains("{name}") {
        return Err(UsageFault::FileName
            .error("--split names a file for each barcode: {name} stands for the barcode's name, as in {name}.fq.gz"));
    }
    check_file_name(name)?;
    check_names("barcode", barcodes)?;
    if barcodes.iter().any(|barcode| barcode == UNKNOWN) {
        return Err(UsageFault::Combination.error(format!(
            "a barcode has the name `{UNKNOWN}`, which is that of the other reads; give it another name"
        )));
    }
    let name = Some(name.to_owned());
    let names = barcodes.iter().map(String::as_str).chain([UNKNOWN]);
    Ok(names.filter_map(|barcode| replaced(&name, &[("{name}", barcode)])).collect())
}

impl SplitFiles {
    /// Opens the files, for reads in a format.
    pub fn open(paths: &[PathBuf], format: Format) -> Result<Self> {
        let paths: Vec<Option<PathBuf>> = paths.iter().cloned().map(Some).collect();
        let files = Files::open(&paths, LEVEL, format)?;
        let forms = files.forms(false);
        Ok(Self { files, forms, format })
    }

    /// Refuses reads of another format than those before.
    pub fn check(&self, format: Format) -> Result<()> {
        if format == self.format {
            return Ok(());
        }
        Err(UsageFault::Combination.error("--split takes reads of one format; give FASTQ files or FASTA files"))
    }

    /// Adds the reads of a part: a read without a barcode, and an ambiguous one, to the last file.
    pub fn add(&mut self, part: &Part, nearest: &[Option<Nearest>]) -> Result<()> {
        let mut texts: Vec<Vec<u8>> = vec![Vec::new(); self.forms.len()];
        let last = self.forms.len() - 1;
        for (record, nearest) in part.records.iter().zip(nearest) {
            let file = nearest.as_ref().filter(|nearest| nearest.is_assigned()).map_or(last, |nearest| nearest.barcode);
            let symbols = &part.symbols[record.range.clone()];
            let (form, text) = (&self.forms[file], &mut texts[file]);
            match record.fastq.as_deref() {
                Some(fastq) => form.add(&fastq.header, symbols, Some(&fastq.quality), text),
                None => form.add(record.name.as_deref().unwrap_or_default().as_bytes(), symbols, None, text),
            }
        }
        let forms = &self.forms;
        let texts: Vec<(usize, Vec<u8>)> = texts.into_iter().enumerate().filter(|(_, text)| !text.is_empty()).collect();
        let output = |(file, text): (usize, Vec<u8>)| Output::new(file, text, &forms[file], LEVEL);
        let outputs = texts.into_par_iter().map(output).collect();
        self.files.write(outputs)
    }

    /// Completes the files.
    pub fn finish(self) -> Result<()> {
        self.files.finish()
    }
}
