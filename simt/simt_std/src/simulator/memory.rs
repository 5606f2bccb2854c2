//! Simulated memory: bytes, and a shadow for each word that knows who touched it last.

use super::fault::{Access, FaultKind, Thread};
use crate::{Word, global::Global};
use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

/// A kind of memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Space {
    /// The device's, seen by all blocks.
    Global,
    /// A block's own.
    Shared,
}

impl fmt::Display for Space {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Space::Global => "global",
            Space::Shared => "shared",
        })
    }
}

/// An allocation of global memory, of elements of `T`.
#[derive(Debug)]
pub struct Buffer<T> {
    address: u64,
    len: usize,
    element: PhantomData<T>,
}

impl<T> Buffer<T> {
    /// Elements.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it holds no element.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    pub(super) fn address(&self) -> u64 {
        self.address
    }
}

impl<T: Word> Buffer<T> {
    /// What a kernel is given.
    pub fn handle(&self) -> Global<T> {
        Global::at(self.address)
    }
}

/// Who accesses, as the race check sees it.
pub(super) struct Who {
    /// Number of the launch, so that old records count no more.
    pub launch: u32,
    pub block: u32,
    /// Linear in the block.
    pub thread: u32,
    /// Block barriers passed.
    pub epoch: u32,
    /// What this lane knows of the lanes of its warp: the number of warp barriers that each had passed when it last
    /// met this one, directly or through others. Its own entry is its own count.
    pub clocks: [u32; 32],
    pub location: &'static Location<'static>,
    /// To name threads in faults.
    pub name: fn(u32, u32, [u32; 3], [u32; 3]) -> Thread,
    pub block_dim: [u32; 3],
    pub grid_dim: [u32; 3],
}

impl Who {
    fn warp(&self) -> u32 {
        self.thread / 32
    }

    fn clock(&self) -> u32 {
        self.clocks[(self.thread % 32) as usize]
    }
}

/// One remembered access, or the reads of several lanes of one warp at one clock.
#[derive(Debug, Clone, Copy)]
struct Record {
    launch: u32,
    block: u32,
    warp: u32,
    lanes: u32,
    epoch: u32,
    clock: u32,
    access: Access,
    location: &'static Location<'static>,
}

impl Record {
    fn new(who: &Who, access: Access) -> Self {
        Self {
            launch: who.launch,
            block: who.block,
            warp: who.warp(),
            lanes: 1 << (who.thread % 32),
            epoch: who.epoch,
            clock: who.clock(),
            access,
            location: who.location,
        }
    }

    /// A lane of this record whose access is not ordered before `who`.
    fn unordered_lane(&self, who: &Who) -> Option<u32> {
        if self.launch != who.launch {
            return None;
        }
        if self.block != who.block {
            return Some(self.lanes.trailing_zeros());
        }
        if self.epoch < who.epoch {
            return None;
        }
        if self.warp != who.warp() {
            return Some(self.lanes.trailing_zeros());
        }
        let own = who.thread % 32;
        (0..32).find(|&l| self.lanes >> l & 1 == 1 && l != own && who.clocks[l as usize] < self.clock)
    }
}

/// What is known of one word.
#[derive(Debug, Clone, Copy, Default)]
struct Shadow {
    initialised: bool,
    write: Option<Record>,
    read: Option<Record>,
    /// A read by another warp than `read`'s.
    other_read: Option<Record>,
}

impl Shadow {
    fn conflict(&self, who: &Who, access: Access) -> Option<(Record, u32)> {
        let reads = [self.read, self.other_read];
        let against = |r: &Option<Record>| {
            r.filter(|r| !(r.access == Access::Atomic && access == Access::Atomic))
                .and_then(|r| r.unordered_lane(who).map(|lane| (r, lane)))
        };
        against(&self.write).or_else(|| match access {
            Access::Read => None,
            Access::Write | Access::Atomic => reads.iter().find_map(against),
        })
    }

