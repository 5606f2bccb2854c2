//! Interpretation of an LCS length: the identity, and the expected length for random strings.

use carrywave::io::output::Visible;
use carrywave::io::sequence::{Kind, Sequence};
use carrywave::lcs::{Expected, expected_length};
use carrywave::text::Strand;
use indicatif::HumanCount;

/// An LCS length, with the figures to compare it with.
pub struct Meaning {
    length: u64,
    lengths: [u64; 2],
    pub expected: Expected,
}

impl Meaning {
    /// Estimates the LCS length of random strings with the lengths and symbol frequencies of `a`
    /// and `b`.
    pub fn new(length: u64, a: &[u8], b: &[u8]) -> Self {
        Self { length, lengths: [a, b].map(|string| string.len() as u64), expected: expected_length(a, b) }
    }

    /// Returns a length in percent of the longer string, or `None` for two empty strings. For the
    /// LCS length, this percentage is the identity.
    fn share(&self, length: f64) -> Option<f64> {
        let [m, n] = self.lengths;
        (m.max(n) > 0).then(|| 100.0 * length / m.max(n) as f64)
    }

    /// Returns the interpretation in one line.
    pub fn line(&self) -> String {
        let expected = self.expected.length;
        match self.share(self.length as f64).zip(self.share(expected)) {
            None => "both strings are empty".into(),
            Some((share, random)) => format!(
                "the LCS is {share:.2} % of the longer string; for random strings with these lengths and symbol \
                 frequencies, the expected LCS has {} symbols, {random:.2} %",
                rounded(expected)
            ),
        }
    }

    /// Returns one named line per number. `strings` are A and B as given.
    pub fn summary(&self, strings: [&Sequence; 2], strand: Strand) -> String {
        let strand = if strand == Strand::Reverse { ", reverse strand" } else { "" };
        let string = |sequence: &Sequence| {
            let len = sequence.symbols.len() as u64;
            let name = Visible(&sequence.name);
            let unit = if len == 1 { unit(sequence.kind).trim_end_matches('s') } else { unit(sequence.kind) };
            format!("{name}: {} {unit}", HumanCount(len))
        };
        let [a, b] = strings.map(string);
        let percent = |share: Option<f64>| share.map_or("none".to_owned(), |share| format!("{share:.2} %"));
        let identity = self.share(self.length as f64);
        let random = self.share(self.expected.length);
        let length = HumanCount(self.length);
        let expected = rounded(self.expected.length);
        let error = self.expected.standard_error;
        let excess = self.length as f64 - self.expected.length;
        let more = if excess < 0.0 { "fewer" } else { "more" };
        // Greatest possible excess: the length of the shorter string minus the expected LCS length.
        let room = self.lengths[0].min(self.lengths[1]) as f64 - self.expected.length;
        let of_room = if room >= 0.5 && excess > 0.0 {
            format!(", {:.1} % of the possible excess", 100.0 * excess / room)
        } else {
            String::new()
        };
        format!(
            "A         {a}\n\
             B         {b}{strand}\n\
             LCS       {length} symbols\n\
             identity  {} (LCS over the longer string)\n\
             expected  {expected} symbols, {} (random strings of these lengths and symbol frequencies; standard error {error:.1})\n\
             excess    {} symbols {more} than expected{of_room}\n",
            percent(identity),
            percent(random),
            rounded(excess.abs()),
        )
    }
}

/// Formats a length as a whole number, or with one decimal below 1,000.
fn rounded(length: f64) -> String {
    if length < 1000.0 { format!("{length:.1}") } else { HumanCount(length.round() as u64).to_string() }
}

fn unit(kind: Kind) -> &'static str {
    match kind {
        Kind::Nucleotide => "bases",
        Kind::Protein => "residues",
        Kind::Bytes => "bytes",
        Kind::Characters => "characters",
    }
}
