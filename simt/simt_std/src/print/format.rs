//! C formats: the conversions, the check against the arguments, and the text that they give.

/// How C passes a number.
#[doc(hidden)]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Signed32,
    Unsigned32,
    Signed64,
    Unsigned64,
    Double,
}

/// One conversion of a format.
#[derive(Debug, Clone, Copy)]
struct Conversion {
    left: bool,
    plus: bool,
    space: bool,
    alternate: bool,
    zero: bool,
    width: usize,
    precision: Option<usize>,
    /// `ll`: 64 bits.
    long: bool,
    /// Letter of the conversion.
    letter: u8,
    /// Index in the format after the conversion.
    end: usize,
}

impl Conversion {
    /// Reads the conversion after the percent sign at `i - 1`.
    const fn read(format: &[u8], mut i: usize) -> Self {
        let mut c = Conversion {
            left: false,
            plus: false,
            space: false,
            alternate: false,
            zero: false,
            width: 0,
            precision: None,
            long: false,
            letter: 0,
            end: 0,
        };
        loop {
            match format[i] {
                b'-' => c.left = true,
                b'+' => c.plus = true,
                b' ' => c.space = true,
                b'#' => c.alternate = true,
                b'0' => c.zero = true,
                _ => break,
            }
            i += 1;
        }
        (c.width, i) = number(format, i);
        if format[i] == b'.' {
            let (precision, end) = number(format, i + 1);
            c.precision = Some(precision);
            i = end;
        }
        if format[i] == b'l' {
            assert!(format[i + 1] == b'l', "printf!: 64 bits are `ll`: how long a single `l` is depends on the host");
            c.long = true;
            i += 2;
        }
        c.letter = format[i];
        c.end = i + 1;
        c
    }

    /// Returns the types that the argument may have; a percent sign takes no argument.
    const fn takes(&self) -> &'static [Kind] {
        match (self.letter, self.long) {
            (b'd' | b'i', false) => &[Kind::Signed32],
            (b'd' | b'i', true) => &[Kind::Signed64],
            (b'u' | b'x' | b'X', false) => &[Kind::Unsigned32],
            (b'u' | b'x' | b'X', true) => &[Kind::Unsigned64],
            (b'c', false) => &[Kind::Unsigned32],
            (b'f' | b'e' | b'g', false) => &[Kind::Double],
            (b'%', false) => &[],
            _ => panic!("printf!: the conversions are %d %i %u %x %X %c %f %e %g %%, and %ll with an integer's"),
        }
    }
}

/// Returns the decimal number at `i`, or 0, and the index after it.
const fn number(format: &[u8], mut i: usize) -> (usize, usize) {
    let mut number = 0;
    while format[i].is_ascii_digit() {
        number = number * 10 + (format[i] - b'0') as usize;
        i += 1;
    }
    (number, i)
}

/// Makes a format that does not match its arguments a compile error.
pub(crate) const fn check(format: &str, kinds: &[Kind]) {
    let format = format.as_bytes();
    let (mut i, mut used) = (0, 0);
    while i < format.len() {
        assert!(format[i] != 0 || i + 1 == format.len(), "printf!: a format contains no zero byte");
        i += 1;
        if format[i - 1] != b'%' {
            continue;
        }
        let conversion = Conversion::read(format, i);
        i = conversion.end;
        if let [wanted] = conversion.takes() {
            assert!(used < kinds.len(), "printf!: the format has more conversions than there are arguments");
            if *wanted as u8 != kinds[used] as u8 {
                match wanted {
                    Kind::Signed32 => panic!("printf!: %d is for i8, i16 and i32; see the table of `printf!`"),
                    Kind::Unsigned32 => {
                        panic!("printf!: %u, %x, %c are for u8, u16 and u32; see the table of `printf!`")
                    }
                    Kind::Signed64 => panic!("printf!: %lld is for i64 and isize; see the table of `printf!`"),
                    Kind::Unsigned64 => panic!("printf!: %llu, %llx are for u64 and usize; see the table of `printf!`"),
                    Kind::Double => panic!("printf!: %f, %e, %g are for f32 and f64; see the table of `printf!`"),
                }
            }
            used += 1;
        }
    }
    assert!(used == kinds.len(), "printf!: there are more arguments than conversions in the format");
}

