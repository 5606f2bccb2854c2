//! Packs symbols into codes of few bits, so that a seed is a number; and chooses the length of
//! seeds.

/// Number of positions at which symbols are counted.
const SAMPLE: usize = 1 << 14;

/// Packing of seeds into numbers.
#[derive(Debug)]
pub(super) struct Packing {
    /// Number of symbols of a seed.
    pub(super) k: usize,
    codes: Codes,
    mask: u64,
}

impl Packing {
    /// Chooses seeds for a string: so long that a random seed rarely occurs by chance. `None` if
    /// nothing distinguishes the string's positions.
    pub(super) fn for_string(a: &[u8]) -> Option<Self> {
        let counts = counts(a.iter());
        let codes = packed_codes(&counts);
        let k = length(a.len(), &counts, codes.bits);
        (k > 0).then(|| Self { k, mask: u64::MAX >> (64 - k as u32 * codes.bits), codes })
    }

    /// Returns the number of the last k symbols after one more symbol.
    #[inline(always)]
    pub(super) fn push(&self, key: u64, symbol: u8) -> u64 {
        (key << self.codes.bits | u64::from(self.codes.code[usize::from(symbol)])) & self.mask
    }

    /// Returns the number of some symbols, at most k.
    pub(super) fn key(&self, symbols: &[u8]) -> u64 {
        symbols.iter().fold(0, |key, &symbol| self.push(key, symbol))
    }
}

/// Small codes for symbols.
#[derive(Debug)]
struct Codes {
    code: [u8; 256],
    bits: u32,
}

/// Counts symbols, in a sample of positions.
fn counts<'s>(symbols: impl ExactSizeIterator<Item = &'s u8>) -> [usize; 256] {
    let mut counts = [0; 256];
    let step = (symbols.len() / SAMPLE).max(1);
    symbols.step_by(step).for_each(|&symbol| counts[usize::from(symbol)] += 1);
    counts
}

/// Chooses small codes for symbols, and their number of bits. Different symbols may share a code: a
/// seed then seems to occur where it does not, which keeps bounds valid. Rare symbols may share
/// codes too, such as an N in DNA, as they do not justify another bit.
fn packed_codes(counts: &[usize; 256]) -> Codes {
    let all: usize = counts.iter().sum();
    let mut order: Vec<usize> = (0..256).collect();
    order.sort_by_key(|&symbol| std::cmp::Reverse(counts[symbol]));
    let common = counts.iter().filter(|&&count| count > all / 200).count().max(2);
    let bits = (common - 1).ilog2() + 1;
    let mut code = [0; 256];
    for (rank, &symbol) in order.iter().enumerate() {
        code[symbol] = (rank % (1 << bits)) as u8;
    }
    Codes { code, bits }
}

/// Returns the length of a seed: in about one of ten strings of this length, a random seed occurs
/// by chance. Returns 0 if nothing distinguishes the positions of the string.
fn length(symbols: usize, counts: &[usize; 256], bits: u32) -> usize {
    let all: usize = counts.iter().sum();
    let share = |count: usize| count as f64 / all as f64;
    // Information of a symbol, in bits.
    let entropy: f64 =
        counts.iter().filter(|&&count| count > 0).map(|&count| -share(count) * share(count).log2()).sum();
    if entropy < 0.1 {
        return 0;
    }
    let length = ((symbols as f64).log2() / entropy.min(f64::from(bits))).ceil() as usize + 3;
    length.min(64 / bits as usize)
}
