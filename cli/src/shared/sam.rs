//! SAM output: records are references, patterns are reads, and each hit has a line.
//!
//! The conventions are those of `samtools calmd`: a base matches only the same base, and a code
//! other than N only the same code. NM, `=` and `X` follow this rule, whatever the search counts as
//! a match.

use super::aligned_hit::AlignedHit;
use carrywave::Result;
use carrywave::alignment::Alignment;
use carrywave::alignment::{Operation, Run};
use carrywave::error::UsageFault;
use carrywave::io::output::Visible;
use carrywave::text::Strand;
use std::collections::{HashMap, HashSet};
use std::fmt::{self, Write as _};
use std::io::{self, Write};

/// Maximum length of a read name, in characters.
const LONGEST_NAME: usize = 254;

/// Flags: unmapped read, reversed read, secondary line.
const UNMAPPED: u16 = 0x4;
const REVERSE: u16 = 0x10;
const SECONDARY: u16 = 0x100;

/// The reads. Each has a unique name, and its first line is the primary one.
#[derive(Default)]
pub struct Reads {
    names: Vec<String>,
    /// For each read, true if it has a line already.
    has_line: Vec<bool>,
}

impl Reads {
    /// Creates the reads of patterns with these names. A repeated name gets a number, such as
    /// `name_2`.
    pub fn new<'n>(patterns: impl IntoIterator<Item = &'n str>) -> Self {
        let mut names = Vec::new();
        let mut known = HashSet::new();
        let mut counts: HashMap<String, u64> = HashMap::new();
        for pattern in patterns {
            let name = read_name(pattern, LONGEST_NAME);
            let mut own = name.clone();
            while !known.insert(own.clone()) {
                let count = counts.entry(name.clone()).or_insert(1);
                *count += 1;
                let number = format!("_{count}");
                own = read_name(pattern, LONGEST_NAME - number.len()) + &number;
            }
            names.push(own);
        }
        let has_line = vec![false; names.len()];
        Self { names, has_line }
    }

    /// Writes a line for a hit of pattern `number`. Nucleotides are compared by code, other symbols
    /// by letter.
    pub fn write(
        &mut self,
        out: &mut (impl Write + ?Sized),
        number: usize,
        hit: &AlignedHit<'_>,
        nucleotides: bool,
    ) -> io::Result<()> {
        let (Some(name), Some(has_line)) = (self.names.get(number), self.has_line.get_mut(number)) else {
            return Ok(());
        };
        let is_first = !std::mem::replace(has_line, true);
        let mut symbols = hit.along_the_text();
        let mut qualities = hit.qualities.map(<[u8]>::to_vec).unwrap_or_default();
        if hit.strand == Strand::Reverse {
            qualities.reverse();
        }
        // SAM allows only letters and dots in a sequence.
        let is_sequence = symbols.iter().all(|symbol| symbol.is_ascii_alphabetic() || *symbol == b'.');
        let is_quality = qualities.len() == symbols.len() && qualities.iter().all(u8::is_ascii_graphic);
        if !is_quality || !is_sequence {
            qualities = b"*".to_vec();
        }
        let last = symbols.len().saturating_sub(hit.beyond.end as usize);
        let within = symbols.get(hit.beyond.start as usize..last).filter(|_| is_sequence);
        let compared = within.and_then(|symbols| Compared::new(hit, symbols, nucleotides));
        if !is_sequence {
            symbols = b"*".to_vec();
        }
        // A part without symbols has no position.
        if hit.start == hit.end {
            write!(out, "{name}\t{UNMAPPED}\t*\t0\t0\t*\t*\t0\t0\t")?;
            out.write_all(&symbols)?;
            out.write_all(b"\t")?;
            out.write_all(&qualities)?;
            return out.write_all(b"\n");
        }
        let strand = if hit.strand == Strand::Reverse { REVERSE } else { 0 };
        let flag = strand | if is_first { 0 } else { SECONDARY };
        let target = ReferenceName(hit.target);
        let position = hit.start + 1;
        let cigar = hit.clipped(&compared.as_ref().map_or_else(|| hit.alignment.cigar(), |own| own.cigar.clone()));
        write!(out, "{name}\t{flag}\t{target}\t{position}\t255\t{cigar}\t*\t0\t0\t")?;
        out.write_all(&symbols)?;
        out.write_all(b"\t")?;
        out.write_all(&qualities)?;
        match compared {
            Some(Compared { errors, differences, .. }) => writeln!(out, "\tNM:i:{errors}\tMD:Z:{differences}"),
            None => writeln!(out, "\tNM:i:{}", hit.alignment.errors()),
        }
    }
}

