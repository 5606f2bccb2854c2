//! Parser for the words of a call, as GNU diff reads them: options and files in any order,
//! abbreviated names, combined letters, `-NUM`.

use std::ffi::{OsStr, OsString};

/// Says if an option of GNU diff takes a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Value {
    None,
    Needed,
    /// A value after `=` only.
    Optional,
}

/// GNU diff's options: long name, letter if any, and value. Sorted by name.
const OPTIONS: &[(&str, char, Value)] = &[
    ("binary", '\0', Value::None),
    ("brief", 'q', Value::None),
    ("changed-group-format", '\0', Value::Needed),
    ("color", '\0', Value::Optional),
    ("context", '\0', Value::Optional),
    ("ed", 'e', Value::None),
    ("exclude", 'x', Value::Needed),
    ("exclude-from", 'X', Value::Needed),
    ("expand-tabs", 't', Value::None),
    ("forward-ed", 'f', Value::None),
    ("from-file", '\0', Value::Needed),
    ("help", '\0', Value::None),
    ("horizon-lines", '\0', Value::Needed),
    ("ifdef", 'D', Value::Needed),
    ("ignore-all-space", 'w', Value::None),
    ("ignore-blank-lines", 'B', Value::None),
    ("ignore-case", 'i', Value::None),
    ("ignore-file-name-case", '\0', Value::None),
    ("ignore-matching-lines", 'I', Value::Needed),
    ("ignore-space-change", 'b', Value::None),
    ("ignore-tab-expansion", 'E', Value::None),
    ("ignore-trailing-space", 'Z', Value::None),
    ("initial-tab", 'T', Value::None),
    ("label", 'L', Value::Needed),
    ("left-column", '\0', Value::None),
    ("line-format", '\0', Value::Needed),
    ("minimal", 'd', Value::None),
    ("new-file", 'N', Value::None),
    ("new-group-format", '\0', Value::Needed),
    ("new-line-format", '\0', Value::Needed),
    ("no-dereference", '\0', Value::None),
    ("no-ignore-file-name-case", '\0', Value::None),
    ("normal", '\0', Value::None),
    ("old-group-format", '\0', Value::Needed),
    ("old-line-format", '\0', Value::Needed),
    ("paginate", 'l', Value::None),
    ("palette", '\0', Value::Needed),
    ("rcs", 'n', Value::None),
    ("recursive", 'r', Value::None),
    ("report-identical-files", 's', Value::None),
    ("show-c-function", 'p', Value::None),
    ("show-function-line", 'F', Value::Needed),
    ("side-by-side", 'y', Value::None),
    ("speed-large-files", 'H', Value::None),
    ("starting-file", 'S', Value::Needed),
    ("strip-trailing-cr", '\0', Value::None),
    ("suppress-blank-empty", '\0', Value::None),
    ("suppress-common-lines", '\0', Value::None),
    ("tabsize", '\0', Value::Needed),
    ("text", 'a', Value::None),
    ("to-file", '\0', Value::Needed),
    ("unchanged-group-format", '\0', Value::Needed),
    ("unchanged-line-format", '\0', Value::Needed),
    ("unidirectional-new-file", 'P', Value::None),
    ("unified", '\0', Value::Optional),
    ("version", '\0', Value::None),
    ("width", 'W', Value::Needed),
];

/// This program's own options with a value in the next word.
const OWN_WITH_VALUE: [&str; 6] = ["unit", "engine", "algorithm", "gpu", "gpus", "threads"];

/// A call in the spelling of the program's parser.
pub struct Words {
    /// All words: GNU's options with their full name and their value in the same word, then `--`,
    /// then the files.
    pub arguments: Vec<OsString>,
    /// Options as given, which GNU diff repeats before each pair of files of two folders.
    pub options: Vec<OsString>,
}

/// Parses the words of a call. A call of another command stays as it is.
pub fn read(arguments: impl Iterator<Item = OsString>) -> Words {
    let mut all: Vec<OsString> = arguments.collect();
    let Some(at) = command(&all).filter(|&at| all.get(at).is_some_and(|word| word == "diff")) else {
        return Words { arguments: all, options: Vec::new() };
    };
    let rest = all.split_off(at + 1);
    let mut reader = Reader { words: rest.into_iter(), arguments: all, options: Vec::new(), ..Reader::default() };
    reader.read();
    Words { arguments: reader.arguments, options: reader.options }
}

/// Index of the command's name: the first word that is neither an option nor its value.
fn command(words: &[OsString]) -> Option<usize> {
    let mut at = 1;
    while let Some(word) = words.get(at).map(|word| word.as_encoded_bytes()) {
        if !word.starts_with(b"-") {
            return Some(at);
        }
        let has_value =
            word.strip_prefix(b"--").is_some_and(|name| OWN_WITH_VALUE.iter().any(|own| own.as_bytes() == name));
        at += 1 + usize::from(has_value);
    }
    None
}