    fn note_read(&mut self, who: &Who) {
        let new = Record::new(who, Access::Read);
        match &mut self.read {
            Some(r) if r.launch == new.launch && r.block == new.block && r.warp == new.warp => {
                if r.epoch == new.epoch && r.clock == new.clock {
                    r.lanes |= new.lanes;
                } else {
                    *r = new;
                }
            }
            Some(r) if r.unordered_lane(who).is_some() => self.other_read = Some(new),
            _ => self.read = Some(new),
        }
    }

    fn note_write(&mut self, who: &Who, access: Access) {
        *self = Shadow { initialised: true, write: Some(Record::new(who, access)), read: None, other_read: None };
    }
}

/// A declared array in shared memory, or all of the dynamic shared memory.
#[derive(Debug, Clone, Copy)]
struct SharedArray {
    start: u64,
    bytes: u64,
    /// None for the dynamic shared memory, which has no elements.
    name: Option<&'static str>,
    element: u64,
}

impl SharedArray {
    /// An address as an element, which may be in front of the array or behind it.
    fn place(&self, address: u64) -> String {
        // An address of shared memory has 32 bits.
        let bytes = i64::from((address as u32).wrapping_sub(self.start as u32) as i32);
        match self.name {
            Some(name) => format!("element {} of `{name}`", bytes.div_euclid(self.element as i64)),
            None => format!("byte {bytes} of the dynamic shared memory"),
        }
    }
}

/// A run of bytes with its shadow.
#[derive(Debug)]
pub(super) struct Region {
    space: Space,
    name: String,
    base: u64,
    /// Bytes of an element, for names.
    element: u64,
    /// Bytes of a shadow.
    granule: u64,
    bytes: Vec<u8>,
    shadow: Vec<Shadow>,
    /// Shared arrays, by where they start; none in global memory, where each has a region of its own.
    arrays: Vec<SharedArray>,
    /// Counts changes of value: how the scheduler sees progress.
    pub changes: u64,
}

impl Region {
    fn new(space: Space, name: &str, base: u64, element: u64, bytes: u64) -> Self {
        let granule = element.min(4);
        Self {
            space,
            name: name.into(),
            base,
            element,
            granule,
            bytes: vec![0; bytes as usize],
            shadow: vec![Shadow::default(); bytes.div_ceil(granule) as usize],
            arrays: Vec::new(),
            changes: 0,
        }
    }

    /// A block's shared memory: bytes can be accessed one by one.
    pub fn shared(bytes: u32) -> Self {
        let dynamic = SharedArray { start: 0, bytes: bytes.into(), name: None, element: 1 };
        Self { arrays: vec![dynamic], ..Self::new(Space::Shared, "shared memory", 0, 1, bytes.into()) }
    }

    /// Makes it longer by a static array at its end, `bytes` in all then.
    pub fn grow(&mut self, bytes: u32, name: &'static str, element: u64) {
        let start = self.len().next_multiple_of(16);
        self.arrays.push(SharedArray { start, bytes: u64::from(bytes) - start, name: Some(name), element });
        self.bytes.resize(bytes as usize, 0);
        self.shadow.resize((u64::from(bytes)).div_ceil(self.granule) as usize, Shadow::default());
    }

    pub fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// The byte of the region that an address is.
    pub fn offset_of(&self, address: u64) -> u64 {
        address.wrapping_sub(self.base)
    }

    fn place(&self, address: u64) -> String {
        match self.space {
            Space::Shared => self.shared_array(address).map_or_else(String::new, |array| array.place(address)),
            Space::Global => format!(
                "element {} of `{}` ({} elements)",
                address.wrapping_sub(self.base) as i64 / self.element as i64,
                self.name,
                self.len() / self.element
            ),
        }
    }

    /// The shared array that an address lies in or behind.
    fn shared_array(&self, address: u64) -> Option<&SharedArray> {
        self.arrays.iter().rev().find(|array| array.start <= address)
    }

