//! Source lines as small numbers, so that a recorded access takes only a few bytes.
//!
//! The compiler may keep one source position at several addresses. The number of a position is
//! first looked up by address in a small table. The slower look-up by file, line and column happens
//! only once per address:
//!
//! ```text
//! address ──> recent[address mod 1024] ──> number
//!                 │ another address there
//!                 └──> by_address ──> by_position (file, line, column) ──> number
//! ```

use std::collections::HashMap;
use std::panic::Location;

/// A position in the source.
pub(super) type SourceLocation = &'static Location<'static>;

/// Number of entries of the small table: a power of two.
const RECENT: usize = 1024;

/// The numbers of source positions, from 0 on.
#[derive(Debug)]
pub(super) struct Sites {
    places: Vec<SourceLocation>,
    by_position: HashMap<SourceLocation, u32>,
    by_address: HashMap<usize, u32>,
    recent: Box<[(usize, u32); RECENT]>,
}

impl Default for Sites {
    fn default() -> Self {
        let (by_position, by_address) = (HashMap::new(), HashMap::new());
        Self { places: Vec::new(), by_position, by_address, recent: Box::new([(0, 0); RECENT]) }
    }
}

impl Sites {
    /// Returns the number of a position.
    #[inline]
    pub fn number(&mut self, place: SourceLocation) -> u32 {
        let address = std::ptr::from_ref(place).addr();
        let (known, number) = self.recent[address / align_of::<Location>() % RECENT];
        if known == address { number } else { self.find(place, address) }
    }

    #[cold]
    fn find(&mut self, place: SourceLocation, address: usize) -> u32 {
        let number = *self.by_address.entry(address).or_insert_with(|| {
            *self.by_position.entry(place).or_insert_with(|| {
                self.places.push(place);
                self.places.len() as u32 - 1
            })
        });
        self.recent[address / align_of::<Location>() % RECENT] = (address, number);
        number
    }

    /// Returns the position of a number.
    pub fn place(&self, number: u32) -> SourceLocation {
        self.places[number as usize]
    }
}
