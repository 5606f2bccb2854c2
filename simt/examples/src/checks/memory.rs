//! Checks of memory: float minima and maxima, sequentially consistent atomics, cache operators,
//! types of indices, asynchronous copies, and arrays as parameters.

use simt_std::atomic::{Order, Scope};
use simt_std::pipeline::{commit, memcpy_async, wait_prior};
use simt_std::prelude::*;

/// Number of threads of a block.
pub const THREADS: u32 = 64;

/// Changes each old value by the operand of its number, once in global and once in shared memory.
/// Launch: at least n threads; `operands` has n elements; `minima` and `maxima` have 2 n, of which
/// the first n and the last n are the old values.
#[kernel(threads = THREADS)]
pub fn check_float_extrema(
    /// The operands.
    operands: Global<f32>,
    /// Old values, and then the minima.
    minima: Global<f32>,
    /// Old values, and then the maxima.
    maxima: Global<f32>,
    /// The operands and values in 64 bits.
    operands_64: Global<f64>,
    /// As `minima`.
    minima_64: Global<f64>,
    /// As `maxima`.
    maxima_64: Global<f64>,
    /// Number of operands.
    n: u32,
) {
    shared_array!(own: [f32; 2 * THREADS as usize]);
    shared_array!(own_64: [f64; 2 * THREADS as usize]);
    let i = thread::index_1d();
    let t = 2 * thread::thread_idx_x();
    if i >= n {
        return;
    }
    let operand = operands.read(i);
    atomic::fetch_min(minima, i, operand);
    atomic::fetch_max(maxima, i, operand);
    own.write(t, minima.read(n + i));
    own.write(t + 1, maxima.read(n + i));
    atomic::block(own, t).fetch_min(operand, Order::Relaxed);
    atomic::block(own, t + 1).fetch_max(operand, Order::Relaxed);
    minima.write(n + i, own.read(t));
    maxima.write(n + i, own.read(t + 1));

    let operand = operands_64.read(i);
    atomic::fetch_min(minima_64, i, operand);
    atomic::fetch_max(maxima_64, i, operand);
    own_64.write(t, minima_64.read(n + i));
    own_64.write(t + 1, maxima_64.read(n + i));
    atomic::block(own_64, t).fetch_min(operand, Order::Relaxed);
    atomic::block(own_64, t + 1).fetch_max(operand, Order::Relaxed);
    minima_64.write(n + i, own_64.read(t));
    maxima_64.write(n + i, own_64.read(t + 1));
}

/// Counts the threads by sequentially consistent operations at every scope. Launch: n threads or
/// more; `counts` has 8 zeros.
#[kernel(threads = THREADS)]
pub fn check_sequential(
    /// The results: counts and a maximum.
    counts: Global<u32>,
    /// Number of threads that count.
    n: u32,
) {
    shared_array!(count: [u32; 1]);
    if thread::first() {
        atomic::block(count, 0).store(0, Order::SeqCst);
    }
    atomic::fence(Order::SeqCst, Scope::Block);
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
    let i = thread::index_1d();
    if i < n {
        atomic::block(count, 0).fetch_add(1, Order::SeqCst);
        atomic::device(counts, 0).fetch_add(1, Order::SeqCst);
        atomic::system(counts, 1).fetch_max(i, Order::SeqCst);
        let mut old = atomic::device(counts, 2).load(Order::SeqCst);
        loop {
            let seen = atomic::device(counts, 2).compare_exchange(old, old + 2, Order::SeqCst);
            if seen == old {
                break;
            }
            old = seen;
        }
        atomic::fence(Order::SeqCst, Scope::System);
        atomic::system(counts, 3).store(n, Order::SeqCst);
    }
    // SAFETY: as above.
    unsafe { thread::sync_threads() };
    if thread::first() {
        let of_block = atomic::block(count, 0).load(Order::SeqCst);
        atomic::device(counts, 4).fetch_add(of_block, Order::AcqRel);
    }
}