/// An alignment with the counts of SAM.
struct Compared {
    cigar: String,
    /// NM: number of differences.
    errors: u64,
    /// MD: lengths of matches, and between them the reference's symbols that differ or are deleted.
    differences: String,
}

impl Compared {
    /// Compares the sequences of an alignment. Returns `None` if a position has no symbol.
    fn new(hit: &AlignedHit<'_>, symbols: &[u8], nucleotides: bool) -> Option<Self> {
        let alignment = hit.alignment;
        if alignment.a_len() != symbols.len() as u64 || alignment.b_len() != hit.part.len() as u64 {
            return None;
        }
        let is_same = |a: u8, b: u8| {
            if nucleotides { code(a) == code(b) && code(a) != ANY } else { a.eq_ignore_ascii_case(&b) }
        };
        let mut columns = Columns::default();
        let mut differences = String::new();
        let mut matches = 0u64;
        let mut errors = 0;
        for operation in alignment.operations() {
            match *operation {
                Operation::Insertion { len, .. } => {
                    columns.add('I', len);
                    errors += len;
                }
                Operation::Deletion { b_start, len } => {
                    columns.add('D', len);
                    errors += len;
                    let deleted = hit.part.get(b_start as usize..)?.get(..len as usize)?;
                    let deleted = deleted.iter().map(|symbol| char::from(symbol.to_ascii_uppercase()));
                    let _ = write!(differences, "{matches}^{}", deleted.collect::<String>());
                    matches = 0;
                }
                Operation::Match(_) | Operation::Substitution { .. } => {
                    let Run { a_start, b_start, len } = paired(operation);
                    let own = symbols.get(a_start as usize..)?.get(..len as usize)?;
                    let other = hit.part.get(b_start as usize..)?.get(..len as usize)?;
                    for (&a, &b) in own.iter().zip(other) {
                        if is_same(a, b) {
                            columns.add('=', 1);
                            matches += 1;
                        } else {
                            columns.add('X', 1);
                            errors += 1;
                            let _ = write!(differences, "{matches}{}", char::from(b.to_ascii_uppercase()));
                            matches = 0;
                        }
                    }
                }
            }
        }
        let _ = write!(differences, "{matches}");
        Some(Self { cigar: columns.finish(), errors, differences })
    }
}

/// Returns the paired symbols of a match or a substitution.
fn paired(operation: &Operation) -> Run {
    match *operation {
        Operation::Match(run) => run,
        Operation::Substitution { a_start, b_start, len } => Run { a_start, b_start, len },
        Operation::Insertion { .. } | Operation::Deletion { .. } => Run { a_start: 0, b_start: 0, len: 0 },
    }
}

/// A CIGAR string under construction, column by column.
#[derive(Default)]
struct Columns {
    text: String,
    last: Option<char>,
    len: u64,
}

impl Columns {
    fn add(&mut self, operation: char, len: u64) {
        if self.last != Some(operation) {
            self.end();
            self.last = Some(operation);
        }
        self.len += len;
    }

    fn end(&mut self) {
        if let Some(operation) = self.last {
            // Writing to a string never fails.
            let _ = write!(self.text, "{}{operation}", self.len);
        }
        self.len = 0;
    }

    fn finish(mut self) -> String {
        self.end();
        self.text
    }
}

/// Code of N, and of letters without a code.
const ANY: u8 = 15;

/// Returns the BAM code of a letter: one bit per base that it stands for. U counts as T.
fn code(symbol: u8) -> u8 {
    match symbol.to_ascii_uppercase() {
        b'A' => 1,
        b'C' => 2,
        b'M' => 3,
        b'G' => 4,
        b'R' => 5,
        b'S' => 6,
        b'V' => 7,
        b'T' | b'U' => 8,
        b'W' => 9,
        b'Y' => 10,
        b'H' => 11,
        b'K' => 12,
        b'D' => 13,
        b'B' => 14,
        _ => ANY,
    }
}

