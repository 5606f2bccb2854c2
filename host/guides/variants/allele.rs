//! An alternative allele of a VCF file.

use std::ops::Range;

/// An alternative allele, and the bases of the reference that it replaces.
#[derive(Debug, Clone)]
pub(super) struct Allele {
    /// POS as the file has it, 1-based.
    pub pos: u64,
    /// Number of the line, 1-based.
    pub line: u64,
    /// REF and ALT as the file has them.
    pub reference: Box<[u8]>,
    pub alternative: Box<[u8]>,
    /// Start of REF in the searched text, 0-based.
    pub position: u64,
    /// Number of bases that REF and ALT share at their start, and then at their end.
    prefix: usize,
    suffix: usize,
    /// The haplotypes that have the allele, ascending; `None` if the file has no genotypes.
    pub carriers: Option<Vec<u32>>,
    /// True if the haplotypes of all genotypes with this allele are known.
    pub is_phased: bool,
}

impl Allele {
    /// Makes an allele without genotypes. `position` is the start of REF, 0-based.
    pub fn new(line: u64, position: u64, reference: &[u8], alternative: &[u8]) -> Self {
        let is_same = |(a, b): &(&u8, &u8)| a.eq_ignore_ascii_case(b);
        let prefix = reference.iter().zip(alternative).take_while(is_same).count();
        let ends = reference[prefix..].iter().rev().zip(alternative[prefix..].iter().rev());
        let suffix = ends.take_while(is_same).count();
        Self {
            pos: position.saturating_add(1),
            line,
            reference: reference.into(),
            alternative: alternative.into(),
            position,
            prefix,
            suffix,
            carriers: None,
            is_phased: true,
        }
    }

    /// Moves the allele to a position in the searched text.
    pub fn at(self, position: u64) -> Self {
        Self { position, ..self }
    }

    /// Returns the range of the reference that [`bases`](Self::bases) replace.
    pub fn replaced(&self) -> Range<u64> {
        self.position + self.prefix as u64..self.position + (self.reference.len() - self.suffix) as u64
    }

    /// Returns the bases instead of those of the reference.
    pub fn bases(&self) -> &[u8] {
        &self.alternative[self.prefix..self.alternative.len() - self.suffix]
    }

    /// Returns true if a haplotype has the allele.
    pub fn is_carried_by(&self, haplotype: u32) -> bool {
        self.carriers.as_ref().is_none_or(|carriers| carriers.binary_search(&haplotype).is_ok())
    }

    /// Returns the allele as results name it, such as `chr1:12345:A>G`.
    pub fn shown(&self, record: &str) -> String {
        let text = |bases: &[u8]| String::from_utf8_lossy(bases).into_owned();
        format!("{record}:{}:{}>{}", self.pos, text(&self.reference), text(&self.alternative))
    }
}
