//! Files of a folder, searched side by side, with their output in the order of the files.
//!
//! A thread searches a small file, and writes its output into memory. A file is left to the caller
//! if its output is long, or if a note or an error is to be printed. The caller searches it with
//! all threads, after the output of the files before it. So the output is the same as that of one
//! file after the other.

use super::arguments::OutputFormat;
use super::file::{self, Outcome};
use super::output::{Out, Style};
use super::ready::Searches;
use super::session::Session;
use crate::shared::notes::without_notes;
use carrywave::device::EngineKind;
use rayon::prelude::*;
use std::collections::VecDeque;
use std::ffi::OsString;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// Maximum size of a file that one thread searches, in bytes.
const SMALL: u64 = 1 << 20;

/// Numbers of files per thread that are searched together: first few, so that the first results
/// come soon.
const FIRST: usize = 2;
const MOST: usize = 32;

/// A file, or the reason why it cannot be read.
type Found = Result<OsString, String>;

/// A file whose turn has come.
pub struct Turn {
    pub file: Found,
    /// The result, or `None` if the caller is to search the file.
    pub searched: Option<Searched>,
}

/// The result of a file.
pub struct Searched {
    pub outcome: Outcome,
    pub output: Vec<u8>,
}

/// The files of a call, in order.
pub struct Turns<'s, I> {
    files: I,
    /// Session for the files that are searched side by side, or `None` if the files are searched
    /// one after the other.
    session: Option<&'s Session<'s>>,
    style: Style<'s>,
    /// Searches that no thread uses.
    idle: Mutex<Vec<Searches<'s>>>,
    /// Files to search next, and their number per thread.
    batch: Vec<Found>,
    size: usize,
    ready: VecDeque<Turn>,
}

impl<'s, I: Iterator<Item = Found>> Turns<'s, I> {
    /// Takes the files. The session has no progress bar and no recorder.
    pub fn new(session: &'s Session<'s>, style: Style<'s>, files: I) -> Self {
        let arguments = session.arguments;
        // A separator between groups of lines, and a read's first line in SAM, depend on the files
        // before.
        let depends = arguments.context().is_some() || arguments.format == Some(OutputFormat::Sam);
        let is_cpu = session.engine.is_none_or(|engine| engine.kind() == EngineKind::Cpu);
        let is_quiet = !log::log_enabled!(log::Level::Info);
        // One thread gains, too: many files reach it in one step.
        let goes = arguments.files.is_recursive() && !arguments.whole && !depends && is_cpu && is_quiet;
        let session = goes.then_some(session);
        Self { files, session, style, idle: Mutex::default(), batch: Vec::new(), size: FIRST, ready: VecDeque::new() }
    }

    /// Returns true if the next file is not searched yet: a good time to pass on the output.
    pub fn waits(&self) -> bool {
        self.ready.is_empty()
    }

    /// Searches the next files, and finds those after them.
    fn advance(&mut self, session: &Session<'s>) {
        let count = self.size * rayon::current_num_threads();
        self.size = (2 * self.size).min(MOST);
        let Self { files, batch, idle, style, ready, .. } = self;
        let idle = &*idle;
        let style = *style;
        let own = std::mem::take(batch);
        rayon::in_place_scope(|scope| {
            scope.spawn(|_| {
                let turns = own.into_par_iter().with_max_len(1).map(|file| {
                    let searched = file.as_ref().ok().and_then(|file| search(session, style, idle, file));
                    Turn { file, searched }
                });
                *ready = turns.collect::<Vec<_>>().into();
            });
            // Meanwhile, this thread looks for files.
            *batch = files.by_ref().take(count).collect();
        });
    }
}

impl<I: Iterator<Item = Found>> Iterator for Turns<'_, I> {
    type Item = Turn;

    fn next(&mut self) -> Option<Turn> {
        let Some(session) = self.session else {
            return self.files.next().map(|file| Turn { file, searched: None });
        };
        if self.ready.is_empty() {
            // The first time, it only finds files.
            self.advance(session);
            if self.ready.is_empty() && !self.batch.is_empty() {
                self.advance(session);
            }
        }
        self.ready.pop_front()
    }
}

/// Searches a small file; `None` if the caller is to search it.
fn search<'s>(
    session: &Session<'s>,
    style: Style<'_>,
    idle: &Mutex<Vec<Searches<'s>>>,
    file: &OsString,
) -> Option<Searched> {
    let about = std::fs::metadata(Path::new(file)).ok()?;
    if !about.is_file() || about.len() > SMALL {
        return None;
    }
    let idle = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let waiting = idle().pop();
    let mut searches = waiting.unwrap_or_default();
    let mut out = Out::in_memory(style);
    let outcome = without_notes(|| file::search(session, &mut searches, file, &mut out));
    idle().push(searches);
    match outcome? {
        Ok(outcome @ (Outcome::Nothing | Outcome::Found)) => Some(Searched { outcome, output: out.into_bytes() }),
        Ok(Outcome::Failed(_)) | Err(_) => None,
    }
}
