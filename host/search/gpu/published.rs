//! The published algorithms: they write bytes, and for hits are run once for each number of errors.

use super::{DeviceAlgorithm, DeviceSearch, Format, gbpr, scan, xbitpar};
use crate::align::infix::End;
use crate::device::{Device, Limits};
use crate::error::{Error, Result};

/// Errors that there are kernels for.
pub(super) const MOST_ERRORS: u32 = 3;

impl DeviceAlgorithm {
    /// Whether it is one of these.
    pub(super) fn is_published(self) -> bool {
        !matches!(self, Self::ShiftOr | Self::WuManber | Self::Packed | Self::Myers)
    }
}

/// Why a published algorithm's options do not work; of the others nothing is said.
pub(super) fn check(algorithm: DeviceAlgorithm, m: u32, k: u32, format: Format, limits: &Limits) -> Result<()> {
    match algorithm {
        DeviceAlgorithm::Scan(options) => scan::check(options, m, k)?,
        DeviceAlgorithm::Gbpr(options) => gbpr::check(options)?,
        DeviceAlgorithm::XBitPar(options) => xbitpar::check(options, m, limits)?,
        _ => return Ok(()),
    }
    if !matches!(format, Format::Bytes | Format::Hits) {
        return Err(Error::Usage(format!(
            "the published algorithms give bytes or hits, not {format:?}; take shift-or or wu-manber"
        )));
    }
    Ok(())
}

/// Puts a search with k errors into the stream.
pub(super) fn launch<D: Device>(search: &DeviceSearch<'_, '_, D>, k: u32, from: u64) -> Result<()> {
    match search.algorithm {
        DeviceAlgorithm::Scan(options) => scan::launch(search, options, k, from),
        DeviceAlgorithm::Gbpr(options) => gbpr::launch(search, options, k, from),
        DeviceAlgorithm::XBitPar(options) => xbitpar::launch(search, options, k, from),
        other => Err(Error::Usage(format!("{other:?} is not a published algorithm"))),
    }
}

/// The ends from a position on, each with its fewest errors: a search for every number of errors.
pub(super) fn hits<D: Device>(search: &DeviceSearch<'_, '_, D>, from: u64) -> Result<Vec<End>> {
    let text = search.text;
    // How many searches found an end: what is found with d errors is found with more.
    let mut found = vec![0u8; (search.n - from) as usize];
    for k in 0..=search.k {
        launch(search, k, from)?;
        let bytes = text.device.download(&text.stream, &search.bytes, search.n as usize)?;
        for (found, byte) in found.iter_mut().zip(&bytes[from as usize..]) {
            *found += byte;
        }
    }
    let ends = found.into_iter().enumerate().filter(|&(_, found)| found != 0);
    Ok(ends.map(|(i, found)| End { end: from + i as u64 + 1, errors: search.k + 1 - u32::from(found) }).collect())
}
