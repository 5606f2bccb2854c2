//! The work on a block of reads: trimming, formatting, compression.

use super::routes::{Pair, Routes};
use crate::shared::read_files::{Form, Output};
use carrywave::error::{InputFault, UsageFault};
use carrywave::io::sequence::ReadBlock;
use carrywave::text::Read;
use carrywave::trim::{Counts, Fate, Trimmer, Worker};
use carrywave::{Error, Result};

/// Reads, or pairs of reads.
pub struct Block {
    pub first: ReadBlock,
    /// The second reads of the pairs.
    pub second: Option<ReadBlock>,
    /// True if the first block has pairs, first and second reads in turn.
    pub is_interleaved: bool,
}

/// Results of a block.
pub struct Done {
    pub outputs: Vec<Output>,
    pub counts: Counts,
    /// Bytes of the block.
    pub size: u64,
}

/// Settings that all blocks share.
pub struct Work {
    pub trimmer: Trimmer,
    routes: Routes,
    forms: Vec<Form>,
    level: u32,
    /// True if headers are written by a template.
    renames: bool,
}

impl Work {
    pub fn new(trimmer: Trimmer, routes: Routes, forms: Vec<Form>, level: u32) -> Self {
        let renames = trimmer.settings().headers.template.is_some();
        Self { trimmer, routes, forms, level, renames }
    }

    /// Trims a block.
    pub fn trim(&self, block: &Block) -> Result<Done> {
        let mut worker = self.trimmer.worker();
        let mut texts: Vec<Vec<u8>> = vec![Vec::new(); self.forms.len()];
        let mut size = block.first.size();
        if let [only] = &mut texts[..] {
            // Reads hardly become longer.
            only.reserve(size);
        }
        if let Some(second) = &block.second {
            size += second.size();
            let pairs = block.first.reads().zip(second.reads());
            for (first, second) in pairs {
                self.trim_pair(&mut worker, [first?, second?], &mut texts)?;
            }
        } else if block.is_interleaved {
            let mut reads = block.first.reads();
            while let Some(first) = reads.next() {
                let first = first?;
                let second = reads.next().ok_or_else(|| {
                    names_differ("the last read has no second read; interleaved pairs need as many of both".into())
                })?;
                self.trim_pair(&mut worker, [first, second?], &mut texts)?;
            }
        } else {
            for read in block.first.reads() {
                let (read, fate) = worker.trim(read?);
                if let Some(pair) = self.routes.of(&fate) {
                    self.add(&read, pair[0], &mut texts);
                }
            }
        }
        Ok(Done { outputs: self.outputs(texts), counts: worker.into_counts(), size: size as u64 })
    }

    fn trim_pair(&self, worker: &mut Worker<'_>, pair: [Read<'_>; 2], texts: &mut [Vec<u8>]) -> Result<()> {
        if !have_one_name(&pair[0].name, &pair[1].name) {
            let [first, second] = pair.map(|read| String::from_utf8_lossy(&read.name).into_owned());
            return Err(names_differ(format!(
                "the reads `{first}` and `{second}` are no pair, as their names differ; sort both files alike"
            )));
        }
        let (reads, fate): (_, Fate) = worker.trim_pair(pair);
        if self.renames && !have_one_name(&reads[0].name, &reads[1].name) {
            let [first, second] = reads.map(|read| String::from_utf8_lossy(&read.name).into_owned());
            return Err(UsageFault::Mismatch.error(format!(
                "--rename makes the headers `{first}` and `{second}`, which name no pair; begin it with {{id}}"
            )));
        }
        if let Some(files) = self.routes.of(&fate) {
            let files: Pair = files;
            for (read, file) in reads.iter().zip(files) {
                self.add(read, file, texts);
            }
        }
        Ok(())
    }

    /// Adds a read to the text of a file.
    fn add(&self, read: &Read<'_>, file: usize, texts: &mut [Vec<u8>]) {
        self.forms[file].add(&read.name, &read.symbols, read.qualities.as_deref(), &mut texts[file]);
    }

    /// Returns the outputs of the texts.
    fn outputs(&self, texts: Vec<Vec<u8>>) -> Vec<Output> {
        let texts = texts.into_iter().enumerate().filter(|(_, text)| !text.is_empty());
        texts.map(|(file, text)| Output::new(file, text, &self.forms[file], self.level)).collect()
    }
}

fn names_differ(reason: String) -> Error {
    Error::Input { path: "the pairs of reads".into(), fault: InputFault::Malformed, reason }
}

/// Returns true if two headers name one pair: they are equal up to the first blank, apart from a
/// last 1, 2 or 3.
fn have_one_name(first: &[u8], second: &[u8]) -> bool {
    fn id(header: &[u8]) -> &[u8] {
        header.split(|byte| matches!(byte, b' ' | b'\t')).next().unwrap_or_default()
    }
    let first = id(first);
    let second = id(second);
    let without_mate = |id: &[u8]| matches!(id.last(), Some(b'1'..=b'3'));
    first == second
        || first.len() == second.len()
            && without_mate(first)
            && without_mate(second)
            && first[..first.len() - 1] == second[..second.len() - 1]
}
