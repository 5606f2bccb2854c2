//! The library's errors as exceptions: what is wrong with an argument is a `ValueError`, and so on; the rest is an `Error` of our own.

use carrywave::Error;
use carrywave::error::system_words;
use carrywave::io::output::Shortened;
use exceptions::{Error as Failure, NoGpu};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;

/// The package's own exceptions. `pickle` looks for them by these names in `carrywave`.
pub mod exceptions {
    use pyo3::exceptions::PyException;

    pyo3::create_exception!(
        carrywave,
        Error,
        PyException,
        "What the package cannot do: a GPU failed, the simulator found a fault in a kernel."
    );
    pyo3::create_exception!(carrywave, NoGpu, Error, "There is no NVIDIA GPU that can be used here.");
}

/// An error as Python raises it.
pub fn raised(error: Error) -> PyErr {
    let error = match error {
        Error::UnknownName { what, name, known } => {
            Error::UnknownName { what, name: Shortened(&name).to_string(), known }
        }
        other => other,
    };
    let text = error.to_string();
    match error {
        // With its number Python makes a FileNotFoundError of it, and so on.
        Error::Io { path, source } if source.raw_os_error().is_some() => {
            PyOSError::new_err((source.raw_os_error(), system_words(&source), path.display().to_string()))
        }
        Error::Io { .. } | Error::Input { .. } => PyOSError::new_err(text),
        Error::Usage { .. } | Error::Pattern { .. } | Error::UnknownName { .. } | Error::Unsupported { .. } => {
            PyValueError::new_err(text)
        }
        Error::Memory { .. } => PyMemoryError::new_err(text),
        Error::NoGpu(_) => NoGpu::new_err(text),
        _ => Failure::new_err(text),
    }
}
