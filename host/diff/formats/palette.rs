//! The colours of a difference on a terminal.

use std::borrow::Cow;

/// Colours, as parameters of the terminal escape sequence "select graphic rendition": `1` is bold,
/// `31` red.
///
/// ```
/// use carrywave::diff::Palette;
///
/// let palette = Palette::parse(b"ad=33:de=1;35").expect("it is spelt as it should be");
/// assert_eq!((&*palette.inserted, &palette.header), (&b"33"[..], &Palette::USUAL.header));
/// assert_eq!(Palette::parse(b"added=33"), None);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Palette {
    /// The end of a colour (`rs`).
    pub reset: Cow<'static, [u8]>,
    /// The header with the names (`hd`).
    pub header: Cow<'static, [u8]>,
    /// Inserted lines (`ad`).
    pub inserted: Cow<'static, [u8]>,
    /// Deleted lines (`de`).
    pub deleted: Cow<'static, [u8]>,
    /// Line numbers (`ln`).
    pub place: Cow<'static, [u8]>,
}

impl Palette {
    /// Bold headers, green and red lines, cyan numbers, as in GNU diff and git.
    pub const USUAL: Self = Self {
        reset: Cow::Borrowed(b"0"),
        header: Cow::Borrowed(b"1"),
        inserted: Cow::Borrowed(b"32"),
        deleted: Cow::Borrowed(b"31"),
        place: Cow::Borrowed(b"36"),
    };

    /// Returns the usual palette with changes in the syntax of GNU diff's `--palette`:
    /// `ad=33:de=1;35`. Values may contain escapes, such as `\e` and `^[`. Returns `None` for a
    /// syntax error or an unknown name. As in the [example](Self).
    pub fn parse(text: &[u8]) -> Option<Self> {
        let mut palette = Self::USUAL;
        let mut rest = text;
        while let Some(&first) = rest.first() {
            if first == b':' {
                rest = rest.get(1..)?;
                continue;
            }
            let field = match rest.get(..3)? {
                b"rs=" => &mut palette.reset,
                b"hd=" => &mut palette.header,
                b"ad=" => &mut palette.inserted,
                b"de=" => &mut palette.deleted,
                b"ln=" => &mut palette.place,
                _ => return None,
            };
            let (value, len) = value(rest.get(3..)?)?;
            *field = Cow::Owned(value);
            rest = rest.get(3 + len..)?;
        }
        Some(palette)
    }
}

/// Reads the value at the start of a text, up to a colon, without its escapes. Returns it with the
/// number of bytes read.
fn value(text: &[u8]) -> Option<(Vec<u8>, usize)> {
    let mut value = Vec::new();
    let mut at = 0;
    while let Some(&byte) = text.get(at).filter(|&&byte| byte != b':') {
        at += 1;
        match byte {
            b'\\' => {
                let (escaped, len) = escaped(text.get(at..)?)?;
                value.push(escaped);
                at += len;
            }
            b'^' => {
                let control = *text.get(at)?;
                at += 1;
                value.push(match control {
                    b'@'..=b'~' => control & 0x1f,
                    b'?' => 0x7f,
                    _ => return None,
                });
            }
            _ => value.push(byte),
        }
    }
    Some((value, at))
}

/// Returns the byte that an escape stands for, after its backslash, and the length of its spelling.
fn escaped(text: &[u8]) -> Option<(u8, usize)> {
    let number = |digits: &[u8], radix: u32| {
        let digit = |byte: &u8| char::from(*byte).to_digit(radix);
        let digits: Vec<u32> = digits.iter().map_while(digit).collect();
        (
            digits.iter().fold(0u8, |number, &digit| number.wrapping_mul(radix as u8).wrapping_add(digit as u8)),
            digits.len(),
        )
    };
    Some(match *text.first()? {
        b'0'..=b'7' => number(text, 8),
        b'x' | b'X' => {
            let (byte, len) = number(text.get(1..)?, 16);
            (byte, len + 1)
        }
        b'a' => (7, 1),
        b'b' => (8, 1),
        b'e' => (27, 1),
        b'f' => (12, 1),
        b'n' => (10, 1),
        b'r' => (13, 1),
        b't' => (9, 1),
        b'v' => (11, 1),
        b'?' => (127, 1),
        b'_' => (b' ', 1),
        other => (other, 1),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn palettes_of_gnu_diff() {
        let palette = Palette::parse(b":ad=1;2:de=\\e^[\\033\\x41:rs=").unwrap();
        assert_eq!(
            (&*palette.inserted, &*palette.deleted, &*palette.reset),
            (&b"1;2"[..], &b"\x1b\x1b\x1bA"[..], &b""[..])
        );
        assert_eq!(palette.header, Palette::USUAL.header);
        assert_eq!(Palette::parse(b""), Some(Palette::USUAL));
        assert!(
            [&b"x"[..], b"zz=1", b"ad", b"ad=^", b"ad=\\", b"hd=1:zz"]
                .into_iter()
                .all(|text| Palette::parse(text).is_none())
        );
    }
}
