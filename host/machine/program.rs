//! A launch's threads as a memory machine sees them: the next request of each, and the barriers
//! that it waits for.

use simt_std::simulator::{Event, LaunchTrace, Trace};
use simt_std::{FULL_WARP, WARP};
use std::collections::HashMap;

/// The progress of a thread. The least goes first, and threads at equal places are at the same
/// instruction.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct ProgramPoint {
    /// Number of barriers of its block that the thread has passed.
    barriers: u32,
    /// Number of meetings of its warp of 32 since then.
    meetings: u32,
    /// Number of jumps back in the source since then. If a line follows itself, that is a jump if
    /// the line is in a loop with other lines. After a barrier or meeting, all threads start behind
    /// the last line that any of them reached before it.
    jumps: u32,
    /// Twice the access's source line, numbered from 1 in source order; plus one for a position
    /// behind the line, before the next access.
    line: u32,
}

/// The next event of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Next {
    /// A memory access: a site of the trace, and the byte offset in its region.
    Access(u32, u64),
    /// The thread waits for its block.
    Barrier,
    /// The thread waits for its warp of 32.
    Meeting,
    /// The thread has ended.
    End,
}

/// The threads of a launch.
pub struct Program<'t> {
    trace: &'t Trace,
    launch: &'t LaunchTrace,
    /// For each site the number of its line, from 1.
    lines: Vec<u32>,
    /// For each line, true if a thread returns to it from another line.
    in_loop: Vec<bool>,
    /// For each number of passed barriers and meetings, the last line that a thread reached before.
    lines_met: HashMap<(u32, u32), u32>,
    /// Number of completed events of each thread.
    done: Vec<u32>,
    points: Vec<ProgramPoint>,
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
        let (done, points) = (vec![0; launch.threads()], vec![ProgramPoint::default(); launch.threads()]);
        Self { trace, launch, lines, in_loop, lines_met, done, points }
    }

    pub fn threads(&self) -> usize {
        self.done.len()
    }

    /// Returns the number of threads of a block.
    pub fn block(&self) -> usize {
        self.launch.block_threads() as usize
    }

    /// Returns a thread's next event.
    pub fn next(&self, thread: usize) -> Next {
        match self.trace.event(self.launch, thread, self.done[thread] as usize) {
            Some(Event::Access { site, offset }) => Next::Access(site, offset),
            Some(Event::Barrier) => Next::Barrier,
            Some(Event::Warp { .. }) => Next::Meeting,
            None => Next::End,
        }
    }

    /// Returns the place of a thread whose next event is an access.
    pub fn point(&self, thread: usize) -> Option<ProgramPoint> {
        matches!(self.next(thread), Next::Access(..)).then_some(self.points[thread])
    }

    /// Moves a thread to its first event.
    pub fn begin(&mut self, thread: usize) {
        self.arrive(thread);
    }

    /// Completes a thread's event, and moves it to the next one.
    pub fn step(&mut self, thread: usize) {
        let ProgramPoint { barriers, meetings, .. } = self.points[thread];
        let next = match self.trace.event(self.launch, thread, self.done[thread] as usize) {
            Some(Event::Barrier) => Some((barriers + 1, 0)),
            Some(Event::Warp { .. }) => Some((barriers, meetings + 1)),
            _ => None,
        };
        if let Some((barriers, meetings)) = next {
            let line = self.lines_met.get(&(barriers, meetings)).copied().unwrap_or(0);
            self.points[thread] = ProgramPoint { barriers, meetings, jumps: 0, line: 2 * line + 1 };
        }
        self.done[thread] += 1;
        self.arrive(thread);
    }

    /// Notes the line of the access that a thread has reached. Skips meetings of fewer lanes than a
    /// warp, which do not synchronise the other lanes.
    fn arrive(&mut self, thread: usize) {
        loop {
            match self.trace.event(self.launch, thread, self.done[thread] as usize) {
                Some(Event::Warp { mask }) if mask != FULL_WARP => self.done[thread] += 1,
                Some(Event::Access { site, .. }) => {
                    let point = &mut self.points[thread];
                    let line = self.lines[site as usize];
                    let again = 2 * line == point.line && self.in_loop[line as usize - 1];
                    point.jumps += u32::from(2 * line < point.line || again);
                    point.line = 2 * line;
                    return;
                }
                _ => return,
            }
        }
    }

    /// Returns the threads that take part in the meeting of a thread's warp of 32.
    pub fn warp_of(&self, thread: usize) -> std::ops::Range<usize> {
        let block = self.block();
        let warp = WARP as usize;
        let first = thread / block * block;
        let start = first + (thread - first) / warp * warp;
        start..(start + warp).min(first + block)
    }

    /// Returns the threads that take part in a thread's barrier.
    pub fn block_of(&self, thread: usize) -> std::ops::Range<usize> {
        let block = self.block();
        thread / block * block..(thread / block + 1) * block
    }
}

/// Returns, for each number of barriers and meetings that threads have passed, the last line that
/// any of them reached before.
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

/// Returns, for each line, true if a thread returns to it from another line without a meeting in
/// between.
fn in_loop(trace: &Trace, launch: &LaunchTrace, lines: &[u32], count: usize) -> Vec<bool> {
    let mut found = vec![false; count];
    // For each line, the last stretch between meetings that contains it.
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
