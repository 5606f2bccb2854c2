//! What all host threads of a launch know, and its interruption.

use super::options::Options;
use super::site::SourceLocation;
use crate::Grid;
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of times that launches were interrupted.
static INTERRUPTIONS: AtomicU64 = AtomicU64::new(0);

/// Ends all launches that are running in this process, on any simulated GPU, with the fault
/// [`FaultKind::Interrupted`](super::FaultKind::Interrupted). This is for programs whose user stops
/// waiting. The memory keeps what the launches have written.
pub fn interrupt() {
    INTERRUPTIONS.fetch_add(1, Ordering::Relaxed);
}

/// What all host threads of a launch know.
#[derive(Clone, Copy)]
pub(super) struct Setup {
    pub options: Options,
    pub grid: Grid,
    /// Source line of the launch.
    pub launched: SourceLocation,
    /// Value of [`INTERRUPTIONS`] when the launch started.
    interruptions: u64,
}

impl Setup {
    pub fn new(options: Options, grid: Grid, launched: SourceLocation) -> Self {
        Self { options, grid, launched, interruptions: INTERRUPTIONS.load(Ordering::Relaxed) }
    }

    /// Returns true after [`interrupt`].
    pub fn is_interrupted(&self) -> bool {
        INTERRUPTIONS.load(Ordering::Relaxed) != self.interruptions
    }
}
