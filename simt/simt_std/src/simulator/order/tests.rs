//! Compares random courses of a few threads with an oracle, which keeps every event and every edge
//! that orders two events. A race is two conflicting accesses without a path between them.

use super::{BlockOrder, Words};
use crate::ordering::{Order, Scope};
use crate::simulator::pages::Pages;
use crate::simulator::records::{Collection, Kind, Records};
use crate::simulator::schedule::Dice;
use std::collections::{HashMap, HashSet};

const BLOCKS: usize = 3;
const WARPS: usize = 2;
const LANES: usize = 2;
const WORDS: usize = 3;

/// An access in the oracle's records.
#[derive(Clone, Copy)]
struct Access {
    event: usize,
    block: usize,
    kind: Kind,
    word: usize,
}

impl Access {
    fn conflicts(self, other: Access) -> bool {
        let reaches = self.block == other.block || (self.kind.0 & other.kind.0 & 4 != 0);
        let atomic = self.kind.is_atomic() && other.kind.is_atomic() && reaches;
        self.word == other.word && (self.kind.writes() || other.kind.writes()) && !atomic
    }
}

/// Events stored at a word, which a reader comes after: event, block, and true if the scope is
/// larger than the block.
type Left = Vec<(usize, usize, bool)>;

/// The oracle, which knows the earlier events of each event.
#[derive(Default)]
struct Oracle {
    before: Vec<HashSet<usize>>,
    /// Last event of each thread.
    last: Vec<usize>,
    accesses: Vec<Access>,
    left: HashMap<usize, Left>,
    /// For each thread, the events that its relaxed reads have found, with their blocks and scopes;
    /// and its fences with their scopes.
    heard: Vec<Vec<(usize, usize, bool)>>,
    fences: Vec<Vec<(usize, bool)>>,
    /// Sequentially consistent fences.
    sequential: Vec<usize>,
    /// Atomic accesses at device scope: event, word, and true if it writes.
    atomics: Vec<(usize, usize, bool)>,
}

impl Oracle {
    fn event(&mut self, after: impl IntoIterator<Item = usize>) -> usize {
        let mut before = HashSet::new();
        for event in after {
            before.extend(self.before[event].iter().copied());
            before.insert(event);
        }
        self.before.push(before);
        self.before.len() - 1
    }

    /// Adds the next event of a thread, which also comes after `others`.
    fn next(&mut self, thread: usize, others: Vec<usize>) -> usize {
        let event = self.event(others.into_iter().chain([self.last[thread]]));
        self.last[thread] = event;
        event
    }

    /// Synchronises threads: all their later events come after all their earlier ones.
    fn meet(&mut self, threads: &[usize]) {
        let event = self.event(threads.iter().map(|&thread| self.last[thread]).collect::<Vec<_>>());
        threads.iter().for_each(|&thread| self.last[thread] = event);
    }

    /// Returns the sequentially consistent fences that must be earlier than one that a thread
    /// executes now: an access after the fence comes before another one of its word, which this
    /// thread has seen.
    fn earlier_fences(&self, thread: usize) -> Vec<usize> {
        let comes = |early: usize, late: usize| early == late || self.before[late].contains(&early);
        let linked = |fence: usize| {
            self.atomics.iter().enumerate().any(|(i, &(first, word, _))| {
                let later = self.atomics[i..].iter().filter(|(_, of, _)| *of == word);
                let written = later.scan(false, |written, &(last, _, writes)| {
                    let comes_first = *written || writes;
                    *written |= writes;
                    Some((last, comes_first))
                });
                let seen = |(last, first)| first && last != self.atomics[i].0 && comes(last, self.last[thread]);
                self.before[first].contains(&fence) && written.into_iter().any(seen)
            })
        };
        self.sequential.iter().copied().filter(|&fence| linked(fence)).collect()
    }

    /// Returns true if an access by a thread, which also comes after `others`, races with an
    /// earlier one.
    fn races(&self, thread: usize, others: &[usize], new: Access) -> bool {
        let before = |old: usize| {
            others.iter().chain([&self.last[thread]]).any(|&last| last == old || self.before[last].contains(&old))
        };
        self.accesses.iter().any(|&old| old.conflicts(new) && !before(old.event))
    }
}

/// A randomly drawn access.
#[derive(Clone, Copy)]
struct Draw {
    word: usize,
    /// True if it is not atomic.
    plain: bool,
    reads: bool,
    writes: bool,
    wide: bool,
    order: Order,
}

impl Draw {
    fn acquires(self) -> bool {
        self.reads && self.order != Order::Relaxed
    }

    fn releases(self) -> bool {
        self.writes && self.order != Order::Relaxed
    }

    fn kind(self) -> Kind {
        if self.plain { Kind(u32::from(self.writes)) } else { Kind::atomic(self.writes, self.wide) }
    }
}

