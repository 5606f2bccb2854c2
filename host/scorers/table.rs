//! The table of all scorers.

use super::scorer::Scorer;
use super::{damerau, hamming, indel, jaro, jaro_winkler, lcs, levenshtein, osa, partial_ratio};
use super::{partial_token_ratios, postfix, prefix, ratio, token_ratios, weighted_ratio};
use crate::error::{Error, Result};

/// All scorers.
///
/// ```
/// use carrywave::scorers::SCORERS;
///
/// assert!(SCORERS.iter().any(|scorer| scorer.name == "jaro-winkler"));
/// ```
pub const SCORERS: &[Scorer] = &[
    levenshtein::SCORER,
    indel::SCORER,
    lcs::SCORER,
    hamming::SCORER,
    osa::SCORER,
    damerau::SCORER,
    prefix::SCORER,
    postfix::SCORER,
    jaro::SCORER,
    jaro_winkler::SCORER,
    ratio::SCORER,
    ratio::QUICK_SCORER,
    partial_ratio::SCORER,
    token_ratios::SORT_SCORER,
    token_ratios::SET_SCORER,
    token_ratios::SCORER,
    partial_token_ratios::SORT_SCORER,
    partial_token_ratios::SET_SCORER,
    partial_token_ratios::SCORER,
    weighted_ratio::SCORER,
];

/// Returns the scorer with this name.
///
/// ```
/// use carrywave::scorers::named;
///
/// assert_eq!(named("osa")?.name, "osa");
/// assert!(named("nothing").is_err());
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// [`Error::UnknownName`](crate::Error::UnknownName).
pub fn named(name: &str) -> Result<&'static Scorer> {
    let found = SCORERS.iter().find(|scorer| scorer.name == name);
    found.ok_or_else(|| Error::UnknownName {
        what: "scorer",
        name: name.into(),
        known: SCORERS.iter().map(|scorer| scorer.name).collect(),
    })
}
