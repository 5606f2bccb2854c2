//! The order of the commands of several streams.
//!
//! Each command (a launch or a copy) has a number. A stream's *clock* has, for each other stream,
//! the number of the last command that comes before all further commands of this stream:
//!
//! ```text
//! stream 0   1 fill ── record ─┐            clock of the event:    stream 0 up to command 1
//! stream 1   2 sum    wait_for ┴ 3 scale    clock of stream 1:     stream 0 up to command 1
//!                                           so 1 comes before 3, but not before 2
//! host       wait(stream 1)                 clock of the host:     stream 0 to 1, stream 1 to 3
//! ```
//!
//! The host's clock has the commands that any thread of the host has waited for. They come before
//! every command that the host queues afterwards.

use std::sync::atomic::{AtomicU64, Ordering};

/// A stream of a simulated GPU. Its commands run in order; commands of two streams have no order,
/// unless an event or the host orders them.
#[derive(Debug)]
pub struct Stream {
    slot: usize,
    /// The streams that it is one of.
    gpu: u64,
}

/// A point between two commands of a stream: [`Simulator::record`](super::Simulator::record).
#[derive(Debug, Clone)]
pub struct StreamEvent {
    clock: Clock,
    gpu: u64,
}

/// The last command of each stream that is known to be done.
#[derive(Debug, Clone, Default)]
struct Clock(Vec<u32>);

impl Clock {
    fn last(&self, slot: usize) -> u32 {
        self.0.get(slot).copied().unwrap_or(0)
    }

    fn advance(&mut self, slot: usize, command: u32) {
        if slot >= self.0.len() {
            self.0.resize(slot + 1, 0);
        }
        self.0[slot] = self.0[slot].max(command);
    }

    fn join(&mut self, other: &Clock) {
        other.0.iter().enumerate().for_each(|(slot, &command)| self.advance(slot, command));
    }
}

/// The state of a stream.
#[derive(Debug, Default)]
struct State {
    clock: Clock,
    /// Number of its last command, or 0.
    last: u32,
    /// True until the host drops it.
    is_open: bool,
    /// Number of streams made before it: its name in faults.
    name: u32,
}

/// The order of the commands of all streams.
#[derive(Debug)]
pub(super) struct Streams {
    /// Identifies these streams among those of all simulated GPUs.
    gpu: u64,
    streams: Vec<State>,
    host: Clock,
    made: u32,
    commands: u32,
}

impl Default for Streams {
    fn default() -> Self {
        static MADE: AtomicU64 = AtomicU64::new(0);
        let gpu = MADE.fetch_add(1, Ordering::Relaxed);
        Self { gpu, streams: Vec::new(), host: Clock::default(), made: 0, commands: 0 }
    }
}

impl Streams {
    /// Makes a stream. It reuses the slot of a closed stream whose commands the host has waited
    /// for.
    pub fn open(&mut self) -> Stream {
        let free = (0..self.streams.len()).find(|&slot| !self.streams[slot].is_open && !self.is_pending(slot));
        let slot = free.unwrap_or(self.streams.len());
        if slot == self.streams.len() {
            self.streams.push(State::default());
        }
        let state = &mut self.streams[slot];
        *state = State { is_open: true, name: self.made, last: state.last, clock: Clock::default() };
        self.made = self.made.saturating_add(1);
        Stream { slot, gpu: self.gpu }
    }

    /// Returns the slot of a stream, or `None` if it is a stream of another simulated GPU.
    pub fn slot(&self, stream: &Stream) -> Option<usize> {
        (stream.gpu == self.gpu).then_some(stream.slot)
    }

    /// Closes a stream; its commands stay as they are.
    pub fn close(&mut self, slot: usize) {
        self.streams[slot].is_open = false;
    }

    /// Returns the name of a stream in faults.
    pub fn name(&self, slot: usize) -> u32 {
        self.streams[slot].name
    }

    /// Numbers the next command of a stream.
    pub fn command(&mut self, slot: usize) -> u32 {
        self.commands += 1;
        self.streams[slot].last = self.commands;
        self.commands
    }

