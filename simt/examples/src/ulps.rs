//! Errors of the floating-point functions on a device, in ulp.
//!
//! An ulp is the distance of the neighbouring numbers of the type at the exact result. A correctly
//! rounded result has an error of at most 0.5. The references are independent of the device layer's
//! libm: for `f32` the `f64` functions of the C library, for `f64` numbers of 128 bits.

use crate::checks::float::{ApplyF32, ApplyF64, ApplyFast, EXACT, FAST, THREADS};
use crate::runner::Runner;
use astro_float_num::{BigFloat, Consts, RoundingMode};
use simt_launch::{Device, Result};
use std::f64::consts::PI;

/// Bits of the numbers that `f64` is compared with.
const BITS: usize = 128;

/// The largest errors of a function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Errors {
    /// Its name in [`simt_std::float`].
    pub name: &'static str,
    /// Largest error for `f32`, in ulp.
    pub f32: f64,
    /// Largest error for `f64`, in ulp.
    pub f64: f64,
}

/// The largest error of a fast function.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FastError {
    /// Its name in [`simt_std::float::fast`].
    pub name: &'static str,
    /// Largest error in ulp, for operands in the range of `docs/floats.md`. Results below 1 of
    /// functions whose error is absolute count ulp of 1.
    pub f32: f64,
}

/// An exact function and its references.
struct Function {
    name: &'static str,
    /// First operands besides those of all exponents.
    x: [f64; 2],
    /// Second operands.
    y: [f64; 2],
    wide: fn(f64, f64) -> f64,
    exact: fn(&mut Big, &BigFloat, &BigFloat) -> BigFloat,
}

/// Arithmetic on numbers of [`BITS`] bits.
struct Big {
    constants: Consts,
}

const RM: RoundingMode = RoundingMode::ToEven;

impl Big {
    fn new() -> Self {
        Self { constants: Consts::new().expect("memory for constants") }
    }

    /// Returns the number. [`BigFloat::from_f64`] of a subnormal number is half of it, so it gets a
    /// normal one.
    fn number(x: f64) -> BigFloat {
        if !x.is_subnormal() {
            return BigFloat::from_f64(x, BITS);
        }
        let mut number = BigFloat::from_f64(x * 2.0_f64.powi(64), BITS);
        number.set_exponent(number.exponent().unwrap_or(0) - 64);
        number
    }

    /// Returns the first terms of a series in x without a constant, which suffice for |x| below
    /// 2^-40.
    fn series(x: &BigFloat, terms: [f64; 3]) -> BigFloat {
        terms.iter().rev().fold(Self::number(0.0), |sum, &divisor| {
            let term = Self::number(1.0).div(&Self::number(divisor), BITS, RM);
            sum.add(&term, BITS, RM).mul(x, BITS, RM)
        })
    }
}

/// Returns true for numbers below 2^-40.
fn is_tiny(x: &BigFloat) -> bool {
    x.exponent().is_none_or(|exponent| exponent < -40)
}

/// A function of one operand that [`BigFloat`] has.
macro_rules! of_one {
    ($method:ident) => {
        |big, x, _| x.$method(BITS, RM, &mut big.constants)
    };
}

