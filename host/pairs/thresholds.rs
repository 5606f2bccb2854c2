//! The costs of all pairs of two lists on each engine, which choose the engine.

use super::strings::Symbols;
use crate::cost::{Cost, JobCosts, Work};

/// Costs of all pairs of two lists.
pub(crate) const MATRIX_COSTS: JobCosts = JobCosts {
    name: "pairs",
    cpu: Cost { call: 0.0, symbol: 0.0, cell: 1.0 / 250e9 },
    gpu: Cost { call: 1e-3, symbol: 0.0, cell: 1.0 / 100e12 },
};

/// Numbers of strings of the shorter list, and of pairs, that fill a GPU.
const FEWEST: usize = 32;
const PAIRS: usize = 1 << 21;
/// Number of cells beyond the maximum that are computed in each column.
const BESIDE: f64 = 24.0;

/// All pairs of two lists, or half of them if a list is compared with itself.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'m> {
    pub(super) a: &'m [Symbols<'m>],
    pub(super) b: &'m [Symbols<'m>],
    pub(super) is_half: bool,
    pub(super) maximum: Option<u32>,
}

impl Matrix<'_> {
    /// Returns the work; `None` if it is too little for a GPU, or has other strings than those of
    /// up to `longest` bytes, which are all that a GPU takes.
    pub(super) fn for_gpu(&self, longest: usize) -> Option<Work> {
        let Self { a, b, is_half, maximum } = *self;
        if a.len().min(b.len()) < FEWEST || a.len().saturating_mul(b.len()) < PAIRS {
            return None;
        }
        let fits = |string: &Symbols<'_>| matches!(string, Symbols::Bytes(bytes) if bytes.len() <= longest);
        if !(a.iter().all(fits) && b.iter().all(fits)) {
            return None;
        }
        let symbols = |list: &[Symbols<'_>]| list.iter().map(|string| string.len() as f64).sum::<f64>();
        let of_a = symbols(a);
        let of_b = symbols(b);
        let width = maximum.map_or(1.0, |k| ((f64::from(k) + BESIDE) * b.len() as f64 / of_b).min(1.0));
        let cells = of_a * of_b * width / if is_half { 2.0 } else { 1.0 };
        Some(Work { shorter: of_a.min(of_b), longer: of_a.max(of_b), cells })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cost::{Machine, OPENING};

    #[test]
    fn large_matrices_of_bytes_go_to_the_gpu() {
        let string = [0; 1000];
        let list = vec![Symbols::Bytes(&string); 4096];
        let pays = |a: &[Symbols<'_>], b: &[Symbols<'_>], maximum, threads| {
            let work = Matrix { a, b, is_half: false, maximum }.for_gpu(1000);
            work.is_some_and(|work| MATRIX_COSTS.is_faster_on_gpu(work, Machine { threads, opening: OPENING }))
        };
        assert!(pays(&list, &list, None, 16));
        // Few strings, few cells, a narrow band, many threads, and symbols other than bytes.
        assert!(!pays(&list[..31], &list, None, 16));
        assert!(!pays(&list[..1024], &list[..1024], None, 16));
        assert!(!pays(&list, &list, Some(3), 16));
        assert!(!pays(&list, &list, None, 400));
        let numbers = [0; 1000];
        let mut mixed = list.clone();
        mixed[7] = Symbols::Numbers(&numbers);
        assert!(!pays(&mixed, &list, None, 16));
    }
}