/// A thread of a course.
#[derive(Clone, Copy)]
struct Thread {
    number: usize,
    block: usize,
    warp: usize,
    lane: usize,
}

impl Thread {
    fn new(number: usize) -> Self {
        Self { number, block: number / (WARPS * LANES), warp: number / LANES % WARPS, lane: number % LANES }
    }

    fn at(self) -> (u32, u32) {
        (self.warp as u32, self.lane as u32)
    }
}

fn scope(wide: bool) -> Scope {
    if wide { Scope::Device } else { Scope::Block }
}

/// The results of the simulator and of the oracle for an access.
struct Races {
    got: bool,
    expected: bool,
}

/// A course of random steps, made by the simulator and by the oracle.
struct Course {
    dice: Dice,
    seed: u64,
    /// True if threads acquire and release.
    sharing: bool,
    /// True if they do so by sequentially consistent fences alone.
    sequential: bool,
    oracle: Oracle,
    blocks: Vec<BlockOrder>,
    words: Words,
    records: Records,
    pages: Pages,
}

impl Course {
    fn new(seed: u64, sharing: bool) -> Self {
        let threads = BLOCKS * WARPS * LANES;
        let mut oracle = Oracle { heard: vec![vec![]; threads], fences: vec![vec![]; threads], ..Oracle::default() };
        oracle.before.push(HashSet::new());
        oracle.last = vec![0; threads];
        let mut pages = Pages::default();
        pages.grow(4 * WORDS);
        let (mut words, mut records) = (Words::default(), Records::default());
        (words.acquired, records.acquired) = (sharing, sharing);
        let blocks = (0..BLOCKS).map(|block| BlockOrder::new(block as u32, WARPS)).collect();
        let sequential = seed.is_multiple_of(4);
        Self { dice: Dice::new(Some(seed)), seed, sharing, sequential, oracle, blocks, words, records, pages }
    }

    /// Makes a random step; returns the results if it is an access.
    fn step(&mut self) -> Option<Races> {
        let thread = Thread::new(self.dice.below(BLOCKS * WARPS * LANES));
        if self.synchronises(thread) {
            return None;
        }
        let draw = self.draw();
        let expected = self.expected(thread, draw)?;
        Some(Races { got: self.got(thread, draw), expected })
    }

    /// Makes a barrier, a synchronisation of a warp or a fence; returns false if the step is an
    /// access.
    fn synchronises(&mut self, thread: Thread) -> bool {
        let wide = self.sequential || self.dice.below(4) != 0;
        let Thread { block, warp, .. } = thread;
        match self.dice.below(if self.sharing { 10 } else { 12 }) {
            3..7 if self.sequential => self.fence(thread, true, true),
            0 => {
                let of_block: Vec<usize> = (0..WARPS * LANES).map(|i| block * WARPS * LANES + i).collect();
                self.oracle.meet(&of_block);
                self.blocks[block].barrier();
            }
            1 => {
                let of_warp: Vec<usize> = (0..LANES).map(|lane| (block * WARPS + warp) * LANES + lane).collect();
                self.oracle.meet(&of_warp);
                self.blocks[block].sync_warp(warp, (1 << LANES) - 1);
            }
            2 if self.sharing => {
                let sequential = self.sequential || self.dice.below(2) == 0;
                self.fence(thread, sequential, wide);
            }
            3 if self.sharing && self.dice.below(4) == 0 => {
                self.oracle.meet(&(0..BLOCKS * WARPS * LANES).collect::<Vec<_>>());
                BlockOrder::grid_barrier(self.blocks.iter_mut());
            }
            3 if self.sharing => self.named_barrier(block, warp, wide),
            _ => return false,
        }
        true
    }

    fn fence(&mut self, thread: Thread, sequential: bool, wide: bool) {
        let Thread { number, block, .. } = thread;
        let heard = self.oracle.heard[number].iter().filter(|(_, of, w)| (*w && wide) || *of == block);
        let mut heard: Vec<usize> = heard.map(|(event, ..)| *event).collect();
        if sequential && wide {
            heard.extend(self.oracle.earlier_fences(number));
        }
        let event = self.oracle.next(number, heard);
        self.oracle.fences[number].push((event, wide));
        if sequential && wide {
            self.oracle.sequential.push(event);
        }
        let order = if sequential { Order::SeqCst } else { Order::AcqRel };
        self.words.fence(&mut self.blocks[block], thread.at(), (order, scope(wide)));
    }

