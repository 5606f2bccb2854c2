//! Records of accesses, and the lists of records that the cells of [`pages`](super::pages) refer
//! to. A record stands for the accesses of a warp's lanes at one source line between two
//! synchronisations.

use super::known::Stamp;
use super::order::View;

/// Number of records that starts a collection, which discards the records without a reference from
/// a cell.
pub(super) const RECORDS: usize = if cfg!(test) { 1 << 8 } else { 1 << 20 };

/// Upper bound on records, whose numbers have 26 bits.
const MAX_RECORDS: usize = 1 << 26;

/// Maximum number of unordered accesses of one word by different warps that are recorded once a
/// thread has acquired.
const MAX_NODES: u32 = 64;

/// Type of an access, in three bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Kind(pub u32);

impl Kind {
    pub const READ: Kind = Kind(0);
    pub const WRITE: Kind = Kind(1);
    const ATOMIC: u32 = 2;
    const WIDE: u32 = 4;
    /// A read of memory that no thread may write in this launch.
    pub const READ_ONLY: Kind = Kind(Self::WIDE);

    /// Returns the type of an atomic access; `wide`: at a scope larger than the block.
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

    /// Returns how many types of accesses this one conflicts with, as a rank: a plain access
    /// conflicts with more than an atomic one of block scope, and that with more than one of device
    /// scope. A read-only access has the highest rank, because an order does not prevent its
    /// conflict.
    fn strength(self) -> u32 {
        if self == Self::READ_ONLY {
            return 3;
        }
        2 - u32::from(self.is_atomic()) - u32::from(self.0 & Self::WIDE != 0)
    }

    pub fn conflicts(self, other: Kind, same_block: bool) -> bool {
        let both = self.0 & other.0;
        (self.0 | other.0) & 1 != 0 && !(both & Self::ATOMIC != 0 && (same_block || both & Self::WIDE != 0))
    }
}

/// Accesses of a warp's lanes at one source line between two synchronisations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
struct Record {
    block: u32,
    epoch: u32,
    clock: u32,
    /// The line's number (24 bits), the type (3 bits) and the warp (5 bits).
    what: u32,
}

impl Record {
    fn kind(self) -> Kind {
        Kind(self.what >> 5 & 7)
    }

    fn at(self, lane: u32) -> Stamp {
        Stamp { block: self.block, epoch: self.epoch, warp: self.what & 31, lane, clock: self.clock }
    }
}

/// An element of a list of accesses.
#[derive(Debug, Clone, Copy, Default)]
struct Node {
    record: u32,
    lanes: u32,
    /// Number of the next node; 0 after the last.
    next: u32,
}

/// The recorded accesses of a granule. Each number is 0, [`INITIALISED`] or [`PENDING`], or a
/// record's number × 32 + a lane, or [`LIST`] and a node's number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    pub write: u32,
    pub reads: u32,
}

/// The granule was written before this launch.
pub(super) const INITIALISED: u32 = 1;

/// The `write` of a [`Cell`] that a launch wrote which has ended, without a record.
pub(super) const WRITTEN: u32 = 2;
/// The granule was accessed by an earlier launch that the host has not waited for.
pub(super) const PENDING: u32 = 3;
const LIST: u32 = 1 << 31;

/// An earlier access, for a fault.
#[derive(Debug, Clone, Copy)]
pub(super) struct Earlier {
    pub at: Stamp,
    pub kind: Kind,
    /// Number of the line.
    pub site: u32,
}

/// The records and lists of a launch.
#[derive(Debug)]
pub(super) struct Records {
    records: Vec<Record>,
    nodes: Vec<Node>,
    /// First node of the list of free nodes.
    free: u32,
    /// Last record made for each line and type.
    last: Vec<u32>,
    /// Number of records at which a collection is due.
    limit: usize,
    /// True if a thread may have acquired: a pair of earlier accesses then does not make a new one
    /// redundant (see [`Unordered`]).
    pub acquired: bool,
    /// First launch that the host has not waited for and whose accesses are not
    /// [recorded](super::past); `u32::MAX` if there is none.
    pub pending_since: u32,
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
            pending_since: u32::MAX,
        }
    }
}

/// A new access of a cell.
struct NewAccess<'a> {
    kind: Kind,
    view: &'a View<'a>,
    /// True in shared memory, which only its block can access.
    private: bool,
}

