//! Checks for signals such as Ctrl-C while Python's objects are read one after the other.

use pyo3::prelude::*;

/// Items between two checks for a signal.
pub const SIGNAL_ITEMS: usize = 1 << 16;

/// Checks for signals after every [`SIGNAL_ITEMS`] items; `done` is the number of items done.
pub fn check_signals(py: Python<'_>, done: usize) -> PyResult<()> {
    if done.is_multiple_of(SIGNAL_ITEMS) { py.check_signals() } else { Ok(()) }
}
