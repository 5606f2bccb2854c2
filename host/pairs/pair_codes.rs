//! One-byte codes for the symbols of one pair of strings. A distance depends only on which symbols
//! are equal, so the codes have the same distance as the strings.

use super::strings::Symbols;
use crate::cpu::vector::by_widest_vectors;
use std::cell::RefCell;

/// Maximum length of the shorter string if all symbols are compared with its symbols. This is
/// faster than a hash table for each pair.
const SHORT: usize = 32;
/// Number of symbols that are compared at a time.
const BLOCK: usize = 16;
/// Number of slots, several times the number of codes.
const SLOTS: usize = 1 << 11;
/// Maximum number of different symbols of the shorter string: one code is for all others.
const MOST: u32 = 255;
/// Maximum number of different symbols of the shorter string if only shared symbols have codes of
/// their own: the table must have free slots.
const MOST_KINDS: usize = 1400;
/// Codes of the symbols that only the shorter string has, and that only the longer one has.
const ONLY_SHORT: u8 = 254;
const ONLY_LONG: u8 = 255;
/// The mark of a symbol that the longer string has not shown yet.
const UNSEEN: u32 = u32::MAX;

/// Calls a function with both strings as bytes: as given, or in codes. If there are not enough
/// codes, calls it with the strings as given.
pub(crate) fn by_bytes<R>(a: Symbols<'_>, b: Symbols<'_>, call: impl Fn(Symbols<'_>, Symbols<'_>) -> R) -> R {
    if let (Symbols::Bytes(_), Symbols::Bytes(_)) = (a, b) {
        return call(a, b);
    }
    thread_local! {
        static TABLE: RefCell<PairCodes> = const { RefCell::new(PairCodes::new()) };
    }
    let mut codes = Vec::with_capacity(a.len() + b.len() + BLOCK);
    // The table is free again before the call, which may run other jobs on this thread.
    if !TABLE.with_borrow_mut(|table| table.code([a, b], &mut codes)) {
        return call(a, b);
    }
    let (a, b) = codes.split_at(a.len());
    call(Symbols::Bytes(a), Symbols::Bytes(b))
}

/// Codes for the symbols of one pair after the other: the different symbols of the shorter string
/// have codes from 0 on, and all other symbols have one more. In a short string, a symbol's code is
/// its first place. So a pair needs few bits, however many symbols there are. If the shorter string
/// has more than 255, only the symbols that both strings have get codes of their own.
pub(super) struct PairCodes {
    /// A hash table with linear probing, made for the first pair without a short string.
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
    pub(super) const fn new() -> Self {
        Self { slots: Vec::new(), pair: 0 }
    }

