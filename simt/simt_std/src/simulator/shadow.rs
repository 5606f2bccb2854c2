//! Shadow memory: who touched each word, in 8 bytes.
//!
//! Memory is cut into pages of 4 KiB, and a page into *granules* as wide as the narrowest access that it has seen. A
//! granule has a cell of two numbers, which name *records*: what the lanes of a warp did at one source line between two
//! meetings. A record is made once, however many words the lanes touch.
//!
//! ```text
//! page 7, granules of 4 bytes           records                          nodes
//! ┌───────┬───────┐                     3: block 0, warp 1, line 17      9: record 3, lanes 0-31 ──> 4
//! │ write │ reads │   one access:       4: block 0, warp 2, line 17      4: record 4, lane 7
//! ├───────┼───────┤   record and lane
//! │ 4, 31 │ ∙     │
//! │ 3, 2  │ 9 ────┼── several: a list of nodes
//! └───────┴───────┘
//! ```
//!
//! An access that comes before the new one, and conflicts with nothing that the new one does not conflict with, is
//! dropped: what races with it races with the new one too. So the lists are short, and nothing is lost.

use super::order::{At, View};

/// Bytes of a page.
const PAGE: usize = 4096;

/// Records after which those that no cell names are thrown away.
const RECORDS: usize = if cfg!(test) { 1 << 8 } else { 1 << 20 };

/// Records that can be told apart: 26 bits.
const MOST_RECORDS: usize = 1 << 26;

/// Unordered accesses of one word by different warps that are remembered once a thread has acquired.
const MOST_NODES: u32 = 64;

/// What an access does, in three bits.
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

/// What lanes of a warp did at one source line between two meetings.
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

/// What a granule remembers. Each number is 0, or [`INITIALISED`], or a record's number × 32 + a lane, or [`LIST`] and a
/// node's number.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cell {
    write: u32,
    reads: u32,
}

