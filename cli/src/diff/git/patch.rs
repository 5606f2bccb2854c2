//! A file change that git describes, and the heads of its patches.

use super::objects::Index;
use super::settings::Settings;
use super::version::Version;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

/// The two versions of a changed file, as git passes them.
pub struct Change<'w> {
    versions: [Version<'w>; 2],
    /// Lines that git writes about a renamed file.
    about: &'w [u8],
}

impl<'w> Change<'w> {
    /// Parses git's words. Returns `None` if the words do not have git's form.
    pub fn parse(words: &'w [OsString]) -> Option<Self> {
        let [path, old_file, old_object, old_mode, new_file, new_object, new_mode, rest @ ..] = words else {
            return None;
        };
        let (to, about) = match rest {
            [] => (path, &b""[..]),
            // No `about` lines: only the names or the modes differ.
            [to] => (to, &b""[..]),
            [to, about] => (to, about.as_encoded_bytes()),
            _ => return None,
        };
        let old = Version::parse(path, [old_file, old_object, old_mode])?;
        let new = Version::parse(to, [new_file, new_object, new_mode])?;
        Some(Self { versions: [old, new], about })
    }

    /// Returns the file's name before the change.
    pub fn name(&self) -> &'w OsStr {
        let [old, _] = self.versions;
        old.name
    }

    /// Returns the patches to print: one in general. If the file's type changes, a deletion and an
    /// addition, since one patch cannot express that.
    pub fn patches(&self) -> Vec<Patch<'w>> {
        let [old, new] = self.versions;
        match (old.kind(), new.kind()) {
            (Some(before), Some(after)) if before != after => {
                vec![Patch::new([old, old.absent()], b""), Patch::new([new.absent(), new], b"")]
            }
            _ => vec![Patch::new(self.versions, self.about)],
        }
    }
}

/// Two versions of a file and a head in git's format: one part of the output.
pub struct Patch<'w> {
    versions: [Version<'w>; 2],
    about: &'w [u8],
}

