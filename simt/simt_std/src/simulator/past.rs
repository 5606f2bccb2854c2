//! The accesses of earlier commands that the host has not waited for, by element.
//!
//! The cells of [`pages`](super::pages) have the accesses of one launch. At its end, those
//! of other streams' commands are compared with them, and they are added to the *state* of each
//! granule: a number, the same for all granules that the same commands accessed in the same ways.
//!
//! ```text
//! page 7, granules of 4 bytes     states
//! ┌───┐                           0: no accesses
//! │ 1 │                           1: written in stream 0 by command 5, line 17
//! │ 1 │                           2: as 1, and read in stream 1 by command 8, line 23
//! │ 2 │
//! └───┘
//! ```

use super::pages::PAGE;
use super::records::Kind;
use std::collections::HashMap;

/// Number of states at which those that no granule has are discarded.
const STATES: usize = if cfg!(test) { 8 } else { 1 << 16 };

/// A way of accessing a granule.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Way {
    /// Bits of the [`Kind`].
    pub kind: u32,
    /// Number of the source line, or `None` if unknown.
    pub site: Option<u32>,
}

/// The accesses of a granule by one command: its strongest write, and its strongest read.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub(super) struct Touch {
    pub write: Option<Way>,
    pub read: Option<Way>,
}

impl Touch {
    fn ways(self) -> impl Iterator<Item = Way> {
        [self.write, self.read].into_iter().flatten()
    }
}

/// The accesses of the granules of a page by one command.
pub(super) trait Touches {
    /// Returns a number that is the same only for granules with the same accesses, and 0 for those
    /// without.
    fn key(&self, granule: usize) -> u64;

    fn touch(&self, granule: usize) -> Touch;
}

/// All granules have the same accesses.
impl Touches for Touch {
    fn key(&self, _: usize) -> u64 {
        1
    }

    fn touch(&self, _: usize) -> Touch {
        *self
    }
}

/// An access by an earlier command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) struct Mark {
    /// Slot of the stream.
    pub slot: usize,
    pub command: u32,
    pub way: Way,
}

/// The command whose accesses are compared and added.
pub(super) struct By<'o> {
    /// The stream's slot and the command's number; `None` to compare only, for a command that the
    /// host waits for.
    pub command: Option<(usize, u32)>,
    /// Returns true if a mark comes before this command.
    pub knows: &'o dyn Fn(&Mark) -> bool,
    /// Returns true if the host has waited for a mark's command.
    pub is_done: &'o dyn Fn(&Mark) -> bool,
}

/// Two accesses without an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Conflict {
    pub earlier: Mark,
    pub later: Way,
    /// First byte in the allocation.
    pub offset: usize,
}

/// Granules of a page: `bytes` is the page's size, and a granule has 2^shift bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Granules {
    /// Address of the allocation.
    pub allocation: u64,
    pub page: usize,
    pub bytes: usize,
    pub shift: u8,
    /// The granules that the command accesses, of all.
    pub first: usize,
    pub end: usize,
}

/// The states of a page's granules of 2^shift bytes.
#[derive(Debug)]
struct PagePast {
    shift: u8,
    states: Vec<u32>,
}

/// The accesses of earlier commands.
#[derive(Debug, Default)]
pub(super) struct Past {
    allocations: HashMap<u64, HashMap<usize, PagePast>>,
    /// The marks of each state, sorted. State 0 has none, and is not listed in `numbers`.
    states: Vec<Vec<Mark>>,
    numbers: HashMap<Vec<Mark>, u32>,
    /// The state that follows a state after a touch by the present command.
    next: HashMap<(u32, Touch), u32>,
    /// Number of states at which the next collection is due.
    limit: usize,
}

impl Past {
    /// Returns true if there are no accesses.
    pub fn is_empty(&self) -> bool {
        self.allocations.is_empty()
    }

    /// Forgets all accesses.
    pub fn clear(&mut self) {
        if !self.is_empty() {
            *self = Self::default();
        }
    }

    /// Forgets the accesses of an allocation, and returns their marks.
    pub fn take(&mut self, allocation: u64) -> Vec<Mark> {
        let pages = self.allocations.remove(&allocation).unwrap_or_default();
        let mut states: Vec<u32> = pages.into_values().flat_map(|page| page.states).filter(|&s| s != 0).collect();
        states.sort_unstable();
        states.dedup();
        states.into_iter().flat_map(|state| self.states[state as usize].iter().copied()).collect()
    }

    /// Begins a command.
    pub fn begin(&mut self, is_done: &dyn Fn(&Mark) -> bool) {
        self.next.clear();
        if self.states.len() > self.limit.max(STATES) {
            self.collect(is_done);
        }
    }

