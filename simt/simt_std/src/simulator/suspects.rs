//! Reads of uninitialised memory. If another thread writes it later, without an order between the
//! two, it is a race.
//!
//! Such a read ends its thread, and the launch continues without it. The other threads then
//! determine the fault:
//!
//! ```text
//! thread 0   read x[1]: nothing has written it   ∙
//! thread 1                                         write x[1]   no barrier between them: a race
//!            … or all others have ended or wait for thread 0:   a read of uninitialised memory
//! ```

use super::fault::{Fault, FaultKind, Thread};
use super::launch::with_launch;

/// Maximum number of steps that the launch continues.
const STEPS: u64 = 1 << 22;

/// Threads that have read uninitialised memory.
#[derive(Debug, Default)]
pub(super) struct Suspects {
    first: Option<Box<Fault>>,
    threads: Vec<Thread>,
    /// Step at which the launch ends.
    end: u64,
}

impl Suspects {
    /// Adds the fault of a thread, which ends. If this returns the fault, the launch ends as well.
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

    /// Returns true if there are any.
    pub fn any(&self) -> bool {
        self.first.is_some()
    }

    /// Returns true once the launch has continued long enough after such a read.
    pub fn ends(&self) -> bool {
        self.first.is_some() && with_launch(|launch| launch.steps) > self.end
    }

    /// Returns the result of the launch: the first such read, or the race that it is part of.
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
