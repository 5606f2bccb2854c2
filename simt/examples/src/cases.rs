//! Every kernel with an input and the expected result, to run on the simulator or on a GPU.

use crate::{
    blelloch, checks, fence_reduction, float_cases, histogram, look_back, matmul, reduction, saxpy, stencil, transpose,
    vector_add,
};
use simt_launch::{Device, Result};
use simt_std::global::Global;

pub use crate::runner::{Case, Outcome, Runner, numbers};

const ARRAYS: &[u32] = &[1, 31, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1000];
const MATRICES: &[u32] = &[1, 7, 8, 15, 16, 17, 31, 32, 33, 50];

/// Returns all kernels.
pub fn cases<D: Device>() -> Vec<Case<D>> {
    let case = |name, run, sizes| Case { name, run, sizes };
    let mut all = vec![
        case("vector_add", vector_add::<D>, ARRAYS),
        case("saxpy", saxpy::<D>, ARRAYS),
        case("laplace", |r, n| stencil(r, n, false), MATRICES),
        case("laplace_tiled", |r, n| stencil(r, n, true), MATRICES),
        case("transpose_naive", |r, n| transpose(r, n, Way::Naive), MATRICES),
        case("transpose_tiled", |r, n| transpose(r, n, Way::Tiled), MATRICES),
        case("transpose_padded", |r, n| transpose(r, n, Way::Padded), MATRICES),
        case("matmul_naive", |r, n| matmul(r, n, false), MATRICES),
        case("matmul_tiled", |r, n| matmul(r, n, true), MATRICES),
        case("reduce_1", |r, n| reduce(r, n, 1), ARRAYS),
        case("reduce_2", |r, n| reduce(r, n, 2), ARRAYS),
        case("reduce_3", |r, n| reduce(r, n, 3), ARRAYS),
        case("reduce_4", |r, n| reduce(r, n, 4), ARRAYS),
        case("reduce_5", |r, n| reduce(r, n, 5), ARRAYS),
        case("reduce_6", |r, n| reduce(r, n, 6), ARRAYS),
        case("reduce_7", |r, n| reduce(r, n, 7), ARRAYS),
        case("fence_reduction", fence_reduction::<D>, ARRAYS),
        case("histogram_global", |r, n| histogram(r, n, false), ARRAYS),
        case("histogram_shared", |r, n| histogram(r, n, true), ARRAYS),
        case("blelloch", |r, n| blelloch(r, n, false), ARRAYS),
        case("blelloch_padded", |r, n| blelloch(r, n, true), ARRAYS),
        case("scan_look_back", look_back::<D>, &[1, 255, 256, 257, 1000, 3000]),
    ];
    all.extend(float_cases::cases());
    all.extend(checks::collectives::cases());
    all.extend(checks::float::cases());
    all.extend(checks::memory::cases());
    all
}

fn floats(n: u32, seed: u32) -> Vec<f32> {
    numbers(n, seed).into_iter().map(|number| number as f32 - 8.0).collect()
}

// Every launch below meets its kernel's contract: its arrays are made for it a few lines above.

fn vector_add<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
    let (a, b) = (floats(n, 1), floats(n, 2));
    let (on_a, on_b, on_c) = (r.upload("a", &a)?, r.upload("b", &b)?, r.alloc("c", a.len())?);
    let kernel = vector_add::VectorAdd { a: r.handle(&on_a), b: r.handle(&on_b), c: r.handle(&on_c), n };
    // SAFETY: see above.
    unsafe { r.launch(n.div_ceil(vector_add::THREADS), kernel)? };
    let expected: Vec<f32> = a.iter().zip(&b).map(|(a, b)| a + b).collect();
    Ok(Outcome::new(&r.download(&on_c, a.len())?, &expected))
}

fn saxpy<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
    let (x, y) = (floats(n, 1), floats(n, 2));
    let (on_x, on_y) = (r.upload("x", &x)?, r.upload("y", &y)?);
    let kernel = saxpy::Saxpy { a: 3.0, x: r.handle(&on_x), y: r.handle(&on_y), n };
    // SAFETY: see above. With two blocks, a thread handles several elements of some sizes.
    unsafe { r.launch(2, kernel)? };
    let expected: Vec<f32> = x.iter().zip(&y).map(|(x, y)| 3.0 * x + y).collect();
    Ok(Outcome::new(&r.download(&on_y, x.len())?, &expected))
}

