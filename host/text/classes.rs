//! Patterns with classes as grep writes them: `[ab]`, `[^ab]`, `[a-z]` and `.`.

use super::pattern::{Class, Pattern};
use crate::error::{Error, Result};

/// A class by its name in POSIX.
type Named = (&'static [u8], fn(&u8) -> bool);

/// The classes that have names, in ASCII.
const NAMED: [Named; 12] = [
    (b"alnum", u8::is_ascii_alphanumeric),
    (b"alpha", u8::is_ascii_alphabetic),
    (b"blank", |symbol| matches!(symbol, b' ' | b'\t')),
    (b"cntrl", u8::is_ascii_control),
    (b"digit", u8::is_ascii_digit),
    (b"graph", u8::is_ascii_graphic),
    (b"lower", u8::is_ascii_lowercase),
    (b"print", |symbol| matches!(symbol, b' '..=b'~')),
    (b"punct", u8::is_ascii_punctuation),
    (b"space", |symbol| matches!(symbol, b' ' | b'\t'..=b'\r')),
    (b"upper", u8::is_ascii_uppercase),
    (b"xdigit", u8::is_ascii_hexdigit),
];

impl Pattern {
    /// A pattern of bytes with classes, each for one symbol, as in the regular expressions of POSIX:
    ///
    /// | | matches |
    /// |---|---|
    /// | `.` | any byte |
    /// | `[ab]` | one of them; a `]` stands first, a `-` first or last, and a `\` for itself |
    /// | `[^ab]` | any other byte |
    /// | `[a-z]` | those from a to z |
    /// | `[[:digit:]]` | those with this property, in ASCII: alnum, alpha, blank, cntrl, digit, graph, lower, print, punct, space, upper, xdigit |
    /// | `\.` | the symbol behind the `\`, as it is |
    ///
    /// With `ignore_case` a letter of ASCII also stands for the other case. O(m), or 256 for each class.
    ///
    /// ```
    /// use carrywave::search::{Pattern, Search};
    ///
    /// let pattern = Pattern::parse_classes(b"[cw]a[^a-u]e", false)?;
    /// assert_eq!(Search::new(pattern).count(b"carrywave, cave, case")?, 2);
    /// assert!(Pattern::parse_classes(b"[ab", false).is_err());
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`] for a class that has no end, a range that runs backwards, a name that no class has, and a `\` at the end.
    pub fn parse_classes(symbols: &[u8], ignore_case: bool) -> Result<Self> {
        let mut classes = Vec::new();
        let mut rest = symbols;
        while let Some((&symbol, behind)) = rest.split_first() {
            rest = behind;
            let class = match symbol {
                b'.' => Class::ANY,
                b'[' => bracketed(&mut rest, ignore_case)?,
                b'\\' => {
                    let Some((&quoted, behind)) = rest.split_first() else {
                        return Err(Error::Usage(
                            "the pattern ends with a \\, which takes the next symbol as it is".into(),
                        ));
                    };
                    rest = behind;
                    Class::of_all(cases(quoted, ignore_case))
                }
                _ => Class::of_all(cases(symbol, ignore_case)),
            };
            classes.push(class);
        }
        Ok(Self::new(classes))
    }
}

fn cases(symbol: u8, ignore_case: bool) -> impl Iterator<Item = u8> {
    let other = if symbol.is_ascii_lowercase() { symbol.to_ascii_uppercase() } else { symbol.to_ascii_lowercase() };
    std::iter::once(symbol).chain(ignore_case.then_some(other))
}

/// The class whose `[` was read, up to its `]`.
fn bracketed(rest: &mut &[u8], ignore_case: bool) -> Result<Class> {
    let negated = rest.first() == Some(&b'^');
    if negated {
        *rest = &rest[1..];
    }
    let mut class = Class::default();
    let mut is_first = true;
    loop {
        let (from, behind) = match rest {
            [b']', behind @ ..] if !is_first => {
                *rest = behind;
                break;
            }
            [b'[', kind @ (b':' | b'.' | b'='), behind @ ..] => {
                *rest = behind;
                let fits = named(rest, *kind)?;
                let members = (0..=255).filter(fits).flat_map(|symbol| cases(symbol, ignore_case));
                members.for_each(|symbol| class.insert(symbol));
                is_first = false;
                continue;
            }
            [from, behind @ ..] => (*from, behind),
            [] => {
                return Err(Error::Usage("a class in the pattern has no end: write \\[ for the symbol itself".into()));
            }
        };
        let (to, behind) = match behind {
            [b'-', to, behind @ ..] if *to != b']' => (*to, behind),
            _ => (from, behind),
        };
        if to < from {
            let (from, to) = (from.escape_ascii(), to.escape_ascii());
            return Err(Error::Usage(format!("the range {from}-{to} in the pattern runs backwards")));
        }
        (from..=to).flat_map(|symbol| cases(symbol, ignore_case)).for_each(|symbol| class.insert(symbol));
        *rest = behind;
        is_first = false;
    }
    Ok(if negated { Class::of_all((0..=255).filter(|&symbol| !class.contains(symbol))) } else { class })
}

/// The class in `[:` and `:]`, of which the first was read.
fn named(rest: &mut &[u8], kind: u8) -> Result<fn(&u8) -> bool> {
    let end = rest.windows(2).position(|two| two == [kind, b']']).unwrap_or(rest.len());
    let name = &rest[..end];
    let found = NAMED.iter().find(|(known, _)| kind == b':' && *known == name);
    let Some((_, fits)) = found else {
        let (kind, name) = (char::from(kind), name.escape_ascii());
        return Err(Error::Usage(format!(
            "[{kind}{name}{kind}] in the pattern is no class that is known, as [:digit:] is"
        )));
    };
    *rest = &rest[end + 2..];
    Ok(*fits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn symbols(pattern: &str) -> String {
        let pattern = Pattern::parse_classes(pattern.as_bytes(), false).unwrap();
        let [class] = pattern.classes() else { panic!("{pattern:?}") };
        class.symbols().map(char::from).collect()
    }

    #[test]
    fn what_classes_stand_for() {
        assert_eq!(symbols("[ba]"), "ab");
        assert_eq!(symbols("[a-cx]"), "abcx");
        assert_eq!(symbols("[]a]"), "]a");
        assert_eq!(symbols("[a-]"), "-a");
        assert_eq!(symbols("[-a]"), "-a");
        assert_eq!(symbols(r"[\]"), r"\");
        assert_eq!(symbols(r"\["), "[");
        assert_eq!(symbols("[[]"), "[");
        assert_eq!(symbols("[[:digit:]x]"), "0123456789x");
        assert_eq!(symbols("[+--]"), "+,-");
        assert_eq!(symbols("[^\u{1}-\u{7f}]").chars().count(), 129);
        assert_eq!(symbols("[^]a]").chars().count(), 254);
        assert_eq!(symbols(".").chars().count(), 256);
    }

    #[test]
    fn cases_are_one_if_asked_for() {
        let parsed = |pattern: &[u8]| Pattern::parse_classes(pattern, true).unwrap().classes().to_vec();
        assert_eq!(parsed(b"a[B-C]\\d"), [Class::of_all(*b"aA"), Class::of_all(*b"BbCc"), Class::of_all(*b"dD")]);
        assert!(!parsed(b"[^a]")[0].contains(b'A'));
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (pattern, word) in [
            ("[ab", "no end"),
            ("[]", "no end"),
            ("[z-a]", "z-a"),
            ("[[:digits:]]", "digits"),
            ("[[=a=]]", "[=a=]"),
            ("a\\", "\\"),
        ] {
            let message = Pattern::parse_classes(pattern.as_bytes(), false).unwrap_err().to_string();
            assert!(message.contains(word), "{pattern}: {message}");
        }
    }
}
