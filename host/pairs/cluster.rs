//! Strings that are near one another.

/// A string of a [`Cluster`]: as in the [example](super::Pairs::clusters).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Member {
    /// Number of the string in the list, 0-based.
    pub number: usize,
    /// Distance to the first string of the cluster; by single linkage it may exceed the bounds of
    /// the job, if a chain links the two.
    pub distance: u32,
}

/// Strings that are near one another. The first represents the cluster; the others are in the order
/// of the list. As in the [example](super::Pairs::clusters).
pub type Cluster = Vec<Member>;
