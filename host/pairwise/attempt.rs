//! The result that a job computes, and the attempt to get it by the CPU's algorithms of whole
//! strings.

use super::problem::Pairwise;
use super::similar::{Answer, Request};
use crate::algorithm::Algorithm;
use crate::cost::JobCosts;
use crate::device::EngineKind;
use crate::job::{Progress, Ran};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The answer of the CPU's algorithms of whole strings.
pub(super) struct Attempt {
    pub(super) answer: Answer,
    /// The last algorithm that was tried.
    pub(super) ran: Ran,
}

impl Attempt {
    /// Returns true if the distance is known, or that it is above the maximum.
    pub(super) fn has_answer(&self) -> bool {
        !matches!(self.answer, Answer::GaveUp(_))
    }

    /// Tries the algorithms in turn until one answers.
    pub(super) fn on_cpu<P: Pairwise>(
        algorithm: Algorithm<P>,
        [a, b]: [&[u8]; 2],
        request: &Request,
        progress: Progress<'_>,
    ) -> Self {
        let mut guess = None;
        let mut ran = Ran { engine: EngineKind::Cpu, algorithm: algorithm.name() };
        for row in P::whole_on_cpu(algorithm) {
            ran.algorithm = row.name;
            match (row.computes)(a, b, request, progress) {
                Answer::GaveUp(found) => guess = guess.or(found),
                answer => return Self { answer, ran },
            }
            log::debug!("{}: {} gave up", P::NAME, row.name);
        }
        Self { answer: Answer::GaveUp(guess), ran }
    }
}

/// An attempt, until it is used.
pub(super) type KeptAttempt = Mutex<Option<Attempt>>;

/// Locks an attempt.
pub(super) fn lock(attempt: &KeptAttempt) -> MutexGuard<'_, Option<Attempt>> {
    attempt.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The result that a job computes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Wanted {
    /// The value of the whole table, which may be left out if the distance is above a maximum.
    Value { maximum: Option<u64> },
    /// An alignment.
    Alignment,
    /// Columns of the table only.
    Columns,
}

impl Wanted {
    /// Returns the costs of the job.
    pub(super) fn costs<P: Pairwise>(self) -> JobCosts {
        match self {
            Self::Value { .. } | Self::Columns => P::VALUE_COSTS,
            Self::Alignment => P::ALIGNMENT_COSTS,
        }
    }
}