    /// Lets both warps of a block arrive at a named barrier; if `waits`, both wait there, and else
    /// only the warp that is not `first`.
    fn named_barrier(&mut self, block: usize, first: usize, waits: bool) {
        let lanes = |warp: usize| (0..LANES).map(move |lane| (block * WARPS + warp) * LANES + lane);
        let last = (0..WARPS).flat_map(lanes).map(|thread| self.oracle.last[thread]).collect::<Vec<_>>();
        let event = self.oracle.event(last);
        let mut known = None;
        (0..WARPS).for_each(|warp| self.blocks[block].tell(warp, &mut known));
        for warp in (0..WARPS).filter(|&warp| waits || warp != first) {
            lanes(warp).for_each(|thread| self.oracle.last[thread] = event);
            self.blocks[block].hear(warp, &known);
        }
    }

    fn draw(&mut self) -> Draw {
        let word = self.dice.below(WORDS);
        let plain = word == 0 || self.dice.below(8) == 0;
        let (reads, writes) = [(true, false), (false, true), (true, true)][self.dice.below(if plain { 2 } else { 3 })];
        // All atomics of one word have the same scope: see `Kind::strength`.
        let wide = self.sequential || self.seed >> word & 7 != 7;
        let order = match self.dice.below(3) {
            _ if plain || !self.sharing || self.sequential => Order::Relaxed,
            0 => Order::Relaxed,
            _ if reads && writes => Order::AcqRel,
            _ if reads => Order::Acquire,
            _ => Order::Release,
        };
        Draw { word, plain, reads, writes, wide, order }
    }

    /// Returns true if the oracle finds a race. Most racing accesses are left out, because courses
    /// would otherwise be short.
    fn expected(&mut self, thread: Thread, draw: Draw) -> Option<bool> {
        let Thread { number, block, .. } = thread;
        let Draw { word, plain, reads, writes, wide, .. } = draw;
        let found = self.oracle.left.get(&word).cloned().unwrap_or_default();
        let mut found: Left = found.into_iter().filter(|&(_, of, w)| of == block || (w && wide)).collect();
        found.iter_mut().for_each(|(_, _, w)| *w &= wide);
        let taken = if draw.acquires() { found.iter().map(|(event, ..)| *event).collect() } else { vec![] };
        let expected = self.oracle.races(number, &taken, Access { event: usize::MAX, block, kind: draw.kind(), word });
        if expected && self.dice.below(if self.sequential { 40 } else { 8 }) != 0 {
            return None;
        }
        let event = self.oracle.next(number, taken);
        self.oracle.accesses.push(Access { event, block, kind: draw.kind(), word });
        if !plain && wide {
            self.oracle.atomics.push((event, word, writes));
        }
        if !plain && reads && !draw.acquires() {
            self.oracle.heard[number].extend(found);
        }
        if writes {
            let left = self.oracle.left.entry(word).or_default();
            if plain || !reads {
                left.clear();
            }
            if !plain {
                left.extend(self.oracle.fences[number].iter().map(|&(event, w)| (event, block, w && wide)));
                if draw.releases() {
                    left.push((event, block, wide));
                }
            }
        }
        Some(expected)
    }

    /// Returns true if the simulator finds a race.
    fn got(&mut self, thread: Thread, draw: Draw) -> bool {
        let Draw { word, plain, reads, writes, wide, order } = draw;
        let (at, block) = (thread.at(), &mut self.blocks[thread.block]);
        let key = (0, word as u64);
        if !plain && reads {
            self.words.acquire(block, at, key, (order, scope(wide)));
        }
        if plain && writes {
            self.words.overwritten(key);
        }
        if self.dice.below(16) == 0 {
            let mut collection = Collection::begin(&mut self.records);
            self.pages.collect(1, &mut collection);
            self.records = collection.end().unwrap();
        }
        let view = block.view(at.0, at.1);
        let number = self.records.number(&view, self.dice.below(3) as u32, draw.kind());
        let cell = &mut self.pages.cells(4 * word, 4, 1, &mut self.records)[0];
        let got = self.records.note(cell, number, draw.kind(), &view, false).is_err();
        if !plain && writes {
            self.words.release(block, at, key, reads, (order, scope(wide)));
        }
        got
    }
}

/// Runs a course of `steps` random steps. Returns the steps at which the simulator and the oracle
/// find a race.
fn course(seed: u64, steps: usize, sharing: bool) -> (Option<usize>, Option<usize>) {
    let mut course = Course::new(seed, sharing);
    for step in 0..steps {
        if let Some(Races { got, expected }) = course.step()
            && (got || expected)
        {
            return (got.then_some(step), expected.then_some(step));
        }
    }
    (None, None)
}

#[test]
fn races_are_found_where_an_oracle_finds_them() {
    let (mut found, mut silent) = (0, 0);
    for seed in 0..6_000 {
        let (got, expected) = course(seed, 60, seed % 2 == 0);
        assert_eq!(got, expected, "seed {seed}");
        if got.is_some() { found += 1 } else { silent += 1 }
    }
    assert!(found > 500 && silent > 500, "{found} {silent}");
}