#[derive(Default)]
struct Reader {
    words: std::vec::IntoIter<OsString>,
    arguments: Vec<OsString>,
    options: Vec<OsString>,
    files: Vec<OsString>,
    /// Digits of the number of `-NUM`.
    digits: String,
    /// True if the previous option was a digit.
    after_digit: bool,
    /// True if file names are compared without case, as far as the options read say.
    ignores_name_case: bool,
}

/// Converts bytes into a word.
fn os(bytes: &[u8]) -> OsString {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt;
        OsStr::from_bytes(bytes).to_owned()
    }
    #[cfg(not(unix))]
    String::from_utf8_lossy(bytes).into_owned().into()
}

impl Reader {
    fn read(&mut self) {
        while let Some(word) = self.words.next() {
            let bytes = word.as_encoded_bytes().to_vec();
            match &bytes[..] {
                b"--" => {
                    self.options.push(word);
                    let rest = std::mem::take(&mut self.words);
                    self.files.extend(rest);
                }
                [b'-', b'-', name @ ..] => self.long(&word, name),
                [b'-', letters @ ..] if !letters.is_empty() => {
                    self.options.push(word);
                    self.letters(letters);
                }
                _ => self.files.push(word),
            }
        }
        if !self.digits.is_empty() {
            self.arguments.push(format!("--num={}", self.digits).into());
        }
        self.arguments.push("--".into());
        self.arguments.append(&mut self.files);
    }

    /// Adds an option of GNU diff with its full name.
    fn add(&mut self, name: &str, value: Option<&[u8]>) {
        match name {
            "ignore-file-name-case" => self.ignores_name_case = true,
            "no-ignore-file-name-case" => self.ignores_name_case = false,
            _ => (),
        }
        // As in GNU diff, a pattern ignores case if --ignore-file-name-case precedes it.
        let name = match name {
            "exclude" | "exclude-from" if self.ignores_name_case => format!("{name}-any-case"),
            _ => name.to_owned(),
        };
        let mut word = format!("--{name}").into_bytes();
        if let Some(value) = value {
            word.push(b'=');
            word.extend_from_slice(value);
        }
        self.arguments.push(os(&word));
        self.after_digit = false;
    }

    fn long(&mut self, word: &OsStr, text: &[u8]) {
        self.options.push(word.to_owned());
        let equals = text.iter().position(|&byte| byte == b'=');
        let (name, value) = match equals {
            Some(at) => (text.get(..at).unwrap_or_default(), text.get(at + 1..)),
            None => (text, None),
        };
        let is_own_with_value = OWN_WITH_VALUE.iter().any(|own| own.as_bytes() == name);
        let option = OPTIONS.iter().find(|(option, ..)| option.as_bytes() == name).or_else(|| {
            if is_own_with_value {
                return None;
            }
            let mut like =
                OPTIONS.iter().filter(|(option, ..)| !name.is_empty() && option.as_bytes().starts_with(name));
            like.next().filter(|_| like.next().is_none())
        });
        match option {
            Some((name, _, Value::Needed)) if value.is_none() => match self.words.next() {
                Some(next) => {
                    self.add(name, Some(next.as_encoded_bytes()));
                    self.options.push(next);
                }
                None => self.add(name, None),
            },
            Some((name, ..)) => self.add(name, value),
            None => {
                self.arguments.push(word.to_owned());
                if value.is_none()
                    && is_own_with_value
                    && let Some(next) = self.words.next()
                {
                    self.options.push(next.clone());
                    self.arguments.push(next);
                }
                self.after_digit = false;
            }
        }
    }

    /// Reads the letters after one dash. An option's value is the rest of the word or, if that is
    /// empty, the next word.
    fn letters(&mut self, letters: &[u8]) {
        let mut rest = letters;
        while let Some((&letter, after)) = rest.split_first() {
            rest = after;
            let name = match letter {
                b'0'..=b'9' => {
                    if !self.after_digit {
                        self.digits.clear();
                    }
                    self.digits.push(letter.into());
                    self.after_digit = true;
                    continue;
                }
                b'C' => Some(("context", Value::Needed)),
                b'U' => Some(("unified", Value::Needed)),
                _ => {
                    let letter = char::from(letter);
                    let option = OPTIONS.iter().find(|(_, own, _)| *own == letter && letter != '\0');
                    option.map(|&(name, _, value)| (name, value))
                }
            };
            match name {
                Some((name, Value::Needed)) => {
                    self.value(rest, |reader, value| reader.add(name, value));
                    return;
                }
                Some((name, _)) => self.add(name, None),
                // -o takes the path of the output file.
                None if letter == b'o' => {
                    self.value(rest, |reader, value| {
                        reader.arguments.push("-o".into());
                        reader.arguments.extend(value.map(os));
                    });
                    return;
                }
                None => {
                    // Not an option of GNU diff: either this program's own, or an error that the
                    // parser reports as typed.
                    let is_ascii = letter.is_ascii();
                    self.arguments.push(if is_ascii { os(&[b'-', letter]) } else { os(&[b"-", letters].concat()) });
                    self.after_digit = false;
                    if !is_ascii {
                        return;
                    }
                }
            }
        }
    }

