//! Coroutines on wasm32, with the part of corosensei's interface that the simulator uses.
//!
//! Binaryen's Asyncify adds code to each function that may suspend: the function stores its local
//! variables in memory and returns (*unwinding*), and later loads them and calls again what it had
//! called (*rewinding*). The host, a page or Node, provides two functions, `simt_resume` and
//! `simt_suspend`; `fibers.js` beside this file has them. They exchange the stack pointer and start
//! and stop both movements:
//!
//! ```text
//! scheduler     resume ─> simt_resume (host) ─> simt_run_fiber ─> kernel ─> simt_suspend (host)
//!                                                                           starts to unwind
//!               continues <─ stops to unwind <─ all of these return <───────┘
//! next resume   simt_resume (host) ─> simt_run_fiber ─> kernel ─> simt_suspend, by rewinding
//! ```
//!
//! The memory of a coroutine:
//!
//! ```text
//! │ local variables, while it is suspended │ <── stack: variables whose address is taken │
//! limit                     limit + FRAMES                                            base
//! ```
//!
//! The module must export its stack pointer: `-Clink-arg=--export=__stack_pointer`. After linking,
//! `wasm-opt --asyncify --pass-arg=asyncify-imports@env.simt_suspend` adds the code.
//!
//! A coroutine that is dropped before its end is leaked, with its stack and all that its frames
//! own, because nothing can unwind it: panics abort on this target.

use std::alloc::{Layout, alloc, dealloc};
use std::cell::Cell;
use std::ffi::c_void;
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::rc::Rc;
use std::{io, ptr};

/// Bytes for the local variables of a suspended coroutine. Asyncify traps if they do not suffice.
const FRAMES: usize = 32 * 1024;

/// Alignment of a stack.
const ALIGN: usize = 16;

pub type StackPointer = std::num::NonZeroUsize;

/// The memory of a coroutine, as drawn above.
///
/// # Safety
/// From `limit` to `base`, which is a multiple of 16, there are more than [`FRAMES`] bytes, which
/// belong to this value and which nothing else accesses.
pub unsafe trait Stack {
    fn base(&self) -> StackPointer;
    fn limit(&self) -> StackPointer;
}

/// A stack from the allocator.
pub struct DefaultStack {
    limit: StackPointer,
    layout: Layout,
}

impl DefaultStack {
    /// Makes a stack of `size` bytes beside those for suspended variables.
    pub fn new(size: usize) -> io::Result<Self> {
        let none = || io::Error::from(io::ErrorKind::OutOfMemory);
        let bytes = size.checked_add(FRAMES + ALIGN).ok_or_else(none)? / ALIGN * ALIGN;
        let layout = Layout::from_size_align(bytes, ALIGN).map_err(|_| none())?;
        // SAFETY: the size is not zero. The memory is not initialised, so that the browser provides
        // only the pages that a thread uses.
        let limit = unsafe { alloc(layout) }.expose_provenance();
        Ok(Self { limit: StackPointer::new(limit).ok_or_else(none)?, layout })
    }
}

impl Drop for DefaultStack {
    fn drop(&mut self) {
        // SAFETY: `new` allocated it with this layout.
        unsafe { dealloc(ptr::with_exposed_provenance_mut(self.limit.get()), self.layout) }
    }
}

// SAFETY: the allocation is this value's own, and its start and its size are multiples of 16.
unsafe impl Stack for DefaultStack {
    fn base(&self) -> StackPointer {
        self.limit.saturating_add(self.layout.size())
    }

    fn limit(&self) -> StackPointer {
        self.limit
    }
}

/// Asyncify's record of the memory for suspended variables: the used part, and the end.
#[repr(C)]
struct Frames {
    current: usize,
    end: usize,
}

/// A coroutine as the host sees it.
struct Fiber {
    body: Option<Box<dyn FnOnce()>>,
}

unsafe extern "C" {
    /// Sets the stack pointer, runs [`simt_run_fiber`] from its start or (`again` is 1) from where
    /// it suspended, and restores the stack pointer. Returns the coroutine's stack pointer if it
    /// suspended, or 0 if it ended.
    fn simt_resume(fiber: *mut c_void, stack_pointer: usize, frames: *mut Frames, again: u32) -> usize;

    /// Suspends the running coroutine, and returns when it is resumed.
    fn simt_suspend();
}

/// Runs a coroutine's body, on the stack that the host has set. For [`simt_resume`] alone.
///
/// # Safety
/// `fiber` comes from a call of [`simt_resume`] that has not returned.
#[unsafe(no_mangle)]
unsafe extern "C" fn simt_run_fiber(fiber: *mut c_void) {
    let fiber: *mut Fiber = fiber.cast();
    // SAFETY: the coroutine lives while it is being resumed, and only this function uses its body.
    // Rewinding skips this line.
    let body = unsafe { (*fiber).body.take() };
    body.expect("a coroutine starts once")();
}

