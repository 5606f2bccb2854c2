//! Schedules: the same launches in many orders, each from a number, the *seed*.
//!
//! What a launch leaves open is the order of its blocks, of the warps of a block, and of the lanes of a warp between two
//! meetings. Without a seed the simulator takes them by number; a seed draws the order by dice or by [priorities](Schedule):
//!
//! ```text
//! no seed    block 0: warp 0, warp 1   block 1: warp 0, warp 1   block 0: …
//! seed 17    block 1: warp 1           block 0: warp 1, warp 0   block 1: warp 0 …
//! ```

/// How a seed chooses the order of threads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Schedule {
    /// Every fourth seed (0, 4, 8, …) as [`Dice`](Self::Dice), the others as [`Priorities`](Self::Priorities) with as many change points
    /// as the seed draws.
    #[default]
    Mixed,
    /// Dice choose the next thread again and again: many short turns.
    Dice,
    /// Threads or blocks have random priorities, and the one with the highest runs, until at a random step it gets the lowest: few
    /// long turns, for what happens only while a thread stands still. (PCT: Burckhardt and others, 2010.)
    Priorities {
        /// Change points: steps at which the running thread or block gets the lowest priority. A fault that needs
        /// `changes` + 1 turns is found soonest.
        changes: u32,
    },
}

/// The order of threads in a launch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Course {
    /// The next by number.
    InOrder,
    Dice,
    /// By priorities, with this number of change points; with `None` the seed draws it.
    Priorities(Option<u32>),
}

/// Random choices from a seed; without one, the first of everything.
#[derive(Debug)]
pub(super) struct Dice {
    state: Option<u64>,
}

impl Dice {
    pub fn new(seed: Option<u64>) -> Self {
        Self { state: seed }
    }

    /// Whether there is a seed.
    pub fn choose(&self) -> bool {
        self.state.is_some()
    }

    /// A number below `n`, which is at least 1 (SplitMix64).
    pub fn below(&mut self, n: usize) -> usize {
        let Some(state) = &mut self.state else { return 0 };
        *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = *state;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^= mixed >> 31;
        ((u128::from(mixed) * n as u128) >> 64) as usize
    }

    /// Once in `n` times; never without a seed.
    pub fn once_in(&mut self, n: usize) -> bool {
        self.choose() && self.below(n) == 0
    }

    /// Puts items in another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        if self.choose() {
            for i in (1..items.len()).rev() {
                items.swap(i, self.below(i + 1));
            }
        }
    }
}
