//! Paths that also choose a record of a file, or a part of it: `genome.fa:chr1:1001-2000`.

use std::path::Path;

/// A path, and the record that it chooses in its file.
///
/// A path chooses a record if no file has this path, but a file has the path before one of its
/// colons. If several colons qualify, the last one counts. Before a colon, `-` is standard input.
///
/// ```
/// use carrywave::io::sequence::InputPath;
///
/// let whole = InputPath::new("data/humanMito.fa".as_ref());
/// assert_eq!((whole.file, whole.record), ("data/humanMito.fa".as_ref(), None));
/// let part = InputPath::new("data/humanMito.fa:humanMito:1-100".as_ref());
/// assert_eq!((part.file, part.record), ("data/humanMito.fa".as_ref(), Some("humanMito:1-100")));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct InputPath<'p> {
    /// Path of the file; `-` is standard input.
    pub file: &'p Path,
    /// The chosen record or region, or `None` for the whole file.
    pub record: Option<&'p str>,
}

impl<'p> InputPath<'p> {
    /// Splits a path. Looks up which files exist; O(colons) system calls. A path that is not UTF-8
    /// chooses no record. See the [example](Self).
    pub fn new(path: &'p Path) -> Self {
        let whole = Self { file: path, record: None };
        let Some(text) = path.to_str() else { return whole };
        if !text.contains(':') || path.symlink_metadata().is_ok() {
            return whole;
        }
        let is_file = |file: &str| file == "-" || Path::new(file).metadata().is_ok_and(|about| !about.is_dir());
        let mut splits = text.rmatch_indices(':').map(|(colon, _)| (&text[..colon], &text[colon + 1..]));
        match splits.find(|(file, record)| !record.is_empty() && is_file(file)) {
            Some((file, record)) => Self { file: Path::new(file), record: Some(record) },
            None => whole,
        }
    }

    /// Returns true for standard input, also if it is for a record of it.
    ///
    /// ```
    /// assert!(carrywave::io::sequence::InputPath::new("-:chr1".as_ref()).is_stdin());
    /// ```
    pub fn is_stdin(&self) -> bool {
        self.file == Path::new("-")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_file_name_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a"), "").unwrap();
        let split = |name: &str| {
            let whole = path(name);
            let InputPath { file, record } = InputPath::new(&whole);
            (file.strip_prefix(folder.path()).unwrap().to_str().unwrap().to_owned(), record.map(str::to_owned))
        };
        let of = |file: &str, record: Option<&str>| (file.to_owned(), record.map(str::to_owned));
        assert_eq!(split("a:b:c"), of("a", Some("b:c")));
        for whole in ["a", "a:", "b:c", "b"] {
            assert_eq!(split(whole), of(whole, None));
        }
        std::fs::write(path("a:b"), "").unwrap();
        assert_eq!(split("a:b:c"), of("a:b", Some("c")));
        assert_eq!(split("a:b"), of("a:b", None));
        std::fs::create_dir(path("folder")).unwrap();
        assert_eq!(split("folder:c"), of("folder:c", None));
        let stdin = InputPath::new("-:chr1:5".as_ref());
        assert_eq!((stdin.is_stdin(), stdin.record), (true, Some("chr1:5")));
    }
}