    /// Appends the codes of the first string and then those of the second to `to`. Returns false,
    /// and appends nothing, if there are not enough codes.
    pub(super) fn code(&mut self, [a, b]: [Symbols<'_>; 2], to: &mut Vec<u8>) -> bool {
        let short = if a.len() <= b.len() { a } else { b };
        if short.len() <= SHORT {
            by_widest_vectors(
                #[inline(always)]
                || by_comparing(short, [a, b], to),
            );
            return true;
        }
        self.next_pair();
        let start = to.len();
        to.resize(start + a.len() + b.len(), 0);
        let (of_a, of_b) = to[start..].split_at_mut(a.len());
        let (short, long) = if a.len() <= b.len() { ((a, of_a), (b, of_b)) } else { ((b, of_b), (a, of_a)) };
        let done = match self.code_new(short.0, short.1) {
            Some(others) => {
                self.code_known(long.0, others, long.1);
                true
            }
            None => self.code_shared(short, long),
        };
        if !done {
            to.truncate(start);
        }
        done
    }

    /// Codes both strings, with codes for the symbols that both have. Returns false if there are
    /// too many.
    fn code_shared(&mut self, short: (Symbols<'_>, &mut [u8]), long: (Symbols<'_>, &mut [u8])) -> bool {
        self.next_pair();
        let pair = self.pair;
        let mut kinds = 0;
        let is_in_table = for_all(short.0, |symbol| {
            let slot = self.slot(symbol);
            if slot.pair != pair {
                *slot = Slot { symbol, pair, code: UNSEEN };
                kinds += 1;
            }
            kinds <= MOST_KINDS
        });
        let mut shared = 0;
        let mut places = long.1.iter_mut();
        let enough = is_in_table
            && for_all(long.0, |symbol| {
                let slot = self.slot(symbol);
                let code = match slot.code {
                    _ if slot.pair != pair => ONLY_LONG,
                    UNSEEN => {
                        slot.code = shared;
                        shared += 1;
                        slot.code as u8
                    }
                    code => code as u8,
                };
                if let Some(place) = places.next() {
                    *place = code;
                }
                shared <= u32::from(ONLY_SHORT)
            });
        let mut places = short.1.iter_mut();
        enough
            && for_all(short.0, |symbol| {
                let code = self.slot(symbol).code;
                if let Some(place) = places.next() {
                    *place = if code == UNSEEN { ONLY_SHORT } else { code as u8 };
                }
                true
            })
    }

    fn next_pair(&mut self) {
        self.slots.resize(SLOTS, Slot::default());
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
        let code = |symbol| {
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
        let enough = for_all(string, code);
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

/// Appends the codes of both strings: the first place of each symbol in the shorter string, or the
/// length of that string.
#[inline(always)]
fn by_comparing(short: Symbols<'_>, both: [Symbols<'_>; 2], to: &mut Vec<u8>) {
    let mut known = [0; SHORT];
    let known = &mut known[..short.len()];
    load(short, 0, known);
    for string in both {
        let end = to.len() + string.len();
        for first in (0..string.len()).step_by(BLOCK) {
            let mut block = [0; BLOCK];
            load(string, first, &mut block[..(string.len() - first).min(BLOCK)]);
            let mut places = [known.len() as u32; BLOCK];
            for (place, &symbol) in known.iter().enumerate().rev() {
                for (to, other) in places.iter_mut().zip(block) {
                    *to = if other == symbol { place as u32 } else { *to };
                }
            }
            let mut codes = [0; BLOCK];
            for (code, place) in codes.iter_mut().zip(places) {
                *code = place as u8;
            }
            to.extend_from_slice(&codes);
        }
        to.truncate(end);
    }
}

/// Loads the symbols of a string from the number `first` on.
#[inline(always)]
fn load(string: Symbols<'_>, first: usize, to: &mut [u32]) {
    match string {
        Symbols::Bytes(bytes) => to.iter_mut().zip(&bytes[first..]).for_each(|(to, &byte)| *to = byte.into()),
        Symbols::Numbers(numbers) => to.iter_mut().zip(&numbers[first..]).for_each(|(to, &number)| *to = number),
    }
}

/// Calls a function with the symbols of a string, until it returns false.
fn for_all(string: Symbols<'_>, mut call: impl FnMut(u32) -> bool) -> bool {
    match string {
        Symbols::Bytes(bytes) => bytes.iter().all(|&byte| call(byte.into())),
        Symbols::Numbers(numbers) => numbers.iter().all(|&number| call(number)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn codes_are_equal_where_symbols_are() {
        let mut random = fastrand::Rng::with_seed(1);
        let mut codes = PairCodes::new();
        // The numbers of pairs start again.
        codes.pair = u32::MAX - 50;
        for round in 0..210 {
            let kinds = [1, 4, 255, 256, 400, 2000, u32::MAX][round % 7];
            let mut numbers = |most| (0..random.usize(..most)).map(|_| random.u32(..kinds)).collect::<Vec<u32>>();
            // Every other pair has a short string.
            let (a, b) = (numbers([600, 50][round % 2]), numbers([600, 70][round / 2 % 2]));
            let bytes: Vec<u8> = a.iter().map(|&number| number as u8).collect();
            for pair in [[Symbols::Numbers(&a), Symbols::Numbers(&b)], [Symbols::Numbers(&b), Symbols::Bytes(&bytes)]] {
                let mut found = vec![7];
                let done = codes.code(pair, &mut found);
                let [a, b] = pair.map(Symbols::to_numbers);
                let (short, long) = if a.len() <= b.len() { (&a, &b) } else { (&b, &a) };
                let kinds = |string: &[u32]| string.iter().copied().collect::<HashSet<u32>>();
                let shared = kinds(short).intersection(&kinds(long)).count();
                assert_eq!(done, kinds(short).len() <= MOST as usize || shared <= 254);
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
