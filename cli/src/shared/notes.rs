//! Notes to the user on standard error.

use carrywave::io::output::Visible;
use carrywave::io::sequence::InputPath;
use rayon::prelude::*;
use std::cell::Cell;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

/// Symbols per task in a parallel scan of a text.
const PART: usize = 1 << 16;

thread_local! {
    /// In [`without_notes`], whether there was a note.
    static WITHHELD: Cell<Option<bool>> = const { Cell::new(None) };
}

/// Runs a job that prints no notes; `None` if it has one. The job must not wait for other threads'
/// notes.
pub fn without_notes<R>(job: impl FnOnce() -> R) -> Option<R> {
    // While the job waits for other threads, this thread may run another job.
    let before = WITHHELD.replace(Some(false));
    let result = job();
    let has_note = WITHHELD.replace(before) == Some(true);
    (!has_note).then_some(result)
}

/// Returns true if a note that comes once per run is due.
pub fn is_due(noted: &AtomicBool) -> bool {
    if WITHHELD.get().is_some() { !noted.load(Ordering::Relaxed) } else { !noted.swap(true, Ordering::Relaxed) }
}

/// Prints a line on standard error.
pub fn note(line: &str) {
    if WITHHELD.get().is_some() {
        return WITHHELD.set(Some(true));
    }
    // If standard error cannot be written, the exit code still reports the result; `eprintln!`
    // would panic.
    let _ = writeln!(io::stderr(), "carrywave: {}", Visible(line));
}

/// Returns true if a file argument stands for standard input, or for a record of it.
pub fn is_stdin(file: &OsStr) -> bool {
    InputPath::new(Path::new(file)).is_stdin()
}

/// Returns the name of a file for messages.
pub fn file_name(file: &OsStr) -> String {
    if file == "-" { "(standard input)".into() } else { file.to_string_lossy().into_owned() }
}

/// Notes, once per run, that symbols are bytes, if a typed string or a text has multi-byte
/// characters. Callers omit the note if the user chose bytes.
pub fn note_bytes<'p>(typed: impl IntoIterator<Item = &'p [u8]>, texts: &[&[u8]]) {
    static NOTED: AtomicBool = AtomicBool::new(false);
    if (typed.into_iter().any(|typed| !typed.is_ascii()) || texts.iter().any(|text| has_characters(text)))
        && is_due(&NOTED)
    {
        note("symbols are bytes here, so each non-ASCII character counts as 2 to 4 symbols");
    }
}

/// Returns true if the first non-ASCII symbols are UTF-8.
fn has_characters(text: &[u8]) -> bool {
    let Some(part) = text.par_chunks(PART).position_first(|part| !part.is_ascii()) else { return false };
    let rest = &text[part * PART..];
    let from = rest.iter().take_while(|symbol| symbol.is_ascii()).count();
    // The part may end within a character.
    std::str::from_utf8(&rest[from..rest.len().min(from + PART)])
        .map_or_else(|fault| fault.error_len().is_none(), |_| true)
}
