//! Shared k-mers: the substrings of one length that two strings share, which a dot plot shows as
//! points, and their numbers.
//!
//! A *k-mer* is a substring of k symbols. k is large enough that hardly any k-mer is in both
//! strings by chance. A k-mer that occurs once in each string is a *unique match*: its two
//! positions belong together. A k-mer that occurs more often in either string is a *repeat*; its
//! matches grow with the product of its counts and say little. MUMmer (Kurtz et al. 2004) rests on
//! the same distinction, with matches of any length. In nucleotides a k-mer and its reverse
//! complement count as one, so "once" means on both strands together. k is odd, since then no k-mer
//! is its own reverse complement.
//!
//! Matches are stored as bits of a grid over the plot. A k-mer becomes one integer of its hash, its
//! strand and its column or row in the grid. Both lists are sorted and merged. A repeat in many
//! columns sets whole rows of bits at once, so repeats cost no more than other text. O((m + n)
//! log(m + n)) time, and memory for 2^25 k-mers of each string, whatever their lengths.

use crate::threads;
use rayon::slice::ParallelSliceMut;

/// Number of chance matches to aim for: a tenth of the symbols of the shorter string, within these
/// bounds.
const CHANCE: (f64, f64) = (60.0, 500.0);
/// Number of cells with unique matches, in either direction, above which k is raised: more cells
/// show a haze instead of lines.
const UNIQUE_CELLS: usize = 2_500;
/// Upper bound on the raises of k, each by half of k.
const RAISES: usize = 6;
/// Number of k-mers of a string in memory at a time: 256 MiB.
const PASS: usize = 1 << 25;
/// Upper bound on the drawn cells with repeats, for each direction.
const REPEAT_CELLS: usize = 2_500;
/// Side of a square of cells for thinning out repeats.
const TILE: usize = 16;
/// Upper bound on the cells with repeats in such a square, for each direction: a sixteenth.
const TILE_CELLS: usize = TILE * TILE / 16;

/// Numbers of k-mers that two strings share. See the [example](super::dot_plot::dot_plot).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SharedKmers {
    /// k, the number of symbols of a k-mer; `None` if a string has no symbol that counts.
    pub k: Option<usize>,
    /// Number of k-mers that occur once in each string, in the same direction.
    pub unique: u64,
    /// Number of k-mers of nucleotides that occur once in A, and whose reverse complement occurs
    /// once in B.
    pub unique_reverse: u64,
    /// Number of pairs of positions with the same k-mer, over all other k-mers.
    pub repeats: u64,
    /// Number of pairs of positions in A and B with a k-mer and its reverse complement, over all
    /// other k-mers of nucleotides.
    pub repeats_reverse: u64,
}

impl SharedKmers {
    /// Returns true if most unique matches (or most repeats, if there are no unique matches) are
    /// with the reverse complement of B, by more than five standard deviations. See the
    /// [example](super::dot_plot::dot_plot).
    pub fn mostly_reverse(&self) -> bool {
        self.excess_of_reverse() > 5.0
    }

    /// Returns true if most of these matches are with B as it is, by the same margin. See the
    /// [example](super::dot_plot::dot_plot).
    pub fn mostly_forward(&self) -> bool {
        self.excess_of_reverse() < -5.0
    }

    /// Returns the excess of matches with the reverse complement over matches with B as it is, in
    /// standard deviations; 0 without matches.
    fn excess_of_reverse(&self) -> f64 {
        let (same, reverse) = match self.unique + self.unique_reverse {
            0 => (self.repeats, self.repeats_reverse),
            _ => (self.unique, self.unique_reverse),
        };
        let [same, reverse] = [same, reverse].map(|count| count as f64);
        (reverse - same) / (reverse + same).sqrt().max(1.0)
    }
}

/// Shared k-mers of two strings, on a grid over the plot: A gives the columns and B the rows.
pub(super) struct Seeds {
    pub counts: SharedKmers,
    /// Unique matches, forward and reverse.
    pub unique: [Plane; 2],
    /// Sample of the repeats, forward and reverse: at most 2,500 cells each, and a sixteenth of any
    /// part of the plot.
    pub repeats: [Plane; 2],
    /// True if the sample lacks some repeats.
    pub sampled: bool,
}

