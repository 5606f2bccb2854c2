//! The structures of Arrow's C interfaces for data, devices and streams, as their specifications
//! define them.
//!
//! The crate `arrow-array` has them too, but does not check imported data: it trusts lengths,
//! offsets and views, and a wrong one makes it read outside of the buffers. So this package reads
//! the structures itself.

use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::null_mut;

/// `struct ArrowSchema`: the type of an array.
#[repr(C)]
pub struct Schema {
    pub format: *const c_char,
    name: *const c_char,
    metadata: *const c_char,
    flags: i64,
    n_children: i64,
    children: *mut *mut Schema,
    pub dictionary: *mut Schema,
    release: Option<unsafe extern "C" fn(*mut Schema)>,
    private_data: *mut c_void,
}

/// `struct ArrowArray`: the buffers of an array.
#[repr(C)]
pub struct Array {
    pub length: i64,
    pub null_count: i64,
    pub offset: i64,
    pub n_buffers: i64,
    n_children: i64,
    pub buffers: *mut *const u8,
    children: *mut *mut Array,
    pub dictionary: *mut Array,
    release: Option<unsafe extern "C" fn(*mut Array)>,
    private_data: *mut c_void,
}

/// `struct ArrowDeviceArray`: an array whose buffers are in the memory of a device.
#[repr(C)]
pub struct OnDevice {
    pub array: Array,
    device_id: i64,
    pub device_type: i32,
    /// The event that the producer records when it has filled the buffers. Not used: this package
    /// waits for all work of the GPU.
    sync_event: *mut c_void,
    reserved: [i64; 3],
}

/// `ARROW_DEVICE_CUDA`: the memory of a GPU.
pub const CUDA: i32 = 2;

/// `struct ArrowArrayStream`: arrays of one type, in order.
#[repr(C)]
pub struct Stream {
    get_schema: Option<unsafe extern "C" fn(*mut Stream, *mut Schema) -> c_int>,
    get_next: Option<unsafe extern "C" fn(*mut Stream, *mut Array) -> c_int>,
    get_last_error: Option<unsafe extern "C" fn(*mut Stream) -> *const c_char>,
    release: Option<unsafe extern "C" fn(*mut Stream)>,
    private_data: *mut c_void,
}

/// A structure that can be taken out of a capsule, and is released when dropped.
pub trait Structure: Sized {
    /// Name of its capsule.
    const NAME: &'static CStr;
    /// Returns a released structure.
    fn released() -> Self;
    fn is_released(&self) -> bool;

    /// Takes the structure out of a capsule and marks it as released there, so that it is released
    /// only once.
    fn taken(capsule: &Bound<'_, PyAny>) -> PyResult<Self> {
        let of_name = capsule.cast::<PyCapsule>().ok().and_then(|it| it.pointer_checked(Some(Self::NAME)).ok());
        let Some(place) = of_name.map(|place| place.cast::<Self>()).filter(|place| place.is_aligned()) else {
            let name = Self::NAME.to_string_lossy();
            return Err(PyTypeError::new_err(format!("Arrow's interface returns a capsule named {name}, not this")));
        };
        // SAFETY: by the interface, a capsule of this name has this structure, and a consumer that
        // takes it may write it.
        let taken = unsafe { place.replace(Self::released()) };
        if taken.is_released() {
            return Err(PyValueError::new_err("this Arrow data was released: somebody took it before"));
        }
        Ok(taken)
    }
}

macro_rules! structures {
    ($($structure:ident, $name:literal, {$($field:ident: $empty:expr),+};)+) => {
        $(impl Structure for $structure {
            const NAME: &'static CStr = $name;

            fn released() -> Self {
                Self { $($field: $empty,)+ release: None, private_data: null_mut() }
            }

            fn is_released(&self) -> bool {
                self.release.is_none()
            }
        }

        impl Drop for $structure {
            fn drop(&mut self) {
                if let Some(release) = self.release {
                    // SAFETY: the producer's own function, called once, with the structure that it
                    // belongs to.
                    unsafe { release(self) };
                }
            }
        })+
    };
}

structures! {
    Schema, c"arrow_schema", {
        format: null_mut(), name: null_mut(), metadata: null_mut(), flags: 0, n_children: 0, children: null_mut(), dictionary: null_mut()
    };
    Array, c"arrow_array", {
        length: 0, null_count: 0, offset: 0, n_buffers: 0, n_children: 0, buffers: null_mut(), children: null_mut(), dictionary: null_mut()
    };
    Stream, c"arrow_array_stream", { get_schema: None, get_next: None, get_last_error: None };
}

impl Structure for OnDevice {
    const NAME: &'static CStr = c"arrow_device_array";

    fn released() -> Self {
        let array = Array::released();
        Self { array, device_id: 0, device_type: 0, sync_event: null_mut(), reserved: [0; 3] }
    }

    fn is_released(&self) -> bool {
        self.array.is_released()
    }
}

impl Stream {
    /// Returns the type of all arrays.
    pub fn schema(&mut self) -> PyResult<Schema> {
        let get = self.get_schema.ok_or_else(|| PyValueError::new_err("an Arrow stream without a schema"))?;
        let mut schema = Schema::released();
        // SAFETY: the producer's function, with its own stream and memory for a schema.
        match unsafe { get(self, &mut schema) } {
            0 if schema.is_released() => Err(PyValueError::new_err("an Arrow stream without a schema")),
            0 => Ok(schema),
            code => Err(self.failed(code)),
        }
    }

    /// Returns the next array; `None` at the end.
    pub fn next(&mut self) -> PyResult<Option<Array>> {
        let get = self.get_next.ok_or_else(|| PyValueError::new_err("an Arrow stream without arrays"))?;
        let mut array = Array::released();
        // SAFETY: the producer's function, with its own stream and memory for an array.
        match unsafe { get(self, &mut array) } {
            0 => Ok(Some(array).filter(|array| !array.is_released())),
            code => Err(self.failed(code)),
        }
    }

    fn failed(&mut self, code: c_int) -> PyErr {
        // SAFETY: the producer's function, called after a function that failed.
        let text = self.get_last_error.map_or(null_mut::<c_char>().cast_const(), |get| unsafe { get(self) });
        let reason = if text.is_null() {
            format!("error {code}")
        } else {
            // SAFETY: by the interface, the text ends in 0 and is valid until the next call.
            unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned()
        };
        PyValueError::new_err(format!("an Arrow stream failed: {reason}"))
    }
}
