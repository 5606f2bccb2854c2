//! What the published algorithms leave to be tuned.

use crate::error::{Error, Result};
use crate::search::gpu::{GbprOptions, ScanOptions, XBitParOptions};
use std::str::FromStr;

/// Options of `scan`, `gbpr` and `xbitpar`, each where it has them; what is not given is as its default is.
///
/// ```
/// use carrywave::search::Tuning;
///
/// let tuning: Tuning = "alpha=8,variant=overlapping,table=paper".parse()?;
/// assert!("alpha=eight".parse::<Tuning>().is_err());
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tuning {
    alpha: Option<u32>,
    disjoint: Option<bool>,
    banks: Option<bool>,
    segment: Option<u32>,
}

impl FromStr for Tuning {
    type Err = Error;

    /// From `NAME=VALUE`, separated by commas: `alpha`, the symbols that a thread takes at a time (scan and gbpr); `variant`,
    /// disjoint or overlapping (scan); `table`, paper or banks (scan and gbpr); `segment`, the symbols of a thread (gbpr) or a
    /// warp (xbitpar).
    fn from_str(text: &str) -> Result<Self> {
        let mut tuning = Self::default();
        for option in text.split(',').filter(|option| !option.is_empty()) {
            let wrong = |why: &str| Error::Usage(format!("`{option}`: {why}"));
            let (name, value) = option.split_once('=').ok_or_else(|| wrong("options are of the form NAME=VALUE"))?;
            let number = || value.parse().map_err(|_| wrong("this takes a number of symbols"));
            let choice = |yes: &str, no: &str| match value {
                _ if value == yes => Ok(true),
                _ if value == no => Ok(false),
                _ => Err(wrong(&format!("this is {yes} or {no}"))),
            };
            match name {
                "alpha" => tuning.alpha = Some(number()?),
                "variant" => tuning.disjoint = Some(choice("disjoint", "overlapping")?),
                "table" => tuning.banks = Some(choice("banks", "paper")?),
                "segment" => tuning.segment = Some(number()?),
                _ => return Err(wrong("there are alpha, variant, table and segment")),
            }
        }
        Ok(tuning)
    }
}

impl Tuning {
    pub(super) fn scan(self) -> ScanOptions {
        let default = ScanOptions::default();
        ScanOptions {
            alpha: self.alpha.unwrap_or(default.alpha),
            disjoint: self.disjoint.unwrap_or(default.disjoint),
            banks: self.banks.unwrap_or(default.banks),
        }
    }

    pub(super) fn gbpr(self) -> GbprOptions {
        let default = GbprOptions::default();
        let alpha = self.alpha.unwrap_or(default.alpha);
        let segment = self.segment.unwrap_or(default.segment.max(alpha));
        GbprOptions { segment, alpha, banks: self.banks.unwrap_or(default.banks) }
    }

    pub(super) fn xbitpar(self) -> XBitParOptions {
        XBitParOptions { segment: self.segment.unwrap_or(XBitParOptions::default().segment) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_given_is_the_default() {
        let of = |text: &str| text.parse::<Tuning>().unwrap();
        assert_eq!(of("").scan(), ScanOptions::default());
        let expected = ScanOptions { alpha: 2, disjoint: false, banks: false };
        assert_eq!(of("table=paper,alpha=2,variant=overlapping").scan(), expected);
        assert_eq!(of("alpha=16").gbpr(), GbprOptions { segment: 16, alpha: 16, banks: false });
        assert_eq!(of("segment=64,table=banks").gbpr(), GbprOptions { segment: 64, alpha: 1, banks: true });
        assert_eq!(of("segment=64").xbitpar(), XBitParOptions { segment: 64 });
        for wrong in ["alpha", "alpha=", "alpha=-1", "beta=3", "variant=both", "table=", "segment=5000000000"] {
            assert!(matches!(wrong.parse::<Tuning>(), Err(Error::Usage(_))), "{wrong}");
        }
    }
}
