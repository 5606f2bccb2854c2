//! Conditions for a match of an adapter.

/// Conditions for a match of an adapter.
///
/// ```
/// use carrywave::trim::{Adapter, AdapterEnd, AdapterSettings};
///
/// let exact = AdapterSettings { errors: 0.0, overlap: 5, ..AdapterSettings::default() };
/// let adapter = Adapter::parse("GATTACA", AdapterEnd::ThreePrime, &exact)?;
/// assert!(adapter.back().unwrap().find(b"TTTTGATT").is_none());
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AdapterSettings {
    /// Errors allowed: below 1, per aligned symbol of the adapter; from 1 on, in the whole adapter.
    /// Default 0.1.
    pub errors: f64,
    /// Fewest symbols of the adapter that an alignment has. Default 3.
    pub overlap: usize,
    /// True if insertions and deletions are allowed. The default.
    pub indels: bool,
    /// True if IUPAC codes of the adapter match all their bases. The default.
    pub adapter_codes: bool,
    /// True if IUPAC codes of reads match all their bases.
    pub read_codes: bool,
}

impl Default for AdapterSettings {
    fn default() -> Self {
        Self { errors: 0.1, overlap: 3, indels: true, adapter_codes: true, read_codes: false }
    }
}