impl Seeds {
    /// Finds the matches of `a` and `b`. With `nucleotides`, it also finds those with the reverse
    /// complement of `b`, ignores case, treats U as T, and skips all but the four bases. The grid
    /// has at most `columns` columns and `rows` rows, and no more than there are symbols.
    pub fn find(a: &[u8], b: &[u8], nucleotides: bool, columns: usize, rows: usize) -> Self {
        let alphabet = if nucleotides { Alphabet::Nucleotides } else { Alphabet::Bytes };
        let (columns, rows) = (a.len().min(columns), b.len().min(rows));
        let planes = || [Plane::new(columns, rows), Plane::new(columns, rows)];
        let shorter = a.len().min(b.len());
        let allowed = |k: usize| match k.min(shorter) {
            k if nucleotides && k % 2 == 0 => {
                if k == shorter {
                    k - 1
                } else {
                    k + 1
                }
            }
            k => k,
        };
        let none = SharedKmers::default();
        let mut seeds = Self { counts: none, unique: planes(), repeats: planes(), sampled: false };
        let Some(mut k) = kmer_length(a, b, alphabet).map(allowed) else { return seeds };
        for _ in 0..=RAISES {
            seeds = Self {
                counts: SharedKmers { k: Some(k), ..none },
                unique: planes(),
                repeats: planes(),
                sampled: false,
            };
            seeds.add(a, b, k, alphabet);
            let next = allowed(k + k.div_ceil(2));
            if next <= k || seeds.unique.iter().all(|plane| plane.count() <= UNIQUE_CELLS) {
                break;
            }
            k = next;
        }
        for plane in &mut seeds.unique {
            plane.thin(UNIQUE_CELLS, TILE * TILE);
        }
        for plane in &mut seeds.repeats {
            seeds.sampled |= plane.thin(REPEAT_CELLS, TILE_CELLS);
        }
        seeds
    }

    fn add(&mut self, a: &[u8], b: &[u8], k: usize, alphabet: Alphabet) {
        let passes = a.len().max(b.len()).div_ceil(PASS).max(1) as u64;
        // The column or row of a k-mer is that of its middle, which its reverse complement shares.
        let list = |symbols: &[u8], cells: usize, pass: u64| {
            let cell = |start: usize| ((2 * start + k) as u128 * cells as u128 / (2 * symbols.len()) as u128) as u64;
            let mut list = Vec::with_capacity((symbols.len() / passes as usize).min(PASS));
            kmers(symbols, k, alphabet, |start, hash, reverse| {
                let hash = hash >> ENTRY_BITS;
                if hash % passes == pass {
                    list.push(hash << ENTRY_BITS | u64::from(reverse) << CELL_BITS | cell(start));
                }
            });
            list.par_sort_unstable();
            list
        };
        let (columns, rows) = (self.unique[0].columns, self.unique[0].rows());
        for pass in 0..passes {
            let both = || rayon::join(|| list(a, columns, pass), || list(b, rows, pass));
            let (of_a, of_b) = threads::run(both);
            self.merge(&of_a, &of_b);
        }
    }

    /// Counts and marks all pairs of entries with equal hashes, from two sorted lists.
    fn merge(&mut self, of_a: &[u64], of_b: &[u64]) {
        let same = |x: &u64, y: &u64| x >> ENTRY_BITS == y >> ENTRY_BITS;
        let mut groups = of_b.chunk_by(same).peekable();
        let mut mask = vec![0; self.unique[0].words];
        for in_a in of_a.chunk_by(same) {
            let hash = in_a[0] >> ENTRY_BITS;
            while groups.next_if(|group| group[0] >> ENTRY_BITS < hash).is_some() {}
            let Some(in_b) = groups.next_if(|group| group[0] >> ENTRY_BITS == hash) else { continue };
            if let ([x], [y]) = (in_a, in_b) {
                let reverse = strand(x) != strand(y);
                let count = if reverse { &mut self.counts.unique_reverse } else { &mut self.counts.unique };
                *count += 1;
                self.unique[usize::from(reverse)].set(cell(x), cell(y));
                continue;
            }
            let by_strand = |group| <[u64]>::split_at(group, group.partition_point(|entry| !strand(entry)));
            let ((a_plus, a_minus), (b_plus, b_minus)) = (by_strand(in_a), by_strand(in_b));
            for (x, y, reverse) in
                [(a_plus, b_plus, false), (a_minus, b_minus, false), (a_plus, b_minus, true), (a_minus, b_plus, true)]
            {
                let count = if reverse { &mut self.counts.repeats_reverse } else { &mut self.counts.repeats };
                *count = count.saturating_add(x.len() as u64 * y.len() as u64);
                self.repeats[usize::from(reverse)].set_all(x, y, &mut mask);
            }
        }
    }
}

