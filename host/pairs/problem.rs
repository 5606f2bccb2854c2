//! Many pairs as a problem: its tables of algorithms.

use crate::algorithm::{About, Problem};

/// The problem of computing the distances of many pairs, as in the [example](Algorithm).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ManyPairs;

impl Problem for ManyPairs {
    const WHAT: &'static str = "algorithm for many pairs";
    const CPU: &'static [&'static About] = super::cpu::ABOUTS;
    const DEVICE: &'static [&'static About] = super::gpu::ABOUTS;
}

/// An algorithm for many pairs: `auto`, or an algorithm by its name.
///
/// ```
/// use carrywave::pairs::{Algorithm, Pairs};
///
/// let words = Algorithm::named("words")?;
/// assert_eq!(Pairs::new().algorithm(words).listed(&[("kitten", "sitting")])?, [Some(3)]);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub type Algorithm = crate::algorithm::Algorithm<ManyPairs>;
