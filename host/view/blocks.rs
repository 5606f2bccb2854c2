//! The side-by-side view: A over B, in rows of a fixed width.
//!
//! ```text
//! first   1  ab-cd  4
//!            || |
//! second  1  abxc-  4
//! ```
//!
//! A gap is shown as `-`, a match as `|` between the rows. Positions are those of the first and the
//! last symbol in the row, 1-based as usual for genomes; a row without a symbol has no positions.
//! Bytes that are not printable ASCII are shown as `.`. In texts of characters, `.` replaces only
//! characters that a terminal would act on.

use std::io::{self, Write};

use crate::alignment::Run;
use crate::alignment::operation::Operation;
use crate::alignment::runs::{Alignment, check_length, stretch};
use crate::io::output::is_visible;
use crate::io::sequence::Sequence;

/// Default number of columns in a row, as in GenBank.
pub const WIDTH: usize = 60;

/// Upper bound on the characters of a name that are shown.
const NAME: usize = 20;

/// Writes the side-by-side view of an alignment of `a` and `b` (an LCS or an edit script), with
/// `width` columns a row, at least 1.
///
/// Memory holds one row: O(m + n) time and O(width) memory.
///
/// ```
/// use carrywave::io::sequence::Sequence;
/// use carrywave::view::blocks::write_blocks;
///
/// let [a, b] = ["abcd", "abxc"].map(Sequence::literal);
/// let lcs = carrywave::lcs(&a.symbols, &b.symbols)?;
/// let mut out = Vec::new();
/// write_blocks(&mut out, &a, &b, &lcs, 60)?;
/// assert_eq!(
///     String::from_utf8_lossy(&out),
///     "abcd  1  ab-cd  4\n         || |\nabxc  1  abxc-  4\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Errors of writing to `out`, and [`io::ErrorKind::InvalidInput`] if the lengths of the strings
/// differ from those of the alignment.
pub fn write_blocks(
    out: &mut (impl Write + ?Sized),
    a: &Sequence,
    b: &Sequence,
    alignment: &impl Alignment,
    width: usize,
) -> io::Result<()> {
    write_numbered_blocks(out, (a, Numbers::From(0)), (b, Numbers::From(0)), alignment, width)
}

/// Numbering of the symbols of a string that is part of a longer string. See the
/// [example](write_numbered_blocks).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Numbers {
    /// Ascending numbers; the value is the number of symbols before the first one.
    From(u64),
    /// Descending numbers, for a string that is read backwards; the value is the number of the
    /// first symbol.
    Down(u64),
}

impl Numbers {
    /// Returns the largest number in a string of `len` symbols.
    fn largest(self, len: u64) -> u64 {
        match self {
            Self::From(before) => before.saturating_add(len),
            Self::Down(first) => first,
        }
    }

    /// Returns the number of the symbol that follows the first `symbols` symbols.
    fn after(self, symbols: u64) -> u64 {
        match self {
            Self::From(before) => before.saturating_add(symbols).saturating_add(1),
            Self::Down(first) => first.saturating_sub(symbols),
        }
    }
}

/// Like [`write_blocks`], for parts of strings, with their positions in the whole strings.
///
/// ```
/// use carrywave::io::sequence::Sequence;
/// use carrywave::search::Search;
/// use carrywave::text::Pattern;
/// use carrywave::view::blocks::{Numbers, write_numbered_blocks};
///
/// let text = b"to carry waves";
/// let search = Search::new(Pattern::literal(b"carrywave")).errors(1);
/// let hit = search.hits(text)?[0];
/// let part = &text[hit.start as usize..hit.end as usize];
/// let alignment = search.aligner()?.align(&hit, part)?;
/// let (pattern, part) = (
///     Sequence::literal("carrywave"),
///     Sequence::new("text", part, carrywave::io::sequence::Kind::Bytes),
/// );
/// let mut out = Vec::new();
/// write_numbered_blocks(
///     &mut out,
///     (&pattern, Numbers::From(0)),
///     (&part, Numbers::From(hit.start)),
///     &alignment,
///     60,
/// )?;
/// assert_eq!(
///     String::from_utf8_lossy(&out),
///     "carrywave   1  carry-wave  9\n               ||||| ||||\ntext        4  carry wave  13\n"
/// );
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`write_blocks`].
pub fn write_numbered_blocks(
    out: &mut (impl Write + ?Sized),
    a: (&Sequence, Numbers),
    b: (&Sequence, Numbers),
    alignment: &impl Alignment,
    width: usize,
) -> io::Result<()> {
    write(out, [a, b], [Shown::Bytes(&a.0.symbols), Shown::Bytes(&b.0.symbols)], alignment, width)
}

