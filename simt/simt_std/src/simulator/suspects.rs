//! Reads of memory that nothing has written yet: a race, if another thread writes it later and nothing orders the two.
//!
//! Such a read ends its thread, and the launch goes on without it. The other threads then decide between the two faults:
//!
//! ```text
//! thread 0   read x[1]: nothing has written it   ∙
//! thread 1                                         write x[1]   no barrier between them: a race
//!            … or all others have ended or wait for thread 0:   a read of uninitialised memory
//! ```

use super::fault::{Fault, FaultKind, Thread};
use super::launch::with_launch;

/// Steps that the launch goes on.
const STEPS: u64 = 1 << 22;

/// Threads that have read what nothing had written.
#[derive(Debug, Default)]
pub(super) struct Suspects {
    first: Option<Box<Fault>>,
    threads: Vec<Thread>,
    /// The step at which to end.
    end: u64,
}

impl Suspects {
    /// A thread has found a fault and ends. The launch ends as well if this returns the fault.
    pub fn add(&mut self, fault: Box<Fault>) -> Result<(), Box<Fault>> {
        if !matches!(fault.kind, FaultKind::Uninitialised { .. }) {
            return Err(fault);
        }
        let now = with_launch(|launch| launch.steps);
        if self.first.is_none() {
            self.end = now.saturating_add(STEPS);
        }
        self.threads.extend(fault.thread);
        let first = self.first.get_or_insert(fault);
        if now > self.end { Err(first.clone()) } else { Ok(()) }
    }

    /// True once the launch has gone on long enough after such a read.
    pub fn ends(&self) -> bool {
        self.first.is_some() && with_launch(|launch| launch.steps) > self.end
    }

    /// The outcome of the launch: the first read, or the race that it is part of.
    pub fn judge(&mut self, outcome: Result<(), Box<Fault>>) -> Result<(), Box<Fault>> {
        let Some(first) = self.first.take() else { return outcome };
        let race = outcome.err().filter(|fault| match &fault.kind {
            FaultKind::Race { earlier_thread, .. } | FaultKind::ReadOnly { earlier_thread, .. } => {
                self.threads.contains(earlier_thread)
            }
            FaultKind::Interrupted => true,
            _ => false,
        });
        Err(race.unwrap_or(first))
    }
}
