//! Templates of headers.

use crate::Result;
use crate::error::UsageFault;
use std::str::FromStr;

/// A template of headers: a text with values in braces. `\t` is a tab.
///
/// | value | what |
/// |---|---|
/// | `{header}` | the header |
/// | `{id}`, `{comment}` | the header up to the first blank, and what follows the blank |
/// | `{adapter_name}` | the name of the last adapter that was found, or `no_adapter` |
/// | `{match_sequence}` | the symbols that it matched; of linked adapters both, with a comma |
/// | `{cut_prefix}`, `{cut_suffix}` | the symbols that were [cut off](super::Steps::cut_start) |
/// | `{rc}` | `rc` if the read is the other strand |
/// | `{rn}` | 1 in the first read of a pair, 2 in the second |
/// | `{r1.comment}`, `{r2.comment}` | a value, except `id`, `rc` and `rn`, of one read of a pair |
///
/// ```
/// use carrywave::text::Read;
/// use carrywave::trim::{Settings, Trimmer};
///
/// let mut settings = Settings::default();
/// settings.first.cut_start = 3;
/// settings.headers.template = Some("{id}_{cut_prefix} {comment}".parse()?);
/// let trimmer = Trimmer::new(settings)?;
/// let (read, _) = trimmer.worker().trim(Read::new(b"read1 lane 2", b"GATTACA"));
/// assert_eq!(&read.name[..], b"read1_GAT lane 2");
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    /// A value, of the read itself or of the read of a side (0 or 1).
    Value {
        value: Value,
        side: Option<usize>,
    },
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Value {
    Header,
    Id,
    Comment,
    AdapterName,
    MatchSequence,
    CutPrefix,
    CutSuffix,
    Strand,
    Number,
}

impl Value {
    const NAMES: [(&'static str, Self); 9] = [
        ("header", Self::Header),
        ("id", Self::Id),
        ("comment", Self::Comment),
        ("adapter_name", Self::AdapterName),
        ("match_sequence", Self::MatchSequence),
        ("cut_prefix", Self::CutPrefix),
        ("cut_suffix", Self::CutSuffix),
        ("rc", Self::Strand),
        ("rn", Self::Number),
    ];

    fn named(name: &str) -> Option<Self> {
        Self::NAMES.into_iter().find(|(own, _)| *own == name).map(|(_, value)| value)
    }

    /// Returns true if a template can have the value of one read of a pair.
    fn has_side(self) -> bool {
        !matches!(self, Self::Id | Self::Strand | Self::Number)
    }
}

/// Values of a read for a template.
#[derive(Debug, Clone, Copy)]
pub(super) struct Facts<'f> {
    pub header: &'f [u8],
    pub adapter: &'f str,
    pub matched: &'f [u8],
    pub cut_start: &'f [u8],
    pub cut_end: &'f [u8],
    pub is_reversed: bool,
}

impl FromStr for Template {
    type Err = crate::Error;

    /// Reads a template. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage): [`Syntax`](UsageFault::Syntax) for braces that do not
    /// fit, and for unknown values.
    fn from_str(text: &str) -> Result<Self> {
        let fault = |reason: String| UsageFault::Syntax.error(format!("the template `{text}` {reason}"));
        let text_of = |text: &str| match text.contains('}') {
            true => Err(fault("has a `}` without a `{`".into())),
            false => Ok(Part::Text(text.replace("\\t", "\t"))),
        };
        let mut parts = Vec::new();
        let mut rest = text;
        while let Some((before, behind)) = rest.split_once('{') {
            let Some((name, behind)) = behind.split_once('}') else {
                return Err(fault("has a `{` without a `}`".into()));
            };
            let of_side = [("r1.", 0), ("r2.", 1)]
                .into_iter()
                .find_map(|(start, side)| name.strip_prefix(start).map(|name| (name, Some(side))));
            let (own, side) = of_side.unwrap_or((name, None));
            let value = Value::named(own).filter(|value| side.is_none() || value.has_side());
            let Some(value) = value else {
                let names: Vec<&str> = Value::NAMES.iter().map(|(name, _)| *name).collect();
                return Err(fault(format!("has the unknown value `{{{name}}}`; known are {}", names.join(", "))));
            };
            parts.push(text_of(before)?);
            parts.push(Part::Value { value, side });
            rest = behind;
        }
        parts.push(text_of(rest)?);
        Ok(Self { parts })
    }
}

