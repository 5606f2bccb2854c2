//! Decides whether all pairs of two lists are faster on a GPU that has to be opened first.

use super::strings::Symbols;

/// Speed in cells per second: of an H200, and of a thread of a processor with AVX-512.
const GPU_CELLS: f64 = 100e12;
const THREAD_CELLS: f64 = 0.25e12;
/// Seconds to open a GPU.
const OPENING: f64 = 0.3;
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
    /// Returns true if a GPU, which has to be opened first, should be faster than `threads`
    /// threads. It takes byte strings of up to `longest` symbols.
    pub(super) fn is_faster_on_gpu(&self, threads: usize, longest: usize) -> bool {
        let Self { a, b, is_half, maximum } = *self;
        if a.len().min(b.len()) < FEWEST || a.len().saturating_mul(b.len()) < PAIRS {
            return false;
        }
        let symbols = |list: &[Symbols<'_>]| list.iter().map(|string| string.len() as f64).sum::<f64>();
        let of_a = symbols(a);
        let of_b = symbols(b);
        let width = maximum.map_or(1.0, |k| ((f64::from(k) + BESIDE) * b.len() as f64 / of_b).min(1.0));
        let cells = of_a * of_b * width / if is_half { 2.0 } else { 1.0 };
        if cells / (THREAD_CELLS * threads as f64) <= OPENING + cells / GPU_CELLS {
            return false;
        }
        let fits = |string: &Symbols<'_>| matches!(string, Symbols::Bytes(bytes) if bytes.len() <= longest);
        a.iter().all(fits) && b.iter().all(fits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_matrices_of_bytes_go_to_the_gpu() {
        let string = [0; 1000];
        let list = vec![Symbols::Bytes(&string); 4096];
        let pays = |a: &[Symbols<'_>], b: &[Symbols<'_>], maximum, threads| {
            Matrix { a, b, is_half: false, maximum }.is_faster_on_gpu(threads, 1000)
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
