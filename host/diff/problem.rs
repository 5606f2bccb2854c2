//! The matches of two texts as a problem: its algorithms.

use super::cpu;
use crate::algorithm::{self, About, Problem};
use crate::lcs::Items;

/// The problem whose algorithms find what two texts have in common. As in the [example](Algorithm).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Matches;

/// Those of `lcs`, which find an LCS, and then some that choose by rules of their own.
const ON_CPU: [&About; Items::CPU.len() + cpu::ABOUTS.len()] = {
    let mut all = [Items::CPU[0]; Items::CPU.len() + cpu::ABOUTS.len()];
    let mut at = 0;
    while at < all.len() {
        all[at] = if at < Items::CPU.len() { Items::CPU[at] } else { cpu::ABOUTS[at - Items::CPU.len()] };
        at += 1;
    }
    all
};

impl Problem for Matches {
    const WHAT: &'static str = "diff algorithm";
    const CPU: &'static [&'static About] = &ON_CPU;
    const DEVICE: &'static [&'static About] = Items::DEVICE;
}

/// How the matches of two texts are found: `auto`, or the name of an algorithm.
///
/// ```
/// use carrywave::diff::{Algorithm, Comparison};
///
/// let patience = Algorithm::named("patience")?;
/// let diff = Comparison::new().algorithm(patience).compare(b"one\ntwo\n", b"two\nthree\n")?;
/// assert_eq!(diff.changes().len(), 2);
/// # Ok::<(), carrywave::Error>(())
/// ```
pub type Algorithm = algorithm::Algorithm<Matches>;
