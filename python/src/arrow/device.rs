//! Columns in the memory of a GPU through Arrow's C device interface, from cuDF.

use super::abi::{CUDA, OnDevice, Schema, Structure};
use super::read::{Layout, Parts, Type, wrong};
use carrywave::pairs::{ColumnAt, OffsetsAt};
use pyo3::exceptions::PyTypeError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// A column in the memory of a GPU.
pub struct DeviceColumn {
    pub at: ColumnAt,
    /// True for text in UTF-8, false for bytes, and `None` if all items are null.
    pub is_text: Option<bool>,
    pub memory: Kept,
}

/// The memory of a column, which its producer frees when this is dropped.
pub struct Kept(#[expect(dead_code, reason = "it is only dropped")] OnDevice);

// SAFETY: nothing reads the structure any more. By the interface, its producer's function may be
// called from any thread.
unsafe impl Send for Kept {}
// SAFETY: as above.
unsafe impl Sync for Kept {}

/// Returns the column of an object; `None` if it has none, or not in the memory of a GPU: objects
/// of the host may have the interface, too.
pub fn on_device(object: &Bound<'_, PyAny>) -> PyResult<Option<DeviceColumn>> {
    let py = object.py();
    let Some(array) = object.getattr_opt(intern!(py, "__arrow_c_device_array__"))? else { return Ok(None) };
    let capsules = array.call0()?;
    let capsules = capsules.cast::<PyTuple>()?;
    if capsules.len() != 2 {
        return Err(PyTypeError::new_err("__arrow_c_device_array__ returns two capsules: of a schema and of an array"));
    }
    let (schema, array) = (Schema::taken(&capsules.get_item(0)?)?, OnDevice::taken(&capsules.get_item(1)?)?);
    if array.device_type != CUDA {
        return Ok(None);
    }
    let Type { layout, content } = Type::from_schema(&schema)?;
    let parts = Parts::new(py, &array.array)?;
    let address = |buffer: usize, size: usize| -> PyResult<u64> {
        let before = parts.offset.checked_mul(size).ok_or_else(|| wrong("a buffer is larger than memory"))?;
        Ok((parts.buffer(buffer)? as u64).wrapping_add(before as u64))
    };
    let (symbols, offsets) = match layout {
        _ if parts.len == 0 => (0, OffsetsAt::Fixed(0)),
        Layout::Offsets(4) => (parts.buffer(2)? as u64, OffsetsAt::Narrow(address(1, 4)?)),
        Layout::Offsets(_) => (parts.buffer(2)? as u64, OffsetsAt::Wide(address(1, 8)?)),
        Layout::Fixed(len) => (address(1, len)?, OffsetsAt::Fixed(len)),
        Layout::Null | Layout::Views | Layout::Dictionary { .. } => {
            return Err(PyTypeError::new_err(
                "a column on a GPU has a type of Arrow such as string, binary, their large forms or fixed_size_binary: cast it first",
            ));
        }
    };
    let validity = match array.array.null_count {
        0 => None,
        _ if parts.len == 0 => None,
        count => match (parts.buffer(0)? as u64, count) {
            (0, ..=0) => None,
            (0, _) => return Err(wrong("nulls, and no buffer that says where")),
            (bits, _) => Some((bits, parts.offset as u64)),
        },
    };
    let at = ColumnAt { rows: parts.len, symbols, offsets, validity };
    Ok(Some(DeviceColumn { at, is_text: content.is_text(), memory: Kept(array) }))
}