impl NewAccess<'_> {
    /// Returns true if an earlier access that comes before this one can be dropped: every access
    /// that races with it races with this one, too, or its block's barriers have ordered it before
    /// all later accesses.
    fn replaces(&self, record: Record) -> bool {
        let (old, new) = (record.kind().strength(), self.kind.strength());
        let reach = old < new || (old == new && (old != Kind::BLOCK || record.block == self.view.at.block));
        reach || (self.private && record.epoch < self.view.at.epoch)
    }
}

/// Lanes that share a record.
#[derive(Clone, Copy, Default)]
struct Lanes {
    record: u32,
    lanes: u32,
}

impl Lanes {
    /// Splits a number into its record and its lane.
    fn from_number(number: u32) -> Self {
        Self { record: number >> 5, lanes: 1 << (number & 31) }
    }
}

/// Earlier accesses that are not ordered before a new one.
#[derive(Default)]
struct Unordered {
    one: Option<Record>,
    /// True if two of them are of different blocks, or of two warps of the new access's own block.
    /// Until a thread acquires, an access that comes after both also comes after the new one, so
    /// the new one need not be recorded.
    is_pair: bool,
}

impl Unordered {
    fn note(&mut self, record: Record, new: &NewAccess) {
        match self.one {
            None => self.one = Some(record),
            Some(one) if one.block != record.block => self.is_pair = true,
            Some(one) => self.is_pair |= record.block == new.view.at.block && (one.what ^ record.what) & 31 != 0,
        }
    }
}

impl Records {
    /// Starts a launch, which is ordered after everything before.
    pub fn next_launch(&mut self, acquired: bool) {
        self.records.truncate(1);
        self.nodes.truncate(1);
        self.last.fill(0);
        (self.free, self.limit, self.acquired) = (0, RECORDS, acquired);
    }

