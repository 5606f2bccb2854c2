//! `--strand`: chooses the strand of B that is compared with A.

use super::arguments::StrandArgument;
use crate::shared::notes::note;
use carrywave::error::UsageFault;
use carrywave::io::sequence::{Kind, Sequence};
use carrywave::text::Strand;
use carrywave::text::{StrandEstimate, estimate_strand, reverse_complement};
use carrywave::{Error, Result};
use indicatif::HumanCount;

/// Cells of a pair up to which `auto` compares both strands instead of estimating: a tenth of a millisecond.
const CHEAP: u64 = 1 << 24;
/// Cells up to which it compares both if the estimate tells nothing: a tenth of a second.
const AFFORDABLE: u64 = 1 << 34;

/// What `auto` does about a pair of nucleotide strings.
pub enum Decision {
    /// It compares this strand.
    One(Strand, StrandEstimate),
    /// It compares both, and takes the longer LCS: the strings are short, or the estimate tells nothing.
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

/// The strand of B that is compared, and what is known of it.
pub struct ChosenStrand {
    pub strand: Strand,
    /// B's reverse complement, if that is the strand.
    pub turned: Option<Sequence>,
    /// The length of the LCS, if it took that to choose.
    pub length: Option<u64>,
}

impl ChosenStrand {
    /// B as it is.
    pub const FORWARD: Self = Self { strand: Strand::Forward, turned: None, length: None };
}

/// Chooses the strand of B, by comparing both if it has to be; of `auto` it says on stderr which it took, and why.
pub fn choose_strand(
    asked: StrandArgument,
    a: &Sequence,
    b: &Sequence,
    length: impl Fn(&[u8]) -> Result<u64>,
) -> Result<ChosenStrand> {
    let turned = || Ok::<_, Error>(Sequence::new(b.name.clone(), turned(&a.symbols, &b.symbols)?, b.kind));
    match asked {
        StrandArgument::Forward => Ok(ChosenStrand::FORWARD),
        StrandArgument::Reverse => {
            refuse_others([("A", a), ("B", b)])?;
            Ok(ChosenStrand { strand: Strand::Reverse, turned: Some(turned()?), length: None })
        }
        StrandArgument::Auto if ![a, b].into_iter().all(is_nucleotides) => {
            log::info!("--strand auto: B as it is, since only nucleotides have two strands");
            Ok(ChosenStrand::FORWARD)
        }
        StrandArgument::Auto => match Decision::about(&a.symbols, &b.symbols) {
            Decision::One(strand, estimate) => {
                note(&format!("--strand auto: {}", because(strand, &estimate)));
                let turned = (strand == Strand::Reverse).then(turned).transpose()?;
                Ok(ChosenStrand { strand, turned, length: None })
            }
            Decision::Both(estimate) => {
                let turned = turned()?;
                let forward = length(&b.symbols)?;
                let reverse = length(&turned.symbols)?;
                let strand = longer(forward, reverse);
                let why = match estimate {
                    Some(estimate) => format!("k-mers do not tell ({}), so both were compared", counts(&estimate)),
                    None => "the strings are short, so both were compared".to_owned(),
                };
                note(&format!(
                    "--strand auto: the {} strand of B; {why}: the LCS has {} symbols with the forward strand and {} with the reverse one",
                    strand.name(),
                    HumanCount(forward),
                    HumanCount(reverse),
                ));
                let turned = (strand == Strand::Reverse).then_some(turned);
                Ok(ChosenStrand { strand, turned, length: Some(forward.max(reverse)) })
            }
        },
    }
}

/// The strand with the longer LCS: forward, if both are equally long.
pub fn longer(forward: u64, reverse: u64) -> Strand {
    if reverse > forward { Strand::Reverse } else { Strand::Forward }
}

/// The reverse complement of B, with U for T if both strings are RNA.
fn turned(a: &[u8], b: &[u8]) -> Result<Vec<u8>> {
    let mut turned = reverse_complement(b)?;
    // Of DNA and RNA U has become T already.
    if has_uracil(a) || has_uracil(b) {
        to_uracil(&mut turned);
    }
    Ok(turned)
}

/// Whether there is a U.
pub fn has_uracil(symbols: &[u8]) -> bool {
    memchr::memchr2(b'U', b'u', symbols).is_some()
}

/// Makes each T a U, in its case.
pub fn to_uracil(symbols: &mut [u8]) {
    for symbol in symbols.iter_mut().filter(|symbol| symbol.eq_ignore_ascii_case(&b'T')) {
        *symbol ^= b'T' ^ b'U';
    }
}

/// Refuses the reverse strand of what is not nucleotides.
fn refuse_others(strings: [(&str, &Sequence); 2]) -> Result<()> {
    match strings.iter().find(|(_, string)| !is_nucleotides(string)) {
        None => Ok(()),
        Some((letter, string)) => {
            let what = match string.kind {
                Kind::Protein => "is taken for a protein",
                _ => "has other symbols than A C G T U N and is no FASTA or FASTQ record",
            };
            Err(not_nucleotides(&format!("{letter} {what}")))
        }
    }
}

/// That only nucleotides have two strands.
pub fn not_nucleotides(what: &str) -> Error {
    UsageFault::Combination
        .error(format!("--strand reverse compares reverse complements, which only nucleotides have, and {what}"))
}

/// Whether a string has two strands: a record of nucleotides, or bytes that are all A, C, G, T, U or N.
fn is_nucleotides(string: &Sequence) -> bool {
    match string.kind {
        Kind::Nucleotide => true,
        Kind::Bytes => string.symbols.iter().all(|symbol| b"ACGTUN".contains(&symbol.to_ascii_uppercase())),
        Kind::Protein | Kind::Characters => false,
    }
}

/// Which strand an estimate led to, and why.
fn because(strand: Strand, estimate: &StrandEstimate) -> String {
    let strand = strand.name();
    let counts = counts(estimate);
    match estimate.strand() {
        Some(_) => format!("the {strand} strand of B, by the k-mers that it shares with A: {counts}"),
        None => format!(
            "the {strand} strand of B, though k-mers do not tell which is like A ({counts}), since to compare both would take long; \
             --strand reverse compares the other one"
        ),
    }
}

fn counts(estimate: &StrandEstimate) -> String {
    let &StrandEstimate { k, sampled, forward, reverse, .. } = estimate;
    let [sampled, forward, reverse] = [sampled, forward, reverse].map(HumanCount);
    format!("of {sampled} sampled {k}-mers {forward} occur on the forward strand and {reverse} on the reverse one")
}