    /// Compares and adds the accesses of a command to some granules of a page.
    ///
    /// # Errors
    /// The first conflict. The granules before it keep what was added.
    pub fn add(&mut self, granules: Granules, by: &By, touches: &impl Touches) -> Result<(), Conflict> {
        let Granules { allocation, page, bytes, shift, first, end } = granules;
        let pages = match self.allocations.get_mut(&allocation) {
            Some(pages) => pages,
            None if by.command.is_none() => return Ok(()),
            None => self.allocations.entry(allocation).or_default(),
        };
        let mut past = match pages.remove(&page) {
            Some(past) => past,
            None if by.command.is_none() => return Ok(()),
            None => PagePast { shift, states: vec![0; bytes.div_ceil(1 << shift)] },
        };
        past.refine(shift, bytes);
        let finer = shift - past.shift;
        let mut last = None;
        let mut outcome = Ok(());
        'granules: for granule in first..end {
            let key = touches.key(granule);
            if key == 0 {
                continue;
            }
            for part in granule << finer..((granule + 1) << finer).min(past.states.len()) {
                let state = past.states[part];
                let new = match last {
                    Some((from, by_key, to)) if (from, by_key) == (state, key) => Ok(to),
                    _ => self.following(state, touches.touch(granule), by),
                };
                match new {
                    Ok(new) => {
                        last = Some((state, key, new));
                        past.states[part] = new;
                    }
                    Err((earlier, later)) => {
                        outcome = Err(Conflict { earlier, later, offset: page * PAGE + (part << past.shift) });
                        break 'granules;
                    }
                }
            }
        }
        self.allocations.entry(allocation).or_default().insert(page, past);
        outcome
    }

    /// Returns the state after a state and a touch, or the two accesses that conflict.
    fn following(&mut self, state: u32, touch: Touch, by: &By) -> Result<u32, (Mark, Way)> {
        if let Some(&next) = self.next.get(&(state, touch)) {
            return Ok(next);
        }
        let old = self.states.get(state as usize).map_or(&[][..], Vec::as_slice);
        for mark in old.iter().filter(|mark| !(by.knows)(mark)) {
            let conflicts = |way: &Way| Kind(way.kind).conflicts(Kind(mark.way.kind), false);
            if let Some(way) = touch.ways().find(conflicts) {
                return Err((*mark, way));
            }
        }
        let next = match by.command {
            None => state,
            Some((slot, command)) => {
                let replaced = |mark: &Mark| {
                    let own = |way: Way| mark.slot == slot && way.kind == mark.way.kind;
                    touch.ways().any(|way| way.kind == Kind::WRITE.0 || own(way)) || (by.is_done)(mark)
                };
                let mut marks: Vec<Mark> = old.iter().copied().filter(|mark| !replaced(mark)).collect();
                let plain = touch.write.filter(|way| way.kind == Kind::WRITE.0);
                match plain {
                    // A plain write conflicts with all that the command's reads conflict with.
                    Some(way) => marks.push(Mark { slot, command, way }),
                    None => marks.extend(touch.ways().map(|way| Mark { slot, command, way })),
                }
                self.number(marks)
            }
        };
        self.next.insert((state, touch), next);
        Ok(next)
    }

    /// Returns the number of the state with these marks.
    fn number(&mut self, mut marks: Vec<Mark>) -> u32 {
        if marks.is_empty() {
            return 0;
        }
        marks.sort_unstable();
        if self.states.is_empty() {
            self.states.push(Vec::new());
        }
        *self.numbers.entry(marks).or_insert_with_key(|marks| {
            self.states.push(marks.clone());
            self.states.len() as u32 - 1
        })
    }

    /// Discards the states that no granule has, and the marks that the host has waited for.
    #[cold]
    fn collect(&mut self, is_done: &dyn Fn(&Mark) -> bool) {
        let old = std::mem::take(self);
        let mut moved: HashMap<u32, u32> = HashMap::new();
        for (allocation, mut pages) in old.allocations {
            for state in pages.values_mut().flat_map(|page| &mut page.states).filter(|state| **state != 0) {
                let left = || old.states[*state as usize].iter().copied().filter(|mark| !is_done(mark)).collect();
                *state = *moved.entry(*state).or_insert_with(|| self.number(left()));
            }
            pages.retain(|_, page| page.states.iter().any(|&state| state != 0));
            if !pages.is_empty() {
                self.allocations.insert(allocation, pages);
            }
        }
        self.limit = 2 * self.states.len();
    }
}

impl PagePast {
    /// Makes the granules at most 2^shift bytes wide.
    fn refine(&mut self, shift: u8, bytes: usize) {
        if shift < self.shift {
            let finer = self.shift - shift;
            self.states = (0..bytes.div_ceil(1 << shift)).map(|part| self.states[part >> finer]).collect();
            self.shift = shift;
        }
    }
}

#[cfg(test)]
mod tests;
