//! git's call of an external diff program: `path old-file old-hex old-mode new-file new-hex new-mode`, and for a file that was renamed its new
//! name and the lines that git says of that.

use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Two versions of a file, as git gives them.
pub struct Change<'w> {
    /// The file's name before and after.
    pub names: [&'w OsStr; 2],
    /// Where both versions are.
    pub files: [&'w Path; 2],
    /// The modes, as octal numbers; none of a file that is not there.
    modes: [Option<&'w str>; 2],
    /// What git says of a renamed file.
    about: Option<&'w OsStr>,
}

impl<'w> Change<'w> {
    /// The change that these words are of, if they are git's.
    pub fn of(words: &'w [OsString]) -> Option<Self> {
        let (path, old, old_hex, old_mode, new, new_hex, new_mode, rest) = match words {
            [path, old, old_hex, old_mode, new, new_hex, new_mode, rest @ ..] if matches!(rest.len(), 0 | 2) => {
                (path, old, old_hex, old_mode, new, new_hex, new_mode, rest)
            }
            _ => return None,
        };
        let is_hex =
            |word: &OsStr| word == "." || word.len() >= 40 && word.as_encoded_bytes().iter().all(u8::is_ascii_hexdigit);
        let is_mode =
            |word: &OsStr| word == "." || word.len() == 6 && word.as_encoded_bytes().iter().all(u8::is_ascii_digit);
        if !is_hex(old_hex) || !is_hex(new_hex) || !is_mode(old_mode) || !is_mode(new_mode) {
            return None;
        }
        let mode = |mode: &'w OsString| mode.to_str().filter(|mode| *mode != ".");
        let (to, about) = match rest {
            [to, about] => (to, Some(&**about)),
            _ => (path, None),
        };
        Some(Self {
            names: [path, to],
            files: [Path::new(old), Path::new(new)],
            modes: [mode(old_mode), mode(new_mode)],
            about,
        })
    }

    /// The lines before the hunks, as git writes them.
    pub fn head(&self) -> Vec<u8> {
        let [from, to] = self.names.map(OsStr::as_encoded_bytes);
        let mut head = [b"diff --git a/", from, b" b/", to, b"\n"].concat();
        let mut line = |what: &str, mode: &str| head.extend(format!("{what} {mode}\n").into_bytes());
        match self.modes {
            [None, Some(mode)] => line("new file mode", mode),
            [Some(mode), None] => line("deleted file mode", mode),
            [Some(old), Some(new)] if old != new => {
                line("old mode", old);
                line("new mode", new);
            }
            _ => (),
        }
        if let Some(about) = self.about {
            // The modes, if git tells them, and the contents' names are not repeated.
            for line in about.as_encoded_bytes().split_inclusive(|&byte| byte == b'\n') {
                if !line.starts_with(b"index ") && !line.starts_with(b"old mode") && !line.starts_with(b"new mode") {
                    head.extend(line);
                }
            }
            if !head.ends_with(b"\n") {
                head.push(b'\n');
            }
        }
        head
    }

    /// The names in the header: `a/` and `b/` before the file's, or `/dev/null` where it is not there.
    pub fn labels(&self) -> [Vec<u8>; 2] {
        let label = |side: &str, name: &OsStr, mode: Option<&str>| match mode {
            Some(_) => [side.as_bytes(), name.as_encoded_bytes()].concat(),
            None => b"/dev/null".to_vec(),
        };
        let ([from, to], [old, new]) = (self.names, self.modes);
        [label("a/", from, old), label("b/", to, new)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    #[test]
    fn words_of_git() {
        let hex = "0123456789012345678901234567890123456789";
        let given = words(&format!("x /tmp/1 {hex} 100644 x {hex} 100755"));
        let change = Change::of(&given).unwrap();
        assert_eq!(change.head(), b"diff --git a/x b/x\nold mode 100644\nnew mode 100755\n");
        assert_eq!(change.labels(), [b"a/x".to_vec(), b"b/x".to_vec()]);
        let given = words(&format!("x /dev/null . . x {hex} 100644"));
        let change = Change::of(&given).unwrap();
        assert_eq!(change.head(), b"diff --git a/x b/x\nnew file mode 100644\n");
        assert_eq!(change.labels(), [b"/dev/null".to_vec(), b"b/x".to_vec()]);
        let mut given = words(&format!("x /tmp/1 {hex} 100644 y {hex} 100644 y"));
        given.push("similarity index 90%\nrename from x\nrename to y\nindex 0..1\n".into());
        assert_eq!(
            Change::of(&given).unwrap().head(),
            b"diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\n"
        );
        assert!(Change::of(&words("a b c d e f g")).is_none() && Change::of(&words("a b")).is_none());
    }
}
