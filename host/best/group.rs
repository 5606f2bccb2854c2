//! Codes for the best match of a pattern of characters.

use crate::distance::{Comparison, Mode};
use crate::error::Result;
use crate::text::characters::{CharacterPattern, PatternGroup, TextPattern};

/// The codes for the [best match](super::Best) of a pattern in a text, and the pattern in them, as a group of one pattern. Nearly always the text has
/// no part in it. Where the pattern and the text share more kinds of characters than there are codes, the distance is computed first, on the CPU.
///
/// ```
/// use carrywave::best::{Best, best_group};
/// use carrywave::text::characters::CharacterPattern;
///
/// // A pattern of 1,000 different characters, and a text with all of them but one.
/// let pattern: String = ('\u{4e00}'..).take(1000).collect();
/// let text = pattern.replace('\u{4f00}', "");
/// let group = best_group(&CharacterPattern::literal(&pattern, false), text.as_bytes())?;
/// let found = Best::new(group.patterns[0].clone()).find(group.code(text.as_bytes())?.symbols())?;
/// assert_eq!((found.distance, found.start, found.end), (1, 0, 999));
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// Those of [`PatternGroup::of`], and of [`Comparison::distance_of`].
pub fn best_group(pattern: &CharacterPattern, text: &[u8]) -> Result<PatternGroup> {
    let group = |pattern: CharacterPattern| -> Result<PatternGroup> {
        let mut groups = PatternGroup::of(&[TextPattern::Characters(pattern)])?;
        Ok(groups.pop().unwrap_or_else(|| PatternGroup::of_bytes(Vec::new())))
    };
    let all = group(pattern.clone())?;
    if !all.shares_codes() {
        return Ok(all);
    }
    let mut own = group(pattern.within(text))?;
    // The distance is that of the whole pattern: a position that nothing matches has no number.
    if own.shares_codes()
        && let Some([pattern, text]) = all.numbers_of(text)
    {
        let distance = Comparison::new().mode(Mode::Infix).distance_of(&pattern, &text)?;
        own.set_errors(u32::try_from(distance).unwrap_or(u32::MAX));
    }
    Ok(own)
}
