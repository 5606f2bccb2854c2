//! Limits on the errors of a search: options for all patterns, and limits in the FASTA header of a
//! single pattern.

use super::help::MATCHING;
use super::notes::{is_due, note};
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::io::output::Shortened;
use carrywave::search::Search;
use carrywave::text::characters::TextPattern;
use clap::Args;
use std::num::IntErrorKind;
use std::ops::Range;
use std::str::FromStr;
use std::sync::atomic::AtomicBool;

/// Options that limit the errors.
#[derive(Debug, Args)]
#[command(next_help_heading = MATCHING)]
pub struct LimitArguments {
    /// Errors allowed: a number, or a share like 10% [default: the sum below].
    #[arg(short = 'k', long = "errors", value_name = "K")]
    errors: Option<Most>,

    /// Substitutions allowed [default: K; without -k, 0].
    #[arg(long, value_name = "N")]
    substitutions: Option<u32>,

    /// Insertions allowed: symbols in the text only [default: K; without -k, 0].
    #[arg(long, value_name = "N", hide_short_help = true)]
    insertions: Option<u32>,

    /// Deletions allowed: symbols in the pattern only [default: K; without -k, 0].
    #[arg(long, value_name = "N", hide_short_help = true)]
    deletions: Option<u32>,

    /// Errors that an inserted or deleted symbol counts; a substitution counts 1 [default: 1].
    #[arg(long, value_name = "N", hide_short_help = true, value_parser = clap::value_parser!(u32).range(1..))]
    gap_cost: Option<u32>,

    /// Count an exchange of neighbours as one error: 'recieve' for 'receive'.
    #[arg(long, hide_short_help = true)]
    transpositions: bool,

    /// Positions of the pattern that must match, from 1, like 1-4,21-23.
    #[arg(long, value_name = "RANGES", hide_short_help = true)]
    fixed: Option<Positions>,
}

/// Maximum number of errors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Most {
    Number(u32),
    Percent(u32),
}

impl FromStr for Most {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let number = |digits: &str| {
            let reason = match digits.parse::<u32>() {
                Ok(number) => return Ok(number),
                Err(fault) if *fault.kind() == IntErrorKind::PosOverflow => {
                    "this number is too large; the maximum is 4294967295"
                }
                Err(_) => "give a whole number such as 3, or a percentage of the pattern's symbols such as 10%",
            };
            Err(reason.to_owned())
        };
        match text.strip_suffix('%') {
            None => number(text).map(Self::Number),
            Some(share) => match number(share)? {
                share if share < 100 => Ok(Self::Percent(share)),
                _ => Err("at 100 % or more, a pattern matches everywhere; give less than 100 %".into()),
            },
        }
    }
}

impl Most {
    fn for_pattern(self, pattern: &TextPattern) -> u32 {
        match self {
            Self::Number(k) => k,
            Self::Percent(share) => {
                let symbols = pattern.mismatchable_len() as u128;
                (symbols * u128::from(share) / 100).try_into().unwrap_or(u32::MAX)
            }
        }
    }
}

/// Positions, 0-based. Users give and see 1-based positions.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Positions(Vec<Range<usize>>);

impl FromStr for Positions {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |digits: &str| digits.parse::<usize>().ok();
            match (number(first), number(last)) {
                (Some(first), Some(last)) if 0 < first && first <= last => Ok(first - 1..last),
                _ => Err(format!(
                    "'{}' is not a valid range of positions; give 1-based positions such as 21-23",
                    Shortened(part)
                )),
            }
        };
        text.split(',').map(range).collect::<std::result::Result<_, _>>().map(Self)
    }
}

/// Limits in a pattern's header.
#[derive(Debug, Default)]
pub struct OwnLimits {
    errors: Option<Most>,
    fixed: Option<Positions>,
}

impl OwnLimits {
    /// Returns true if the header has limits.
    pub fn is_given(&self) -> bool {
        self.errors.is_some() || self.fixed.is_some()
    }

    /// Parses the words after the name in a header: `k=3`, `k=10%` and `fixed=21-23`, among other
    /// words.
    pub fn parse(comment: &str) -> Result<Self> {
        let mut own = Self::default();
        for word in comment.split_whitespace() {
            let wrong =
                |reason: String| UsageFault::Syntax.error(format!("'{}' in the header: {reason}", Shortened(word)));
            if let Some(most) = word.strip_prefix("k=") {
                own.errors = Some(most.parse().map_err(wrong)?);
            } else if let Some(positions) = word.strip_prefix("fixed=") {
                own.fixed = Some(positions.parse().map_err(wrong)?);
            }
        }
        Ok(own)
    }
}

