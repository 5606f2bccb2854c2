//! File name patterns as in POSIX's `fnmatch`: `*`, `?`, `[a-z]`, `[!a-z]`, `[[:alpha:]]`, and `\`
//! before a literal character. An unclosed bracket is a literal.

/// A file name pattern.
#[derive(Clone)]
pub struct Glob {
    pattern: Vec<u8>,
    /// True if letters match in both cases.
    any_case: bool,
}

impl Glob {
    pub fn new(pattern: &[u8], any_case: bool) -> Self {
        Self { pattern: pattern.to_vec(), any_case }
    }

    /// Returns true if the pattern matches the whole name. The characters are those of UTF-8, or
    /// bytes if the pattern or the name is not valid UTF-8.
    pub fn matches(&self, name: &[u8]) -> bool {
        let characters = |text: &[u8]| Some(std::str::from_utf8(text).ok()?.chars().map(u32::from).collect::<Vec<_>>());
        let bytes = |text: &[u8]| text.iter().copied().map(u32::from).collect::<Vec<_>>();
        match (characters(&self.pattern), characters(name)) {
            (Some(pattern), Some(name)) => self.whole(&pattern, &name),
            _ => self.whole(&bytes(&self.pattern), &bytes(name)),
        }
    }

    fn whole(&self, pattern: &[u32], name: &[u32]) -> bool {
        let mut at = 0;
        let mut from = 0;
        // After a mismatch, the last star takes one more character: (pattern position after the
        // star, end of the star's match in the name).
        let mut star = None;
        while from < name.len() || at < pattern.len() {
            if pattern.get(at) == Some(&u32::from(b'*')) {
                at += 1;
                star = Some((at, from));
                continue;
            }
            let step = name.get(from).and_then(|&c| self.one(pattern, at, c));
            match (step, star) {
                (Some(next), _) => (at, from) = (next, from + 1),
                (None, Some((after, taken))) if taken < name.len() => {
                    star = Some((after, taken + 1));
                    (at, from) = (after, taken + 1);
                }
                _ => return false,
            }
        }
        true
    }

    /// Returns the pattern position after the element at `at` if the element matches `c`.
    fn one(&self, pattern: &[u32], at: usize, c: u32) -> Option<usize> {
        let element = char::from_u32(*pattern.get(at)?);
        match element {
            Some('?') => Some(at + 1),
            Some('[') if let Some((matches, next)) = self.bracket(pattern, at + 1, c) => matches.then_some(next),
            Some('\\') if pattern.len() > at + 1 => {
                (self.fold(*pattern.get(at + 1)?) == self.fold(c)).then_some(at + 2)
            }
            _ => (self.fold(*pattern.get(at)?) == self.fold(c)).then_some(at + 1),
        }
    }

    fn fold(&self, c: u32) -> u32 {
        match char::from_u32(c) {
            Some(letter) if self.any_case => letter.to_lowercase().next().map_or(c, u32::from),
            _ => c,
        }
    }

    /// Returns whether the bracket whose contents begin at `at` contains `c`, and the position
    /// after the bracket. Returns `None` if the bracket is not closed.
    fn bracket(&self, pattern: &[u32], mut at: usize, c: u32) -> Option<(bool, usize)> {
        let is = |at: usize, byte: u8| pattern.get(at) == Some(&u32::from(byte));
        let is_negated = is(at, b'!') || is(at, b'^');
        at += usize::from(is_negated);
        let first = at;
        let mut is_in = false;
        while !is(at, b']') || at == first {
            if is(at, b'[')
                && is(at + 1, b':')
                && let Some((name, next)) = named(pattern, at + 2, b':')
            {
                is_in |= is_of_class(&name, c);
                at = next;
                continue;
            }
            let (low, next) = member(pattern, at)?;
            at = next;
            let mut high = low;
            if is(at, b'-') && !is(at + 1, b']') && pattern.get(at + 1).is_some() {
                (high, at) = member(pattern, at + 1)?;
            }
            let folded = self.fold(c);
            is_in |= low <= c && c <= high || self.any_case && self.fold(low) <= folded && folded <= self.fold(high);
        }
        Some((is_in != is_negated, at + 1))
    }
}

