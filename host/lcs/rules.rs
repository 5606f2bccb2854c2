//! The rules that divide a comparison between GPU and CPU, and the table into parts.

#[cfg(feature = "published")]
use super::cpu::bit_parallel;
#[cfg(feature = "published")]
use super::gpu::published::{block_step, block_step_look_ahead};
#[cfg(feature = "published")]
use super::problem::Algorithm;
#[cfg(feature = "published")]
use crate::error::{Error, Result};

/// The rules that divide a comparison between GPU and CPU, and the table into parts. As in the
/// [example](super::Comparison::rules).
///
/// | | `Measured` | `Published` |
/// |---|---|---|
/// | the GPU's share | work that it should do faster than the CPU | last columns of m + n ≥ 2,048 |
/// | the CPU's share | bit-vectors; whole tables of up to 2^20 cells | bit-vectors, or see below |
/// | Hirschberg's recursion cuts | the longer string | B, down to a single symbol |
/// | equal ends of a part | are matched without a table | are not searched for |
/// | the two columns of a cut | at the same time | one after the other if there is a GPU |
/// | small parts | run on the CPU while the GPU goes on | take their turn in the recursion |
///
/// By `Published`, the CPU uses dynamic programming if m < 96 or n < 256, else bit-vectors. Without
/// a GPU, the two columns of a cut are computed at the same time.
///
/// m is the number of symbols of A and n that of B in the part at hand.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Rules {
    /// Rules by measured speeds, for every algorithm.
    #[default]
    Measured,
    /// The rules of K. Kawanami and N. Fujimoto (A GPU implementation of a bit-parallel algorithm
    /// for computing the longest common subsequence, 2014, listing 2 and section 3.5) for their
    /// algorithm `block-step`, and for `block-step-look-ahead`. For `bit-parallel` they are the
    /// rules of the CPU program that the authors compare with (section 4.1): the same recursion
    /// without a GPU, with the two columns of a cut and the two parts after it as tasks, and each
    /// column in 64-bit words on one thread. Needs the feature `published`.
    #[cfg(feature = "published")]
    Published,
}

#[cfg(feature = "published")]
impl Rules {
    /// The algorithms that the published rules cover.
    const PUBLISHED: [&str; 3] =
        [block_step::ABOUT.name, block_step_look_ahead::ABOUT.name, bit_parallel::ALGORITHM.about.name];

    /// Refuses an algorithm that the rules do not cover.
    ///
    /// # Errors
    /// [`Error::Unsupported`].
    pub(crate) fn check(self, algorithm: Algorithm) -> Result<()> {
        if self == Self::Measured || Self::PUBLISHED.contains(&algorithm.name()) {
            return Ok(());
        }
        let [first, others @ ..] = Self::PUBLISHED;
        let others = others.join(" and ");
        let reason = format!("does not support the published rules, which exist for {first}, {others}");
        Err(Error::Unsupported { algorithm: algorithm.to_string(), reason })
    }
}