impl LimitArguments {
    /// Returns true if any pattern may have errors.
    pub fn allow_errors<'o>(&self, own: impl IntoIterator<Item = &'o OwnLimits>) -> bool {
        let some = |most: &Most| !matches!(most, Most::Number(0) | Most::Percent(0));
        self.errors.iter().any(some)
            || [self.substitutions, self.insertions, self.deletions].iter().flatten().any(|&most| most > 0)
            || own.into_iter().filter_map(|own| own.errors.as_ref()).any(some)
    }

    /// Returns the maximum number of errors if it is one number for all patterns and their only
    /// limit.
    pub fn only_number<'o>(&self, own: impl IntoIterator<Item = &'o OwnLimits>) -> Option<u32> {
        let is_limited = self.fixed.is_some()
            || self.gap_cost.is_some_and(|cost| cost > 1)
            || [self.substitutions, self.insertions, self.deletions].iter().any(Option::is_some)
            || own.into_iter().any(|own| own.errors.is_some() || own.fixed.is_some());
        match self.errors {
            _ if is_limited => None,
            None => Some(0),
            Some(Most::Number(k)) => Some(k),
            Some(Most::Percent(_)) => None,
        }
    }

    /// Returns true if any pattern has positions that must match.
    pub fn have_fixed_positions<'o>(&self, own: impl IntoIterator<Item = &'o OwnLimits>) -> bool {
        self.fixed.is_some() || own.into_iter().any(|own| own.fixed.is_some())
    }

    /// Sets the positions of a pattern that must match.
    pub fn fix(&self, pattern: TextPattern, own: &OwnLimits) -> Result<TextPattern> {
        match own.fixed.as_ref().or(self.fixed.as_ref()) {
            Some(Positions(ranges)) => pattern.with_fixed(ranges.iter().cloned().flatten()),
            None => Ok(pattern),
        }
    }

    /// Returns an error if some patterns have a maximum number of errors and others only limits by
    /// error type.
    pub fn check<'o>(&self, own: impl Iterator<Item = &'o OwnLimits> + Clone) -> Result<()> {
        let without = own.clone().filter(|own| own.errors.or(self.errors).is_none()).count();
        let has_kinds = [self.substitutions, self.insertions, self.deletions].iter().any(Option::is_some);
        if without > 0 && without < own.count() && has_kinds {
            return Err(UsageFault::Combination
                .error(format!("{without} of the patterns have no k= in their headers; add -k as their limit")));
        }
        Ok(())
    }

    /// Returns a search for patterns, with these limits and each pattern's own, which are
    /// [checked](Self::check).
    pub fn search<'p>(&self, patterns: Vec<TextPattern>, own: &[&OwnLimits]) -> Result<Search<'p>> {
        let most = |own: &&OwnLimits| own.errors.or(self.errors);
        let without = own.iter().filter(|own| most(own).is_none()).count();
        let errors: Vec<u32> = patterns
            .iter()
            .zip(own)
            .map(|(pattern, own)| most(own).map_or(0, |most| most.for_pattern(pattern)))
            .collect();
        note_no_errors(patterns.iter().zip(own.iter().map(most)).map(|(pattern, most)| (pattern.len(), most)), &errors);
        let mut search = Search::many(patterns).transpositions(self.transpositions);
        let has_own = own.iter().any(|own| own.errors.is_some());
        search = match self.errors {
            Some(Most::Percent(share)) if !has_own => search.errors_percent(share),
            _ if without < own.len() => search.errors_each(errors),
            _ => search,
        };
        if let Some(cost) = self.gap_cost {
            search = search.gap_cost(cost);
        }
        if let Some(most) = self.substitutions {
            search = search.substitutions(most);
        }
        if let Some(most) = self.insertions {
            search = search.insertions(most);
        }
        if let Some(most) = self.deletions {
            search = search.deletions(most);
        }
        Ok(search)
    }
}

/// Notes, once per run, that a percentage of a pattern's symbols is less than one error. A pattern
/// is given as its number of symbols and its limit.
fn note_no_errors(patterns: impl Iterator<Item = (usize, Option<Most>)>, errors: &[u32]) {
    static NOTED: AtomicBool = AtomicBool::new(false);
    let mut without = patterns.zip(errors).filter_map(|((len, most), &errors)| match most {
        Some(Most::Percent(share @ 1..)) if len > 0 && errors == 0 => Some((len, share)),
        _ => None,
    });
    let Some((len, share)) = without.next() else { return };
    if !is_due(&NOTED) {
        return;
    }
    let others = match without.count() {
        0 => String::new(),
        1 => " (also for another pattern)".into(),
        others => format!(" (also for {others} other patterns)"),
    };
    note(&format!(
        "{share}% of a pattern with {len} symbols is less than one error, so the pattern must match exactly{others}"
    ));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_shares_and_ranges() {
        assert_eq!("3".parse(), Ok(Most::Number(3)));
        assert_eq!("10%".parse(), Ok(Most::Percent(10)));
        for wrong in ["", "x", "-1", "%", "100%", "10 %"] {
            assert!(wrong.parse::<Most>().is_err(), "{wrong}");
        }
        assert_eq!("2".parse(), Ok(Positions(vec![Range { start: 1, end: 2 }])));
        assert_eq!("1-4,21-23".parse(), Ok(Positions(vec![0..4, 20..23])));
        for wrong in ["", "0", "0-3", "3-2", "1-", "-3", "a", "1,", "1-2-3"] {
            assert!(wrong.parse::<Positions>().is_err(), "{wrong}");
        }
    }
}
