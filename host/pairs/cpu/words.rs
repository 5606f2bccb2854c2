//! One pair by 64-bit words: a word has 64 rows of one table. For pairs without others of similar
//! length, and for short strings, where preparing vectors does not pay off.
//!
//! ```text
//!             columns in reach of the strip, by the maximum
//!           +-------------+
//!   strip 0 | > > > > > > | . . .        D's differences from column to column in a strip's last
//!           +-----+-------+-----+        row go into the next strip; where a strip does not
//!   strip 1       | > > > > > > | .      reach, D increases
//!                 +-------+-----+----+
//!   strip 2               | > > > > >|
//! ```
//!
//! The strips follow the diagonal as in Ukkonen (1985). The first strip whose last row is entirely
//! above the maximum is the last one.

use super::algorithm::{CpuAlgorithm, Single, Way};
use super::band::BandWidth;
use super::estimates::{Settings, Size};
use super::osa;
use crate::algorithm::About;
use crate::cpu::short::{self, trimmed};
use crate::cpu::words::{LCS_WORDS, LEVENSHTEIN_WORDS, Strip, WORD, lcs, levenshtein};
use crate::job::Progress;
use crate::pairs::cost::{ABOVE, Cost};
use crate::pairs::strings::Symbols;

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "words",
        "one pair at a time, 64 rows per word",
        "Myers 1999; Hyyrö 2003; Crochemore et al. 2001",
        "mn / 10 cycles",
    ),
    way: Way::Single(Single {
        least_cells: 0,
        needs_lanes: false,
        cycles,
        distance: |settings, [a, b], _, progress| {
            distance(a, b, settings.cost, settings.maximum(a.len(), b.len()), progress)
        },
    }),
};

/// Clock cycles of a cell. Measured on Sapphire Rapids and Zen.
const CELL_CYCLES: f64 = 0.125;
const OSA_CELL_CYCLES: f64 = 0.25;
const LCS_CELL_CYCLES: f64 = 0.055;
/// Clock cycles for the table of a short string, and for each of its columns.
const SHORT_CYCLES: f64 = 40.0;
const SHORT_COLUMN_CYCLES: f64 = 9.0;

/// Estimates the clock cycles of a pair.
fn cycles(settings: &Settings, Size { m, n, .. }: Size) -> f64 {
    let short = m.min(n);
    let long = m.max(n);
    if long <= 64 {
        return SHORT_CYCLES + SHORT_COLUMN_CYCLES * short as f64;
    }
    if short <= 64 {
        return SHORT_CYCLES + SHORT_COLUMN_CYCLES * long as f64;
    }
    let width = settings.maximum(m, n).map_or(short, |k| short.min(k as usize + 128));
    let cell = match settings.cost {
        Cost::Levenshtein => CELL_CYCLES,
        Cost::Osa => OSA_CELL_CYCLES,
        Cost::Indel => LCS_CELL_CYCLES,
    };
    1000.0 + cell * width as f64 * long as f64
}

/// Computes the distance of two strings, or [`ABOVE`] if it is above the maximum.
pub(super) fn distance(a: &[u8], b: &[u8], cost: Cost, maximum: Option<u32>, progress: Progress<'_>) -> u32 {
    let distance = within(a, b, cost, maximum.map(|maximum| maximum as usize), progress);
    distance.and_then(|distance| u32::try_from(distance).ok()).unwrap_or(ABOVE)
}

/// Computes the distance of two strings, or `None` if it is above the maximum.
#[inline]
fn within(a: &[u8], b: &[u8], cost: Cost, maximum: Option<usize>, progress: Progress<'_>) -> Option<u64> {
    let most = maximum.unwrap_or(usize::MAX);
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let (short, strip, most_words): (_, Strip, _) = match cost {
        Cost::Levenshtein => (short::levenshtein(a, b), levenshtein, LEVENSHTEIN_WORDS),
        Cost::Indel => {
            let length = short::lcs_length(a, b);
            (length.map(|length| (a.len() + b.len()) as u64 - 2 * length), lcs, LCS_WORDS)
        }
        Cost::Osa => {
            let distance = osa::distance(Symbols::Bytes(a), Symbols::Bytes(b), most as u64, progress);
            return Some(distance).filter(|&distance| distance <= most as u64);
        }
    };
    short.or_else(|| long(a, b, maximum, strip, most_words)).filter(|&distance| distance <= most as u64)
}

