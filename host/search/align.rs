//! Alignment of hits: the positions and kinds of their errors.

use super::find::Search;
use super::hits::hit::Hit;
use crate::error::{Result, UsageFault};
use crate::infix::alignment::{PatternAlignment, align};
use crate::infix::allowed::Allowed;
use crate::text::Pattern;
use crate::text::Strand;
use crate::text::characters::{Characters, PatternGroup};
use once_cell::race::OnceBox;

/// Aligns the patterns of a search with the text of its hits ([`Search::aligner`]). As in the
/// [example](Search::aligner).
#[derive(Debug)]
pub struct Aligner {
    patterns: Vec<Aligned>,
    /// The character codes of each group of patterns.
    characters: Vec<Characters>,
}

#[derive(Debug)]
struct Aligned {
    forward: Pattern,
    /// The pattern's reverse complement, computed at the first reverse hit.
    reverse: OnceBox<Pattern>,
    allowed: Allowed,
    /// Index of the pattern's codes in the aligner; `None` if symbols are bytes.
    characters: Option<usize>,
}

impl Search<'_> {
    /// Returns an aligner for the hits of this search.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::{Alphabet, Pattern};
    ///
    /// let text = b"ccGATTTACAcc";
    /// let search = Search::new(Pattern::parse(b"GATTACA", Alphabet::Dna)?).errors(2);
    /// let aligner = search.aligner()?;
    /// for hit in search.hits(text)? {
    ///     let alignment = aligner.align(&hit, &text[hit.start as usize..hit.end as usize])?;
    ///     assert_eq!((alignment.cigar().as_str(), alignment.operations().len()), ("2=1D5=", 3));
    ///     assert_eq!(
    ///         (alignment.insertions(), alignment.deletions(), alignment.substitutions()),
    ///         (1, 0, 0)
    ///     );
    ///     assert_eq!((alignment.errors(), alignment.matches(), alignment.columns()), (1, 7, 8));
    ///     assert_eq!(aligner.pattern(hit.pattern).map(Pattern::len), Some(7));
    /// }
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with
    /// [`UsageFault::Empty`](crate::error::UsageFault::Empty) for no pattern, with
    /// [`UsageFault::Mismatch`](crate::error::UsageFault::Mismatch) if the number of limits differs
    /// from that of patterns, and with
    /// [`UsageFault::Combination`](crate::error::UsageFault::Combination) for options that exclude
    /// one another; [`Error::Pattern`](crate::Error::Pattern) for a pattern that
    /// [`hits`](Self::hits) refuses.
    pub fn aligner(&self) -> Result<Aligner> {
        if self.settings.bounds.transpositions {
            return Err(UsageFault::Combination.error(
                "alignments have no operation for a transposition; choose a format without them, or no transpositions",
            ));
        }
        let allowed = self.settings.check(&self.patterns)?;
        let mut aligned: Vec<(usize, Aligned)> = Vec::with_capacity(allowed.len());
        let mut all = Vec::new();
        for PatternGroup { characters, patterns, numbers } in PatternGroup::from_patterns(&self.patterns)? {
            let own = characters.is_some().then_some(all.len());
            for (number, forward) in numbers.into_iter().zip(patterns) {
                let allowed = allowed[number];
                aligned.push((number, Aligned { forward, reverse: OnceBox::new(), allowed, characters: own }));
            }
            all.extend(characters);
        }
        aligned.sort_unstable_by_key(|(number, _)| *number);
        Ok(Aligner { patterns: aligned.into_iter().map(|(_, own)| own).collect(), characters: all })
    }
}

impl Aligner {
    /// Returns a pattern by its number, from 0. The symbols of a pattern of characters are codes;
    /// an ASCII character is its own code. As in the [example](Search::aligner).
    pub fn pattern(&self, number: usize) -> Option<&Pattern> {
        self.patterns.get(number).map(|own| &own.forward)
    }

    /// Aligns a hit with its pattern. `part` is the text of the hit, in bytes. Among the alignments
    /// within the search's limits and with the hit's number of errors, the returned one has the
    /// fewest gaps, as far to the left as possible ([`PatternAlignment`]). As in the
    /// [example](Search::aligner).
    ///
    /// Only the pattern's symbols within the record are aligned ([`Hit::beyond`](Hit)), and
    /// positions count from the first of them.
    ///
    /// The alignment runs along the text. A hit on [`Strand::Reverse`] is aligned with the
    /// pattern's reverse complement: positions refer to the reverse complement, and the CIGAR is
    /// that of SAM and PAF.
    ///
    /// Time O(m) without gaps, else O(m w) for w diagonals: about 2 g + 9 diagonals for g gaps, and
    /// at most errors + 1. Memory O(√m w). If insertions and deletions are limited, w is
    /// (insertions + 1) (deletions + 1) instead.
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with
    /// [`UsageFault::Mismatch`](crate::error::UsageFault::Mismatch) for a hit of a pattern that the
    /// search does not have, [`Error::Verification`](crate::Error::Verification) for a part that is
    /// not the hit's text.
    pub fn align(&self, hit: &Hit, part: &[u8]) -> Result<PatternAlignment> {
        let Some(own) = self.patterns.get(hit.pattern) else {
            let (number, count) = (hit.pattern, self.patterns.len());
            return Err(UsageFault::Mismatch
                .error(format!("the hit refers to pattern {number} (0-based), but there are {count} patterns")));
        };
        let pattern = match hit.strand {
            Strand::Forward => &own.forward,
            Strand::Reverse => own.reverse.get_or_init(|| Box::new(own.forward.reverse_complement())),
        };
        let part_of_pattern;
        let pattern = match hit.beyond.is_none() {
            true => pattern,
            false => {
                part_of_pattern = pattern.part(hit.beyond.within(pattern.len()));
                &part_of_pattern
            }
        };
        let Some(characters) = own.characters.and_then(|number| self.characters.get(number)) else {
            return align(pattern, part, own.allowed, hit.errors);
        };
        // Characters that share codes are distinguished for up to the hit's number of errors.
        let mut characters = characters.clone();
        characters.set_errors(hit.errors);
        align(pattern, characters.code(part)?.symbols(), own.allowed, hit.errors)
    }
}
