//! The elements of a buffer as keys: the items of `list(buffer)`, without creating the objects.

use crate::items::{Keys, Numbers, Rule, raw_key, small_key};
use crate::signals::SIGNAL_ITEMS;
use pyo3::prelude::*;

macro_rules! swapped {
    ($type:ty, $bytes:expr, $is_swapped:expr) => {{
        let bits = <$type>::from_ne_bytes($bytes);
        u64::from(if $is_swapped { bits.swap_bytes() } else { bits })
    }};
}

/// The type of a buffer's elements.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Signed,
    Unsigned,
    Truth,
    Float,
    Character,
    /// A `bytes` of one byte.
    Byte,
}

/// The layout of an element.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    kind: Type,
    size: usize,
    is_swapped: bool,
}

impl Element {
    /// Parses a format in the notation of the module `struct`. Returns `None` for formats that only
    /// Python can read, such as records.
    pub fn new(format: &[u8], size: usize) -> Option<Self> {
        let (is_big, code) = match format {
            [b'@' | b'=', code @ ..] => (cfg!(target_endian = "big"), code),
            [b'<', code @ ..] => (false, code),
            [b'>' | b'!', code @ ..] => (true, code),
            code => (cfg!(target_endian = "big"), code),
        };
        let kind = match code {
            b"b" | b"h" | b"i" | b"l" | b"q" | b"n" => Type::Signed,
            b"B" | b"H" | b"I" | b"L" | b"Q" | b"N" | b"P" => Type::Unsigned,
            b"?" => Type::Truth,
            b"e" | b"f" | b"d" => Type::Float,
            b"u" | b"w" => Type::Character,
            b"c" => Type::Byte,
            _ => return None,
        };
        let sizes: &[usize] = match kind {
            Type::Signed | Type::Unsigned => &[1, 2, 4, 8],
            Type::Truth | Type::Byte => &[1],
            Type::Float => &[2, 4, 8],
            Type::Character => &[2, 4],
        };
        sizes.contains(&size).then_some(Self { kind, size, is_swapped: is_big != cfg!(target_endian = "big") })
    }

    /// Returns true for an unsigned byte.
    pub fn is_byte(self) -> bool {
        self.kind == Type::Unsigned && self.size == 1
    }

    /// Returns the bytes, if each element is one byte and not negative.
    pub fn as_bytes(self, bytes: &[u8]) -> Option<&[u8]> {
        let are_bytes = match self.kind {
            Type::Unsigned | Type::Byte => self.size == 1,
            Type::Signed => self.size == 1 && bytes.is_ascii(),
            _ => false,
        };
        are_bytes.then_some(bytes)
    }

    /// Reads an element as an unsigned number.
    fn bits(self, bytes: &[u8]) -> u64 {
        let is_swapped = self.is_swapped;
        match *bytes {
            [a] => a.into(),
            [a, b] => swapped!(u16, [a, b], is_swapped),
            [a, b, c, d] => swapped!(u32, [a, b, c, d], is_swapped),
            [a, b, c, d, e, f, g, h] => swapped!(u64, [a, b, c, d, e, f, g, h], is_swapped),
            _ => 0,
        }
    }

    /// Returns the keys of all elements, or `None` if only Python can create the items. `is_raw` is
    /// set for an `array.array`.
    pub fn keys<'py>(
        self,
        py: Python<'py>,
        bytes: &[u8],
        numbers: &mut Numbers<'py>,
        is_raw: bool,
    ) -> PyResult<Option<Keys>> {
        let mut keys = Keys::new(bytes.len() / self.size)?;
        let is_raw = is_raw && numbers.rule() == Rule::Rapidfuzz;
        let are_plain = numbers.rule() == Rule::Python;
        for (number, bytes) in bytes.chunks_exact(self.size).enumerate() {
            if number % SIGNAL_ITEMS == SIGNAL_ITEMS - 1 {
                py.check_signals()?;
            }
            let bits = self.bits(bytes);
            if are_plain && let Some(key) = self.small(bits) {
                keys.push_narrow(key)?;
                continue;
            }
            let key = match self.kind {
                Type::Signed | Type::Unsigned => {
                    let unused = 64 - 8 * self.size;
                    let signed = i128::from((bits << unused).cast_signed() >> unused);
                    let value = if self.kind == Type::Signed { signed } else { bits.into() };
                    if is_raw { raw_key(value) } else { numbers.integer(value) }
                }
                Type::Truth => numbers.integer((bits != 0).into()),
                Type::Float => numbers.float(py, self.float(bits))?,
                Type::Character if bits < 0x11_0000 => bits.into(),
                Type::Character | Type::Byte => return Ok(None),
            };
            keys.push(key)?;
        }
        Ok(Some(keys))
    }

    /// Returns the key of a small integer by Python's rule.
    #[inline]
    fn small(self, bits: u64) -> Option<u32> {
        match self.kind {
            Type::Signed => {
                let unused = 64 - 8 * self.size;
                small_key((bits << unused).cast_signed() >> unused)
            }
            Type::Unsigned => small_key(i64::try_from(bits).ok()?),
            _ => None,
        }
    }

    /// Converts bits to a float.
    fn float(self, bits: u64) -> f64 {
        match self.size {
            8 => f64::from_bits(bits),
            4 => f32::from_bits(bits as u32).into(),
            _ => half(bits as u16),
        }
    }
}

/// Converts the bits of a 16-bit float.
fn half(bits: u16) -> f64 {
    let exponent = i32::from(bits >> 10 & 0x1f);
    let fraction = f64::from(bits & 0x3ff);
    let magnitude = match exponent {
        0 => fraction * f64::powi(2.0, -24),
        0x1f if fraction == 0.0 => f64::INFINITY,
        0x1f => f64::NAN,
        _ => (1024.0 + fraction) * f64::powi(2.0, exponent - 25),
    };
    if bits >> 15 == 0 { magnitude } else { -magnitude }
}
