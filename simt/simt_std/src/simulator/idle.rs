//! Detects launches that make no progress because their threads spin.
//!
//! A launch makes progress when memory changes, a thread ends or a block starts. A long loop that
//! only reads makes progress, too, while it reads new elements. A spin reads the same few elements
//! again and again:
//!
//! ```text
//! step       0 ………………………………………………… limit / 2 ………………………………… limit
//!            memory    nothing changes,      the other threads    fault
//!            changes   nothing new is read   have their turns
//! ```
//!
//! To know the elements read, about every thousandth access is examined.

use super::access::Space;
use super::request::Spot;
use super::site::SourceLocation;
use std::collections::HashSet;

/// Distance between examined accesses: not a multiple of typical loop lengths.
const EVERY: u64 = 1021;

/// Number of different elements beyond which a loop gets more time.
const FEW: usize = 256;

/// Maximum number of different elements remembered.
const MAX_REMEMBERED: usize = 1 << 16;

/// Factor on the limit for a loop that reads many elements.
const MANY: u64 = 16;

/// Factor on the limit for a loop without accesses, which only synchronises.
const MEETINGS: u64 = 4;

/// Factor on the limit for a launch whose only progress is reads of new elements.
const LONG: u64 = 64;

/// A thread and its last action.
#[derive(Debug, Clone, Copy)]
pub(super) struct Spinner {
    pub slot: usize,
    /// Number of the block.
    pub block: u32,
    /// Number of the thread in the block.
    pub thread: u32,
    pub doing: Doing,
}

/// An access or a synchronisation of a thread.
#[derive(Debug, Clone, Copy)]
pub(super) enum Doing {
    Access(Spot),
    Meeting(SourceLocation),
}

/// The result of examining a thread.
#[derive(Debug, Clone, Copy)]
pub(super) enum Verdict {
    GoesOn,
    /// The thread may be spinning: let the others run first.
    Pause,
    /// This thread spins, and no other thread makes progress.
    Spins(Spinner),
}

/// The progress of a launch, in *steps*: accesses and synchronisations of all threads.
#[derive(Debug)]
pub(super) struct Idle {
    limit: u64,
    every: u64,
    /// Step of the next examination.
    pub next: u64,
    /// Number of changes and ends at the last examination.
    progress: u64,
    /// Step of the last progress; `since` counts reads of new elements as progress, `long_since`
    /// does not.
    since: u64,
    long_since: u64,
    /// Elements read since the last change.
    read: HashSet<(Space, u64)>,
    /// Accesses examined since the last progress.
    looks: u32,
    suspect: Option<Spinner>,
}

impl Idle {
    /// `limit`: maximum number of steps without progress.
    pub fn new(limit: u64) -> Self {
        let every = (limit / 64).clamp(1, EVERY);
        let read = HashSet::new();
        Self { limit, every, next: every, progress: 0, since: 0, long_since: 0, read, looks: 0, suspect: None }
    }

    /// Returns the number of steps since the last progress.
    pub fn steps(&self, now: u64) -> u64 {
        now.saturating_sub(self.since)
    }

    /// Returns true while a thread is suspected of spinning.
    pub fn suspects(&self) -> bool {
        self.suspect.is_some()
    }

    /// Examines the thread that makes step `now`. `progress`: number of changes and ends so far.
    pub fn look(&mut self, now: u64, progress: u64, thread: Spinner) -> Verdict {
        self.next = now + self.every;
        if progress != self.progress {
            (self.progress, self.since, self.long_since) = (progress, now, now);
            self.read.clear();
            (self.looks, self.suspect) = (0, None);
            return Verdict::GoesOn;
        }
        let idle = self.steps(now);
        if let Some(suspect) = self.suspect {
            if idle > self.limit.saturating_mul(self.patience()) {
                return Verdict::Spins(suspect);
            }
            self.next = now + (self.every / 16).max(1);
            return Verdict::Pause;
        }
        if let Doing::Access(spot) = thread.doing {
            self.looks += 1;
            if self.read.len() == MAX_REMEMBERED || self.read.insert((spot.space, spot.address)) {
                (self.since, self.looks) = (now, 0);
            }
        }
        let long = now.saturating_sub(self.long_since) > self.limit.saturating_mul(LONG);
        if long || self.steps(now) > (self.limit / 2).saturating_mul(self.patience()) {
            self.suspect = Some(thread);
            if long {
                self.since = self.long_since;
            }
            return Verdict::Pause;
        }
        Verdict::GoesOn
    }

    fn patience(&self) -> u64 {
        match (self.looks, self.read.len()) {
            (0, _) => MEETINGS,
            (_, read) if read > FEW => MANY,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn thread(address: u64) -> Spinner {
        let spot = Spot { space: Space::Global, address, place: std::panic::Location::caller() };
        Spinner { slot: 0, block: 0, thread: 0, doing: Doing::Access(spot) }
    }

    /// Returns the number of steps, at most `most`, until a loop over addresses counts as a spin.
    fn given_up(limit: u64, most: u64, address: impl Fn(u64) -> u64, changes: impl Fn(u64) -> u64) -> Option<u64> {
        let mut idle = Idle::new(limit);
        (0..most).find(|&step| {
            step >= idle.next && matches!(idle.look(step, changes(step), thread(address(step))), Verdict::Spins(_))
        })
    }

    #[test]
    fn a_spin_is_given_up_at_the_limit_and_other_loops_are_not() {
        for limit in [100, 10_000, 1_000_000] {
            let spin = given_up(limit, 3 * limit, |_| 0, |_| 0).expect("a spin");
            assert!((limit..limit + limit / 4 + 10).contains(&spin), "{limit} {spin}");
            assert!(given_up(limit, 3 * limit, |step| step % 3, |_| 0).is_some());
            assert_eq!(given_up(limit, 20 * limit, |step| step, |_| 0), None, "reads what is new");
            assert_eq!(given_up(limit, 20 * limit, |_| 0, |step| step / (limit / 4)), None, "memory changes");
        }
        // A loop over many elements is given more time.
        let many = given_up(100_000, 100_000_000, |step| step % 1000, |_| 0).expect("a spin");
        assert!(many > 1_000_000, "{many}");
        assert!(given_up(10_000, 2_000_000, |step| step, |_| 0).is_some_and(|step| step > 640_000), "at some time");
    }
}
