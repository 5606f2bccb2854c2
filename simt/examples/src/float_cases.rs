//! The kernels whose results are not exact, with references in `f64`.

use crate::runner::{Case, Outcome, Runner, numbers};
use crate::{black_scholes, blur, fft, gemm, nbody, network, softmax};
use simt_launch::{Device, Result};
use simt_std::{F32x2, F32x4};
use std::f64::consts::PI;

const ARRAYS: &[u32] = &[1, 31, 127, 128, 129, 257];
const MATRICES: &[u32] = &[1, 7, 8, 9, 31, 32, 33, 50];

/// Returns the kernels of this file.
pub fn cases<D: Device>() -> Vec<Case<D>> {
    let case = |name, run, sizes| Case { name, run, sizes };
    vec![
        case("nbody", nbody::<D>, ARRAYS),
        case("softmax", softmax::<D>, MATRICES),
        case("black_scholes", |r, n| black_scholes(r, n, false), ARRAYS),
        case("black_scholes_fast", |r, n| black_scholes(r, n, true), ARRAYS),
        case("blur", blur::<D>, MATRICES),
        case("fft", fft::<D>, &[1, 2, 50]),
        case("network", network::<D>, MATRICES),
        case("matmul_registers", gemm::<D>, &[1, 200]),
    ]
}

/// Returns numbers from −1 to 1.
fn fractions(n: u32, seed: u32) -> Vec<f32> {
    let parts = numbers(n, seed).into_iter().zip(numbers(n, seed + 100));
    parts.map(|(high, low)| (high as f32 - 7.5 + low as f32 / 16.0) / 8.5).collect()
}

/// Returns numbers as `f64`.
fn wide(numbers: &[f32]) -> Vec<f64> {
    numbers.iter().map(|&number| number.into()).collect()
}

// Every launch below meets its kernel's contract: its arrays are made for it a few lines above.

fn nbody<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
    let coordinates: Vec<Vec<f32>> = (1..=4).map(|seed| fractions(n, seed)).collect();
    let body = |i: usize| [0, 1, 2, 3].map(|k| coordinates[k][i]);
    let bodies: Vec<[f32; 4]> = (0..n as usize).map(body).map(|[x, y, z, mass]| [x, y, z, mass.abs()]).collect();
    let on_bodies = r.upload("bodies", &bodies.iter().copied().map(F32x4).collect::<Vec<_>>())?;
    let on_accelerations = r.alloc::<F32x4>("accelerations", bodies.len())?;
    let kernel = nbody::Nbody { bodies: r.handle(&on_bodies), accelerations: r.handle(&on_accelerations), n };
    // SAFETY: see above.
    unsafe { r.launch(n.div_ceil(nbody::THREADS), kernel)? };
    let got: Vec<f32> = r.download(&on_accelerations, bodies.len())?.iter().flat_map(|a| a.0).collect();

    let bodies: Vec<[f64; 4]> = bodies.into_iter().map(|body| body.map(f64::from)).collect();
    let acceleration = |[x, y, z, _]: [f64; 4]| {
        let mut sum = [0.0; 4];
        for [other_x, other_y, other_z, mass] in &bodies {
            let d = [other_x - x, other_y - y, other_z - z];
            let square = d.iter().map(|d| d * d).sum::<f64>() + f64::from(nbody::SOFTENING);
            for (sum, d) in sum.iter_mut().zip(d) {
                *sum += mass * d / square.powf(1.5);
            }
        }
        sum
    };
    let expected: Vec<f64> = bodies.iter().copied().flat_map(acceleration).collect();
    // Each of n terms has an error of some ulp, and the terms cancel.
    Ok(Outcome::within(8.0 + f64::from(n) / 32.0, &got, &expected))
}

fn softmax<D: Device>(r: &Runner<'_, D>, rows: u32) -> Result<Outcome> {
    let columns = 2 * rows + 1;
    // Up to ±200, whose powers overflow.
    let matrix: Vec<f32> = fractions(rows * columns, 1).into_iter().map(|x| 200.0 * x).collect();
    let (on_in, on_out) = (r.upload("matrix", &matrix)?, r.alloc("softmax", matrix.len())?);
    let kernel = softmax::Softmax { input: r.handle(&on_in), output: r.handle(&on_out), rows, columns };
    // SAFETY: see above.
    unsafe { r.launch(rows.div_ceil(softmax::ROWS), kernel)? };
    let softmax_of = |row: &[f32]| {
        let largest = row.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let powers: Vec<f64> = row.iter().map(|&x| (f64::from(x) - f64::from(largest)).exp()).collect();
        let sum: f64 = powers.iter().sum();
        powers.into_iter().map(move |power| power / sum)
    };
    let expected: Vec<f64> = matrix.chunks(columns as usize).flat_map(softmax_of).collect();
    Ok(Outcome::within(4.0, &r.download(&on_out, matrix.len())?, &expected))
}

