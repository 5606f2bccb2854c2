//! Results as arrays of NumPy, which is imported when the first array is made.

use pyo3::exceptions::PyMemoryError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

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

/// Minimum size of an allocation that is tried before Python makes it, in bytes.
const LARGE: usize = 1 << 20;

/// Memory that becomes an array, without a copy.
pub struct Room<'py>(Bound<'py, PyByteArray>);

impl<'py> Room<'py> {
    /// Allocates memory for `len` elements.
    pub fn new<T: Element>(py: Python<'py>, len: usize) -> PyResult<Self> {
        Self::with_size(py, len, size_of::<T>())
    }

    /// Allocates memory for `len` elements of `size` bytes each.
    pub fn with_size(py: Python<'py>, len: usize, size: usize) -> PyResult<Self> {
        let bytes = len
            .checked_mul(size)
            .ok_or_else(|| PyMemoryError::new_err(format!("no memory for an array of {len} numbers")))?;
        // If Python cannot allocate a bytearray, it frees it as if it existed, and prints that this
        // is an error.
        let none = || PyMemoryError::new_err(format!("no memory for an array of {len} numbers: {bytes} bytes"));
        if isize::try_from(bytes).is_err() || bytes >= LARGE && Vec::<u8>::new().try_reserve_exact(bytes + 64).is_err()
        {
            return Err(none());
        }
        Ok(Self(PyByteArray::new_with(py, bytes, |_| Ok(())).map_err(|_| none())?))
    }

    /// Returns the bytes, to be filled before Python sees them.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: no other code has the object yet, so it is neither read, written nor resized
        // while this is borrowed.
        unsafe { self.0.as_bytes_mut() }
    }

    /// Returns the array, with one or more dimensions.
    pub fn array<T: Element>(self, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
        self.named(T::NAME, shape)
    }

    /// Returns the array, with a type given by its name in NumPy.
    pub fn named(self, dtype: &str, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
        let py = self.0.py();
        let numpy = py.import(intern!(py, "numpy"))?;
        let array = numpy.call_method1(intern!(py, "frombuffer"), (self.0, dtype))?;
        if shape.len() == 1 { Ok(array) } else { array.call_method1(intern!(py, "reshape"), (shape.to_vec(),)) }
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
    room.array::<T>(&[len])
}
