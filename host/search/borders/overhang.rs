//! The overhang: a part of a pattern lies beyond a record.

use crate::error::{Result, UsageFault};

/// Thousandths of an error in an error.
const WHOLE: u32 = 1000;

/// The rule for patterns that lie partly beyond a record's start or end, such as an adapter that a
/// read ends in.
///
/// By default, the symbols beyond cost nothing, and the errors of the part within the record are
/// limited in proportion: of m symbols with at most k errors, a part of l symbols has at most
/// ⌊k l / m⌋, or ⌊p l⌋ if k is a percentage p. Symbols that cannot mismatch, such as N, do not
/// count. This is the rule of cutadapt. With a [cost](Self::with_cost), each symbol beyond costs a
/// share of an error instead, as in sassy. The part has more symbols than errors.
///
/// ```
/// use carrywave::search::{Overhang, Search};
/// use carrywave::text::Pattern;
///
/// let search = Search::new(Pattern::literal(b"carrywave")).errors(1);
/// let proportional = search.clone().overhang(Overhang::new().min_overlap(4));
/// assert_eq!(proportional.count(b"the carryw")?, 1);
/// // Six symbols may have no error, three symbols are too few.
/// assert_eq!(proportional.count(b"the caryw")? + proportional.count(b"the car")?, 0);
/// let costly = search.overhang(Overhang::with_cost(0.25)?);
/// // Three symbols beyond cost ⌊0.75⌋ errors, and six cost ⌊1.5⌋.
/// assert_eq!(costly.count(b"the caryw")? + costly.count(b"the car")?, 2);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct Overhang {
    /// Cost of a symbol beyond the record, in thousandths of an error; `None` for limits in
    /// proportion.
    cost: Option<u32>,
    min_overlap: usize,
}

impl Default for Overhang {
    fn default() -> Self {
        Self { cost: None, min_overlap: 3 }
    }
}

impl Overhang {
    /// Returns the rule of limits in proportion, with at least 3 symbols within the record. As in
    /// the [example](Self).
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the rule that each symbol beyond the record costs `cost` errors: q symbols beyond
    /// and e errors are at most k, e + ⌊cost q⌋ ≤ k. The cost is a number from 0 to 1, in
    /// thousandths; 0 is the rule of limits in proportion. As in the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) with [`UsageFault::Range`] for another number.
    pub fn with_cost(cost: f64) -> Result<Self> {
        if !(0.0..=1.0).contains(&cost) {
            return Err(UsageFault::Range
                .error(format!("a symbol beyond the record costs from 0 to 1 errors, not {cost}; 0.5 is common")));
        }
        let thousandths = (cost * f64::from(WHOLE)).round() as u32;
        Ok(Self { cost: (thousandths > 0).then_some(thousandths), ..Self::default() })
    }

    /// Sets the fewest symbols of the pattern within the record, at least 1; 3 by default. As in
    /// the [example](Self).
    pub fn min_overlap(self, symbols: usize) -> Self {
        Self { min_overlap: symbols, ..self }
    }

    /// Returns the fewest symbols within the record.
    pub(super) fn least(&self) -> usize {
        self.min_overlap
    }

    /// Returns the cost of `symbols` symbols beyond the record, rounded down; `None` for limits in
    /// proportion.
    pub(super) fn cost(&self, symbols: usize) -> Option<u64> {
        self.cost.map(|cost| u64::from(cost) * symbols as u64 / u64::from(WHOLE))
    }

    /// Refuses an overlap of no symbol.
    pub(in crate::search) fn check(&self) -> Result<()> {
        match self.min_overlap {
            0 => Err(UsageFault::Range
                .error("at least one symbol of the pattern must be within the record; the least overlap is 1")),
            _ => Ok(()),
        }
    }
}