/// Copies an array five times, by loads and stores with each cache operator. Launch: n threads or
/// more; `input` has n words, `output` 5 n.
#[kernel(threads = THREADS)]
pub fn check_cache_operators(
    /// The words.
    input: Global<u32>,
    /// Five copies; needs no initial value.
    output: Global<u32>,
    /// Number of words of `input`.
    n: u32,
) {
    let i = thread::index_1d();
    if i < n {
        output.stwb(i, input.ldca(i));
        output.stcg(n + i, input.ldcg(i));
        output.stcs(2 * n + i, input.ldcs(i));
        output.stwt(3 * n + i, input.ldlu(i));
        output.write(4 * n + i, input.ldcv(i));
    }
}

/// Reads and writes by indices of each type. Launch: n threads or more; `bytes` has the numbers
/// below 256; `words` and `output` have n words.
#[kernel(threads = THREADS)]
pub fn check_indices(
    /// The numbers below 256, in any order.
    bytes: Global<u8>,
    /// The words.
    words: Global<u32>,
    /// The results; needs no initial value.
    output: Global<u32>,
    /// Number of words.
    n: u32,
) {
    shared_array!(table: [u32; 256]);
    let t = thread::thread_idx_x();
    for k in 0..256 / THREADS {
        table.write(t + k * THREADS, 3 * (t + k * THREADS));
    }
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
    let i = thread::index_1d();
    if i < n {
        let byte: u8 = bytes.read(i % 256);
        let mut sum = table.read(byte);
        sum += table.read(u16::from(byte));
        sum += table.read(usize::from(byte));
        sum += table.read(i32::from(byte));
        sum += u32::from(bytes.read(byte)) + u32::from(bytes.read(u16::from(byte)));
        output.write(i as usize, sum);
        output.update(i, |sum| sum + words.read(i as i32) + table.read(255));
    }
}

/// Copies words through shared memory asynchronously, in two groups of three sizes. Launch: n / 7
/// threads or more; n is a multiple of 28; `input` and `output` have n words.
#[kernel(threads = THREADS)]
pub fn check_async_copies(
    /// The words: n / 7 for copies of 4 bytes, 2 n / 7 of 8 bytes, and 4 n / 7 of 16 bytes.
    input: Global<u32>,
    /// A copy; needs no initial value.
    output: Global<u32>,
    /// Number of words.
    n: u32,
) {
    shared_array!(small: [u32; THREADS as usize]);
    shared_array!(middle: [U32x2; THREADS as usize]);
    shared_array!(large: [u32; 4 * THREADS as usize]);
    let (t, i, each) = (thread::thread_idx_x(), thread::index_1d(), n / 7);
    if i < each {
        // The widest first, because their part must be aligned.
        memcpy_async(large.cast::<U32x4>(), t, input.cast(), i);
        memcpy_async(middle, t, input.skip(4 * each).cast(), i);
    }
    commit();
    if i < each {
        memcpy_async(small, t, input.skip(6 * each), i);
    }
    commit();
    wait_prior::<1>();
    // SAFETY: every thread of the block is here.
    unsafe { thread::sync_threads() };
    // Each thread writes what a neighbour has copied.
    let first = i - t;
    let threads = THREADS.min(each.saturating_sub(first));
    let other = threads.wrapping_sub(1).wrapping_sub(t);
    if i < each {
        output.cast::<U32x4>().write(first + other, large.cast::<U32x4>().read(other));
        output.skip(4 * each).cast::<U32x2>().write(first + other, middle.read(other));
    }
    wait_prior::<0>();
    // SAFETY: as above.
    unsafe { thread::sync_threads() };
    if i < each {
        output.skip(6 * each).write(first + other, small.read(other));
    }
}

/// Number of weights of [`check_parameter_array`](CheckParameterArray).
pub const WEIGHTS: usize = 16;

/// Replaces each word by its polynomial with these coefficients, plus the coefficient that the word
/// selects. Launch: n threads or more; `words` has n words.
#[kernel(threads = THREADS)]
pub fn check_parameter_array(
    /// The coefficients, in constant memory.
    weights: [u32; WEIGHTS],
    /// The words, and then the results.
    words: Global<u32>,
    /// Number of words.
    n: u32,
) {
    let i = thread::index_1d();
    if i < n {
        let word = words.read(i);
        // Constant indices: the operands of the additions are in constant memory.
        let polynomial = weights.iter().fold(0u32, |sum, &weight| sum.wrapping_mul(word).wrapping_add(weight));
        // An index at run time: the compiler copies the array to local memory.
        words.write(i, polynomial.wrapping_add(weights[word as usize % WEIGHTS]));
    }
}

