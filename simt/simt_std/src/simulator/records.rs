//! Records, each the accesses of a warp's lanes at one source line between two meetings, and the lists of records that the cells of
//! [`shadow`](super::shadow) memory name.

use super::order::{At, View};

/// Number of records at which a collection throws away those that no cell names.
pub(super) const RECORDS: usize = if cfg!(test) { 1 << 8 } else { 1 << 20 };

/// Upper bound on records, whose numbers have 26 bits.
const MOST_RECORDS: usize = 1 << 26;

/// Unordered accesses of one word by different warps that are remembered once a thread has acquired.
const MOST_NODES: u32 = 64;

/// Kind of an access, in three bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind(pub u32);

impl Kind {
    pub const READ: Kind = Kind(0);
    pub const WRITE: Kind = Kind(1);
    const ATOMIC: u32 = 2;
    const WIDE: u32 = 4;
    /// A read of memory that nobody may write in this launch.
    pub const READ_ONLY: Kind = Kind(Self::WIDE);

    /// An atomic access; `wide`: at a scope beyond the block.
    pub fn atomic(writes: bool, wide: bool) -> Self {
        Kind(u32::from(writes) | Self::ATOMIC | if wide { Self::WIDE } else { 0 })
    }

    pub fn writes(self) -> bool {
        self.0 & 1 != 0
    }

    pub fn is_atomic(self) -> bool {
        self.0 & Self::ATOMIC != 0
    }

    /// The [`strength`](Self::strength) of an atomic access at block scope.
    const BLOCK: u32 = 1;

    /// With how much it conflicts: a plain access with more than an atomic one of the block, and this with more than one
    /// of the device. A read-only access conflicts with the most, since order does not help.
    fn strength(self) -> u32 {
        if self == Self::READ_ONLY {
            return 3;
        }
        2 - u32::from(self.is_atomic()) - u32::from(self.0 & Self::WIDE != 0)
    }

    fn conflicts(self, other: Kind, same_block: bool) -> bool {
        let both = self.0 & other.0;
        (self.0 | other.0) & 1 != 0 && !(both & Self::ATOMIC != 0 && (same_block || both & Self::WIDE != 0))
    }
}

/// Accesses of a warp's lanes at one source line between two meetings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Record {
    block: u32,
    epoch: u32,
    clock: u32,
    /// The line's number, the kind and the warp: 24, 3 and 5 bits.
    what: u32,
}

impl Record {
    fn kind(self) -> Kind {
        Kind(self.what >> 5 & 7)
    }

    fn at(self, lane: u32) -> At {
        At { block: self.block, epoch: self.epoch, warp: self.what & 31, lane, clock: self.clock }
    }
}

/// An element of a list of accesses.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    record: u32,
    lanes: u32,
    /// 0 after the last.
    next: u32,
}

/// The accesses that a granule remembers. Each number is 0, or [`INITIALISED`], or a record's number × 32 + a lane, or [`LIST`] and a
/// node's number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    pub write: u32,
    pub reads: u32,
}

/// Written before this launch.
pub(super) const INITIALISED: u32 = 1;
const LIST: u32 = 1 << 31;

/// An earlier access, for a fault.
#[derive(Debug, Clone, Copy)]
pub(super) struct Earlier {
    pub at: At,
    pub kind: Kind,
    /// The line's number.
    pub site: u32,
}

/// The records and lists of a launch.
#[derive(Debug)]
pub(super) struct Records {
    records: Vec<Record>,
    nodes: Vec<Node>,
    /// The first node that is free; the others follow.
    free: u32,
    /// By line and kind: the record made last.
    last: Vec<u32>,
    /// Records at which to throw away.
    limit: usize,
    /// True if a thread may have acquired: then two different warps do not stand for all.
    pub acquired: bool,
}

impl Default for Records {
    fn default() -> Self {
        Self {
            records: vec![Record::default()],
            nodes: vec![Node::default()],
            free: 0,
            last: Vec::new(),
            limit: RECORDS,
            acquired: false,
        }
    }
}

