//! Basic regular expressions of POSIX, as `grep` and GNU diff take them, with the GNU operators
//! `\+`, `\?`, `\|`, `\<`, `\>`, `\b`, `\B`, `\w`, `\W`, `\s`, `\S`, `` \` `` and `\'`. They are
//! translated for the crate `regex`, whose matching takes time linear in the line. Back references
//! (`\1`) are refused.

use carrywave::Result;
use carrywave::error::UsageFault;
use regex::bytes::{RegexSet, RegexSetBuilder};
use std::ffi::OsString;

/// Compiles several expressions into one test that succeeds if any of them matches.
pub fn any_of(patterns: &[OsString]) -> Result<RegexSet> {
    let mut translated = Vec::new();
    for pattern in patterns {
        let fault = |what: &str| {
            UsageFault::Syntax.error(format!("'{}' is not a valid basic regular expression: {what}", pattern.display()))
        };
        let text = pattern.to_str().ok_or_else(|| fault("it is not valid UTF-8"))?;
        translated.push(Translation::translate(text).map_err(fault)?);
    }
    let built = RegexSetBuilder::new(&translated).build();
    built
        .map_err(|error| UsageFault::Syntax.error(format!("the regular expressions are too large or invalid: {error}")))
}

/// State of a translation.
struct Translation<'p> {
    rest: std::iter::Peekable<std::str::Chars<'p>>,
    out: String,
    /// Starts of the open groups: byte offsets in `out`.
    groups: Vec<usize>,
    /// Start of the last item, the operand of a repetition; `None` at the start of a branch.
    item: Option<usize>,
    /// True at the start of a branch, also after a `^`.
    is_start: bool,
}

type Translated<T> = std::result::Result<T, &'static str>;

impl<'p> Translation<'p> {
    fn translate(pattern: &'p str) -> Translated<String> {
        let rest = pattern.chars().peekable();
        let mut translation = Self { rest, out: String::new(), groups: Vec::new(), item: None, is_start: true };
        while let Some(c) = translation.rest.next() {
            translation.step(c)?;
        }
        if translation.groups.is_empty() { Ok(translation.out) } else { Err("Unmatched ( or \\(") }
    }

    fn step(&mut self, c: char) -> Translated<()> {
        match c {
            '\\' => return self.escape(),
            '*' if self.item.is_some() => self.repeat("*"),
            '.' => self.push("(?s:.)"),
            '[' => return self.bracket(),
            '^' if self.is_start && self.item.is_none() => self.out.push('^'),
            '$' if self.ends_here() => {
                self.out.push('$');
                self.item = None;
            }
            '\n' => self.branch(),
            _ => self.literal(c),
        }
        Ok(())
    }

    /// True if a branch ends before the next character.
    fn ends_here(&self) -> bool {
        let mut rest = self.rest.clone();
        match rest.next() {
            None | Some('\n') => true,
            Some('\\') => matches!(rest.next(), Some(')' | '|')),
            _ => false,
        }
    }

    fn branch(&mut self) {
        self.out.push('|');
        self.item = None;
        self.is_start = true;
    }

    /// Appends an item.
    fn push(&mut self, item: &str) {
        self.item = Some(self.out.len());
        self.is_start = false;
        self.out += item;
    }

    fn literal(&mut self, c: char) {
        self.push(&regex::escape(c.encode_utf8(&mut [0; 4])));
    }

    /// Appends the repetition `how` to the last item.
    fn repeat(&mut self, how: &str) {
        if let Some(at) = self.item {
            self.out.insert_str(at, "(?:");
            self.out.push(')');
            self.out += how;
        }
    }

    fn escape(&mut self) -> Translated<()> {
        let c = self.rest.next().ok_or("Trailing backslash")?;
        match c {
            '(' => {
                self.groups.push(self.out.len());
                self.out += "(?:";
                self.item = None;
                self.is_start = true;
            }
            ')' => {
                let start = self.groups.pop().ok_or("Unmatched ) or \\)")?;
                self.out.push(')');
                self.item = Some(start);
                self.is_start = false;
            }
            '|' => self.branch(),
            '+' | '?' if self.item.is_some() => self.repeat(c.encode_utf8(&mut [0; 4])),
            '{' if self.item.is_some() => return self.interval(),
            '{' => return Err("Invalid preceding regular expression"),
            '<' => self.push("\\b{start}"),
            '>' => self.push("\\b{end}"),
            'b' | 'B' | 'w' | 'W' | 's' | 'S' => self.push(&format!("\\{c}")),
            '`' => self.push("\\A"),
            '\'' => self.push("\\z"),
            '1'..='9' => return Err("back references (\\1 to \\9) are not supported"),
            _ => self.literal(c),
        }
        Ok(())
    }

    /// Translates a repetition such as `\{2,5\}`.
    fn interval(&mut self) -> Translated<()> {
        let mut text = String::new();
        loop {
            match self.rest.next().ok_or("Unmatched \\{")? {
                '\\' if self.rest.next() == Some('}') => break,
                c @ ('0'..='9' | ',') => text.push(c),
                _ => return Err("Invalid content of \\{\\}"),
            }
        }
        let numbers = |text: &str| -> Option<(u32, Option<u32>)> {
            let (least, most) = text
                .split_once(',')
                .map_or((text, Some(text)), |(least, most)| (least, (!most.is_empty()).then_some(most)));
            let least = if least.is_empty() && text.contains(',') { 0 } else { least.parse().ok()? };
            Some((least, most.map(str::parse).transpose().ok()?))
        };
        let (least, most) = numbers(&text).ok_or("Invalid content of \\{\\}")?;
        if most.is_some_and(|most| most < least) {
            return Err("Invalid content of \\{\\}");
        }
        self.repeat(&match most {
            Some(most) => format!("{{{least},{most}}}"),
            None => format!("{{{least},}}"),
        });
        Ok(())
    }