#[cfg(not(target_arch = "nvptx64"))]
pub use host::cases;

#[cfg(not(target_arch = "nvptx64"))]
mod host {
    use super::*;
    use crate::cases::{Case, Outcome, Runner, numbers};
    use simt_launch::{Device, Result};

    const SIZES: &[u32] = &[1, 31, 63, 64, 65, 200, 324];

    /// Returns the checks.
    pub fn cases<D: Device>() -> Vec<Case<D>> {
        let case = |name, run| Case { name, run, sizes: SIZES };
        vec![
            case("check_float_extrema", float_extrema::<D>),
            case("check_sequential", sequential::<D>),
            case("check_cache_operators", cache_operators::<D>),
            case("check_indices", indices::<D>),
            case("check_async_copies", async_copies::<D>),
            case("check_parameter_array", parameter_array::<D>),
        ]
    }

    /// Every pair of these is an old value with an operand.
    const FLOATS: [f32; 18] = [
        0.0,
        -0.0,
        1.0,
        -1.0,
        1.5,
        -1.5,
        1e-45,
        -1e-45,
        f32::MAX,
        f32::MIN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        -f32::NAN,
        3e-38,
        -3e-38,
        1024.0,
        -1024.0,
    ];

    /// Returns the position of a float in IEEE 754's totalOrder.
    fn rank(float: f64) -> i128 {
        let bits = float.to_bits();
        let magnitude = i128::from(bits & (u64::MAX >> 1));
        if bits >> 63 == 0 { magnitude } else { -1 - magnitude }
    }

