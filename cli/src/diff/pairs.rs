//! Pairs of files and folders, chosen as by GNU diff.

use super::folders::{Entry, Names, entries, inside};
use super::format::Format;
use super::session::{Outcome, Session};
use super::side::{Identity, Side, is_same_file};
use super::side_by_side::{Done, TOGETHER};
use super::texts::FilePair;
use crate::shared::json::write_json;
use crate::shared::notes::note;
use crate::shared::output::stdout_error;
use carrywave::error::UsageFault;
use carrywave::{Error, Result};
use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::path::Path;

/// The two folders whose entries are compared.
#[derive(Clone, Copy)]
struct Parents<'p> {
    a: &'p Side,
    b: &'p Side,
    /// Name of the entry in A, or in B if A does not have it.
    name: &'p OsStr,
}

impl Session<'_> {
    /// Compares all pairs. Reports a failure and continues with the next pair.
    pub fn each(&mut self, pairs: &[[&OsStr; 2]], out: &mut dyn Write) -> Result<Outcome> {
        let mut worst = Outcome::Same;
        for [a, b] in pairs {
            worst = worst.max(match self.operands(a, b, out) {
                Err(error) if pairs.len() > 1 && is_input_error(&error) => {
                    out.flush().map_err(stdout_error)?;
                    note(&error.to_string());
                    Outcome::Trouble
                }
                outcome => outcome?,
            });
        }
        Ok(worst)
    }

    /// Compares two files, two folders, or a folder's file with a file.
    fn operands(&mut self, a: &OsStr, b: &OsStr, out: &mut dyn Write) -> Result<Outcome> {
        let files = &self.arguments.files;
        let follows = !files.no_dereference;
        let [found_a, found_b] = [a, b].map(|word| Side::new(Path::new(word), follows));
        let counts_as_empty = |error: &Error, other: &Result<Side>, counts: bool| {
            counts
                && other.is_ok()
                && matches!(error, Error::Io { source, .. } if source.kind() == io::ErrorKind::NotFound)
        };
        let new_b = files.new_file || self.is_stat();
        let new_a = new_b || files.unidirectional_new_file;
        let (a, b) = match (found_a, found_b) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(error), other) if counts_as_empty(&error, &other, new_a) => (Side::absent(Path::new(a)), other?),
            (other, Err(error)) if counts_as_empty(&error, &other, new_b) => (other?, Side::absent(Path::new(b))),
            (Err(error), Err(other)) => {
                note(&error.to_string());
                return Err(other);
            }
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        let a = self.or_absent(a, new_a);
        let b = self.or_absent(b, new_b);
        // A folder and a file: compares the file with the entry of the same name.
        let names = self.names();
        let in_folder = |folder: &Side, file: &Side| -> Result<Side> {
            let name = file.path.file_name().filter(|_| !file.is_stdin());
            let name = name.ok_or_else(|| {
                UsageFault::Combination
                    .error("standard input cannot be compared with a folder; give a file in the folder")
            })?;
            Side::new(&inside(&folder.path, name, names), follows)
        };
        let are_there = !a.is_absent() && !b.is_absent();
        let (mut a, mut b) = match (a.is_folder(), b.is_folder()) {
            (true, false) if are_there => (in_folder(&a, &b)?, b),
            (false, true) if are_there => {
                let found = in_folder(&b, &a)?;
                (a, found)
            }
            _ => (a, b),
        };
        self.pair(&mut a, &mut b, None, out)
    }

    fn names(&self) -> Names {
        Names { any_case: self.arguments.files.ignore_file_name_case }
    }

    /// True for the table of files, which includes files that are in one folder only.
    fn is_stat(&self) -> bool {
        self.format == Format::Stat
    }

    /// Replaces a file that stands for a missing one by an absent side, if absent files count as
    /// empty.
    fn or_absent(&self, side: Side, counts: bool) -> Side {
        if counts && side.is_deletion_placeholder() { Side::absent(&side.path) } else { side }
    }

    fn pair(
        &mut self,
        a: &mut Side,
        b: &mut Side,
        parents: Option<Parents<'_>>,
        out: &mut dyn Write,
    ) -> Result<Outcome> {
        let [label_a, label_b] = &self.labels;
        a.label.clone_from(label_a);
        b.label.clone_from(label_b);
        let files = &self.arguments.files;
        let is_alone = a.is_absent() != b.is_absent();
        let has_folder = a.is_folder() || b.is_folder();
        if a.is_absent() && b.is_absent() || is_same_file(a, b) && !self.style.prints_common(&self.arguments.formats) {
            return if has_folder { Ok(Outcome::Same) } else { self.same(a, b, out) };
        }
        // Beside a folder, an absent side counts as an empty folder.
        if a.is_folder() && b.is_folder() || has_folder && is_alone {
            if matches!(self.style, Format::Templates(_)) {
                return Err(UsageFault::Combination.error(
                    "templates (-D, --line-format and the like) cannot print folders; compare two files, or use \
                     another format",
                ));
            }
            if parents.is_some() && !files.recursive {
                self.message(out, &[b"Common subdirectories: ", &a.name, b" and ", &b.name])?;
                return Ok(Outcome::Same);
            }
            return self.folders(a, b, parents.is_none(), out);
        }
        if has_folder || parents.is_some() && !(a.is_comparable() && b.is_comparable()) {
            return match parents {
                Some(parents) if is_alone => {
                    let folder = if a.is_absent() { parents.b } else { parents.a };
                    self.only_in(folder, parents.name, out)
                }
                _ => self.kinds(a, b, out),
            };
        }
        // As in GNU diff, a link beside an absent side is an error: the absent side has no target.
        if a.is_link() && (b.is_link() || is_alone) || b.is_link() && is_alone {
            let target = |side: &Side| {
                std::fs::read_link(&side.path).map_err(|source| Error::Io { path: side.path.clone(), source })
            };
            if target(a)? == target(b)? {
                return self.same(a, b, out);
            }
            self.message(out, &[b"Symbolic links ", &a.name, b" and ", &b.name, b" differ"])?;
            return Ok(Outcome::Different);
        }
        if a.is_link() || b.is_link() {
            return self.kinds(a, b, out);
        }
        self.files(FilePair { a, b, is_entry: parents.is_some() }, out)
    }

    /// Reports that two files are not compared, because their types differ or are not regular.
    fn kinds(&mut self, a: &Side, b: &Side, out: &mut dyn Write) -> Result<Outcome> {
        let kind_a = a.kind().as_bytes();
        let kind_b = b.kind().as_bytes();
        self.message(out, &[b"File ", a.title(), b" is a ", kind_a, b" while file ", b.title(), b" is a ", kind_b])?;
        Ok(Outcome::Different)
    }

    /// Compares the entries of two folders.
    fn folders(&mut self, a: &Side, b: &Side, is_outermost: bool, out: &mut dyn Write) -> Result<Outcome> {
        let both = [a.identity(), b.identity()];
        for (side, (own, folder)) in both.iter().zip([a, b]).enumerate() {
            let is_own = |open: &[Option<Identity>; 2]| own.is_some() && open.get(side) == Some(own);
            if self.open.iter().any(is_own) {
                // A symbolic link leads to an enclosing folder.
                let source =
                    io::Error::other("this folder contains itself through a symbolic link; use --no-dereference");
                return Err(Error::Io { path: folder.path.clone(), source });
            }
        }
        self.open.push(both);
        let outcome = self.each_entry(a, b, is_outermost, out);
        self.open.pop();
        outcome
    }

    fn each_entry(&mut self, a: &Side, b: &Side, is_outermost: bool, out: &mut dyn Write) -> Result<Outcome> {
        let there = |side: &Side| (!side.is_absent()).then(|| side.path.clone());
        let path_a = there(a);
        let path_b = there(b);
        let start = self.arguments.files.starting_file.first().filter(|_| is_outermost);
        let mut worst = Outcome::Same;
        let paths = [path_a.as_deref(), path_b.as_deref()];
        let entries = entries(paths, &self.excluded, self.names(), start.map(OsString::as_os_str))?;
        for entries in entries.chunks(TOGETHER) {
            let done = self.side_by_side(a, b, entries)?;
            for (entry, done) in entries.iter().zip(done) {
                worst = worst.max(match done {
                    Some(done) => self.take(done, out)?,
                    None => self.entry_or_note(a, b, entry.clone(), out)?,
                });
            }
        }
        Ok(worst)
    }

    /// Prints the result of two files, and adds it to the tables.
    fn take(&mut self, done: Done, out: &mut dyn Write) -> Result<Outcome> {
        let Done { outcome, output, counts, last } = done;
        self.counts.extend(counts);
        self.last.extend(last);
        out.write_all(&output).map_err(stdout_error)?;
        Ok(outcome)
    }

    /// Compares an entry. An error of its files is a note.
    fn entry_or_note(&mut self, a: &Side, b: &Side, entry: Entry, out: &mut dyn Write) -> Result<Outcome> {
        match self.entry(a, b, entry, out) {
            Err(error) if is_input_error(&error) => {
                out.flush().map_err(stdout_error)?;
                note(&error.to_string());
                Ok(Outcome::Trouble)
            }
            outcome => outcome,
        }
    }

    /// Compares an entry of two folders.
    pub fn entry(&mut self, a: &Side, b: &Side, [in_a, in_b]: Entry, out: &mut dyn Write) -> Result<Outcome> {
        let files = &self.arguments.files;
        let new_b = files.new_file || self.is_stat();
        let new_a = new_b || files.unidirectional_new_file;
        let (Some(name), Some(name_b)) = (in_a.as_ref().or(in_b.as_ref()), in_b.as_ref().or(in_a.as_ref())) else {
            return Ok(Outcome::Same);
        };
        if in_a.is_none() && !new_a || in_b.is_none() && !new_b {
            let folder = if in_a.is_some() { a } else { b };
            return self.only_in(folder, name, out);
        }
        let side = |folder: &Side, name: &OsStr, is_there: bool| {
            let path = folder.path.join(name);
            if is_there { Side::new(&path, !files.no_dereference) } else { Ok(Side::absent(&path)) }
        };
        let (side_a, side_b) = match (side(a, name, in_a.is_some()), side(b, name_b, in_b.is_some())) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(error), Err(other)) => {
                out.flush().map_err(stdout_error)?;
                note(&error.to_string());
                return Err(other);
            }
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        let mut side_a = self.or_absent(side_a, new_a);
        let mut side_b = self.or_absent(side_b, new_b);
        self.pair(&mut side_a, &mut side_b, Some(Parents { a, b, name }), out)
    }

    fn only_in(&mut self, folder: &Side, name: &OsStr, out: &mut dyn Write) -> Result<Outcome> {
        if self.format == Format::Json {
            let path = folder.path.join(name);
            let only = Only { only: &path.to_string_lossy() };
            write_json(out, &only).map_err(stdout_error)?;
        }
        self.message(out, &[b"Only in ", &folder.name, b": ", name.as_encoded_bytes()])?;
        Ok(Outcome::Different)
    }
}

/// True if an error is about an input file, so that the comparison can continue with the others.
fn is_input_error(error: &Error) -> bool {
    matches!(error, Error::Io { path, .. } if path != Path::new("standard output"))
}

/// JSON for a file that is in one folder only.
#[derive(serde::Serialize)]
struct Only<'p> {
    only: &'p str,
}
