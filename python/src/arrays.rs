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

/// Bytes that become an array, without a copy.
pub struct Room<'py>(Bound<'py, PyByteArray>);

impl<'py> Room<'py> {
    /// Room for so many elements.
    pub fn new<T: Element>(py: Python<'py>, len: usize) -> PyResult<Self> {
        let bytes =
            len.checked_mul(size_of::<T>()).ok_or_else(|| PyMemoryError::new_err("an array of so many elements"))?;
        Ok(Self(PyByteArray::new_with(py, bytes, |_| Ok(()))?))
    }

    /// The bytes, for one who fills them before Python sees them.
    pub fn bytes(&mut self) -> &mut [u8] {
        // SAFETY: nobody else has the object yet, so that it is neither read, written nor resized while this is borrowed.
        unsafe { self.0.as_bytes_mut() }
    }

    /// The array, of one dimension or more.
    pub fn array<T: Element>(self, shape: &[usize]) -> PyResult<Bound<'py, PyAny>> {
        let py = self.0.py();
        let numpy = py.import(intern!(py, "numpy"))?;
        let array = numpy.call_method1(intern!(py, "frombuffer"), (self.0, T::NAME))?;
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