/// The functions that are neither one instruction nor exact by construction, and the roots.
const FUNCTIONS: &[Function] = &[
    Function { name: "sqrt", x: [0.0, 4.0], y: [0.0, 1.0], wide: |x, _| x.sqrt(), exact: |_, x, _| x.sqrt(BITS, RM) },
    Function {
        name: "rsqrt",
        x: [0.0, 4.0],
        y: [0.0, 1.0],
        wide: |x, _| 1.0 / x.sqrt(),
        exact: |_, x, _| x.sqrt(BITS, RM).reciprocal(BITS, RM),
    },
    Function {
        name: "mul_add",
        x: [-20.0, 20.0],
        y: [-20.0, 20.0],
        // Exact in f64 but for one rounding, because a product of two f32 is.
        wide: |x, y| x.mul_add(y, -x),
        exact: |_, x, y| x.mul_full_prec(y).sub(x, BITS, RM),
    },
    Function { name: "exp", x: [-110.0, 100.0], y: [0.0, 1.0], wide: |x, _| x.exp(), exact: of_one!(exp) },
    Function {
        name: "exp2",
        x: [-155.0, 130.0],
        y: [0.0, 1.0],
        wide: |x, _| x.exp2(),
        exact: |big, x, _| Big::number(2.0).pow(x, BITS, RM, &mut big.constants),
    },
    Function { name: "ln", x: [0.0, 3.0], y: [0.0, 1.0], wide: |x, _| x.ln(), exact: of_one!(ln) },
    Function { name: "log2", x: [0.0, 3.0], y: [0.0, 1.0], wide: |x, _| x.log2(), exact: of_one!(log2) },
    Function { name: "log10", x: [0.0, 3.0], y: [0.0, 1.0], wide: |x, _| x.log10(), exact: of_one!(log10) },
    Function { name: "sin", x: [-100.0, 100.0], y: [0.0, 1.0], wide: |x, _| x.sin(), exact: of_one!(sin) },
    Function { name: "cos", x: [-100.0, 100.0], y: [0.0, 1.0], wide: |x, _| x.cos(), exact: of_one!(cos) },
    Function { name: "tan", x: [-100.0, 100.0], y: [0.0, 1.0], wide: |x, _| x.tan(), exact: of_one!(tan) },
    Function { name: "tanh", x: [-20.0, 20.0], y: [0.0, 1.0], wide: |x, _| x.tanh(), exact: of_one!(tanh) },
    Function {
        name: "powf",
        x: [0.0, 50.0],
        y: [-30.0, 30.0],
        wide: f64::powf,
        exact: |big, x, y| x.pow(y, BITS, RM, &mut big.constants),
    },
    Function {
        name: "recip",
        x: [-4.0, 4.0],
        y: [0.0, 1.0],
        wide: |x, _| 1.0 / x,
        exact: |_, x, _| x.reciprocal(BITS, RM),
    },
    Function { name: "cbrt", x: [-8.0, 8.0], y: [0.0, 1.0], wide: |x, _| x.cbrt(), exact: |_, x, _| x.cbrt(BITS, RM) },
    Function {
        name: "hypot",
        x: [-20.0, 20.0],
        y: [-20.0, 20.0],
        wide: f64::hypot,
        exact: |_, x, y| x.mul_full_prec(x).add(&y.mul_full_prec(y), BITS, RM).sqrt(BITS, RM),
    },
    Function {
        name: "exp_m1",
        x: [-2.0, 2.0],
        y: [0.0, 1.0],
        wide: |x, _| x.exp_m1(),
        exact: |big, x, _| match is_tiny(x) {
            true => Big::series(x, [1.0, 2.0, 6.0]),
            false => x.exp(2 * BITS, RM, &mut big.constants).sub(&Big::number(1.0), BITS, RM),
        },
    },
    Function {
        name: "ln_1p",
        x: [-1.0, 3.0],
        y: [0.0, 1.0],
        wide: |x, _| x.ln_1p(),
        exact: |big, x, _| match is_tiny(x) {
            true => Big::series(x, [1.0, -2.0, 3.0]),
            false => x.add_full_prec(&Big::number(1.0)).ln(BITS, RM, &mut big.constants),
        },
    },
    Function { name: "asin", x: [-1.0, 1.0], y: [0.0, 1.0], wide: |x, _| x.asin(), exact: of_one!(asin) },
    Function { name: "acos", x: [-1.0, 1.0], y: [0.0, 1.0], wide: |x, _| x.acos(), exact: of_one!(acos) },
    Function { name: "atan", x: [-8.0, 8.0], y: [0.0, 1.0], wide: |x, _| x.atan(), exact: of_one!(atan) },
    Function { name: "sinh", x: [-90.0, 90.0], y: [0.0, 1.0], wide: |x, _| x.sinh(), exact: of_one!(sinh) },
    Function { name: "cosh", x: [-90.0, 90.0], y: [0.0, 1.0], wide: |x, _| x.cosh(), exact: of_one!(cosh) },
    Function { name: "asinh", x: [-8.0, 8.0], y: [0.0, 1.0], wide: |x, _| x.asinh(), exact: of_one!(asinh) },
    Function { name: "acosh", x: [1.0, 8.0], y: [0.0, 1.0], wide: |x, _| x.acosh(), exact: of_one!(acosh) },
    Function { name: "atanh", x: [-1.0, 1.0], y: [0.0, 1.0], wide: |x, _| x.atanh(), exact: of_one!(atanh) },
];

/// A fast function, its operands, and its reference.
struct FastFunction {
    name: &'static str,
    x: [f64; 2],
    y: [f64; 2],
    /// True if the error of results below 1 is absolute.
    absolute: bool,
    wide: fn(f64, f64) -> f64,
}

