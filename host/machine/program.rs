//! A launch's threads as a memory machine sees them: what each asks for next, and what it waits for.

use crate::kernels::simulator::{Event, LaunchTrace, Trace};
use crate::kernels::{FULL_WARP, WARP};

/// Where a thread is; the least goes first, and threads at equal places are at the same instruction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Barriers of its block that it has passed.
    barriers: u32,
    /// Meetings of its warp of 32 since.
    meetings: u32,
    /// Jumps back in the source since. Where a line follows itself, that is a jump if it is in a loop with others.
    jumps: u32,
    /// The access's source line, by its order in the source, from 1.
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
    /// For every site its line's number.
    lines: Vec<u32>,
    /// For every line whether some thread comes back to it from another one.
    in_loop: Vec<bool>,
    /// How many events of each thread are done.
    done: Vec<u32>,
    places: Vec<Place>,
}

impl<'t> Program<'t> {
    pub fn new(trace: &'t Trace, number: usize) -> Self {
        let launch = &trace.launches()[number];
        let key = |site: &crate::kernels::simulator::Site| {
            let at = site.location;
            (at.line(), at.column(), at.file(), site.space, site.access, site.size)
        };
        let mut order: Vec<_> = trace.sites().iter().map(key).collect();
        order.sort_unstable();
        order.dedup();
        let lines: Vec<u32> =
            trace.sites().iter().map(|site| order.binary_search(&key(site)).unwrap_or(0) as u32).collect();
        let in_loop = in_loop(trace, launch, &lines, order.len());
        let threads = launch.threads();
        Self { trace, launch, lines, in_loop, done: vec![0; threads], places: vec![Place::default(); threads] }
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
        let place = &mut self.places[thread];
        match self.trace.event(self.launch, thread, self.done[thread] as usize) {
            Some(Event::Barrier) => *place = Place { barriers: place.barriers + 1, ..Place::default() },
            Some(Event::Warp { .. }) => {
                *place = Place { barriers: place.barriers, meetings: place.meetings + 1, ..Place::default() };
            }
            _ => {}
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
                    // Lines are counted from 1: at 0 there was none.
                    let again = line + 1 == place.line && self.in_loop[line as usize];
                    place.jumps += u32::from(line + 1 < place.line || again);
                    place.line = line + 1;
                    return;
                }
                _ => return,
            }
        }
    }

    /// The threads that meet at a thread's meeting of its warp of 32.
    pub fn warp_of(&self, thread: usize) -> std::ops::Range<usize> {
        let (block, warp) = (self.block(), WARP as usize);
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
                    let line = lines[site as usize] as usize;
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
