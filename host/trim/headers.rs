//! Changes of headers.

use super::template::{Facts, Template};

/// Name of the adapter of reads without one.
const NO_ADAPTER: &str = "no_adapter";

/// Changes of headers, in this order; all off by default.
///
/// ```
/// use carrywave::text::Read;
/// use carrywave::trim::{Settings, Trimmer};
///
/// let mut settings = Settings::default();
/// settings.trim_n = true;
/// settings.headers.length_tag = Some("length=".into());
/// settings.headers.prefix = "sample1:".into();
/// let trimmer = Trimmer::new(settings)?;
/// let (read, _) = trimmer.worker().trim(Read::new(b"read1 length=9", b"GATTACANN"));
/// assert_eq!(&read.name[..], b"sample1:read1 length=7");
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Headers {
    /// A word such as `length=`; the number behind it becomes the length of the read.
    pub length_tag: Option<String>,
    /// Ends that are removed from headers, one after another.
    pub stripped: Vec<String>,
    /// A text to add before the header; `{name}` in it is the name of the last adapter that was
    /// found, or `no_adapter`.
    pub prefix: String,
    /// A text to add after the header, as `prefix`.
    pub suffix: String,
    /// The template of a new header. Without it, ` rc` is added to the headers of reads that were
    /// replaced by their other strand.
    pub template: Option<Template>,
}

impl Headers {
    /// Returns true if no header changes.
    pub(super) fn is_none(&self) -> bool {
        *self == Self::default()
    }

    /// Returns the header of a read of `len` symbols without the template's change, or `None` if it
    /// stays as it is.
    pub(super) fn changed(&self, header: &[u8], len: usize, adapter: Option<&str>) -> Option<Vec<u8>> {
        let mut changed = None;
        if let Some(tag) = &self.length_tag {
            changed = with_length(header, tag.as_bytes(), len);
        }
        for end in &self.stripped {
            let own = changed.as_deref().unwrap_or(header);
            if let Some(rest) = own.strip_suffix(end.as_bytes()) {
                changed = Some(rest.to_vec());
            }
        }
        if self.prefix.is_empty() && self.suffix.is_empty() {
            return changed;
        }
        let named = |text: &String| text.replace("{name}", adapter.unwrap_or(NO_ADAPTER));
        let own = changed.as_deref().unwrap_or(header);
        Some([named(&self.prefix).as_bytes(), own, named(&self.suffix).as_bytes()].concat())
    }
}

impl<'f> Facts<'f> {
    /// Returns the facts of a read without an adapter, and without symbols that were cut off.
    pub fn new(header: &'f [u8], adapter: Option<&'f str>) -> Self {
        let adapter = adapter.unwrap_or(NO_ADAPTER);
        Self { header, adapter, matched: b"", cut_start: b"", cut_end: b"", is_reversed: false }
    }
}

/// Returns a header with a length behind each tag that is a word, in the place of the digits there;
/// `None` if it has no tag.
fn with_length(header: &[u8], tag: &[u8], len: usize) -> Option<Vec<u8>> {
    if tag.is_empty() {
        return None;
    }
    let mut changed = Vec::new();
    let mut done = 0;
    for start in memchr::memmem::find_iter(header, tag) {
        if start < done || !is_word_bound(header, start) {
            continue;
        }
        let digits_start = start + tag.len();
        let digits = header[digits_start..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        // If letters follow the digits, the tag alone may be a word.
        let Some(end) = [digits_start + digits, digits_start].into_iter().find(|end| is_word_bound(header, *end))
        else {
            continue;
        };
        changed.extend_from_slice(&header[done..digits_start]);
        changed.extend_from_slice(len.to_string().as_bytes());
        done = end;
    }
    if done == 0 {
        return None;
    }
    changed.extend_from_slice(&header[done..]);
    Some(changed)
}

/// Returns true if a word starts or ends at a place.
fn is_word_bound(text: &[u8], at: usize) -> bool {
    let is_word = |byte: Option<&u8>| byte.is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_');
    is_word(at.checked_sub(1).and_then(|before| text.get(before))) != is_word(text.get(at))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_behind_tags() {
        let of = |header: &str, tag: &str| {
            with_length(header.as_bytes(), tag.as_bytes(), 7).map(|text| String::from_utf8(text).unwrap())
        };
        assert_eq!(of("r1 length=120 x", "length=").as_deref(), Some("r1 length=7 x"));
        assert_eq!(of("length=1 length=2", "length=").as_deref(), Some("length=7 length=7"));
        assert_eq!(of("r1 xlength=120", "length="), None);
        assert_eq!(of("r1 length= x", "length="), None);
        // As Python's re.sub: the digits that are followed by letters stay.
        assert_eq!(of("r1 length=12a", "length=").as_deref(), Some("r1 length=712a"));
        assert_eq!(of("r1 12", ""), None);
    }

    #[test]
    fn ends_and_names() {
        let mut headers = Headers { stripped: vec!["/1".into(), "x".into()], ..Headers::default() };
        let of = |headers: &Headers, adapter| {
            headers.changed(b"r1x/1", 5, adapter).map(|text| String::from_utf8(text).unwrap())
        };
        assert_eq!(of(&headers, None).as_deref(), Some("r1"));
        headers.suffix = " {name}".into();
        assert_eq!(of(&headers, None).as_deref(), Some("r1 no_adapter"));
        assert_eq!(of(&headers, Some("ad")).as_deref(), Some("r1 ad"));
        assert_eq!(of(&Headers::default(), Some("ad")), None);
    }
}
