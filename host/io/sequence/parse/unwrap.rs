//! Joins the lines of a record: copies symbols without the blanks between them, a block at a time.

/// Bytes that are checked and copied at a time.
const BLOCK: usize = 16;

/// Amount of work done by [`unwrap`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Unwrapped {
    /// Number of bytes read.
    pub taken: usize,
    /// Number of symbols written.
    pub symbols: usize,
    /// Number of line ends among the bytes read.
    pub lines: u64,
}

/// Copies the symbols at the start of `from` to `to`, without ASCII whitespace. Stops before a line
/// that starts with '>' or ';', a few bytes before the end of `from`, and when `to` is nearly full.
pub(super) fn unwrap(from: &[u8], to: &mut [u8]) -> Unwrapped {
    let mut done = Unwrapped { taken: 0, symbols: 0, lines: 0 };
    while let (Some(block), Some(room)) =
        (from[done.taken..].first_chunk::<BLOCK>(), to[done.symbols..].first_chunk_mut::<BLOCK>())
    {
        // The next block overwrites the bytes from the first blank on.
        *room = *block;
        let Some(symbols) = first_blank(block) else {
            done.taken += BLOCK;
            done.symbols += BLOCK;
            continue;
        };
        done.taken += symbols + 1;
        done.symbols += symbols;
        let blank = block[symbols];
        if blank == b'\n' {
            done.lines += 1;
            if from.get(done.taken).is_none_or(|&first| first == b'>' || first == b';') {
                break;
            }
        } else if !blank.is_ascii_whitespace() {
            // Another control character is a symbol.
            done.symbols += 1;
        }
    }
    done
}

/// Returns the position of the first byte that is at most a space.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
fn first_blank(block: &[u8; BLOCK]) -> Option<usize> {
    use std::arch::x86_64::{__m128i, _mm_cmpeq_epi8, _mm_min_epu8, _mm_movemask_epi8, _mm_set1_epi8};
    let block: __m128i = bytemuck::cast(*block);
    // SAFETY: every x86-64 processor has SSE2, and the functions have no other condition.
    let blanks = unsafe { _mm_movemask_epi8(_mm_cmpeq_epi8(_mm_min_epu8(block, _mm_set1_epi8(b' ' as i8)), block)) };
    (blanks != 0).then(|| blanks.trailing_zeros() as usize)
}

/// Returns the position of the first byte that is at most a space.
#[cfg(not(target_arch = "x86_64"))]
#[inline(always)]
fn first_blank(block: &[u8; BLOCK]) -> Option<usize> {
    const ONES: u128 = u128::from_ne_bytes([1; BLOCK]);
    let block = u128::from_le_bytes(*block);
    // A byte below 33 borrows from its highest bit, which it lacks. The lowest such byte is exact.
    let blanks = block.wrapping_sub(ONES * 33) & !block & (ONES << 7);
    (blanks != 0).then(|| blanks.trailing_zeros() as usize / 8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_copied_is_what_a_filter_keeps() {
        let mut random = fastrand::Rng::with_seed(1);
        for round in 0..20_000 {
            let len = random.usize(..300);
            let some = [&b"ACGT"[..], b"ACGTACGTACGTACGTACGTACGTACGTACGT\n", b"AC\n\r\t \x0b\x0c\x01\xff>;"][round % 3];
            let from: Vec<u8> = (0..len).map(|_| some[random.usize(..some.len())]).collect();
            let mut to = vec![b'?'; random.usize(..400)];
            let done = unwrap(&from, &mut to);
            let (taken, rest) = from.split_at(done.taken);
            let kept: Vec<u8> = taken.iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
            assert_eq!(to[..done.symbols], kept);
            assert_eq!(done.lines, taken.iter().filter(|&&byte| byte == b'\n').count() as u64);
            let starts = |line: &[u8]| line.starts_with(b">") || line.starts_with(b";");
            assert!(taken.split(|&byte| byte == b'\n').skip(1).all(|line| !starts(line)));
            let is_stopped = taken.ends_with(b"\n") && (rest.is_empty() || starts(rest));
            assert!(is_stopped || rest.len() < BLOCK || to.len() - done.symbols < BLOCK, "{}", from.escape_ascii());
        }
    }
}
