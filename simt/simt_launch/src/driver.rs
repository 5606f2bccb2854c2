//! The driver of NVIDIA GPUs: its presence, its GPUs, and its errors.

use crate::error::{Error, Result};
use crate::process::Process;
use cudarc::driver::{CudaContext, DriverError, result, sys};

/// Makes an error of the driver's reason for failing `call`.
pub(crate) fn failed(call: &str) -> impl FnOnce(DriverError) -> Error {
    let call = call.to_string();
    move |error| {
        let text = error.error_string().ok().map(|s| s.to_string_lossy().into_owned());
        Error::Gpu { call, reason: text.unwrap_or_else(|| format!("{:?}", error.0)) }
    }
}

/// Returns true if the driver's library is installed. Finding a GPU takes longer.
pub fn has_driver() -> bool {
    // SAFETY: opens the driver's library, which any program may do.
    unsafe { sys::is_culib_present() }
}

/// Checks that a driver is installed: without one, calls of cudarc panic.
fn driver() -> Result<()> {
    if has_driver() {
        Process::enter_driver()
    } else {
        Err(Error::NoGpu("the NVIDIA driver (libcuda) is not installed".into()))
    }
}

/// Returns the number of GPUs, at least 1.
///
/// # Errors
/// [`Error::NoGpu`] if there is no driver or no GPU.
pub fn count() -> Result<usize> {
    driver()?;
    match CudaContext::device_count() {
        Ok(n) if n > 0 => Ok(n as usize),
        Ok(_) => Err(Error::NoGpu("the NVIDIA driver finds no GPU".into())),
        Err(e) => Err(Error::NoGpu(failed("cuInit")(e).to_string())),
    }
}

/// Returns a property of a GPU, given by its number; the GPU need not be open. The driver must be
/// initialised.
pub(crate) fn attribute(ordinal: usize, attribute: sys::CUdevice_attribute) -> Result<u32> {
    let device = result::device::get(ordinal as i32).map_err(failed("finding a GPU"))?;
    // SAFETY: a device that the driver knows.
    let value = unsafe { result::device::get_attribute(device, attribute) };
    value.map(|value| value as u32).map_err(failed("asking for an attribute"))
}

/// Returns the numbers of `count` GPUs from `first` on.
pub(crate) fn group(first: usize, count: usize) -> Result<std::ops::Range<usize>> {
    let present = self::count()?;
    if count == 0 {
        return Err(Error::NoGpu("a group has at least one GPU, not 0".into()));
    }
    let ordinals = first..first.saturating_add(count);
    if ordinals.end > present || ordinals.is_empty() {
        let asked = if count == 1 { first.to_string() } else { format!("{first} to {}", ordinals.end - 1) };
        return Err(Error::NoGpu(format!("there is no GPU {asked}: this host has {present}, numbered from 0")));
    }
    Ok(ordinals)
}

/// Checks that bytes at an address are memory of a GPU, all in one allocation.
pub(crate) fn check_memory(ordinal: usize, address: u64, bytes: u64) -> Result<()> {
    use sys::CUpointer_attribute as A;
    let refused = |reason: String| Err(Error::Gpu { call: format!("using the address {address:#x}"), reason });
    let Ok(owner) = pointer_attribute::<i32>(A::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address) else {
        return refused("it is not memory that the driver knows".into());
    };
    let kind = pointer_attribute::<u32>(A::CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address);
    if kind != Ok(sys::CUmemorytype::CU_MEMORYTYPE_DEVICE as u32) {
        return refused("it is not memory of a GPU".into());
    }
    if owner != ordinal as i32 {
        return refused(format!("it is memory of GPU {owner}, not of GPU {ordinal}"));
    }
    let start = pointer_attribute::<u64>(A::CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address);
    let size = pointer_attribute::<u64>(A::CU_POINTER_ATTRIBUTE_RANGE_SIZE, address);
    let (Ok(start), Ok(size)) = (start, size) else { return refused("its allocation is unknown".into()) };
    if address.wrapping_sub(start).checked_add(bytes).is_none_or(|end| end > size) {
        return refused(format!("{bytes} bytes from there on are more than its allocation of {size} bytes has"));
    }
    Ok(())
}

/// Returns an attribute of an address. Its type must be that of the attribute, as the driver
/// documents it.
fn pointer_attribute<T: Default>(
    attribute: sys::CUpointer_attribute,
    address: u64,
) -> std::result::Result<T, sys::CUresult> {
    let mut value = T::default();
    // SAFETY: the callers' types are those that the driver writes; it only looks up the address.
    let done = unsafe { sys::cuPointerGetAttribute((&raw mut value).cast(), attribute, address) };
    if done == sys::CUresult::CUDA_SUCCESS { Ok(value) } else { Err(done) }
}
