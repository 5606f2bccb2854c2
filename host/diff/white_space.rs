//! Which white space of a line a comparison ignores.

/// Which white space of a line is ignored, as by the options of GNU diff. The first ones ignore less. As in the [example](super::Comparison).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub enum WhiteSpace {
    /// None.
    #[default]
    Kept,
    /// That at the line's end (`-Z`), the line feed included.
    AtLineEnd,
    /// That at the line's end, and elsewhere how much of it there is (`-b`).
    Amount,
    /// All (`-w`).
    All,
}