/// A record with hits.
pub struct Reference {
    pub name: String,
    /// Number of symbols of the record.
    pub len: u64,
    pub is_circular: bool,
}

/// Returns the head of a SAM file with the given records. A record may occur in several files.
///
/// # Errors
/// [`Error::Usage`](carrywave::Error::Usage) for records of the same name with different lengths,
/// and for names that differ only in characters that SAM refuses.
pub fn sam_head(records: impl IntoIterator<Item = Reference>) -> Result<Vec<u8>> {
    let mut known: HashMap<String, Reference> = HashMap::new();
    let mut head = b"@HD\tVN:1.6\n".to_vec();
    // SAM does not allow references without symbols.
    for record in records.into_iter().filter(|record| record.len > 0) {
        let name = ReferenceName(&record.name).to_string();
        let len = record.len;
        match known.get(&name) {
            Some(Reference { len: other, .. }) if *other != len => {
                return Err(UsageFault::Combination.error(format!(
                    "two records called {name} have {len} and {other} symbols, but names in SAM are unique; search one \
                     file at a time, or use PAF"
                )));
            }
            Some(Reference { name: other, .. }) if *other != record.name => {
                let one = Visible(&record.name);
                let other = Visible(other);
                return Err(UsageFault::Combination.error(format!(
                    "the records {one} and {other} would both be {name} in SAM, which does not allow all characters in \
                     names; rename one, or use PAF"
                )));
            }
            Some(_) => {}
            None => {
                let topology = if record.is_circular { "\tTP:circular" } else { "" };
                head.extend_from_slice(format!("@SQ\tSN:{name}\tLN:{len}{topology}\n").as_bytes());
                known.insert(name, record);
            }
        }
    }
    let words: Vec<String> = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned()).collect();
    let version = env!("CARGO_PKG_VERSION");
    let line = format!("@PG\tID:carrywave\tPN:carrywave\tVN:{version}\tCL:carrywave {}\n", Visible(&words.join(" ")));
    head.extend_from_slice(line.as_bytes());
    Ok(head)
}

/// Returns a read name of at most `most` characters. Characters that SAM refuses become `_`.
fn read_name(name: &str, most: usize) -> String {
    if name.is_empty() || name == "*" {
        return "_".into();
    }
    name.chars().take(most).map(|c| if c.is_ascii_graphic() && c != '@' { c } else { '_' }).collect()
}

/// Name of a reference. Characters that SAM refuses become `_`.
struct ReferenceName<'t>(&'t str);

impl fmt::Display for ReferenceName<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            return f.write_char('_');
        }
        for (number, c) in self.0.chars().enumerate() {
            // SAM allows fewer characters at the start of a name.
            let takes = c.is_ascii_graphic() && !"\\,\"'`()[]{}<>".contains(c) && (number > 0 || !"*=".contains(c));
            f.write_char(if takes { c } else { '_' })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_sam_takes() {
        let name = |name: &str| ReferenceName(name).to_string();
        assert_eq!(name("gi|5.1_x@2"), "gi|5.1_x@2");
        assert_eq!(name("*a b\tü=(@"), "_a_b__=_@");
        assert_eq!(name(""), "_");
        assert_eq!(read_name("5'-a b\tü=(@", 9), "5'-a_b__=");
        assert_eq!((read_name("", 9), read_name("*", 9)), ("_".into(), "_".into()));
    }

    #[test]
    fn each_read_has_a_name_of_its_own() {
        let names = |of: &[&str]| Reads::new(of.iter().copied()).names;
        assert_eq!(names(&["a", "b", "a", "a_2", "a"]), ["a", "b", "a_2", "a_2_2", "a_3"]);
        let long = "x".repeat(300);
        let [one, two] = &names(&[&long, &long])[..] else { panic!() };
        assert!(one.len() == LONGEST_NAME && two.len() == LONGEST_NAME && two.ends_with("x_2"));
    }
}