    /// Translates a bracket expression, such as `[^]a-z[:digit:]]`.
    fn bracket(&mut self) -> Translated<()> {
        const UNMATCHED: &str = "Unmatched [, [^, [:, [., or [=";
        let mut class = String::from("[");
        if self.rest.next_if_eq(&'^').is_some() {
            class.push('^');
        }
        let mut is_first = true;
        loop {
            let c = self.rest.next().ok_or(UNMATCHED)?;
            if c == ']' && !is_first {
                break;
            }
            is_first = false;
            if c == '[' && self.rest.peek() == Some(&':') {
                class += class_named(&self.named(':').ok_or(UNMATCHED)?).ok_or("Invalid character class name")?;
                continue;
            }
            let low = self.member(c).ok_or(UNMATCHED)?;
            let mut after = self.rest.clone();
            let high = if after.next() == Some('-') && after.peek().is_some_and(|&next| next != ']') {
                self.rest.next();
                let c = self.rest.next().ok_or(UNMATCHED)?;
                self.member(c).ok_or(UNMATCHED)?
            } else {
                low
            };
            if high < low {
                return Err("Invalid range end");
            }
            class += &format!("\\x{{{:x}}}-\\x{{{:x}}}", u32::from(low), u32::from(high));
        }
        class.push(']');
        self.push(&class);
        Ok(())
    }

    /// Reads a member of a bracket expression, which may have the form `[.a.]` or `[=a=]`.
    fn member(&mut self, c: char) -> Option<char> {
        match self.rest.peek() {
            Some(&mark @ ('.' | '=')) if c == '[' => {
                let name = self.named(mark)?;
                let mut name = name.chars();
                name.next().filter(|_| name.next().is_none())
            }
            _ => Some(c),
        }
    }

    /// Returns the name between two marks and skips the bracket after it.
    fn named(&mut self, mark: char) -> Option<String> {
        self.rest.next();
        let mut name = String::new();
        loop {
            let c = self.rest.next()?;
            if c == mark && self.rest.next_if_eq(&']').is_some() {
                return Some(name);
            }
            name.push(c);
        }
    }
}

fn class_named(name: &str) -> Option<&'static str> {
    Some(match name {
        "alpha" => "\\p{Alphabetic}",
        "digit" => "0-9",
        "alnum" => "\\p{Alphabetic}\\p{Nd}",
        "upper" => "\\p{Uppercase}",
        "lower" => "\\p{Lowercase}",
        "space" => "\\s",
        "blank" => "\\x20\\t",
        "punct" => "[:punct:]\\p{P}\\p{S}",
        "print" => "\\PC",
        "graph" => "[\\PC--\\s]",
        "cntrl" => "\\p{Cc}",
        "xdigit" => "0-9A-Fa-f",
        _ => return None,
    })
    .map(|class| if class == "[:punct:]\\p{P}\\p{S}" { "[[:punct:]]\\p{P}\\p{S}" } else { class })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_are_those_of_grep() {
        for (pattern, yes, no) in [
            ("", "x", ""),
            ("a.c", "xabcx", "ac"),
            ("*a", "*a", "a"),
            ("^*a", "*a", "a"),
            ("a*b", "b", "a"),
            ("^a\\|b$", "ax", "xa"),
            ("a+", "a+", "aa"),
            ("xa\\+y", "xaay", "xy"),
            ("xa\\?y", "xy", "xaay"),
            ("\\(ab\\)*c\\{2\\}", "cc", "c"),
            ("xa\\{2,3\\}y", "xaaay", "xay"),
            ("a^b$c", "a^b$c", "abc"),
            ("[]x]", "]", "a"),
            ("[^]x]", "a", "]"),
            ("[a-c[:digit:]]", "7", "d"),
            ("[\\]", "\\", "a"),
            ("\\<ab\\>", "x ab y", "xab"),
            ("\\(^a\\)", "ab", "ba"),
            ("é[[:alpha:]]", "éà", "é1"),
            ("[[:punct:]]", "!", "a"),
            ("[[.a.]-[=c=]]", "b", "d"),
            ("(a)", "(a)", "a"),
            ("a\nb", "b", "c"),
            ("a**b", "aab", "c"),
            ("\\.", ".", "a"),
        ] {
            let set = any_of(&[pattern.into()]).unwrap_or_else(|error| panic!("{pattern}: {error}"));
            assert!(set.is_match(yes.as_bytes()), "{pattern}");
            assert!(no.is_empty() || !set.is_match(no.as_bytes()), "{pattern}");
        }
        for pattern in [
            "\\(",
            "a\\)",
            "a\\{1",
            "a\\{x\\}",
            "\\{1\\}",
            "[",
            "[a",
            "[[:x:]]",
            "\\",
            "\\(a\\)\\1",
            "[b-a]",
            "a\\{2,1\\}",
        ] {
            assert!(any_of(&[pattern.into()]).is_err(), "{pattern}");
        }
    }
}