    /// Passes on an option's value: the rest of the word or, if that is empty, the next word.
    fn value(&mut self, rest: &[u8], mut with: impl FnMut(&mut Self, Option<&[u8]>)) {
        if !rest.is_empty() {
            return with(self, Some(rest));
        }
        let next = self.words.next();
        with(self, next.as_ref().map(|next| next.as_encoded_bytes()));
        self.options.extend(next);
    }
}

/// Returns the words, each after a space, quoted for a shell.
pub fn quoted_for_shell(words: &[OsString]) -> Vec<u8> {
    let mut text = Vec::new();
    for word in words {
        let word = word.as_encoded_bytes();
        text.push(b' ');
        let special = |&(at, &byte): &(usize, &u8)| match byte {
            b' ' | b'!' | b'"' | b'$' | b'&' | b'\'' | b'(' | b')' | b'*' | b';' | b'<' | b'=' | b'>' | b'?' | b'['
            | b'\\' | b'^' | b'`' | b'|' | b'\n' | b'\r' | b'\t' => true,
            b'#' | b'~' => at == 0,
            b'{' | b'}' => word.len() == 1,
            _ => false,
        };
        if !word.is_empty() && word.iter().enumerate().find(special).is_none() {
            text.extend(word);
            continue;
        }
        text.push(b'\'');
        for &byte in word {
            if byte == b'\'' { text.extend(b"'\\''") } else { text.push(byte) }
        }
        text.push(b'\'');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> (String, String) {
        let words = super::read(["carrywave", "diff"].into_iter().chain(line.split_whitespace()).map(OsString::from));
        let line = |words: &[OsString]| words.iter().map(|word| word.to_str().unwrap()).collect::<Vec<_>>().join(" ");
        (line(&words.arguments[2..]), line(&words.options))
    }

    #[test]
    fn words_are_read_as_by_gnu_diff() {
        for (given, arguments, options) in [
            ("a b", "-- a b", ""),
            ("a -u b", "-u -- a b", "-u"),
            ("-ru5 a b --ignore-ca", "--recursive -u --ignore-case --num=5 -- a b", "-ru5 --ignore-ca"),
            ("-1 -2u a", "-u --num=12 -- a", "-1 -2u"),
            ("-1u2 a", "-u --num=2 -- a", "-1u2"),
            ("-U 3 a -U3 -C4", "--unified=3 --unified=3 --context=4 -- a", "-U 3 -U3 -C4"),
            ("-uL -q -Lx -r", "-u --label=-q --label=x --recursive --", "-uL -q -Lx -r"),
            ("-q -- -u b", "--brief -- -u b", "-q --"),
            ("--exclude a --excl=b -xc d", "--exclude=a --excl=b --exclude=c -- d", "--exclude a --excl=b -xc"),
            (
                "--ignore-file -x A --unit words",
                "--ignore-file-name-case --exclude-any-case=A --unit words --",
                "--ignore-file -x A --unit words",
            ),
            ("-uo out - b", "-u -o out -- - b", "-uo out"),
            ("-h --stat --patience a", "-h --stat --patience -- a", "-h --stat --patience"),
            ("--uni=3", "--uni=3 --", "--uni=3"),
        ] {
            let expected = (arguments.to_owned(), options.to_owned());
            let found = read(given);
            assert_eq!(found, expected, "{given}");
        }
        let other = super::read(["carrywave", "--threads", "2", "search", "-5"].map(OsString::from).into_iter());
        assert_eq!(other.arguments.len(), 5);
        let after = super::read(["carrywave", "--threads", "2", "diff", "-5"].map(OsString::from).into_iter());
        assert_eq!(after.arguments[3..], ["diff", "--num=5", "--"].map(OsString::from));
    }

    #[test]
    fn words_are_quoted_as_by_gnu_diff() {
        let words = ["-x", "*.o", "--a=b", "it's", "é", "{", "{a", "a~#", "~", ""].map(OsString::from);
        assert_eq!(
            String::from_utf8(quoted_for_shell(&words)).unwrap(),
            " -x '*.o' '--a=b' 'it'\\''s' é '{' {a a~# '~' ''"
        );
    }
}
