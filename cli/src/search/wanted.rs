//! The selection of hits in lines.

use super::session::Session;
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::search::{Ends, Search};

/// Selection of hits in lines.
pub struct WantedHits {
    /// True for whole words only.
    words: bool,
    /// True if only one of overlapping hits is printed, also if they are hits of different
    /// patterns.
    pub one_of_all: bool,
    /// True if all hits of a line are needed; false if the first hit is enough.
    pub all_of_line: bool,
}

impl WantedHits {
    pub fn new(session: &Session<'_>) -> Result<Self> {
        let arguments = session.arguments;
        let lines = &arguments.lines;
        // Maximum number of errors of all patterns, if it is their only limit.
        let k = arguments.limits.only_number(session.patterns.iter().map(|given| &given.limits));
        // A whole line always begins and ends at word boundaries.
        let words = lines.word_regexp && !lines.line_regexp;
        let best = arguments.ends == Ends::Best && !arguments.overlapping;
        let shows = !arguments.prints_no_hits() && (arguments.only_matching || session.has_colors);
        if words && k.is_none() {
            let reason =
                "-w supports no limit but -k with a number; remove percentages, limits by error type and --fixed";
            return Err(UsageFault::Combination.error(reason));
        }
        let one_of_all =
            k == Some(0) && best && shows && (arguments.matches_whole_units() || session.patterns.len() > 1);
        Ok(Self { words, one_of_all, all_of_line: words || one_of_all || shows })
    }

    /// Restricts a search to these hits.
    pub fn search<'s>(&self, search: Search<'s>) -> Search<'s> {
        match self {
            Self { words: true, .. } => search.whole_words(true),
            Self { one_of_all: true, .. } => search.overlapping(true),
            Self { .. } => search,
        }
    }
}