/// Returns Φ, the distribution function of the normal distribution, to about 15 digits: by its
/// series near 0, by its continued fraction in the tails.
fn normal_distribution(d: f64) -> f64 {
    let density = (-d * d / 2.0).exp() / (2.0 * PI).sqrt();
    if d.abs() < 4.0 {
        // Σ d^(2 i + 1) / (1 · 3 · 5 … (2 i + 1))
        let terms = (1..200).scan(d, |term, i| {
            let this = *term;
            *term *= d * d / f64::from(2 * i + 1);
            Some(this)
        });
        return 0.5 + density * terms.sum::<f64>();
    }
    let fraction = (1..=100).rev().fold(d.abs(), |rest, i| d.abs() + f64::from(i) / rest);
    if d > 0.0 { 1.0 - density / fraction } else { density / fraction }
}

fn black_scholes<D: Device>(r: &Runner<'_, D>, n: u32, fast: bool) -> Result<Outcome> {
    let between = |from: f32, to: f32, seed| -> Vec<f32> {
        fractions(n, seed).into_iter().map(|x| from + (to - from) * (0.5 + 0.49 * x)).collect()
    };
    let (prices, strikes, years) = (between(5.0, 30.0, 1), between(1.0, 100.0, 2), between(0.25, 10.0, 3));
    let (on_price, on_strike) = (r.upload("price", &prices)?, r.upload("strike", &strikes)?);
    let (on_years, on_call) = (r.upload("years", &years)?, r.alloc("call", prices.len())?);
    let on_put = r.alloc("put", prices.len())?;
    let (price, strike, on_years) = (r.handle(&on_price), r.handle(&on_strike), r.handle(&on_years));
    let (call, put, blocks) = (r.handle(&on_call), r.handle(&on_put), n.div_ceil(black_scholes::THREADS));
    let (exact, approximate) = (
        black_scholes::BlackScholes::<false> { price, strike, years: on_years, call, put, n },
        black_scholes::BlackScholes::<true> { price, strike, years: on_years, call, put, n },
    );
    // SAFETY: see above.
    unsafe {
        match fast {
            false => r.launch(blocks, exact)?,
            true => r.launch(blocks, approximate)?,
        }
    }
    let mut got: Vec<f32> = r.download(&on_call, prices.len())?;
    got.extend(r.download(&on_put, prices.len())?);

    let (rate, volatility) = (f64::from(black_scholes::RATE), f64::from(black_scholes::VOLATILITY));
    let option = |i: usize| {
        let (price, strike, years) = (f64::from(prices[i]), f64::from(strikes[i]), f64::from(years[i]));
        let deviation = volatility * years.sqrt();
        let d1 = ((price / strike).ln() + (rate + volatility * volatility / 2.0) * years) / deviation;
        let present = strike * (-rate * years).exp();
        let call = price * normal_distribution(d1) - present * normal_distribution(d1 - deviation);
        [call, call - price + present]
    };
    let both: Vec<[f64; 2]> = (0..prices.len()).map(option).collect();
    let expected: Vec<f64> = [0, 1].into_iter().flat_map(|which| both.iter().map(move |pair| pair[which])).collect();
    Ok(Outcome::within(if fast { 16.0 } else { 4.0 }, &got, &expected))
}

fn blur<D: Device>(r: &Runner<'_, D>, height: u32) -> Result<Outcome> {
    let width = height + 5;
    let cells = fractions(width * height, 1);
    let on_in = r.upload("cells", &cells)?;
    let (on_between, on_out) = (r.alloc("blurred in x", cells.len())?, r.alloc("blurred", cells.len())?);
    let (input, between, output) = (r.handle(&on_in), r.handle(&on_between), r.handle(&on_out));
    let blocks = [width.div_ceil(blur::TILE_X), height.div_ceil(blur::TILE_Y), 1];
    // SAFETY: see above.
    unsafe {
        r.launch(blocks, blur::BlurRows { input, output: between, width, height })?;
        r.launch(blocks, blur::BlurColumns { input: between, output, width, height })?;
    }
    let (w, h, radius) = (i64::from(width), i64::from(height), i64::from(blur::RADIUS));
    let cell = |x: i64, y: i64| f64::from(cells[(y.clamp(0, h - 1) * w + x.clamp(0, w - 1)) as usize]);
    let weight = |offset: i64| (-(offset * offset) as f64 / 8.0).exp();
    let total = (-radius..=radius).map(weight).sum::<f64>().powi(2);
    let mean = |i: i64| {
        let offsets = (-radius..=radius).flat_map(|dy| (-radius..=radius).map(move |dx| (dx, dy)));
        offsets.map(|(dx, dy)| weight(dx) * weight(dy) * cell(i % w + dx, i / w + dy)).sum::<f64>() / total
    };
    let expected: Vec<f64> = (0..w * h).map(mean).collect();
    Ok(Outcome::within(3.0, &r.download(&on_out, cells.len())?, &expected))
}