/// A new access of a cell.
struct New<'a> {
    kind: Kind,
    view: &'a View<'a>,
    /// True in shared memory, which nobody but the block can access.
    private: bool,
}

impl New<'_> {
    /// Returns true if an earlier access that comes before this one need not be remembered any more: whatever races with it races with this
    /// one, too, or its block's barriers have ordered it before all that can come.
    fn replaces(&self, record: Record) -> bool {
        let (old, new) = (record.kind().strength(), self.kind.strength());
        let reach = old < new || (old == new && (old != Kind::BLOCK || record.block == self.view.at.block));
        reach || (self.private && record.epoch < self.view.at.epoch)
    }
}

/// Lanes of a warp access.
#[derive(Clone, Copy, Default)]
struct Lanes {
    record: u32,
    lanes: u32,
}

impl Lanes {
    /// The record and the lane that are one number.
    fn of(number: u32) -> Self {
        Self { record: number >> 5, lanes: 1 << (number & 31) }
    }
}

/// Accesses that a new one does not know.
#[derive(Default)]
struct Unknown {
    one: Option<Record>,
    /// Two are of different blocks, or of two warps of the new access's own block: until a thread acquires, nobody can come after both of
    /// them and not after the new one. So the new one need not be remembered.
    is_pair: bool,
}

impl Unknown {
    fn note(&mut self, record: Record, new: &New) {
        match self.one {
            None => self.one = Some(record),
            Some(one) if one.block != record.block => self.is_pair = true,
            Some(one) => self.is_pair |= record.block == new.view.at.block && (one.what ^ record.what) & 31 != 0,
        }
    }
}

impl Records {
    /// A launch begins: what came before is ordered before it.
    pub fn next_launch(&mut self, acquired: bool) {
        self.records.truncate(1);
        self.nodes.truncate(1);
        self.last.fill(0);
        (self.free, self.limit, self.acquired) = (0, RECORDS, acquired);
    }

    /// The number for cells of an access that a thread makes now.
    #[inline]
    pub fn number(&mut self, view: &View, site: u32, kind: Kind) -> u32 {
        let At { block, epoch, warp, lane, clock } = view.at;
        let record = Record { block, epoch, clock, what: site << 8 | kind.0 << 5 | warp };
        let of = (site << 3 | kind.0) as usize;
        if let Some(&last) = self.last.get(of)
            && self.records[last as usize] == record
        {
            return last << 5 | lane;
        }
        self.append(of, record) << 5 | lane
    }

    #[cold]
    fn append(&mut self, of: usize, record: Record) -> u32 {
        if of >= self.last.len() {
            self.last.resize(of + 1, 0);
        }
        self.last[of] = self.records.len() as u32;
        self.records.push(record);
        self.last[of]
    }

    /// Returns true if it is time to [`Collection::begin`].
    #[inline]
    pub fn full(&self) -> bool {
        self.records.len() >= self.limit || self.nodes.len() >= self.limit
    }

    /// The access that a race was found with.
    pub fn earlier(&self, number: u32) -> Earlier {
        let record = self.records[(number >> 5) as usize];
        Earlier { at: record.at(number & 31), kind: record.kind(), site: record.what >> 8 }
    }

    /// Notes an access in its cell. `private`: the memory is of one block alone.
    ///
    /// # Errors
    /// An earlier access that races with it.
    #[inline]
    pub fn note(&mut self, cell: &mut Cell, number: u32, kind: Kind, view: &View, private: bool) -> Result<(), u32> {
        if kind == Kind::READ {
            if cell.reads == number {
                return Ok(());
            }
            self.check(cell.write, kind, view)?;
            self.add(&mut cell.reads, Some(number), kind, view, private);
        } else if kind == Kind::WRITE {
            if cell.write == number && cell.reads == 0 {
                return Ok(());
            }
            self.check(cell.write, kind, view)?;
            self.check(cell.reads, kind, view)?;
            self.release(cell.write);
            self.release(cell.reads);
            *cell = Cell { write: number, reads: 0 };
        } else if kind == Kind::READ_ONLY {
            if cell.write > INITIALISED {
                return Err(self.first(cell.write));
            }
            if !self.has_read_only(cell.reads) {
                self.add(&mut cell.reads, Some(number), kind, view, private);
            }
        } else {
            self.check(cell.write, kind, view)?;
            if kind.writes() {
                self.check(cell.reads, kind, view)?;
                self.add(&mut cell.reads, None, kind, view, private);
                self.add(&mut cell.write, Some(number), kind, view, private);
            } else {
                self.add(&mut cell.reads, Some(number), kind, view, private);
            }
        }
        Ok(())
    }