/// Like [`write_numbered_blocks`], but shows the characters of the texts whose codes are `a` and
/// `b`, one symbol for each character. Time and memory are the same.
///
/// ```
/// use carrywave::io::sequence::{Kind, Sequence};
/// use carrywave::text::characters::code_pair;
/// use carrywave::view::blocks::{Numbers, WIDTH, write_blocks_of_text};
///
/// let texts = ["Müller", "Möler"];
/// let codes = code_pair(texts[0], texts[1]).unwrap();
/// let lcs = carrywave::lcs::Comparison::new().alignment(&codes[0], &codes[1])?;
/// let [a, b] = codes.map(|codes| Sequence::new("name", codes, Kind::Characters));
/// let mut shown = Vec::new();
/// write_blocks_of_text(
///     &mut shown,
///     [(&a, Numbers::From(0)), (&b, Numbers::From(0))],
///     texts,
///     &lcs,
///     WIDTH,
/// )?;
/// assert!(String::from_utf8_lossy(&shown).contains("Mü"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`write_blocks`].
pub fn write_blocks_of_text(
    out: &mut (impl Write + ?Sized),
    strings: [(&Sequence, Numbers); 2],
    texts: [&str; 2],
    alignment: &impl Alignment,
    width: usize,
) -> io::Result<()> {
    for ((string, _), text) in strings.into_iter().zip(texts) {
        if text.chars().count() != string.symbols.len() {
            return Err(io::Error::new(
                io::ErrorKind::InvalidInput,
                "internal: symbols and characters differ in number",
            ));
        }
    }
    write(out, strings, texts.map(|text| Shown::Text { rest: text, at: 0 }), alignment, width)
}

/// Content of a row: the bytes of a string, or its text from a character on.
#[derive(Clone, Copy)]
enum Shown<'s> {
    Bytes(&'s [u8]),
    Text { rest: &'s str, at: u64 },
}

impl Shown<'_> {
    /// Returns `len` symbols from `start` on, which is not before the end of the last call.
    fn take(&mut self, start: u64, len: u64) -> Self {
        match self {
            Self::Bytes(symbols) => Self::Bytes(stretch(symbols, start, len)),
            Self::Text { rest, at } => {
                let behind = split(rest, (start - *at) as usize).1;
                let (own, later) = split(behind, len as usize);
                (*rest, *at) = (later, start + len);
                Self::Text { rest: own, at: start }
            }
        }
    }

    /// Appends the first `count` symbols to `cells`, and keeps the others.
    fn show(&mut self, count: usize, cells: &mut Vec<u8>) {
        match self {
            Self::Bytes(symbols) => {
                let (now, later) = symbols.split_at(count.min(symbols.len()));
                cells.extend(now.iter().map(|&symbol| printable(symbol)));
                *symbols = later;
            }
            Self::Text { rest, .. } => {
                let (now, later) = split(rest, count);
                for character in now.chars() {
                    let shown = if is_visible(character) { character } else { '.' };
                    cells.extend_from_slice(shown.encode_utf8(&mut [0; 4]).as_bytes());
                }
                *rest = later;
            }
        }
    }
}

/// Splits a text after its first characters.
fn split(text: &str, characters: usize) -> (&str, &str) {
    text.split_at(text.char_indices().nth(characters).map_or(text.len(), |(at, _)| at))
}