    /// Returns the number that identifies a thread's present access in cells.
    #[inline]
    pub fn number(&mut self, view: &View, site: u32, kind: Kind) -> u32 {
        let Stamp { block, epoch, warp, lane, clock } = view.at;
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

    /// Returns the earlier access of a race.
    pub fn earlier(&self, number: u32) -> Earlier {
        let record = self.records[(number >> 5) as usize];
        Earlier { at: record.at(number & 31), kind: record.kind(), site: record.what >> 8 }
    }

    /// Returns a number that is the same only for sets with the same [`strongest`](Self::strongest)
    /// access but for its lane; 0 for a set without any.
    #[inline]
    pub fn group(set: u32) -> u32 {
        if set & LIST == 0 { set >> 5 } else { set }
    }

    /// Returns the access of a set that conflicts with the most others, or `None` if the set has no
    /// access of this launch.
    pub fn strongest(&self, set: u32) -> Option<Earlier> {
        if set <= PENDING {
            return None;
        }
        if set & LIST == 0 {
            return Some(self.earlier(set));
        }
        let (mut node, mut strongest) = (set & !LIST, None);
        while node != 0 {
            let Node { record, lanes, next } = self.nodes[node as usize];
            let access = self.earlier(record << 5 | lanes.trailing_zeros());
            let old = strongest.replace(access);
            strongest = old.filter(|old: &Earlier| old.kind.strength() >= access.kind.strength()).or(strongest);
            node = next;
        }
        strongest
    }

    /// Records an access in its cell. `private`: the memory belongs to a single block.
    ///
    /// # Errors
    /// The earlier access that it races with.
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
            if cell.write > PENDING {
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

    /// Searches a set for an access that conflicts with a new one and does not come before it.
    #[inline]
    fn check(&self, set: u32, kind: Kind, view: &View) -> Result<(), u32> {
        if set <= PENDING {
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

    /// Returns an access of a set that is not empty.
    #[cold]
    fn first(&self, set: u32) -> u32 {
        if set & LIST == 0 {
            return set;
        }
        let Node { record, lanes, .. } = self.nodes[(set & !LIST) as usize];
        record << 5 | lanes.trailing_zeros()
    }

    /// Returns true if a set has a read-only access. One of them stands for all.
    fn has_read_only(&self, set: u32) -> bool {
        if set & LIST == 0 {
            return set > PENDING && self.records[(set >> 5) as usize].kind() == Kind::READ_ONLY;
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

    /// Adds a new access to a set, and drops the accesses that come before it and conflict with
    /// nothing that it does not conflict with.
    fn add(&mut self, set: &mut u32, number: Option<u32>, kind: Kind, view: &View, private: bool) {
        if *set <= PENDING {
            if let Some(number) = number {
                *set = number;
            }
            return;
        }
        let new = NewAccess { kind, view, private };
        if *set & LIST == 0 {
            self.add_to_one(set, number, &new);
        } else {
            self.add_to_list(set, number, &new);
        }
    }

    /// Does the work of [`add`](Self::add) for a set of one access.
    fn add_to_one(&mut self, set: &mut u32, number: Option<u32>, new: &NewAccess) {
        let old = self.records[(*set >> 5) as usize];
        if new.replaces(old) && new.view.knows(old.at(*set & 31)) {
            *set = number.unwrap_or(0);
        } else if let Some(number) = number.filter(|number| number != set) {
            let (old, added) = (Lanes::from_number(*set), Lanes::from_number(number));
            let node = if old.record == added.record {
                self.node(old.record, old.lanes | added.lanes, 0)
            } else {
                let second = self.node(old.record, old.lanes, 0);
                self.node(added.record, added.lanes, second)
            };
            *set = LIST | node;
        }
    }

    /// Does the work of [`add`](Self::add) for a set of several accesses, a list of nodes.
    fn add_to_list(&mut self, set: &mut u32, number: Option<u32>, new: &NewAccess) {
        let own = number.map(Lanes::from_number);
        let head = &mut self.nodes[(*set & !LIST) as usize];
        if let Some(own) = own
            && own.record == head.record
        {
            head.lanes |= own.lanes;
            return;
        }
        if new.kind == Kind::READ && !self.acquired && self.begins_with_two_warps(*set & !LIST, new.view.at) {
            return;
        }
        let (mut first, mut before, mut node) = (*set & !LIST, 0, *set & !LIST);
        let (mut found, mut count) = (own.is_none(), 0u32);
        let mut unordered = Unordered::default();
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
                    unordered.note(record, new);
                }
            }
            node = next;
        }
        let full = if self.acquired { count >= MAX_NODES && new.kind != Kind::READ_ONLY } else { unordered.is_pair };
        if !found && !full {
            let Lanes { record, lanes } = own.unwrap_or_default();
            first = self.node(record, lanes, first);
        }
        *set = if first == 0 { 0 } else { LIST | first };
    }

    /// Returns true if a list begins with reads by two other warps of a thread's block since its
    /// last barrier: the shortest way to find that a further read is [`Unordered`] with a pair.
    fn begins_with_two_warps(&self, first: u32, at: Stamp) -> bool {
        let Node { record, next, .. } = self.nodes[first as usize];
        let [first, second] = [record, self.nodes[next as usize].record].map(|number| self.records[number as usize]);
        let reads = |other: Record| {
            let (block, epoch, warp) = (other.block, other.epoch, other.what & 31);
            (block, epoch) == (at.block, at.epoch) && warp != at.warp && other.kind() == Kind::READ
        };
        next != 0 && reads(first) && reads(second) && (first.what ^ second.what) & 31 != 0
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

    /// Copies a set for another cell.
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

    /// Frees the nodes of a set.
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

/// A garbage collection of records: the cells move the records that they refer to into new tables.
pub(super) struct Collection {
    old: Records,
    moved: Vec<u32>,
    new: Records,
}

impl Collection {
    pub fn begin(records: &mut Records) -> Self {
        let old = std::mem::take(records);
        let new = Records {
            last: vec![0; old.last.len()],
            acquired: old.acquired,
            pending_since: old.pending_since,
            ..Records::default()
        };
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
        if set <= PENDING {
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

    /// Returns the new tables, or `None` if more than [`MAX_RECORDS`] accesses must be recorded.
    pub fn end(mut self) -> Option<Records> {
        self.new.limit = RECORDS.max(2 * self.new.records.len().max(self.new.nodes.len())).min(MAX_RECORDS);
        (!self.new.full()).then_some(self.new)
    }
}

impl Cell {
    /// Returns true if an access has written it.
    #[inline]
    pub fn is_initialised(self) -> bool {
        self.write != 0
    }
}

#[cfg(test)]
mod tests;