fn stencil<D: Device>(r: &Runner<'_, D>, height: u32, tiled: bool) -> Result<Outcome> {
    let width = height + 5;
    let cells = floats(width * height, 1);
    let (on_in, on_out) = (r.upload("cells", &cells)?, r.alloc("result", cells.len())?);
    let (input, output) = (r.handle(&on_in), r.handle(&on_out));
    let blocks = [width.div_ceil(stencil::TILE_X), height.div_ceil(stencil::TILE_Y), 1];
    // SAFETY: see above.
    unsafe {
        match tiled {
            false => r.launch(blocks, stencil::Laplace { input, output, width, height })?,
            true => r.launch(blocks, stencil::LaplaceTiled { input, output, width, height })?,
        }
    }
    let (w, h) = (i64::from(width), i64::from(height));
    let cell =
        |x: i64, y: i64| if (0..w).contains(&x) && (0..h).contains(&y) { cells[(y * w + x) as usize] } else { 0.0 };
    let weights = [(0, 0, -4.0), (1, 0, 1.0), (-1, 0, 1.0), (0, 1, 1.0), (0, -1, 1.0)];
    let at = |i: i64| weights.iter().map(|&(dx, dy, weight)| weight * cell(i % w + dx, i / w + dy)).sum();
    let expected: Vec<f32> = (0..w * h).map(at).collect();
    Ok(Outcome::new(&r.download(&on_out, cells.len())?, &expected))
}

enum Way {
    Naive,
    Tiled,
    Padded,
}

fn transpose<D: Device>(r: &Runner<'_, D>, height: u32, way: Way) -> Result<Outcome> {
    let width = height + 3;
    let matrix = floats(width * height, 1);
    let (on_in, on_out) = (r.upload("matrix", &matrix)?, r.alloc("transpose", matrix.len())?);
    let (input, output) = (r.handle(&on_in), r.handle(&on_out));
    let blocks = [width.div_ceil(transpose::TILE), height.div_ceil(transpose::TILE), 1];
    // SAFETY: see above.
    unsafe {
        match way {
            Way::Naive => r.launch(blocks, transpose::TransposeNaive { input, output, width, height })?,
            Way::Tiled => r.launch(blocks, transpose::TransposeTiled { input, output, width, height })?,
            Way::Padded => r.launch(blocks, transpose::TransposePadded { input, output, width, height })?,
        }
    }
    let column = |x: u32| (0..height).map(move |y| (y * width + x) as usize);
    let expected: Vec<f32> = (0..width).flat_map(column).map(|i| matrix[i]).collect();
    Ok(Outcome::new(&r.download(&on_out, matrix.len())?, &expected))
}

fn matmul<D: Device>(r: &Runner<'_, D>, m: u32, tiled: bool) -> Result<Outcome> {
    let (k, n) = (m + 2, m.div_ceil(2) + 1);
    let (left, right) = (floats(m * k, 1), floats(k * n, 2));
    let (on_a, on_b, on_c) = (r.upload("a", &left)?, r.upload("b", &right)?, r.alloc("c", (m * n) as usize)?);
    let (a, b, c) = (r.handle(&on_a), r.handle(&on_b), r.handle(&on_c));
    let blocks = [n.div_ceil(matmul::TILE), m.div_ceil(matmul::TILE), 1];
    // SAFETY: see above.
    unsafe {
        match tiled {
            false => r.launch(blocks, matmul::MatmulNaive { a, b, c, m, k, n })?,
            true => r.launch(blocks, matmul::MatmulTiled { a, b, c, m, k, n })?,
        }
    }
    let mut expected = vec![0.0; (m * n) as usize];
    for row in 0..m as usize {
        for (i, &factor) in left[row * k as usize..][..k as usize].iter().enumerate() {
            for column in 0..n as usize {
                expected[row * n as usize + column] += factor * right[i * n as usize + column];
            }
        }
    }
    Ok(Outcome::new(&r.download(&on_c, expected.len())?, &expected))
}

/// Returns the number of blocks of a step of the reduction for n words.
pub fn reduction_blocks(step: u32, n: u32) -> u32 {
    match step {
        1..=3 => n.div_ceil(reduction::THREADS),
        4..=6 => n.div_ceil(2 * reduction::THREADS),
        _ => 2,
    }
}

/// Launches a step of the reduction.
///
/// # Safety
/// `input` has n words, `output` one word for each block.
///
/// # Errors
/// If the launch fails.
pub unsafe fn launch_reduction<D: Device>(
    r: &Runner<'_, D>,
    step: u32,
    (input, output, n): (Global<u32>, Global<u32>, u32),
) -> Result<()> {
    let blocks = reduction_blocks(step, n);
    // SAFETY: passed on to the caller.
    unsafe {
        match step {
            1 => r.launch(blocks, reduction::Reduce1 { input, output, n }),
            2 => r.launch(blocks, reduction::Reduce2 { input, output, n }),
            3 => r.launch(blocks, reduction::Reduce3 { input, output, n }),
            4 => r.launch(blocks, reduction::Reduce4 { input, output, n }),
            5 => r.launch(blocks, reduction::Reduce5 { input, output, n }),
            6 => r.launch(blocks, reduction::Reduce6 { input, output, n }),
            _ => r.launch(blocks, reduction::Reduce7 { input, output, n }),
        }
    }
}

