//! Text without upper case, punctuation and spaces at its ends.

use super::text::{ProcessedText, Text};
use super::word_characters::is_letter_or_digit;
use crate::pairs::{PairString, Symbols};

/// Converts a text to lower case, replaces symbols other than letters and digits by spaces, and
/// removes spaces at the ends. Bytes are characters of Latin-1, numbers are code points; each
/// symbol becomes one symbol. Takes linear time. See the [example](ProcessedText).
pub fn default_process(text: &impl PairString) -> ProcessedText {
    ProcessedText(match text.symbols() {
        Symbols::Bytes(bytes) => {
            let of = |&byte: &u8| u8::try_from(processed(byte.into())).unwrap_or(byte);
            Text::Bytes(trimmed(bytes.iter().map(of).collect(), b' '))
        }
        Symbols::Numbers(numbers) => {
            Text::Numbers(trimmed(numbers.iter().map(|&number| processed(number)).collect(), u32::from(b' ')))
        }
    })
}

fn trimmed<T: PartialEq>(mut text: Vec<T>, space: T) -> Vec<T> {
    text.truncate(text.iter().rposition(|symbol| *symbol != space).map_or(0, |last| last + 1));
    let start = text.iter().position(|symbol| *symbol != space).unwrap_or(0);
    text.drain(..start);
    text
}

/// Converts a code point.
fn processed(code_point: u32) -> u32 {
    if !is_letter_or_digit(code_point) {
        return u32::from(b' ');
    }
    let lower = char::from_u32(code_point).and_then(|character| character.to_lowercase().next());
    lower.map_or(code_point, u32::from)
}
