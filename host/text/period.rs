//! Self-overlaps of a string: its period, witnesses against the shifts that are not periods, and a
//! position where the period shows in a local window.
//!
//! ```text
//! P              a b a a b a b a         m = 8
//! moved by 5               a b a a b …   Each symbol is equal to the one above it. No smaller
//!                                        shift has this property: the period is 5.
//! moved by 3           a b a a b a …     Position 3 of the moved string is an a below a b: 3 is a
//!                                        witness against 3.
//! ```

use std::cmp::Ordering;

/// Returns the period of a string: the least p >= 1 with `P[i] == P[i + p]` for all i < m - p. It
/// is at most m, and 0 for an empty string. O(m) time and space, by comparing the string with
/// itself as in D. E. Knuth, J. H. Morris, V. R. Pratt, Fast pattern matching in strings, SIAM
/// Journal on Computing 6(2), 1977.
///
/// ```
/// use carrywave::text::period;
///
/// assert_eq!([period(b"abaababa"), period(b"aaaa"), period(b"abcd"), period(b"")], [5, 1, 4, 0]);
/// ```
pub fn period(symbols: &[u8]) -> usize {
    z_values(symbols, symbols.len(), false).len()
}

/// Returns a witness for each shift i below r: a position k with `P[k] != P[i + k]`, here the first
/// one; entry 0, which has none, is 0. r is the smaller of the [period](period()) and ⌈m / 2⌉:
/// there is a witness against each shift from 1 to r - 1. O(m) time and space; the string has fewer
/// than 2^32 symbols.
///
/// Witnesses decide *duels*. Occurrences of P cannot begin at both j and j + i: the first would
/// have `P[i + k]` at position j + i + k of the text, the second `P[k]`. So a single comparison at
/// that position rules out one of the two.
///
/// This is the array WITNESS of U. Vishkin, Optimal parallel pattern matching in strings,
/// Information and Control 67, 1985, in the form of J. JáJá, An introduction to parallel
/// algorithms, 1992, which counts from 1: φ(i), for i = 1 to r, is an index k with Y(k) ≠ Y(i + k -
/// 1), and φ(1) = 0. So entry i here is φ(i + 1) - 1, and entry 0 is φ(1) = 0.
///
/// ```
/// use carrywave::text::witnesses;
///
/// // abaababa has the period 5, so r = 4.
/// assert_eq!(witnesses(b"abaababa"), [0, 0, 1, 3]);
/// // abababab has the period 2, so r = 2.
/// assert_eq!(witnesses(b"abababab"), [0, 0]);
/// ```
pub fn witnesses(symbols: &[u8]) -> Vec<u32> {
    let mut z = z_values(symbols, symbols.len().div_ceil(2), false);
    if let Some(none) = z.first_mut() {
        *none = 0;
    }
    z.into_iter().map(|same| same as u32).collect()
}

/// Returns the Z-function (M. G. Main, R. J. Lorentz, An O(n log n) algorithm for finding all
/// repetitions in a string, Journal of Algorithms 5, 1984): for each shift below `most`, the number
/// of symbols at the start on which the string and its shifted copy agree. It ends at the period
/// unless `past_period`. The value of shift 0 is m. O(m) time.
pub(crate) fn z_values(symbols: &[u8], most: usize, past_period: bool) -> Vec<usize> {
    let m = symbols.len();
    let mut z: Vec<usize> = Vec::with_capacity(most);
    z.extend((most > 0).then_some(m));
    // Among all parts known to be a copy of a prefix, the one that ends last: symbols[start..end].
    let mut start = 0;
    let mut end = 0;
    for shift in 1..most {
        // Within a copy, the string agrees with itself as in the prefix, up to the copy's end.
        let known = if shift < end { z[shift - start].min(end - shift) } else { 0 };
        let same =
            if shift + known < end { known } else { known + common(&symbols[shift + known..], &symbols[known..]) };
        if shift + same == m && !past_period {
            // It agrees up to the string's end, so this shift is the period.
            break;
        }
        if shift + same > end {
            (start, end) = (shift, shift + same);
        }
        z.push(same);
    }
    z
}

/// Returns the length of the longest common prefix of two strings.
#[inline(always)]
pub(crate) fn common(a: &[u8], b: &[u8]) -> usize {
    let len = a.len().min(b.len());
    let a = &a[..len];
    let b = &b[..len];
    let ((a64, _), (b64, _)) = (a.as_chunks::<64>(), b.as_chunks::<64>());
    let same = 64 * a64.iter().zip(b64).take_while(|(a, b)| a == b).count();
    let ((a8, _), (b8, _)) = (a[same..].as_chunks::<8>(), b[same..].as_chunks::<8>());
    for (i, (a, b)) in a8.iter().zip(b8).enumerate() {
        let differ = u64::from_le_bytes(*a) ^ u64::from_le_bytes(*b);
        if differ != 0 {
            return same + 8 * i + (differ.trailing_zeros() / 8) as usize;
        }
    }
    let same = same + 8 * a8.len();
    same + a[same..].iter().zip(&b[same..]).take_while(|(a, b)| a == b).count()
}

