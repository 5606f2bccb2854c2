//! Scores of a site: how likely a nuclease cuts there, compared with a perfect site.
//!
//! **CFD** (cutting frequency determination): Doench et al. 2016, Nature Biotechnology 34:184,
//! supplementary table 19. The score is the product of a weight for each mismatch, by its bases and
//! its position, and of a weight for the last two bases of the PAM.
//!
//! **MIT**: Hsu et al. 2013, Nature Biotechnology 31:827. A site has n mismatches, at the positions
//! e, 1 to 20. The mean distance of neighbouring mismatches is d. The score is
//!
//! ```text
//! 100 * product of (1 - M[e]) / (4 (19 - d) / 19 + 1) / n^2
//! ```
//!
//! For one mismatch only the product counts.

use super::site::Site;
use crate::text::complement;

/// Length of the guides that both scores are defined for.
const GUIDE: usize = 20;

/// M: the effect of a mismatch at each position, from the end far from the PAM.
const EFFECTS: [f64; GUIDE] = [
    0.0, 0.0, 0.014, 0.0, 0.0, 0.395, 0.317, 0.0, 0.389, 0.079, 0.445, 0.508, 0.613, 0.851, 0.732, 0.828, 0.615, 0.804,
    0.685, 0.583,
];

/// The pairs of bases that do not match: of the guide, and of the strand that it binds, which is
/// the complement of the site as it is written.
const PAIRS: [[u8; 2]; 12] =
    [*b"AA", *b"AC", *b"AG", *b"CA", *b"CC", *b"CT", *b"GA", *b"GG", *b"GT", *b"TC", *b"TG", *b"TT"];

/// The weight of each of [`PAIRS`] at each position, from the end far from the PAM.
#[rustfmt::skip]
const MISMATCHES: [[f64; GUIDE]; 12] = [
    // rA:dA
    [
        1.0, 0.727272727, 0.705882353, 0.636363636, 0.363636364, 0.714285714, 0.4375,
        0.428571429, 0.6, 0.882352941, 0.307692308, 0.333333333, 0.3, 0.533333333,
        0.2, 0.0, 0.133333333, 0.5, 0.538461538, 0.6,
    ],
    // rA:dC
    [
        1.0, 0.8, 0.611111111, 0.625, 0.72, 0.714285714, 0.705882353,
        0.733333333, 0.666666667, 0.555555556, 0.65, 0.722222222, 0.652173913, 0.466666667,
        0.65, 0.192307692, 0.176470588, 0.4, 0.375, 0.764705882,
    ],
    // rA:dG
    [
        0.857142857, 0.785714286, 0.428571429, 0.352941176, 0.5, 0.454545455, 0.4375,
        0.428571429, 0.571428571, 0.333333333, 0.4, 0.263157895, 0.210526316, 0.214285714,
        0.272727273, 0.0, 0.176470588, 0.19047619, 0.206896552, 0.227272727,
    ],
    // rC:dA
    [
        1.0, 0.909090909, 0.6875, 0.8, 0.636363636, 0.928571429, 0.8125,
        0.875, 0.875, 0.941176471, 0.307692308, 0.538461538, 0.7, 0.733333333,
        0.066666667, 0.307692308, 0.466666667, 0.642857143, 0.461538462, 0.3,
    ],
    // rC:dC
    [
        0.913043478, 0.695652174, 0.5, 0.5, 0.6, 0.5, 0.470588235,
        0.642857143, 0.619047619, 0.388888889, 0.25, 0.444444444, 0.136363636, 0.0,
        0.05, 0.153846154, 0.058823529, 0.133333333, 0.125, 0.058823529,
    ],
    // rC:dT
    [
        1.0, 0.727272727, 0.866666667, 0.842105263, 0.571428571, 0.928571429, 0.75,
        0.65, 0.857142857, 0.866666667, 0.75, 0.714285714, 0.384615385, 0.35,
        0.222222222, 1.0, 0.466666667, 0.538461538, 0.428571429, 0.5,
    ],
    // rG:dA
    [
        1.0, 0.636363636, 0.5, 0.363636364, 0.3, 0.666666667, 0.571428571,
        0.625, 0.533333333, 0.8125, 0.384615385, 0.384615385, 0.3, 0.266666667,
        0.142857143, 0.0, 0.25, 0.666666667, 0.666666667, 0.7,
    ],
    // rG:dG
    [
        0.714285714, 0.692307692, 0.384615385, 0.529411765, 0.785714286, 0.681818182, 0.6875,
        0.615384615, 0.538461538, 0.4, 0.428571429, 0.529411765, 0.421052632, 0.428571429,
        0.272727273, 0.0, 0.235294118, 0.476190476, 0.448275862, 0.428571429,
    ],
    // rG:dT
    [
        0.9, 0.846153846, 0.75, 0.9, 0.866666667, 1.0, 1.0,
        1.0, 0.642857143, 0.933333333, 1.0, 0.933333333, 0.923076923, 0.75,
        0.941176471, 1.0, 0.933333333, 0.692307692, 0.714285714, 0.9375,
    ],
    // rU:dC
    [
        0.956521739, 0.84, 0.5, 0.625, 0.64, 0.571428571, 0.588235294,
        0.733333333, 0.619047619, 0.5, 0.4, 0.5, 0.260869565, 0.0,
        0.05, 0.346153846, 0.117647059, 0.333333333, 0.25, 0.176470588,
    ],
    // rU:dG
    [
        0.857142857, 0.857142857, 0.428571429, 0.647058824, 1.0, 0.909090909, 0.6875,
        1.0, 0.923076923, 0.533333333, 0.666666667, 0.947368421, 0.789473684, 0.285714286,
        0.272727273, 0.666666667, 0.705882353, 0.428571429, 0.275862069, 0.090909091,
    ],
    // rU:dT
    [
        1.0, 0.846153846, 0.714285714, 0.476190476, 0.5, 0.866666667, 0.875,
        0.8, 0.928571429, 0.857142857, 0.75, 0.8, 0.692307692, 0.619047619,
        0.578947368, 0.909090909, 0.533333333, 0.666666667, 0.285714286, 0.5625,
    ],
];

