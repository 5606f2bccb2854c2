//! Carries by MPI, the Message Passing Interface: between processes that `mpirun` starts, on one
//! host or on several.
//!
//! A separate thread makes all MPI calls: it sends the members' messages while they compute, puts
//! arriving messages into their mailbox, and sends signs of life to the other ranks. So a rank that
//! computes for long does not count as dead. A dead rank sends nothing, and members that wait for
//! it get an error that names it.

use super::link::{CarryLink, Mailbox};
use crate::error::{Error, Result, UsageFault};
use mpi::request::{Request, StaticScope};
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, Destination, Equivalence, Source};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// Interval at which an idle thread checks for messages.
const ASK: Duration = Duration::from_micros(100);

/// Upper bound on the time to send a message about a failure.
const FAREWELL: Duration = Duration::from_secs(1);

/// Number of signs of life within the allowed silence.
const SIGNS: u32 = 8;

/// First word of a message: carries and numbers of members, a sign of life, a failure, or the end
/// of a rank.
const WORDS: u64 = 0;
const ALIVE: u64 = 1;
const FAILED: u64 = 2;
const DONE: u64 = 3;

/// Ranks that MPI has started, this process one of them.
///
/// When dropped, it waits until all ranks are done, or one has failed. MPI can start only once in a
/// process.
///
/// ```no_run
/// use carrywave::cluster::{Cluster, Mpi};
/// use carrywave::device::Cpu;
/// use carrywave::lcs::Comparison;
/// use std::{sync::Arc, time::Duration};
///
/// let mpi = Arc::new(Mpi::start(Duration::from_secs(10))?);
/// let cluster = Cluster::linked(mpi, &Cpu::new())?;
/// let length = Comparison::new().across(&cluster).length(b"ABCBDAB", b"BDCABA")?;
/// if cluster.rank() == 0 {
///     println!("{length}");
/// }
/// # Ok::<(), carrywave::Error>(())
/// ```
pub struct Mpi {
    rank: usize,
    size: usize,
    mailbox: Arc<Mailbox>,
    /// Channel to the thread.
    orders: Mutex<Sender<Order>>,
    thread: Option<JoinHandle<()>>,
}

/// Orders to the thread.
enum Order {
    Send { to: usize, channel: u64, words: Vec<u64> },
    Fail { rank: usize, reason: String },
    End,
}

impl Mpi {
    /// Starts MPI. A rank that is silent for `silence` counts as dead. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Engine`] if MPI has been started before in this process,
    /// or does not work from a thread; [`Error::Threads`] if the system cannot start a thread.
    pub fn start(silence: Duration) -> Result<Self> {
        let mailbox = Arc::new(Mailbox::default());
        let (orders, to_do) = channel();
        let (tell, told) = channel();
        let of_thread = mailbox.clone();
        let run = move || match begin() {
            Ok((universe, world)) => {
                let rank = world.rank() as usize;
                let size = world.size() as usize;
                if tell.send(Ok((rank, size))).is_err() {
                    return;
                }
                let post = Post::new(&world, rank, size, &of_thread, silence);
                if post.run(&to_do) {
                    drop(universe);
                } else {
                    // After a rank has failed, finalizing MPI would wait for it.
                    std::mem::forget(universe);
                }
            }
            Err(error) => drop(tell.send(Err(error))),
        };
        let thread = std::thread::Builder::new().name("mpi".into()).spawn(run);
        let thread = thread.map_err(|error| Error::Threads(error.to_string()))?;
        let begun = told.recv().map_err(|_| UsageFault::Engine.error("MPI did not start"))?;
        let (rank, size) = begun?;
        Ok(Self { rank, size, mailbox, orders: Mutex::new(orders), thread: Some(thread) })
    }

    fn order(&self, order: Order) {
        // If the thread has ended, the mailbox has the reason.
        let _ = self.orders.lock().unwrap_or_else(PoisonError::into_inner).send(order);
    }
}

fn begin() -> Result<(mpi::environment::Universe, SimpleCommunicator)> {
    let begun = mpi::initialize_with_threading(mpi::Threading::Funneled);
    let (universe, threading) =
        begun.ok_or_else(|| UsageFault::Engine.error("MPI can be started only once per process"))?;
    if threading < mpi::Threading::Funneled {
        return Err(
            UsageFault::Engine.error(format!("this MPI library does not support additional threads ({threading:?})"))
        );
    }
    let world = universe.world();
    Ok((universe, world))
}

impl CarryLink for Mpi {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.size
    }

    fn send(&self, to: usize, channel: u64, words: Vec<u64>) -> Result<()> {
        self.mailbox.check()?;
        self.order(Order::Send { to, channel, words });
        Ok(())
    }

    fn receive(&self, from: usize, channel: u64, wait: Duration) -> Result<Option<Vec<u64>>> {
        self.mailbox.take(from, channel, wait)
    }

    fn fail(&self, rank: usize, reason: &str) {
        self.mailbox.fail(rank, reason);
        self.order(Order::Fail { rank, reason: reason.to_owned() });
    }
}

impl Drop for Mpi {
    fn drop(&mut self) {
        self.order(Order::End);
        if let Some(thread) = self.thread.take()
            && thread.join().is_err()
        {
            log::warn!("the MPI thread ended unexpectedly");
        }
    }
}

/// A message in flight, and its words.
struct Sending {
    request: Request<'static, [u64], StaticScope>,
    words: *mut [u64],
}