fn write(
    out: &mut (impl Write + ?Sized),
    [(a, a_numbers), (b, b_numbers)]: [(&Sequence, Numbers); 2],
    mut shown: [Shown<'_>; 2],
    alignment: &impl Alignment,
    width: usize,
) -> io::Result<()> {
    let invalid = |fault| io::Error::new(io::ErrorKind::InvalidInput, fault);
    check_length("first", &a.symbols, alignment.a_len()).map_err(invalid)?;
    check_length("second", &b.symbols, alignment.b_len()).map_err(invalid)?;
    let largest = a_numbers.largest(alignment.a_len()).max(b_numbers.largest(alignment.b_len()));
    let mut block = Block::new(out, [&a.name, &b.name], largest, width);
    for (row, numbers) in block.rows.iter_mut().zip([a_numbers, b_numbers]) {
        row.numbers = numbers;
    }
    // An alignment may begin after the start of the strings.
    for (row, start) in block.rows.iter_mut().zip(starts(alignment)) {
        (row.before, row.after) = (start, start);
    }
    for operation in alignment.operations() {
        let len = operation.len();
        let [a, b] = &mut shown;
        let (symbols, bar) = match operation {
            Operation::Match(run) => ([Some(a.take(run.a_start, len)), Some(b.take(run.b_start, len))], b'|'),
            Operation::Insertion { a_start, .. } => ([Some(a.take(a_start, len)), None], b' '),
            Operation::Deletion { b_start, .. } => ([None, Some(b.take(b_start, len))], b' '),
            Operation::Substitution { a_start, b_start, .. } => {
                ([Some(a.take(a_start, len)), Some(b.take(b_start, len))], b' ')
            }
        };
        block.add(symbols, len, bar)?;
    }
    block.finish()
}

/// Returns the positions of the first symbols of A and B in an alignment, 0 for a string without
/// symbols in it.
fn starts(alignment: &impl Alignment) -> [u64; 2] {
    let of = |operation| match operation {
        Operation::Match(Run { a_start, b_start, .. }) | Operation::Substitution { a_start, b_start, .. } => {
            [Some(a_start), Some(b_start)]
        }
        Operation::Insertion { a_start, .. } => [Some(a_start), None],
        Operation::Deletion { b_start, .. } => [None, Some(b_start)],
    };
    [0, 1].map(|which| alignment.operations().find_map(|operation| of(operation)[which]).unwrap_or(0))
}

/// Rows of A and B that are being filled.
struct Block<'a, W: Write + ?Sized> {
    out: &'a mut W,
    rows: [Row; 2],
    bars: Vec<u8>,
    width: usize,
    digits: usize,
    first: bool,
}

/// Row of one string.
struct Row {
    /// Name, padded to the width of the longer name.
    name: String,
    cells: Vec<u8>,
    numbers: Numbers,
    /// Number of symbols of the string in the rows before this one.
    before: u64,
    /// Number of symbols of the string up to the end of this row.
    after: u64,
}

impl<'a, W: Write + ?Sized> Block<'a, W> {
    fn new(out: &'a mut W, names: [&str; 2], largest: u64, width: usize) -> Self {
        let names = names.map(|name| {
            let plain = |c: char| if is_visible(c) { c } else { '.' };
            name.chars().take(NAME).map(plain).collect::<String>()
        });
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let rows = names.map(|name| Row {
            name: format!("{name:longest$}"),
            cells: Vec::new(),
            numbers: Numbers::From(0),
            before: 0,
            after: 0,
        });
        Self { out, rows, bars: Vec::new(), width: width.max(1), digits: largest.to_string().len(), first: true }
    }

