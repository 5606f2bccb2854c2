//! Formats that the caller defines, as with GNU diff's `-D`, `--line-format`, `--old-group-format`
//! and similar options.
//!
//! All lines of both texts are printed in groups: lines that both have (unchanged), lines of A
//! alone (old), lines of B alone (new), and lines of A that lines of B replace (changed). The
//! template of a group defines its output, and the template of a line defines the output of each
//! line in it.
//!
//! | in a group's template | what is printed |
//! |---|---|
//! | `%<`, `%>`, `%=` | the group's lines of A, of B, and those of both |
//! | `%dF` and the like | a number as C's `printf` prints it |
//! | `%(A=B?T:E)` | T if the numbers or letters A and B are equal, else E |
//!
//! The numbers are `F`, the group's first line, `L`, the last, `N`, how many there are, `E`, the
//! line before, and `M`, the line after; the same letters in lower case are those of A.
//!
//! | in a line's template | what is printed |
//! |---|---|
//! | `%l`, `%L` | the line without and with its line feed |
//! | `%dn` and the like | its number |
//!
//! In both, `%%` is a percent sign, and `%c'C'` or `%c'\12'` a character. All other text is printed
//! as it is.

use super::layout::{Layout, put_spaces};
use crate::diff::changes::Diff;
use crate::text::Units;
use std::io::{self, Write};
use std::ops::Range;

/// Templates of lines and of groups of lines.
///
/// ```
/// use carrywave::diff::{Comparison, Layout, Templates};
///
/// let diff = Comparison::new().compare(b"one\ntwo\n", b"one\n2\n")?;
/// assert!(Templates::ifdef(b"NEW").print_common());
/// let mut text = Vec::new();
/// diff.write_by_templates(&mut text, &Templates::ifdef(b"NEW"), &Layout::default())?;
/// assert_eq!(text, b"one\n#ifndef NEW\ntwo\n#else /* NEW */\n2\n#endif /* NEW */\n");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Templates {
    /// Template of each line that both texts have.
    pub unchanged_line: Vec<u8>,
    /// Template of each line of A alone.
    pub old_line: Vec<u8>,
    /// Template of each line of B alone.
    pub new_line: Vec<u8>,
    /// Template of lines that both texts have.
    pub unchanged_group: Vec<u8>,
    /// Template of lines of A alone.
    pub old_group: Vec<u8>,
    /// Template of lines of B alone.
    pub new_group: Vec<u8>,
    /// Template of lines of A that lines of B replace.
    pub changed_group: Vec<u8>,
}

impl Default for Templates {
    /// Returns templates that print all lines as they are.
    fn default() -> Self {
        let [unchanged_line, old_line, new_line] = [(); 3].map(|()| b"%l\n".to_vec());
        let [unchanged_group, old_group, new_group, changed_group] =
            ["%=", "%<", "%>", "%<%>"].map(|template| template.as_bytes().to_vec());
        Self { unchanged_line, old_line, new_line, unchanged_group, old_group, new_group, changed_group }
    }
}

impl Templates {
    /// Returns group templates for the C preprocessor: B if `name` is defined, else A. The name
    /// becomes part of the templates. As in the [example](Templates).
    pub fn ifdef(name: &[u8]) -> Self {
        let group = |parts: &[&str]| {
            parts.iter().flat_map(|part| if part.is_empty() { name } else { part.as_bytes() }).copied().collect()
        };
        Self {
            old_group: group(&["#ifndef ", "", "\n%<#endif /* ! ", "", " */\n"]),
            new_group: group(&["#ifdef ", "", "\n%>#endif /* ", "", " */\n"]),
            changed_group: group(&["#ifndef ", "", "\n%<#else /* ", "", " */\n%>#endif /* ", "", " */\n"]),
            ..Self::default()
        }
    }

