//! The first bytes of a two-bit file.

/// First four bytes of a file, as a number.
const SIGNATURE: u32 = 0x1A41_2743;

/// Byte order of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in super::super) enum Order {
    Little,
    Big,
}

impl Order {
    /// Returns the byte order that the first bytes of a file show, or `None` unless it is a two-bit
    /// file.
    pub fn detect(head: &[u8]) -> Option<Self> {
        let first = *head.first_chunk()?;
        match (u32::from_le_bytes(first), u32::from_be_bytes(first)) {
            (SIGNATURE, _) => Some(Self::Little),
            (_, SIGNATURE) => Some(Self::Big),
            _ => None,
        }
    }

    /// Returns the number in 4 bytes at an offset, or `None` if they are not all there.
    pub fn u32(self, bytes: &[u8], at: usize) -> Option<u32> {
        let number = *bytes.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Little => u32::from_le_bytes(number),
            Self::Big => u32::from_be_bytes(number),
        })
    }

    /// Returns the number in 8 bytes at an offset, or `None` if they are not all there.
    pub fn u64(self, bytes: &[u8], at: usize) -> Option<u64> {
        let number = *bytes.get(at..)?.first_chunk()?;
        Some(match self {
            Self::Little => u64::from_le_bytes(number),
            Self::Big => u64::from_be_bytes(number),
        })
    }
}

/// Returns true if a file with these first bytes is a two-bit file.
pub(in super::super) fn is_two_bit(head: &[u8]) -> bool {
    Order::detect(head).is_some()
}