impl Template {
    /// Checks that the values are those of pairs, or of reads without pairs.
    ///
    /// ```
    /// use carrywave::trim::Template;
    ///
    /// let template: Template = "{id} {r2.cut_prefix}".parse()?;
    /// assert!(template.check(true).is_ok() && template.check(false).is_err());
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage): [`Combination`](UsageFault::Combination) for others.
    pub fn check(&self, is_paired: bool) -> Result<()> {
        for part in &self.parts {
            let Part::Value { value, side } = part else { continue };
            if is_paired && *value == Value::Strand {
                return Err(UsageFault::Combination.error("the template's value {rc} is not for pairs"));
            }
            if !is_paired && (side.is_some() || *value == Value::Number) {
                return Err(
                    UsageFault::Combination.error("the template's values {rn}, {r1.…} and {r2.…} are for pairs")
                );
            }
        }
        Ok(())
    }

    /// Returns true if the template has the symbols that an adapter matched.
    pub(super) fn has_match(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Value { value: Value::MatchSequence, .. }))
    }

    /// Returns the header of the read of a side (0 or 1), from the facts of all reads of the pair.
    pub(super) fn header(&self, facts: &[Facts<'_>], side: usize) -> Vec<u8> {
        let mut header = Vec::new();
        for part in &self.parts {
            let (value, of) = match part {
                Part::Text(text) => {
                    header.extend_from_slice(text.as_bytes());
                    continue;
                }
                Part::Value { value, side: of } => (value, &facts[of.unwrap_or(side).min(facts.len() - 1)]),
            };
            header.extend_from_slice(match value {
                Value::Header => of.header,
                Value::Id => id_and_comment(of.header)[0],
                Value::Comment => id_and_comment(of.header)[1],
                Value::AdapterName => of.adapter.as_bytes(),
                Value::MatchSequence => of.matched,
                Value::CutPrefix => of.cut_start,
                Value::CutSuffix => of.cut_end,
                Value::Strand if of.is_reversed => b"rc",
                Value::Strand => b"",
                Value::Number => [b"1", b"2"][side],
            });
        }
        header
    }
}

/// Splits a header at its first blanks. Without a comment, the first part is the whole header.
fn id_and_comment(header: &[u8]) -> [&[u8]; 2] {
    let start = header.trim_ascii_start();
    let Some(blank) = start.iter().position(u8::is_ascii_whitespace) else { return [header, b""] };
    match start[blank..].trim_ascii_start() {
        b"" => [header, b""],
        comment => [&start[..blank], comment],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_have_values() {
        let facts = |header| Facts {
            header,
            adapter: "ad",
            matched: b"ACG",
            cut_start: b"TT",
            cut_end: b"",
            is_reversed: true,
        };
        let both = [facts(b"id  a comment"), facts(b"id2")];
        let of = |text: &str, side| String::from_utf8(text.parse::<Template>().unwrap().header(&both, side)).unwrap();
        assert_eq!(of("{id}|{comment}|{header}\\t{rc}", 0), "id|a comment|id  a comment\trc");
        assert_eq!(of("{id}|{comment}|{rn}|{r1.comment}", 1), "id2||2|a comment");
        assert_eq!(of("{adapter_name}{match_sequence}{cut_prefix}{cut_suffix}.", 0), "adACGTT.");
        assert_eq!(of("", 0), "");
        assert_eq!(id_and_comment(b" x "), [&b" x "[..], b""]);
    }

    #[test]
    fn faulty_templates_are_errors() {
        for text in ["{", "}", "{id", "a}b", "{{id}}", "{x}", "{r1.id}", "{r3.comment}", "{}"] {
            assert!(text.parse::<Template>().is_err(), "{text}");
        }
        let template: Template = "{rn}".parse().unwrap();
        assert!(template.check(true).is_ok() && template.check(false).is_err());
        let template: Template = "{rc}".parse().unwrap();
        assert!(template.check(true).is_err() && template.check(false).is_ok());
    }
}