    /// Looks for an access of a set that conflicts with a new one and does not come before it.
    #[inline]
    fn check(&self, set: u32, kind: Kind, view: &View) -> Result<(), u32> {
        if set <= INITIALISED {
            return Ok(());
        }
        if set & LIST == 0 {
            let record = self.records[(set >> 5) as usize];
            let against = kind.conflicts(record.kind(), record.block == view.at.block);
            let ordered = || record.kind() != Kind::READ_ONLY && view.knows(record.at(set & 31));
            return if against && !ordered() { Err(set) } else { Ok(()) };
        }
        let mut node = set & !LIST;
        while node != 0 {
            let Node { record: number, lanes, next } = self.nodes[node as usize];
            let record = self.records[number as usize];
            if kind.conflicts(record.kind(), record.block == view.at.block) {
                let known = if record.kind() == Kind::READ_ONLY { 0 } else { view.known_lanes(record.at(0), lanes) };
                let unordered = lanes & !known;
                if unordered != 0 {
                    return Err(number << 5 | unordered.trailing_zeros());
                }
            }
            node = next;
        }
        Ok(())
    }

    /// An access of a set, which has one.
    #[cold]
    fn first(&self, set: u32) -> u32 {
        if set & LIST == 0 {
            return set;
        }
        let Node { record, lanes, .. } = self.nodes[(set & !LIST) as usize];
        record << 5 | lanes.trailing_zeros()
    }

    /// Returns true if a set has a read-only access. One stands for all.
    fn has_read_only(&self, set: u32) -> bool {
        if set & LIST == 0 {
            return set > INITIALISED && self.records[(set >> 5) as usize].kind() == Kind::READ_ONLY;
        }
        let mut node = set & !LIST;
        while node != 0 {
            let Node { record, next, .. } = self.nodes[node as usize];
            if self.records[record as usize].kind() == Kind::READ_ONLY {
                return true;
            }
            node = next;
        }
        false
    }

    /// Drops from a set what comes before a new access and conflicts with no more than it does, and adds the new access.
    fn add(&mut self, set: &mut u32, number: Option<u32>, kind: Kind, view: &View, private: bool) {
        if *set <= INITIALISED {
            if let Some(number) = number {
                *set = number;
            }
            return;
        }
        let new = New { kind, view, private };
        if *set & LIST == 0 {
            self.add_to_one(set, number, &new);
        } else {
            self.add_to_list(set, number, &new);
        }
    }

    /// [`add`](Self::add) for a set of one access.
    fn add_to_one(&mut self, set: &mut u32, number: Option<u32>, new: &New) {
        let old = self.records[(*set >> 5) as usize];
        if new.replaces(old) && new.view.knows(old.at(*set & 31)) {
            *set = number.unwrap_or(0);
        } else if let Some(number) = number.filter(|number| number != set) {
            let (old, added) = (Lanes::of(*set), Lanes::of(number));
            let node = if old.record == added.record {
                self.node(old.record, old.lanes | added.lanes, 0)
            } else {
                let second = self.node(old.record, old.lanes, 0);
                self.node(added.record, added.lanes, second)
            };
            *set = LIST | node;
        }
    }

