//! Fields and lines of tables: names without separators, and PAF.

use carrywave::io::output::is_visible;
use carrywave::text::Strand;
use std::fmt;
use std::io::{self, Write};

/// A name in a table. Blanks and control characters for terminals become `_`.
pub struct Field<'t>(pub &'t str);

impl fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use fmt::Write;
        let shown = |c: char| if c.is_whitespace() || !is_visible(c) { '_' } else { c };
        self.0.chars().try_for_each(|c| f.write_char(shown(c)))
    }
}

/// Returns the first word of a name, or `*` if there is none.
pub fn first_word(name: &str) -> &str {
    name.split_whitespace().next().unwrap_or("*")
}

/// A line of PAF without the CIGAR string. Positions are 0-based, half-open, and on the target's
/// forward strand.
pub struct PafLine<'p> {
    pub query: &'p str,
    pub query_len: u64,
    pub query_start: u64,
    pub query_end: u64,
    pub strand: Strand,
    pub target: &'p str,
    pub target_len: u64,
    pub start: u64,
    pub end: u64,
    pub matches: u64,
    /// Number of alignment columns: one per match, substitution, insertion and deletion.
    pub columns: u64,
    pub errors: u64,
}

impl PafLine<'_> {
    /// Writes the line; `write_cigar` writes the CIGAR string at its end.
    pub fn write<W: Write + ?Sized>(
        &self,
        out: &mut W,
        write_cigar: impl FnOnce(&mut W) -> io::Result<()>,
    ) -> io::Result<()> {
        let Self { query_len, query_start, query_end, target_len, start, end, matches, columns, errors, .. } = self;
        let query = Field(self.query);
        let sign = self.strand.sign();
        let target = Field(self.target);
        write!(
            out,
            "{query}\t{query_len}\t{query_start}\t{query_end}\t{sign}\t{target}\t{target_len}\t{start}\t{end}\t"
        )?;
        write!(out, "{matches}\t{columns}\t255\tNM:i:{errors}\tcg:Z:")?;
        write_cigar(out)?;
        writeln!(out)
    }
}