const FAST_FUNCTIONS: &[FastFunction] = &[
    FastFunction { name: "recip", x: [0.001, 1000.0], y: [0.0, 1.0], absolute: false, wide: |x, _| 1.0 / x },
    FastFunction { name: "rsqrt", x: [0.001, 1000.0], y: [0.0, 1.0], absolute: false, wide: |x, _| 1.0 / x.sqrt() },
    FastFunction { name: "sqrt", x: [0.001, 1000.0], y: [0.0, 1.0], absolute: false, wide: |x, _| x.sqrt() },
    FastFunction { name: "div", x: [-1000.0, 1000.0], y: [0.001, 1000.0], absolute: false, wide: |x, y| x / y },
    FastFunction { name: "exp2", x: [-126.0, 127.0], y: [0.0, 1.0], absolute: false, wide: |x, _| x.exp2() },
    FastFunction { name: "exp", x: [-80.0, 80.0], y: [0.0, 1.0], absolute: false, wide: |x, _| x.exp() },
    FastFunction { name: "log2", x: [0.001, 1000.0], y: [0.0, 1.0], absolute: true, wide: |x, _| x.log2() },
    FastFunction { name: "ln", x: [0.001, 1000.0], y: [0.0, 1.0], absolute: true, wide: |x, _| x.ln() },
    FastFunction { name: "log10", x: [0.001, 1000.0], y: [0.0, 1.0], absolute: true, wide: |x, _| x.log10() },
    FastFunction { name: "sin", x: [-PI, PI], y: [0.0, 1.0], absolute: true, wide: |x, _| x.sin() },
    FastFunction { name: "cos", x: [-PI, PI], y: [0.0, 1.0], absolute: true, wide: |x, _| x.cos() },
    FastFunction { name: "tanh", x: [-10.0, 10.0], y: [0.0, 1.0], absolute: false, wide: |x, _| x.tanh() },
    FastFunction { name: "powf", x: [0.1, 10.0], y: [-3.0, 3.0], absolute: false, wide: f64::powf },
];

/// Returns `count` numbers from 0 to 1 without a pattern: the fractional parts of multiples of the
/// golden ratio, from another start for each seed.
fn fractions(count: u32, seed: u32) -> impl Iterator<Item = f64> {
    (0..count).map(move |i| ((f64::from(i) + 0.5) * 0.618_033_988_749_894_9 + f64::from(seed) * 0.37).fract())
}

/// Returns `count` numbers of an interval.
fn between(interval: [f64; 2], count: u32, seed: u32) -> impl Iterator<Item = f64> {
    let [from, to] = interval;
    fractions(count, seed).map(move |fraction| from + (to - from) * fraction)
}

const SPECIAL: [f64; 6] = [0.0, -0.0, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, 1.0];

/// Returns operands: of these exponents, `each` for an exponent, of the interval, and special ones.
fn operands(exponents: impl Iterator<Item = i32>, each: u32, interval: [f64; 2], count: u32) -> Vec<f64> {
    let of_exponent = |exponent: i32| {
        fractions(each, exponent.unsigned_abs()).flat_map(move |fraction| {
            // In two steps, because 2^-1074 is not the power of a number that it would take in one.
            let magnitude = (1.0 + fraction) * 2.0_f64.powi(exponent / 2) * 2.0_f64.powi(exponent - exponent / 2);
            [magnitude, -magnitude]
        })
    };
    exponents.flat_map(of_exponent).chain(between(interval, count, 1)).chain(SPECIAL).collect()
}

/// The format of a type.
struct Format {
    /// Significant bits.
    bits: i32,
    /// Least exponent e of a normal number, 2^e.
    least: i32,
    /// Numbers from 2^e on are infinite.
    infinite: i32,
}

const F32: Format = Format { bits: 24, least: -126, infinite: 128 };
const F64: Format = Format { bits: 53, least: -1022, infinite: 1024 };

impl Format {
    /// Returns the error of a result in ulp: infinite if only one of both is a NaN. An infinite
    /// result counts as the power of two that would be next.
    fn error(&self, got: f64, exact: &BigFloat) -> f64 {
        if got.is_nan() || exact.is_nan() {
            return if got.is_nan() && exact.is_nan() { 0.0 } else { f64::INFINITY };
        }
        let above = exact.is_inf() || exact.exponent().is_some_and(|exponent| exponent > self.infinite);
        let same_sign = exact.is_negative() == got.is_sign_negative();
        // Infinity: a conversion to f32 has made it, or the function itself.
        if above {
            return if got.is_infinite() && same_sign { 0.0 } else { f64::INFINITY };
        }
        let got = match got.is_infinite() {
            true => Big::number(2.0_f64.powi(self.infinite - 1).copysign(got)).mul(&Big::number(2.0), BITS, RM),
            false => Big::number(got),
        };
        let difference = got.sub(exact, BITS, RM);
        // A number m 2^e has m from 0.5 to 1.
        let exponent = if exact.is_zero() { i32::MIN / 2 } else { exact.exponent().unwrap_or(0) - 1 };
        let ulp = exponent.max(self.least) - (self.bits - 1);
        let Some((words, _, _, exponent, _)) = difference.as_raw_parts() else { return f64::INFINITY };
        if difference.is_zero() {
            return 0.0;
        }
        let mantissa = words.last().map_or(0.0, |&word| word as f64 / 2.0_f64.powi(64));
        mantissa * 2.0_f64.powi((exponent - ulp).clamp(-1000, 1000))
    }
}

