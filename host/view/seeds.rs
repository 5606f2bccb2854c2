//! The substrings of one length that two strings share: what a dot plot shows as points, and how many there are.
//!
//! A *k-mer* is a substring of k symbols. k is so large that hardly any k-mer is in both strings by chance. A k-mer that is in each
//! string once is a *unique match*: it says which place belongs to which. What is in either more often is a *repeat*; its matches
//! grow with the product of its counts, and say little. MUMmer (Kurtz et al. 2004) rests on the same distinction, with matches of any
//! length. In nucleotides a k-mer and its reverse complement are one and the same, so that "once" means on both strands together;
//! k is odd, since then no k-mer is its own reverse complement.
//!
//! Matches are kept as bits of a grid over the plot. A k-mer becomes its hash, its strand and the grid's column or row, in one
//! integer. Both lists are sorted and merged. A repeat in many columns sets whole rows of bits at once: repeats cost no more than
//! other text. O((m + n) log(m + n)) time, and memory for 2^25 k-mers of each string, not more for longer ones.

use crate::threads;
use rayon::slice::ParallelSliceMut;

/// Matches that chance is to leave: a tenth of the symbols of the shorter string, but not fewer or more than this.
const CHANCE: (f64, f64) = (60.0, 500.0);
/// Cells with unique matches in either direction, above which k is raised: more are no lines but a haze.
const UNIQUE_CELLS: usize = 2_500;
/// How often k is raised, by half of itself each time.
const RAISES: usize = 6;
/// K-mers of a string that are held at a time: 256 MiB.
const PASS: usize = 1 << 25;
/// Cells with repeats that are drawn of either direction.
const REPEAT_CELLS: usize = 2_500;
/// Side of a square of cells in which repeats are thinned out.
const TILE: usize = 16;
/// Cells of such a square that repeats of either direction may have: a sixteenth.
const TILE_CELLS: usize = TILE * TILE / 16;

/// Numbers of k-mers that two strings share. See the [example](super::dot_plot::dot_plot).
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct SharedKmers {
    /// k, the symbols of a k-mer; `None` where a string has no symbol that counts.
    pub k: Option<usize>,
    /// K-mers that are in each string once, in the same direction.
    pub unique: u64,
    /// Of nucleotides, k-mers that are in A once and whose reverse complement is in B once.
    pub unique_reverse: u64,
    /// Pairs of places with the same k-mer, of all other k-mers.
    pub repeats: u64,
    /// Of nucleotides, pairs of places in A and B with a k-mer and its reverse complement, of all other k-mers.
    pub repeats_reverse: u64,
}

impl SharedKmers {
    /// Whether most unique matches (most repeats, if there are none) are with the reverse complement of B, by more than chance would
    /// have it: five standard deviations. See the [example](super::dot_plot::dot_plot).
    pub fn mostly_reverse(&self) -> bool {
        self.excess_of_reverse() > 5.0
    }

    /// Returns true if most of these are with B as it is, by the same margin. See the [example](super::dot_plot::dot_plot).
    pub fn mostly_forward(&self) -> bool {
        self.excess_of_reverse() < -5.0
    }

    /// By how many standard deviations there are more matches with the reverse complement than with B as it is; 0 without matches.
    fn excess_of_reverse(&self) -> f64 {
        let (same, reverse) = match self.unique + self.unique_reverse {
            0 => (self.repeats, self.repeats_reverse),
            _ => (self.unique, self.unique_reverse),
        };
        let [same, reverse] = [same, reverse].map(|count| count as f64);
        (reverse - same) / (reverse + same).sqrt().max(1.0)
    }
}

/// The k-mers that two strings share, on a grid over the plot: A's columns and B's rows.
pub(super) struct Seeds {
    pub counts: SharedKmers,
    /// Unique matches, forward and reverse.
    pub unique: [Plane; 2],
    /// A sample of the repeats, forward and reverse: at most 2,500 cells each, and a sixteenth of any part of the plot.
    pub repeats: [Plane; 2],
    /// Whether there are repeats that the sample lacks.
    pub sampled: bool,
}

