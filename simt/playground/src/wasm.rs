//! The functions that the page calls. A text is its bytes in the module's memory.

use crate::{lessons, run};

/// Returns `len` bytes of memory, for a text from the page.
#[unsafe(no_mangle)]
extern "C" fn playground_text(len: usize) -> *mut u8 {
    vec![0; len].leak().as_mut_ptr()
}

/// Returns the address of a text in the upper half, and its length in the lower half. The text
/// stays: a page makes a new instance of the module for each run.
fn told(text: String) -> u64 {
    let text = text.leak();
    (text.as_ptr().expose_provenance() as u64) << 32 | text.len() as u64
}

/// See [`lessons`].
#[unsafe(no_mangle)]
extern "C" fn playground_lessons() -> u64 {
    told(lessons())
}

/// See [`run`]; the choice is the text at `address`.
///
/// # Safety
/// `address` comes from [`playground_text`] with this `len`.
#[unsafe(no_mangle)]
unsafe extern "C" fn playground_run(address: *const u8, len: usize) -> u64 {
    // SAFETY: passed on to the caller.
    let bytes = unsafe { std::slice::from_raw_parts(address, len) };
    told(run(&String::from_utf8_lossy(bytes)))
}
