//! The parts of a text of lines that repeat what is before them.

use std::ops::Range;

/// Longest match of DEFLATE in bytes.
pub(super) const LONGEST: usize = 258;
/// Shortest match of a run: shorter ones are no shorter in code than their bytes.
const SHORTEST_RUN: usize = 4;
/// Shortest match with an earlier line.
const SHORTEST_REPEAT: usize = 8;
/// Greatest distance of a match.
const FARTHEST: usize = 1 << 15;

/// Bytes as they are, then bytes that repeat those at a distance before them; the last token has
/// none of these.
#[derive(Debug, Clone, Copy)]
pub(super) struct Token {
    pub literals: u32,
    pub len: u16,
    pub distance: u16,
}

/// Finds the repeats of a text: runs of one byte, and starts and ends of lines that are those of
/// the line `period` lines before. Bytes of FASTQ that repeat are mostly of these two kinds:
/// qualities and headers.
pub(super) struct Tokens<'t> {
    text: &'t [u8],
    tokens: &'t mut Vec<Token>,
    /// First byte behind the tokens.
    done: usize,
}

impl<'t> Tokens<'t> {
    /// Replaces `tokens` by those of a text. O(n).
    pub fn find(text: &'t [u8], period: usize, tokens: &'t mut Vec<Token>) {
        tokens.clear();
        let mut own = Self { text, tokens, done: 0 };
        let mut before = vec![0..0; period];
        let mut start = 0;
        let mut number = 0;
        while start < text.len() {
            let end = memchr::memchr(b'\n', &text[start..]).map_or(text.len(), |len| start + len + 1);
            let line = start..end;
            own.line(line.clone(), &before[number]);
            before[number] = line;
            number = (number + 1) % period;
            start = end;
        }
        own.tokens.push(Token { literals: (text.len() - own.done) as u32, len: 0, distance: 0 });
    }

    fn line(&mut self, line: Range<usize>, before: &Range<usize>) {
        let most = line.len().min(before.len());
        let mut middle = line.clone();
        let prefix = common(&self.text[before.start..][..most], &self.text[line.start..][..most]);
        if prefix >= SHORTEST_REPEAT && !self.is_run(line.start) {
            self.repeat(line.start..line.start + prefix, line.start - before.start);
            middle.start += prefix;
        }
        let most = most.min(middle.len());
        let suffix = common_end(&self.text[before.end - most..before.end], &self.text[line.end - most..line.end]);
        if suffix >= SHORTEST_REPEAT && !self.is_run(line.end - SHORTEST_REPEAT) {
            middle.end -= suffix;
        }
        self.runs(middle.clone());
        if middle.end < line.end {
            self.repeat(middle.end..line.end, line.end - before.end);
        }
    }

    /// Returns true if a run is at a place.
    fn is_run(&self, at: usize) -> bool {
        self.text.get(at..at + SHORTEST_RUN).is_some_and(|bytes| bytes.iter().all(|byte| *byte == bytes[0]))
    }

    /// Adds a repeat of any length.
    fn repeat(&mut self, part: Range<usize>, distance: usize) {
        if distance > FARTHEST {
            return;
        }
        let mut start = part.start;
        while part.end - start >= SHORTEST_RUN {
            let len = (part.end - start).min(LONGEST);
            let literals = (start - self.done) as u32;
            self.tokens.push(Token { literals, len: len as u16, distance: distance as u16 });
            start += len;
            self.done = start;
        }
    }

    /// Adds the runs of a part.
    fn runs(&mut self, part: Range<usize>) {
        let mut run: Option<usize> = None;
        let mut start = part.start.max(1);
        while start < part.end {
            let len = (part.end - start).min(64);
            let same = match self.text[start - 1..].first_chunk() {
                Some(bytes) => same_as_before_64(bytes) & u64::MAX >> (64 - len),
                None => same_as_before(&self.text[start - 1..start + len]),
            };
            let mut behind = 0;
            if let Some(run_start) = run {
                behind = same.trailing_ones() as usize;
                if behind < 64 {
                    self.repeat(run_start..start + behind, 1);
                    run = None;
                }
            }
            // Bits where a run of the shortest length begins.
            let mut starts =
                same & same >> 1 & same >> 2 & same >> 3 & u64::MAX.checked_shl(behind as u32).unwrap_or(0);
            while starts != 0 {
                let at = starts.trailing_zeros() as usize;
                behind = at + (same >> at).trailing_ones() as usize;
                if behind == 64 {
                    run = Some(start + at);
                    break;
                }
                self.repeat(start + at..start + behind, 1);
                starts &= u64::MAX << behind;
            }
            start += len;
        }
        if let Some(run_start) = run {
            self.repeat(run_start..part.end, 1);
        }
    }
}

