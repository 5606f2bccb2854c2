//! Matching two texts as a problem with its algorithms.

use super::cpu;
use crate::algorithm::{self, About, Problem};
use crate::lcs::Items;

/// The problem of finding the units that two texts have in common. As in the [example](Algorithm).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Matches;

/// The algorithms of `lcs`, which find an LCS, followed by algorithms with rules of their own.
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

/// An algorithm that finds the matches of two texts: `auto`, or an algorithm by its name.
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
