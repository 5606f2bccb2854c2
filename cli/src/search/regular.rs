//! A note that patterns are plain strings, if nothing matches and a pattern looks like a regular
//! expression.

use super::arguments::Arguments;
use crate::shared::notes::note;
use crate::shared::patterns::GivenPattern;
use carrywave::io::output::Shortened;

/// Prints the note if one of the patterns looks like a regular expression.
pub fn note_regular(arguments: &Arguments, patterns: &[GivenPattern]) {
    let is_quiet = arguments.files.quiet || arguments.no_messages || arguments.lines.invert_match;
    if is_quiet || arguments.classes || arguments.unread.fixed_strings {
        return;
    }
    if let Some(pattern) = patterns.iter().find(|pattern| is_regular(&pattern.symbols)) {
        note(&format!(
            "no hits; '{}' looks like a regular expression, but was searched for literally: use grep -E or rg for regular \
             expressions, or --classes for . and [a-z]; -F suppresses this note",
            Shortened(&String::from_utf8_lossy(&pattern.symbols))
        ));
    }
}

/// Returns true if a pattern has signs of a regular expression that are rare in plain text.
fn is_regular(pattern: &[u8]) -> bool {
    let starts_or_ends = pattern.len() > 1 && (pattern.starts_with(b"^") || pattern.ends_with(b"$"));
    let has_two = pattern.windows(2).any(|two| match two {
        [b'.' | b')' | b']', b'*' | b'+' | b'?'] | [b'(', b'?'] => true,
        [b'\\', class] => b"dDwWsSbB.()[]|*+?^$<>".contains(class),
        _ => false,
    });
    starts_or_ends || has_two || pattern.contains(&b'|') || has_class(pattern) || has_count(pattern)
}

/// Returns true if a pattern has a class, such as `[a-z]`.
fn has_class(pattern: &[u8]) -> bool {
    let start = pattern.iter().position(|&byte| byte == b'[');
    start.is_some_and(|start| pattern[start..].iter().skip(2).any(|&byte| byte == b']'))
}

/// Returns true if a pattern has a count, such as `a{3}` or `a{2,5}`.
fn has_count(pattern: &[u8]) -> bool {
    let Some(start) = pattern.iter().position(|&byte| byte == b'{').filter(|&start| start > 0) else { return false };
    let Some(len) = pattern[start..].iter().position(|&byte| byte == b'}') else { return false };
    let inside = &pattern[start + 1..start + len];
    inside.first().is_some_and(u8::is_ascii_digit) && inside.iter().all(|byte| byte.is_ascii_digit() || *byte == b',')
}

#[cfg(test)]
mod tests {
    use super::is_regular;

    #[test]
    fn signs_of_a_regular_expression() {
        for pattern in [
            "a.*b", "a.+", r"\d+", r"a\.b", "[a-z]x", "^ab", "ab$", "a|b", "(ab)+", "(?i)a", "a{3}", "a{2,}", r"\bword",
        ] {
            assert!(is_regular(pattern.as_bytes()), "{pattern}");
        }
        for pattern in
            ["", "a", "^", "$", "C++", "a*b", "what?", "f(x)", "x[]", "{3}", "a{b}", "3.14", r"C:\new", "a.b", "[]"]
        {
            assert!(!is_regular(pattern.as_bytes()), "{pattern}");
        }
    }
}
