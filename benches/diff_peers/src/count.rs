//! The length of a script: the lines that a unified diff deletes and inserts.

use std::io::{self, BufRead};

/// Reads a unified diff from standard input. Prints the numbers of lines that it deletes and
/// inserts, and the number of files that it reports as binary.
pub fn run() -> io::Result<()> {
    let mut input = io::BufReader::with_capacity(1 << 20, io::stdin().lock());
    let mut deleted = 0u64;
    let mut inserted = 0u64;
    let mut binary = 0u64;
    // Remaining lines of A and of B in the current hunk: within them, a line that begins with `---`
    // is a deleted line.
    let mut of_a = 0u64;
    let mut of_b = 0u64;
    let mut line = Vec::new();
    while {
        line.clear();
        input.read_until(b'\n', &mut line)? > 0
    } {
        if of_a + of_b == 0 {
            if let Some(lengths) = hunk(&line) {
                (of_a, of_b) = lengths;
            }
            binary += u64::from(line.starts_with(b"Binary files "));
            continue;
        }
        match line.first() {
            Some(b'-') => (deleted, of_a) = (deleted + 1, less(of_a)?),
            Some(b'+') => (inserted, of_b) = (inserted + 1, less(of_b)?),
            Some(b' ' | b'\n') => (of_a, of_b) = (less(of_a)?, less(of_b)?),
            Some(b'\\') => (),
            _ => return Err(io::Error::other("a hunk has a line without a mark")),
        }
    }
    if of_a + of_b > 0 {
        return Err(io::Error::other("the last hunk is cut off"));
    }
    println!("{deleted} {inserted} {binary}");
    Ok(())
}

fn less(left: u64) -> io::Result<u64> {
    left.checked_sub(1).ok_or_else(|| io::Error::other("a hunk has more lines than its head says"))
}

/// Returns the numbers of lines of A and of B in a hunk, from its head: `@@ -1,3 +1,4 @@`. A
/// missing number is 1.
fn hunk(line: &[u8]) -> Option<(u64, u64)> {
    let head = std::str::from_utf8(line.strip_prefix(b"@@ -")?.split(|&byte| byte == b'@').next()?).ok()?;
    let (a, b) = head.trim().split_once(" +")?;
    let length = |range: &str| range.split_once(',').map_or(Some(1), |(_, length)| length.parse().ok());
    Some((length(a)?, length(b)?))
}
