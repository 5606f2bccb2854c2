//! `--split`: a file of reads for each barcode.

use crate::shared::file_names::{UNKNOWN, check_file_name, check_names, replaced};
use crate::shared::read_files::{Files, Form, Output};
use carrywave::Result;
use carrywave::barcodes::Nearest;
use carrywave::error::UsageFault;
use carrywave::io::sequence::Format;
use carrywave::text::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Level of compression, 1 to 12.
const LEVEL: u32 = 1;

/// The files, one for each barcode and one for the other reads.
pub struct SplitFiles {
    files: Files,
    forms: Arc<[Form]>,
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
        let forms = files.forms(false).into();
        Ok(Self { files, forms, format })
    }

    /// Refuses reads of another format than those before.
    pub fn check(&self, format: Format) -> Result<()> {
        if format == self.format {
            return Ok(());
        }
        Err(UsageFault::Combination.error("--split takes reads of one format; give FASTQ files or FASTA files"))
    }

    /// Returns the forms of the files.
    pub fn forms(&self) -> Arc<[Form]> {
        Arc::clone(&self.forms)
    }

    /// Writes the outputs of a block.
    pub fn write(&mut self, outputs: Vec<Output>) -> Result<()> {
        self.files.write(outputs)
    }

    /// Completes the files.
    pub fn finish(self) -> Result<()> {
        self.files.finish()
    }
}

/// The reads of a block for each file, as text.
pub struct Texts {
    forms: Arc<[Form]>,
    texts: Vec<Vec<u8>>,
}

impl Texts {
    pub fn new(forms: &Arc<[Form]>) -> Self {
        Self { forms: Arc::clone(forms), texts: vec![Vec::new(); forms.len()] }
    }

    /// Adds a read: one without a barcode, and an ambiguous one, to the last file.
    pub fn add(&mut self, read: &Read<'_>, nearest: Option<&Nearest>) {
        let last = self.forms.len() - 1;
        let file = nearest.filter(|nearest| nearest.is_assigned()).map_or(last, |nearest| nearest.barcode);
        self.forms[file].add(&read.name, &read.symbols, read.qualities.as_deref(), &mut self.texts[file]);
    }

    /// Returns the outputs of the files that have reads.
    pub fn outputs(self) -> Vec<Output> {
        let texts = self.texts.into_iter().enumerate().filter(|(_, text)| !text.is_empty());
        texts.map(|(file, text)| Output::new(file, text, &self.forms[file], LEVEL)).collect()
    }
}
