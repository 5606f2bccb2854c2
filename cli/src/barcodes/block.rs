//! The work on a block of reads: assigning and formatting.

use super::arguments::{Format, UmiPlace};
use super::counts::Umis;
use super::output::{add_json, add_row};
use super::split::Texts;
use crate::shared::output::results_error;
use crate::shared::read_files::{Form, Output};
use carrywave::Result;
use carrywave::barcodes::{Nearest, PreparedBarcodes};
use carrywave::io::sequence::ReadBlock;
use carrywave::text::Read;
use std::sync::Arc;

/// Bytes of a row that is neither very short nor very long.
const ROW: usize = 48;

/// The result to make of each read.
#[derive(Clone)]
pub enum Wanted {
    Rows(Format),
    Counts,
    Umis(UmiPlace),
    /// Texts for files of these forms.
    Files(Arc<[Form]>),
}

/// Results of a block.
pub enum Made {
    Text(Vec<u8>),
    Counts(Vec<Option<Nearest>>),
    Umis(Umis),
    Files(Vec<Output>),
}

/// Settings that all blocks share.
pub struct Work {
    pub barcodes: PreparedBarcodes,
    /// The names of the barcodes.
    pub names: Vec<String>,
}

impl Work {
    /// Assigns the reads of a block of a file.
    pub fn assign(&self, block: &ReadBlock, wanted: &Wanted, file: &str) -> Result<Made> {
        match wanted {
            Wanted::Rows(format) => {
                let mut text = Vec::with_capacity(block.count().saturating_mul(ROW));
                self.each(block, |read, nearest| {
                    let nearest = nearest.as_ref();
                    let added = match format {
                        Format::Tsv => add_row(&mut text, &read.name, nearest, &self.names),
                        Format::Json => add_json(&mut text, file, &read.name, nearest, &self.names),
                    };
                    added.map_err(results_error)
                })?;
                Ok(Made::Text(text))
            }
            Wanted::Counts => {
                let mut all = Vec::with_capacity(block.count());
                self.each(block, |_, nearest| {
                    all.push(nearest);
                    Ok(())
                })?;
                Ok(Made::Counts(all))
            }
            Wanted::Umis(place) => {
                let mut umis = Umis::default();
                self.each(block, |read, nearest| {
                    if let Some(nearest) = nearest.filter(Nearest::is_assigned) {
                        umis.add(place, &read.symbols, &nearest);
                    }
                    Ok(())
                })?;
                Ok(Made::Umis(umis))
            }
            Wanted::Files(forms) => {
                let mut texts = Texts::new(forms);
                self.each(block, |read, nearest| {
                    texts.add(read, nearest.as_ref());
                    Ok(())
                })?;
                Ok(Made::Files(texts.outputs()))
            }
        }
    }

    /// Calls a function with each read of a block and its nearest barcode.
    #[inline]
    fn each(&self, block: &ReadBlock, mut take: impl FnMut(&Read<'_>, Option<Nearest>) -> Result<()>) -> Result<()> {
        let mut worker = self.barcodes.worker();
        for read in block.reads() {
            let read = read?;
            let nearest = worker.nearest(&read.symbols)?;
            take(&read, nearest)?;
        }
        Ok(())
    }
}
