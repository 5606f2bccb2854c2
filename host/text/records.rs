//! The records of a text: the parts of it that are searched or compared each on its own.

use crate::error::{Result, UsageFault};
use std::ops::Range;

/// Makes sure that records are in the text, in order, and that none overlaps another.
pub(crate) fn check(records: &[Range<usize>], length: usize) -> Result<()> {
    let mut last = 0;
    for (number, record) in records.iter().enumerate() {
        if record.start < last || record.end < record.start || record.end > length {
            return Err(UsageFault::Position.error(format!(
                "record {number} is {record:?}: records are in order, apart, and within the {length} symbols"
            )));
        }
        last = record.end;
    }
    Ok(())
}
