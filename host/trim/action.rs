//! Actions for a match.

/// Action for a matched adapter. See the [example](Self::NAMES).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Action {
    /// Removes the adapter, and what is before a 5' adapter or behind a 3' adapter. The default.
    #[default]
    Trim,
    /// Like `Trim`, but keeps the adapter.
    Retain,
    /// Replaces what `Trim` removes by N.
    Mask,
    /// Writes what `Trim` removes in lower case, and the rest in upper case.
    Lowercase,
    /// Keeps the adapter alone.
    Crop,
    /// Leaves the read as it is.
    Nothing,
}

impl Action {
    /// The actions by their names.
    ///
    /// ```
    /// use carrywave::trim::Action;
    ///
    /// assert_eq!("mask".parse::<Action>()?, Action::Mask);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub const NAMES: [(&'static str, Self); 6] = [
        ("trim", Self::Trim),
        ("retain", Self::Retain),
        ("mask", Self::Mask),
        ("lowercase", Self::Lowercase),
        ("crop", Self::Crop),
        ("none", Self::Nothing),
    ];
}

named! {
    Action, "action";
}