impl<'w> Patch<'w> {
    fn new([mut old, mut new]: [Version<'w>; 2], about: &'w [u8]) -> Self {
        // A side without a file takes the name of the other side.
        if old.mode.is_none() {
            old.name = new.name;
        } else if new.mode.is_none() {
            new.name = old.name;
        }
        Self { versions: [old, new], about }
    }

    /// Returns the paths of both contents.
    pub fn paths(&self) -> [PathBuf; 2] {
        self.versions.map(Version::path)
    }

    /// Returns the names of both versions, unquoted.
    pub fn names(&self) -> [&'w [u8]; 2] {
        self.versions.map(|version| version.name.as_encoded_bytes())
    }

    /// Returns the prefixed and quoted names of both versions, or `/dev/null` for a side without a
    /// file.
    pub fn labels(&self, settings: &Settings) -> [Vec<u8>; 2] {
        self.or_absent(self.quoted(settings))
    }

    /// Returns the unquoted names of both versions, or `/dev/null` for a side without a file.
    pub fn plain_labels(&self) -> [Vec<u8>; 2] {
        self.or_absent(self.names().map(<[u8]>::to_vec))
    }

    fn or_absent(&self, [from, to]: [Vec<u8>; 2]) -> [Vec<u8>; 2] {
        let [old, new] = self.versions;
        let label = |version: Version<'_>, label| if version.mode.is_some() { label } else { b"/dev/null".to_vec() };
        [label(old, from), label(new, to)]
    }

    fn quoted(&self, settings: &Settings) -> [Vec<u8>; 2] {
        let [old, new] = self.names().map(|name| name.strip_prefix(b"/").unwrap_or(name));
        let [before, after] = &settings.prefixes;
        [prefixed(before, old, settings.quotes_bytes), prefixed(after, new, settings.quotes_bytes)]
    }

    /// Returns true if the existence, the mode or the name differs. In this case the head is
    /// printed even without hunks.
    pub fn is_certain(&self) -> bool {
        let [old, new] = self.versions;
        let names_objects_only = self.about.is_empty() || self.about.starts_with(b"index ");
        old.mode != new.mode || !names_objects_only
    }

    /// Returns the lines before the hunks, as git writes them.
    ///
    /// For binary files the object names are not abbreviated, so that `git apply` finds the new
    /// content in the repository.
    pub fn head(&self, settings: &Settings, is_binary: bool) -> Vec<u8> {
        let [old, new] = self.versions;
        let [from, to] = self.quoted(settings);
        let mut head = [b"diff --git ", &from[..], b" ", &to, b"\n"].concat();
        let mut line = |what: &str, mode: &str| head.extend(format!("{what} {mode}\n").into_bytes());
        match [old.mode, new.mode] {
            [None, Some(mode)] => line("new file mode", mode),
            [Some(mode), None] => line("deleted file mode", mode),
            [Some(old), Some(new)] if old != new => {
                line("old mode", old);
                line("new mode", new);
            }
            _ => (),
        }
        let lines = self.about.split_inclusive(|&byte| byte == b'\n');
        let (index, others): (Vec<&[u8]>, Vec<&[u8]>) = lines.partition(|line| line.starts_with(b"index "));
        head.extend(others.concat());
        if !head.ends_with(b"\n") {
            head.push(b'\n');
        }
        match &index[..] {
            [index] if !is_binary => head.extend(*index),
            _ => head.extend(Index::new(self.versions).line(is_binary)),
        }
        head
    }
}

/// Returns a name with a prefix. Both are quoted together if either needs it. `quotes_bytes` is
/// true if bytes beyond ASCII need quoting.
fn prefixed(prefix: &[u8], name: &[u8], quotes_bytes: bool) -> Vec<u8> {
    let whole = [prefix, name].concat();
    let is_special = |&byte: &u8| matches!(byte, b'"' | b'\\' | 0..=0x1f | 0x7f) || quotes_bytes && byte >= 0x80;
    if !whole.iter().any(is_special) {
        return whole;
    }
    let mut text = vec![b'"'];
    for byte in whole {
        match byte {
            b'"' | b'\\' => text.extend([b'\\', byte]),
            7..=13 => text.extend([b'\\', b"abtnvfr"[usize::from(byte) - 7]]),
            _ if is_special(&byte) => text.extend(format!("\\{byte:03o}").into_bytes()),
            _ => text.push(byte),
        }
    }
    text.push(b'"');
    text
}

/// Formats a name for a line that begins with `---` or `+++`. A tab follows a name with a space, so
/// that `patch` finds the end of the name.
pub fn ended(mut name: Vec<u8>) -> Vec<u8> {
    if name.contains(&b' ') {
        name.push(b'\t');
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEX: &str = "0123456789012345678901234567890123456789";

    fn words(line: &str) -> Vec<OsString> {
        line.split(' ').map(OsString::from).collect()
    }

    fn patches(words: &[OsString]) -> Vec<(String, [String; 2])> {
        let settings = Settings::default();
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
        let patches = Change::parse(words).unwrap().patches();
        patches.iter().map(|patch| (text(patch.head(&settings, false)), patch.labels(&settings).map(text))).collect()
    }

    #[test]
    fn words_of_git() {
        let found = patches(&words(&format!("x /tmp/1 {HEX} 100644 x {HEX} 100755")));
        let head = "diff --git a/x b/x\nold mode 100644\nnew mode 100755\n";
        assert_eq!(found, [(head.into(), ["a/x".into(), "b/x".into()])]);
        let mut given = words(&format!("x /tmp/1 {HEX} 100644 y {HEX} 100644 y"));
        assert_eq!(patches(&given)[0].0, "diff --git a/x b/y\n");
        given.push("similarity index 90%\nrename from x\nrename to y\nindex 0..1\n".into());
        let head = "diff --git a/x b/y\nsimilarity index 90%\nrename from x\nrename to y\nindex 0..1\n";
        assert_eq!(patches(&given)[0].0, head);
        for wrong in ["a b c d e f g".into(), "a b".into(), format!("x f {HEX} 100648 x {HEX} 100644")] {
            assert!(Change::parse(&words(&wrong)).is_none(), "{wrong}");
        }
    }

    #[test]
    fn another_type_is_a_deletion_and_an_addition() {
        let found = patches(&words(&format!("x /tmp/1 {HEX} 100644 x {HEX} 120000")));
        let heads: Vec<&str> = found.iter().map(|(head, _)| head.as_str()).collect();
        assert!(heads[0].starts_with("diff --git a/x b/x\ndeleted file mode 100644\n"), "{heads:?}");
        assert!(heads[1].starts_with("diff --git a/x b/x\nnew file mode 120000\n"), "{heads:?}");
        assert_eq!([&found[0].1[1], &found[1].1[0]], ["/dev/null", "/dev/null"]);
    }

    #[test]
    fn special_bytes_are_quoted() {
        let text =
            |name: &str, quotes_bytes| String::from_utf8(prefixed(b"a/", name.as_bytes(), quotes_bytes)).unwrap();
        assert_eq!(text("a b", true), "a/a b");
        assert_eq!(text("t\tn\nr\rq\"b\\", true), r#""a/t\tn\nr\rq\"b\\""#);
        assert_eq!(text("\u{1}\u{7}\u{7f}", false), r#""a/\001\a\177""#);
        assert_eq!(text("é", true), r#""a/\303\251""#);
        assert_eq!((text("é", false), text("é\n", false)), ("a/é".into(), "\"a/é\\n\"".into()));
        assert_eq!(prefixed("ä/".as_bytes(), b"x", true), br#""\303\244/x""#);
        assert_eq!((ended(b"a/a b".to_vec()), ended(b"a/b".to_vec())), (b"a/a b\t".to_vec(), b"a/b".to_vec()));
    }
}
