//! The LCS of tokens by the wavefront: the kernels for strings, with codes for each strip, in
//! Hirschberg's recursion.

use super::algorithm::{DeviceAlgorithm, Found};
use crate::algorithm::{About, Limits};
use crate::device::Device;
use crate::lcs::gpu::wavefront::WavefrontLcs;
use crate::lcs::items::cpu::Tokens;
use crate::lcs::items::cpu::bit_parallel::length;
use crate::lcs::items::cpu::columns::TokenColumns;
use crate::lcs::thresholds::LEAF_CELLS;
use crate::pairwise::cuts::Cuts;
use crate::pairwise::hirschberg::Recursion;

/// Description of the algorithm.
pub const ABOUT: About = About::new(
    "wavefront",
    "the wavefront of strings, with codes of the tokens for each strip; on one or more GPUs, small parts on the CPU",
    "this project, on the bit-vectors of Crochemore et al. 2001",
    "about twice the time of bytes",
)
.limited(Limits { devices: usize::MAX, ..Limits::NONE });

/// The algorithm's entry.
pub const fn algorithm<D: Device>() -> DeviceAlgorithm<D> {
    DeviceAlgorithm {
        about: &ABOUT,
        matches: |devices, plan, is_large| {
            let wavefront = WavefrontLcs::of_tokens(devices, plan.a, plan.b, plan.progress)?;
            if plan.only_length {
                return Ok(Found { matches: length(&wavefront, plan)?, timings: wavefront.timings() });
            }
            let recursion = Recursion {
                a: plan.a,
                b: plan.b,
                engine: &wavefront,
                small: &TokenColumns::new([plan.a, plan.b], plan.kinds as usize, plan.progress),
                is_large: &|_, _, level| is_large(level),
                leaf_cells: LEAF_CELLS,
                symbols: Tokens,
            };
            Ok(Found { matches: recursion.solve()?.into(), timings: wavefront.timings() })
        },
    }
}
