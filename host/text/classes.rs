//! Patterns with classes in the syntax of grep: `[ab]`, `[^ab]`, `[a-z]` and `.`.

use super::class::Class;
use super::pattern::Pattern;
use crate::error::{Result, UsageFault};

/// A named POSIX class.
#[derive(Clone, Copy)]
pub(super) struct Named {
    pub name: &'static str,
    /// Returns true for its members in ASCII.
    pub fits: fn(&u8) -> bool,
}

impl PartialEq for Named {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl Eq for Named {}

impl std::hash::Hash for Named {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.name.hash(state);
    }
}

/// All named classes.
const NAMED: [Named; 12] = {
    const fn named(name: &'static str, fits: fn(&u8) -> bool) -> Named {
        Named { name, fits }
    }
    [
        named("alnum", u8::is_ascii_alphanumeric),
        named("alpha", u8::is_ascii_alphabetic),
        named("blank", |symbol| matches!(symbol, b' ' | b'\t')),
        named("cntrl", u8::is_ascii_control),
        named("digit", u8::is_ascii_digit),
        named("graph", u8::is_ascii_graphic),
        named("lower", u8::is_ascii_lowercase),
        named("print", |symbol| matches!(symbol, b' '..=b'~')),
        named("punct", u8::is_ascii_punctuation),
        named("space", |symbol| matches!(symbol, b' ' | b'\t'..=b'\r')),
        named("upper", u8::is_ascii_uppercase),
        named("xdigit", u8::is_ascii_hexdigit),
    ]
};

/// A position of a pattern as written, in bytes or in characters.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) enum Item {
    /// `.`
    Any,
    One(u32),
    Class {
        /// First and last symbol of each range.
        ranges: Vec<(u32, u32)>,
        named: Vec<Named>,
        is_negated: bool,
    },
}