    /// Adds a column for each of `len` symbols of both strings, or of one.
    fn add(&mut self, mut symbols: [Option<Shown<'_>>; 2], len: u64, bar: u8) -> io::Result<()> {
        let mut left = len as usize;
        while left > 0 {
            if self.bars.len() == self.width {
                self.flush()?;
            }
            let now = left.min(self.width - self.bars.len());
            left -= now;
            self.bars.resize(self.bars.len() + now, bar);
            for (row, symbols) in self.rows.iter_mut().zip(&mut symbols) {
                match symbols {
                    Some(symbols) => {
                        symbols.show(now, &mut row.cells);
                        row.after += now as u64;
                    }
                    None => row.cells.resize(row.cells.len() + now, b'-'),
                }
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        if !self.first {
            writeln!(self.out)?;
        }
        self.first = false;
        self.row(0)?;
        let indent = self.rows[0].name.chars().count() + 2 + self.digits + 2;
        let bars = self.bars.trim_ascii_end();
        if !bars.is_empty() {
            write!(self.out, "{:indent$}", "")?;
            self.out.write_all(bars)?;
        }
        writeln!(self.out)?;
        self.row(1)?;
        self.bars.clear();
        for row in &mut self.rows {
            row.cells.clear();
            row.before = row.after;
        }
        Ok(())
    }

    fn row(&mut self, which: usize) -> io::Result<()> {
        let row = &self.rows[which];
        let digits = self.digits;
        if row.after == row.before {
            write!(self.out, "{}  {:digits$}  ", row.name, "")?;
            self.out.write_all(&row.cells)?;
            writeln!(self.out)
        } else {
            write!(self.out, "{}  {:digits$}  ", row.name, row.numbers.after(row.before))?;
            self.out.write_all(&row.cells)?;
            writeln!(self.out, "  {}", row.numbers.after(row.after - 1))
        }
    }

    fn finish(mut self) -> io::Result<()> {
        if self.bars.is_empty() { Ok(()) } else { self.flush() }
    }
}

fn printable(symbol: u8) -> u8 {
    if symbol.is_ascii_graphic() || symbol == b' ' { symbol } else { b'.' }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::alignment::runs::CommonSubsequence;
    use crate::io::sequence::Kind;

    fn view(a: (&str, &[u8]), b: (&str, &[u8]), runs: &[(u64, u64, u64)], width: usize) -> String {
        let [a, b] = [a, b].map(|(name, symbols)| Sequence::new(name, symbols, Kind::Bytes));
        let runs = runs.iter().map(|&(a_start, b_start, len)| Run { a_start, b_start, len });
        let lens = [&a, &b].map(|s| s.symbols.len() as u64);
        let lcs = CommonSubsequence::new(runs.collect(), lens[0], lens[1]).unwrap();
        lcs.verify(&a.symbols, &b.symbols).unwrap();
        let mut text = Vec::new();
        write_blocks(&mut text, &a, &b, &lcs, width).unwrap();
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn one_row() {
        let text = view(("first", b"abcd"), ("second", b"abxc"), &[(0, 0, 2), (2, 3, 1)], 60);
        assert_eq!(
            text,
            "\
first   1  ab-cd  4
           || |
second  1  abxc-  4
"
        );
    }

    #[test]
    fn rows_wrap_within_runs_and_gaps() {
        let text = view(("a", b"abcdef"), ("bb", b"abyyyyyydef"), &[(0, 0, 2), (3, 8, 3)], 4);
        assert_eq!(
            text,
            "\
a    1  abc-  3
        ||
bb   1  ab-y  3

a       ----

bb   4  yyyy  7

a    4  -def  6
         |||
bb   8  ydef  11
"
        );
    }

    #[test]
    fn a_row_that_is_just_full_is_followed_by_none() {
        let text = view(("a", b"abcd"), ("b", b"abcd"), &[(0, 0, 4)], 2);
        assert_eq!(text, "a  1  ab  2\n      ||\nb  1  ab  2\n\na  3  cd  4\n      ||\nb  3  cd  4\n");
        assert_eq!(view(("a", b""), ("b", b""), &[], 60), "");
        assert_eq!(view(("a", b"x"), ("b", b""), &[], 0), "a  1  x  1\n\nb     -\n");
    }

    #[test]
    fn what_a_terminal_would_act_on_is_a_dot() {
        let text = view(("a\x1b\n", b"\x1b[1m\n \xff"), ("b", b"\n"), &[(4, 0, 1)], 60);
        assert_eq!(
            text,
            "\
a..  1  .[1m. .  7
            |
b    1  ----.--  1
"
        );
    }

    #[test]
    fn rows_hold_both_strings_whole() {
        // A pseudo-random walk of runs over strings that match everywhere.
        let symbols = vec![b'x'; 10_000];
        let (mut runs, mut a, mut b, mut state) = (Vec::new(), 0, 0, 1u64);
        loop {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let (da, db, len) = (state >> 60, state >> 56 & 15, (state >> 50 & 63) + 1);
            if a + da + len > 10_000 || b + db + len > 10_000 {
                break;
            }
            runs.push((a + da, b + db, len));
            (a, b) = (a + da + len, b + db + len);
        }
        let text = view(("a", &symbols), ("b", &symbols), &runs, 37);
        let count = |name: &str| {
            let cells = text.lines().filter(|line| line.starts_with(name));
            cells.map(|line| line.matches('x').count()).sum::<usize>()
        };
        assert_eq!((count("a"), count("b")), (10_000, 10_000));
        let matched: u64 = runs.iter().map(|run| run.2).sum();
        assert_eq!(text.matches('|').count() as u64, matched);
    }

    #[test]
    fn other_strings_are_refused() {
        let lcs = CommonSubsequence::new(vec![], 1, 1).unwrap();
        let [a, b] = [Sequence::literal("a"), Sequence::literal("bb")];
        let fault = write_blocks(&mut Vec::new(), &a, &b, &lcs, WIDTH).unwrap_err();
        assert!(fault.to_string().contains("second string has 2"), "{fault}");
    }
}
