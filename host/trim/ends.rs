//! Ends that an alignment may leave out.

/// Position of an adapter in a read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Place {
    /// 3' adapter: anywhere, or its start at the end of the read.
    Back,
    /// 3' adapter that reaches the end of the read, whole or in part: `ADAPTERX`.
    BackEnd,
    /// 3' adapter that is a suffix of the read: `ADAPTER$`.
    Suffix,
    /// 5' adapter: anywhere, or its end at the start of the read.
    Front,
    /// 5' adapter that reaches the start of the read, whole or in part: `XADAPTER`.
    FrontStart,
    /// 5' adapter that is a prefix of the read: `^ADAPTER`.
    Prefix,
    /// 5' adapter if the match has the read's first symbol, otherwise 3' adapter.
    Either,
}

impl Place {
    /// Returns true if the whole adapter must match.
    pub fn is_anchored(self) -> bool {
        matches!(self, Self::Prefix | Self::Suffix)
    }

    /// Returns true if what is before the match is removed, for every match.
    pub fn is_front(self) -> bool {
        matches!(self, Self::Front | Self::FrontStart | Self::Prefix)
    }

    /// Returns the ends that an alignment may leave out.
    pub fn free_ends(self) -> FreeEnds {
        FreeEnds {
            adapter_start: matches!(self, Self::Front | Self::FrontStart | Self::Either),
            read_start: matches!(self, Self::Back | Self::BackEnd | Self::Suffix | Self::Front | Self::Either),
            adapter_end: matches!(self, Self::Back | Self::BackEnd | Self::Either),
            read_end: matches!(self, Self::Back | Self::Front | Self::FrontStart | Self::Prefix | Self::Either),
        }
    }
}

/// Ends that an alignment may leave out at no cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct FreeEnds {
    pub adapter_start: bool,
    pub read_start: bool,
    pub adapter_end: bool,
    pub read_end: bool,
}

impl FreeEnds {
    /// All four.
    pub const ALL: Self = Self { adapter_start: true, read_start: true, adapter_end: true, read_end: true };

    /// Returns the free ends of the reversed strings.
    pub fn reversed(self) -> Self {
        Self {
            adapter_start: self.adapter_end,
            read_start: self.read_end,
            adapter_end: self.adapter_start,
            read_end: self.read_start,
        }
    }
}