    /// Makes sure that an access by the handle of an array that starts at `array` is in that array, where there may be several.
    fn check_array(&self, array: u64, address: u64, size: u64) -> Result<(), FaultKind> {
        let outside = |of: &&SharedArray| address < of.start || address + size > of.start + of.bytes;
        match self.shared_array(array).filter(outside) {
            None => Ok(()),
            Some(array) => {
                let unit = if array.name.is_some() { "elements" } else { "bytes" };
                let place = format!("{} ({} {unit})", array.place(address), array.bytes / array.element);
                Err(FaultKind::OutOfBounds { space: self.space, place })
            }
        }
    }

    /// The offset of an access that is inside and aligned.
    fn offset(&self, address: u64, size: u64) -> Result<usize, FaultKind> {
        let offset = address.wrapping_sub(self.base);
        if offset.checked_add(size).is_none_or(|end| end > self.len()) {
            return Err(FaultKind::OutOfBounds { space: self.space, place: self.place(address) });
        }
        if !address.is_multiple_of(size) {
            return Err(FaultKind::Misaligned { space: self.space, address, size: size as u32 });
        }
        Ok(offset as usize)
    }

    fn shadows(&mut self, offset: usize, size: u64) -> &mut [Shadow] {
        let first = offset / self.granule as usize;
        let last = (offset + size as usize - 1) / self.granule as usize;
        &mut self.shadow[first..=last]
    }

    fn check_race(
        &mut self,
        address: u64,
        offset: usize,
        size: u64,
        who: &Who,
        access: Access,
    ) -> Result<(), FaultKind> {
        let found = self.shadows(offset, size).iter().find_map(|s| s.conflict(who, access));
        match found {
            None => Ok(()),
            Some((earlier, lane)) => Err(FaultKind::Race {
                space: self.space,
                place: self.place(address),
                access,
                earlier: earlier.access,
                earlier_thread: (who.name)(earlier.block, earlier.warp * 32 + lane, who.block_dim, who.grid_dim),
                earlier_location: earlier.location,
            }),
        }
    }

    /// `array`: where the handle's array starts.
    pub fn read<T: Word>(&mut self, array: u64, address: u64, who: &Who) -> Result<T, FaultKind> {
        let size = size_of::<T>() as u64;
        self.check_array(array, address, size)?;
        let offset = self.offset(address, size)?;
        self.check_race(address, offset, size, who, Access::Read)?;
        let mut initialised = true;
        for shadow in self.shadows(offset, size) {
            initialised &= shadow.initialised;
            shadow.note_read(who);
        }
        if !initialised {
            return Err(FaultKind::Uninitialised { space: self.space, place: self.place(address) });
        }
        Ok(bytemuck::pod_read_unaligned(&self.bytes[offset..offset + size as usize]))
    }

    /// As [`read`](Self::read).
    pub fn write<T: Word>(&mut self, array: u64, address: u64, value: T, who: &Who) -> Result<(), FaultKind> {
        let size = size_of::<T>() as u64;
        self.check_array(array, address, size)?;
        let offset = self.offset(address, size)?;
        self.check_race(address, offset, size, who, Access::Write)?;
        for shadow in self.shadows(offset, size) {
            shadow.note_write(who, Access::Write);
        }
        self.put(offset, bytemuck::bytes_of(&value));
        Ok(())
    }

    /// `reads`: whether the operation looks at the value before.
    pub fn atomic<T: Word>(
        &mut self,
        address: u64,
        reads: bool,
        change: impl FnOnce(T) -> T,
        who: &Who,
    ) -> Result<T, FaultKind> {
        let size = size_of::<T>() as u64;
        let offset = self.offset(address, size)?;
        self.check_race(address, offset, size, who, Access::Atomic)?;
        let old: T = bytemuck::pod_read_unaligned(&self.bytes[offset..offset + size as usize]);
        let new = change(old);
        for shadow in self.shadows(offset, size) {
            if reads && !shadow.initialised {
                return Err(FaultKind::Uninitialised { space: self.space, place: self.place(address) });
            }
            shadow.note_write(who, Access::Atomic);
        }
        self.put(offset, bytemuck::bytes_of(&new));
        Ok(old)
    }

