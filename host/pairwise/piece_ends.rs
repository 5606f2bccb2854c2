//! The ends of the pieces of strings of one length, such that few strings share a piece by chance.
//!
//! A sample of the strings shows how many pairs of strings agree in a piece. Its *information* is
//! -log2 of that share: 0 for a beginning that all strings have in common, such as that of web
//! addresses or log lines. All pieces get about the same information, as much as k + 1 pieces can
//! have. Without a sample, they get the same length.

use super::hashed::Hashed;

/// Largest number of strings in a sample, and the least that tells more than chance.
const SAMPLE: usize = 256;
const FEWEST: usize = 32;
/// Upper bound on the symbols of a sample.
const SYMBOLS: usize = 1 << 22;
/// Number of classes of symbols; the symbols of a class count as equal.
const CLASSES: usize = 64;
/// Least number of pairs that agree for a share that is more than chance.
const PAIRS: f64 = 16.0;
/// Number of steps of the search for the information of a piece.
const STEPS: usize = 12;

/// Returns the number of strings of m symbols to sample, of `count`; 0 if they tell nothing.
pub(super) fn sample_size(m: usize, count: usize) -> usize {
    let size = count.min(SAMPLE).min(SYMBOLS / m.max(1));
    if size < FEWEST { 0 } else { size }
}

/// Returns the ends of the k + 1 pieces of strings of m > k symbols, from the 0 before the first
/// on. Every piece has a symbol. O(m) for each string of the sample.
pub(super) fn piece_ends<S: Hashed>(sample: &[&S], m: usize, k: usize) -> Vec<usize> {
    let equal = || (0..=k + 1).map(|i| (m as u128 * i as u128 / (k as u128 + 1)) as usize).collect();
    if sample.is_empty() || k == 0 {
        return equal();
    }
    let sample = Sample::new(sample, m);
    let (mut least, mut most) = (0.0, sample.positions.iter().sum::<f64>() / k as f64);
    let mut best = None;
    for _ in 0..STEPS {
        let middle = f64::midpoint(least, most);
        match sample.pieces(k, middle) {
            Some(ends) => (best, least) = (Some(ends), middle),
            None => most = middle,
        }
    }
    best.unwrap_or_else(equal)
}

/// Strings of m symbols, by the classes of these.
struct Sample {
    strings: Vec<Vec<u8>>,
    /// Information of each position alone.
    positions: Vec<f64>,
}

impl Sample {
    fn new<S: Hashed>(strings: &[&S], m: usize) -> Self {
        let classes = |string: &&S| {
            let mut classes = Vec::with_capacity(m);
            string.for_each(|symbol| {
                classes.push((symbol.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - CLASSES.ilog2())) as u8);
            });
            classes
        };
        let mut sample = Self { strings: strings.iter().map(classes).collect(), positions: Vec::new() };
        let mut same = Same::new(sample.strings.len());
        sample.positions = (0..m)
            .map(|at| {
                same.restart();
                sample.information(same.split(&sample.strings, at).max(1.0))
            })
            .collect();
        sample
    }

    /// Returns -log2 of the share of the pairs of strings that agree.
    fn information(&self, agree: f64) -> f64 {
        let count = self.strings.len() as f64;
        -(agree / (count * (count - 1.0) / 2.0)).log2()
    }

    /// Returns the ends of k + 1 pieces, all but the last as short as `information` allows; `None`
    /// if the last has less.
    fn pieces(&self, k: usize, information: f64) -> Option<Vec<usize>> {
        let m = self.positions.len();
        let mut same = Same::new(self.strings.len());
        let (mut ends, mut end) = (vec![0], 0);
        for _ in 0..=k {
            same.restart();
            let (mut own, mut is_known) = (0.0, true);
            let start = end;
            while end == start || own < information {
                if end == m {
                    return None;
                }
                // If too few pairs agree for an estimate, each position adds its own information.
                let agree = if is_known { same.split(&self.strings, end) } else { 0.0 };
                is_known = agree >= PAIRS;
                own = if is_known { self.information(agree) } else { own + self.positions[end] };
                end += 1;
            }
            ends.push(end);
        }
        ends[k + 1] = m;
        Some(ends)
    }
}

/// The strings of a sample that agree in a piece, which grows.
struct Same {
    /// Number of the set of each string; the strings of a set agree.
    sets: Vec<u16>,
    /// For a set and the class of its next symbol: the number of the new set.
    next: Vec<u16>,
    /// Number of strings in each set.
    counts: Vec<u32>,
}

