//! English text: the King James Bible.

use crate::common;
use std::io::Read;

/// Returns the text, or a message if it cannot be read.
pub fn english() -> Result<Vec<u8>, String> {
    let path = common::data_dir().join("kjv.txt.gz");
    let fault = |fault: std::io::Error| format!("{}: {fault}", path.display());
    let mut text = Vec::new();
    flate2::read::MultiGzDecoder::new(std::fs::File::open(&path).map_err(fault)?)
        .read_to_end(&mut text)
        .map_err(fault)?;
    Ok(text)
}
