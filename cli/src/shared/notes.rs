//! Notes to the user on standard error.

use carrywave::io::output::Visible;
use rayon::prelude::*;
use std::ffi::OsStr;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Symbols per task in a parallel scan of a text.
const PART: usize = 1 << 16;

/// Prints a line on standard error.
pub fn note(line: &str) {
    // If standard error cannot be written, the exit code still reports the result; `eprintln!`
    // would panic.
    let _ = writeln!(io::stderr(), "carrywave: {}", Visible(line));
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
        && !NOTED.swap(true, Ordering::Relaxed)
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
