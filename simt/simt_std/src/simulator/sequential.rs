//! Sequentially consistent fences (PTX `fence.sc`): the order in which two of them must be.
//!
//! All such fences of a launch have one order, and a fence synchronises with the later ones. A
//! program may rely only on what holds in every possible order. So a fence F counts as earlier than
//! a fence G only if it must be: some atomic operation after F comes, at its word, before some
//! atomic operation before G. "After" and "before" include the happens-before order.
//!
//! ```text
//! block 0, thread 1   block 0, thread 0   word      block 1, thread 0   block 1, thread 1
//! write x
//! fence F
//! ────────── barrier ──────────
//!                     increment ────────> count ──> increment
//!                                                   ────────── barrier ──────────
//!                                                                       fence G
//!                                                                       read x: after the write
//! ```
//!
//! If G came before F, then the second increment would also come before the first one.
//!
//! At a word, an operation comes before another one if it is earlier and one of them writes. Each
//! thread therefore carries two things, which barriers and releases pass on with the rest of its
//! knowledge ([`KnownFences`](super::known::KnownFences)): what was known at the fences before it,
//! which it stores at each word that it accesses; and what it has found at words, which its next
//! fence acquires.

use super::known::{Known, KnownBlocks, join};
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::Arc;

/// What was known at the fences before the accesses of a word.
#[derive(Debug, Default)]
struct Word {
    /// Before the writes, and before the reads that a write has followed.
    written: Option<Arc<KnownBlocks>>,
    /// Before the reads.
    read: Option<Arc<KnownBlocks>>,
}

/// The sequentially consistent fences of a launch.
#[derive(Debug)]
pub(super) struct SequentialFences<W> {
    words: HashMap<W, Word>,
    /// True if there was one.
    any: bool,
}

impl<W> Default for SequentialFences<W> {
    fn default() -> Self {
        Self { words: HashMap::new(), any: false }
    }
}

impl<W: Copy + Eq + Hash> SequentialFences<W> {
    /// Forgets the fences of the previous launch.
    pub fn next_launch(&mut self) {
        self.words.clear();
        self.any = false;
    }

    /// Returns true if the launch has executed such a fence.
    #[inline]
    pub fn any(&self) -> bool {
        self.any
    }

    /// Handles a fence, before its thread's knowledge is stored: takes what was found at words.
    pub fn begin(&mut self, known: &mut Option<Arc<Known>>) {
        self.any = true;
        if let Some(known) = known
            && known.fences.pending.is_some()
        {
            let known = Arc::make_mut(known);
            if let Some(pending) = known.fences.pending.take() {
                super::known::Join::join(&mut known.blocks, &pending);
            }
        }
    }

    /// Handles an atomic operation of a scope larger than the block.
    pub fn access(&mut self, known: &mut Option<Arc<Known>>, word: W, writes: bool) {
        let passed = known.as_ref().and_then(|known| known.fences.passed.clone());
        let Some(at) = (match passed {
            Some(_) => Some(self.words.entry(word).or_default()),
            None => self.words.get_mut(&word),
        }) else {
            return;
        };
        if writes {
            join(&mut at.written, &at.read);
        }
        let found = at.written.clone();
        join(if writes { &mut at.written } else { &mut at.read }, &passed);
        if let Some(found) = found {
            let is_new = |known: &Arc<Known>| known.fences.pending.as_ref().is_none_or(|old| !Arc::ptr_eq(old, &found));
            if known.as_ref().is_none_or(is_new) {
                join(&mut Arc::make_mut(known.get_or_insert_default()).fences.pending, &Some(found));
            }
        }
    }
}