/// Returns the number of a function in a list of names.
fn number(names: &[&str], name: &str) -> u32 {
    names.iter().position(|&known| known == name).expect("the kernel has every function of the table") as u32
}

/// Measures the exact functions on a device.
///
/// # Errors
/// If a launch fails.
pub fn exact<D: Device>(r: &Runner<'_, D>) -> Result<Vec<Errors>> {
    let mut big = Big::new();
    FUNCTIONS
        .iter()
        .map(|function| {
            Ok(Errors { name: function.name, f32: error_f32(r, function)?, f64: error_f64(r, &mut big, function)? })
        })
        .collect()
}

// Every launch below meets its kernel's contract: its arrays are made for it a few lines above.

fn error_f32<D: Device>(r: &Runner<'_, D>, function: &Function) -> Result<f64> {
    let xs = operands(-149..128, 8, function.x, 16_000);
    let xs: Vec<f32> = xs.into_iter().map(|x| x as f32).collect();
    let ys: Vec<f32> = between(function.y, xs.len() as u32, 2).map(|y| y as f32).collect();
    let (on_x, on_y, results) = (r.upload("x", &xs)?, r.upload("y", &ys)?, r.alloc("results", xs.len())?);
    let (n, number) = (xs.len() as u32, number(EXACT, function.name));
    let kernel = ApplyF32 { function: number, x: r.handle(&on_x), y: r.handle(&on_y), results: r.handle(&results), n };
    // SAFETY: see above.
    unsafe { r.launch(n.div_ceil(THREADS), kernel)? };
    let results = r.download(&results, xs.len())?.into_iter();
    let error = |((got, x), y): ((f32, &f32), &f32)| {
        F32.error(got.into(), &Big::number((function.wide)((*x).into(), (*y).into())))
    };
    Ok(results.zip(&xs).zip(&ys).map(error).fold(0.0, f64::max))
}

fn error_f64<D: Device>(r: &Runner<'_, D>, big: &mut Big, function: &Function) -> Result<f64> {
    // A reference takes 0.1 ms.
    let xs: Vec<f64> = operands((-1074..1024).step_by(5), 1, function.x, 600);
    let ys: Vec<f64> = between(function.y, xs.len() as u32, 2).collect();
    let (on_x, on_y, results) = (r.upload("x", &xs)?, r.upload("y", &ys)?, r.alloc("results", xs.len())?);
    let (n, number) = (xs.len() as u32, number(EXACT, function.name));
    let kernel = ApplyF64 { function: number, x: r.handle(&on_x), y: r.handle(&on_y), results: r.handle(&results), n };
    // SAFETY: see above.
    unsafe { r.launch(n.div_ceil(THREADS), kernel)? };
    let mut largest = 0.0_f64;
    for ((got, &x), &y) in r.download(&results, xs.len())?.into_iter().zip(&xs).zip(&ys) {
        let exact = match x == 0.0 || !x.is_finite() {
            true => Big::number((function.wide)(x, y)),
            false => (function.exact)(big, &Big::number(x), &Big::number(y)),
        };
        largest = largest.max(F64.error(got, &exact));
    }
    Ok(largest)
}

/// Measures the fast functions on a device.
///
/// # Errors
/// If a launch fails.
pub fn fast<D: Device>(r: &Runner<'_, D>) -> Result<Vec<FastError>> {
    let measure = |function: &FastFunction| {
        let n = 20_000;
        let xs: Vec<f32> = between(function.x, n, 1).map(|x| x as f32).collect();
        let ys: Vec<f32> = between(function.y, n, 2).map(|y| y as f32).collect();
        let (on_x, on_y, results) = (r.upload("x", &xs)?, r.upload("y", &ys)?, r.alloc("results", xs.len())?);
        let (x, y, number) = (r.handle(&on_x), r.handle(&on_y), number(FAST, function.name));
        let kernel = ApplyFast { function: number, x, y, results: r.handle(&results), n };
        // SAFETY: see above.
        unsafe { r.launch(n.div_ceil(THREADS), kernel)? };
        let results = r.download(&results, xs.len())?;
        let error = |((&got, &x), &y): ((&f32, &f32), &f32)| {
            let exact = (function.wide)(x.into(), y.into());
            let at = if function.absolute { exact.abs().max(1.0) } else { exact };
            (f64::from(got) - exact).abs() / crate::runner::ulp(at as f32)
        };
        Ok(FastError { name: function.name, f32: results.iter().zip(&xs).zip(&ys).map(error).fold(0.0, f64::max) })
    };
    FAST_FUNCTIONS.iter().map(measure).collect()
}