impl Seeds {
    /// Finds the matches of `a` and `b`; with `nucleotides` also those with the reverse complement of `b`, case ignored, U as T and
    /// without what is none of the four bases. The grid has at most `columns` and `rows`, and no more than there are symbols.
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
        // A k-mer's column or row is that of its middle, which it shares with its reverse complement.
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

    /// Counts and marks all pairs of entries with one hash, from two sorted lists.
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

/// Bits of a list's entry for the column or row; above them is one for the strand, and the rest is for the hash.
const CELL_BITS: u32 = 10;
const ENTRY_BITS: u32 = CELL_BITS + 1;

fn cell(entry: &u64) -> usize {
    (entry & ((1 << CELL_BITS) - 1)) as usize
}

fn strand(entry: &u64) -> bool {
    entry >> CELL_BITS & 1 == 1
}

/// Cells that a grid may have in a column or row.
pub(super) const MOST_CELLS: u32 = 1 << CELL_BITS;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Alphabet {
    Bytes,
    Nucleotides,
}

impl Alphabet {
    /// What a symbol counts as; none, if no k-mer may have it: runs of N would fill the plot.
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

/// The smallest k at which strings of this length and composition, shuffled, would share few k-mers ([`CHANCE`]); `None` when a string
/// has no symbol that counts.
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
    // That two symbols, one of each string, are equal.
    let pairs: f64 = in_a.iter().zip(&in_b).map(|(&x, &y)| x as f64 * y as f64).sum();
    let equal = (pairs / (m * n)).clamp(1e-3, 0.9);
    let strands = if alphabet == Alphabet::Nucleotides { 2.0 } else { 1.0 };
    let chance = (m.min(n) / 10.0).clamp(CHANCE.0, CHANCE.1);
    let k = (m * n * strands / chance).ln() / -equal.ln();
    // A float below 1 becomes 0; a string shorter than k would have no k-mer.
    Some((k.ceil() as usize).clamp(1, a.len().min(b.len())))
}

/// The prime 2⁶¹ - 1, modulo which k-mers are hashed, and the base of the hash.
const PRIME: u64 = (1 << 61) - 1;
const BASE: u64 = 0x0a3f_79d1_5c4b_2e87;

/// x y mod 2⁶¹ - 1: 2⁶¹ is 1.
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

/// Calls `found` with start, hash and strand of each k-mer all of whose symbols count. A k-mer of nucleotides and its reverse
/// complement have one hash and different strands.
///
/// A Rabin-Karp hash: of 53 bits, as many as an entry has room for, two different k-mers among 10⁷ pairs of 10⁷ share one with
/// a probability of about 1 %, and a wrong point more or less is no harm.
fn kmers(symbols: &[u8], k: usize, alphabet: Alphabet, mut found: impl FnMut(usize, u64, bool)) {
    // The value of a symbol, and of the one that pairs with it.
    let value = |code: u8| u64::from(code) + 1;
    let pair = |code: u8| if alphabet == Alphabet::Nucleotides { u64::from(3 - code) + 1 } else { 0 };
    let add = |x: u64, y: u64| (x + y) % PRIME;
    let minus = |x: u64, y: u64| (x + PRIME - y) % PRIME;
    // What the first symbol of a k-mer and the last symbol of its reverse complement are times.
    let high = power(BASE, k as u64 - 1);
    let inverse = power(BASE, PRIME - 2);
    // Of x₀ … x: Σ xᵢ BASE^(k-1-i), and of its reverse complement Σ pair(xᵢ) BASE^i.
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

/// A number that looks random: the finalizer of SplitMix64 (Steele, Lea, Flood 2014).
fn mixed(x: u64) -> u64 {
    let x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

/// One bit per cell.
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

    /// Sets the cells of all pairs of entries of two sorted lists; `mask` has a row's words.
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

    /// Cells that are set.
    pub fn count(&self) -> usize {
        self.bits.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Leaves at most `total` cells, and at most `in_tile` of each square of [`TILE`] by [`TILE`]; whether it took any away. Squares
    /// with few cells keep them all, and which are kept of the others is random, but the same each time.
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

    /// Runs of set cells, row by row.
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
