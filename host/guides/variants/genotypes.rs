//! The genotypes of a line: the haplotypes of the samples that have each allele.

/// Largest number of haplotypes of a sample.
const PLOIDY: usize = 16;

/// The haplotypes with one allele.
#[derive(Debug, Clone, Default)]
pub(super) struct Carriers {
    /// Numbers of haplotypes, ascending.
    pub haplotypes: Vec<u32>,
    /// True if a sample has the allele on an unknown one of its haplotypes.
    pub is_unphased: bool,
}

/// Reads the samples of a line, and returns the carriers of each alternative allele. `None` if the
/// format has no genotypes.
///
/// # Errors
/// A description of the first genotype that is wrong.
pub(super) fn carriers(format: &[u8], samples: &[&[u8]], alternatives: usize) -> Result<Option<Vec<Carriers>>, String> {
    let Some(key) = format.split(|&byte| byte == b':').position(|key| key == b"GT") else { return Ok(None) };
    let mut all = vec![Carriers::default(); alternatives];
    for (number, sample) in samples.iter().enumerate() {
        let Some(genotype) = sample.split(|&byte| byte == b':').nth(key) else { continue };
        let wrong = |what: &str| {
            let shown = String::from_utf8_lossy(genotype);
            format!("the genotype `{shown}` of sample {} {what}", number + 1)
        };
        // A separator may come first: it is the phasing of the first allele.
        let (first, rest) = match genotype {
            [first @ (b'|' | b'/'), rest @ ..] => (Some(*first), rest),
            all => (None, all),
        };
        let mut copies = Vec::with_capacity(2);
        for copy in rest.split(|byte| matches!(byte, b'|' | b'/')) {
            copies.push(match copy {
                b"." => None,
                digits => {
                    let text = std::str::from_utf8(digits).ok().filter(|text| text.bytes().all(|b| b.is_ascii_digit()));
                    let allele: usize =
                        text.and_then(|text| text.parse().ok()).ok_or_else(|| wrong("is no genotype"))?;
                    if allele > alternatives {
                        return Err(wrong("has an allele that the line does not have"));
                    }
                    Some(allele)
                }
            });
        }
        if copies.len() > PLOIDY {
            return Err(wrong(&format!("has more than {PLOIDY} alleles")));
        }
        let is_phased = !rest.contains(&b'/') && first != Some(b'/') || copies.windows(2).all(|two| two[0] == two[1]);
        for (copy, allele) in copies.into_iter().enumerate() {
            let Some(allele) = allele.and_then(|allele| allele.checked_sub(1)) else { continue };
            let haplotype = number.checked_mul(PLOIDY).and_then(|first| u32::try_from(first + copy).ok());
            let carriers = &mut all[allele];
            carriers.haplotypes.push(haplotype.ok_or_else(|| wrong("is one of too many"))?);
            carriers.is_unphased |= !is_phased;
        }
    }
    Ok(Some(all))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the haplotypes of the first two alleles, and whether they are unphased.
    fn of(samples: &[&str]) -> Vec<(Vec<u32>, bool)> {
        let samples: Vec<&[u8]> = samples.iter().map(|sample| sample.as_bytes()).collect();
        let all = carriers(b"DP:GT", &samples, 2).unwrap().unwrap();
        all.into_iter().map(|one| (one.haplotypes, one.is_unphased)).collect()
    }

    #[test]
    fn haplotypes_of_samples() {
        assert_eq!(of(&["3:0|1", "3:1|2", "7:2"]), [(vec![1, 16], false), (vec![17, 32], false)]);
        assert_eq!(of(&["3:0/1", "3:2/2"]), [(vec![1], true), (vec![16, 17], false)]);
        assert_eq!(of(&["3:.|1", "3:./.", "3", "3:."]), [(vec![1], false), (vec![], false)]);
        assert_eq!(of(&["3:|0|1", "3:/0|2"]), [(vec![1], false), (vec![17], true)]);
    }

    #[test]
    fn wrong_genotypes() {
        for wrong in ["0|3", "a|1", "0|", "-1", "1|1|1|1|1|1|1|1|1|1|1|1|1|1|1|1|1", "0|99999999999999999999"] {
            let found = carriers(b"GT", &[wrong.as_bytes()], 2);
            assert!(found.clone().is_err_and(|reason| reason.contains("sample 1")), "{wrong}: {found:?}");
        }
        assert!(carriers(b"DP", &[b"0|1"], 1).unwrap().is_none());
    }
}
