//! One-byte codes for the symbols of one pair of strings.

use super::strings::Symbols;

/// Number of slots, several times the number of codes.
const SLOTS: usize = 1 << 11;
/// Maximum number of different symbols of the shorter string: one code is for all others.
const MOST: u32 = 255;

/// Codes for the symbols of one pair after the other: the different symbols of the shorter string
/// have codes from 0 on, and all other symbols have one more. So a pair needs few bits, however
/// many symbols there are.
pub(super) struct PairCodes {
    /// A hash table with linear probing.
    slots: Vec<Slot>,
    /// Number of the current pair; slots of other pairs are free.
    pair: u32,
}

#[derive(Clone, Copy, Default)]
struct Slot {
    symbol: u32,
    pair: u32,
    code: u32,
}

impl PairCodes {
    pub(super) fn new() -> Self {
        Self { slots: vec![Slot::default(); SLOTS], pair: 0 }
    }

    /// Appends the codes of the first string and then those of the second to `to`. Returns false,
    /// and appends nothing, if there are not enough codes.
    pub(super) fn code(&mut self, [a, b]: [Symbols<'_>; 2], to: &mut Vec<u8>) -> bool {
        self.next_pair();
        let start = to.len();
        to.resize(start + a.len() + b.len(), 0);
        let (of_a, of_b) = to[start..].split_at_mut(a.len());
        let (short, long) = if a.len() <= b.len() { ((a, of_a), (b, of_b)) } else { ((b, of_b), (a, of_a)) };
        let enough = self.code_new(short.0, short.1);
        match enough {
            Some(others) => self.code_known(long.0, others, long.1),
            None => to.truncate(start),
        }
        enough.is_some()
    }

    fn next_pair(&mut self) {
        self.pair = self.pair.wrapping_add(1);
        if self.pair == 0 {
            self.slots.fill(Slot::default());
            self.pair = 1;
        }
    }

    /// Codes a string with new codes, and returns the next one; `None` if there are not enough.
    fn code_new(&mut self, string: Symbols<'_>, to: &mut [u8]) -> Option<u8> {
        let mut next = 0;
        let mut symbols = to.iter_mut();
        let mut code = |symbol| {
            let pair = self.pair;
            let slot = self.slot(symbol);
            if slot.pair != pair {
                *slot = Slot { symbol, pair, code: next };
                next += 1;
            }
            if let Some(to) = symbols.next() {
                *to = slot.code as u8;
            }
            next <= MOST
        };
        let enough = match string {
            Symbols::Bytes(bytes) => bytes.iter().all(|&byte| code(byte.into())),
            Symbols::Numbers(numbers) => numbers.iter().all(|&number| code(number)),
        };
        u8::try_from(next).ok().filter(|_| enough)
    }

    /// Codes a string with known codes, and with `others` for other symbols.
    fn code_known(&mut self, string: Symbols<'_>, others: u8, to: &mut [u8]) {
        let pair = self.pair;
        let mut code = |symbol| {
            let slot = self.slot(symbol);
            if slot.pair == pair { slot.code as u8 } else { others }
        };
        match string {
            Symbols::Bytes(bytes) => to.iter_mut().zip(bytes).for_each(|(to, &byte)| *to = code(byte.into())),
            Symbols::Numbers(numbers) => to.iter_mut().zip(numbers).for_each(|(to, &number)| *to = code(number)),
        }
    }

    /// Returns the slot of a symbol, or a free one.
    #[inline]
    fn slot(&mut self, symbol: u32) -> &mut Slot {
        let mut at = (symbol.wrapping_mul(0x9e37_79b1) >> 21) as usize;
        while self.slots[at % SLOTS].pair == self.pair && self.slots[at % SLOTS].symbol != symbol {
            at += 1;
        }
        &mut self.slots[at % SLOTS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_equal_where_symbols_are() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut codes = PairCodes::new();
        // The numbers of pairs start again.
        codes.pair = u32::MAX - 50;
        for round in 0..200 {
            let kinds = [1, 4, 255, 256, 2000, u32::MAX][round % 6];
            let mut numbers = |most| (0..random.usize(..most)).map(|_| random.u32(..kinds)).collect::<Vec<u32>>();
            let (a, b) = (numbers(600), numbers(600));
            let bytes: Vec<u8> = a.iter().map(|&number| number as u8).collect();
            for pair in [[Symbols::Numbers(&a), Symbols::Numbers(&b)], [Symbols::Numbers(&b), Symbols::Bytes(&bytes)]] {
                let mut found = vec![7];
                let done = codes.code(pair, &mut found);
                let [a, b] = pair.map(Symbols::to_numbers);
                let mut short = if a.len() <= b.len() { a.clone() } else { b.clone() };
                short.sort_unstable();
                short.dedup();
                assert_eq!(done, short.len() <= MOST as usize);
                if !done {
                    assert_eq!(found, [7]);
                    continue;
                }
                let (of_a, of_b) = found[1..].split_at(a.len());
                assert_eq!(of_b.len(), b.len());
                for (x, code) in a.iter().zip(of_a) {
                    for (y, other) in b.iter().zip(of_b).step_by(7) {
                        assert_eq!(x == y, code == other);
                    }
                }
            }
        }
    }
}
