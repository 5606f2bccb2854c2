//! Compares the distance with a maximum, by bands as wide as the maximum, which end where every
//! cell of a column is greater. Runs on one thread.

use super::algorithm::CpuAlgorithm;
use crate::algorithm::About;
use crate::cpu::short;
use crate::distance::mode::Mode;
use crate::distance::places::reversed;
use crate::infix::cut_off;
use crate::job::Progress;
use crate::pairwise::rows::Computes;
use crate::pairwise::similar::{Answer, Request};
use crate::text::{Equality, Pattern};

/// The algorithm's entry.
pub const ALGORITHM: CpuAlgorithm = CpuAlgorithm {
    about: About::new(
        "cut-off",
        "distances up to a maximum: only the cells that can stay within it, in 64-bit words",
        "Ukkonen 1985, Myers 1999",
        "17 (2k + 128) n / 64 for a maximum of k; others take over without a maximum, or if the full table is faster",
    ),
    computes: Computes::Whole(compare),
};

/// Maximum length of a pattern that gets a match table, in symbols. The table takes 32 bytes per
/// symbol.
const PATTERN: usize = 1 << 22;
/// Symbols at the start of a longer pattern that are compared to find out whether it begins like
/// the other string.
const PROBE: usize = 1 << 16;
/// Approximate cost of a cell of a band, relative to a cell of the full table.
const BAND_COST: u64 = 16;

/// Compares two whole strings if a maximum is given.
fn compare(a: &[u8], b: &[u8], request: &Request, _: Progress<'_>) -> Answer {
    match request.maximum {
        Some(maximum) if !request.script => within(a, b, &Equality::exact(), Mode::Global, maximum),
        _ => Answer::GaveUp(None),
    }
}

fn pattern(symbols: &[u8], equality: &Equality) -> Pattern {
    Pattern::new(symbols.iter().map(|&symbol| equality.class(symbol)).collect())
}

fn if_known(distance: Option<u64>) -> Answer {
    distance.map_or(Answer::Above, |distance| Answer::Distance { distance, runs: None })
}

/// Compares the distance with a maximum if that is cheap; gives up if the full table should be
/// faster. Takes about 17 instructions per 64 cells of 2 `maximum` + 64 rows.
pub(crate) fn within(a: &[u8], b: &[u8], equality: &Equality, mode: Mode, maximum: u64) -> Answer {
    let m = a.len() as u64;
    let n = b.len() as u64;
    if m.saturating_sub(n) > maximum || mode == Mode::Global && n.saturating_sub(m) > maximum {
        return Answer::Above;
    }
    if mode == Mode::Suffix {
        // A longer suffix is farther than the maximum.
        let longest = b.len().min(a.len().saturating_add(usize::try_from(maximum).unwrap_or(usize::MAX)));
        let text = &b[b.len() - longest..];
        return within(&reversed(a), &reversed(text), equality, Mode::Prefix, maximum);
    }
    let (a, b) = match mode {
        Mode::Global if equality.is_exact() => {
            let (a, b, _) = short::trimmed(a, b);
            if a.len() <= b.len() { (a, b) } else { (b, a) }
        }
        Mode::Global if m > n => (b, a),
        _ => (a, b),
    };
    let m = a.len() as u64;
    let n = b.len() as u64;
    if m == 0 {
        return if_known(Some(if mode == Mode::Global { n } else { 0 }).filter(|&distance| distance <= maximum));
    }
    let band = |columns: u64| columns.saturating_mul(maximum.saturating_mul(2).saturating_add(128));
    let Ok(k) = u32::try_from(maximum) else { return Answer::GaveUp(None) };
    if band(n).saturating_mul(BAND_COST) > m.saturating_mul(n) {
        return Answer::GaveUp(None);
    }
    let (top, n) = match mode {
        Mode::Infix => (0, b.len()),
        // The distance of a longer prefix exceeds the maximum.
        _ => (1, b.len().min(a.len().saturating_add(k as usize))),
    };
    let symbols = |n: usize| b[..n].iter().copied();
    if a.len() > PATTERN {
        // The start of the pattern is at least as near to a prefix of the text as the whole pattern
        // is.
        let matches = pattern(&a[..PROBE], equality).match_words();
        let near = || cut_off::least_within(symbols(n.min(PROBE + k as usize)), &matches, PROBE, 1, k);
        return if mode != Mode::Infix && maximum < PROBE as u64 / 2 && near().is_none() {
            Answer::Above
        } else {
            Answer::GaveUp(None)
        };
    }
    let matches = pattern(a, equality).match_words();
    if_known(match mode {
        Mode::Global => cut_off::last_within(symbols(b.len()), &matches, a.len(), k),
        _ => cut_off::least_within(symbols(n), &matches, a.len(), top, k).map(|(distance, _)| u64::from(distance)),
    })
}