fn fft<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
    let rows = n.div_ceil(40);
    let len = (fft::LEN * rows) as usize;
    let parts = [1, 2].map(|seed| fractions(len as u32, seed));
    let numbers: Vec<F32x2> = parts[0].iter().zip(&parts[1]).map(|(&re, &im)| F32x2([re, im])).collect();
    let on_numbers = r.upload("numbers", &numbers)?;
    // SAFETY: see above.
    unsafe { r.launch(rows, fft::Fft { numbers: r.handle(&on_numbers) })? };
    let got: Vec<f32> = r.download(&on_numbers, len)?.iter().flat_map(|number| number.0).collect();

    // The definition, with a table of the 1,024 roots.
    let size = fft::LEN as usize;
    let roots: Vec<(f64, f64)> = (0..size).map(|i| (-2.0 * PI * i as f64 / size as f64).sin_cos()).collect();
    let (real, imaginary) = (wide(&parts[0]), wide(&parts[1]));
    let coefficient = |i: usize| {
        let (row, k) = (i / size * size, i % size);
        (0..size).fold([0.0, 0.0], |[re, im], j| {
            let (sin, cos) = roots[j * k % size];
            let (a, b) = (real[row + j], imaginary[row + j]);
            [re + a * cos - b * sin, im + a * sin + b * cos]
        })
    };
    let expected: Vec<f64> = (0..len).flat_map(coefficient).collect();
    Ok(Outcome::within(4.0, &got, &expected))
}

/// Returns `f(input × weights + bias)`, row by row.
fn layer(input: &[f64], weights: &[f32], bias: &[f32], f: fn(f64) -> f64) -> Vec<f64> {
    let (outputs, inputs) = (bias.len(), weights.len() / bias.len());
    let sum = |row: &[f64], column: usize| {
        let products = row.iter().enumerate().map(|(i, x)| x * f64::from(weights[i * outputs + column]));
        f(products.sum::<f64>() + f64::from(bias[column]))
    };
    input.chunks(inputs).flat_map(|row| (0..outputs).map(move |column| sum(row, column))).collect()
}

fn network<D: Device>(r: &Runner<'_, D>, rows: u32) -> Result<Outcome> {
    let (inputs, hidden, outputs) = (rows.div_ceil(2) + 3, rows + 2, 5);
    let input = fractions(rows * inputs, 1);
    let (w1, b1) = (fractions(inputs * hidden, 2), fractions(hidden, 3));
    let (w2, b2) = (fractions(hidden * outputs, 4), fractions(outputs, 5));
    let (on_input, on_w1, on_b1) = (r.upload("input", &input)?, r.upload("w1", &w1)?, r.upload("b1", &b1)?);
    let (on_w2, on_b2) = (r.upload("w2", &w2)?, r.upload("b2", &b2)?);
    let (on_hidden, on_output) =
        (r.alloc("hidden", (rows * hidden) as usize)?, r.alloc("output", (rows * outputs) as usize)?);
    let first = network::Dense::<true> {
        input: r.handle(&on_input),
        weights: r.handle(&on_w1),
        bias: r.handle(&on_b1),
        output: r.handle(&on_hidden),
        rows,
        inputs,
        outputs: hidden,
    };
    let second = network::Dense::<false> {
        input: r.handle(&on_hidden),
        weights: r.handle(&on_w2),
        bias: r.handle(&on_b2),
        output: r.handle(&on_output),
        rows,
        inputs: hidden,
        outputs,
    };
    let tiles = |columns: u32| [columns.div_ceil(network::TILE), rows.div_ceil(network::TILE), 1];
    // SAFETY: see above.
    unsafe {
        r.launch(tiles(hidden), first)?;
        r.launch(tiles(outputs), second)?;
    }
    let between = layer(&wide(&input), &w1, &b1, f64::tanh);
    let expected = layer(&between, &w2, &b2, |sum| sum);
    Ok(Outcome::within(4.0, &r.download(&on_output, expected.len())?, &expected))
}

fn gemm<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
    // Small integers, so that the sums are exact.
    let integers = |n: u32, seed| -> Vec<f32> { numbers(n, seed).into_iter().map(|i| i as f32 - 8.0).collect() };
    let (m, n, k) = (gemm::TILE, n.div_ceil(gemm::TILE) * gemm::TILE, 3 * gemm::STEP);
    let (left, right) = (integers(m * k, 1), integers(k * n, 2));
    let (on_a, on_b, on_c) = (r.upload("a", &left)?, r.upload("b", &right)?, r.alloc("c", (m * n) as usize)?);
    let kernel = gemm::MatmulRegisters { a: r.handle(&on_a), b: r.handle(&on_b), c: r.handle(&on_c), k, n };
    // SAFETY: see above.
    unsafe { r.launch([n / gemm::TILE, m / gemm::TILE, 1], kernel)? };
    let zeros = vec![0.0_f32; n as usize];
    let expected = layer(&wide(&left), &right, &zeros, |sum| sum);
    Ok(Outcome::new(&wide(&r.download(&on_c, expected.len())?), &expected))
}