    fn float_extrema<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
        let count = n as usize;
        let old: Vec<f32> = (0..count).map(|i| FLOATS[i % FLOATS.len()]).collect();
        let operands: Vec<f32> = (0..count).map(|i| FLOATS[i / FLOATS.len() % FLOATS.len()]).collect();
        let wide = |floats: &[f32]| floats.iter().map(|&float| f64::from(float)).collect::<Vec<_>>();
        let (old_64, operands_64) = (wide(&old), wide(&operands));
        let (twice, twice_64) = (old.repeat(2), old_64.repeat(2));
        let (on_operands, on_operands_64) = (r.upload("operands", &operands)?, r.upload("operands", &operands_64)?);
        let (on_minima, on_maxima) = (r.upload("minima", &twice)?, r.upload("maxima", &twice)?);
        let (on_minima_64, on_maxima_64) = (r.upload("minima", &twice_64)?, r.upload("maxima", &twice_64)?);
        let kernel = CheckFloatExtrema {
            operands: r.handle(&on_operands),
            minima: r.handle(&on_minima),
            maxima: r.handle(&on_maxima),
            operands_64: r.handle(&on_operands_64),
            minima_64: r.handle(&on_minima_64),
            maxima_64: r.handle(&on_maxima_64),
            n,
        };
        // SAFETY: the arrays above have the lengths of the contract; so in all checks of this file.
        unsafe { r.launch(n.div_ceil(THREADS), kernel)? };
        let got = [r.download(&on_minima, 2 * count)?, r.download(&on_maxima, 2 * count)?].map(|floats| wide(&floats));
        let got_64 = [r.download(&on_minima_64, 2 * count)?, r.download(&on_maxima_64, 2 * count)?];
        let choose = |i: usize, least: bool| match (old_64[i % count], operands_64[i % count]) {
            (old, operand) if operand.is_nan() => old,
            (old, operand) if (rank(operand) < rank(old)) == least => operand,
            (old, _) => old,
        };
        let expected = [true, false].map(|least| (0..2 * count).map(|i| choose(i, least)).collect::<Vec<_>>());
        // The payload of a NaN may change when it becomes wider; its sign does not.
        let bits = |float: f64| if float.is_nan() { f64::NAN.copysign(float).to_bits() } else { float.to_bits() };
        let halves =
            |floats: Vec<f64>| floats.into_iter().flat_map(move |float| [bits(float) >> 32, bits(float) & 0xffff_ffff]);
        let words =
            |lists: Vec<Vec<f64>>| lists.into_iter().flat_map(halves).map(|half| half as u32).collect::<Vec<_>>();
        let [min, max] = expected;
        let got = got.into_iter().chain(got_64).collect();
        Ok(Outcome::new(&words(got), &words(vec![min.clone(), max.clone(), min, max])))
    }

    fn sequential<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
        let on_counts = r.upload("counts", &[0u32; 8])?;
        // SAFETY: see above.
        unsafe { r.launch(n.div_ceil(THREADS), CheckSequential { counts: r.handle(&on_counts), n })? };
        Ok(Outcome::new(&r.download(&on_counts, 8)?, &[n, n - 1, 2 * n, n, n, 0, 0, 0]))
    }

    fn cache_operators<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
        let words = numbers(n, 1);
        let (on_input, on_output) = (r.upload("input", &words)?, r.alloc("output", 5 * words.len())?);
        let kernel = CheckCacheOperators { input: r.handle(&on_input), output: r.handle(&on_output), n };
        // SAFETY: see above.
        unsafe { r.launch(n.div_ceil(THREADS), kernel)? };
        Ok(Outcome::new(&r.download(&on_output, 5 * words.len())?, &words.repeat(5)))
    }

    fn indices<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
        let bytes: Vec<u8> = (0..=255).map(|byte: u8| byte.wrapping_mul(77).wrapping_add(5)).collect();
        let words = numbers(n, 1);
        let (on_bytes, on_words) = (r.upload("bytes", &bytes)?, r.upload("words", &words)?);
        let on_output = r.alloc("output", words.len())?;
        let (bytes_of, words_of) = (r.handle(&on_bytes), r.handle(&on_words));
        let kernel = CheckIndices { bytes: bytes_of, words: words_of, output: r.handle(&on_output), n };
        // SAFETY: see above.
        unsafe { r.launch(n.div_ceil(THREADS), kernel)? };
        let expected: Vec<u32> = words
            .iter()
            .enumerate()
            .map(|(i, word)| {
                let byte = bytes[i % 256];
                12 * u32::from(byte) + 2 * u32::from(bytes[usize::from(byte)]) + word + 765
            })
            .collect();
        Ok(Outcome::new(&r.download(&on_output, words.len())?, &expected))
    }

    fn async_copies<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
        let words: Vec<u32> = (0..28 * n).map(|i| i.wrapping_mul(0x9e37_79b1)).collect();
        let (on_input, on_output) = (r.upload("input", &words)?, r.alloc("output", words.len())?);
        let kernel = CheckAsyncCopies { input: r.handle(&on_input), output: r.handle(&on_output), n: 28 * n };
        // SAFETY: see above.
        unsafe { r.launch((4 * n).div_ceil(THREADS), kernel)? };
        Ok(Outcome::new(&r.download(&on_output, words.len())?, &words))
    }

    fn parameter_array<D: Device>(r: &Runner<'_, D>, n: u32) -> Result<Outcome> {
        let words = numbers(n, 1);
        let weights: [u32; WEIGHTS] = std::array::from_fn(|i| 100 + i as u32 * i as u32);
        let on_words = r.upload("words", &words)?;
        // SAFETY: see above.
        unsafe { r.launch(n.div_ceil(THREADS), CheckParameterArray { weights, words: r.handle(&on_words), n })? };
        let value = |word: u32| {
            let powers = std::iter::successors(Some(1u32), |power| Some(power.wrapping_mul(word)));
            let terms = weights.iter().rev().zip(powers).map(|(weight, power)| weight.wrapping_mul(power));
            terms.fold(weights[word as usize % WEIGHTS], u32::wrapping_add)
        };
        let expected: Vec<u32> = words.iter().map(|&word| value(word)).collect();
        Ok(Outcome::new(&r.download(&on_words, words.len())?, &expected))
    }
}
