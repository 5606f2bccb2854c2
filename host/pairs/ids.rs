//! Small numbers for the symbols of a string: from 1 on, in order of appearance. All other symbols
//! have the number 0.

use super::strings::Symbols;
use foldhash::fast::RandomState;
use hashbrown::HashMap;

/// The numbers of symbols.
pub(crate) struct Ids {
    low: [u32; 256],
    others: HashMap<u32, u32, RandomState>,
    /// Greatest number plus 1.
    pub(crate) count: usize,
}

impl Ids {
    /// Numbers the symbols of a string. Also returns the string's own numbers.
    pub(crate) fn new(string: Symbols<'_>) -> (Self, Vec<u32>) {
        let mut ids = Self { low: [0; 256], others: HashMap::default(), count: 1 };
        let numbers = match string {
            Symbols::Bytes(bytes) => bytes.iter().map(|&byte| ids.add(byte.into())).collect(),
            Symbols::Numbers(numbers) => numbers.iter().map(|&number| ids.add(number)).collect(),
        };
        (ids, numbers)
    }

    fn add(&mut self, symbol: u32) -> u32 {
        let id = match self.low.get_mut(symbol as usize) {
            Some(id) => id,
            None => self.others.entry(symbol).or_insert(0),
        };
        if *id == 0 {
            *id = self.count as u32;
            self.count += 1;
        }
        *id
    }

    /// Returns the numbers of another string's symbols.
    pub(crate) fn of(&self, string: Symbols<'_>) -> Vec<u32> {
        match string {
            Symbols::Bytes(bytes) => bytes.iter().map(|&byte| self.low[usize::from(byte)]).collect(),
            Symbols::Numbers(numbers) => {
                let of = |number: &u32| match self.low.get(*number as usize) {
                    Some(&id) => id,
                    None => self.others.get(number).copied().unwrap_or(0),
                };
                numbers.iter().map(of).collect()
            }
        }
    }
}