/// Number of bits of a list entry for the column or row. The next bit is the strand, and the rest
/// is the hash.
const CELL_BITS: u32 = 10;
const ENTRY_BITS: u32 = CELL_BITS + 1;

fn cell(entry: &u64) -> usize {
    (entry & ((1 << CELL_BITS) - 1)) as usize
}

fn strand(entry: &u64) -> bool {
    entry >> CELL_BITS & 1 == 1
}

/// Upper bound on the cells of a grid in a column or row.
pub(super) const MAX_CELLS: u32 = 1 << CELL_BITS;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    Bytes,
    Nucleotides,
}

impl Alphabet {
    /// Returns the code of a symbol, or `None` if no k-mer may contain it: runs of N would fill the
    /// plot.
    fn code(self, symbol: u8) -> Option<u8> {
        match self {
            Self::Bytes => Some(symbol),
            Self::Nucleotides => match symbol.to_ascii_uppercase() {
                b'A' => Some(0),
                b'C' => Some(1),
                b'G' => Some(2),
                b'T' | b'U' => Some(3),
                _ => None,
            },
        }
    }
}

/// Returns the smallest k at which shuffled strings of this length and composition would share few
/// k-mers ([`CHANCE`]), or `None` if a string has no symbol that counts.
fn kmer_length(a: &[u8], b: &[u8], alphabet: Alphabet) -> Option<usize> {
    let count = |symbols: &[u8]| {
        let mut counts = [0u64; 256];
        for code in symbols.iter().filter_map(|&symbol| alphabet.code(symbol)) {
            counts[usize::from(code)] += 1;
        }
        counts
    };
    let (in_a, in_b) = (count(a), count(b));
    let [m, n] = [&in_a, &in_b].map(|counts| counts.iter().sum::<u64>() as f64);
    if m == 0.0 || n == 0.0 {
        return None;
    }
    // Probability that two symbols, one of each string, are equal.
    let pairs: f64 = in_a.iter().zip(&in_b).map(|(&x, &y)| x as f64 * y as f64).sum();
    let equal = (pairs / (m * n)).clamp(1e-3, 0.9);
    let strands = if alphabet == Alphabet::Nucleotides { 2.0 } else { 1.0 };
    let chance = (m.min(n) / 10.0).clamp(CHANCE.0, CHANCE.1);
    let k = (m * n * strands / chance).ln() / -equal.ln();
    // The cast turns a value below 1 into 0; a string shorter than k would have no k-mer.
    Some((k.ceil() as usize).clamp(1, a.len().min(b.len())))
}

/// The prime 2⁶¹ - 1, the modulus of the hash of k-mers, and the base of the hash.
const PRIME: u64 = (1 << 61) - 1;
const BASE: u64 = 0x0a3f_79d1_5c4b_2e87;

/// Computes x y mod 2⁶¹ - 1, using 2⁶¹ ≡ 1.
fn times(x: u64, y: u64) -> u64 {
    let product = u128::from(x) * u128::from(y);
    let sum = (product as u64 & PRIME) + (product >> 61) as u64;
    if sum >= PRIME { sum - PRIME } else { sum }
}

fn power(base: u64, exponent: u64) -> u64 {
    let (mut result, mut square, mut exponent) = (1, base, exponent);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = times(result, square);
        }
        square = times(square, square);
        exponent >>= 1;
    }
    result
}