/// Returns the bytes, at most 64, that are equal to the byte before them, one bit for each, lowest
/// first. The first byte of `bytes` is the one before.
fn same_as_before(bytes: &[u8]) -> u64 {
    const LOW: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let mut same = 0;
    let mut at = 0;
    while let (Some(before), Some(own)) = (word(bytes, at), word(bytes, at + 1)) {
        let other = before ^ own;
        // The highest bit of each byte that is zero.
        let zero = !(((other & LOW) + LOW) | other | LOW);
        same |= ((zero >> 7).wrapping_mul(GATHER) >> 56) << at;
        at += 8;
    }
    for (at, pair) in bytes.windows(2).enumerate().skip(at) {
        same |= u64::from(pair[0] == pair[1]) << at;
    }
    same
}

/// As [`same_as_before`] for 64 bytes.
#[cfg(target_arch = "x86_64")]
fn same_as_before_64(bytes: &[u8; 65]) -> u64 {
    use std::arch::x86_64::{_mm_cmpeq_epi8, _mm_loadu_si128, _mm_movemask_epi8};
    let mut same = 0;
    for at in [0, 16, 32, 48] {
        // SAFETY: all processors of x86-64 have SSE2, and 16 bytes from `at` and from `at + 1` on
        // are in the array.
        let equal = unsafe {
            let before = _mm_loadu_si128(bytes.as_ptr().add(at).cast());
            let own = _mm_loadu_si128(bytes.as_ptr().add(at + 1).cast());
            _mm_movemask_epi8(_mm_cmpeq_epi8(before, own))
        };
        same |= u64::from(equal as u32) << at;
    }
    same
}

#[cfg(not(target_arch = "x86_64"))]
fn same_as_before_64(bytes: &[u8; 65]) -> u64 {
    same_as_before(bytes)
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|word| u64::from_le_bytes(*word))
}

/// Returns the length of the common start of two strings of the same length.
fn common(one: &[u8], other: &[u8]) -> usize {
    let mut len = 0;
    while let (Some(word_1), Some(word_2)) = (word(one, len), word(other, len)) {
        if word_1 != word_2 {
            return len + ((word_1 ^ word_2).trailing_zeros() / 8) as usize;
        }
        len += 8;
    }
    len + one[len..].iter().zip(&other[len..]).take_while(|(one, other)| one == other).count()
}

/// Returns the length of the common end of two strings of the same length.
fn common_end(one: &[u8], other: &[u8]) -> usize {
    one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text of tokens.
    fn text_of(text: &[u8], tokens: &[Token]) -> Vec<u8> {
        let mut result = Vec::new();
        for token in tokens {
            result.extend_from_slice(&text[result.len()..result.len() + token.literals as usize]);
            for _ in 0..token.len {
                result.push(result[result.len() - usize::from(token.distance)]);
            }
        }
        result
    }

    #[test]
    fn tokens_stand_for_the_text() {
        let mut random = fastrand::Rng::with_seed(3);
        for round in 0..2000 {
            let mut text = Vec::new();
            for _ in 0..random.usize(0..12) {
                let symbol = random.u8(b'A'..b'E');
                let len = random.usize(0..if round % 9 == 0 { 700 } else { 20 });
                match random.usize(0..4) {
                    0 => text.extend((0..len).map(|_| random.u8(b'A'..b'E'))),
                    1 => text.extend((0..len).map(|_| symbol)),
                    2 => text.extend_from_slice(b"\n@header of a read\n"),
                    _ => text.push(b'\n'),
                }
            }
            let mut tokens = Vec::new();
            for period in [1, 2, 4] {
                Tokens::find(&text, period, &mut tokens);
                assert_eq!(text_of(&text, &tokens), text);
                assert!(tokens.iter().all(|token| usize::from(token.len) <= LONGEST));
            }
        }
    }

    #[test]
    fn bytes_that_are_the_same_as_the_one_before() {
        let mut random = fastrand::Rng::with_seed(5);
        for len in (1..=65).chain([65; 100]) {
            let bytes: Vec<u8> = (0..len).map(|_| random.u8(0..3) * 0x7f).collect();
            let expected = bytes.windows(2).rev().fold(0, |mask, pair| mask << 1 | u64::from(pair[0] == pair[1]));
            assert_eq!(same_as_before(&bytes), expected);
            if let Ok(bytes) = bytes.try_into() {
                assert_eq!(same_as_before_64(&bytes), expected);
            }
        }
    }

    #[test]
    fn runs_and_repeated_lines_are_found() {
        let mut text = b"@name:1:12 x\nACGT\n+\n".to_vec();
        text.extend([b'F'; 1000]);
        text.extend_from_slice(b"\n@name:1:34 x\n");
        let mut tokens = Vec::new();
        Tokens::find(&text, 4, &mut tokens);
        let literals: u32 = tokens.iter().map(|token| token.literals).sum();
        assert_eq!(literals, 20 + 1 + 1 + 5);
        assert_eq!(tokens.len(), 4 + 1 + 1);
    }
}
