//! The inner loop: a strip of W words of the bit-vector crosses a block of columns.
//!
//! Crochemore, Iliopoulos, Pinzon, Reid (2001): V' = (V + (V & M)) | (V & ~M), where M has one bit
//! per row that matches the column's symbol. The sum's carries run up the whole vector. Between
//! strips they are kept as one bit per column, 64 columns per word, with the first column in the
//! highest bit. Doubling that word moves its next bit to the carry flag, so a column is one chain
//! of W + 2 adds with carry: the carry in, W words, the carry out.

/// Clock cycles per column for strips of one, two, three and four words, measured on Zen 4. Five
/// words cause register spills.
pub(super) const COLUMN_CYCLES: [f64; 4] = [3.0, 4.1, 5.5, 6.56];

/// The rows of a strip that match one symbol.
///
/// Both M and ~M are kept. This saves one instruction per word on processors without and-not, and
/// one register everywhere. For W = 4 an entry is one cache line.
#[derive(Debug, Clone, Copy)]
#[repr(C)]
struct Matches<const W: usize> {
    yes: [u64; W],
    no: [u64; W],
}

/// The rows of a strip that match each code. N, the number of codes, is a power of two: 256 for a
/// `u8`, which then needs no bounds check.
#[derive(Debug)]
#[repr(align(64))]
pub(in crate::lcs) struct MatchTable<const W: usize, const N: usize = 256>([Matches<W>; N]);

impl<const W: usize, const N: usize> MatchTable<W, N> {
    /// Creates an empty table. All bytes are 0, which LLVM writes in place: it would copy other
    /// values, and 16 KiB are noticeable for short strings.
    #[inline(always)]
    pub(in crate::lcs) fn new() -> Self {
        Self([Matches { yes: [0; W], no: [0; W] }; N])
    }

    /// Returns the rows that match a code below N.
    #[inline(always)]
    fn matches(&self, code: impl Into<usize>) -> &Matches<W> {
        &self.0[code.into() & (N - 1)]
    }

    /// Refills the entries of codes 0..`symbols` for these rows, at most 64 W of them.
    pub(in crate::lcs) fn fill(&mut self, symbols: usize, rows: &[impl Copy + Into<usize>]) {
        for entry in self.0.iter_mut().take(symbols) {
            entry.yes = [0; W];
        }
        for (word, rows) in rows.chunks(64).enumerate().take(W) {
            for (bit, &code) in rows.iter().enumerate() {
                self.0[code.into() & (N - 1)].yes[word] |= 1 << bit;
            }
        }
        for entry in self.0.iter_mut().take(symbols) {
            entry.no = entry.yes.map(|word| !word);
        }
    }
}

/// Computes a + b + carry. LLVM loses the chain of [`u64::carrying_add`] at its first link, which
/// costs a quarter of the speed; the intrinsic always becomes `adc`.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn add_with_carry(a: u64, b: u64, carry: u8) -> (u64, u8) {
    let mut sum = 0;
    let carry = core::arch::x86_64::_addcarry_u64(carry, a, b, &mut sum);
    (sum, carry)
}

/// Computes a + b + carry.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn add_with_carry(a: u64, b: u64, carry: u8) -> (u64, u8) {
    let (sum, carry) = a.carrying_add(b, carry != 0);
    (sum, u8::from(carry))
}

/// Computes one column: takes the carry in from the top bit of `carry_in`, and shifts the carry out
/// into `carry_out`.
#[inline(always)]
fn column<const W: usize>(v: &mut [u64; W], matches: &Matches<W>, carry_in: &mut u64, carry_out: &mut u64) {
    let (rest, mut carry) = add_with_carry(*carry_in, *carry_in, 0);
    *carry_in = rest;
    #[expect(clippy::needless_range_loop, reason = "zipped iterators are 4% slower here")]
    for w in 0..W {
        let sum;
        (sum, carry) = add_with_carry(v[w] & matches.yes[w], v[w], carry);
        v[w] = sum | (v[w] & matches.no[w]);
    }
    *carry_out = add_with_carry(*carry_out, *carry_out, carry).0;
}

/// Takes the strip's vector through `cols`. `carries` holds one bit per column in ⌈columns / 64⌉
/// words: the carries into the strip on entry, those out of it on return. `keep` gets the vector
/// after every column.
#[inline(always)]
pub(in crate::lcs) fn advance<const W: usize, const N: usize>(
    state: &mut [u64; W],
    table: &MatchTable<W, N>,
    cols: &[impl Copy + Into<usize>],
    carries: &mut [u64],
    mut keep: impl FnMut(&[u64; W]),
) {
    let mut v = *state;
    let (groups, rest) = cols.as_chunks::<64>();
    let mut carries = carries.iter_mut();
    for (group, packed) in groups.iter().zip(&mut carries) {
        let mut carry_in = *packed;
        let mut carry_out = 0;
        // Two columns per iteration: 15% faster than one; four are no faster.
        for pair in group.as_chunks::<2>().0 {
            for &code in pair {
                column(&mut v, table.matches(code), &mut carry_in, &mut carry_out);
                keep(&v);
            }
        }
        *packed = carry_out;
    }
    if !rest.is_empty()
        && let Some(packed) = carries.next()
    {
        let mut carry_in = *packed;
        let mut carry_out = 0;
        for &code in rest {
            column(&mut v, table.matches(code), &mut carry_in, &mut carry_out);
            keep(&v);
        }
        // Left-aligned, as the next strip reads it.
        *packed = carry_out << (64 - rest.len());
    }
    *state = v;
}

