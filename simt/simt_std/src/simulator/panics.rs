//! The source line of a kernel's panic, which only a panic hook receives.
//!
//! While launches run, the simulator's hook replaces the user's hook, and calls it. When the last
//! launch has ended, the user's hook is restored:
//!
//! ```text
//! before       user's hook
//! launches     simulator's hook: notes the place, if a kernel panics ──> user's hook
//! after        user's hook
//! ```
//!
//! On wasm32 a panic cannot unwind. There, the hook itself ends the thread, by suspending it for
//! good. The standard library then counts a panic that never ends, and aborts at the next one: the
//! next kernel that may panic needs a new instance of the module.

use super::fault::FaultKind;
use super::launch::{a_thread_runs, fail};
use super::site::SourceLocation;
use std::cell::Cell;
use std::panic::{PanicHookInfo, set_hook, take_hook};
use std::sync::{Arc, Mutex, PoisonError};

type Hook = Box<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>;

/// The state of the simulator's hook.
struct Installed {
    launches: usize,
    before: Option<Arc<Hook>>,
    /// Address of the simulator's hook, to recognise it.
    address: usize,
}

static INSTALLED: Mutex<Installed> = Mutex::new(Installed { launches: 0, before: None, address: 0 });

thread_local! {
    /// Source line of this host thread's last panic.
    static PLACE: Cell<Option<SourceLocation>> = const { Cell::new(None) };
    /// True if the user's hook is not called on this host thread.
    static QUIET: Cell<bool> = const { Cell::new(false) };
}

/// Does not call the user's hook on this host thread: the kernel panics again in the launch that
/// reports it.
#[derive(Debug)]
pub(super) struct Quiet {}

impl Quiet {
    pub fn new() -> Self {
        QUIET.set(true);
        Self {}
    }
}

impl Drop for Quiet {
    fn drop(&mut self) {
        QUIET.set(false);
    }
}

/// A running launch; the hook is removed with the last of them.
#[derive(Debug)]
pub(super) struct Watch {
    installed: bool,
}

impl Watch {
    /// Starts a launch, and installs the hook with the first one.
    pub fn new() -> Self {
        // A panicking thread may not change the hook.
        if std::thread::panicking() {
            return Self { installed: false };
        }
        let mut state = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        state.launches += 1;
        if state.launches == 1 {
            let before = Arc::new(take_hook());
            let next = before.clone();
            let hook: Hook = Box::new(move |info| {
                let place = note(info);
                if !QUIET.get() {
                    next(info);
                }
                if cfg!(target_arch = "wasm32")
                    && a_thread_runs()
                    && let Some(place) = place
                {
                    let message = info.payload_as_str().unwrap_or_default().to_string();
                    fail(FaultKind::Panic { message }, place);
                }
            });
            state.address = address(&hook);
            state.before = Some(before);
            set_hook(hook);
        }
        Self { installed: true }
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        if !self.installed {
            return;
        }
        let mut state = INSTALLED.lock().unwrap_or_else(PoisonError::into_inner);
        state.launches -= 1;
        if state.launches > 0 || std::thread::panicking() {
            return;
        }
        let before = state.before.take();
        let hook = take_hook();
        if address(&hook) != state.address {
            // Another hook was installed meanwhile, which may call the simulator's.
            set_hook(hook);
            return;
        }
        drop(hook);
        match before.map(Arc::try_unwrap) {
            Some(Ok(before)) => set_hook(before),
            Some(Err(before)) => set_hook(Box::new(move |info| before(info))),
            None => {}
        }
    }
}

fn address(hook: &Hook) -> usize {
    std::ptr::from_ref::<dyn Fn(&PanicHookInfo<'_>) + Send + Sync>(&**hook).addr()
}

/// Notes and returns the source line of a panic.
fn note(info: &PanicHookInfo<'_>) -> Option<SourceLocation> {
    let place = info.location().map(|place| {
        // SAFETY: only the compiler makes a `Location`, and it is static. The type of the hook's
        // argument merely does not say so.
        unsafe { std::mem::transmute::<&std::panic::Location<'_>, SourceLocation>(place) }
    });
    PLACE.set(place);
    place
}

/// Takes the source line of this host thread's last panic.
pub(super) fn take_place() -> Option<SourceLocation> {
    PLACE.take()
}
