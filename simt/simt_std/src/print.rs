//! Printing from a kernel: [`printf!`](crate::printf).
//!
//! The format is C's, because the driver formats the text on a GPU: Rust's own formatting would add
//! a thousand instructions to each kernel that prints. [`format`] has the rules: `check` compares
//! format and arguments while the kernel is compiled, and `formatted` does the driver's work under
//! the simulator.

pub(crate) mod format;

use crate::backend;
#[cfg(not(target_arch = "nvptx64"))]
use format::Argument;
use format::check;

pub use format::Kind;

/// Prints from a kernel like CUDA C++'s `printf`: a literal format as in C, and up to 8 numbers. It
/// does not add a newline. The text of one call stays together; texts of different threads come in
/// any order. On a GPU, the text appears when the host next waits for the device, and text beyond a
/// buffer of 1 MiB is lost.
///
/// | conversion | argument |
/// |---|---|
/// | `%d`, `%i` | `i8`, `i16`, `i32` |
/// | `%u`, `%x`, `%X` | `u8`, `u16`, `u32` |
/// | `%lld`, `%lli` | `i64`, `isize` |
/// | `%llu`, `%llx`, `%llX` | `u64`, `usize` |
/// | `%f`, `%e`, `%g` | `f32`, `f64` |
/// | `%c` | `u8`, an ASCII character |
/// | `%%` | none: a percent sign |
///
/// Flags (`-`, `+`, a space, `#`, `0`), a width, and a precision (`.3`) may stand between `%` and
/// the letters.
///
/// ```
/// # use simt_std::{printf, simulator::{Grid, Simulator}, thread};
/// # Simulator::default().launch("greet", Grid::linear(1, 2), || {
/// printf!("thread %u of %u: %.2f\n", thread::thread_idx_x(), thread::block_dim_x(), 0.5_f32);
/// # })?;
/// # Ok::<(), simt_std::simulator::Fault>(())
/// ```
///
/// A format that does not match its arguments does not compile:
///
/// ```compile_fail,E0080
/// simt_std::printf!("%d\n", 7_u64);
/// ```
/// ```compile_fail,E0080
/// simt_std::printf!("%u of %u\n", 7_u32);
/// ```
#[macro_export]
macro_rules! printf {
    ($format:literal $(, $argument:expr)* $(,)?) => {{
        struct Format;
        impl $crate::print::Format for Format {
            const TEXT: &'static str = concat!($format, "\0");
        }
        $crate::print::Arguments::print::<Format>(($($argument,)*))
    }};
}

/// For [`printf!`](crate::printf) alone: a format that ends with a zero byte.
#[doc(hidden)]
pub trait Format {
    const TEXT: &'static str;
}

/// A number that can be printed: an integer of 8 to 64 bits, `f32` or `f64`.
pub trait Value: Copy {
    #[doc(hidden)]
    const KIND: Kind;
    /// Returns the number, promoted to C's type, in the lower bits.
    #[doc(hidden)]
    fn bits(self) -> u64;
}

macro_rules! values {
    ($($kind:ident: $($t:ident)* => $bits:expr;)*) => {$($(
        impl Value for $t {
            const KIND: Kind = Kind::$kind;
            #[inline(always)]
            #[allow(clippy::unnecessary_cast, clippy::useless_conversion, reason = "one text for several types")]
            fn bits(self) -> u64 {
                let bits: fn($t) -> u64 = $bits;
                bits(self)
            }
        }
    )*)*};
}

values! {
    Signed32: i8 i16 i32 => |x| x as i64 as u64;
    Unsigned32: u8 u16 u32 => |x| x as u64;
    Signed64: i64 isize => |x| x as u64;
    Unsigned64: u64 usize => |x| x as u64;
    Double: f32 f64 => |x| f64::from(x).to_bits();
}

/// For [`printf!`](crate::printf) alone: a tuple of [`Value`]s.
#[doc(hidden)]
pub trait Arguments {
    fn print<F: Format>(self);
}

macro_rules! arguments {
    ($($n:literal: $($t:ident)*;)*) => {$(
        impl<$($t: Value),*> Arguments for ($($t,)*) {
            #[inline(always)]
            #[allow(non_snake_case, unused_mut, unused_variables, unused_assignments)]
            fn print<F: Format>(self) {
                const { check(F::TEXT, &[$($t::KIND),*]) };
                let ($($t,)*) = self;
                #[cfg(target_arch = "nvptx64")]
                {
                    // Laid out like variable arguments in C: each at a multiple of its size, 4 or 8
                    // bytes.
                    let mut buffer = [0u64; $n];
                    let mut half_words = 0;
                    $(
                        half_words = put(&mut buffer, half_words, $t);
                    )*
                    backend::print(F::TEXT, &buffer);
                }
                #[cfg(not(target_arch = "nvptx64"))]
                backend::print(F::TEXT, &[$(Argument { kind: $t::KIND, bits: $t.bits() }),*]);
            }
        }
    )*};
}

arguments! {
    0: ;
    1: A;
    2: A B;
    3: A B C;
    4: A B C D;
    5: A B C D E;
    6: A B C D E F0;
    7: A B C D E F0 G;
    8: A B C D E F0 G H;
}

/// Writes a value after the first `at` half-words, and returns the end in half-words.
#[cfg(target_arch = "nvptx64")]
#[inline(always)]
fn put<T: Value>(buffer: &mut [u64], at: usize, value: T) -> usize {
    let bits = value.bits();
    match T::KIND {
        Kind::Signed32 | Kind::Unsigned32 => {
            buffer[at / 2] |= (bits & 0xffff_ffff) << (at % 2 * 32);
            at + 1
        }
        Kind::Signed64 | Kind::Unsigned64 | Kind::Double => {
            let slot = at.div_ceil(2);
            buffer[slot] = bits;
            2 * slot + 2
        }
    }
}
