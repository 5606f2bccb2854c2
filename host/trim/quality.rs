//! Ends of low quality.

use std::ops::Range;

/// Returns the part of a read that stays after both ends of low quality are removed, by the rule of
/// BWA: the sum of `cutoff - quality`, from an end inwards, is largest where the read is cut. The
/// sum ends where it becomes negative. O(n).
pub(super) fn good_part(qualities: &[u8], cutoffs: [i64; 2], base: u8) -> Range<usize> {
    let start = low_quality(qualities.iter(), cutoffs[0], base);
    let end = qualities.len() - low_quality(qualities.iter().rev(), cutoffs[1], base);
    if start >= end { 0..0 } else { start..end }
}

/// Returns the number of symbols to remove from the end at which the iterator starts.
fn low_quality<'q>(qualities: impl Iterator<Item = &'q u8>, cutoff: i64, base: u8) -> usize {
    largest_sum(qualities.map(|quality| cutoff - (i64::from(*quality) - i64::from(base))))
}

/// Returns the end of the good part for sequencers that report no signal as a G of high quality:
/// each G counts as one below the cutoff. O(n).
pub(super) fn two_color_end(symbols: &[u8], qualities: &[u8], cutoff: i64, base: u8) -> usize {
    let both = symbols.iter().zip(qualities).rev();
    let below = both.map(|(symbol, quality)| match symbol {
        b'G' => 1,
        _ => cutoff - (i64::from(*quality) - i64::from(base)),
    });
    symbols.len() - largest_sum(below)
}

/// Returns the length of the prefix with the largest sum, 0 if no sum is positive. Stops at the
/// first negative sum.
fn largest_sum(terms: impl Iterator<Item = i64>) -> usize {
    let mut sum = 0_i64;
    let mut largest = 0;
    let mut len = 0;
    for (at, term) in terms.enumerate() {
        sum = sum.saturating_add(term);
        if sum < 0 {
            break;
        }
        if sum > largest {
            largest = sum;
            len = at + 1;
        }
    }
    len
}

/// Returns the expected number of errors of a read: the sum of 10^(−q/10) (Edgar and Flyvbjerg
/// 2015, section 2.2). O(n).
pub(super) fn expected_errors(qualities: &[u8], base: u8) -> f64 {
    let of = |quality: &u8| 10_f64.powf(-(f64::from(*quality) - f64::from(base)).max(0.0) / 10.0);
    qualities.iter().map(of).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_of_low_quality_are_removed() {
        let qualities: Vec<u8> = [42, 40, 26, 27, 8, 7, 11, 4, 2, 3].iter().map(|quality| quality + 33).collect();
        assert_eq!(good_part(&qualities, [0, 10], 33), 0..4);
        let reversed: Vec<u8> = qualities.iter().rev().copied().collect();
        assert_eq!(good_part(&reversed, [10, 0], 33), 6..10);
        assert_eq!(good_part(b"####", [10, 10], 33), 0..0);
        assert_eq!(good_part(b"", [10, 10], 33), 0..0);
    }

    #[test]
    fn a_g_has_no_quality_of_its_own() {
        assert_eq!(two_color_end(b"ACGTGGGG", b"IIIIIIII", 20, 33), 4);
        assert_eq!(two_color_end(b"ACGTCCCC", b"IIIIIIII", 20, 33), 8);
    }

    #[test]
    fn errors_expected_of_qualities() {
        assert!((expected_errors(b"+5?", 33) - 0.111).abs() < 1e-9);
    }
}
