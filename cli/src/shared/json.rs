//! JSON output.

use carrywave::io::output::is_visible;
use serde::Serialize;
use serde_json::ser::Formatter;
use std::io::{self, Write};

/// Writes a value as one line of JSON. Control characters for terminals are escaped.
pub fn write_json<W: Write + ?Sized>(out: &mut W, value: &impl Serialize) -> io::Result<()> {
    value.serialize(&mut serde_json::Serializer::with_formatter(&mut *out, Escaping))?;
    writeln!(out)
}

/// A formatter that escapes control characters for terminals in strings.
struct Escaping;

impl Formatter for Escaping {
    fn write_string_fragment<W: Write + ?Sized>(&mut self, out: &mut W, fragment: &str) -> io::Result<()> {
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| !is_visible(*c)) {
            write!(out, "{}\\u{:04x}", &rest[..at], u32::from(c))?;
            rest = &rest[at + c.len_utf8()..];
        }
        out.write_all(rest.as_bytes())
    }
}
