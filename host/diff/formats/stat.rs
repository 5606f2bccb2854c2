//! Numbers of lines that differ in each file, with a bar, as `git diff --stat` prints them.

use super::layout::RESET;
use std::io::{self, Write};

/// A row of the table: a file and its changes. As in the [example](write_stat).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counts {
    /// Name of the file, or both names.
    pub name: String,
    /// Lines inserted.
    pub inserted: u64,
    /// Lines deleted.
    pub deleted: u64,
    /// For a binary file, its size in bytes before and after, printed instead of lines.
    pub binary: Option<[u64; 2]>,
}

impl Counts {
    /// Joins two names to one, with the parts that differ in braces: `src/{a => b}/main.rs`. As in
    /// the [example](write_stat).
    pub fn name_of(a: &str, b: &str) -> String {
        if a == b {
            return a.to_owned();
        }
        // Common parts: up to a slash that both names have, and from a slash on.
        let before = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b);
        let before =
            before.enumerate().filter(|&(_, (byte, _))| byte == b'/').map(|(at, _)| at + 1).last().unwrap_or(0);
        // The slash at the end of the common start may also begin the common end.
        let floor = before.saturating_sub(usize::from(before > 0));
        let rest_a = a.get(floor..).unwrap_or_default();
        let rest_b = b.get(floor..).unwrap_or_default();
        let after = rest_a.bytes().rev().zip(rest_b.bytes().rev()).take_while(|(a, b)| a == b);
        let after = after.enumerate().filter(|&(_, (byte, _))| byte == b'/').map(|(at, _)| at + 1).last().unwrap_or(0);
        if before + after == 0 {
            return format!("{a} => {b}");
        }
        let part = |name: &'_ str| name.get(before..(name.len() - after).max(before)).unwrap_or_default().to_owned();
        let start = a.get(..before).unwrap_or_default();
        let end = a.get(a.len() - after..).unwrap_or_default();
        format!("{start}{{{} => {}}}{end}", part(a), part(b))
    }
}

/// Returns the length of the bar for a number of lines, if the largest number has `width` signs.
fn scaled(lines: u64, width: u64, largest: u64) -> u64 {
    if lines == 0 { 0 } else { 1 + lines * (width - 1) / largest.max(1) }
}

fn count(number: u64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// Prints a line for each file, with a bar, in at most `width` columns, and a line with the sums.
///
/// ```
/// use carrywave::diff::{Counts, write_stat};
///
/// let name = Counts::name_of("src/a.rs", "src/b.rs");
/// let mut text = Vec::new();
/// write_stat(&mut text, &[Counts { name, inserted: 2, deleted: 1, binary: None }], 80, false)?;
/// assert!(text.starts_with(b" src/{a.rs => b.rs} | 3 ++-\n"));
/// # Ok::<(), std::io::Error>(())
/// ```
///
/// # Errors
/// Errors of writing to `out`.
pub fn write_stat(out: &mut dyn Write, files: &[Counts], width: usize, colors: bool) -> io::Result<()> {
    if files.is_empty() {
        return Ok(());
    }
    let largest = files.iter().map(|file| file.inserted + file.deleted).max().unwrap_or(0);
    let has_binary = files.iter().any(|file| file.binary.is_some());
    let digits = largest.to_string().len().max(if has_binary { 3 } else { 0 });
    let longest = files.iter().map(|file| file.name.chars().count()).max().unwrap_or(0);
    let width = width.max(16 + 6 + digits);
    let mut names = longest;
    let mut bar = largest as usize;
    if names + digits + 6 + bar > width {
        bar = bar.min((width * 3 / 8).saturating_sub(digits + 6).max(6));
        if names > width - digits - 6 - bar {
            names = width - digits - 6 - bar;
        } else {
            bar = width - digits - 6 - names;
        }
    }
    for file in files {
        let length = file.name.chars().count();
        let name = if length > names {
            let end: String = file.name.chars().skip(length - names.saturating_sub(3)).collect();
            // Cuts at a slash, if there is one.
            let from = end.find('/').unwrap_or(0);
            format!("...{}", end.get(from..).unwrap_or_default())
        } else {
            file.name.clone()
        };
        write!(out, " {name:names$} | ")?;
        if let Some([before, after]) = file.binary {
            writeln!(out, "{:>digits$} {before} -> {after} bytes", "Bin")?;
            continue;
        }
        let lines = file.inserted + file.deleted;
        write!(out, "{lines:>digits$}")?;
        if lines > 0 {
            let mut inserted = file.inserted;
            let mut deleted = file.deleted;
            if largest > bar as u64 {
                let mut total = scaled(lines, bar as u64, largest);
                if total < 2 && inserted > 0 && deleted > 0 {
                    total = 2;
                }
                if inserted < deleted {
                    inserted = scaled(inserted, bar as u64, largest);
                    deleted = total - inserted.min(total);
                } else {
                    deleted = scaled(deleted, bar as u64, largest);
                    inserted = total - deleted.min(total);
                }
            }
            out.write_all(b" ")?;
            for (sign, number, color) in [("+", inserted, "\x1b[32m"), ("-", deleted, "\x1b[31m")] {
                let signs = sign.repeat(number as usize);
                if colors && number > 0 {
                    write!(out, "{color}{signs}")?;
                    out.write_all(RESET)?;
                } else {
                    out.write_all(signs.as_bytes())?;
                }
            }
        }
        out.write_all(b"\n")?;
    }
    let sum = |of: fn(&Counts) -> u64| files.iter().map(of).sum::<u64>();
    let (inserted, deleted) = (sum(|file| file.inserted), sum(|file| file.deleted));
    write!(out, " {} changed", count(files.len() as u64, "file"))?;
    if inserted > 0 || deleted == 0 {
        write!(out, ", {}(+)", count(inserted, "insertion"))?;
    }
    if deleted > 0 || inserted == 0 {
        write!(out, ", {}(-)", count(deleted, "deletion"))?;
    }
    out.write_all(b"\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_two_files() {
        let cases = [
            ("a", "a", "a"),
            ("a", "b", "a => b"),
            ("d1/f", "d2/f", "{d1 => d2}/f"),
            ("d/a", "d/b", "d/{a => b}"),
            ("x/old/f", "x/new/f", "x/{old => new}/f"),
            ("x/f", "x/y/f", "x/{ => y}/f"),
            ("d1/f2", "d2/new", "d1/f2 => d2/new"),
        ];
        for (a, b, name) in cases {
            assert_eq!(Counts::name_of(a, b), name);
        }
    }

    #[test]
    fn bars_are_scaled() {
        let file = |name: &str, inserted, deleted| Counts { name: name.into(), inserted, deleted, binary: None };
        let print = |files: &[Counts], width| {
            let mut out = Vec::new();
            write_stat(&mut out, files, width, false).unwrap();
            String::from_utf8(out).unwrap()
        };
        assert_eq!(
            print(&[file("a", 2, 1), file("long", 0, 1)], 80),
            " a    | 3 ++-\n long | 1 -\n 2 files changed, 2 insertions(+), 2 deletions(-)\n"
        );
        assert_eq!(print(&[file("a", 1, 0)], 80), " a | 1 +\n 1 file changed, 1 insertion(+)\n");
        let scaled = print(&[file("a", 1000, 1), file("b", 1, 500)], 40);
        assert!(scaled.lines().take(2).all(|line| line.len() <= 40) && scaled.contains('-'), "{scaled}");
        let binary = Counts { binary: Some([0, 12]), ..file("x", 0, 0) };
        assert!(print(&[binary], 80).starts_with(" x | Bin 0 -> 12 bytes\n"));
    }
}