/// Returns a critical position: an o < m where the local period is the period. The local period at
/// o is the least w >= 1 such that the string repeats after w symbols around o, that is,
/// `P[i] == P[i + w]` for all i from o - w to o - 1 with both positions in the string. 0 for an
/// empty string. O(m) time and O(1) space.
///
/// ```text
/// P = abaababa, period 5     a b|a a b a b a    o = 2: the w symbols to the left and to the right
///                                               of o, if they exist, are first equal for w = 5
/// ```
///
/// The start of the shorter of the string's two maximal suffixes, by the order of the alphabet and
/// by the reversed order, is critical; it is less than the period. M. Crochemore, D. Perrin,
/// Two-way string-matching, Journal of the ACM 38(3), 1991, theorem 3.1.
pub(crate) fn critical(symbols: &[u8]) -> usize {
    let of_order = |order: fn(&u8, &u8) -> Ordering| maximal_suffix(symbols, order);
    of_order(Ord::cmp).max(of_order(|a, b| b.cmp(a)))
}

/// Returns the start of the lexicographically greatest suffix, by a given order of the symbols.
fn maximal_suffix(symbols: &[u8], order: fn(&u8, &u8) -> Ordering) -> usize {
    // The greatest suffix so far begins at `best` and has `period`. It agrees with the suffix at
    // `other` in `length` symbols, in its last repetition.
    let (mut best, mut other, mut length, mut period) = (0, 1, 0, 1);
    while let Some(symbol) = symbols.get(other + length) {
        match order(symbol, &symbols[best + length]) {
            Ordering::Less => {
                other += length + 1;
                length = 0;
                period = other - best;
            }
            Ordering::Equal if length + 1 == period => {
                other += period;
                length = 0;
            }
            Ordering::Equal => length += 1,
            Ordering::Greater => {
                best = other;
                other += 1;
                (length, period) = (0, 1);
            }
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns true if the string agrees with its shifted copy on the overlap.
    fn agrees(symbols: &[u8], shift: usize) -> bool {
        symbols.iter().zip(&symbols[shift..]).all(|(a, b)| a == b)
    }

    /// Returns true if the w symbols before a position equal those after it, as far as both exist.
    fn repeats(symbols: &[u8], position: usize, w: usize) -> bool {
        let pairs = position.saturating_sub(w)..position;
        pairs.filter(|i| i + w < symbols.len()).all(|i| symbols[i] == symbols[i + w])
    }

    fn check(symbols: &[u8]) {
        let m = symbols.len();
        let expected = (1..=m).find(|&shift| agrees(symbols, shift)).unwrap();
        assert_eq!(period(symbols), expected, "{symbols:?}");

        let witnesses = witnesses(symbols);
        assert_eq!(witnesses.len(), expected.min(m.div_ceil(2)), "{symbols:?}");
        assert_eq!(witnesses[0], 0);
        for (shift, witness) in (1..).zip(witnesses[1..].iter().map(|&k| k as usize)) {
            assert_ne!(symbols[witness], symbols[shift + witness], "{symbols:?}, shift {shift}");
            assert_eq!(symbols[..witness], symbols[shift..shift + witness], "the first, of {symbols:?}, shift {shift}");
        }

        let position = critical(symbols);
        assert!(position < expected, "{symbols:?}: {position}");
        let local = (1..).find(|&w| repeats(symbols, position, w)).unwrap();
        assert_eq!(local, expected, "local period at {position} of {symbols:?}");
    }

    #[test]
    fn all_short_strings() {
        for (letters, longest) in [(2usize, 13), (3, 9), (4, 6)] {
            for m in 1..=longest {
                for number in 0..letters.pow(m) {
                    let symbols: Vec<u8> = (0..m).map(|i| (number / letters.pow(i) % letters) as u8).collect();
                    check(&symbols);
                }
            }
        }
    }

    #[test]
    fn repetitions() {
        let mut fibonacci = [b"a".to_vec(), b"ab".to_vec()];
        while fibonacci[1].len() < 400 {
            let [before, last] = fibonacci;
            fibonacci = [last.clone(), [last, before].concat()];
            check(&fibonacci[1]);
        }
        for m in 1..150 {
            check(&fibonacci[1][..m]);
            check(&vec![b'a'; m]);
            check(&[vec![b'a'; m], b"b".to_vec()].concat());
            check(&[b"b".to_vec(), vec![b'a'; m]].concat());
            check(&b"ab".repeat(m));
            check(&[b"ab".repeat(m), b"b".to_vec()].concat());
            check(&b"aab".repeat(m)[1..]);
        }
    }

    #[test]
    fn random_strings() {
        let mut random = fastrand::Rng::with_seed(16);
        for _ in 0..2000 {
            let letters = random.u8(1..=4);
            let part: Vec<u8> = (0..random.usize(1..=40)).map(|_| random.u8(..letters)).collect();
            // A power of a string, cut anywhere, and sometimes with a symbol changed.
            let mut symbols = part.repeat(random.usize(1..=4));
            symbols.truncate(random.usize(1..=symbols.len()));
            if random.bool() {
                let at = random.usize(..symbols.len());
                symbols[at] = random.u8(..letters);
            }
            check(&symbols);
        }
    }

    #[test]
    fn an_empty_string() {
        assert_eq!((period(b""), critical(b"")), (0, 0));
        assert!(witnesses(b"").is_empty());
    }
}
