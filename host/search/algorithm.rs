//! The algorithms of a search by name.

use super::{cpu, gpu};
use crate::algorithm::{About, Problem};

/// The problem of finding the ends of a pattern's occurrences. As in the
/// [example](super::Search::recorder).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Occurrences;

impl Problem for Occurrences {
    const WHAT: &'static str = "search algorithm";
    const CPU: &'static [&'static About] = cpu::ABOUTS;
    const DEVICE: &'static [&'static About] = gpu::ABOUTS;
}

/// The algorithm of a search: `auto`, or an algorithm by its name. All algorithms find the same
/// hits. As in the [example](super::Search::recorder).
pub type Algorithm = crate::algorithm::Algorithm<Occurrences>;
