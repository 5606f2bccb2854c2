//! The drafts of output files, listed so that a signal handler can remove them.

use std::cell::Cell;
use std::ffi::{CStr, CString, c_char};
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicUsize, Ordering};
use std::time::Duration;

/// Upper bound on the drafts of a process that a signal handler removes; it leaves any others.
const MAX_DRAFTS: usize = 1024;

/// Paths of the drafts. They are never freed, since a handler may be reading them; this costs some
/// bytes per output file.
static LISTED: [AtomicPtr<c_char>; MAX_DRAFTS] = [const { AtomicPtr::new(ptr::null_mut()) }; MAX_DRAFTS];

/// Number of drafts that threads are creating.
static CREATIONS: AtomicUsize = AtomicUsize::new(0);

/// True once [`remove_drafts`] has been called.
static ENDING: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// True while this thread creates a draft. Needs no initialization and no destructor, so a
    /// signal handler can use it.
    static CREATES: Cell<bool> = const { Cell::new(false) };
}

/// Removes the drafts of all [`OutputFile`](super::OutputFile)s that are being written, for a
/// process that is about to end: from now on no file can be opened for output. Waits for drafts
/// that other threads are creating, for at most a second. Safe to call from a signal handler.
///
/// ```
/// carrywave::io::output::remove_drafts();
/// ```
pub fn remove_drafts() {
    ENDING.store(true, Ordering::SeqCst);
    if CREATES.replace(false) {
        // A signal interrupted this thread while it created a draft, which it will not finish.
        CREATIONS.fetch_sub(1, Ordering::SeqCst);
    }
    for _ in 0..1000 {
        if CREATIONS.load(Ordering::SeqCst) == 0 {
            break;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
    for listed in &LISTED {
        let path = listed.load(Ordering::Acquire);
        if !path.is_null() {
            // SAFETY: the pointer comes from a `CString` that is never freed.
            let path = unsafe { CStr::from_ptr(path) };
            // A missing draft has been renamed, or does not exist yet.
            let _ = rustix::fs::unlink(path);
        }
    }
}

/// Creates a draft that [`remove_drafts`] removes until the entry is dropped.
///
/// # Errors
/// Those of `options`, and one if the process is about to end.
pub(super) fn create(path: &Path, options: &OpenOptions) -> io::Result<(File, Listed)> {
    let _creation = Creation::begin()?;
    // Listed first, so a signal between the two steps leaves nothing behind.
    let listed = Listed::new(path);
    Ok((options.open(path)?, listed))
}

/// Makes [`remove_drafts`] wait for the draft that this thread is creating.
struct Creation;

impl Creation {
    fn begin() -> io::Result<Self> {
        CREATIONS.fetch_add(1, Ordering::SeqCst);
        CREATES.set(true);
        let creation = Self;
        if ENDING.load(Ordering::SeqCst) {
            return Err(io::Error::other("the process is ending"));
        }
        Ok(creation)
    }
}

impl Drop for Creation {
    fn drop(&mut self) {
        if CREATES.replace(false) {
            CREATIONS.fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Entry of a draft in the list.
#[derive(Debug)]
pub(super) struct Listed(Option<&'static AtomicPtr<c_char>>);

impl Listed {
    fn new(path: &Path) -> Self {
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
