//! The processor as an engine.

use crate::error::{Error, Result, UsageFault};
use crate::threads::{self, Pool};
use std::sync::Arc;

/// Maximum number of threads.
const MAX_THREADS: usize = 4096;

/// The processor. See the [example](crate::device).
#[derive(Debug, Clone, Default)]
pub struct Cpu {
    /// `None`: the threads of the rayon pool that a job is called from.
    threads: Option<Arc<Pool>>,
}

impl Cpu {
    /// Returns the processor with the threads of the [rayon] pool that a job is called from: by
    /// default one per core. See the [example](crate::device).
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns the processor with `threads` threads of its own, 1 to 4,096. They end when the last
    /// copy of this engine is dropped. See the [example](crate::device).
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Range`] for another number, [`Error::Threads`] if the
    /// system does not start the threads.
    pub fn with_threads(threads: usize) -> Result<Self> {
        if !(1..=MAX_THREADS).contains(&threads) {
            return Err(
                UsageFault::Range.error(format!("the number of CPU threads must be 1 to {MAX_THREADS}, not {threads}"))
            );
        }
        let pool = Pool::new(threads).map_err(|error| Error::Threads(error.to_string()))?;
        Ok(Self { threads: Some(Arc::new(pool)) })
    }

    /// Runs a job on the engine's threads.
    pub(crate) fn run<R: Send>(&self, job: impl FnOnce() -> R + Send) -> R {
        match &self.threads {
            Some(pool) => pool.run(job),
            None => threads::run(job),
        }
    }
}
