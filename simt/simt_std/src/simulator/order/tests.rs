//! Random courses of a few threads, held against an oracle that keeps everything: each event, and an edge for each thing
//! that orders two. A race is two conflicting accesses with no way from the one to the other.

use super::{BlockOrder, Words};
use crate::atomic::{Order, Scope};
use crate::simulator::schedule::Dice;
use crate::simulator::shadow::{Collection, Kind, Records, Shadow};
use std::collections::{HashMap, HashSet};

const BLOCKS: usize = 3;
const WARPS: usize = 2;
const LANES: usize = 2;
const WORDS: usize = 3;

/// An access as the oracle sees it.
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

/// What is found at a word: events that a reader comes after, with the block and whether the scope is wider.
type Left = Vec<(usize, usize, bool)>;

/// The oracle: for each event, the events before it.
#[derive(Default)]
struct Oracle {
    before: Vec<HashSet<usize>>,
    /// By thread: its last event.
    last: Vec<usize>,
    accesses: Vec<Access>,
    left: HashMap<usize, Left>,
    /// By thread: what relaxed reads have found, with the width of the read; and its fences, with theirs.
    heard: Vec<Vec<(usize, usize, bool)>>,
    fences: Vec<Vec<(usize, bool)>>,
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

    /// The next event of a thread, which comes after `others` too.
    fn next(&mut self, thread: usize, others: Vec<usize>) -> usize {
        let event = self.event(others.into_iter().chain([self.last[thread]]));
        self.last[thread] = event;
        event
    }

    /// Threads meet: all that comes after, after all that came before.
    fn meet(&mut self, threads: &[usize]) {
        let event = self.event(threads.iter().map(|&thread| self.last[thread]).collect::<Vec<_>>());
        threads.iter().for_each(|&thread| self.last[thread] = event);
    }

    /// Whether an access by a thread, which comes after `others` too, races with an earlier one.
    fn races(&self, thread: usize, others: &[usize], new: Access) -> bool {
        let before = |old: usize| {
            others.iter().chain([&self.last[thread]]).any(|&last| last == old || self.before[last].contains(&old))
        };
        self.accesses.iter().any(|&old| old.conflicts(new) && !before(old.event))
    }
}

/// A course of `steps` random steps: the step at which the simulator, and the one at which the oracle finds a race.
fn course(seed: u64, steps: usize, sharing: bool) -> (Option<usize>, Option<usize>) {
    let mut dice = Dice::new(Some(seed));
    let threads = BLOCKS * WARPS * LANES;
    let mut oracle = Oracle { heard: vec![vec![]; threads], fences: vec![vec![]; threads], ..Oracle::default() };
    oracle.before.push(HashSet::new());
    oracle.last = vec![0; threads];
    let mut blocks: Vec<BlockOrder> = (0..BLOCKS).map(|block| BlockOrder::new(block as u32, WARPS)).collect();
    let (mut words, mut records, mut shadow) = (Words::default(), Records::default(), Shadow::default());
    (words.acquired, records.acquired) = (sharing, sharing);
    shadow.grow(4 * WORDS);
    for step in 0..steps {
        let thread = dice.below(threads);
        let (block, warp, lane) = (thread / (WARPS * LANES), thread / LANES % WARPS, thread % LANES);
        let at = (warp as u32, lane as u32);
        let wide = dice.below(4) != 0;
        let scope = if wide { Scope::Device } else { Scope::Block };
        match dice.below(if sharing { 10 } else { 12 }) {
            0 => {
                let of_block: Vec<usize> = (0..WARPS * LANES).map(|i| block * WARPS * LANES + i).collect();
                oracle.meet(&of_block);
                blocks[block].barrier();
                continue;
            }
            1 => {
                let of_warp: Vec<usize> = (0..LANES).map(|lane| (block * WARPS + warp) * LANES + lane).collect();
                oracle.meet(&of_warp);
                blocks[block].sync_warp(warp, (1 << LANES) - 1);
                continue;
            }
            2 if sharing => {
                let heard = oracle.heard[thread].iter().filter(|(_, of, w)| (*w && wide) || *of == block);
                let event = oracle.next(thread, heard.map(|(event, ..)| *event).collect());
                oracle.fences[thread].push((event, wide));
                words.fence(&mut blocks[block], at, scope);
                continue;
            }
            _ => {}
        }
        let word = dice.below(WORDS);
        let plain = word == 0 || dice.below(8) == 0;
        let (reads, writes) = [(true, false), (false, true), (true, true)][dice.below(if plain { 2 } else { 3 })];
        // The scope of a word's atomics is the same throughout: see `Kind::strength`.
        let wide = seed >> word & 7 != 7;
        let scope = if wide { Scope::Device } else { Scope::Block };
        let order = match dice.below(3) {
            _ if plain || !sharing => Order::Relaxed,
            0 => Order::Relaxed,
            _ if reads && writes => Order::AcqRel,
            _ if reads => Order::Acquire,
            _ => Order::Release,
        };
        let (acquires, releases) = (reads && order != Order::Relaxed, writes && order != Order::Relaxed);
        let kind = if plain { Kind(u32::from(writes)) } else { Kind::atomic(writes, wide) };
        let key = (0, word as u64);

        // The oracle.
        let found = oracle.left.get(&word).cloned().unwrap_or_default();
        let mut found: Left = found.into_iter().filter(|&(_, of, w)| of == block || (w && wide)).collect();
        found.iter_mut().for_each(|(_, _, w)| *w &= wide);
        let taken = if acquires { found.iter().map(|(event, ..)| *event).collect() } else { vec![] };
        let expected = oracle.races(thread, &taken, Access { event: usize::MAX, block, kind, word });
        if expected && dice.below(8) != 0 {
            // Most are left out, or courses would be short.
            continue;
        }
        let event = oracle.next(thread, taken);
        oracle.accesses.push(Access { event, block, kind, word });
        if !plain && reads && !acquires {
            oracle.heard[thread].extend(found);
        }
        if writes {
            let left = oracle.left.entry(word).or_default();
            if plain || !reads {
                left.clear();
            }
            if !plain {
                left.extend(oracle.fences[thread].iter().map(|&(event, w)| (event, block, w && wide)));
                if releases {
                    left.push((event, block, wide));
                }
            }
        }

        // The simulator.
        if !plain && reads {
            words.take(&mut blocks[block], at, key, (order, scope));
        }
        if plain && writes {
            words.overwritten(key);
        }
        if dice.below(16) == 0 {
            let mut collection = Collection::begin(&mut records);
            shadow.collect(1, &mut collection);
            records = collection.end().unwrap();
        }
        let view = blocks[block].view(at.0, at.1);
        let number = records.number(&view, dice.below(3) as u32, kind);
        let cell = &mut shadow.cells(4 * word, 4, 1, &mut records)[0];
        let got = records.note(cell, number, kind, &view, false).is_err();
        if !plain && writes {
            words.leave(&mut blocks[block], at, key, reads, (order, scope));
        }
        if got || expected {
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
