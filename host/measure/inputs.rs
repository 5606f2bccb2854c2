//! Inputs of measurements: random strings, and similar strings. Equal seeds give equal inputs.

use fastrand::Rng;

/// Fills a text with random bytes of `symbols` different values, at most 256.
pub fn fill(text: &mut [u8], symbols: u64, seed: u64) {
    let mut random = Rng::with_seed(seed);
    let base = if symbols > 128 { 0 } else { b'0' };
    text.fill_with(|| base + random.u64(..symbols) as u8);
}

/// Returns a random text of `symbols` different bytes, at most 256.
pub fn random(len: usize, symbols: u64, seed: u64) -> Vec<u8> {
    let mut text = vec![0; len];
    fill(&mut text, symbols, seed);
    text
}

/// Returns random numbers below `kinds`.
pub fn tokens(len: usize, kinds: u32, seed: u64) -> Vec<u32> {
    let mut random = Rng::with_seed(seed);
    (0..len).map(|_| random.u32(..kinds)).collect()
}

/// Returns a text with errors in `per_mille` of 1,000 symbols: one third each of substitutions (a
/// quarter of them change nothing), insertions and deletions.
pub fn with_errors(text: &[u8], per_mille: u32) -> Vec<u8> {
    let mut random = Rng::with_seed(u64::from(per_mille));
    let mut other = Vec::with_capacity(text.len());
    for &symbol in text {
        let new = b'0' + random.u8(..4);
        match if random.u32(..1000) < per_mille { random.u32(..3) } else { 3 } {
            0 => other.push(new),
            1 => other.extend([symbol, new]),
            2 => {}
            _ => other.push(symbol),
        }
    }
    other
}