    fn put(&mut self, offset: usize, new: &[u8]) {
        let old = &mut self.bytes[offset..offset + new.len()];
        if old != new {
            old.copy_from_slice(new);
            self.changes += 1;
        }
    }
}

/// Where an allocation's addresses start: its number in the upper bits, so that an address names its allocation and no
/// two are neighbours.
const REGION_SHIFT: u32 = 40;

/// The number of the allocation that an address belongs to, for a trace.
pub(super) fn region_number(address: u64) -> u64 {
    slot(address) as u64
}

/// The number of the allocation that an address belongs to. One just in front of an allocation belongs to it too: that
/// is what a wrong index looks like.
fn slot(address: u64) -> usize {
    ((address.wrapping_add(1 << (REGION_SHIFT - 1)) >> REGION_SHIFT) as usize).wrapping_sub(1)
}

/// Global memory.
#[derive(Debug, Default)]
pub(super) struct Memory {
    regions: Vec<Option<Region>>,
    launch: u32,
    nowhere: Option<Region>,
}

impl Memory {
    pub fn alloc<T: Word>(&mut self, len: usize, name: &str) -> Buffer<T> {
        let base = (self.regions.len() as u64 + 1) << REGION_SHIFT;
        let element = size_of::<T>() as u64;
        self.regions.push(Some(Region::new(Space::Global, name, base, element, len as u64 * element)));
        Buffer { address: base, len, element: PhantomData }
    }

    pub fn free(&mut self, address: u64) {
        if let Some(region) = self.regions.get_mut(slot(address)) {
            *region = None;
        }
    }

    pub fn allocated(&self) -> u64 {
        self.regions.iter().flatten().map(Region::len).sum()
    }

    /// A kernel launch orders everything before it.
    pub fn next_launch(&mut self) {
        self.launch += 1;
    }

    pub fn launch(&self) -> u32 {
        self.launch
    }

    /// The allocation that an address belongs to, or an empty one.
    pub fn region(&mut self, address: u64) -> &mut Region {
        match self.regions.get_mut(slot(address)) {
            Some(Some(region)) => region,
            _ => self.nowhere.insert(Region::new(Space::Global, "no allocation", 0, 1, 0)),
        }
    }

    pub fn changes(&self) -> u64 {
        self.regions.iter().flatten().map(|r| r.changes).sum()
    }

    pub fn upload<T: Word>(&mut self, buffer: &Buffer<T>, data: &[T]) -> Result<(), FaultKind> {
        if data.is_empty() {
            return Ok(());
        }
        let region = self.region(buffer.address);
        let size = size_of_val(data) as u64;
        if size > region.len() {
            return Err(FaultKind::OutOfBounds { space: Space::Global, place: region.place(buffer.address + size) });
        }
        region.bytes[..size as usize].copy_from_slice(bytemuck::cast_slice(data));
        for shadow in region.shadows(0, size) {
            *shadow = Shadow { initialised: true, ..Shadow::default() };
        }
        Ok(())
    }

    pub fn download<T: Word>(&mut self, buffer: &Buffer<T>, start: usize, len: usize) -> Result<Vec<T>, FaultKind> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let region = self.region(buffer.address);
        let (first, size) = (start.saturating_mul(size_of::<T>()), len as u64 * size_of::<T>() as u64);
        if (first as u64).saturating_add(size) > region.len() {
            let place = region.place(buffer.address.wrapping_add(first as u64).wrapping_add(size));
            return Err(FaultKind::OutOfBounds { space: Space::Global, place });
        }
        if let Some(i) = region.shadows(first, size).iter().position(|s| !s.initialised) {
            let place = region.place(buffer.address + first as u64 + i as u64 * region.granule);
            return Err(FaultKind::Uninitialised { space: Space::Global, place });
        }
        let bytes = &region.bytes[first..first + size as usize];
        Ok(bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
    }
}