/// Calls `found` with start, hash and strand of each k-mer whose symbols all count. A k-mer of
/// nucleotides and its reverse complement have the same hash and different strands.
///
/// Uses a Rabin-Karp hash of 53 bits, which fill an entry. Two different k-mers among 10⁷ pairs of
/// 10⁷ share a hash with a probability of about 1 %; a single wrong point does no harm.
fn kmers(symbols: &[u8], k: usize, alphabet: Alphabet, mut found: impl FnMut(usize, u64, bool)) {
    // The value of a symbol, and of its complement.
    let value = |code: u8| u64::from(code) + 1;
    let pair = |code: u8| if alphabet == Alphabet::Nucleotides { u64::from(3 - code) + 1 } else { 0 };
    let add = |x: u64, y: u64| (x + y) % PRIME;
    let minus = |x: u64, y: u64| (x + PRIME - y) % PRIME;
    // Factor of the first symbol of a k-mer and of the last symbol of its reverse complement.
    let high = power(BASE, k as u64 - 1);
    let inverse = power(BASE, PRIME - 2);
    // Hash of x₀ … x: Σ xᵢ BASE^(k-1-i); of its reverse complement: Σ pair(xᵢ) BASE^i.
    let (mut hash, mut reverse, mut held, mut scale) = (0, 0, 0, 1);
    for (i, &symbol) in symbols.iter().enumerate() {
        let Some(code) = alphabet.code(symbol) else {
            (hash, reverse, held, scale) = (0, 0, 0, 1);
            continue;
        };
        if held == k {
            let first = alphabet.code(symbols[i - k]).unwrap_or(0);
            hash = minus(hash, times(value(first), high));
            reverse = add(times(minus(reverse, pair(first)), inverse), times(pair(code), high));
        } else {
            reverse = add(reverse, times(pair(code), scale));
            scale = times(scale, BASE);
            held += 1;
        }
        hash = add(times(hash, BASE), value(code));
        if held == k {
            let (least, is_reverse) = match alphabet {
                Alphabet::Nucleotides => (hash.min(reverse), reverse < hash),
                Alphabet::Bytes => (hash, false),
            };
            found(i + 1 - k, mixed(least), is_reverse);
        }
    }
}

/// Returns a number that looks random: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// A grid with one bit per cell.
#[derive(Debug, Clone)]
pub(super) struct Plane {
    pub columns: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Plane {
    fn new(columns: usize, rows: usize) -> Self {
        let words = columns.div_ceil(64);
        Self { columns, words, bits: vec![0; words * rows] }
    }

    pub fn rows(&self) -> usize {
        self.bits.len().checked_div(self.words).unwrap_or(0)
    }

    fn set(&mut self, column: usize, row: usize) {
        self.bits[row * self.words + column / 64] |= 1 << (column % 64);
    }

    fn get(&self, column: usize, row: usize) -> bool {
        self.bits[row * self.words + column / 64] >> (column % 64) & 1 == 1
    }

    /// Sets the cells of all pairs of entries of two sorted lists. `mask` is a buffer for the words
    /// of a row.
    fn set_all(&mut self, columns: &[u64], rows: &[u64], mask: &mut [u64]) {
        let rows = rows.chunk_by(|x, y| x == y).map(|equal| cell(&equal[0]));
        if columns.len() <= self.words {
            for row in rows {
                columns.iter().for_each(|column| self.set(cell(column), row));
            }
            return;
        }
        mask.fill(0);
        for column in columns.iter().map(cell) {
            mask[column / 64] |= 1 << (column % 64);
        }
        for row in rows {
            let bits = &mut self.bits[row * self.words..][..mask.len()];
            bits.iter_mut().zip(&*mask).for_each(|(bits, mask)| *bits |= mask);
        }
    }

    /// Returns the number of cells that are set.
    pub fn count(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Keeps at most `total` cells, and at most `in_tile` in each square of [`TILE`] by [`TILE`]
    /// cells. Returns true if it removed any. Squares with few cells keep them all; in the others
    /// the choice is random, but the same each time.
    fn thin(&mut self, total: usize, in_tile: usize) -> bool {
        let mut tiles = vec![Vec::new(); self.columns.div_ceil(TILE) * self.rows().div_ceil(TILE)];
        let across = self.columns.div_ceil(TILE);
        for (row, columns) in self.runs() {
            for column in columns {
                tiles[row / TILE * across + column / TILE].push((column, row));
            }
        }
        let kept = |limit: usize| tiles.iter().map(|tile| tile.len().min(limit)).sum::<usize>();
        let limit = (0..=in_tile).rev().find(|&limit| kept(limit) <= total).unwrap_or(0);
        let thinned = kept(limit) < self.count();
        if thinned {
            *self = Self::new(self.columns, self.rows());
            for mut tile in tiles {
                tile.sort_unstable_by_key(|&(column, row)| mixed((row * self.columns + column) as u64));
                tile.truncate(limit);
                tile.iter().for_each(|&(column, row)| self.set(column, row));
            }
        }
        thinned
    }

    /// Iterates over the runs of set cells, row by row.
    pub fn runs(&self) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> + '_ {
        (0..self.rows()).flat_map(move |row| {
            let mut column = 0;
            std::iter::from_fn(move || {
                let start = (column..self.columns).find(|&column| self.get(column, row))?;
                let end = (start..self.columns).find(|&column| !self.get(column, row));
                column = end.unwrap_or(self.columns);
                Some((row, start..column))
            })
        })
    }
}