    /// Returns the number of the stream's last command, or 0.
    pub fn last(&self, slot: usize) -> u32 {
        self.streams[slot].last
    }

    /// Returns true if the host has not waited for all commands of the stream.
    pub fn is_pending(&self, slot: usize) -> bool {
        self.streams[slot].last > self.host.last(slot)
    }

    /// Returns true if the host has not waited for all commands of all streams.
    pub fn any_is_pending(&self) -> bool {
        (0..self.streams.len()).any(|slot| self.is_pending(slot))
    }

    /// Returns true if another stream is open or has commands that the host has not waited for.
    pub fn has_others(&self, slot: Option<usize>) -> bool {
        (0..self.streams.len()).any(|other| {
            Some(other) != slot && (self.is_pending(other) || slot.is_some() && self.streams[other].is_open)
        })
    }

    /// Returns true if a command comes before all further commands of `by`; `None` stands for
    /// commands that the host waits for at once, without a stream.
    pub fn knows(&self, by: Option<usize>, slot: usize, command: u32) -> bool {
        let known_to = |by: usize| by == slot || self.streams[by].clock.last(slot) >= command;
        self.host.last(slot) >= command || by.is_some_and(known_to)
    }

    /// Returns the point after the stream's commands so far.
    pub fn record(&self, slot: usize) -> StreamEvent {
        let State { clock, last, .. } = &self.streams[slot];
        let mut clock = clock.clone();
        clock.advance(slot, *last);
        StreamEvent { clock, gpu: self.gpu }
    }

    /// Orders the further commands of a stream after an event. Events of other simulated GPUs,
    /// which share no memory with this one, order nothing here.
    pub fn wait_for(&mut self, slot: usize, event: &StreamEvent) {
        if event.gpu == self.gpu {
            self.streams[slot].clock.join(&event.clock);
        }
    }

    /// Records that the host has waited for an event.
    pub fn wait(&mut self, event: &StreamEvent) {
        if event.gpu == self.gpu {
            self.host.join(&event.clock);
        }
    }

    /// Records that the host has waited for all commands of all streams.
    pub fn wait_for_all(&mut self) {
        let all = (0..self.streams.len()).fold(Clock::default(), |mut all, slot| {
            all.join(&self.record(slot).clock);
            all
        });
        self.host.join(&all);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_and_waits_order_commands_transitively() {
        let mut streams = Streams::default();
        let [a, b, c] = [(); 3].map(|()| streams.open().slot);
        let first = streams.command(a);
        let event = streams.record(a);
        let second = streams.command(a);
        streams.wait_for(b, &event);
        assert!(streams.knows(Some(b), a, first) && !streams.knows(Some(b), a, second));
        assert!(!streams.knows(Some(c), a, first) && !streams.knows(None, a, first));
        streams.wait_for(c, &streams.record(b));
        assert!(streams.knows(Some(c), a, first) && !streams.knows(Some(c), a, second));
        let third = streams.command(c);
        assert!(streams.any_is_pending() && !streams.is_pending(b));
        streams.wait(&streams.record(c));
        assert!(streams.knows(None, c, third) && streams.knows(None, a, first) && !streams.knows(None, a, second));
        assert!(streams.is_pending(a) && !streams.is_pending(c) && streams.has_others(None));
        streams.wait_for_all();
        assert!(!streams.any_is_pending() && streams.knows(Some(b), a, second) && !streams.has_others(None));
    }

    #[test]
    fn a_slot_is_reused_when_its_commands_are_done() {
        let mut streams = Streams::default();
        let a = streams.open().slot;
        let command = streams.command(a);
        streams.close(a);
        let b = streams.open().slot;
        assert!(a != b && !streams.knows(Some(b), a, command));
        assert_eq!([streams.name(a), streams.name(b)], [0, 1]);
        streams.wait(&streams.record(a));
        let c = streams.open().slot;
        assert!(c == a && streams.name(c) == 2 && !streams.is_pending(c) && streams.knows(Some(b), c, command));
        let later = streams.command(c);
        assert!(later > command && !streams.knows(Some(b), c, later));
    }
}
