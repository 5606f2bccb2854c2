//! Prices of European options by the formula of Black and Scholes.
//!
//! ```text
//!     d1 = (ln(S / X) + (r + v² / 2) T) / (v √T)      S: price of the share
//!     d2 = d1 - v √T                                  X: price of exercise, T: years
//!     call = S Φ(d1) - X e^-rT Φ(d2)                  r: riskless rate, v: volatility
//!     put  = call - S + X e^-rT                       Φ: normal distribution function
//! ```
//!
//! **Φ** has no instruction. The polynomial 26.2.17 of Abramowitz and Stegun gives it with an error
//! of 7.5 × 10^-8, which is about that of `f32`.
//!
//! **Threads.** One thread per option. Nothing is shared: the kernel is about its functions.
//!
//! **Two versions.** `black_scholes` uses the exact functions: `sqrt.rn`, and `exp` and `ln` of
//! libm, of 20 to 40 instructions each. `black_scholes_fast` uses the hardware's approximations.
//! For prices, the polynomial and the sums are as inexact as either; the case states both errors.

use simt_std::prelude::*;

/// Threads of a block.
pub const THREADS: u32 = 128;

/// Riskless rate of interest per year.
pub const RATE: f32 = 0.02;

/// Volatility of the share per year.
pub const VOLATILITY: f32 = 0.3;

/// Coefficients of the polynomial in k = 1 / (1 + 0.2316419 |d|), from k^5 down to k.
const POLYNOMIAL: [f32; 5] = [1.330_274_4, -1.821_256, 1.781_477_9, -0.356_563_78, 0.319_381_54];

/// Prices of calls and puts. `FAST` selects the approximations. Launch: ⌈n / [`THREADS`]⌉ blocks;
/// all arrays have n elements, and all inputs are positive.
#[kernel(threads = THREADS, instances = [black_scholes: (false), black_scholes_fast: (true)])]
pub fn black_scholes<const FAST: bool>(
    /// Price of the share.
    price: Global<f32>,
    /// Price at which the option may be exercised.
    strike: Global<f32>,
    /// Years until then.
    years: Global<f32>,
    /// Price of the option to buy; needs no initial value.
    call: Global<f32>,
    /// Price of the option to sell; needs no initial value.
    put: Global<f32>,
    /// Number of options.
    n: u32,
) {
    let i = thread::index_1d();
    if i >= n {
        return;
    }
    let i = i as usize;
    let (price, strike, years) = (price.read(i), strike.read(i), years.read(i));
    let (deviation, ratio, discount) = if FAST {
        (float::fast::sqrt(years), float::fast::ln(float::fast::div(price, strike)), float::fast::exp(-RATE * years))
    } else {
        (years.sqrt(), float::ln(price / strike), float::exp(-RATE * years))
    };
    let deviation = VOLATILITY * deviation;
    let drift = (RATE + 0.5 * VOLATILITY * VOLATILITY).mul_add(years, ratio);
    let d1 = if FAST { float::fast::div(drift, deviation) } else { drift / deviation };
    let present = strike * discount;
    let value = price * distribution::<FAST>(d1) - present * distribution::<FAST>(d1 - deviation);
    call.write(i, value);
    put.write(i, value - price + present);
}

/// Φ(d), the distribution function of the normal distribution.
#[inline(always)]
fn distribution<const FAST: bool>(d: f32) -> f32 {
    let denominator = d.abs().mul_add(0.231_641_9, 1.0);
    let exponent = -0.5 * d * d;
    let (k, power) = if FAST {
        (float::fast::recip(denominator), float::fast::exp(exponent))
    } else {
        (denominator.recip(), float::exp(exponent))
    };
    let mut sum = 0.0_f32;
    for coefficient in POLYNOMIAL {
        sum = sum.mul_add(k, coefficient);
    }
    // 1 / √(2 π) = 0.3989…
    let tail = 0.398_942_3 * power * sum * k;
    if d > 0.0 { 1.0 - tail } else { tail }
}