/// The weights of the last two bases of the PAM. The others have the weight 0.
const PAMS: [([u8; 2], f64); 7] = [
    (*b"AG", 0.259259259),
    (*b"CG", 0.107142857),
    (*b"GA", 0.069444444),
    (*b"GC", 0.022222222),
    (*b"GG", 1.0),
    (*b"GT", 0.016129032),
    (*b"TG", 0.038961039),
];

/// A guide of 20 bases, its site without bulges, and the last two bases of the PAM.
struct Pair<'s> {
    guide: &'s [u8],
    site: &'s [u8],
    pam: [u8; 2],
}

impl<'s> Pair<'s> {
    /// Returns the guide and the site in upper case, if both scores are defined for them.
    fn of(guide: &'s [u8], site: &'s [u8], pam: &[u8]) -> Option<Self> {
        let &[_, first, second] = pam else { return None };
        let is_base = |base: &u8| b"ACGTU".contains(&base.to_ascii_uppercase());
        let has_bases = [guide, site, &pam[1..]].into_iter().all(|bases| bases.iter().all(is_base));
        let is_defined = guide.len() == GUIDE && site.len() == GUIDE && has_bases;
        is_defined.then_some(Self { guide, site, pam: [dna(first), dna(second)] })
    }

    /// Returns the positions of the mismatches, 0-based, each with the bases of [`PAIRS`].
    fn mismatches(&self) -> impl Iterator<Item = (usize, [u8; 2])> + '_ {
        let bases = self.guide.iter().zip(self.site).map(|(&guide, &site)| [dna(guide), dna(site)]);
        let differ = bases.enumerate().filter(|(_, [guide, site])| guide != site);
        differ.map(|(at, [guide, site])| (at, [guide, complement(site)]))
    }

    fn cfd(&self) -> f64 {
        let pam = PAMS.iter().find(|(bases, _)| *bases == self.pam).map_or(0.0, |(_, weight)| *weight);
        let weight = |(at, bases)| PAIRS.iter().position(|pair| *pair == bases).map_or(1.0, |row| MISMATCHES[row][at]);
        self.mismatches().map(weight).product::<f64>() * pam
    }

    fn mit(&self) -> f64 {
        let at: Vec<usize> = self.mismatches().map(|(at, _)| at).collect();
        let product: f64 = at.iter().map(|&at| 1.0 - EFFECTS[at]).product();
        let (Some(first), Some(last)) = (at.first(), at.last()) else { return 100.0 };
        if first == last {
            return 100.0 * product;
        }
        let n = at.len() as f64;
        let d = (last - first) as f64 / (n - 1.0);
        100.0 * product / (4.0 * (19.0 - d) / 19.0 + 1.0) / (n * n)
    }
}

/// Returns a base of DNA in upper case.
fn dna(base: u8) -> u8 {
    match base.to_ascii_uppercase() {
        b'U' => b'T',
        base => base,
    }
}

