//! A pattern of characters in codes, for the best match in a text.

use crate::distance::{Comparison, Mode};
use crate::error::Result;
use crate::text::Pattern;
use crate::text::characters::{CharacterPattern, Characters, PatternGroup, TextPattern};

/// A pattern of characters in codes.
pub(super) struct CodedPattern {
    pub characters: Characters,
    pub pattern: Pattern,
}

impl CodedPattern {
    /// Computes the codes for the best match of a pattern in a text. Nearly always they do not
    /// depend on the text. If the pattern and the text share more different characters than there
    /// are codes, the distance is computed first, on the CPU.
    ///
    /// # Errors
    /// Errors of [`PatternGroup::from_patterns`], and of [`Comparison::distance_of`].
    pub fn new(pattern: &CharacterPattern, text: &[u8]) -> Result<Option<Self>> {
        let Some(all) = Self::alone(pattern.clone())? else { return Ok(None) };
        if !all.characters.share_codes() {
            return Ok(Some(all));
        }
        let Some(mut own) = Self::alone(pattern.within(text))? else { return Ok(None) };
        // The distance is that of the whole pattern: a position that matches nothing has no number.
        if own.characters.share_codes()
            && let Some([pattern, text]) = all.characters.numbers(text)
        {
            let distance = Comparison::new().mode(Mode::Infix).distance_of(&pattern, &text)?;
            own.characters.set_errors(u32::try_from(distance).unwrap_or(u32::MAX));
        }
        Ok(Some(own))
    }

    /// Computes the codes for a pattern, independent of the text; `None` for a pattern without
    /// symbols.
    fn alone(pattern: CharacterPattern) -> Result<Option<Self>> {
        let group = PatternGroup::from_patterns(&[TextPattern::Characters(pattern)])?.pop();
        let coded =
            |mut group: PatternGroup| Some(Self { characters: group.characters?, pattern: group.patterns.pop()? });
        Ok(group.and_then(coded))
    }
}