#[inline(never)]
fn long(a: &[u8], b: &[u8], maximum: Option<usize>, strip: Strip, most_words: usize) -> Option<u64> {
    let (a, b, _) = trimmed(a, b);
    let (rows, columns) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    let band = BandWidth::new(rows.len(), columns.len(), maximum)?;
    let most = maximum.and_then(|maximum| i64::try_from(maximum).ok()).unwrap_or(i64::MAX);
    // A strip has few words if the band is narrow, so that it has few cells outside the band.
    // Otherwise strips have as equal numbers of words as possible, and not one, as a strip of one
    // word waits for its own results.
    let words = rows.len().div_ceil(WORD).max(1);
    let words = match band.right.saturating_add(band.below) {
        0..128 => 1,
        _ if words <= most_words => {
            return u64::try_from(columns.len() as i64 + strip(rows, columns, &mut [])).ok();
        }
        _ => words.div_ceil(words.div_ceil(most_words)),
    };
    in_strips(rows, columns, band, most, strip, words * WORD)
}

/// Computes the distance, or `None` if it is above the maximum; there are at least as many columns
/// as rows.
fn in_strips(rows: &[u8], columns: &[u8], band: BandWidth, most: i64, strip: Strip, height: usize) -> Option<u64> {
    let sum = |differences: &[i8]| differences.iter().map(|&difference| i64::from(difference)).sum::<i64>();
    let mut differences = vec![1i8; columns.len()];
    // D above the strip's rows, before its first column.
    let mut above = 0;
    let mut start = 0;
    let mut last = columns.len() as i64;
    for (number, part) in rows.chunks(height).enumerate() {
        let row = number * height;
        let next = row.saturating_sub(band.below).min(columns.len());
        above += sum(&differences[start..next]);
        start = next;
        let end = (row + part.len()).saturating_add(band.right).min(columns.len());
        let before = sum(&differences[start..end]);
        let rise = strip(part, &columns[start..end], &mut differences[start..end]);
        last = above + before + rise;
        above += part.len() as i64;
        let mut d = above;
        let least = differences[start..end].iter().fold(above, |least, &difference| {
            d += i64::from(difference);
            least.min(d)
        });
        if least > most {
            return None;
        }
    }
    u64::try_from(last).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pairs::naive::{self, ALPHABETS, COSTS};

    fn check(a: &[u8], b: &[u8]) {
        for cost in COSTS {
            let expected = naive::distance(a, b, cost, None);
            assert_eq!(distance(a, b, cost, None, &|_| ()), expected, "{a:?} {b:?} {cost:?}");
            for maximum in [0, 1, 5, 31, 64, 130, 600, expected, expected.saturating_sub(1)] {
                let expected = if expected <= maximum { expected } else { ABOVE };
                assert_eq!(distance(a, b, cost, Some(maximum), &|_| ()), expected, "{a:?} {b:?} {cost:?} {maximum}");
            }
        }
    }

    #[test]
    fn all_lengths_and_alphabets() {
        naive::all_lengths_and_alphabets(check);
    }

    #[test]
    fn all_short_strings() {
        let mut random = fastrand::Rng::with_seed(2);
        for m in 0..70 {
            for n in 0..70 {
                let symbols = ALPHABETS[random.usize(..ALPHABETS.len())];
                let (a, b) = (naive::random(&mut random, m, symbols), naive::random(&mut random, n, symbols));
                for cost in COSTS {
                    assert_eq!(
                        distance(&a, &b, cost, None, &|_| ()),
                        naive::distance(&a, &b, cost, None),
                        "{a:?} {b:?} {cost:?}"
                    );
                }
            }
        }
    }
}