/// Sums an array, by repeated launches.
fn reduce<D: Device>(r: &Runner<'_, D>, n: u32, step: u32) -> Result<Outcome> {
    let words = numbers(n, 1);
    let (mut current, mut len) = (r.upload("words", &words)?, n);
    // The arrays of all launches live until the download has waited for them.
    let mut used = Vec::new();
    loop {
        let blocks = reduction_blocks(step, len);
        let sums = r.alloc("sums", blocks as usize)?;
        let arrays = (r.handle(&current), r.handle(&sums), len);
        // SAFETY: see above.
        unsafe { launch_reduction(r, step, arrays)? };
        used.push(std::mem::replace(&mut current, sums));
        len = blocks;
        if len == 1 || step == 7 {
            break;
        }
    }
    // Step 7 leaves two sums, for any length.
    let sum: u32 = r.download(&current, len as usize)?.iter().sum();
    Ok(Outcome::new(&[sum], &[words.iter().sum::<u32>()]))
}

fn fence_reduction<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
    let words = numbers(n, 1);
    let (on_words, on_count) = (r.upload("words", &words)?, r.upload("count", &[0u32])?);
    let (on_partial, on_output) = (r.alloc("partial sums", 5)?, r.alloc("sum", 1)?);
    let kernel = fence_reduction::FenceReduction {
        input: r.handle(&on_words),
        n,
        partial: r.handle(&on_partial),
        count: r.handle(&on_count),
        output: r.handle(&on_output),
    };
    // SAFETY: see above. With five blocks, a thread handles several words of some sizes.
    unsafe { r.launch(5, kernel)? };
    let got = [r.download(&on_output, 1)?[0], r.download(&on_count, 1)?[0]];
    Ok(Outcome::new(&got, &[words.iter().sum::<u32>(), 0]))
}

fn histogram<D: Device>(r: &Runner<'_, D>, n: u32, shared: bool) -> Result<Outcome> {
    let bins = 13;
    let bytes: Vec<u8> = numbers(n, 1).into_iter().map(|number| (number % bins) as u8).collect();
    let (on_values, on_counts) = (r.upload("values", &bytes)?, r.upload("counts", &vec![0; bins as usize])?);
    let (values, counts) = (r.handle(&on_values), r.handle(&on_counts));
    // SAFETY: see above. With three blocks, a thread handles several values of some sizes.
    unsafe {
        match shared {
            false => r.launch(3, histogram::HistogramGlobal { values, n, counts })?,
            true => r.launch(3, histogram::HistogramShared { values, n, counts, bins })?,
        }
    }
    let mut expected = vec![0_u32; bins as usize];
    bytes.iter().for_each(|&byte| expected[usize::from(byte)] += 1);
    Ok(Outcome::new(&r.download(&on_counts, expected.len())?, &expected))
}

fn blelloch<D: Device>(r: &Runner<'_, D>, n: u32, padded: bool) -> Result<Outcome> {
    let words = numbers(n, 1);
    let blocks = n.div_ceil(blelloch::WORDS);
    let (on_words, on_sums) = (r.upload("words", &words)?, r.alloc("sums", words.len())?);
    let (on_totals, on_total) = (r.alloc("totals", blocks as usize)?, r.alloc("total", 1)?);
    let (input, output) = (r.handle(&on_words), r.handle(&on_sums));
    let (totals, total) = (r.handle(&on_totals), r.handle(&on_total));
    // First the blocks, then their totals in place, and finally both combined.
    for (input, output, totals, n) in [(input, output, totals, n), (totals, totals, total, blocks)] {
        let blocks = n.div_ceil(blelloch::WORDS);
        // SAFETY: see above.
        unsafe {
            match padded {
                false => r.launch(blocks, blelloch::Blelloch { input, output, totals, n })?,
                true => r.launch(blocks, blelloch::BlellochPadded { input, output, totals, n })?,
            }
        }
    }
    // SAFETY: see above.
    unsafe { r.launch(blocks, blelloch::AddTotals { words: output, totals, n })? };
    let mut expected = vec![0];
    expected.extend(running_sums(&words));
    let mut got = r.download(&on_sums, words.len())?;
    got.extend(r.download(&on_total, 1)?);
    Ok(Outcome::new(&got, &expected))
}

fn look_back<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
    let words = numbers(n, 1);
    let blocks = n.div_ceil(look_back::THREADS);
    let len = blocks as usize;
    let (on_words, on_sums) = (r.upload("words", &words)?, r.alloc("sums", words.len())?);
    let (on_next, on_flags) = (r.upload("next tile", &[0])?, r.upload("flags", &vec![0; len])?);
    let (on_totals, on_prefixes) = (r.alloc("totals", len)?, r.alloc("prefixes", len)?);
    let kernel = look_back::ScanLookBack {
        input: r.handle(&on_words),
        output: r.handle(&on_sums),
        n,
        next_tile: r.handle(&on_next),
        flags: r.handle(&on_flags),
        totals: r.handle(&on_totals),
        prefixes: r.handle(&on_prefixes),
    };
    // SAFETY: see above.
    unsafe { r.launch(blocks, kernel)? };
    Ok(Outcome::new(&r.download(&on_sums, words.len())?, &running_sums(&words)))
}

/// Returns the sums up to each word.
fn running_sums(words: &[u32]) -> Vec<u32> {
    let add = |sum: &mut u32, &word: &u32| {
        *sum += word;
        Some(*sum)
    };
    words.iter().scan(0, add).collect()
}
