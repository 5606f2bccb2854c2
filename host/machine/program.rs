//! A launch's threads as a memory machine sees them: what each asks for next, and what it waits for.

use simt_std::simulator::{Event, LaunchTrace, Trace};
use simt_std::{FULL_WARP, WARP};
use std::collections::HashMap;

/// Where a thread is; the least goes first, and threads at equal places are at the same instruction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Barriers of its block that it has passed.
    barriers: u32,
    /// Meetings of its warp of 32 since.
    meetings: u32,
    /// Jumps back in the source since. Where a line follows itself, that is a jump if it is in a loop with others. All
    /// that have passed as many barriers and meetings start from behind the last line that one of them came to before.
    jumps: u32,
    /// Twice the access's source line, by its order in the source, from 1; one more behind it, before the next access.
    line: u32,
}

/// What a thread does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// It asks for memory: a site of the trace, and the byte in its region.
    Access(u32, u64),
    /// It waits for its block.
    Barrier,
    /// It waits for its warp of 32.
    Meeting,
    /// It has ended.
    End,
}

/// The threads of a launch.
pub struct Program<'t> {
    trace: &'t Trace,
    launch: &'t LaunchTrace,
    /// For every site its line's number, from 1.
    lines: Vec<u32>,
    /// For every line whether some thread comes back to it from another one.
    in_loop: Vec<bool>,
    /// For every number of barriers and meetings passed, the last line that a thread had come to before.
    lines_met: HashMap<(u32, u32), u32>,
    /// How many events of each thread are done.
    done: Vec<u32>,
    places: Vec<Place>,
}

impl<'t> Program<'t> {
    pub fn new(trace: &'t Trace, number: usize) -> Self {
        let launch = &trace.launches()[number];
        let key = |site: &simt_std::simulator::Site| {
            let at = site.location;
            (at.line(), at.column(), at.file(), site.space, site.access, site.size)
        };
        let mut order: Vec<_> = trace.sites().iter().map(key).collect();
        order.sort_unstable();
        order.dedup();
        let lines: Vec<u32> =
            trace.sites().iter().map(|site| order.binary_search(&key(site)).unwrap_or(0) as u32 + 1).collect();
        let in_loop = in_loop(trace, launch, &lines, order.len());
        let lines_met = lines_met(trace, launch, &lines);
        let (done, places) = (vec![0; launch.threads()], vec![Place::default(); launch.threads()]);
        Self { trace, launch, lines, in_loop, lines_met, done, places }
    }

    pub fn threads(&self) -> usize {
        self.done.len()
    }

    /// Threads of a block.
    pub fn block(&self) -> usize {
        self.launch.block_threads() as usize
    }

    /// What a thread does next.
    pub fn next(&self, thread: usize) -> Next {
        match self.trace.event(self.launch, thread, self.done[thread] as usize) {
            Some(Event::Access { site, offset }) => Next::Access(site, offset),
            Some(Event::Barrier) => Next::Barrier,
            Some(Event::Warp { .. }) => Next::Meeting,
            None => Next::End,
        }
    }

    /// Where a thread is that asks for memory.
    pub fn place(&self, thread: usize) -> Option<Place> {
        matches!(self.next(thread), Next::Access(..)).then_some(self.places[thread])
    }

    /// Puts a thread at its first event.
    pub fn begin(&mut self, thread: usize) {
        self.arrive(thread);
    }

    /// What a thread did last is over: it goes on to its next event.
    pub fn step(&mut self, thread: usize) {
        let Place { barriers, meetings, .. } = self.places[thread];
        let next = match self.trace.event(self.launch, thread, self.done[thread] as usize) {
            Some(Event::Barrier) => Some((barriers + 1, 0)),
            Some(Event::Warp { .. }) => Some((barriers, meetings + 1)),
            _ => None,
        };
        if let Some((barriers, meetings)) = next {
            let line = self.lines_met.get(&(barriers, meetings)).copied().unwrap_or(0);
            self.places[thread] = Place { barriers, meetings, jumps: 0, line: 2 * line + 1 };
        }
        self.done[thread] += 1;
        self.arrive(thread);
    }

    /// Notes the line of the access that a thread has come to. Meetings of fewer lanes than a warp are passed by: they say
    /// nothing of where the others are.
    fn arrive(&mut self, thread: usize) {
        loop {
            match self.trace.event(self.launch, thread, self.done[thread] as usize) {
                Some(Event::Warp { mask }) if mask != FULL_WARP => self.done[thread] += 1,
                Some(Event::Access { site, .. }) => {
                    let place = &mut self.places[thread];
                    let line = self.lines[site as usize];
                    let again = 2 * line == place.line && self.in_loop[line as usize - 1];
                    place.jumps += u32::from(2 * line < place.line || again);
                    place.line = 2 * line;
                    return;
                }
                _ => return,
            }
        }
    }

    /// The threads that meet at a thread's meeting of its warp of 32.
    pub fn warp_of(&self, thread: usize) -> std::ops::Range<usize> {
        let block = self.block();
        let warp = WARP as usize;
        let first = thread / block * block;
        let start = first + (thread - first) / warp * warp;
        start..(start + warp).min(first + block)
    }

    /// The threads that meet at a thread's barrier.
    pub fn block_of(&self, thread: usize) -> std::ops::Range<usize> {
        let block = self.block();
        thread / block * block..(thread / block + 1) * block
    }
}

/// For every number of barriers and meetings of its warp that a thread has passed, the last line that one such thread had come
/// to before.
fn lines_met(trace: &Trace, launch: &LaunchTrace, lines: &[u32]) -> HashMap<(u32, u32), u32> {
    let mut found = HashMap::new();
    for thread in 0..launch.threads() {
        let mut times = (0, 0);
        let mut last = 0;
        for event in (0..).map_while(|i| trace.event(launch, thread, i)) {
            times = match event {
                Event::Access { site, .. } => {
                    last = lines[site as usize];
                    continue;
                }
                Event::Warp { mask } if mask != FULL_WARP => continue,
                Event::Warp { .. } => (times.0, times.1 + 1),
                Event::Barrier => (times.0 + 1, 0),
            };
            let line = found.entry(times).or_insert(last);
            *line = last.max(*line);
        }
    }
    found
}

/// For every line whether some thread comes back to it from another one, with no meeting between.
fn in_loop(trace: &Trace, launch: &LaunchTrace, lines: &[u32], count: usize) -> Vec<bool> {
    let mut found = vec![false; count];
    // For every line the stretch between meetings in which it was seen last.
    let mut seen = vec![0u64; count];
    let mut stretch = 0;
    for thread in 0..launch.threads() {
        stretch += 1;
        let mut last = None;
        for event in (0..).map_while(|i| trace.event(launch, thread, i)) {
            match event {
                Event::Access { site, .. } => {
                    let line = lines[site as usize] as usize - 1;
                    found[line] |= seen[line] == stretch && last != Some(line);
                    (seen[line], last) = (stretch, Some(line));
                }
                Event::Warp { mask } if mask != FULL_WARP => {}
                _ => {
                    stretch += 1;
                    last = None;
                }
            }
        }
    }
    found
}
