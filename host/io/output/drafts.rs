//! The drafts of output files, listed so that a signal handler can remove them.

use std::ffi::{CStr, CString, c_char};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicPtr, Ordering};

/// Upper bound on the drafts of a process that a signal handler removes; it leaves any others.
const MAX_DRAFTS: usize = 16;

/// Paths of the drafts. They are never freed, since a handler may be reading them; this costs some
/// bytes per output file.
static LISTED: [AtomicPtr<c_char>; MAX_DRAFTS] = [const { AtomicPtr::new(ptr::null_mut()) }; MAX_DRAFTS];

/// Removes the drafts of all [`OutputFile`](super::OutputFile)s that are being written, for a
/// process that is about to end. Safe to call from a signal handler.
///
/// ```
/// carrywave::io::output::remove_drafts();
/// ```
pub fn remove_drafts() {
    for listed in &LISTED {
        let path = listed.load(Ordering::Acquire);
        if !path.is_null() {
            // SAFETY: the pointer comes from a `CString` that is never freed.
            let path = unsafe { CStr::from_ptr(path) };
            // A missing draft has been renamed.
            let _ = rustix::fs::unlink(path);
        }
    }
}

/// Entry of a draft in the list.
pub(super) struct Listed(Option<&'static AtomicPtr<c_char>>);

impl Listed {
    pub fn new(path: &Path) -> Self {
        let Ok(path) = CString::new(path.as_os_str().as_bytes()) else { return Self(None) };
        let path = path.into_raw();
        let free = |listed: &&AtomicPtr<c_char>| {
            listed.compare_exchange(ptr::null_mut(), path, Ordering::AcqRel, Ordering::Relaxed).is_ok()
        };
        Self(LISTED.iter().find(free))
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        if let Some(listed) = self.0 {
            listed.store(ptr::null_mut(), Ordering::Release);
        }
    }
}
