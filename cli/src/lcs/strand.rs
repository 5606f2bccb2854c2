//! `--strand`: chooses the strand of B that is compared with A.

use super::arguments::StrandArgument;
use crate::shared::notes::note;
use carrywave::error::UsageFault;
use carrywave::io::sequence::{Kind, Sequence};
use carrywave::text::Strand;
use carrywave::text::{StrandEstimate, estimate_strand, reverse_complement};
use carrywave::{Error, Result};
use indicatif::HumanCount;

/// Up to this number of cells, `auto` compares both strands without an estimate. This takes about
/// 0.1 ms.
const CHEAP: u64 = 1 << 24;
/// Up to this number of cells, `auto` compares both strands if the estimate is not decisive. This
/// takes about 0.1 s.
const AFFORDABLE: u64 = 1 << 34;

/// Decision of `auto` for a pair of nucleotide strings.
pub enum Decision {
    /// Compare this strand.
    One(Strand, StrandEstimate),
    /// Compare both strands and use the longer LCS: the strings are short, or the estimate is not
    /// decisive.
    Both(Option<StrandEstimate>),
}

impl Decision {
    /// Decides by the lengths and, unless the strings are short, by an estimate.
    pub fn about(a: &[u8], b: &[u8]) -> Self {
        let cells = (a.len() as u64).saturating_mul(b.len() as u64);
        if cells <= CHEAP {
            return Self::Both(None);
        }
        let estimate = estimate_strand(a, b);
        match estimate.strand() {
            Some(strand) => Self::One(strand, estimate),
            None if cells <= AFFORDABLE => Self::Both(Some(estimate)),
            None => Self::One(Strand::Forward, estimate),
        }
    }
}

/// The strand of B to compare, and the results of choosing it.
pub struct ChosenStrand {
    pub strand: Strand,
    /// Reverse complement of B if the reverse strand is chosen.
    pub reverse_b: Option<Sequence>,
    /// Length of the LCS if it was computed to choose the strand.
    pub length: Option<u64>,
}

impl ChosenStrand {
    /// B as given.
    pub const FORWARD: Self = Self { strand: Strand::Forward, reverse_b: None, length: None };
}

/// Chooses the strand of B, by comparing both strands if necessary. For `auto`, a note on standard
/// error names the strand and the reason.
pub fn choose_strand(
    asked: StrandArgument,
    a: &Sequence,
    b: &Sequence,
    length: impl Fn(&[u8]) -> Result<u64>,
) -> Result<ChosenStrand> {
    let make_reverse_b =
        || Ok::<_, Error>(Sequence::new(b.name.clone(), reverse_of_b(&a.symbols, &b.symbols)?, b.kind));
    match asked {
        StrandArgument::Forward => Ok(ChosenStrand::FORWARD),
        StrandArgument::Reverse => {
            refuse_others([("A", a), ("B", b)])?;
            Ok(ChosenStrand { strand: Strand::Reverse, reverse_b: Some(make_reverse_b()?), length: None })
        }
        StrandArgument::Auto if ![a, b].into_iter().all(is_nucleotides) => {
            log::info!("--strand auto: the forward strand of B, because only nucleotides have two strands");
            Ok(ChosenStrand::FORWARD)
        }
        StrandArgument::Auto => match Decision::about(&a.symbols, &b.symbols) {
            Decision::One(strand, estimate) => {
                note(&format!("--strand auto: {}", because(strand, &estimate)));
                let reverse_b = (strand == Strand::Reverse).then(make_reverse_b).transpose()?;
                Ok(ChosenStrand { strand, reverse_b, length: None })
            }
            Decision::Both(estimate) => {
                let reverse_b = make_reverse_b()?;
                let forward = length(&b.symbols)?;
                let reverse = length(&reverse_b.symbols)?;
                let strand = longer(forward, reverse);
                let why = match estimate {
                    Some(estimate) => {
                        format!("the k-mers are not decisive ({}), so both were compared", counts(&estimate))
                    }
                    None => "the strings are short, so both were compared".to_owned(),
                };
                note(&format!(
                    "--strand auto: the {} strand of B ({why}); the LCS has {} symbols on the forward strand and {} on \
                     the reverse strand",
                    strand.name(),
                    HumanCount(forward),
                    HumanCount(reverse),
                ));
                let reverse_b = (strand == Strand::Reverse).then_some(reverse_b);
                Ok(ChosenStrand { strand, reverse_b, length: Some(forward.max(reverse)) })
            }
        },
    }
}

/// Returns the strand with the longer LCS, or forward for equal lengths.
pub fn longer(forward: u64, reverse: u64) -> Strand {
    if reverse > forward { Strand::Reverse } else { Strand::Forward }
}

/// Returns the reverse complement of B, with U for T if either string has a U.
fn reverse_of_b(a: &[u8], b: &[u8]) -> Result<Vec<u8>> {
    let mut reverse_b = reverse_complement(b)?;
    // For DNA beside RNA, every U is a T already at this point.
    if has_uracil(a) || has_uracil(b) {
        to_uracil(&mut reverse_b);
    }
    Ok(reverse_b)
}

/// Returns true if a string has a U, in either case.
pub fn has_uracil(symbols: &[u8]) -> bool {
    memchr::memchr2(b'U', b'u', symbols).is_some()
}

/// Replaces each T by a U of the same case.
pub fn to_uracil(symbols: &mut [u8]) {
    for symbol in symbols.iter_mut().filter(|symbol| symbol.eq_ignore_ascii_case(&b'T')) {
        *symbol ^= b'T' ^ b'U';
    }
}

/// Refuses the reverse strand of strings other than nucleotides.
fn refuse_others(strings: [(&str, &Sequence); 2]) -> Result<()> {
    match strings.iter().find(|(_, string)| !is_nucleotides(string)) {
        None => Ok(()),
        Some((letter, string)) => {
            let what = match string.kind {
                Kind::Protein => "is read as a protein",
                _ => "has symbols other than A C G T U N and is not a FASTA or FASTQ record",
            };
            Err(not_nucleotides(&format!("{letter} {what}")))
        }
    }
}

/// Returns the error that only nucleotides have two strands.
pub fn not_nucleotides(what: &str) -> Error {
    UsageFault::Combination
        .error(format!("--strand reverse needs nucleotides, because only they have reverse complements, but {what}"))
}

/// Returns true if a string has two strands: a nucleotide record, or bytes that are all A, C, G, T,
/// U or N.
fn is_nucleotides(string: &Sequence) -> bool {
    match string.kind {
        Kind::Nucleotide => true,
        Kind::Bytes => string.symbols.iter().all(|symbol| b"ACGTUN".contains(&symbol.to_ascii_uppercase())),
        Kind::Protein | Kind::Characters => false,
    }
}

/// Describes the strand that an estimate suggests, and the reason.
fn because(strand: Strand, estimate: &StrandEstimate) -> String {
    let strand = strand.name();
    let counts = counts(estimate);
    match estimate.strand() {
        Some(_) => format!("the {strand} strand of B, because it shares more k-mers with A: {counts}"),
        None => format!(
            "the {strand} strand of B by default: the k-mers are not decisive ({counts}), and comparing both strands \
             would take long; use --strand reverse for the other strand"
        ),
    }
}

fn counts(estimate: &StrandEstimate) -> String {
    let &StrandEstimate { k, sampled, forward, reverse, .. } = estimate;
    let [sampled, forward, reverse] = [sampled, forward, reverse].map(HumanCount);
    format!("of {sampled} sampled {k}-mers, {forward} occur on the forward strand and {reverse} on the reverse strand")
}
