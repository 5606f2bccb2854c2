//! Schedules: different orders of the same launches, each determined by a number, the *seed*.
//!
//! A launch does not determine the order of its blocks, of the warps of a block, and of the lanes
//! of a warp between two synchronisations. Without a seed, the simulator runs them in the order of
//! their numbers; with a seed, the order is random, by dice or by [priorities](Schedule):
//!
//! ```text
//! no seed    block 0: warp 0, warp 1   block 1: warp 0, warp 1   block 0: …
//! seed 17    block 1: warp 1           block 0: warp 1, warp 0   block 1: warp 0 …
//! ```

/// The method of choosing the order of threads from a seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Schedule {
    /// Every fourth seed (0, 4, 8, …) uses [`Dice`](Self::Dice). The others use
    /// [`Priorities`](Self::Priorities), with a number of change points drawn from the seed.
    #[default]
    Mixed,
    /// Chooses the next thread at random each time: many short turns.
    Dice,
    /// Gives threads or blocks random priorities. The one with the highest priority runs, until it
    /// gets the lowest at a random step. The turns are few and long, to find faults that need a
    /// thread to stand still. (PCT: Burckhardt and others, 2010.)
    Priorities {
        /// Number of change points: steps at which the running thread or block gets the lowest
        /// priority. The most likely faults to be found are those that need `changes` + 1 turns.
        changes: u32,
    },
}

/// The order of threads in a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    /// Threads in the order of their numbers.
    InOrder,
    Dice,
    /// By priorities, with this number of change points; with `None`, the seed determines it.
    Priorities(Option<u32>),
}

/// Random choices from a seed. Without a seed, always the first choice.
#[derive(Debug)]
pub(super) struct Dice {
    state: Option<u64>,
}

impl Dice {
    pub fn new(seed: Option<u64>) -> Self {
        Self { state: seed }
    }

    /// Returns true if there is a seed.
    pub fn choose(&self) -> bool {
        self.state.is_some()
    }

    /// Returns a random number below `n`, which is at least 1 (SplitMix64).
    pub fn below(&mut self, n: usize) -> usize {
        self.below_u64(n as u64) as usize
    }

    /// Does the same for 64 bits on every target.
    pub fn below_u64(&mut self, n: u64) -> u64 {
        let Some(state) = &mut self.state else { return 0 };
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = *state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * u128::from(n)) >> 64) as u64
    }

    /// Returns true once in `n` times on average; never without a seed.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.choose() && self.below(n) == 0
    }

    /// Shuffles the items.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        if self.choose() {
            for i in (1..items.len()).rev() {
                items.swap(i, self.below(i + 1));
            }
        }
    }
}
