//! DLPack: arrays of any library, as a structure of C.
//!
//! The structures are those of DLPack's specification, before its version 1.0, which all libraries
//! still read and write unless a consumer asks for a newer one.

use super::rows::Rows;
use pyo3::exceptions::{PyBufferError, PyTypeError};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict};
use std::ffi::{CStr, c_void};
use std::ptr::{self, null_mut};

/// `kDLCUDA`: the memory of a GPU.
pub const CUDA: i32 = 2;
/// `kDLInt` and `kDLUInt`: types of numbers.
const INT: u8 = 0;
const UINT: u8 = 1;

const NAME: &CStr = c"dltensor";
const USED: &CStr = c"used_dltensor";

/// `struct DLTensor`, with its parts in place.
#[repr(C)]
struct Tensor {
    data: *mut c_void,
    device_type: i32,
    device_id: i32,
    ndim: i32,
    code: u8,
    bits: u8,
    lanes: u16,
    shape: *mut i64,
    strides: *mut i64,
    byte_offset: u64,
}

/// `struct DLManagedTensor`.
#[repr(C)]
struct Managed {
    tensor: Tensor,
    context: *mut c_void,
    deleter: Option<unsafe extern "C" fn(*mut Managed)>,
}

/// An array that this package has taken from its capsule. Its producer frees it when dropped.
pub struct Taken(*mut Managed);

// SAFETY: DLPack's deleter may be called from any thread, and nothing else uses the pointer.
unsafe impl Send for Taken {}
// SAFETY: as above.
unsafe impl Sync for Taken {}

impl Drop for Taken {
    fn drop(&mut self) {
        // SAFETY: the structure is this package's until the deleter is called, once.
        unsafe {
            if let Some(deleter) = (*self.0).deleter {
                deleter(self.0);
            }
        }
    }
}

/// Returns true for an array in the memory of a GPU.
fn is_on_gpu(object: &Bound<'_, PyAny>) -> PyResult<bool> {
    let Some(device) = object.getattr_opt(intern!(object.py(), "__dlpack_device__"))? else { return Ok(false) };
    // An array that has no DLPack, such as one of strings, raises an exception.
    let Ok(device) = device.call0() else { return Ok(false) };
    let (kind, _): (i32, i32) = device.extract()?;
    Ok(kind == CUDA)
}

/// Returns the strings of an array of bytes in the memory of a GPU, one per row, and the array;
/// `None` if the object has none.
pub fn rows(object: &Bound<'_, PyAny>) -> PyResult<Option<(Rows, Taken)>> {
    let py = object.py();
    if !is_on_gpu(object)? {
        return Ok(None);
    }
    // Minus one: the producer need not wait for its work. This package waits for all work of the
    // GPU.
    let options = PyDict::new(py);
    options.set_item("stream", -1)?;
    let capsule = object.call_method(intern!(py, "__dlpack__"), (), Some(&options))?;
    let wrong = || PyTypeError::new_err("__dlpack__ returns a capsule named dltensor");
    let pointer = capsule.cast::<PyCapsule>().ok().and_then(|it| it.pointer_checked(Some(NAME)).ok());
    let managed = pointer.ok_or_else(wrong)?.cast::<Managed>();
    // SAFETY: a capsule of this name has this structure. The new name, which lives as long as the
    // program, says that it was taken, so that its producer does not free it.
    let renamed = unsafe { ffi::PyCapsule_SetName(capsule.as_ptr(), USED.as_ptr()) };
    if renamed != 0 {
        return Err(PyErr::fetch(py));
    }
    let taken = Taken(managed.as_ptr());
    // SAFETY: the structure is valid until the deleter is called.
    let tensor = unsafe { &(*taken.0).tensor };
    if (tensor.code, tensor.bits, tensor.lanes) != (UINT, 8, 1) {
        return Err(PyTypeError::new_err("strings on a GPU are an array of uint8 with a row for each string"));
    }
    let dimensions = usize::try_from(tensor.ndim).unwrap_or(0);
    let numbers = |start: *const i64| {
        // SAFETY: by the specification, both arrays have a number for each dimension.
        (!start.is_null()).then(|| (0..dimensions).map(|at| unsafe { start.add(at).read() }).collect::<Vec<i64>>())
    };
    let shape: Option<Vec<usize>> =
        numbers(tensor.shape).unwrap_or_default().into_iter().map(|size| usize::try_from(size).ok()).collect();
    let shape = shape.ok_or_else(|| PyBufferError::new_err("an array of DLPack with a size below 0"))?;
    let address = (tensor.data as u64).wrapping_add(tensor.byte_offset);
    Ok(Some((Rows::new(address, &shape, numbers(tensor.strides).as_deref())?, taken)))
}

/// The memory behind an array that another library has: `owner` keeps it.
struct Exported {
    managed: Managed,
    shape: [i64; 1],
    _owner: Py<PyAny>,
}

/// Frees an array that another library no longer uses.
unsafe extern "C" fn free(managed: *mut Managed) {
    // SAFETY: `capsule` made the context, and DLPack's consumer calls this once.
    let exported = unsafe { Box::from_raw((*managed).context.cast::<Exported>()) };
    // The owner is an object of Python.
    Python::attach(|_| drop(exported));
}

/// Frees the array of a capsule that nobody has taken.
unsafe extern "C" fn free_capsule(capsule: *mut ffi::PyObject) {
    // SAFETY: Python calls this with the capsule that it frees.
    unsafe {
        if ffi::PyCapsule_IsValid(capsule, NAME.as_ptr()) == 1 {
            free(ffi::PyCapsule_GetPointer(capsule, NAME.as_ptr()).cast());
        }
    }
}

/// Returns a capsule with an array of `len` numbers of `int32` in the memory of a GPU, which
/// `owner` keeps.
pub fn capsule(py: Python<'_>, address: u64, len: usize, device: i32, owner: Py<PyAny>) -> PyResult<Py<PyAny>> {
    let tensor = Tensor {
        data: ptr::without_provenance_mut(address as usize),
        device_type: CUDA,
        device_id: device,
        ndim: 1,
        code: INT,
        bits: 32,
        lanes: 1,
        shape: null_mut(),
        strides: null_mut(),
        byte_offset: 0,
    };
    let managed = Managed { tensor, context: null_mut(), deleter: Some(free) };
    let exported = Box::into_raw(Box::new(Exported { managed, shape: [len as i64], _owner: owner }));
    // SAFETY: the box is valid; its parts stay where they are until `free` takes it back.
    unsafe {
        (*exported).managed.context = exported.cast();
        (*exported).managed.tensor.shape = (&raw mut (*exported).shape).cast();
        let managed = &raw mut (*exported).managed;
        let capsule = ffi::PyCapsule_New(managed.cast(), NAME.as_ptr(), Some(free_capsule));
        if capsule.is_null() {
            drop(Box::from_raw(exported));
        }
        Bound::from_owned_ptr_or_err(py, capsule).map(Bound::unbind)
    }
}