    /// Returns true if texts without a difference produce output. As in the [example](Templates).
    pub fn print_common(&self) -> bool {
        let prints_nothing = self.unchanged_group == b"%=" && self.unchanged_line.is_empty();
        !prints_nothing && !self.unchanged_group.is_empty()
    }
}

/// Upper bound on nested conditions; deeper ones are printed literally.
const MAX_NESTED: usize = 200;

/// Lines of both texts printed together.
struct Group<'g> {
    a: Lines<'g>,
    b: Lines<'g>,
    templates: &'g Templates,
    layout: &'g Layout<'g>,
}

/// Lines of one text.
struct Lines<'g> {
    units: &'g Units<'g>,
    range: Range<usize>,
}

impl Lines<'_> {
    /// Returns the number that a lower case letter stands for.
    fn number(&self, letter: u8) -> Option<usize> {
        Some(match letter {
            b'e' => self.range.start,
            b'f' => self.range.start + 1,
            b'l' => self.range.end,
            b'm' => self.range.end + 1,
            b'n' => self.range.len(),
            _ => return None,
        })
    }

    /// Prints each line by its template.
    fn write(&self, out: &mut dyn Write, template: &[u8], layout: &Layout<'_>) -> io::Result<()> {
        for (i, line) in self.units.slice(self.range.clone()).enumerate() {
            let number = |letter| (letter == b'n').then_some(self.range.start + i + 1);
            let mut at = 0;
            while let Some(&byte) = template.get(at) {
                at += 1;
                if byte != b'%' {
                    out.write_all(&[byte])?;
                    continue;
                }
                let rest = template.get(at..).unwrap_or_default();
                match rest.first() {
                    Some(b'%') => out.write_all(b"%")?,
                    Some(b'l') => layout.text(out, line.strip_suffix(b"\n").unwrap_or(line), b"")?,
                    Some(b'L') => layout.text(out, line, b"")?,
                    _ => match Spec::parse(rest, number) {
                        Some((spec, len)) => {
                            spec.write(out)?;
                            at += len;
                            continue;
                        }
                        None => {
                            out.write_all(b"%")?;
                            continue;
                        }
                    },
                }
                at += 1;
            }
        }
        Ok(())
    }
}

impl Group<'_> {
    fn number(&self, letter: u8) -> Option<usize> {
        if letter.is_ascii_uppercase() { self.b.number(letter.to_ascii_lowercase()) } else { self.a.number(letter) }
    }

    /// Prints a template from `at` up to the byte that ends it, and returns the position of that
    /// byte. Without an output, it only parses.
    fn write(
        &self,
        mut out: Option<&mut dyn Write>,
        template: &[u8],
        mut at: usize,
        end: Option<u8>,
        nested: usize,
    ) -> io::Result<usize> {
        while let Some(&byte) = template.get(at).filter(|&&byte| Some(byte) != end) {
            at += 1;
            let rest = template.get(at..).unwrap_or_default();
            let lines = match (byte, rest.first()) {
                (b'%', Some(b'<')) => Some((&self.a, &self.templates.old_line)),
                (b'%', Some(b'=')) => Some((&self.a, &self.templates.unchanged_line)),
                (b'%', Some(b'>')) => Some((&self.b, &self.templates.new_line)),
                _ => None,
            };
            if let Some((lines, template)) = lines {
                at += 1;
                if let Some(out) = out.as_deref_mut() {
                    lines.write(out, template, self.layout)?;
                }
                continue;
            }
            if byte == b'%' {
                if nested < MAX_NESTED
                    && let Some((is_equal, len)) = self.condition(rest)
                {
                    at += len;
                    for (is_printed, end) in [(is_equal, b':'), (!is_equal, b')')] {
                        let out = out.as_deref_mut().filter(|_| is_printed).map(|out| out as &mut dyn Write);
                        at = self.write(out, template, at, Some(end), nested + 1)?;
                        at = (at + 1).min(template.len());
                    }
                    continue;
                }
                if let Some((spec, len)) = Spec::parse(rest, |letter| self.number(letter)) {
                    at += len;
                    if let Some(out) = out.as_deref_mut() {
                        spec.write(out)?;
                    }
                    continue;
                }
                at += usize::from(rest.first() == Some(&b'%'));
            }
            if let Some(out) = out.as_deref_mut() {
                out.write_all(&[byte])?;
            }
        }
        Ok(at)
    }

    /// Parses a condition, `(A=B?`. Returns whether both sides are equal, and the length of the
    /// condition in bytes.
    fn condition(&self, text: &[u8]) -> Option<(bool, usize)> {
        if text.first() != Some(&b'(') {
            return None;
        }
        let mut at = 1;
        let mut side = |end: u8| {
            let rest = text.get(at..)?;
            let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let number = match digits {
                0 => self.number(*rest.first()?)?,
                _ => std::str::from_utf8(rest.get(..digits)?).ok()?.parse().ok()?,
            };
            at += digits.max(1);
            if *text.get(at)? != end {
                return None;
            }
            at += 1;
            Some(number)
        };
        let one = side(b'=')?;
        let other = side(b'?')?;
        Some((one == other, at))
    }
}

