//! The part of B that an alignment takes, and its position.

use crate::alignment::script::EditScript;
use std::ops::Range;

/// The part of string B, the text, that string A, the pattern, is aligned with.
///
/// ```text
///           Global          Prefix           Suffix           Infix
///   A          ACGT         ACGT               ACGT             ACGT
///   B       TTACCTGG        ACCTGG           TTACCT          TTACCTGG
///           ^^^^^^^^        ^^^^               ^^^^             ^^^^
/// ```
///
/// As in the [example](super::Comparison::distance).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// All of B: the edit distance of both strings.
    #[default]
    #[doc(alias = "NW")]
    Global,
    /// Any prefix, including the empty one: symbols after it in B cost nothing.
    #[doc(alias = "SHW")]
    Prefix,
    /// Any suffix, including the empty one: symbols before it in B cost nothing.
    Suffix,
    /// Any part, including an empty one: symbols before and after it in B cost nothing (Sellers
    /// 1980).
    #[doc(alias = "HW")]
    Infix,
}

impl Mode {
    /// All modes, by their names on the command line.
    pub const NAMES: [(&str, Mode); 4] =
        [("global", Mode::Global), ("prefix", Mode::Prefix), ("suffix", Mode::Suffix), ("infix", Mode::Infix)];
}

named! {
    Mode, "mode";
}

/// The parts of B that are nearest to A, as in the [example](super::Comparison::places).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Places {
    /// The edit distance of A and each of these parts.
    pub distance: u64,
    /// Positions in B, half-open, in the order of their ends; for each end, the longest part. In
    /// suffix mode, where all parts end at the end of B, in the order of their starts.
    pub places: Vec<Range<u64>>,
}

impl Places {
    /// Creates the places from ranges.
    pub(super) fn new(distance: u64, parts: Vec<Range<usize>>) -> Self {
        let places = parts.into_iter().map(|part| part.start as u64..part.end as u64).collect();
        Self { distance, places }
    }
}

/// The ends of the parts of B that are nearest to A, as in the [example](super::Comparison::ends).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ends {
    /// The edit distance of A and each of these parts.
    pub distance: u64,
    /// Positions in B after the last symbols of the parts, ascending. In suffix mode, only the
    /// length of B.
    pub ends: Vec<u64>,
}

/// A script that turns A into a part of B, as in the
/// [example](super::Comparison::script_with_place).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlacedScript {
    /// The script. Its positions in B are relative to the part's start.
    pub script: EditScript,
    /// The part of B, half-open.
    pub place: Range<u64>,
}
