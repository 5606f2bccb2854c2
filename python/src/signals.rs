//! Signals, as that of Ctrl-C, while Python's objects are read one after the other.

use pyo3::prelude::*;

/// Items between two looks for a signal.
pub const SIGNALS: usize = 1 << 16;

/// Looks for signals once in [`SIGNALS`] items, of which `done` are done.
pub fn look(py: Python<'_>, done: usize) -> PyResult<()> {
    if done.is_multiple_of(SIGNALS) { py.check_signals() } else { Ok(()) }
}