/// State of the thread.
struct Post<'p> {
    world: &'p SimpleCommunicator,
    rank: usize,
    mailbox: &'p Mailbox,
    silence: Duration,
    sending: Vec<Sending>,
    /// Time of the last message from each rank; `None` for ranks that are done, and for this one.
    heard: Vec<Option<Instant>>,
    failed: bool,
}

impl<'p> Post<'p> {
    fn new(world: &'p SimpleCommunicator, rank: usize, size: usize, mailbox: &'p Mailbox, silence: Duration) -> Self {
        let now = Instant::now();
        let heard = (0..size).map(|other| (other != rank).then_some(now)).collect();
        Self { world, rank, mailbox, silence, sending: Vec::new(), heard, failed: false }
    }

    /// Runs until all ranks are done. Returns false after a failure.
    fn run(mut self, orders: &Receiver<Order>) -> bool {
        let mut signed = Instant::now();
        let mut is_done = false;
        let mut end = None;
        loop {
            let mut idle = !self.receive();
            // An idle thread waits for orders.
            let mut next =
                if idle { orders.recv_timeout(ASK) } else { orders.try_recv().map_err(|_| RecvTimeoutError::Timeout) };
            loop {
                match next {
                    Ok(Order::Send { to, channel, words }) => self.send(to, [&[WORDS, channel], &words[..]].concat()),
                    Ok(Order::Fail { rank, reason }) => self.tell_failure(rank, &reason),
                    Ok(Order::End) | Err(RecvTimeoutError::Disconnected) => {
                        if !is_done && !self.failed {
                            self.send_all(&[DONE]);
                        }
                        is_done = true;
                    }
                    Err(RecvTimeoutError::Timeout) => break,
                }
                idle = false;
                next = orders.try_recv().map_err(|_| RecvTimeoutError::Timeout);
            }
            self.sent();
            if signed.elapsed() > self.silence / SIGNS && !self.failed {
                signed = Instant::now();
                self.send_all(&[ALIVE]);
                self.check_silence();
            }
            if is_done {
                let all_done = self.heard.iter().all(Option::is_none);
                let late = *end.get_or_insert_with(Instant::now) + FAREWELL < Instant::now();
                if self.sending.is_empty() && (all_done || self.failed) || self.failed && late {
                    self.sending.into_iter().for_each(|sending| std::mem::forget(sending.request));
                    return !self.failed;
                }
            }
            if idle {
                std::thread::yield_now();
            }
        }
    }

    /// Takes messages that have arrived. Returns true if there were any.
    fn receive(&mut self) -> bool {
        let mut any = false;
        while let Some((message, status)) = self.world.any_process().immediate_matched_probe() {
            let from = status.source_rank() as usize;
            let mut words = vec![0u64; status.count(u64::equivalent_datatype()) as usize];
            message.matched_receive_into(&mut words[..]);
            any = true;
            let Some(heard) = self.heard.get_mut(from) else { continue };
            *heard = heard.and(Some(Instant::now()));
            match words[..] {
                [WORDS, channel, ref rest @ ..] => self.mailbox.put(from, channel, rest.to_vec()),
                [FAILED, rank, ref text @ ..] => {
                    self.failed = true;
                    let bytes: Vec<u8> = text.iter().map(|&byte| byte as u8).collect();
                    self.mailbox.fail(rank as usize, &String::from_utf8_lossy(&bytes));
                }
                [DONE, ..] => *heard = None,
                _ => {}
            }
        }
        any
    }

    fn tell_failure(&mut self, rank: usize, reason: &str) {
        if self.failed {
            return;
        }
        self.failed = true;
        let text: Vec<u64> = reason.bytes().map(u64::from).collect();
        self.send_all(&[&[FAILED, rank as u64], &text[..]].concat());
    }

    /// Reports a failure if a rank has been silent for too long.
    fn check_silence(&mut self) {
        let silent = |heard: &Option<Instant>| heard.is_some_and(|heard| heard.elapsed() > self.silence);
        if let Some(rank) = self.heard.iter().position(silent) {
            let reason = format!("no message for {:.1} s", self.silence.as_secs_f64());
            self.mailbox.fail(rank, &reason);
            self.tell_failure(rank, &reason);
        }
    }

    fn send_all(&mut self, words: &[u64]) {
        let rank = self.rank;
        for to in (0..self.heard.len()).filter(|&to| to != rank) {
            self.send(to, words.to_vec());
        }
    }

    /// Starts sending a message; [`sent`](Self::sent) completes it.
    fn send(&mut self, to: usize, words: Vec<u64>) {
        let words = Box::into_raw(words.into_boxed_slice());
        // SAFETY: only `sent` frees the words, after MPI has finished with them, or they are never
        // freed.
        let lasting: &'static [u64] = unsafe { &*words };
        let request = self.world.process_at_rank(to as i32).immediate_send(StaticScope, lasting);
        self.sending.push(Sending { request, words });
    }

    /// Frees messages that have been sent.
    fn sent(&mut self) {
        for Sending { request, words } in std::mem::take(&mut self.sending) {
            match request.test() {
                // SAFETY: the pointer is from `Box::into_raw`, and no other reference to the words
                // exists.
                Ok(_) => drop(unsafe { Box::from_raw(words) }),
                Err(request) => self.sending.push(Sending { request, words }),
            }
        }
    }
}
