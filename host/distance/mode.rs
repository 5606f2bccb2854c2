//! Which part of B an alignment takes, and where that part is.

use crate::alignment::script::EditScript;
use std::ops::Range;

/// Which part of string B, the text, string A, the pattern, is aligned with.
///
/// ```text
///           Global          Prefix           Infix
///   A          ACGT         ACGT                ACGT
///   B       TTACCTGG        ACCTGG           TTACCTGG
///           ^^^^^^^^        ^^^^               ^^^^
/// ```
///
/// As in the [example](super::Comparison::distance).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Mode {
    /// All of it: the edit distance of both strings.
    #[default]
    #[doc(alias = "NW")]
    Global,
    /// Any prefix, the empty one included: what comes after it in B costs nothing.
    #[doc(alias = "SHW")]
    Prefix,
    /// Any part, an empty one included: what comes before it and after it in B costs nothing (Sellers 1980).
    #[doc(alias = "HW")]
    Infix,
}

impl Mode {
    /// Every mode, by its name on the command line.
    pub const NAMES: [(&str, Mode); 3] = [("global", Mode::Global), ("prefix", Mode::Prefix), ("infix", Mode::Infix)];
}

named! {
    Mode, "mode";
}

/// Where in B the parts are that are nearest to A, as in the [example](super::Comparison::places).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Places {
    /// The edit distance of A and each of these parts.
    pub distance: u64,
    /// Positions of B, half-open: the parts in the order of their ends, for each end at which there is one the longest.
    pub places: Vec<Range<u64>>,
}

/// Where in B the parts end that are nearest to A, as in the [example](super::Comparison::ends).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Ends {
    /// The edit distance of A and each of these parts.
    pub distance: u64,
    /// Positions of B after the last symbols of the parts, ascending.
    pub ends: Vec<u64>,
}

/// A script that makes a part of B of A, as in the [example](super::Comparison::script_with_place).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct PlacedScript {
    /// The script, whose positions of B are relative to the part's start.
    pub script: EditScript,
    /// The part of B, half-open.
    pub place: Range<u64>,
}
