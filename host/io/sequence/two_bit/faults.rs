//! Errors of two-bit files.

use crate::Error;
use crate::error::InputFault;
use crate::io::sequence::source::Source;

/// Returns the error of a file that ends early.
pub(super) fn cut_short(source: &Source) -> Error {
    source.wrong(InputFault::CutShort, "the two-bit file ends early; fetch it again")
}

/// Returns the error of a damaged file.
pub(super) fn damaged(source: &Source, what: &str) -> Error {
    source.wrong(InputFault::Damaged, format!("the two-bit file is damaged ({what}); fetch it again"))
}