impl Pattern {
    /// Parses a pattern of bytes with classes, each for one symbol, in the syntax of POSIX regular
    /// expressions:
    ///
    /// | | matches |
    /// |---|---|
    /// | `.` | any byte |
    /// | `[ab]` | one of these bytes: a `]` comes first, and a `-` first or last |
    /// | `[^ab]` | any byte but these |
    /// | `[a-z]` | the bytes from a to z |
    /// | `[[:digit:]]` | ASCII characters of a class |
    /// | `\.` | the symbol after the `\` itself |
    ///
    /// Within brackets, a `\` is a symbol like others. The classes are alnum, alpha, blank, cntrl,
    /// digit, graph, lower, print, punct, space, upper and xdigit.
    ///
    /// With `ignore_case` an ASCII letter matches both cases. O(m) time, and 256 steps for each
    /// class.
    ///
    /// ```
    /// use carrywave::search::Search;
    /// use carrywave::text::Pattern;
    ///
    /// let pattern = Pattern::parse_classes(b"[cw]a[^a-u]e", false)?;
    /// assert_eq!(Search::new(pattern).count(b"carrywave, cave, case")?, 2);
    /// assert!(Pattern::parse_classes(b"[ab", false).is_err());
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Syntax`] for a class without an
    /// end, a range that runs backwards, an unknown class name, and a `\` at the end.
    pub fn parse_classes(symbols: &[u8], ignore_case: bool) -> Result<Self> {
        let points: Vec<u32> = symbols.iter().map(|&symbol| symbol.into()).collect();
        let class = |item: Item| match item {
            Item::Any => Class::ANY,
            Item::One(symbol) => Class::from_symbols(cases(symbol as u8, ignore_case)),
            Item::Class { ranges, named, is_negated } => {
                let in_ranges = ranges.into_iter().flat_map(|(from, to)| from as u8..=to as u8);
                let in_named = named.into_iter().flat_map(|named| (0..=255).filter(named.fits));
                let members = in_ranges.chain(in_named).flat_map(|symbol| cases(symbol, ignore_case));
                let class = Class::from_symbols(members);
                if is_negated {
                    Class::from_symbols((0..=255).filter(|&symbol| !class.contains(symbol)))
                } else {
                    class
                }
            }
        };
        Ok(Self::new(parse(&points)?.into_iter().map(class).collect()))
    }
}

fn cases(symbol: u8, ignore_case: bool) -> impl Iterator<Item = u8> {
    let other = if symbol.is_ascii_lowercase() { symbol.to_ascii_uppercase() } else { symbol.to_ascii_lowercase() };
    std::iter::once(symbol).chain(ignore_case.then_some(other))
}

/// Parses the positions of a pattern, which is given as numbers of bytes or of characters.
pub(super) fn parse(points: &[u32]) -> Result<Vec<Item>> {
    let mut items = Vec::new();
    let mut rest = points;
    while let Some((&point, behind)) = rest.split_first() {
        rest = behind;
        items.push(match point {
            DOT => Item::Any,
            OPEN => bracketed(&mut rest)?,
            BACKSLASH => {
                let Some((&quoted, behind)) = rest.split_first() else {
                    return Err(
                        UsageFault::Syntax.error("the pattern ends with a single \\; write \\\\ for the symbol itself")
                    );
                };
                rest = behind;
                Item::One(quoted)
            }
            _ => Item::One(point),
        });
    }
    Ok(items)
}

const DOT: u32 = b'.' as u32;
const OPEN: u32 = b'[' as u32;
const CLOSE: u32 = b']' as u32;
const CARET: u32 = b'^' as u32;
const HYPHEN: u32 = b'-' as u32;
const BACKSLASH: u32 = b'\\' as u32;
const COLON: u32 = b':' as u32;
const EQUALS: u32 = b'=' as u32;

/// Returns the symbols as messages show them.
fn shown(points: &[u32]) -> String {
    points.iter().map(|&point| char::from_u32(point).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
}

/// Reads a class after its `[`, up to its `]`.
fn bracketed(rest: &mut &[u32]) -> Result<Item> {
    let is_negated = rest.first() == Some(&CARET);
    if is_negated {
        *rest = &rest[1..];
    }
    let mut ranges = Vec::new();
    let mut of_names = Vec::new();
    let mut is_first = true;
    loop {
        let (from, behind) = match rest {
            [CLOSE, behind @ ..] if !is_first => {
                *rest = behind;
                break;
            }
            [OPEN, kind @ (COLON | DOT | EQUALS), behind @ ..] => {
                *rest = behind;
                of_names.push(named(rest, *kind)?);
                is_first = false;
                continue;
            }
            [from, behind @ ..] => (*from, behind),
            [] => {
                return Err(
                    UsageFault::Syntax.error("a [ in the pattern is not closed; write \\[ for the symbol itself")
                );
            }
        };
        let (to, behind) = match behind {
            [HYPHEN, to, behind @ ..] if *to != CLOSE => (*to, behind),
            _ => (from, behind),
        };
        if to < from {
            let from = shown(&[from]);
            let to = shown(&[to]);
            return Err(UsageFault::Syntax
                .error(format!("the range {from}-{to} in the pattern is reversed; write {to}-{from}")));
        }
        ranges.push((from, to));
        *rest = behind;
        is_first = false;
    }
    Ok(Item::Class { ranges, named: of_names, is_negated })
}

/// Reads a named class after its `[:`, up to its `:]`.
fn named(rest: &mut &[u32], kind: u32) -> Result<Named> {
    let end = rest.windows(2).position(|two| two == [kind, CLOSE]).unwrap_or(rest.len());
    let name = shown(&rest[..end]);
    let Some(found) = NAMED.iter().find(|known| kind == COLON && known.name == name) else {
        let kind = shown(&[kind]);
        return Err(UsageFault::Syntax
            .error(format!("[{kind}{name}{kind}] in the pattern is not a known class; an example is [:digit:]")));
    };
    *rest = &rest[end + 2..];
    Ok(*found)
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
        assert_eq!(
            parsed(b"a[B-C]\\d"),
            [Class::from_symbols(*b"aA"), Class::from_symbols(*b"BbCc"), Class::from_symbols(*b"dD")]
        );
        assert!(!parsed(b"[^a]")[0].contains(b'A'));
    }

    #[test]
    fn what_is_wrong_is_told() {
        for (pattern, word) in [
            ("[ab", "is not closed"),
            ("[]", "is not closed"),
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
