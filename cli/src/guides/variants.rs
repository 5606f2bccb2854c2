//! The file of variants.

use crate::shared::notes::{file_name, note};
use crate::shared::parts::{Part, during};
use carrywave::Result;
use carrywave::guides::Variants;
use carrywave::io::sequence::{Excerpt, PartOptions, PartReader};
use std::path::Path;
use std::sync::Arc;

/// Bytes of the file that are read at a time.
const PART: usize = 4 << 20;

/// Largest number of records that a note names.
const NAMED: usize = 5;

/// The variants of a file.
pub struct GivenVariants {
    /// The file, for notes.
    file: String,
    variants: Arc<Variants>,
    /// Number of variants that begin more combinations than are searched.
    pub limited: u64,
}

impl GivenVariants {
    pub fn read(path: &Path) -> Result<Self> {
        let variants = during(Part::Read, || {
            let reader = PartReader::open(path, PartOptions::default().lines(true).symbols(PART))?;
            Variants::read(path, reader)
        })?;
        Ok(Self { file: file_name(path.as_os_str()), variants: Arc::new(variants), limited: 0 })
    }

    /// Returns the variants of a text that may be a part of a record.
    pub fn of(&self, excerpt: Option<Excerpt>) -> Arc<Variants> {
        match excerpt {
            Some(Excerpt { start, record_len, .. }) => Arc::new(self.variants.excerpt(start, record_len)),
            None => self.variants.clone(),
        }
    }

    /// Prints what was left out.
    pub fn notes(&self) {
        let Self { file, variants, limited } = self;
        if variants.symbolic() > 0 {
            let count = counted(variants.symbolic(), "alternative allele");
            note(&format!("{file}: skipped {count} without bases, such as <DEL>, * and breakends"));
        }
        if variants.absent() > 0 {
            note(&format!("{file}: skipped {} that no sample has", counted(variants.absent(), "alternative allele")));
        }
        let unused: Vec<&str> = variants.unused().collect();
        if !unused.is_empty() {
            let names = unused[..unused.len().min(NAMED)].join(", ");
            let more = if unused.len() > NAMED { ", …" } else { "" };
            let count = counted(unused.len() as u64, "record");
            note(&format!("{file}: skipped the variants of {count} that the genome does not have: {names}{more}"));
        }
        if *limited > 0 {
            let count = counted(*limited, "variant");
            note(&format!(
                "{file}: {count} can be combined with later ones in more than 1024 ways; those with the fewest variants are searched"
            ));
        }
    }
}

/// Returns a number with its noun.
fn counted(count: u64, noun: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {noun}{plural}")
}
