//! Results as arrays of NumPy, which is imported when the first array is made.

use pyo3::exceptions::PyMemoryError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use std::ptr::NonNull;
use std::{ptr, slice};

/// A number type of arrays.
pub trait Element: Copy {
    /// Name of the type in NumPy.
    const NAME: &'static str;
    /// The bytes of a number.
    type Bytes: AsRef<[u8]>;
    fn bytes(self) -> Self::Bytes;
}

macro_rules! elements {
    ($($type:ty, $name:literal;)+) => {
        $(impl Element for $type {
            const NAME: &'static str = $name;
            type Bytes = [u8; size_of::<$type>()];
            fn bytes(self) -> Self::Bytes {
                self.to_ne_bytes()
            }
        })+
    };
}

elements! {
    i8, "int8";
    i32, "int32";
    i64, "int64";
}

/// Minimum size of an array that NumPy allocates, in bytes. For a smaller one, asking NumPy for its
/// address takes longer than clearing the memory.
const LARGE: usize = 1 << 20;

/// Zeros in memory that becomes an array, without a copy.
pub struct Room<'py>(Memory<'py>);

enum Memory<'py> {
    Bytes {
        bytes: Bound<'py, PyByteArray>,
        dtype: &'static str,
    },
    /// An array of `len` bytes at `data`. The system provides its pages when they are first
    /// written, to the thread that writes.
    Array {
        array: Bound<'py, PyAny>,
        data: NonNull<u8>,
        len: usize,
    },
}

impl<'py> Room<'py> {
    /// Allocates memory for `len` elements.
    pub fn new<T: Element>(py: Python<'py>, len: usize) -> PyResult<Self> {
        Self::with_dtype(py, len, T::NAME, size_of::<T>())
    }

    /// Allocates memory for `len` elements of a type of NumPy, of `size` bytes each.
    pub fn with_dtype(py: Python<'py>, len: usize, dtype: &'static str, size: usize) -> PyResult<Self> {
        let none = || PyMemoryError::new_err(format!("no memory for an array of {len} numbers"));
        let bytes = len.checked_mul(size).filter(|&bytes| isize::try_from(bytes).is_ok()).ok_or_else(none)?;
        if bytes < LARGE {
            let bytes = PyByteArray::new_with(py, bytes, |_| Ok(()))?;
            return Ok(Self(Memory::Bytes { bytes, dtype }));
        }
        let numpy = py.import(intern!(py, "numpy"))?;
        let array = numpy.call_method1(intern!(py, "zeros"), (len, dtype)).map_err(|error| {
            let is_memory = error.is_instance_of::<PyMemoryError>(py);
            if is_memory { none() } else { error }
        })?;
        let (address, _): (usize, bool) =
            array.getattr(intern!(py, "__array_interface__"))?.get_item(intern!(py, "data"))?.extract()?;
        let data = NonNull::new(ptr::with_exposed_provenance_mut(address)).ok_or_else(none)?;
        advise_huge_pages(data, bytes);
        Ok(Self(Memory::Array { array, data, len: bytes }))
    }

    /// Returns the bytes, to be filled before Python sees them.
    pub fn bytes(&mut self) -> &mut [u8] {
        match &mut self.0 {
            // SAFETY: no other code has the object yet, so it is neither read, written nor resized
            // while this is borrowed.
            Memory::Bytes { bytes, .. } => unsafe { bytes.as_bytes_mut() },
            // SAFETY: NumPy has allocated `len` zeros at this address, and keeps them as long as
            // the array exists. No other code has the array yet.
            Memory::Array { data, len, .. } => unsafe { slice::from_raw_parts_mut(data.as_ptr(), *len) },
        }
    }

    /// Returns the array, with one or more dimensions.
    pub fn array(self, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
        let array = match self.0 {
            Memory::Array { array, .. } => array,
            Memory::Bytes { bytes, dtype } => {
                let py = bytes.py();
                py.import(intern!(py, "numpy"))?.call_method1(intern!(py, "frombuffer"), (bytes, dtype))?
            }
        };
        let reshape = || array.call_method1(intern!(array.py(), "reshape"), (shape.to_vec(),));
        if shape.len() == 1 { Ok(array) } else { reshape() }
    }
}

/// Minimum size of an allocation that asks for large pages, in bytes.
const HUGE: usize = 4 << 20;

/// Asks the system for large pages: it provides them several times faster. NumPy does the same for
/// some arrays.
fn advise_huge_pages(_data: NonNull<u8>, _len: usize) {
    #[cfg(target_os = "linux")]
    if _len >= HUGE {
        use rustix::mm::{Advice, madvise};
        let page = rustix::param::page_size();
        let skipped = _data.align_offset(page).min(_len);
        let len = (_len - skipped) / page * page;
        // SAFETY: the pages are inside the array, and the advice changes no byte. Without large
        // pages the call fails, and the memory keeps small ones.
        let _ = unsafe { madvise(_data.as_ptr().wrapping_add(skipped).cast(), len, Advice::LinuxHugepage) };
    }
}

/// Creates an array of one dimension.
pub fn array<'py, T: Element>(
    py: Python<'py>,
    elements: impl ExactSizeIterator<Item = T>,
) -> PyResult<Bound<'py, PyAny>> {
    let len = elements.len();
    let mut room = Room::new::<T>(py, len)?;
    for (place, element) in room.bytes().chunks_exact_mut(size_of::<T>()).zip(elements) {
        place.copy_from_slice(element.bytes().as_ref());
    }
    room.array(&[len])
}
