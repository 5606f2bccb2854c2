//! The library's errors as exceptions: a wrong argument is a `ValueError`, and so on; all others
//! are an `Error` of this package.

use carrywave::Error;
use carrywave::error::system_words;
use carrywave::io::output::Shortened;
use exceptions::{Error as Failure, NoGpu};
use pyo3::exceptions::{PyMemoryError, PyOSError, PyValueError};
use pyo3::prelude::*;

/// The package's own exceptions. `pickle` finds them by these names in `carrywave`.
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

/// Converts an error to a Python exception.
pub fn raised(error: Error) -> PyErr {
    let error = match error {
        Error::UnknownName { what, name, known } => {
            Error::UnknownName { what, name: Shortened(&name).to_string(), known }
        }
        other => other,
    };
    let text = error.to_string();
    match error {
        // The error number makes Python raise FileNotFoundError and the like.
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
