//! The links between members: they carry the bits between bands, and the values that members agree
//! on.

use crate::error::{Error, Result};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A member's connection to the others: it sends words to them and receives words from them.
///
/// A band of rows sends the carries of its last row to the member with the band below it, a message
/// for each chunk of columns; a column's carry is one bit, or two bits for an edit distance.
/// Messages between two members over one channel arrive in order. Messages over several channels
/// may be received in any order.
///
/// - [`HostMemory`]: between members of one process: CPU engines, GPUs that do not reach one
///   another's memory, the simulator
/// - `Mpi`, with the feature `mpi`: between processes, of one host or of several
///
/// GPUs that do reach one another's memory need no link: they are *one* member
/// ([`Gpus`](crate::device::Gpus)), whose kernels store carries into that memory.
///
/// ```
/// use carrywave::cluster::{CarryLink, Cluster, HostMemory};
/// use carrywave::device::Cpu;
/// use carrywave::lcs::Comparison;
/// use std::sync::Arc;
///
/// // Two members, each with a thread of its own; both get the result.
/// std::thread::scope(|scope| {
///     for link in HostMemory::between(2) {
///         scope.spawn(move || -> carrywave::Result<()> {
///             assert_eq!(link.size(), 2);
///             let cluster = Cluster::linked(Arc::new(link), &Cpu::with_threads(1)?)?;
///             assert_eq!(Comparison::new().across(&cluster).length(b"ABCBDAB", b"BDCABA")?, 4);
///             Ok(())
///         });
///     }
/// });
/// ```
pub trait CarryLink: Send + Sync {
    /// Returns the number of this member, 0-based. See the [example](Self).
    fn rank(&self) -> usize;

    /// Returns the number of members. See the [example](Self).
    fn size(&self) -> usize;

    /// Sends words to a member, without waiting for it to receive them. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Member`] if a member has failed.
    fn send(&self, to: usize, channel: u64, words: Vec<u64>) -> Result<()>;

    /// Returns the next words that a member sent over a channel, or `None` if none arrive within a
    /// time. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Member`] if a member has failed, or has been silent for too long.
    fn receive(&self, from: usize, channel: u64, wait: Duration) -> Result<Option<Vec<u64>>>;

    /// Reports to all members that a member cannot go on, this one or one that it watches. Their
    /// calls fail from then on, with an error that names that member. See the [example](Self).
    fn fail(&self, rank: usize, reason: &str);
}

/// Longest single wait. Failures wake waiting members, so this is long.
const WAIT: Duration = Duration::from_secs(1);

/// Receives the next words from a member, however long it takes.
pub(super) fn receive(link: &dyn CarryLink, from: usize, channel: u64) -> Result<Vec<u64>> {
    loop {
        if let Some(words) = link.receive(from, channel, WAIT)? {
            return Ok(words);
        }
    }
}

/// Messages that have arrived for a member.
#[derive(Default)]
pub(super) struct Mailbox {
    state: Mutex<Arrived>,
    news: Condvar,
}

#[derive(Default)]
struct Arrived {
    /// Messages by sender and channel: at most as many bits as the computed tables have columns.
    words: HashMap<(usize, u64), VecDeque<Vec<u64>>>,
    /// First member that failed, and the reason.
    failure: Option<(usize, String)>,
}

impl Mailbox {
    fn lock(&self) -> MutexGuard<'_, Arrived> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds words from a member.
    pub fn put(&self, from: usize, channel: u64, words: Vec<u64>) {
        self.lock().words.entry((from, channel)).or_default().push_back(words);
        self.news.notify_all();
    }

    /// Records that a member has failed. The first failure is reported.
    pub fn fail(&self, rank: usize, reason: &str) {
        self.lock().failure.get_or_insert_with(|| (rank, reason.to_owned()));
        self.news.notify_all();
    }

    /// Returns an error if a member has failed.
    pub fn check(&self) -> Result<()> {
        failed(&self.lock())
    }

    /// See [`CarryLink::receive`].
    pub fn take(&self, from: usize, channel: u64, wait: Duration) -> Result<Option<Vec<u64>>> {
        let end = Instant::now() + wait;
        let mut arrived = self.lock();
        loop {
            failed(&arrived)?;
            if let Some(queue) = arrived.words.get_mut(&(from, channel))
                && let Some(words) = queue.pop_front()
            {
                if queue.is_empty() {
                    arrived.words.remove(&(from, channel));
                }
                return Ok(Some(words));
            }
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            arrived = self.news.wait_timeout(arrived, left).unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

fn failed(arrived: &Arrived) -> Result<()> {
    match &arrived.failure {
        Some((rank, reason)) => Err(Error::Member { rank: *rank, reason: reason.clone() }),
        None => Ok(()),
    }
}

/// Members of one process: threads that put words into one another's mailboxes, as in the
/// [example](CarryLink).
pub struct HostMemory {
    rank: usize,
    boxes: Arc<Vec<Mailbox>>,
}

impl HostMemory {
    /// Returns the links between `size` members, as in the [example](CarryLink).
    pub fn between(size: usize) -> Vec<Self> {
        let boxes: Arc<Vec<Mailbox>> = Arc::new((0..size).map(|_| Mailbox::default()).collect());
        (0..size).map(|rank| Self { rank, boxes: boxes.clone() }).collect()
    }
}

impl CarryLink for HostMemory {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.boxes.len()
    }

    fn send(&self, to: usize, channel: u64, words: Vec<u64>) -> Result<()> {
        self.boxes[self.rank].check()?;
        self.boxes[to].put(self.rank, channel, words);
        Ok(())
    }

    fn receive(&self, from: usize, channel: u64, wait: Duration) -> Result<Option<Vec<u64>>> {
        self.boxes[self.rank].take(from, channel, wait)
    }

    fn fail(&self, rank: usize, reason: &str) {
        self.boxes.iter().for_each(|mailbox| mailbox.fail(rank, reason));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_arrive_in_order_by_sender_and_channel() {
        let links = HostMemory::between(3);
        links[0].send(2, 7, vec![1]).unwrap();
        links[1].send(2, 7, vec![2]).unwrap();
        links[0].send(2, 8, vec![3]).unwrap();
        links[0].send(2, 7, vec![4]).unwrap();
        let now = |from, channel| links[2].receive(from, channel, Duration::ZERO).unwrap();
        assert_eq!(now(0, 8), Some(vec![3]));
        assert_eq!((now(0, 7), now(0, 7), now(0, 7)), (Some(vec![1]), Some(vec![4]), None));
        assert_eq!((now(1, 7), now(1, 7), now(2, 7)), (Some(vec![2]), None, None));
    }

    #[test]
    fn a_failure_wakes_those_that_wait_and_names_the_first() {
        let links = HostMemory::between(3);
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| receive(&links[2], 0, 1));
            std::thread::sleep(Duration::from_millis(20));
            links[1].fail(1, "out of paper");
            links[0].fail(0, "later");
            let error = waiting.join().unwrap().unwrap_err();
            assert!(matches!(error, Error::Member { rank: 1, .. }), "{error}");
            assert!(error.to_string().contains("out of paper"));
        });
        assert!(links[0].send(2, 1, Vec::new()).is_err());
    }
}
