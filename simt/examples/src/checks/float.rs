//! Every floating-point function, applied to arrays: kernels that take its number.

use simt_std::prelude::*;

/// Threads of a block.
pub const THREADS: u32 = 128;

/// Declares the functions of a kernel: their names, and a function that selects one by its number.
macro_rules! functions {
    (
        $(#[$names_doc:meta])* $names:ident
        $(#[$apply_doc:meta])* $apply:ident ($($generics:tt)*) $t:ty, $x:ident, $y:ident;
        $($number:literal $name:literal $value:expr;)*
    ) => {
        $(#[$names_doc])*
        pub const $names: &[&str] = &[$($name),*];

        $(#[$apply_doc])*
        #[inline(always)]
        pub fn $apply $($generics)* (function: u32, $x: $t, $y: $t) -> $t {
            match function {
                $($number => $value,)*
                _ => $x,
            }
        }
    };
}

functions! {
    /// Names of the exact functions.
    EXACT
    /// Returns the exact function of this number in [`EXACT`]: y is the second operand, if it has
    /// two.
    exact(<T: GpuFloat>) T, x, y;
    0 "sqrt" float::sqrt(x);
    1 "rsqrt" float::rsqrt(x);
    2 "mul_add" float::mul_add(x, y, -x);
    3 "exp" float::exp(x);
    4 "exp2" float::exp2(x);
    5 "ln" float::ln(x);
    6 "log2" float::log2(x);
    7 "log10" float::log10(x);
    8 "sin" float::sin(x);
    9 "cos" float::cos(x);
    10 "tan" float::tan(x);
    11 "tanh" float::tanh(x);
    12 "powf" float::powf(x, y);
    13 "floor" float::floor(x);
    14 "ceil" float::ceil(x);
    15 "trunc" float::trunc(x);
    16 "round" float::round(x);
    17 "round_ties_even" float::round_ties_even(x);
    18 "abs" float::abs(x);
    19 "min" float::min(x, y);
    20 "max" float::max(x, y);
    21 "recip" x.recip();
    22 "cbrt" x.cbrt();
    23 "hypot" x.hypot(y);
    24 "exp_m1" x.exp_m1();
    25 "ln_1p" x.ln_1p();
    26 "asin" x.asin();
    27 "acos" x.acos();
    28 "atan" x.atan();
    29 "atan2" x.atan2(y);
    30 "sinh" x.sinh();
    31 "cosh" x.cosh();
    32 "asinh" x.asinh();
    33 "acosh" x.acosh();
    34 "atanh" x.atanh();
    35 "fract" x.fract();
    36 "signum" x.signum();
    37 "copysign" x.copysign(y);
    38 "div_euclid" x.div_euclid(y);
    39 "rem_euclid" x.rem_euclid(y);
    40 "powi" x.powi(7);
    41 "log" x.log(y);
}

functions! {
    /// Names of the fast functions.
    FAST
    /// Returns the fast function of this number in [`FAST`].
    fast() f32, x, y;
    0 "recip" float::fast::recip(x);
    1 "rsqrt" float::fast::rsqrt(x);
    2 "sqrt" float::fast::sqrt(x);
    3 "div" float::fast::div(x, y);
    4 "exp2" float::fast::exp2(x);
    5 "exp" float::fast::exp(x);
    6 "log2" float::fast::log2(x);
    7 "ln" float::fast::ln(x);
    8 "log10" float::fast::log10(x);
    9 "sin" float::fast::sin(x);
    10 "cos" float::fast::cos(x);
    11 "tanh" float::fast::tanh(x);
    12 "powf" float::fast::powf(x, y);
}

/// A kernel that applies functions to arrays.
macro_rules! apply {
    ($name:ident, $t:ty, $function:path) => {
        /// Applies the function of this number to n pairs. Launch: ⌈n / [`THREADS`]⌉ blocks; the
        /// arrays have n elements.
        #[kernel(threads = THREADS)]
        pub fn $name(
            /// Its number.
            function: u32,
            /// First operands.
            x: Global<$t>,
            /// Second operands.
            y: Global<$t>,
            /// The results; needs no initial value.
            results: Global<$t>,
            /// Number of pairs.
            n: u32,
        ) {
            let i = thread::index_1d();
            if i < n {
                let i = i as usize;
                results.write(i, $function(function, x.read(i), y.read(i)));
            }
        }
    };
}

apply!(apply_f32, f32, exact);
apply!(apply_f64, f64, exact);
apply!(apply_fast, f32, fast);

/// Converts 16-bit numbers to `f32`. Launch: ⌈n / [`THREADS`]⌉ blocks; the arrays have n elements.
#[kernel(threads = THREADS)]
pub fn widen(
    /// Halves.
    f16: Global<F16>,
    /// bf16 numbers.
    bf16: Global<Bf16>,
    /// The halves as `f32`; needs no initial value.
    from_f16: Global<f32>,
    /// The bf16 numbers as `f32`; needs no initial value.
    from_bf16: Global<f32>,
    /// Number of elements.
    n: u32,
) {
    let i = thread::index_1d();
    if i < n {
        let i = i as usize;
        from_f16.write(i, f16.read(i).to_f32());
        from_bf16.write(i, bf16.read(i).to_f32());
    }
}

/// Rounds `f32` to 16-bit numbers. Launch: ⌈n / [`THREADS`]⌉ blocks; the arrays have n elements.
#[kernel(threads = THREADS)]
pub fn narrow(
    /// The numbers.
    numbers: Global<f32>,
    /// The numbers as halves; needs no initial value.
    f16: Global<F16>,
    /// The numbers as bf16; needs no initial value.
    bf16: Global<Bf16>,
    /// Number of elements.
    n: u32,
) {
    let i = thread::index_1d();
    if i < n {
        let i = i as usize;
        f16.write(i, F16::from_f32(numbers.read(i)));
        bf16.write(i, Bf16::from_f32(numbers.read(i)));
    }
}

#[cfg(not(target_arch = "nvptx64"))]
pub use host::cases;

#[cfg(not(target_arch = "nvptx64"))]
mod host {
    //! The cases: every device has the bits that the same source has on the CPU.

    use super::{ApplyF32, ApplyF64, EXACT, Narrow, THREADS, Widen, exact};
    use crate::runner::{Case, Outcome, Runner};
    use simt_launch::{Device, Result};
    use simt_std::float::{Bf16, F16};

    /// Returns the cases of the floating-point functions.
    pub fn cases<D: Device>() -> Vec<Case<D>> {
        let sizes = &[1, 500];
        vec![
            Case { name: "apply_f32", run: exact_f32, sizes },
            Case { name: "apply_f64", run: exact_f64, sizes },
            Case { name: "widen", run: widen, sizes: &[1, 1 << 16] },
            Case { name: "narrow", run: narrow, sizes: &[1, 1 << 16] },
        ]
    }

    /// Returns bits without a pattern, with special values and small numbers among them.
    fn mixed(i: u32) -> u32 {
        let bits = i.wrapping_mul(0x9e37_79b1).rotate_left(13).wrapping_mul(0x85eb_ca6b);
        match i % 4 {
            0 => [0, 1 << 31, 0x7f80_0000, 0xff80_0000, 0x7fc0_0000, 1, 0x3f80_0000][i as usize / 4 % 7],
            1 => (f32::from(bits as u8) / 16.0 - 8.0).to_bits(),
            _ => bits,
        }
    }

    /// Returns the bits of a number. A NaN has any.
    fn bits(x: f32) -> u32 {
        if x.is_nan() { u32::MAX } else { x.to_bits() }
    }

    /// Returns both halves of the bits of a number.
    fn bits_64(x: f64) -> [u32; 2] {
        let bits = if x.is_nan() { u64::MAX } else { x.to_bits() };
        [(bits >> 32) as u32, bits as u32]
    }

    /// A zero of either sign may come from the minimum of 0 and −0.
    fn without_sign_of_zero(function: &str, x: f64) -> f64 {
        if matches!(function, "min" | "max") && x == 0.0 { 0.0 } else { x }
    }

    // Every launch below meets its kernel's contract: its arrays are made for it a few lines above.

    fn exact_f32<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
        let xs: Vec<f32> = (0..n).map(|i| f32::from_bits(mixed(i))).collect();
        let ys: Vec<f32> = (0..n).map(|i| f32::from_bits(mixed(i / 3 + 1))).collect();
        let (on_x, on_y, on_results) = (r.upload("x", &xs)?, r.upload("y", &ys)?, r.alloc("results", xs.len())?);
        let (mut got, mut expected) = (Vec::new(), Vec::new());
        for (function, name) in (0..).zip(EXACT) {
            let (x, y, results) = (r.handle(&on_x), r.handle(&on_y), r.handle(&on_results));
            // SAFETY: see above.
            unsafe { r.launch(n.div_ceil(THREADS), ApplyF32 { function, x, y, results, n })? };
            let canonical = |x: f32| bits(without_sign_of_zero(name, x.into()) as f32);
            got.extend(r.download(&on_results, xs.len())?.into_iter().map(canonical));
            expected.extend(xs.iter().zip(&ys).map(|(&x, &y)| canonical(exact(function, x, y))));
        }
        Ok(Outcome::new(&got, &expected))
    }

    fn exact_f64<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
        // Numbers of few bits and of all bits.
        let wide = |i: u32| match i % 4 {
            2 => f64::from_bits(u64::from(mixed(i)) << 32 | u64::from(mixed(i + 4))),
            _ => f64::from(f32::from_bits(mixed(i))),
        };
        let (xs, ys): (Vec<f64>, Vec<f64>) = (0..n).map(|i| (wide(i), wide(i / 3 + 1))).unzip();
        let (on_x, on_y, on_results) = (r.upload("x", &xs)?, r.upload("y", &ys)?, r.alloc("results", xs.len())?);
        let (mut got, mut expected) = (Vec::new(), Vec::new());
        for (function, name) in (0..).zip(EXACT) {
            let (x, y, results) = (r.handle(&on_x), r.handle(&on_y), r.handle(&on_results));
            // SAFETY: see above.
            unsafe { r.launch(n.div_ceil(THREADS), ApplyF64 { function, x, y, results, n })? };
            let canonical = |x: f64| bits_64(without_sign_of_zero(name, x));
            got.extend(r.download(&on_results, xs.len())?.into_iter().flat_map(canonical));
            expected.extend(xs.iter().zip(&ys).flat_map(|(&x, &y)| canonical(exact(function, x, y))));
        }
        Ok(Outcome::new(&got, &expected))
    }

    fn widen<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
        let numbers = || (0..n).map(|i| i as u16);
        let (halves, brains): (Vec<F16>, Vec<Bf16>) =
            numbers().map(|bits| (F16::from_bits(bits), Bf16::from_bits(bits))).unzip();
        let (on_f16, on_bf16) = (r.upload("f16", &halves)?, r.upload("bf16", &brains)?);
        let (on_from_f16, on_from_bf16) = (r.alloc("from f16", halves.len())?, r.alloc("from bf16", halves.len())?);
        let kernel = Widen {
            f16: r.handle(&on_f16),
            bf16: r.handle(&on_bf16),
            from_f16: r.handle(&on_from_f16),
            from_bf16: r.handle(&on_from_bf16),
            n,
        };
        // SAFETY: see above.
        unsafe { r.launch(n.div_ceil(THREADS), kernel)? };
        let mut got = r.download(&on_from_f16, halves.len())?;
        got.extend(r.download(&on_from_bf16, halves.len())?);
        let expected = halves.iter().map(|x| x.to_f32()).chain(brains.iter().map(|x| x.to_f32()));
        let [got, expected] =
            [got, expected.collect()].map(|numbers| numbers.into_iter().map(bits).collect::<Vec<_>>());
        Ok(Outcome::new(&got, &expected))
    }

    fn narrow<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
        // Also ties: numbers half way between two halves and between two bf16 numbers.
        let number = |i: u32| match i % 3 {
            0 => F16::from_bits(i as u16).to_f32().to_bits() | 0x1000,
            1 => i << 16 | 0x8000,
            _ => mixed(i),
        };
        let numbers: Vec<f32> = (0..n).map(|i| f32::from_bits(number(i))).collect();
        let (on_numbers, on_f16) = (r.upload("numbers", &numbers)?, r.alloc::<F16>("f16", numbers.len())?);
        let on_bf16 = r.alloc::<Bf16>("bf16", numbers.len())?;
        let (f16, bf16) = (r.handle(&on_f16), r.handle(&on_bf16));
        // SAFETY: see above.
        unsafe { r.launch(n.div_ceil(THREADS), Narrow { numbers: r.handle(&on_numbers), f16, bf16, n })? };
        let mut got: Vec<u16> = r.download(&on_f16, numbers.len())?.into_iter().map(F16::to_bits).collect();
        got.extend(r.download(&on_bf16, numbers.len())?.into_iter().map(Bf16::to_bits));
        let mut expected: Vec<u16> = numbers.iter().map(|&x| F16::from_f32(x).to_bits()).collect();
        expected.extend(numbers.iter().map(|&x| Bf16::from_f32(x).to_bits()));
        Ok(Outcome::new(&got, &expected))
    }
}
