//! Reads the lines of a VCF file.

use super::allele::Allele;
use super::genotypes::carriers;
use super::set::{RecordVariants, Variants};
use crate::error::{Error, InputFault, Result};
use crate::text::parts::Parts;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Columns before the samples: up to INFO, and FORMAT.
const FIXED: usize = 8;
const FORMAT: usize = 8;

impl Variants {
    /// Reads a VCF file that comes in parts, one record for each line. `path` names it in errors.
    /// The columns CHROM, POS, REF and ALT are used, and the genotypes (GT) of all samples. As in
    /// the [example](Self).
    ///
    /// # Errors
    /// Errors of reading the file; [`Error::Input`](crate::Error::Input) with
    /// [`Variants`](crate::error::InputFault::Variants) for a line that is no line of VCF, with its
    /// number.
    pub fn read(path: impl AsRef<Path>, mut lines: impl Parts) -> Result<Self> {
        let mut reader = VcfReader::new(path.as_ref());
        let mut open: Vec<u8> = Vec::new();
        while let Some(part) = lines.next_part()? {
            for record in &part.records {
                let symbols = &part.symbols[record.range.clone()];
                let number = record.number.saturating_add(1);
                if record.is_whole && open.is_empty() {
                    reader.line(number, symbols)?;
                    continue;
                }
                open.extend_from_slice(symbols);
                if record.is_whole {
                    reader.line(number, &open)?;
                    open.clear();
                }
            }
            lines.recycle(part.symbols);
        }
        reader.finish()
    }
}

/// The variants of the lines so far.
struct VcfReader {
    path: PathBuf,
    /// Number of columns, from the header.
    columns: Option<usize>,
    /// Indices in `records` by name.
    numbers: HashMap<String, usize>,
    records: Vec<RecordVariants>,
    symbolic: u64,
    absent: u64,
}

impl VcfReader {
    fn new(path: &Path) -> Self {
        let (numbers, records) = (HashMap::new(), Vec::new());
        Self { path: path.into(), columns: None, numbers, records, symbolic: 0, absent: 0 }
    }

    fn wrong(&self, reason: String) -> Error {
        Error::Input { path: self.path.clone(), fault: InputFault::Variants, reason }
    }

    /// Reads a line without its end. `number` is 1-based.
    fn line(&mut self, number: u64, line: &[u8]) -> Result<()> {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if line.is_empty() || line.starts_with(b"##") {
            return Ok(());
        }
        let fields: Vec<&[u8]> = line.split(|&byte| byte == b'\t').collect();
        if line.starts_with(b"#") {
            if !line.starts_with(b"#CHROM\tPOS\tID\tREF\tALT\t") || fields.len() < FIXED {
                let reason = "is no header of VCF; it should begin with #CHROM, POS, ID, REF, ALT, QUAL, FILTER, INFO";
                return Err(self.wrong(format!("line {number} {reason}")));
            }
            self.columns = Some(fields.len());
            return Ok(());
        }
        let Some(columns) = self.columns else {
            let reason = "comes before the header that begins with #CHROM; give a VCF file";
            return Err(self.wrong(format!("line {number} {reason}")));
        };
        if fields.len() != columns {
            let found = fields.len();
            return Err(self.wrong(format!(
                "line {number} has {found} columns, but the header has {columns}; the file may be cut short"
            )));
        }
        self.variant(number, &fields).map_err(|reason| self.wrong(format!("line {number}: {reason}")))
    }