impl Site {
    fn pair(&self) -> Option<Pair<'_>> {
        let split = self.pam.start;
        let [guide, site] = [&self.guide_row, &self.dna_row].map(|row| row.as_bytes());
        Pair::of(&guide[..split], &site[..split], &site[self.pam.clone()])
    }

    /// Returns the CFD score, 0 to 1: 1 for a perfect site beside NGG. `None` unless the guide has
    /// 20 bases, with a PAM of 3 bases after it, and the site has no bulges and no other codes than
    /// those of bases. For bulges, the programs that have a score differ in its definition.
    ///
    /// Source: Doench et al. 2016, Nature Biotechnology 34:184, supplementary table 19.
    ///
    /// ```
    /// use carrywave::guides::{Guides, Pam};
    ///
    /// let guides = Guides::new(["ATGGTCGGACTCCCTGCCAG"], Pam::named("SpCas9")?);
    /// let site = &guides.sites("ATGGTGGGACTCCCTGCCAGAGG")?[0];
    /// assert_eq!(site.cfd(), Some(0.5));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn cfd(&self) -> Option<f64> {
        self.pair().map(|pair| pair.cfd())
    }

    /// Returns the MIT score, 0 to 100: 100 for a perfect site. `None` as for [`cfd`](Self::cfd).
    /// The score does not depend on the PAM.
    ///
    /// Source: Hsu et al. 2013, Nature Biotechnology 31:827.
    ///
    /// ```
    /// use carrywave::guides::{Guides, Pam};
    ///
    /// let guides = Guides::new(["ATGGTCGGACTCCCTGCCAG"], Pam::named("SpCas9")?);
    /// let site = &guides.sites("ATGGTGGGACTCCCTGCCAGAGG")?[0];
    /// assert!((site.mit().unwrap() - 60.5).abs() < 1e-9);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn mit(&self) -> Option<f64> {
        self.pair().map(|pair| pair.mit())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pair<'s>(guide: &'s str, site: &'s str, pam: &str) -> Pair<'s> {
        Pair::of(guide.as_bytes(), site.as_bytes(), pam.as_bytes()).unwrap()
    }

    /// Scores that CRISPOR, CFDscoRe (supplementary table 20) and FlashFry state.
    #[test]
    fn cfd_as_other_programs_state_it() {
        for (guide, site, pam, expected) in [
            ("GGGGGGGGGGGGGGGGGGGG", "GGGGGGGGGGGGGGGGGAAA", "GGG", 0.463_598_900_707),
            ("GGGGGGGGGGGGGGGGGGGG", "aaaaGaGaGGGGGGGGGGGG", "GGG", 0.514_038_461_445),
            ("ATGGTCGGACTCCCTGCCAG", "ATGATCCAAATCCCTGCCAG", "AGG", 0.536_250_000_206),
            ("ATGTGGAGATTGCCACCTAC", "ATCTGGAGATTGCCACCTAC", "AGG", 0.384_615_385),
            ("AGGGGCCGGAGTATTGGGAG", "AGGGGCCCGAGTATTGGGAG", "GGG", 0.615_384_615),
            ("TCCACAGATACCTGAAGAAC", "TCCGCAGATACCTGAAGAAC", "GGG", 0.625),
            ("CTACCTGGAGGGCGAGTGCG", "CTACCTGGAGGGCACGTGCG", "GGG", 0.204_545_455),
            ("CGACGCAAGTGGGAGCAGAG", "AAACACAAGTGGGAGCAGGC", "GGG", 0.117_857_143),
            ("GGCCATCATTGGAGCTGTGG", "AATAGTCACTGGAGCTGTGG", "GGG", 0.293_022_734),
            ("CATTACAAGGCCTACCTGGA", "AGACTCAGGGCCTACCTGGA", "GGG", 0.098_599_44),
            ("GACUUGCAUCCGAAGCCGGU", "GACCTGCATACGAAGCCTTT", "GGG", 0.249_237_473),
            ("ATCGATGCTGATGCTAGATA", "ATCGATGCTGATGCTAGATA", "AAG", 0.259_259_259),
            ("ATCGATGCTGATGCTAGATA", "ATCGATGCTGATGCTAGATA", "AAT", 0.0),
        ] {
            let found = pair(guide, site, pam).cfd();
            assert!((found - expected).abs() < 1e-9, "{guide} {site}: {found}");
        }
    }

    /// Scores of the web site crispr.mit.edu to one decimal, and one that FlashFry states.
    #[test]
    fn mit_as_other_programs_state_it() {
        for (guide, site, expected) in [
            ("CTCTTTACGCAGAGGGATGT", "ATTTTTATGCAGAGTGATGT", 0.4),
            ("CTCTTTACGCAGAGGGATGT", "TTCTTTACCCGGAGGGATGA", 0.2),
            ("CTCTTTACGCAGAGGGATGT", "CTCTTTAAAGAGATGGATGT", 0.1),
            ("TTGTTTCCAGGTCAATGTGA", "TTGTCTTCAAGTCAATATGA", 0.364),
            ("CTCTTTACGCAGAGGGATGT", "CTCTTTACGCAGAGGGATGT", 100.0),
        ] {
            let found = pair(guide, site, "NGG").mit();
            assert!((found - expected).abs() < 0.05, "{guide} {site}: {found}");
        }
    }

    #[test]
    fn no_score_is_defined_for_other_sites() {
        let guide = "ATCGATGCTGATGCTAGATA";
        let is_defined =
            |guide: &str, site: &str, pam: &str| Pair::of(guide.as_bytes(), site.as_bytes(), pam.as_bytes()).is_some();
        assert!(is_defined(guide, guide, "NGG"));
        assert!(!is_defined(guide, guide, "GG") && !is_defined(guide, guide, "AGN"));
        assert!(!is_defined(&guide[1..], &guide[1..], "AGG"));
        assert!(!is_defined(guide, "ATCGATGCTGATGCTAGATN", "AGG"));
        assert!(!is_defined("ATCGATGC-TGATGCTAGATA", "ATCGATGCATGATGCTAGATA", "AGG"));
    }
}