/// Written before this launch.
const INITIALISED: u32 = 1;
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
    /// Whether a thread may have acquired: then two different warps do not stand for all.
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

    /// Whether it is time to [`Collection::begin`].
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
        // In shared memory nobody but the block can come: what its barriers have ordered can race with nothing.
        let droppable = |record: Record| {
            let (old, new) = (record.kind().strength(), kind.strength());
            let reach = old < new || (old == new && (old != Kind::BLOCK || record.block == view.at.block));
            reach || (private && record.epoch < view.at.epoch)
        };
        if *set & LIST == 0 {
            let old = self.records[(*set >> 5) as usize];
            if droppable(old) && view.knows(old.at(*set & 31)) {
                *set = number.unwrap_or(0);
            } else if let Some(number) = number.filter(|number| number != set) {
                let lane = |number: u32| (number >> 5, 1 << (number & 31));
                let ((record, lanes), (other, more)) = (lane(*set), lane(number));
                let node = if record == other {
                    self.node(record, lanes | more, 0)
                } else {
                    let second = self.node(record, lanes, 0);
                    self.node(other, more, second)
                };
                *set = LIST | node;
            }
            return;
        }
        let own = number.map(|number| (number >> 5, 1 << (number & 31)));
        let head = &mut self.nodes[(*set & !LIST) as usize];
        if let Some((own, bit)) = own
            && own == head.record
        {
            head.lanes |= bit;
            return;
        }
        let (mut first, mut before, mut node) = (*set & !LIST, 0, *set & !LIST);
        let (mut found, mut count) = (own.is_none(), 0u32);
        // Two that the new access does not know, of different blocks or of two warps of its own block: until a thread
        // acquires, nobody can come after both of them and not after the new one. So this one need not be remembered.
        let (mut one, mut pair) = (None::<Record>, false);
        while node != 0 {
            let Node { record: number, lanes, next } = self.nodes[node as usize];
            let record = self.records[number as usize];
            let known = view.known_lanes(record.at(0), lanes);
            let mut left = if droppable(record) { lanes & !known } else { lanes };
            if let Some((own, bit)) = own
                && own == number
            {
                left |= bit;
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
                if known == 0 && record.kind().strength() >= kind.strength() {
                    match one {
                        None => one = Some(record),
                        Some(one) if one.block != record.block => pair = true,
                        Some(one) => pair |= record.block == view.at.block && (one.what ^ record.what) & 31 != 0,
                    }
                }
            }
            node = next;
        }
        let full = if self.acquired { count >= MOST_NODES && kind != Kind::READ_ONLY } else { pair };
        if !found && !full {
            let (record, bit) = own.unwrap_or_default();
            first = self.node(record, bit, first);
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
    fn copy(&mut self, set: u32) -> u32 {
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

    fn set(&mut self, set: u32) -> u32 {
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

    /// The new tables; `None` if there are more accesses to remember than can be told apart.
    pub fn end(mut self) -> Option<Records> {
        self.new.limit = RECORDS.max(2 * self.new.records.len().max(self.new.nodes.len())).min(MOST_RECORDS);
        (!self.new.full()).then_some(self.new)
    }
}

/// The shadow of [`PAGE`] bytes.
#[derive(Debug, Default)]
struct Page {
    /// None, and all bytes are as `initialised` says, touched by nobody.
    cells: Vec<Cell>,
    /// The launch that the cells are of.
    launch: u32,
    /// A granule has 2^shift bytes.
    shift: u8,
    initialised: bool,
}

/// The shadow of a run of bytes.
#[derive(Debug, Default)]
pub(super) struct Shadow {
    bytes: usize,
    pages: Vec<Page>,
}

impl Shadow {
    /// Makes it longer, by bytes that nothing wrote.
    pub fn grow(&mut self, bytes: usize) {
        self.pages.resize_with(bytes.div_ceil(PAGE), Page::default);
        if let Some(page) = self.pages.get_mut(self.bytes / PAGE)
            && !page.cells.is_empty()
        {
            let in_page = (bytes - self.bytes / PAGE * PAGE).min(PAGE);
            page.cells.resize(in_page.div_ceil(1 << page.shift), Cell::default());
        }
        self.bytes = bytes;
    }

    /// The cells of an access, which is aligned to its size: 1, 2, 4, 8 or 16 bytes.
    #[inline]
    pub fn cells(&mut self, offset: usize, size: usize, launch: u32, records: &mut Records) -> &mut [Cell] {
        let page = &mut self.pages[offset / PAGE];
        if page.launch != launch || size < 1 << page.shift || page.cells.is_empty() {
            page.prepare((self.bytes - offset / PAGE * PAGE).min(PAGE), size, launch, records);
        }
        let first = (offset % PAGE) >> page.shift;
        let last = (offset % PAGE + size - 1) >> page.shift;
        &mut page.cells[first..=last]
    }

    /// Runs of bytes of one page, for the host's copies: page, first byte in it, bytes.
    fn runs(offset: usize, size: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let end = offset + size;
        (offset / PAGE..end.div_ceil(PAGE)).map(move |page| {
            let start = (page * PAGE).max(offset);
            (page, start % PAGE, ((page + 1) * PAGE).min(end) - start)
        })
    }

    /// The host writes bytes.
    pub fn initialise(&mut self, offset: usize, size: usize, launch: u32, records: &mut Records) {
        for (number, first, size) in Self::runs(offset, size) {
            let in_page = (self.bytes - number * PAGE).min(PAGE);
            let page = &mut self.pages[number];
            if size == in_page {
                *page = Page { initialised: true, ..Page::default() };
                continue;
            }
            // Granules that begin and end where the run does, if it does not end with the memory.
            let end = if first + size == in_page { 0 } else { first + size };
            let width = 1 << (first | end | 16).trailing_zeros();
            page.prepare(in_page, width, launch, records);
            let last = (first + size - 1) >> page.shift;
            page.cells[first >> page.shift..=last].fill(Cell { write: INITIALISED, reads: 0 });
        }
    }

    /// The first of some bytes that nothing wrote.
    pub fn first_uninitialised(&self, offset: usize, size: usize) -> Option<usize> {
        Self::runs(offset, size).find_map(|(number, first, size)| {
            let page = &self.pages[number];
            if page.cells.is_empty() {
                return (!page.initialised).then_some(number * PAGE + first);
            }
            let cells = first >> page.shift..=(first + size - 1) >> page.shift;
            let missing = cells.into_iter().find(|&cell| page.cells[cell].write == 0)?;
            Some(number * PAGE + (missing << page.shift).max(first))
        })
    }

    /// Moves the records that the cells of a launch name.
    pub fn collect(&mut self, launch: u32, collection: &mut Collection) {
        for cell in self.pages.iter_mut().filter(|page| page.launch == launch).flat_map(|page| &mut page.cells) {
            *cell = Cell { write: collection.set(cell.write), reads: collection.set(cell.reads) };
        }
    }
}

impl Page {
    /// Makes the cells fit an access of `size` bytes in this launch.
    #[cold]
    fn prepare(&mut self, bytes: usize, size: usize, launch: u32, records: &mut Records) {
        if self.cells.is_empty() {
            self.shift = size.trailing_zeros() as u8;
            let cell = Cell { write: if self.initialised { INITIALISED } else { 0 }, reads: 0 };
            self.cells = vec![cell; bytes.div_ceil(size)];
        } else if self.launch != launch {
            for cell in &mut self.cells {
                *cell = Cell { write: u32::from(cell.write != 0) * INITIALISED, reads: 0 };
            }
        }
        self.launch = launch;
        let finer = size.trailing_zeros() as u8;
        if finer < self.shift {
            let finer_cells = (0..bytes.div_ceil(size)).map(|part| {
                let cell = self.cells[part >> (self.shift - finer)];
                Cell { write: records.copy(cell.write), reads: records.copy(cell.reads) }
            });
            self.cells = finer_cells.collect();
            self.shift = finer;
        }
    }
}

impl Cell {
    /// Whether something wrote it.
    #[inline]
    pub fn is_initialised(self) -> bool {
        self.write != 0
    }
}

#[cfg(test)]
mod tests;
