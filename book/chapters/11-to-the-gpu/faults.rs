//! Chapter 11: two streams without an event between them.

use super::launches::Piece;
use simt_launch::{Device, Result, Simt};

// ANCHOR: no_event
/// [`complement_in_pieces`](super::launches::complement_in_pieces) of one piece, without the event.
pub fn complement_without_event(device: &Simt, text: &[u8]) -> Result<Vec<u8>> {
    let (copies, kernels) = (device.stream()?, device.stream()?);
    let mut piece = Piece::new(device, text)?;
    piece.upload(device, &copies)?;
    // SAFETY: the simulator checks every access.
    unsafe { piece.complement(device, &kernels)? };
    piece.download(device, &kernels)
}
// ANCHOR_END: no_event