#[cfg(test)]
mod tests {
    use super::super::algorithm::DistanceTable;
    use super::super::dp;
    use super::*;
    use crate::cpu::codes::random;
    use crate::pairwise::columns::Direction;
    use crate::pairwise::differences::FirstColumn;

    /// Computes the distance by the plain table.
    fn distance(a: &[u8], b: &[u8], equality: &Equality, mode: Mode) -> u64 {
        let first = if mode == Mode::Infix { FirstColumn::Zero } else { FirstColumn::Rising };
        let direction = if mode == Mode::Suffix { Direction::Backward } else { Direction::Forward };
        let table = DistanceTable { rows: b, cols: a, direction, first, equality };
        let column = dp::of_table(&table, &|_| ());
        if mode == Mode::Global { column.last() } else { column.least().0 }
    }

    #[test]
    fn narrow_bands_against_the_plain_table() {
        let a = random(2600, 4, 1);
        let mut near = a.clone();
        for (at, symbol) in [(0, 9), (700, 1), (701, 1), (2599, 8)] {
            near[at] = symbol;
        }
        near.remove(1000);
        near.splice(2000..2000, [0, 1, 2]);
        let within_a_text = [&random(300, 4, 2)[..], &near, &random(200, 4, 3)].concat();
        let texts =
            [near.clone(), [&near[..], &random(30, 4, 4)].concat(), within_a_text, random(2600, 4, 5), a.clone()];
        for equality in [Equality::exact(), Equality::exact().group(&[0, 1]).group(&[1, 2])] {
            for (number, b) in texts.iter().enumerate() {
                for (mode, [a, b]) in
                    Mode::NAMES.map(|(_, mode)| mode).into_iter().flat_map(|mode| [(mode, [&a, b]), (mode, [b, &a])])
                {
                    let expected = distance(a, b, &equality, mode);
                    for k in [0, 3, 12, expected.saturating_sub(1).min(12), expected.min(12)] {
                        let found = within(a, b, &equality, mode, k);
                        let expected = if_known(Some(expected).filter(|&expected| expected <= k));
                        assert_eq!(found, expected, "{number}, {mode}, {k}");
                    }
                    assert!(matches!(
                        within(a, b, &equality, mode, 2600),
                        Answer::GaveUp(_) | Answer::Distance { distance: 0, .. }
                    ));
                }
            }
        }
    }

    #[test]
    fn lengths_alone_may_tell() {
        let exact = Equality::exact();
        let found = |a: &[u8], b: &[u8], mode| within(a, b, &exact, mode, 2);
        assert_eq!(
            (found(b"aaaa", b"a", Mode::Infix), found(b"a", b"aaaa", Mode::Global)),
            (Answer::Above, Answer::Above)
        );
        assert_eq!(
            (found(b"a", b"aaa", Mode::Global), found(b"", b"aaaa", Mode::Infix)),
            (if_known(Some(2)), if_known(Some(0)))
        );
    }

    /// Tests a pattern that is too long for a match table.
    #[test]
    fn a_long_pattern_is_probed() {
        let exact = Equality::exact();
        let a = random(PATTERN + 1000, 4, 6);
        let mut near = a.clone();
        (near[0], near[PATTERN]) = (7, 8);
        near.push(7);
        assert_eq!(within(&a, &near, &exact, Mode::Global, 10), Answer::GaveUp(None));
        assert_eq!(within(&a, &random(PATTERN + 1000, 4, 7), &exact, Mode::Global, 10), Answer::Above);
    }
}
