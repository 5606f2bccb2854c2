//! The coroutines of simulated threads: those of the crate `corosensei`, and on wasm32, where a
//! program cannot switch stacks, those of [Asyncify](asyncify). Both have the same interface.

#[cfg(target_arch = "wasm32")]
mod asyncify;

#[cfg(target_arch = "wasm32")]
pub(super) use asyncify::{
    Coroutine, CoroutineResult, CoroutineTrapHandler, DefaultStack, Stack, StackPointer, Yielder,
};

#[cfg(not(target_arch = "wasm32"))]
pub(super) use corosensei::{
    Coroutine, CoroutineResult, Yielder,
    stack::{DefaultStack, Stack, StackPointer},
    trap::CoroutineTrapHandler,
};