/// A specification after a percent sign: a character, or a number as C's `printf` prints it.
enum Spec {
    Character(u8),
    Number { text: String, is_left: bool, has_zeros: bool, width: usize },
}

impl Spec {
    /// Parses the specification at the start of a text. Returns it with its length in bytes.
    /// `number` maps a letter to its number.
    fn parse(text: &[u8], number: impl Fn(u8) -> Option<usize>) -> Option<(Self, usize)> {
        let flags = text.iter().take_while(|byte| b"-'0".contains(byte)).count();
        let digits = |from: usize| {
            let digits = text.get(from..)?.iter().take_while(|byte| byte.is_ascii_digit());
            let value = digits
                .clone()
                .fold(0usize, |value, &digit| value.saturating_mul(10).saturating_add(usize::from(digit - b'0')));
            Some((value, from + digits.count()))
        };
        let (width, mut at) = digits(flags)?;
        let mut precision = None;
        if text.get(at) == Some(&b'.') {
            let (value, end) = digits(at + 1)?;
            (precision, at) = (Some(value), end);
        }
        let conversion = *text.get(at)?;
        at += 1;
        if conversion == b'c' {
            let (character, len) = character(text.get(at..)?)?;
            return Some((Self::Character(character), at + len));
        }
        let value = if b"doxX".contains(&conversion) { number(*text.get(at)?)? } else { return None };
        let mut text_of_number = match conversion {
            b'd' => format!("{value}"),
            b'o' => format!("{value:o}"),
            b'x' => format!("{value:x}"),
            _ => format!("{value:X}"),
        };
        let flags = text.get(..flags)?;
        match precision {
            Some(0) if value == 0 => text_of_number.clear(),
            // A longer precision is cut to this bound; C's printf refuses it, too.
            Some(digits) => {
                let zeros = digits.min(MAX_WIDTH).saturating_sub(text_of_number.len());
                text_of_number.insert_str(0, &"0".repeat(zeros));
            }
            None => (),
        }
        let is_left = flags.contains(&b'-');
        let has_zeros = flags.contains(&b'0') && !is_left && precision.is_none();
        Some((Self::Number { text: text_of_number, is_left, has_zeros, width: width.min(MAX_WIDTH) }, at + 1))
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Self::Character(byte) => out.write_all(&[*byte]),
            Self::Number { text, is_left, has_zeros, width } => {
                let missing = width.saturating_sub(text.len());
                match (is_left, has_zeros) {
                    (true, _) => {
                        out.write_all(text.as_bytes())?;
                        put_spaces(out, missing)
                    }
                    (_, true) => write!(out, "{}{text}", "0".repeat(missing)),
                    _ => {
                        put_spaces(out, missing)?;
                        out.write_all(text.as_bytes())
                    }
                }
            }
        }
    }
}