/// An argument as C passes it.
#[doc(hidden)]
#[cfg(not(target_arch = "nvptx64"))]
#[derive(Debug, Clone, Copy)]
pub struct Argument {
    pub(crate) kind: Kind,
    pub(crate) bits: u64,
}

/// Returns the text that C's `printf` prints for a format, which ends with a zero byte, and
/// matching arguments.
#[cfg(not(target_arch = "nvptx64"))]
pub(crate) fn formatted(format: &str, arguments: &[Argument]) -> String {
    let bytes = format.as_bytes();
    let mut arguments = arguments.iter();
    let mut text = String::new();
    let mut rest = format.trim_end_matches('\0');
    while let Some((before, _)) = rest.split_once('%') {
        text.push_str(before);
        let start = format.len() - 1 - rest.len() + before.len() + 1;
        let conversion = Conversion::read(bytes, start);
        rest = &format[conversion.end..format.len() - 1];
        match conversion.takes() {
            [] => text.push('%'),
            _ => text.push_str(&conversion.apply(*arguments.next().expect("`check` has counted them"))),
        }
    }
    text + rest
}

#[cfg(not(target_arch = "nvptx64"))]
impl Conversion {
    fn apply(&self, argument: Argument) -> String {
        let bits = argument.bits;
        let (negative, digits) = match argument.kind {
            _ if self.letter == b'c' => return self.pad("", (bits as u8 as char).to_string(), false),
            Kind::Signed32 | Kind::Signed64 => ((bits as i64) < 0, self.integer((bits as i64).unsigned_abs())),
            Kind::Unsigned32 | Kind::Unsigned64 => (false, self.integer(bits)),
            Kind::Double => {
                let value = f64::from_bits(bits);
                (value.is_sign_negative() && !value.is_nan(), self.float(value.abs()))
            }
        };
        let signed = !matches!(argument.kind, Kind::Unsigned32 | Kind::Unsigned64);
        let prefix = match self.letter {
            b'x' if self.alternate && bits != 0 => "0x",
            b'X' if self.alternate && bits != 0 => "0X",
            _ if negative => "-",
            _ if signed && self.plus => "+",
            _ if signed && self.space => " ",
            _ => "",
        };
        // A precision switches zero padding off for integers. Infinities and NaN are never padded
        // with zeros.
        let number = digits.starts_with(|c: char| c.is_ascii_hexdigit()) && digits != "nan";
        let fills = self.zero && number && (argument.kind == Kind::Double || self.precision.is_none());
        self.pad(prefix, digits, fills)
    }

    fn pad(&self, prefix: &str, digits: String, zeros: bool) -> String {
        let missing = self.width.saturating_sub(prefix.len() + digits.len());
        match (self.left, zeros) {
            (true, _) => format!("{prefix}{digits}{}", " ".repeat(missing)),
            (false, true) => format!("{prefix}{}{digits}", "0".repeat(missing)),
            (false, false) => format!("{}{prefix}{digits}", " ".repeat(missing)),
        }
    }

    fn integer(&self, value: u64) -> String {
        let digits = match self.letter {
            b'x' => format!("{value:x}"),
            b'X' => format!("{value:X}"),
            _ => value.to_string(),
        };
        match self.precision {
            Some(0) if value == 0 => String::new(),
            Some(least) => format!("{}{digits}", "0".repeat(least.saturating_sub(digits.len()))),
            None => digits,
        }
    }

    fn float(&self, value: f64) -> String {
        if !value.is_finite() {
            return if value.is_nan() { "nan".into() } else { "inf".into() };
        }
        let precision = self.precision.unwrap_or(6);
        match self.letter {
            b'f' => self.fixed(value, precision),
            b'e' => self.scientific(value, precision),
            _ => {
                // The precision is the total number of digits; as in C, the exponent is that of the
                // rounded number.
                let digits = precision.max(1);
                let (_, exponent) = split(value, digits - 1);
                let fixed = (-4..digits as i32).contains(&exponent);
                let text = match fixed {
                    true => self.fixed(value, (digits as i32 - 1 - exponent) as usize),
                    false => self.scientific(value, digits - 1),
                };
                if self.alternate { text } else { without_trailing_zeros(&text) }
            }
        }
    }

