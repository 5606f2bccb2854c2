//! Phrases that make a reader stop, words of history, and names that are riddles.

use regex::RegexSet;

/// Phrases that readers stumble over, by the habit behind them.
const PHRASES: &[&str] = &[
    // Inverted sentences, which name the subject last.
    r"^(Of|By|From|With|To) (which|what|whom|these|those|them|it|a|the|each|several|many|two|such)\b[^.]{0,60} (is|are|has|have|can|takes?|counts?|there)\b",
    // Questions instead of nouns: "How many there are."
    r"^(What|Whether|Where|Who|How (many|much|long|far|often|near))\b[^?]{3,80}[.:,]?$",
    // Relative clauses without a person or thing that acts.
    r"(?i)\b(of|by|from|for|to|in|with|after|behind|before) which\b",
    // Quantities as riddles.
    r"(?i)\bso man(y|ieth)\b|\bby how (much|far|many)\b|\bas (many|much|near|far|long|few)( as)?( again)? (there|it|they|these)\b",
    r"(?i)\bsome \d",
    // "Told" and "asked" for reported and requested.
    r"(?i)\b(is|are|was|were|be|been) told\b|\btold (by|from|to|of|once|apart|now|here)\b",
    r"(?i)\btells? (of|besides|how|what|which|whether|where|the|all|no)\b",
    r"(?i)\b(is|are) asked\b",
    // Pronouns without a noun.
    r"(?i)\bnone (of (it|them)|where|that|when|is|are|was|has|for)\b",
    r"(?i)\bours?\b( [^o]|$|[.,;:])",
    r"^The same\b",
    r"(?i)\b(as such|such (is|are|as is|of))\b",
    r"(?i)\bthat there (is|are) (not|none|no)\b",
    r"(?i)\bwhat (it|they|these|this|that|each|one) (is|are|has|have|takes?|needs?|costs?|gives?) (of|from)\b",
    r"(?i)\bbesides[.,]",
    // Words that only lawyers use.
    r"(?i)\b(thereof|therein|wherein|whereof|be it)\b",
    r"(?i)\bwho (has|is)\b",
];

/// Words of history, which belong into the log of changes.
const HISTORY: &[&str] = &[
    r"(?i)\b(no longer|nowadays|formerly|previously|in the past)\b",
    r"(?i)\btoday\b",
    r"(?i)\b(was|were|used to be)\b",
];

/// Names that do not say what they name. They may not return to the code.
pub const RIDDLES: &[&str] = &[
    "a_share_is_of_the_part_that_the_limit_is_of",
    "asks_whether",
    "between_groups",
    "columns_in_a_row",
    "in_turns",
    "is_asking",
    "is_of_input",
    "looked_at",
    "none_of",
    "so_many",
    "stands_for_none",
    "takes_all",
    "tells_occurrences",
    "ASKING",
    "LOOKED",
    "LOOKED_AT",
    "OrEnd",
    "Told",
    "TookOver",
    "UNASKED",
];

/// The rules, compiled.
pub struct Rules {
    phrases: RegexSet,
    history: RegexSet,
}

impl Rules {
    pub fn new() -> Self {
        let compiled = |patterns: &[&str]| RegexSet::new(patterns).unwrap_or_else(|error| panic!("{error}"));
        Self { phrases: compiled(PHRASES), history: compiled(HISTORY) }
    }

    /// Returns true if a reader stumbles over a sentence.
    pub fn is_odd(&self, sentence: &str) -> bool {
        self.phrases.is_match(sentence)
    }

    /// Returns true if a sentence has a word of history outside quoted code.
    pub fn is_history(&self, sentence: &str) -> bool {
        // Every other part is code.
        sentence.split('`').step_by(2).any(|part| self.history.is_match(part))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_sentences_and_plain_ones() {
        let rules = Rules::new();
        let odd = [
            "Of occurrences that overlap the best is told",
            "How many there are.",
            "Whether any pattern may have errors.",
            "every so manieth by logic alone",
            "What is substituted or deleted is none of them",
            "some 30 cycles",
            "the table of which it is a part",
            "a kernel of ours, which is faster",
        ];
        for sentence in odd {
            assert!(rules.is_odd(sentence), "{sentence}");
        }
        let plain = [
            "Of overlapping hits, only the best is reported.",
            "Returns the number of patterns.",
            "True if a pattern may have errors.",
            "about 30 cycles",
            "What does a launch cost?",
            "Adds four hours to a date.",
        ];
        for sentence in plain {
            assert!(!rules.is_odd(sentence), "{sentence}");
        }
    }

    #[test]
    fn history_outside_code() {
        let rules = Rules::new();
        for sentence in ["The lock is no longer needed", "It was faster", "Today it takes 3 s"] {
            assert!(rules.is_history(sentence), "{sentence}");
        }
        for sentence in ["The lock is not needed", "prints `nothing was found`", "a wasp"] {
            assert!(!rules.is_history(sentence), "{sentence}");
        }
    }
}