impl Same {
    /// Mark of a new set that has no number yet.
    const NONE: u16 = u16::MAX;

    fn new(strings: usize) -> Self {
        Self { sets: vec![0; strings], next: vec![Self::NONE; strings * CLASSES], counts: Vec::new() }
    }

    /// Begins a piece: all strings agree.
    fn restart(&mut self) {
        self.sets.fill(0);
        self.counts.clear();
        self.counts.push(0);
    }

    /// Adds position `at` to the piece. Returns the number of pairs that still agree.
    fn split(&mut self, strings: &[Vec<u8>], at: usize) -> f64 {
        self.next[..self.counts.len() * CLASSES].fill(Self::NONE);
        self.counts.clear();
        for (set, string) in self.sets.iter_mut().zip(strings) {
            let next = &mut self.next[usize::from(*set) * CLASSES + usize::from(string[at])];
            if *next == Self::NONE {
                *next = self.counts.len() as u16;
                self.counts.push(0);
            }
            *set = *next;
            self.counts[usize::from(*set)] += 1;
        }
        self.counts.iter().map(|&count| f64::from(count) * (f64::from(count) - 1.0) / 2.0).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn without_a_sample_pieces_are_equal() {
        for (m, k) in [(1, 0), (7, 2), (8, 2), (9, 2), (100, 3), (5, 4)] {
            let ends = piece_ends::<&[u8]>(&[], m, k);
            assert_eq!((ends.len(), ends[0], ends[k + 1]), (k + 2, 0, m));
            assert!(ends.windows(2).all(|piece| [m / (k + 1), m / (k + 1) + 1].contains(&(piece[1] - piece[0]))));
        }
    }

    #[test]
    fn a_common_beginning_is_a_part_of_one_piece() {
        let mut random = fastrand::Rng::with_seed(1);
        for (common, m) in [(0, 30), (60, 90), (3, 90), (90, 90)] {
            let strings: Vec<Vec<u8>> = (0..100)
                .map(|_| (0..m).map(|at| if at < common { b'x' } else { random.u8(b'a'..=b'z') }).collect())
                .collect();
            let strings: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
            let sample: Vec<&&[u8]> = strings.iter().collect();
            for k in [0, 1, 3, 12, m - 1] {
                let ends = piece_ends(&sample, m, k);
                assert_eq!((ends.len(), ends[0], ends[k + 1]), (k + 2, 0, m), "{common} {m} {k}");
                assert!(ends.windows(2).all(|piece| piece[0] < piece[1]), "{ends:?}");
                if common == 60 && k == 3 {
                    // A quarter of the 30 other symbols each.
                    assert!(ends[1] > 64 && ends[1] < 72 && ends[2] - ends[1] < 11, "{ends:?}");
                }
                if common == 0 && k == 3 {
                    assert!(ends.windows(2).all(|piece| (6..=9).contains(&(piece[1] - piece[0]))), "{ends:?}");
                }
            }
        }
    }

    /// Half of the strings have the common beginning one place later.
    #[test]
    fn a_moved_beginning_is_a_part_of_one_piece() {
        let mut random = fastrand::Rng::with_seed(2);
        let common: Vec<u8> = (0..60).map(|_| random.u8(b'a'..=b'z')).collect();
        let strings: Vec<Vec<u8>> = (0..256)
            .map(|number| {
                let mut tail = |len: usize| (0..len).map(|_| random.u8(b'a'..=b'z')).collect::<Vec<u8>>();
                if number % 2 == 0 {
                    [&common[..], &tail(30)].concat()
                } else {
                    [b"#", &common[..], &tail(29)].concat()
                }
            })
            .collect();
        let strings: Vec<&[u8]> = strings.iter().map(Vec::as_slice).collect();
        let ends = piece_ends(&strings.iter().collect::<Vec<_>>(), 90, 8);
        assert!(ends[1] > 60, "{ends:?}");
    }

    #[test]
    fn few_or_very_long_strings_are_not_sampled() {
        assert_eq!(sample_size(10, 31), 0);
        assert_eq!(sample_size(10, 32), 32);
        assert_eq!(sample_size(10, 1 << 20), SAMPLE);
        assert_eq!(sample_size(1 << 20, 1 << 20), 0);
        assert_eq!(sample_size(0, 40), 40);
    }
}