/// Does the same as [`advance`] for a group of at most 64 columns if only few of them match a row
/// or have a carry. The others are skipped: if M and the carry are 0, V + (V & M) is V, and nothing
/// is carried out. `matching` has one bit per column like `carries`, the first column's highest.
#[inline(always)]
pub(in crate::lcs) fn advance_few<const W: usize, const N: usize>(
    state: &mut [u64; W],
    table: &MatchTable<W, N>,
    group: &[impl Copy + Into<usize>],
    matching: u64,
    carries: &mut u64,
) {
    let mut v = *state;
    let mut left = matching | *carries;
    let mut carry_out = 0;
    while left != 0 {
        let at = left.leading_zeros();
        let bit = 1 << 63 >> at;
        left ^= bit;
        let Some(&code) = group.get(at as usize) else { break };
        let matches = table.matches(code);
        let mut carry = u8::from(*carries & bit != 0);
        #[expect(clippy::needless_range_loop, reason = "as in `column`")]
        for w in 0..W {
            let sum;
            (sum, carry) = add_with_carry(v[w] & matches.yes[w], v[w], carry);
            v[w] = sum | (v[w] & matches.no[w]);
        }
        carry_out |= u64::from(carry) << (63 - at);
    }
    (*state, *carries) = (v, carry_out);
}

/// Words that one turn of [`repeat_column`] takes through a column.
pub(crate) const WORDS_PER_TURN: usize = 64 * WIDE;

/// Words of a strip of long strings.
const WIDE: usize = 4;

/// Takes a strip through 64 columns in each of `turns` turns, all with the same match words: this
/// is [`advance`] without look-ups, to measure its maximum speed. `seed` is any number. Returns the
/// exclusive or of the last column, so that the work is not optimized away.
pub(crate) fn repeat_column(turns: u32, seed: u64) -> u64 {
    let yes: [u64; WIDE] = std::array::from_fn(|w| seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(w as u32));
    let matches = Matches { yes, no: yes.map(|word| !word) };
    let (mut v, mut carries) = ([!0; WIDE], seed);
    for _ in 0..turns {
        let mut carry_out = 0;
        for _ in 0..64 {
            column(&mut v, &matches, &mut carries, &mut carry_out);
        }
        carries = carry_out;
    }
    v.iter().fold(carries, |all, word| all ^ word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_in_a_row_are_those_of_a_strip() {
        let table = {
            let mut table = MatchTable::<WIDE>::new();
            let yes = std::array::from_fn(|w| 5u64.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(w as u32));
            table.0[0] = Matches { yes, no: yes.map(|word: u64| !word) };
            table
        };
        let (mut v, mut carries) = ([!0; WIDE], vec![5; 1]);
        for _ in 0..3 {
            advance(&mut v, &table, &[0u8; 64], &mut carries, |_| ());
        }
        assert_eq!(repeat_column(3, 5), v.iter().fold(carries[0], |all, word| all ^ word));
    }

    #[test]
    fn a_strip_of_two_words_equals_two_strips_of_one() {
        let rows: Vec<u8> = (0..128u32).map(|i| (i * i % 7 % 3) as u8).collect();
        for len in [0, 1, 63, 64, 65, 130] {
            let cols: Vec<u8> = (0..len).map(|j: u32| (j * j % 11 % 3) as u8).collect();
            let mut carries = vec![0; cols.len().div_ceil(64)];
            let mut table = MatchTable::<2>::new();
            table.fill(3, &rows);
            let mut both = [!0; 2];
            advance(&mut both, &table, &cols, &mut carries, |_| ());

            let mut between = vec![0; cols.len().div_ceil(64)];
            let mut table = MatchTable::<1>::new();
            let (mut low, mut high) = ([!0], [!0]);
            table.fill(3, &rows[..64]);
            advance(&mut low, &table, &cols, &mut between, |_| ());
            table.fill(3, &rows[64..]);
            advance(&mut high, &table, &cols, &mut between, |_| ());
            assert_eq!(both, [low[0], high[0]], "{len} columns");
            assert_eq!(carries, between, "{len} columns");
        }
    }

    #[test]
    fn refilling_forgets_the_rows_before() {
        let mut table = MatchTable::<1>::new();
        table.fill(2, &[0u8, 1, 0]);
        table.fill(2, &[1u8]);
        assert_eq!((table.0[0].yes, table.0[0].no, table.0[1].yes), ([0], [!0], [1]));
    }
}
