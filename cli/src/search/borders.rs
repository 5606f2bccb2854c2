//! Options for hits at the ends of records and lines: anchors, overhang and circular records, and
//! the `^` and `$` of a pattern for records.

use crate::shared::help::{MATCHING, one_of};
use crate::shared::patterns::GivenPattern;
use carrywave::Result;
use carrywave::search::{Anchor, Overhang, Search};
use carrywave::text::Alphabet;
use clap::Args;

/// Options for hits at the ends of records and lines.
#[derive(Debug, Args)]
#[command(next_help_heading = MATCHING)]
pub struct BorderArguments {
    /// Hits must begin, or end, with the record or the line: start, end, both.
    #[arg(long, value_name = "END", value_parser = one_of::<Anchor>(["start", "end", "both"]))]
    #[arg(hide_possible_values = true, hide_short_help = true)]
    anchor: Option<Anchor>,

    /// A part of the pattern may lie beyond the record or the line, with errors in proportion; or
    /// each symbol there costs COST errors (0 to 1).
    #[arg(long, value_name = "COST", num_args = 0..=1, require_equals = true, default_missing_value = "0")]
    #[arg(hide_short_help = true)]
    overhang: Option<f64>,

    /// Fewest symbols of a pattern that are not beyond, with --overhang [default: 3].
    #[arg(long, value_name = "N", requires = "overhang", hide_short_help = true)]
    min_overlap: Option<usize>,

    /// Records are circular: hits may run over the origin, and end beyond the record's length.
    #[arg(long, hide_short_help = true)]
    pub circular: bool,
}

/// A pattern without the symbols that anchor it.
pub struct Anchored<'g> {
    pub anchor: Anchor,
    pub symbols: &'g [u8],
}

impl<'g> Anchored<'g> {
    /// Reads the `^` before and the `$` after a pattern. Among bytes they are symbols.
    pub fn new(symbols: &'g [u8], alphabet: Alphabet) -> Self {
        if alphabet == Alphabet::Bytes {
            return Self { anchor: Anchor::Anywhere, symbols };
        }
        let at_start = symbols.strip_prefix(b"^");
        let rest = at_start.unwrap_or(symbols);
        let at_end = rest.strip_suffix(b"$");
        Self { anchor: Anchor::new(at_start.is_some(), at_end.is_some()), symbols: at_end.unwrap_or(rest) }
    }
}

impl BorderArguments {
    /// Returns true if records are searched as a whole.
    pub fn need_whole_records(&self, patterns: &[GivenPattern]) -> bool {
        let may_be_anchored = |given: &GivenPattern| given.symbols.starts_with(b"^") || given.symbols.ends_with(b"$");
        self.circular || self.anchor.is_some() || self.overhang.is_some() || patterns.iter().any(may_be_anchored)
    }

    /// Returns a given option, or `None`.
    pub fn given(&self) -> Option<&'static str> {
        let given = [
            (self.anchor.is_some(), "--anchor"),
            (self.overhang.is_some(), "--overhang"),
            (self.circular, "--circular"),
        ];
        given.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }

    /// Sets the anchors, the overhang and the form of records of a search for patterns in an
    /// alphabet.
    pub fn set<'p>(&self, search: Search<'p>, patterns: &[GivenPattern], alphabet: Alphabet) -> Result<Search<'p>> {
        let of_each = patterns.iter().map(|given| Anchored::new(&given.symbols, alphabet).anchor);
        let own = self.anchor.unwrap_or_default();
        let of_each: Vec<Anchor> = of_each.map(|anchor| anchor.and(own)).collect();
        let search = search.circular(self.circular);
        let search = match of_each.iter().all(|&anchor| anchor == own) {
            true => search.anchor(own),
            false => search.anchor_each(of_each),
        };
        let Some(cost) = self.overhang else { return Ok(search) };
        let overhang = Overhang::with_cost(cost)?;
        Ok(search.overhang(self.min_overlap.map_or(overhang, |least| overhang.min_overlap(least))))
    }
}