    /// Reads a line of the body.
    fn variant(&mut self, line: u64, fields: &[&[u8]]) -> std::result::Result<(), String> {
        let shown = |field: &[u8]| String::from_utf8_lossy(field).into_owned();
        let [name, pos, reference, alternatives] = [0, 1, 3, 4].map(|column| fields[column]);
        if name.is_empty() {
            return Err("CHROM is empty".into());
        }
        let position = std::str::from_utf8(pos).ok().filter(|pos| pos.bytes().all(|byte| byte.is_ascii_digit()));
        let position = position.and_then(|pos| pos.parse::<u64>().ok()).and_then(|pos| pos.checked_sub(1));
        let position = position.filter(|at| at.checked_add(reference.len() as u64).is_some());
        let Some(position) = position else {
            return Err(format!("POS is `{}`; it should be a number of at least 1", shown(pos)));
        };
        if !is_bases(reference) {
            return Err(format!("REF is `{}`; it should have bases: A, C, G, T or N", shown(reference)));
        }
        let alternatives: Vec<&[u8]> = alternatives.split(|&byte| byte == b',').collect();
        let genotypes = match fields.get(FORMAT) {
            Some(format) if fields.len() > FORMAT + 1 => carriers(format, &fields[FORMAT + 1..], alternatives.len())?,
            _ => None,
        };
        let mut genotypes = genotypes.map(Vec::into_iter);
        for alternative in alternatives {
            let carriers = genotypes.as_mut().and_then(Iterator::next);
            if is_symbolic(alternative) {
                self.symbolic += 1;
                continue;
            }
            if alternative == b"." || alternative.eq_ignore_ascii_case(reference) {
                continue;
            }
            if !is_bases(alternative) {
                return Err(format!("ALT has `{}`; it should have bases: A, C, G, T or N", shown(alternative)));
            }
            let mut allele = Allele::new(line, position, reference, alternative);
            if let Some(carriers) = carriers {
                if carriers.haplotypes.is_empty() {
                    self.absent += 1;
                    continue;
                }
                allele.is_phased = !carriers.is_unphased;
                allele.carriers = Some(carriers.haplotypes);
            }
            self.record(&shown(name)).alleles.push(allele);
        }
        Ok(())
    }

    /// Returns the record with a name.
    fn record(&mut self, name: &str) -> &mut RecordVariants {
        let number = match self.numbers.get(name) {
            Some(&number) => number,
            None => {
                let number = self.records.len();
                self.numbers.insert(name.into(), number);
                let name = name.into();
                self.records.push(RecordVariants { name, alleles: Vec::new(), is_used: Arc::default() });
                number
            }
        };
        &mut self.records[number]
    }

    /// Returns the variants, in order of their positions.
    fn finish(mut self) -> Result<Variants> {
        if self.columns.is_none() {
            return Err(self.wrong("no header that begins with #CHROM; give a VCF file".into()));
        }
        for record in &mut self.records {
            let key = |allele: &Allele| (allele.replaced().start, allele.replaced().end, allele.line);
            record.alleles.sort_by_key(key);
            record.alleles.dedup_by(merge);
        }
        let Self { path, records, numbers, symbolic, absent, .. } = self;
        Ok(Variants { path, records, numbers: Arc::new(numbers), symbolic, absent, record_len: None })
    }
}

/// Joins an allele to an equal one of another line. Returns false if they differ.
fn merge(later: &mut Allele, kept: &mut Allele) -> bool {
    if later.replaced() != kept.replaced() || !later.bases().eq_ignore_ascii_case(kept.bases()) {
        return false;
    }
    kept.is_phased &= later.is_phased;
    kept.carriers = match (kept.carriers.take(), later.carriers.take()) {
        (Some(mut carriers), Some(more)) => {
            carriers.extend(more);
            carriers.sort_unstable();
            carriers.dedup();
            Some(carriers)
        }
        _ => None,
    };
    true
}

/// Returns true for an alternative without bases of its own: a symbol such as `<DEL>`, a deleted
/// allele (`*`), or a breakend.
fn is_symbolic(alternative: &[u8]) -> bool {
    let is_breakend = alternative.len() > 1 && (alternative.starts_with(b".") || alternative.ends_with(b"."));
    is_breakend || alternative == b"*" || alternative.iter().any(|byte| b"<[]".contains(byte))
}

fn is_bases(bases: &[u8]) -> bool {
    !bases.is_empty() && bases.iter().all(|base| b"ACGTN".contains(&base.to_ascii_uppercase()))
}
