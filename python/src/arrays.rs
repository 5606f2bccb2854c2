//! Results as arrays of NumPy, which is imported when the first array is made.

use carrywave::internal::threads;
use pyo3::exceptions::PyMemoryError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyByteArray;
use rayon::prelude::*;
use std::mem::MaybeUninit;
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

/// Minimum size of an allocation that is tried before Python makes it, in bytes.
const LARGE: usize = 1 << 20;

/// Memory that becomes an array, without a copy.
pub struct Room<'py>(Bound<'py, PyByteArray>);

impl<'py> Room<'py> {
    /// Allocates memory for `len` elements.
    pub fn new<T: Element>(py: Python<'py>, len: usize) -> PyResult<Self> {
        Self::with_size(py, len, size_of::<T>())
    }

    /// Allocates zeros: `len` elements of `size` bytes each.
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
        // SAFETY: without a source, Python leaves the bytes as they are; they are set below.
        let array = unsafe {
            let array = pyo3::ffi::PyByteArray_FromStringAndSize(ptr::null(), bytes.cast_signed());
            Bound::from_owned_ptr_or_err(py, array).map_err(|_| none())?.cast_into_unchecked::<PyByteArray>()
        };
        // SAFETY: no other code has the object yet, and `MaybeUninit` allows any bytes.
        let set = unsafe { slice::from_raw_parts_mut(array.data().cast::<MaybeUninit<u8>>(), bytes) };
        advise_huge_pages(set);
        // Most of the time is the system's, which provides the pages. Other threads of Python run
        // meanwhile, since the threads of the pool may be busy.
        let zero = |part: &mut [MaybeUninit<u8>]| part.fill(MaybeUninit::new(0));
        if bytes < LARGE {
            zero(set)
        } else {
            py.detach(|| threads::run(|| set.par_chunks_mut(LARGE).for_each(zero)));
        }
        Ok(Self(array))
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

/// Minimum size of an allocation that asks for large pages, in bytes.
const HUGE: usize = 4 << 20;

/// Asks the system for large pages: it provides them several times faster. NumPy does the same.
fn advise_huge_pages(_memory: &mut [MaybeUninit<u8>]) {
    #[cfg(target_os = "linux")]
    if _memory.len() >= HUGE {
        use rustix::mm::{Advice, madvise};
        let page = rustix::param::page_size();
        let skipped = _memory.as_ptr().align_offset(page).min(_memory.len());
        let whole = &mut _memory[skipped..];
        let len = whole.len() / page * page;
        // SAFETY: the pages are inside the memory, and the advice changes no byte. Without large
        // pages the call fails, and the memory keeps small ones.
        let _ = unsafe { madvise(whole.as_mut_ptr().cast(), len, Advice::LinuxHugepage) };
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
