//! Threads that do jobs side by side and return the results in the order of the jobs.
//!
//! These threads belong to one reader or writer. The threads of [rayon] may all wait for readers,
//! so readers do not wait for them.

use std::collections::VecDeque;
use std::io;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;

/// A job, and the channel for its result.
type Posted<J, R> = (J, mpsc::SyncSender<R>);

/// Threads for jobs `J` with results `R`. They end when this is dropped.
#[derive(Debug)]
pub struct Crew<J, R> {
    jobs: mpsc::Sender<Posted<J, R>>,
    results: VecDeque<mpsc::Receiver<R>>,
    /// Number of jobs that keep the threads busy.
    room: usize,
}

impl<J: Send + 'static, R: Send + 'static> Crew<J, R> {
    /// Starts up to `threads` threads. Returns `None` if the system starts none.
    pub fn start(threads: usize, work: impl Fn(J) -> R + Send + Sync + 'static) -> Option<Self> {
        let (jobs, posted) = mpsc::channel::<Posted<J, R>>();
        let posted = Arc::new(Mutex::new(posted));
        let work = Arc::new(work);
        let started = (0..threads).map_while(|_| {
            let posted = Arc::clone(&posted);
            let work = Arc::clone(&work);
            let next = move || posted.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let run = move || {
                while let Ok((job, result)) = next() {
                    // The receiver may be gone.
                    let _ = result.send(work(job));
                }
            };
            thread::Builder::new().name("crew".into()).spawn(run).ok()
        });
        let started = started.count();
        (started > 0).then(|| Self { jobs, results: VecDeque::new(), room: 2 * started })
    }

    /// Returns true if a thread may be without a job soon.
    pub fn has_room(&self) -> bool {
        self.results.len() < self.room
    }

    /// Returns the number of jobs whose results have not been taken.
    pub fn jobs(&self) -> usize {
        self.results.len()
    }

    /// Gives a job to the threads.
    ///
    /// # Errors
    /// An error if all threads have panicked.
    pub fn push(&mut self, job: J) -> io::Result<()> {
        let (give, result) = mpsc::sync_channel(1);
        self.jobs.send((job, give)).map_err(|_| fault())?;
        self.results.push_back(result);
        Ok(())
    }

    /// Waits for the result of the oldest job; `None` if there are no jobs.
    ///
    /// # Errors
    /// An error if the job has panicked.
    pub fn pop(&mut self) -> io::Result<Option<R>> {
        self.results.pop_front().map(|result| result.recv().map_err(|_| fault())).transpose()
    }
}

fn fault() -> io::Error {
    io::Error::other("a thread stopped, which is a bug in carrywave")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_the_order_of_the_jobs() {
        let slow_at_times = |job: u64| {
            thread::sleep(std::time::Duration::from_micros(job * 7 % 11 * 20));
            job * job
        };
        let mut crew = Crew::start(3, slow_at_times).unwrap();
        let mut found = Vec::new();
        for job in 0..100 {
            if !crew.has_room() {
                found.extend(crew.pop().unwrap());
            }
            crew.push(job).unwrap();
        }
        while let Some(result) = crew.pop().unwrap() {
            found.push(result);
        }
        assert_eq!(found, (0..100).map(|job| job * job).collect::<Vec<_>>());
    }

    #[test]
    fn a_job_that_panics_is_an_error_and_others_go_on() {
        let mut crew = Crew::start(2, |job: u32| if job == 1 { panic!("on purpose, in a test") } else { job }).unwrap();
        (0..3).for_each(|job| crew.push(job).unwrap());
        assert_eq!(crew.pop().unwrap(), Some(0));
        assert!(crew.pop().unwrap_err().to_string().contains("bug"));
        assert_eq!(crew.pop().unwrap(), Some(2));
        assert_eq!(crew.pop().unwrap(), None);
    }
}
