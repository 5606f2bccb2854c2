//! The stacks of the coroutines, which later threads reuse.
//!
//! Stacks start at multiples of the page size. If threads started at the same offset in a page, the
//! data of a thousand threads would compete for the same few lines of the processor's cache at
//! every switch. So each thread starts at a different offset:
//!
//! ```text
//! stack 0  │                          ▓▓▓▓│
//! stack 1  │                    ▓▓▓▓      │ 256 bytes lower
//! stack 2  │              ▓▓▓▓            │ 512
//! ```

use super::coroutine::{DefaultStack, Stack, StackPointer};
use std::cell::{Cell, RefCell};
use std::sync::Mutex;

/// Size of a thread's stack in bytes: kernels need little, debug builds of them more. On wasm32,
/// most variables are not on this stack, and memory is scarcer.
pub(super) const BYTES: usize = if cfg!(target_arch = "wasm32") { 32 * 1024 } else { 128 * 1024 };

/// Additional bytes for the simulator's own frames below a kernel's, and for a panic.
const ROOM: usize = 16 * 1024;

/// Number of different start offsets, and the distance between two of them in bytes: a multiple of
/// the alignment that the processor's calling convention requires.
const BEGINNINGS: usize = 61;
const APART: usize = 256;

thread_local! {
    static UNUSED: RefCell<Vec<FiberStack>> = const { RefCell::new(Vec::new()) };
    static NEXT: Cell<usize> = const { Cell::new(0) };
}

/// Stacks of host threads that have ended.
static RETURNED: Mutex<Vec<Vec<FiberStack>>> = Mutex::new(Vec::new());

/// The stacks that a host thread has for the time of a launch.
#[derive(Debug)]
pub(super) struct Borrowed {}

impl Borrowed {
    /// Takes the stacks of a host thread that has ended.
    pub fn new() -> Self {
        // In a forked process, the lock may be held for ever.
        if let Some(stacks) = RETURNED.try_lock().ok().and_then(|mut returned| returned.pop()) {
            UNUSED.set(stacks);
        }
        Self {}
    }
}

impl Drop for Borrowed {
    fn drop(&mut self) {
        if let Ok(mut returned) = RETURNED.try_lock() {
            returned.push(UNUSED.take());
        }
    }
}

/// The stack of a coroutine.
pub(super) struct FiberStack {
    stack: DefaultStack,
    /// Number of unused bytes at its start.
    skip: usize,
}

impl FiberStack {
    /// Takes a returned stack, or makes a new one.
    pub fn take() -> std::io::Result<Self> {
        UNUSED.with_borrow_mut(Vec::pop).map_or_else(Self::new, Ok)
    }

    fn new() -> std::io::Result<Self> {
        let skip = NEXT.replace((NEXT.get() + 1) % BEGINNINGS) * APART;
        Ok(Self { stack: DefaultStack::new(BYTES + ROOM + BEGINNINGS * APART)?, skip })
    }

    /// Returns the address below which the thread has used up its stack.
    pub fn floor(&self) -> usize {
        self.base().get() - BYTES
    }

    /// Returns the stack for another thread.
    pub fn give_back(self) {
        UNUSED.with_borrow_mut(|unused| unused.push(self));
    }
}

// SAFETY: a part of a stack that meets the contract: the same guard pages, at least `BYTES` left,
// and an aligned start, because `APART` is a multiple of every alignment of stacks.
unsafe impl Stack for FiberStack {
    fn base(&self) -> StackPointer {
        StackPointer::new(self.stack.base().get() - self.skip).expect("less is left out than the stack has")
    }

    fn limit(&self) -> StackPointer {
        self.stack.limit()
    }

    #[cfg(windows)]
    fn teb_fields(&self) -> corosensei::stack::StackTebFields {
        self.stack.teb_fields()
    }

    #[cfg(windows)]
    fn update_teb_fields(&mut self, stack_limit: usize, guaranteed_stack_bytes: usize) {
        self.stack.update_teb_fields(stack_limit, guaranteed_stack_bytes);
    }
}