/// Reads a bracket member and returns it with the position after it.
fn member(pattern: &[u32], at: usize) -> Option<(u32, usize)> {
    let is = |at: usize, byte: u8| pattern.get(at) == Some(&u32::from(byte));
    for mark in *b".=" {
        if is(at, b'[')
            && is(at + 1, mark)
            && let Some((name, next)) = named(pattern, at + 2, mark)
            && let [one] = name[..]
        {
            return Some((one, next));
        }
    }
    if is(at, b'\\') {
        return Some((*pattern.get(at + 1)?, at + 2));
    }
    Some((*pattern.get(at)?, at + 1))
}

/// Returns the characters up to a mark and `]`, and the position after them.
fn named(pattern: &[u32], at: usize, mark: u8) -> Option<(Vec<u32>, usize)> {
    let rest = pattern.get(at..)?;
    let len = rest.windows(2).position(|pair| pair == [u32::from(mark), u32::from(b']')])?;
    Some((rest.get(..len)?.to_vec(), at + len + 2))
}

fn is_of_class(name: &[u32], c: u32) -> bool {
    let name: String = name.iter().filter_map(|&c| char::from_u32(c)).collect();
    let Some(c) = char::from_u32(c) else { return false };
    match &name[..] {
        "alpha" => c.is_alphabetic(),
        "digit" => c.is_ascii_digit(),
        "alnum" => c.is_alphanumeric(),
        "upper" => c.is_uppercase(),
        "lower" => c.is_lowercase(),
        "space" => c.is_whitespace(),
        "blank" => c == ' ' || c == '\t',
        "punct" => {
            c.is_ascii_punctuation() || !c.is_ascii() && !c.is_alphanumeric() && !c.is_whitespace() && !c.is_control()
        }
        "print" => !c.is_control(),
        "graph" => !c.is_control() && !c.is_whitespace(),
        "cntrl" => c.is_control(),
        "xdigit" => c.is_ascii_hexdigit(),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_match_as_in_posix() {
        let yes = [
            "* ",
            "*.o a.o",
            "a*b*c aXbYbc",
            "? é",
            "[a-c] b",
            "[!a-c] d",
            "[^a-c] d",
            "[]a] ]",
            "[!]] x",
            "[[:digit:]x] 7",
            "[ [",
            "[a [a",
            "\\* *",
            "[\\]] ]",
            "[a-] -",
            "a[[:alpha:] a[h",
            "[[=a=]] a",
            "[[.-.]] -",
            "*[0-9] x1",
            ".* .x",
            "* .x",
            "{a,b} {a,b}",
            "a\\ a\\",
            "[é-ü] ö",
            "[\\a-b] a",
        ];
        let no = ["*.o a.c", "? ", "[a-c] d", "[!a-c] b", "a b", "[[:digit:]] x", "[[:bogus:]] b", "? ab", "", "[ a"];
        for (pairs, expected) in [(&yes[..], true), (&no[..], false)] {
            for pair in pairs {
                let (pattern, name) = pair.split_once(' ').unwrap_or((pair, "x"));
                assert_eq!(Glob::new(pattern.as_bytes(), false).matches(name.as_bytes()), expected, "{pair}");
            }
        }
        assert!(Glob::new(b"A*[x-z]", true).matches(b"abY") && !Glob::new(b"A", false).matches(b"a"));
        assert!(Glob::new(b"?", false).matches(b"\xff") && Glob::new(b"\xff*", false).matches(b"\xffab"));
        let slow = ["*a".repeat(40), "a".repeat(3000) + "b"];
        assert!(!Glob::new(slow[0].as_bytes(), false).matches(slow[1].as_bytes()));
    }
}
