//! The algorithms of a search by name.

use super::{cpu, gpu};
use crate::algorithm::{About, Problem};

/// The problem whose algorithms find where occurrences of a pattern end. As in the [example](super::Search::recorder).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Occurrences;

impl Problem for Occurrences {
    const WHAT: &'static str = "search algorithm";
    const CPU: &'static [&'static About] = cpu::ABOUTS;
    const DEVICE: &'static [&'static About] = gpu::ABOUTS;
}

/// How occurrences are found: `auto`, or the name of an algorithm. All algorithms find the same. As in the [example](super::Search::recorder).
pub type Algorithm = crate::algorithm::Algorithm<Occurrences>;
