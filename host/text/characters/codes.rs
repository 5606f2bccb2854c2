//! The codes of characters, made for some patterns.

use super::kinds::{CodedPatterns, Kinds};
use super::pattern::CharacterPattern;
use super::shared_codes::{self, SharedCodes};
use super::table::CodeTable;
use crate::error::{Error, Result, UsageFault};
use crate::text::pattern::Pattern;
use std::sync::Arc;

/// A code for each character, made for some patterns.
#[derive(Clone)]
pub struct Characters {
    pub(super) table: CodeTable,
    /// Number of positions of the longest pattern.
    pub(super) longest: usize,
    /// `Some` if different kinds of characters share codes.
    pub(super) shared: Option<Shared>,
}

#[derive(Clone)]
pub(super) struct Shared {
    pub(super) codes: Arc<SharedCodes>,
    /// Upper bound on the errors of a search.
    pub(super) errors: u32,
}

impl std::fmt::Debug for Characters {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Characters").field("longest", &self.longest).finish_non_exhaustive()
    }
}

impl Characters {
    /// Returns the codes for a single pattern, with its number.
    fn of_one(pattern: &CharacterPattern, number: usize) -> Result<CodedPatterns> {
        let kinds = Kinds::new(&[pattern]);
        if let Some(coded) = kinds.codes_beyond_ascii() {
            return Ok(coded);
        }
        let codes = kinds.free_codes();
        kinds.codes(&codes).ok_or_else(|| {
            let found = kinds.all().len();
            Error::Pattern {
                number,
                fault: UsageFault::TooLarge,
                reason: format!(
                    "has {found} distinct non-ASCII characters, but a search can distinguish {}; search for parts of it, \
                     or compare bytes (--bytes)",
                    codes.len()
                ),
            }
        })
    }

    /// Returns codes for the pattern with this number. If it has more kinds than there are codes,
    /// kinds share codes.
    pub(super) fn of_many_kinds(pattern: &CharacterPattern, number: usize) -> Result<(Self, Vec<Pattern>)> {
        let refused = match Self::of_one(pattern, number) {
            Ok(coded) => return Ok(Self::with_patterns(coded, None)),
            Err(refused) => refused,
        };
        let kinds = Kinds::new(&[pattern]);
        let codes = kinds.free_codes();
        let all = kinds.all();
        let mut positions: Vec<Vec<usize>> = vec![Vec::new(); kinds.sets.len()];
        for (position, set) in pattern.in_order().enumerate() {
            if let Some(&set) = kinds.numbers.get(set) {
                positions[set as usize].push(position);
            }
        }
        let of_kind = |members: &Vec<u32>| {
            let own = members.iter().filter(|&&set| !kinds.sets[set as usize].is_all());
            let mut own: Vec<usize> = own.flat_map(|&set| &positions[set as usize]).copied().collect();
            own.sort_unstable();
            own
        };
        let chosen = shared_codes::share(&all.iter().map(of_kind).collect::<Vec<_>>(), pattern.len(), &codes);
        let mut chosen = chosen.into_iter();
        let coded = kinds.codes_by(|_| chosen.next());
        let Some(coded) = coded else { return Err(refused) };
        let codes = coded.patterns.first().and_then(|coded| SharedCodes::new(pattern, coded, all.len()));
        let shared = Shared { codes: Arc::new(codes.ok_or(refused)?), errors: 0 };
        Ok(Self::with_patterns(coded, Some(shared)))
    }

    /// Returns the codes for several patterns, all outside ASCII; `None` if there are too few
    /// codes.
    pub(super) fn of_several(patterns: &[&CharacterPattern]) -> Option<(Self, Vec<Pattern>)> {
        Some(Self::with_patterns(Kinds::new(patterns).codes_beyond_ascii()?, None))
    }

    fn with_patterns(coded: CodedPatterns, shared: Option<Shared>) -> (Self, Vec<Pattern>) {
        let longest = coded.patterns.iter().map(Pattern::len).max().unwrap_or(0);
        (Self { table: coded.table, longest, shared }, coded.patterns)
    }

    /// Sets the most errors that a search allows. The codes of a text depend on it if
    /// [kinds share codes](Self::share_codes); else it has no effect.
    pub fn set_errors(&mut self, errors: u32) {
        if let Some(shared) = &mut self.shared {
            shared.errors = errors;
        }
    }

    /// Returns true for a pattern with more kinds of characters than there are codes. Texts are
    /// coded for a [number of errors](Self::set_errors), and each record as a whole.
    pub fn share_codes(&self) -> bool {
        self.shared.is_some()
    }

    /// Returns numbers for the characters of the pattern and of a text, which are equal if the
    /// characters match. `None` unless [kinds share codes](Self::share_codes) and the pattern has
    /// no classes.
    pub fn numbers(&self, text: &[u8]) -> Option<[Vec<u32>; 2]> {
        self.shared.as_ref()?.codes.numbers(text)
    }

    /// Returns true if every text in ASCII is its own codes.
    pub fn keep_ascii(&self) -> bool {
        self.table.keep_ascii()
    }
}
