//! imara-diff as a program: two files, or two folders file by file in the order of their names, on
//! one thread.

use imara_diff::{Algorithm, Diff, Hunk, InternedInput, sources};
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, Write};
use std::ops::Range;
use std::path::Path;
use std::process::ExitCode;

/// Number of context lines around a change.
const CONTEXT: u32 = 3;

/// Prints the difference, and returns the exit code of GNU diff.
pub fn run(algorithm: &str, a: &Path, b: &Path) -> io::Result<ExitCode> {
    let algorithm = match algorithm {
        "histogram" => Algorithm::Histogram,
        "myers" => Algorithm::Myers,
        "minimal" => Algorithm::MyersMinimal,
        _ => return Err(io::Error::other(format!("there is no algorithm {algorithm}"))),
    };
    let mut out = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let differs = if a.is_dir() { folders(algorithm, a, b, &mut out)? } else { files(algorithm, a, b, &mut out)? };
    out.flush()?;
    Ok(ExitCode::from(u8::from(differs)))
}

fn folders(algorithm: Algorithm, a: &Path, b: &Path, out: &mut dyn Write) -> io::Result<bool> {
    let mut names = BTreeSet::<OsString>::new();
    for folder in [a, b].into_iter().filter(|folder| folder.is_dir()) {
        for entry in fs::read_dir(folder)? {
            names.insert(entry?.file_name());
        }
    }
    let mut differs = false;
    for name in names {
        let a = a.join(&name);
        let b = b.join(&name);
        let is_folder = a.is_dir() || b.is_dir();
        differs |= if is_folder { folders(algorithm, &a, &b, out)? } else { files(algorithm, &a, &b, out)? };
    }
    Ok(differs)
}

/// Returns the bytes of a file, none if it does not exist.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    match fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
        read => read,
    }
}

fn files(algorithm: Algorithm, a: &Path, b: &Path, out: &mut dyn Write) -> io::Result<bool> {
    let text_a = read(a)?;
    let text_b = read(b)?;
    if text_a == text_b {
        return Ok(false);
    }
    let is_binary = |text: &[u8]| memchr::memchr(0, &text[..text.len().min(8000)]).is_some();
    if is_binary(&text_a) || is_binary(&text_b) {
        writeln!(out, "Binary files {} and {} differ", a.display(), b.display())?;
        return Ok(true);
    }
    let input = InternedInput::new(sources::byte_lines(&text_a), sources::byte_lines(&text_b));
    let mut diff = Diff::compute(algorithm, &input);
    diff.postprocess_lines(&input);
    writeln!(out, "--- {}", a.display())?;
    writeln!(out, "+++ {}", b.display())?;
    unified(&diff, &input, out)?;
    Ok(true)
}

fn unified(diff: &Diff, input: &InternedInput<&[u8]>, out: &mut dyn Write) -> io::Result<()> {
    let mut hunks = diff.hunks().peekable();
    let mut together = Vec::<Hunk>::new();
    while let Some(hunk) = hunks.next() {
        let end = hunk.before.end;
        together.push(hunk);
        if hunks.peek().is_some_and(|next| next.before.start - end <= 2 * CONTEXT) {
            continue;
        }
        let first = &together[0];
        let last = &together[together.len() - 1];
        let before = CONTEXT.min(first.before.start).min(first.after.start);
        let after = CONTEXT.min(input.before.len() as u32 - last.before.end);
        let head = |range: Range<u32>| match range.len() {
            0 => format!("{},0", range.start),
            len => format!("{},{len}", range.start + 1),
        };
        let from = first.before.start - before;
        writeln!(
            out,
            "@@ -{} +{} @@",
            head(from..last.before.end + after),
            head(first.after.start - before..last.after.end + after)
        )?;
        let mut common = from;
        for hunk in &together {
            lines(out, b" ", input, &input.before[common as usize..hunk.before.start as usize])?;
            lines(out, b"-", input, &input.before[hunk.before.start as usize..hunk.before.end as usize])?;
            lines(out, b"+", input, &input.after[hunk.after.start as usize..hunk.after.end as usize])?;
            common = hunk.before.end;
        }
        lines(out, b" ", input, &input.before[common as usize..(common + after) as usize])?;
        together.clear();
    }
    Ok(())
}

fn lines(
    out: &mut dyn Write,
    mark: &[u8],
    input: &InternedInput<&[u8]>,
    tokens: &[imara_diff::Token],
) -> io::Result<()> {
    for &token in tokens {
        let line = input.interner[token];
        out.write_all(mark)?;
        out.write_all(line)?;
        if !line.ends_with(b"\n") {
            out.write_all(b"\n\\ No newline at end of file\n")?;
        }
    }
    Ok(())
}
