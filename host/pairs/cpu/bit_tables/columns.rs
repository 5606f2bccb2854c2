//! Which lanes have which symbols in a block's columns: a vector for each symbol of some patterns
//! and each column.

use crate::cpu::vector::Isa;
use crate::pairs::symbol_codes::Code;
use std::ops::Range;

/// A symbol of the strings of two lists: a byte, or a code of two bytes.
pub(in crate::pairs::cpu) trait Symbol: Code + 'static {
    /// The columns of texts of such symbols.
    type Columns<'s, I: Isa>: Columns<'s, Self, I>;
}

/// The columns of some texts, at most one text per lane.
pub(in crate::pairs::cpu) trait Columns<'s, S, I: Isa> {
    /// Returns the columns of texts that will be compared with these patterns.
    fn new(isa: I, patterns: &[&[S]], texts: &[&'s [S]]) -> Self;

    /// Writes into entry `number` of `table`, for each symbol that has a number and each column of
    /// a block, the lanes that have another symbol there. The first block needs a table of ones,
    /// and each other block the table that the one before it has left.
    fn compare<const C: usize>(&mut self, block: Range<usize>, numbers: &Numbers<S>, table: &mut [[I::Vector; C]]);
}

/// Numbers from 1 on for the symbols of some patterns, and 0 for all others.
pub(in crate::pairs::cpu) struct Numbers<S> {
    of: Vec<u16>,
    symbols: Vec<S>,
}

impl<S: Symbol> Numbers<S> {
    pub(super) fn new() -> Self {
        Self { of: vec![0; S::CODES], symbols: Vec::new() }
    }

    /// Numbers the symbols of other patterns.
    pub(super) fn renew(&mut self, patterns: &[&[S]]) {
        self.symbols.drain(..).for_each(|symbol| self.of[symbol.into()] = 0);
        for &symbol in patterns.iter().copied().flatten() {
            let number = &mut self.of[symbol.into()];
            if *number == 0 {
                self.symbols.push(symbol);
                *number = self.symbols.len() as u16;
            }
        }
    }

    /// Returns a symbol's number.
    #[inline(always)]
    pub(super) fn of(&self, symbol: S) -> usize {
        self.of[symbol.into()].into()
    }

    /// Returns the symbols that have numbers, in the order of these.
    pub(super) fn symbols(&self) -> &[S] {
        &self.symbols
    }
}
