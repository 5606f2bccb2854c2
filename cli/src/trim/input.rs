//! The reads, alone or in pairs, in blocks.

use super::arguments::Arguments;
use super::block::Block;
use carrywave::error::InputFault;
use carrywave::io::sequence::{Format, ReadBlocks};
use carrywave::{Error, Result};
use std::path::{Path, PathBuf};

/// Bytes of a block.
const SIZE: usize = 1 << 20;

/// The input files.
pub struct Input {
    first: ReadBlocks,
    second: Option<ReadBlocks>,
    /// Name of the second file.
    second_path: PathBuf,
    is_interleaved: bool,
}

impl Input {
    /// Opens the files.
    pub fn open(arguments: &Arguments) -> Result<Self> {
        let first = ReadBlocks::open(&arguments.inputs[0])?;
        let second = arguments.inputs.get(1).map(ReadBlocks::open).transpose()?;
        let second_path = PathBuf::from(arguments.inputs.last().cloned().unwrap_or_default());
        if let Some(second) = &second
            && second.format() != first.format()
        {
            let reason = "the first reads have another format; give two files of FASTA, or two of FASTQ".into();
            return Err(Error::Input { path: second_path, fault: InputFault::Malformed, reason });
        }
        let is_interleaved = arguments.interleaved && second.is_none();
        Ok(Self { first, second, second_path, is_interleaved })
    }

    /// Returns the format of the reads.
    pub fn format(&self) -> Format {
        self.first.format()
    }

    /// Returns true if the first read has its name again after the `+`.
    pub fn repeats_names(&self) -> bool {
        self.first.repeats_names()
    }

    /// Returns the bytes of all files, if known.
    pub fn bytes(&self) -> Option<u64> {
        let second = self.second.as_ref().map_or(Some(0), ReadBlocks::bytes);
        Some(self.first.bytes()?.saturating_add(second?))
    }

    /// Returns the next block.
    pub fn next_block(&mut self) -> Result<Option<Block>> {
        let multiple = if self.is_interleaved { 2 } else { 1 };
        let first = self.first.next_block(SIZE, multiple)?;
        let Some(blocks) = &mut self.second else {
            return Ok(first.map(|first| Block { first, second: None, is_interleaved: self.is_interleaved }));
        };
        let Some(first) = first else {
            return match blocks.next_reads(1)? {
                None => Ok(None),
                Some(_) => Err(unequal(&self.second_path, "more")),
            };
        };
        match blocks.next_reads(first.count())? {
            Some(second) if second.count() == first.count() => {
                Ok(Some(Block { first, second: Some(second), is_interleaved: false }))
            }
            _ => Err(unequal(&self.second_path, "fewer")),
        }
    }
}

fn unequal(path: &Path, relation: &str) -> Error {
    let reason = format!("the file has {relation} reads than the file of first reads; pairs need as many of both");
    Error::Input { path: path.into(), fault: InputFault::CutShort, reason }
}
