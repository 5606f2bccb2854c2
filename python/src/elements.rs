//! The elements of a buffer as keys: what `list(buffer)` holds, without making its objects.

use crate::items::{Keys, Numbers, Rule, raw_key};
use pyo3::prelude::*;

macro_rules! swapped {
    ($type:ty, $bytes:expr, $is_swapped:expr) => {{
        let bits = <$type>::from_ne_bytes($bytes);
        u64::from(if $is_swapped { bits.swap_bytes() } else { bits })
    }};
}

/// What the elements of a buffer are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Type {
    Signed,
    Unsigned,
    Truth,
    Float,
    Character,
}

/// How an element is stored.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Element {
    kind: Type,
    size: usize,
    is_swapped: bool,
}

impl Element {
    /// The element of a format in the notation of the module `struct`; none of one that only Python can read, as records and dates are.
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
            _ => return None,
        };
        let sizes: &[usize] = match kind {
            Type::Signed | Type::Unsigned => &[1, 2, 4, 8],
            Type::Truth => &[1],
            Type::Float => &[2, 4, 8],
            Type::Character => &[2, 4],
        };
        sizes.contains(&size).then_some(Self { kind, size, is_swapped: is_big != cfg!(target_endian = "big") })
    }

    /// Whether it is an unsigned byte.
    pub fn is_byte(self) -> bool {
        self.kind == Type::Unsigned && self.size == 1
    }

    /// The bytes of elements that are integers from 0 to 255, and of a byte each.
    pub fn as_bytes(self, bytes: &[u8]) -> Option<&[u8]> {
        let is_integer = matches!(self.kind, Type::Signed | Type::Unsigned) && self.size == 1;
        (is_integer && (self.kind == Type::Unsigned || bytes.is_ascii())).then_some(bytes)
    }

    /// An element's bytes as an unsigned number.
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

    /// The keys of all elements; none where one is no character that Python has. `is_raw` is set for an `array.array`.
    pub fn keys<'py>(
        self,
        py: Python<'py>,
        bytes: &[u8],
        numbers: &mut Numbers<'py>,
        is_raw: bool,
    ) -> PyResult<Option<Keys>> {
        let mut keys = Keys::new(bytes.len() / self.size)?;
        let is_raw = is_raw && numbers.rule() == Rule::Rapidfuzz;
        for bytes in bytes.chunks_exact(self.size) {
            let bits = self.bits(bytes);
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
                Type::Character => return Ok(None),
            };
            keys.push(key)?;
        }
        Ok(Some(keys))
    }

    /// A float of these bits.
    fn float(self, bits: u64) -> f64 {
        match self.size {
            8 => f64::from_bits(bits),
            4 => f32::from_bits(bits as u32).into(),
            _ => half(bits as u16),
        }
    }
}

/// A float of 16 bits.
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
