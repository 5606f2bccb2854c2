//! The stacks of the coroutines, used again for later threads.
//!
//! Stacks begin at multiples of the page size. If threads began at the same place of a page, what a thousand of them touch
//! would compete for the same few lines of the processor's cache at every switch; so each begins at another:
//!
//! ```text
//! stack 0  │                          ▓▓▓▓│
//! stack 1  │                    ▓▓▓▓      │ 256 bytes lower
//! stack 2  │              ▓▓▓▓            │ 512
//! ```

use corosensei::stack::{DefaultStack, Stack, StackPointer};
use std::cell::{Cell, RefCell};

/// Bytes of stack for a thread: kernels are shallow, debug builds of them less so.
pub(super) const BYTES: usize = 128 * 1024;

/// Bytes beyond, for the simulator's own frames below a kernel's, and for a panic.
const ROOM: usize = 16 * 1024;

/// Different beginnings, and bytes from one to the next: a multiple of what the processor's calling convention asks for.
const BEGINNINGS: usize = 61;
const APART: usize = 256;

thread_local! {
    static UNUSED: RefCell<Vec<FiberStack>> = const { RefCell::new(Vec::new()) };
    static NEXT: Cell<usize> = const { Cell::new(0) };
}

/// The stack of a coroutine.
pub(super) struct FiberStack {
    stack: DefaultStack,
    /// Bytes at its beginning that stay unused.
    skip: usize,
}

impl FiberStack {
    /// One that was given back, or another.
    pub fn take() -> std::io::Result<Self> {
        UNUSED.with_borrow_mut(Vec::pop).map_or_else(Self::new, Ok)
    }

    fn new() -> std::io::Result<Self> {
        let skip = NEXT.replace((NEXT.get() + 1) % BEGINNINGS) * APART;
        Ok(Self { stack: DefaultStack::new(BYTES + ROOM + BEGINNINGS * APART)?, skip })
    }

    /// The address below which the thread has used up its stack.
    pub fn floor(&self) -> usize {
        self.base().get() - BYTES
    }

    /// Keeps it for another thread.
    pub fn give_back(self) {
        UNUSED.with_borrow_mut(|unused| unused.push(self));
    }
}

// SAFETY: a part of a stack that meets the contract: the same guard pages, at least `BYTES` left, and a beginning that is
// aligned, since `APART` is a multiple of every alignment of stacks.
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
