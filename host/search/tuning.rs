//! The tuning options of the published algorithms.

use crate::error::{Error, Result, UsageFault};
use serde::{Serialize, Serializer};
use std::fmt;
use std::str::FromStr;

/// Options of the published GPU algorithms `scan`, `gbpr` and `xbitpar`. An algorithm refuses
/// options that it does not have; an option that is not given has its default.
///
/// ```
/// use carrywave::search::Tuning;
///
/// let tuning: Tuning = "alpha=8,variant=overlapping,table=paper".parse()?;
/// assert_eq!(tuning.given().count(), 3);
/// assert_eq!(tuning.to_string(), "alpha=8,variant=overlapping,table=paper");
/// assert!("alpha=eight".parse::<Tuning>().is_err());
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tuning {
    /// Number of symbols that a thread reads at a time.
    pub(super) alpha: Option<u32>,
    /// True if the warps of a block are joined.
    pub(super) disjoint: Option<bool>,
    /// True if the match table has a copy for every bank.
    pub(super) banks: Option<bool>,
    /// Number of symbols per thread or warp.
    pub(super) segment: Option<u32>,
}

/// An option of [`Tuning`] as one algorithm has it: the values that it takes, and its default. As
/// in the [example](Tuning).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TuningOption {
    /// The name, as in `NAME=VALUE`.
    pub name: &'static str,
    /// The values.
    pub values: &'static str,
    /// The value without the option.
    pub default: &'static str,
}

impl fmt::Display for Tuning {
    /// Writes the given options as [`from_str`](Self::from_str) reads them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let number = |value: Option<u32>| value.map(|value| value.to_string());
        let choice = |value: Option<bool>, yes: &'static str, no: &'static str| {
            value.map(|value| String::from(if value { yes } else { no }))
        };
        let all = [
            ("alpha", number(self.alpha)),
            ("variant", choice(self.disjoint, "disjoint", "overlapping")),
            ("table", choice(self.banks, "banks", "paper")),
            ("segment", number(self.segment)),
        ];
        let given = all.into_iter().filter_map(|(name, value)| value.map(|value| format!("{name}={value}")));
        f.write_str(&given.collect::<Vec<_>>().join(","))
    }
}

impl Serialize for Tuning {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl FromStr for Tuning {
    type Err = Error;

    /// Parses `NAME=VALUE` pairs, separated by commas: `alpha`, the symbols that a thread reads at
    /// a time (scan and gbpr); `variant`, disjoint or overlapping (scan); `table`, paper or banks
    /// (scan and gbpr); `segment`, the symbols of a thread (gbpr) or a warp (xbitpar).
    fn from_str(text: &str) -> Result<Self> {
        let mut tuning = Self::default();
        for option in text.split(',').filter(|option| !option.is_empty()) {
            let wrong = |why: &str| UsageFault::Syntax.error(format!("`{option}`: {why}"));
            let (name, value) = option.split_once('=').ok_or_else(|| wrong("give options as NAME=VALUE"))?;
            let number = || value.parse().map_err(|_| wrong("give a number of symbols"));
            let choice = |yes: &str, no: &str| match value {
                _ if value == yes => Ok(true),
                _ if value == no => Ok(false),
                _ => Err(wrong(&format!("give {yes} or {no}"))),
            };
            match name {
                "alpha" => tuning.alpha = Some(number()?),
                "variant" => tuning.disjoint = Some(choice("disjoint", "overlapping")?),
                "table" => tuning.banks = Some(choice("banks", "paper")?),
                "segment" => tuning.segment = Some(number()?),
                _ => return Err(wrong("unknown option; choose one of alpha, variant, table and segment")),
            }
        }
        Ok(tuning)
    }
}

impl Tuning {
    /// Returns the names of the given options. As in the [example](Self).
    pub fn given(&self) -> impl Iterator<Item = &'static str> {
        let all = [
            ("alpha", self.alpha.is_some()),
            ("variant", self.disjoint.is_some()),
            ("table", self.banks.is_some()),
            ("segment", self.segment.is_some()),
        ];
        all.into_iter().filter(|(_, given)| *given).map(|(name, _)| name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_by_name() {
        let of = |text: &str| text.parse::<Tuning>().unwrap();
        assert_eq!(of("").given().count(), 0);
        let scan = of("table=paper,alpha=2,variant=overlapping");
        assert_eq!((scan.alpha, scan.disjoint, scan.banks, scan.segment), (Some(2), Some(false), Some(false), None));
        assert!(scan.given().eq(["alpha", "variant", "table"]));
        assert_eq!(of("segment=64,table=banks").banks, Some(true));
        for wrong in ["alpha", "alpha=", "alpha=-1", "beta=3", "variant=both", "table=", "segment=5000000000"] {
            assert!(matches!(wrong.parse::<Tuning>(), Err(Error::Usage { .. })), "{wrong}");
        }
    }
}