/// The coroutine's side: gives its turn away.
pub struct Yielder<Input, Yield> {
    input: Cell<Option<Input>>,
    output: Cell<Option<Yield>>,
}

impl<Input, Yield> Yielder<Input, Yield> {
    /// Gives the turn and a value to the resumer, and returns the value of the next resumption.
    pub fn suspend(&self, output: Yield) -> Input {
        self.output.set(Some(output));
        // SAFETY: a yielder is used only by its running coroutine.
        unsafe { simt_suspend() };
        self.input.take().expect("resumed with a value")
    }
}

pub enum CoroutineResult<Yield, Return> {
    Yield(Yield),
    Return(Return),
}

/// A coroutine, which runs a function on a stack of its own.
pub struct Coroutine<Input, Yield, Return, S: Stack> {
    fiber: Box<Fiber>,
    frames: Box<Frames>,
    yielder: Rc<Yielder<Input, Yield>>,
    result: Rc<Cell<Option<Return>>>,
    stack: ManuallyDrop<S>,
    stack_pointer: usize,
    state: State,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Suspended,
    Ended,
}

impl<Input: 'static, Yield: 'static, Return: 'static, S: Stack> Coroutine<Input, Yield, Return, S> {
    pub fn with_stack<F>(stack: S, function: F) -> Self
    where
        F: FnOnce(&Yielder<Input, Yield>, Input) -> Return + 'static,
    {
        let yielder = Rc::new(Yielder { input: Cell::new(None), output: Cell::new(None) });
        let result = Rc::new(Cell::new(None));
        let (ours, returned) = (yielder.clone(), result.clone());
        let body = move || {
            let input = ours.input.take().expect("resumed with a value");
            returned.set(Some(function(&ours, input)));
        };
        let (limit, base) = (stack.limit().get(), stack.base().get());
        Self {
            fiber: Box::new(Fiber { body: Some(Box::new(body)) }),
            frames: Box::new(Frames { current: limit, end: limit + FRAMES }),
            yielder,
            result,
            stack: ManuallyDrop::new(stack),
            stack_pointer: base,
            state: State::New,
        }
    }

    /// Runs it until it suspends or ends.
    pub fn resume(&mut self, input: Input) -> CoroutineResult<Yield, Return> {
        assert!(self.state != State::Ended, "a coroutine that has ended is not resumed");
        self.yielder.input.set(Some(input));
        let again = u32::from(self.state == State::Suspended);
        let fiber = ptr::from_mut(&mut *self.fiber).cast();
        // SAFETY: the stack and the record of its frames are this coroutine's own, and the stack
        // pointer is the one with which it starts or at which it suspended.
        let pointer = unsafe { simt_resume(fiber, self.stack_pointer, &mut *self.frames, again) };
        (self.state, self.stack_pointer) = (if pointer == 0 { State::Ended } else { State::Suspended }, pointer);
        match self.result.take() {
            Some(result) => CoroutineResult::Return(result),
            None => CoroutineResult::Yield(self.yielder.output.take().expect("suspended with a value")),
        }
    }

    /// Returns the stack of a coroutine that has ended.
    pub fn into_stack(self) -> S {
        assert!(self.state == State::Ended, "the coroutine's frames are on its stack");
        let mut this = ManuallyDrop::new(self);
        // SAFETY: each field is taken once, and `this` is not used again.
        unsafe {
            let Self { fiber, frames, yielder, result, stack, .. } = &mut *this;
            ptr::drop_in_place(fiber);
            ptr::drop_in_place(frames);
            ptr::drop_in_place(yielder);
            ptr::drop_in_place(result);
            ManuallyDrop::take(stack)
        }
    }

    /// Forgets what the frames own; dropping a coroutine does this anyway.
    ///
    /// # Safety
    /// None here; corosensei's function has the same signature.
    pub unsafe fn force_reset(&mut self) {}

    pub fn trap_handler(&self) -> CoroutineTrapHandler<Return> {
        CoroutineTrapHandler(PhantomData)
    }
}

impl<Input, Yield, Return, S: Stack> Drop for Coroutine<Input, Yield, Return, S> {
    fn drop(&mut self) {
        if self.state != State::Suspended {
            // SAFETY: no frames are on the stack, and it is dropped once.
            unsafe { ManuallyDrop::drop(&mut self.stack) }
        }
    }
}

/// Nothing: there are no signals on this target.
pub struct CoroutineTrapHandler<Return>(PhantomData<Return>);
