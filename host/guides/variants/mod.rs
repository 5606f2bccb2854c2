//! Variants of a genome, and the sites that only the haplotypes with them have.
//!
//! | file | what |
//! |---|---|
//! | `set` | [`Variants`]: the variants of a file |
//! | `allele` | an alternative allele |
//! | `genotypes` | the haplotypes of samples that have an allele |
//! | `vcf` | the lines of a VCF file |
//! | `windows` | the bases of the genome around the variants |
//! | `place` | the position of a haplotype's base in the genome |
//! | `paths` | the alleles that a haplotype combines |
//! | `haplotype` | the bases of a haplotype, and their positions in the genome |
//! | `selection` | the sites that are reported |
//! | `search` | the search of the haplotypes |
mod allele;
mod genotypes;
mod haplotype;
mod paths;
mod place;
pub(super) mod search;
mod selection;
mod set;
mod vcf;
pub(super) mod windows;

pub use set::Variants;