/// Upper bound on the columns of a number.
const MAX_WIDTH: usize = 1 << 20;

/// Parses the character that `'C'` or `'\12'` stands for. Returns it with its length in bytes.
fn character(text: &[u8]) -> Option<(u8, usize)> {
    match text {
        [b'\'', b'\\', rest @ ..] => {
            let digits = rest.iter().take_while(|byte| matches!(byte, b'0'..=b'7')).count();
            if !(1..=3).contains(&digits) || rest.get(digits) != Some(&b'\'') {
                return None;
            }
            let value =
                rest.get(..digits)?.iter().fold(0u8, |value, digit| value.wrapping_mul(8).wrapping_add(digit - b'0'));
            Some((value, digits + 3))
        }
        [b'\'', byte, b'\'', ..] if *byte != b'\'' => Some((*byte, 3)),
        _ => None,
    }
}

impl Diff<'_> {
    /// Prints all lines of both texts by templates. As in the [example](Templates).
    ///
    /// # Errors
    /// Errors of writing to `out`.
    pub fn write_by_templates(
        &self,
        out: &mut dyn Write,
        templates: &Templates,
        layout: &Layout<'_>,
    ) -> io::Result<()> {
        let group = |out: &mut dyn Write, template: &[u8], a: Range<usize>, b: Range<usize>| {
            if a.is_empty() && b.is_empty() {
                return Ok(());
            }
            let a = Lines { units: &self.a, range: a };
            let b = Lines { units: &self.b, range: b };
            Group { a, b, templates, layout }.write(Some(out), template, 0, None, 0).map(drop)
        };
        let mut from_a = 0;
        let mut from_b = 0;
        for change in self.changes.iter().filter(|change| !change.is_ignored) {
            group(out, &templates.unchanged_group, from_a..change.a.start, from_b..change.b.start)?;
            let template = match (change.a.is_empty(), change.b.is_empty()) {
                (_, true) => &templates.old_group,
                (true, _) => &templates.new_group,
                _ => &templates.changed_group,
            };
            group(out, template, change.a.clone(), change.b.clone())?;
            (from_a, from_b) = (change.a.end, change.b.end);
        }
        group(out, &templates.unchanged_group, from_a..self.a.len(), from_b..self.b.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diff::Comparison;

    fn printed(templates: &Templates) -> String {
        let diff = Comparison::new().compare(b"one\ntwo\nthree\n", b"one\n2\nthree").unwrap();
        let mut text = Vec::new();
        diff.write_by_templates(&mut text, templates, &Layout::default()).unwrap();
        String::from_utf8(text).unwrap()
    }

    /// Each expectation is what GNU diff 3.8 prints.
    #[test]
    fn templates_are_those_of_gnu_diff() {
        assert_eq!(
            printed(&Templates::ifdef(b"N")),
            "one\n#ifndef N\ntwo\nthree\n#else /* N */\n2\nthree\n#endif /* N */\n"
        );
        let of = |group: &str| Templates { changed_group: group.into(), ..Templates::default() };
        assert_eq!(printed(&of("%(n=N?%(2=f?same:%%):other)|%df %dl %5.3dE %-3xM|%o")), "one\nsame|2 3   001 4  |%o");
        assert_eq!(printed(&of("%(n=n")), "one\n%(n=n");
        assert_eq!(printed(&of("%(n=0?yes:no")), "one\nno");
        assert_eq!(printed(&of("%c'x'%c'\\101'%c'\\'%c''%.0dn")), "one\nxA%c'\\'%c''2");
        let lines = Templates { new_line: b"%03dn:%L".to_vec(), old_line: Vec::new(), ..Templates::default() };
        assert_eq!(printed(&lines), "one\n002:2\n003:three");
        let deep = "%(1=1?".repeat(5000);
        assert!(printed(&of(&deep)).starts_with("one\n"));
    }
}
