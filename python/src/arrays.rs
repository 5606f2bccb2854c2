//! Results as arrays of NumPy, which is imported when the first array is made.

use pyo3::exceptions::PyMemoryError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;

/// A number that an array is of.
pub trait Element: Copy {
    /// Its name in NumPy.
    const NAME: &'static str;
    /// Its bytes.
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

/// Least size, in bytes, of an allocation that is tried before Python makes it.
const LARGE: usize = 1 << 20;

/// Bytes that become an array, without a copy.
pub struct Room<'py>(Bound<'py, PyByteArray>);

impl<'py> Room<'py> {
    /// Room for so many elements.
    pub fn new<T: Element>(py: Python<'py>, len: usize) -> PyResult<Self> {
        Self::with_size(py, len, size_of::<T>())
    }

    /// Room for `len` elements of `size` bytes each.
    pub fn with_size(py: Python<'py>, len: usize, size: usize) -> PyResult<Self> {
        let bytes = len
            .checked_mul(size)
            .ok_or_else(|| PyMemoryError::new_err(format!("no memory for an array of {len} numbers")))?;
        // Python frees a bytearray that it could not allocate as if it had been made, and prints that this is an error.
        let none = || PyMemoryError::new_err(format!("no memory for an array of {len} numbers: {bytes} bytes"));
        if isize::try_from(bytes).is_err() || bytes >= LARGE && Vec::<u8>::new().try_reserve_exact(bytes + 64).is_err()
        {
            return Err(none());
        }
        Ok(Self(PyByteArray::new_with(py, bytes, |_| Ok(())).map_err(|_| none())?))
    }

    /// The bytes, for one who fills them before Python sees them.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: nobody else has the object yet, so that it is neither read, written nor resized while this is borrowed.
        unsafe { self.0.as_bytes_mut() }
    }

    /// The array, of one dimension or more.
    pub fn array<T: Element>(self, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
        self.named(T::NAME, shape)
    }

    /// The array, of a type of NumPy by its name.
    pub fn named(self, dtype: &str, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
        let py = self.0.py();
        let numpy = py.import(intern!(py, "numpy"))?;
        let array = numpy.call_method1(intern!(py, "frombuffer"), (self.0, dtype))?;
        if shape.len() == 1 { Ok(array) } else { array.call_method1(intern!(py, "reshape"), (shape.to_vec(),)) }
    }
}

/// An array of one dimension.
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
