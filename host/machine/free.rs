//! Free: warps take turns, and each runs as far ahead as it can.
//!
//! ```text
//! time        0  1  2  3  4  5  6  7       w0's second access waits for its first (l = 5)
//! stages in  w0 w1 w1 ·  ·  w0 w2 ·    ·: idle; w1: two stages; w2 waited at a barrier
//! ```

use super::count::Counter;
use super::model::Machine;
use super::program::{Next, Program, ProgramPoint};
use std::cmp::Reverse;
use std::collections::{BTreeSet, BinaryHeap};
use std::ops::Range;

/// Runs a launch.
pub fn run(machine: &Machine, program: Program<'_>, counter: &mut Counter<'_>) {
    let width = (machine.width as usize).min(program.threads().max(1));
    let warps = program.threads().div_ceil(width);
    let mut warps = Warps {
        arrived: vec![[0; 2]; program.threads()],
        on_the_way: vec![Vec::new(); warps],
        ready: BTreeSet::new(),
        width,
        program,
    };
    for thread in 0..warps.program.threads() {
        warps.program.begin(thread);
    }
    warps.arrive(0..warps.program.threads());
    let mut now = 0u64;
    let mut turn = 0;
    let mut pending: BinaryHeap<Reverse<Pending>> = BinaryHeap::new();
    loop {
        while let Some(&Reverse(access)) = pending.peek()
            && access.end <= now
        {
            pending.pop();
            let threads = std::mem::take(&mut warps.on_the_way[access.warp]);
            for &thread in &threads {
                warps.program.step(thread);
            }
            warps.arrive(threads.into_iter());
        }
        let Some(warp) = warps.ready.range(turn..).next().or_else(|| warps.ready.first()).copied() else {
            let Some(&Reverse(access)) = pending.peek() else { return };
            // The idle time counts for the line of that access.
            counter.spend(access.row, access.end - now);
            now = access.end;
            continue;
        };
        warps.ready.remove(&warp);
        turn = warp + 1;
        let threads = warps.farthest_behind(warp);
        let access = counter.warp_access(&warps.program, &threads);
        counter.spend(access.row, access.stages);
        now += access.stages;
        pending.push(Reverse(Pending { end: now + machine.latency - 1, warp, row: access.row }));
        warps.on_the_way[warp] = threads;
    }
}

/// An outstanding warp access; ordered by time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Pending {
    /// The time when it is done.
    end: u64,
    warp: usize,
    /// The index of its line.
    row: usize,
}

struct Warps<'t> {
    program: Program<'t>,
    width: usize,
    /// The threads of each warp with an outstanding request.
    on_the_way: Vec<Vec<usize>>,
    /// Warps whose next event is an access.
    ready: BTreeSet<usize>,
    /// For the first thread of each block and of each warp of 32, the number of threads that have
    /// arrived at their meeting.
    arrived: Vec<[usize; 2]>,
}

impl Warps<'_> {
    fn threads(&self, warp: usize) -> Range<usize> {
        warp * self.width..((warp + 1) * self.width).min(self.program.threads())
    }

    /// Returns the threads that access together: those of a warp that are farthest behind.
    fn farthest_behind(&self, warp: usize) -> Vec<usize> {
        let points = self.threads(warp).filter_map(|thread| Some((self.program.point(thread)?, thread)));
        let mut threads = Vec::new();
        let mut least: Option<ProgramPoint> = None;
        for (point, thread) in points {
            if least.is_none_or(|least| point < least) {
                least = Some(point);
                threads.clear();
            }
            if least == Some(point) {
                threads.push(thread);
            }
        }
        threads
    }

    /// Registers threads that have come to their next event: completes meetings where all have
    /// arrived, and marks warps as ready.
    fn arrive(&mut self, threads: impl Iterator<Item = usize>) {
        let mut arriving: Vec<usize> = threads.collect();
        let mut touched = BTreeSet::new();
        while let Some(thread) = arriving.pop() {
            touched.insert(thread / self.width);
            let (meeting, kind) = match self.program.next(thread) {
                Next::Barrier => (self.program.block_of(thread), 0),
                Next::Meeting => (self.program.warp_of(thread), 1),
                Next::Access(..) | Next::End => continue,
            };
            let arrived = &mut self.arrived[meeting.start][kind];
            *arrived += 1;
            if *arrived == meeting.len() {
                *arrived = 0;
                for member in meeting {
                    self.program.step(member);
                    arriving.push(member);
                }
            }
        }
        for warp in touched {
            let asks = |thread| self.program.point(thread).is_some();
            if self.on_the_way[warp].is_empty() && self.threads(warp).any(asks) {
                self.ready.insert(warp);
            }
        }
    }
}
