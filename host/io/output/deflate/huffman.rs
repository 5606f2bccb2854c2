//! Huffman codes with a bound on their lengths.

/// Lengths of codes, and the codes themselves, their first bit lowest.
pub(super) struct Codes<const N: usize> {
    pub lens: [u8; N],
    pub bits: [u16; N],
}

impl<const N: usize> Codes<N> {
    /// Returns the codes for symbols that occur `counts` times. At least two symbols have a code,
    /// so every code is complete. `longest` is at most 15 bits, and 2^`longest` at least `N`.
    /// O(N log N).
    pub fn new(counts: &[u32; N], longest: usize) -> Self {
        let mut used: Vec<(u32, u16)> = (0..N as u16)
            .zip(counts)
            .filter(|(_, count)| **count > 0)
            .map(|(symbol, count)| (*count, symbol))
            .collect();
        for symbol in 0..N as u16 {
            if used.len() >= 2 {
                break;
            }
            if counts[usize::from(symbol)] == 0 {
                used.push((1, symbol));
            }
        }
        used.sort_unstable();
        let mut by_len = lens(&used.iter().map(|(count, _)| *count).collect::<Vec<_>>());
        bound(&mut by_len, longest);
        let mut lens = [0; N];
        let mut symbols = used.iter();
        for len in (1..=longest).rev() {
            for (_, symbol) in symbols.by_ref().take(by_len[len]) {
                lens[usize::from(*symbol)] = len as u8;
            }
        }
        Self { bits: bits(&lens, &by_len), lens }
    }
}

/// Most symbols of a code, which bound the length before [`bound`].
const DEEPEST: usize = 48;

/// Returns the number of codes of each length, for counts in ascending order: Huffman's algorithm,
/// with one queue for symbols and one for their unions (van Leeuwen 1976).
fn lens(counts: &[u32]) -> [usize; DEEPEST] {
    let n = counts.len();
    // Weights of the unions, and the union that each node (a symbol, or n + a union) is part of.
    let mut unions: Vec<u32> = Vec::with_capacity(n);
    let mut parents = vec![0; 2 * n];
    let mut symbol = 0;
    let mut union = 0;
    for number in 0..n - 1 {
        let mut weight = 0;
        for _ in 0..2 {
            let is_symbol = symbol < n && unions.get(union).is_none_or(|other| counts[symbol] <= *other);
            let node = if is_symbol { &mut symbol } else { &mut union };
            parents[if is_symbol { *node } else { n + *node }] = number;
            weight += if is_symbol { counts[*node] } else { unions[*node] };
            *node += 1;
        }
        unions.push(weight);
    }
    let mut depths = vec![0_usize; n - 1];
    for union in (0..n - 2).rev() {
        depths[union] = depths[parents[n + union]] + 1;
    }
    let mut by_len = [0; DEEPEST];
    for parent in &parents[..n] {
        by_len[(depths[*parent] + 1).min(DEEPEST - 1)] += 1;
    }
    by_len
}

/// Shortens the codes that are longer than `longest`, and lengthens others until all fit.
fn bound(by_len: &mut [usize; DEEPEST], longest: usize) {
    let too_long: usize = by_len[longest + 1..].iter().sum();
    by_len[longest + 1..].fill(0);
    by_len[longest] += too_long;
    // Share of all strings of `longest` bits that begin with a code.
    let mut taken: usize = (1..=longest).map(|len| by_len[len] << (longest - len)).sum();
    while taken > 1 << longest {
        // A code of the greatest length below `longest` becomes two, one of them for a code that
        // has the greatest length.
        let Some(len) = (1..longest).rev().find(|len| by_len[*len] > 0) else { break };
        by_len[len] -= 1;
        by_len[len + 1] += 2;
        by_len[longest] -= 1;
        taken -= 1;
    }
}

/// Returns the codes in their order, which is that of their lengths, then of the symbols (RFC 1951,
/// section 3.2.2).
fn bits<const N: usize>(lens: &[u8; N], by_len: &[usize; DEEPEST]) -> [u16; N] {
    let mut next = [0_u16; 16];
    for len in 1..15 {
        next[len + 1] = (next[len] + by_len[len] as u16) << 1;
    }
    lens.map(|len| {
        let len = usize::from(len);
        if len == 0 {
            return 0;
        }
        let code = next[len];
        next[len] = code.wrapping_add(1);
        code.reverse_bits() >> (16 - len)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the sum of 2^-length over all codes, times 2^15.
    fn taken<const N: usize>(codes: &Codes<N>) -> usize {
        codes.lens.iter().filter(|len| **len > 0).map(|len| 1 << (15 - len)).sum()
    }

    #[test]
    fn codes_are_complete_and_short_for_frequent_symbols() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..200 {
            let counts: [u32; 40] = std::array::from_fn(|at| match round % 4 {
                0 => random.u32(0..5),
                1 => 1 << (at * 26 / 40),
                2 => u32::from(random.u32(0..30) == 0),
                _ => random.u32(0..1 << (at % 20)),
            });
            for longest in [6, 7, 14] {
                let codes = Codes::new(&counts, longest);
                assert_eq!(taken(&codes), 1 << 15, "{counts:?} {:?}", codes.lens);
                assert!(codes.lens.iter().all(|len| usize::from(*len) <= longest));
                for (count, len) in counts.iter().zip(codes.lens) {
                    assert!(*count == 0 || len > 0);
                    for (other, other_len) in counts.iter().zip(codes.lens) {
                        assert!(count <= other || *other == 0 || len <= other_len, "{counts:?} {:?}", codes.lens);
                    }
                }
            }
        }
    }

    #[test]
    fn the_sum_of_lengths_is_the_least() {
        // Huffman 1952: the sum is that of the weights of all unions.
        let mut random = fastrand::Rng::with_seed(2);
        for _ in 0..100 {
            let counts: [u32; 30] = std::array::from_fn(|_| random.u32(1..1000));
            let codes = Codes::new(&counts, 15);
            let sum: u32 = counts.iter().zip(codes.lens).map(|(count, len)| count * u32::from(len)).sum();
            let mut weights = counts.to_vec();
            let mut least = 0;
            while weights.len() > 1 {
                weights.sort_unstable_by(|one, other| other.cmp(one));
                let union = weights.pop().unwrap() + weights.pop().unwrap();
                least += union;
                weights.push(union);
            }
            assert_eq!(sum, least);
        }
    }
}
