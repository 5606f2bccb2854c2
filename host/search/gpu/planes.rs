//! Sets of symbols as the kernels with bit planes take them.

use crate::text::Class;
use carrywave_kernels::search::match_table::SYMBOLS;
use carrywave_kernels::search::planes::PLANES;

/// Returns the table of symbols of at most [`PLANES`] sets, as
/// [`of_tile`](carrywave_kernels::search::planes::of_tile) takes it.
pub(super) fn table(sets: &[Class]) -> Vec<u32> {
    let mut words = vec![0; PLANES / 4 * SYMBOLS as usize];
    for (plane, set) in sets.iter().enumerate() {
        for symbol in set.symbols() {
            words[plane / 4 * SYMBOLS as usize + usize::from(symbol)] |= 1 << (8 * (plane % 4));
        }
    }
    words
}