    /// [`add`](Self::add) for a set of several accesses, which are a list of nodes.
    fn add_to_list(&mut self, set: &mut u32, number: Option<u32>, new: &New) {
        let own = number.map(Lanes::of);
        let head = &mut self.nodes[(*set & !LIST) as usize];
        if let Some(own) = own
            && own.record == head.record
        {
            head.lanes |= own.lanes;
            return;
        }
        let (mut first, mut before, mut node) = (*set & !LIST, 0, *set & !LIST);
        let (mut found, mut count) = (own.is_none(), 0u32);
        let mut unknown = Unknown::default();
        while node != 0 {
            let Node { record: number, lanes, next } = self.nodes[node as usize];
            let record = self.records[number as usize];
            let known = new.view.known_lanes(record.at(0), lanes);
            let mut left = if new.replaces(record) { lanes & !known } else { lanes };
            if let Some(own) = own.filter(|own| own.record == number) {
                left |= own.lanes;
                found = true;
            }
            if left == 0 {
                match before {
                    0 => first = next,
                    _ => self.nodes[before as usize].next = next,
                }
                self.nodes[node as usize].next = self.free;
                self.free = node;
            } else {
                self.nodes[node as usize].lanes = left;
                before = node;
                count += 1;
                if known == 0 && record.kind().strength() >= new.kind.strength() {
                    unknown.note(record, new);
                }
            }
            node = next;
        }
        let full = if self.acquired { count >= MOST_NODES && new.kind != Kind::READ_ONLY } else { unknown.is_pair };
        if !found && !full {
            let Lanes { record, lanes } = own.unwrap_or_default();
            first = self.node(record, lanes, first);
        }
        *set = if first == 0 { 0 } else { LIST | first };
    }

    fn node(&mut self, record: u32, lanes: u32, next: u32) -> u32 {
        let node = Node { record, lanes, next };
        match self.free {
            0 => {
                self.nodes.push(node);
                self.nodes.len() as u32 - 1
            }
            free => {
                self.free = self.nodes[free as usize].next;
                self.nodes[free as usize] = node;
                free
            }
        }
    }

    /// A copy of a set, for another cell.
    pub fn copy(&mut self, set: u32) -> u32 {
        if set & LIST == 0 {
            return set;
        }
        let (mut node, mut copy) = (set & !LIST, 0);
        while node != 0 {
            let Node { record, lanes, next } = self.nodes[node as usize];
            copy = self.node(record, lanes, copy);
            node = next;
        }
        LIST | copy
    }

    /// Gives the nodes of a set back.
    #[inline]
    fn release(&mut self, set: u32) {
        if set & LIST != 0 {
            let first = set & !LIST;
            let mut last = first;
            while self.nodes[last as usize].next != 0 {
                last = self.nodes[last as usize].next;
            }
            self.nodes[last as usize].next = self.free;
            self.free = first;
        }
    }
}

/// Throwing records away: the cells move what they name to new tables.
pub(super) struct Collection {
    old: Records,
    moved: Vec<u32>,
    new: Records,
}

impl Collection {
    pub fn begin(records: &mut Records) -> Self {
        let old = std::mem::take(records);
        let new = Records { last: vec![0; old.last.len()], acquired: old.acquired, ..Records::default() };
        Self { moved: vec![0; old.records.len()], old, new }
    }

    fn record(&mut self, old: u32) -> u32 {
        let moved = &mut self.moved[old as usize];
        if *moved == 0 {
            *moved = self.new.records.len() as u32;
            self.new.records.push(self.old.records[old as usize]);
        }
        *moved
    }

    pub fn set(&mut self, set: u32) -> u32 {
        if set <= INITIALISED {
            return set;
        }
        if set & LIST == 0 {
            return self.record(set >> 5) << 5 | set & 31;
        }
        let (mut node, mut next) = (set & !LIST, 0);
        while node != 0 {
            let Node { record, lanes, next: following } = self.old.nodes[node as usize];
            let record = self.record(record);
            next = self.new.node(record, lanes, next);
            node = following;
        }
        LIST | next
    }

    /// The new tables; `None` if the accesses to remember are more than [`MOST_RECORDS`].
    pub fn end(mut self) -> Option<Records> {
        self.new.limit = RECORDS.max(2 * self.new.records.len().max(self.new.nodes.len())).min(MOST_RECORDS);
        (!self.new.full()).then_some(self.new)
    }
}

impl Cell {
    /// Returns true if something wrote it.
    #[inline]
    pub fn is_initialised(self) -> bool {
        self.write != 0
    }
}

#[cfg(test)]
mod tests;
