//! Calls of the driver: printing and ending the launch.

use core::ffi::{CStr, c_void};
use core::panic::Location;

unsafe extern "C" {
    // System calls that the driver provides (CUDA C++ Programming Guide; PTX interoperability).
    fn vprintf(format: *const u8, arguments: *const c_void) -> i32;
    fn __assertfail(message: *const u8, file: *const u8, line: u32, function: *const u8, char_size: usize) -> !;
}

/// Prints through the driver (CUDA C++ `printf`): `format` ends with a zero byte, and `arguments`
/// are laid out as in C.
#[inline(always)]
pub fn print(format: &'static str, arguments: &[u64]) {
    // SAFETY: simt_std's `printf!` has checked the arguments against the format, which ends with a
    // zero byte.
    unsafe { vprintf(format.as_ptr(), arguments.as_ptr().cast()) };
}

/// Ends the launch because an index is outside its slice. Never inlined, so that a check costs its
/// kernel only a comparison, a branch and a call.
#[cold]
#[inline(never)]
#[track_caller]
pub fn out_of_bounds(index: u64, len: u64) -> ! {
    print("index %llu of a slice of %llu elements\n\0", &[index, len]);
    fail(c"index < length", Some(Location::caller()))
}

/// Ends the launch through the driver, which prints the source line, the block, the thread and the
/// message (CUDA C++ `assert`).
pub fn fail(message: &CStr, place: Option<&Location>) -> ! {
    let (file, line) = place.map_or((c"unknown file", 0), |place| (place.file_as_c_str(), place.line()));
    // SAFETY: the strings end with a zero byte and have characters of 1 byte.
    unsafe {
        __assertfail(message.as_ptr().cast(), file.as_ptr().cast(), line, c"kernel".as_ptr().cast(), 1);
    }
}
