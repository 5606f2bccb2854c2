//! Output files of reads: FASTA or FASTQ, plain or compressed.

use super::output::{open_output, stdout, stdout_error};
use carrywave::error::UsageFault;
use carrywave::io::output::{Bgzf, OutputFile, OutputStream};
use carrywave::io::sequence::Format;
use carrywave::{Error, Result};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Bytes that are compressed together; fewer wait for more.
const PIECE: usize = 0xff00;

/// Form of the reads in a file.
#[derive(Clone, Copy)]
pub struct Form {
    pub is_compressed: bool,
    pub is_fasta: bool,
    /// True if the name is written again after the `+`.
    pub repeats_names: bool,
}

/// Bytes for a file.
pub struct Output {
    /// Number of the file.
    pub file: usize,
    pub bytes: Vec<u8>,
    /// True if the bytes are ready for the file; false if they are to be compressed.
    pub is_ready: bool,
}

/// The files that are being written.
pub struct Files {
    files: Vec<OpenFile>,
    compressor: Bgzf,
}

struct OpenFile {
    path: Option<PathBuf>,
    target: Target,
    form: Form,
    /// Bytes that wait to be compressed.
    waiting: Vec<u8>,
}

enum Target {
    Stdout(BufWriter<io::Stdout>),
    File(Box<OutputStream>),
}

impl Form {
    /// Adds a read to a text in this form. The name is the whole header.
    pub fn add(&self, name: &[u8], symbols: &[u8], qualities: Option<&[u8]>, text: &mut Vec<u8>) {
        match (qualities, self.is_fasta) {
            (Some(qualities), false) => {
                let again = if self.repeats_names { name } else { b"" };
                for part in [b"@", name, b"\n", symbols, b"\n+", again, b"\n", qualities, b"\n"] {
                    text.extend_from_slice(part);
                }
            }
            _ => {
                for part in [b">", name, b"\n", symbols, b"\n"] {
                    text.extend_from_slice(part);
                }
            }
        }
    }
}

impl Output {
    /// Returns the output of a text for a file in a form, compressed where that is worth it before
    /// more comes.
    pub fn new(file: usize, text: Vec<u8>, form: &Form, level: u32) -> Self {
        if !form.is_compressed || text.len() < PIECE {
            return Self { file, bytes: text, is_ready: !form.is_compressed };
        }
        let mut bytes = Vec::with_capacity(text.len() / 2);
        Bgzf::new(level).append(&text, &mut bytes);
        Self { file, bytes, is_ready: true }
    }
}

impl Files {
    /// Opens files; `None` is standard output. A call before the work shows errors in names or
    /// permissions early.
    pub fn open(paths: &[Option<PathBuf>], level: u32, input: Format) -> Result<Self> {
        let mut opened: Vec<Option<OutputFile>> = Vec::new();
        for path in paths {
            opened.push(match path {
                None => {
                    drop(stdout()?);
                    None
                }
                Some(path) => {
                    let file = open_output(path)?;
                    let is_same = opened.iter().flatten().any(|other| file.is_same(other));
                    if is_same && file.descriptor().is_none() && path != Path::new("/dev/null") {
                        return Err(UsageFault::Combination
                            .error(format!("two outputs have the name {}; give them two names", path.display())));
                    }
                    Some(file)
                }
            });
        }
        let mut files = Vec::new();
        for (path, file) in paths.iter().zip(opened) {
            let form = form(path.as_deref(), input)?;
            let target = match file {
                None => Target::Stdout(BufWriter::with_capacity(1 << 16, io::stdout())),
                Some(file) => Target::File(Box::new(file.begin()?)),
            };
            files.push(OpenFile { path: path.clone(), target, form, waiting: Vec::new() });
        }
        Ok(Self { files, compressor: Bgzf::new(level) })
    }

    /// Returns the forms of the files.
    pub fn forms(&self, repeats_names: bool) -> Vec<Form> {
        self.files.iter().map(|file| Form { repeats_names, ..file.form }).collect()
    }

    /// Writes the outputs of a block.
    pub fn write(&mut self, outputs: Vec<Output>) -> Result<()> {
        for output in outputs {
            let file = &mut self.files[output.file];
            if !output.is_ready {
                file.waiting.extend_from_slice(&output.bytes);
                if file.waiting.len() < PIECE {
                    continue;
                }
            }
            file.compress_waiting(&mut self.compressor)?;
            if output.is_ready {
                file.write(&output.bytes)?;
            }
        }
        Ok(())
    }

    /// Completes the files.
    pub fn finish(mut self) -> Result<()> {
        for file in &mut self.files {
            file.compress_waiting(&mut self.compressor)?;
            if file.form.is_compressed {
                file.write(&Bgzf::END)?;
            }
        }
        for file in self.files {
            match file.target {
                Target::Stdout(mut stdout) => stdout.flush().map_err(stdout_error)?,
                Target::File(stream) => stream.finish()?,
            }
        }
        Ok(())
    }
}

impl OpenFile {
    fn compress_waiting(&mut self, compressor: &mut Bgzf) -> Result<()> {
        if self.waiting.is_empty() {
            return Ok(());
        }
        let mut compressed = Vec::new();
        compressor.append(&self.waiting, &mut compressed);
        self.waiting.clear();
        self.write(&compressed)
    }

    fn write(&mut self, bytes: &[u8]) -> Result<()> {
        match &mut self.target {
            Target::Stdout(stdout) => stdout.write_all(bytes).map_err(stdout_error),
            Target::File(stream) => stream
                .write_all(bytes)
                .map_err(|source| Error::Io { path: self.path.clone().unwrap_or_default(), source }),
        }
    }
}

/// Returns the form of a file by its name and the input.
fn form(path: Option<&Path>, input: Format) -> Result<Form> {
    let name = path.map_or(String::new(), |path| path.to_string_lossy().to_ascii_lowercase());
    let plain = name.strip_suffix(".gz");
    let has = |extensions: &[&str]| extensions.iter().any(|end| plain.unwrap_or(&name).ends_with(end));
    let names_fasta = has(&[".fa", ".fasta", ".fna"]);
    if input == Format::Fasta && has(&[".fq", ".fastq"]) {
        return Err(UsageFault::FileName
            .error(format!("{name}: the reads are FASTA and have no qualities; name the file .fasta")));
    }
    Ok(Form { is_compressed: plain.is_some(), is_fasta: input == Format::Fasta || names_fasta, repeats_names: false })
}
