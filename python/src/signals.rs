//! Checks for signals such as Ctrl-C while Python's objects are read one after the other.

use pyo3::prelude::*;

/// Items between two checks for a signal.
pub const SIGNALS: usize = 1 << 16;

/// Checks for signals after every [`SIGNALS`] items; `done` is the number of items done.
pub fn look(py: Python<'_>, done: usize) -> PyResult<()> {
    if done.is_multiple_of(SIGNALS) { py.check_signals() } else { Ok(()) }
}