    fn fixed(&self, value: f64, precision: usize) -> String {
        let point = if self.alternate && precision == 0 { "." } else { "" };
        format!("{value:.precision$}{point}")
    }

    fn scientific(&self, value: f64, precision: usize) -> String {
        let (mantissa, exponent) = split(value, precision);
        let point = if self.alternate && precision == 0 { "." } else { "" };
        let sign = if exponent < 0 { '-' } else { '+' };
        format!("{mantissa}{point}e{sign}{:02}", exponent.unsigned_abs())
    }
}

/// Splits a number into its digits with a point and its power of ten.
#[cfg(not(target_arch = "nvptx64"))]
fn split(value: f64, precision: usize) -> (String, i32) {
    let text = format!("{value:.precision$e}");
    let (mantissa, exponent) = text.split_once('e').expect("Rust writes an exponent");
    (mantissa.into(), exponent.parse().expect("a number"))
}

#[cfg(not(target_arch = "nvptx64"))]
fn without_trailing_zeros(text: &str) -> String {
    let (digits, exponent) = text.split_at(text.find('e').unwrap_or(text.len()));
    match digits.contains('.') {
        true => format!("{}{exponent}", digits.trim_end_matches('0').trim_end_matches('.')),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::{Argument, check, formatted};
    use crate::print::Value;

    fn argument<T: Value>(value: T) -> Argument {
        Argument { kind: T::KIND, bits: value.bits() }
    }

    /// The expected texts are those of glibc's `printf`.
    #[test]
    fn formats_as_c_does() {
        macro_rules! is {
            ($expected:literal, $format:literal $(, $argument:expr)*) => {
                let arguments: &[Argument] = &[$(argument($argument)),*];
                let kinds: Vec<_> = arguments.iter().map(|argument| argument.kind).collect();
                check(concat!($format, "\0"), &kinds);
                assert_eq!(formatted(concat!($format, "\0"), arguments), $expected, $format);
            };
        }
        is!("", "");
        is!("no number, 100%", "no number, 100%%");
        is!("1 and -2.", "%u and %d.", 1_u32, -2_i32);
        is!("[   42][42   ][00042][  042][+42][ 42]", "[%5d][%-5d][%05d][%5.3d][%+d][% d]", 42, 42, 42, 42, 42, 42);
        is!("[-0042][]", "[%05d][%.0d]", -42, 0);
        is!("ff FF 0xff 0", "%x %X %#x %#x", 255_u32, 255_u8, 255_u16, 0_u32);
        is!("18446744073709551615 -9223372036854775808", "%llu %lld", u64::MAX, i64::MIN);
        is!("ffffffffffffffff", "%016llx", usize::MAX);
        is!("AB", "%c%c", b'A', b'B');
        is!("0.500000 1.5 2 -0.25", "%f %.1f %.0f %g", 0.5_f32, 1.5_f64, 1.5_f64, -0.25_f32);
        is!("1.234560e+02 1.2e-05 0e+00", "%e %.1e %.0e", 123.456_f64, 0.0000123_f64, 0.0_f64);
        is!("100000 1e+06 0.0001 1e-05 1.5", "%g %g %g %g %g", 1e5_f64, 1e6_f64, 1e-4_f64, 1e-5_f64, 1.5_f64);
        is!("1.23457e+08 123 1.50000 1e+03", "%g %.4g %#g %.2g", 123456789.0_f64, 123.0_f64, 1.5_f64, 999.0_f64);
        is!("inf -inf nan [  inf]", "%f %f %f [%05f]", f32::INFINITY, -f32::INFINITY, f32::NAN, f64::INFINITY);
        is!("[-01.50][-1.50 ]", "[%06.2f][%-6.2f]", -1.5_f32, -1.5_f32);
    }
}
