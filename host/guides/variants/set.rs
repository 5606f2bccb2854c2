//! The variants of a file.

use super::allele::Allele;
use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The variants of a VCF file: substitutions, insertions and deletions whose bases the file has.
/// Memory: about 200 bytes for each alternative allele, and 4 bytes for each haplotype of a sample
/// that has it.
///
/// ```
/// # #[cfg(feature = "io")] {
/// use carrywave::guides::{Guides, Pam, Variants};
/// use carrywave::io::sequence::{PartOptions, PartReader};
///
/// let vcf = "##fileformat=VCFv4.4\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\n\
///     chr1\t24\t.\tA\tG,<DEL>\t.\t.\t.\nchr2\t1\t.\tC\tT\t.\t.\t.\n";
/// let options = PartOptions::default().lines(true);
/// let lines = PartReader::from_reader("my.vcf", vcf.as_bytes(), options)?;
/// let variants = std::sync::Arc::new(Variants::read("my.vcf", lines)?);
/// assert_eq!((variants.len(), variants.symbolic(), variants.absent()), (2, 1, 0));
/// assert!(!variants.is_empty() && variants.excerpt(24, 27).is_empty());
///
/// // The variant makes the PAM.
/// let genome = &b">chr1\nttACGTACGTACGTACGTACGTAAGtt\n"[..];
/// let genome = PartReader::from_reader("a genome", genome, PartOptions::default())?;
/// let guides = Guides::new(["ACGTACGTACGTACGTACGT"], Pam::named("NGG")?).prepare()?;
/// let mut sites = guides.stream_with_variants(genome, variants.clone());
/// let site = sites.next().unwrap()?;
/// assert_eq!((site.start, site.end, site.variants), (2, 25, vec!["chr1:24:A>G".to_string()]));
/// assert!(sites.next().is_none());
/// assert_eq!(sites.limited(), 0);
/// assert_eq!(variants.unused().collect::<Vec<_>>(), ["chr2"]);
/// # }
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug)]
pub struct Variants {
    /// The file, for errors.
    pub(super) path: PathBuf,
    pub(super) records: Vec<RecordVariants>,
    /// Indices of the records by name.
    pub(super) numbers: Arc<HashMap<String, usize>>,
    pub(super) symbolic: u64,
    pub(super) absent: u64,
    /// Length of the record, if the text is a part of it.
    pub(super) record_len: Option<u64>,
}

/// The alternative alleles of a record, ordered by position.
#[derive(Debug)]
pub(super) struct RecordVariants {
    pub name: Arc<str>,
    pub alleles: Vec<Allele>,
    /// True if a text had the record.
    pub is_used: Arc<AtomicBool>,
}

impl Variants {
    /// Returns the number of alternative alleles. As in the [example](Self).
    pub fn len(&self) -> usize {
        self.records.iter().map(|record| record.alleles.len()).sum()
    }

    /// Returns true if there is no alternative allele. As in the [example](Self).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the number of alternative alleles that were skipped, because the file does not have
    /// their bases: symbols such as `<DEL>`, `*`, and breakends. As in the [example](Self).
    pub fn symbolic(&self) -> u64 {
        self.symbolic
    }

    /// Returns the number of alternative alleles that were skipped, because the file has genotypes
    /// and no sample has the allele. As in the [example](Self).
    pub fn absent(&self) -> u64 {
        self.absent
    }

    /// Returns the variants of a text that is a part of its record, from position `start` on,
    /// 0-based. Variants outside the part are ignored; `record_len` is the length of the record. As
    /// in the [example](Self).
    pub fn excerpt(&self, start: u64, record_len: u64) -> Self {
        let moved = |allele: &Allele| Some(allele.clone().at(allele.position.checked_sub(start)?));
        let record = |record: &RecordVariants| RecordVariants {
            name: record.name.clone(),
            alleles: record.alleles.iter().filter_map(moved).collect(),
            is_used: record.is_used.clone(),
        };
        let records = self.records.iter().map(record).collect();
        let (path, numbers) = (self.path.clone(), self.numbers.clone());
        Self { path, records, numbers, record_len: Some(record_len), ..*self }
    }

    /// Returns the names of records that no searched text had, in the order of the file. As in the
    /// [example](Self).
    pub fn unused(&self) -> impl Iterator<Item = &str> {
        let unused = self.records.iter().filter(|record| !record.is_used.load(Ordering::Relaxed));
        unused.map(|record| &*record.name)
    }
}
