//! Simulated memory: allocations, and the accesses to them.

use super::access::{Access, Space};
use super::copies::{AsyncCopies, AsyncCopy};
use super::fault::FaultKind;
use super::order::View;
use super::pages::AccessedPage;
use super::pages::Pages;
use super::records::{Collection, Kind, Records};
use crate::Word;

/// The accessing thread, and the state that records its access.
pub(super) struct AccessContext<'a> {
    pub view: View<'a>,
    pub records: &'a mut Records,
    /// Number of the launch, so that accesses of earlier launches are ignored.
    pub launch: u32,
    /// Number of the source line.
    pub site: u32,
    /// Counts changes of a value; the scheduler sees progress from it.
    pub changes: &'a mut u64,
}

/// The reason why an access is refused.
#[derive(Debug)]
pub(super) enum Refusal {
    Fault(FaultKind),
    /// A race on `place` with the recorded access `earlier`, or a read-only access of memory that
    /// is written.
    Conflict {
        place: String,
        earlier: u32,
        /// True if the refused access is read-only.
        read_only: bool,
        /// True if it is a write of the value that memory has.
        same_value: bool,
    },
    /// An access of memory that an asynchronous copy is going to write.
    BeforeWait {
        place: String,
        copy: AsyncCopy,
    },
}

/// The result of an access.
pub(super) type Accessed<T> = Result<T, Box<Refusal>>;

fn refuse(kind: FaultKind) -> Box<Refusal> {
    Box::new(Refusal::Fault(kind))
}

/// A declared array in shared memory, or all of the dynamic shared memory.
#[derive(Debug, Clone, Copy)]
struct SharedArray {
    start: u64,
    bytes: u64,
    /// `None` for the dynamic shared memory, which has no elements.
    name: Option<&'static str>,
    element: u64,
}

impl SharedArray {
    /// Describes an address as an element, which may be before or after the array.
    fn place(&self, address: u64) -> String {
        let bytes = (address as i64).wrapping_sub(self.start as i64);
        match self.name {
            Some(name) => format!("element {} of `{name}`", bytes.div_euclid(self.element as i64)),
            None => format!("byte {bytes} of the dynamic shared memory"),
        }
    }
}

/// A run of bytes.
#[derive(Debug, Clone)]
pub(super) struct Region {
    space: Space,
    name: String,
    base: u64,
    /// Size of an element in bytes, for descriptions.
    element: u64,
    pages: Pages,
    /// Shared arrays by start address; empty in global memory, where each allocation has its own
    /// region.
    arrays: Vec<SharedArray>,
    /// Asynchronous copies on their way; always empty in global memory.
    pub copies: AsyncCopies,
    /// Size in bytes before it was freed, or `None` if it was not.
    freed: Option<u64>,
}

impl Region {
    fn new(space: Space, name: &str, base: u64, element: u64, bytes: u64) -> Self {
        let mut pages = Pages::default();
        pages.grow(bytes as usize);
        let (name, arrays, copies) = (name.into(), Vec::new(), AsyncCopies::default());
        Self { space, name, base, element, pages, arrays, copies, freed: None }
    }

    /// Frees the bytes, and keeps the name and the length for faults.
    fn free(&mut self) {
        let name = std::mem::take(&mut self.name);
        *self = Self { freed: Some(self.len()), ..Self::new(self.space, &name, self.base, self.element, 0) };
    }

    /// Makes a block's shared memory; each byte can be accessed.
    pub fn shared(bytes: u32) -> Self {
        let dynamic = SharedArray { start: 0, bytes: bytes.into(), name: None, element: 1 };
        Self { arrays: vec![dynamic], ..Self::new(Space::Shared, "shared memory", 0, 1, bytes.into()) }
    }

    /// Appends a static array, so that the region has `bytes` bytes.
    pub fn grow(&mut self, bytes: u32, name: &'static str, element: u64) {
        let start = self.len().next_multiple_of(16);
        self.arrays.push(SharedArray { start, bytes: u64::from(bytes) - start, name: Some(name), element });
        self.pages.grow(bytes as usize);
    }

    pub fn len(&self) -> u64 {
        self.pages.len() as u64
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the last launch that has accessed the region, or 0.
    pub fn last_launch(&self) -> u32 {
        self.pages.last_launch()
    }

    /// Describes the region: its name and its number of elements.
    pub fn in_words(&self) -> String {
        format!("`{}` ({} elements)", self.name, self.len() / self.element)
    }

    /// Returns the offset of an address in the region.
    pub fn offset_of(&self, address: u64) -> u64 {
        address.wrapping_sub(self.base)
    }

    /// Describes an address: the element and its array.
    pub fn place(&self, address: u64) -> String {
        match self.space {
            Space::Shared => self.shared_array(address).map_or_else(String::new, |array| array.place(address)),
            Space::Global if self.base == 0 => format!("address {address:#x}, which no allocation has"),
            Space::Global => {
                let element = (address.wrapping_sub(self.base) as i64).div_euclid(self.element as i64);
                let len = self.freed.unwrap_or(self.len()) / self.element;
                format!("element {element} of `{}` ({len} elements)", self.name)
            }
        }
    }

    /// Returns the shared array that contains the address, or the last one before it.
    fn shared_array(&self, address: u64) -> Option<&SharedArray> {
        self.arrays.iter().rev().find(|array| array.start <= address)
    }

    /// Checks that an access through the handle of an array that starts at `array` is inside that
    /// array. (A region in shared memory may have several arrays.)
    #[inline]
    fn check_array(&self, array: u64, address: u64, size: u64) -> Accessed<()> {
        let end = |of: &&SharedArray| address.wrapping_sub(of.start).checked_add(size);
        let outside = |of: &&SharedArray| end(of).is_none_or(|end| end > of.bytes);
        match self.shared_array(array).filter(outside) {
            None => Ok(()),
            Some(array) => {
                let unit = if array.name.is_some() { "elements" } else { "bytes" };
                let place = format!("{} ({} {unit})", array.place(address), array.bytes / array.element);
                Err(refuse(FaultKind::OutOfBounds { space: self.space, place }))
            }
        }
    }

    /// Returns the fault of an access outside the region.
    fn outside(&self, address: u64) -> FaultKind {
        let place = self.place(address);
        match self.freed {
            Some(_) => FaultKind::Freed { place },
            None => FaultKind::OutOfBounds { space: self.space, place },
        }
    }

    /// Checks that an access is inside and aligned, and returns its offset.
    #[inline]
    fn offset(&self, array: u64, address: u64, size: u64) -> Accessed<usize> {
        self.check_array(array, address, size)?;
        let offset = address.wrapping_sub(self.base);
        if offset.checked_add(size).is_none_or(|end| end > self.len()) {
            return Err(refuse(self.outside(address)));
        }
        if !address.is_multiple_of(size) {
            let (space, place) = (self.space, self.place(address));
            return Err(refuse(FaultKind::Misaligned { space, place, address, size: size as u32 }));
        }
        if !self.copies.is_empty()
            && let Some(copy) = self.copies.find(address, size)
        {
            return Err(Box::new(Refusal::BeforeWait { place: self.place(address), copy: *copy }));
        }
        Ok(offset as usize)
    }

    /// Records an access. Returns true if all bytes it touches were written before.
    #[inline]
    fn note(
        &mut self,
        address: u64,
        offset: usize,
        size: usize,
        kind: Kind,
        context: &mut AccessContext,
    ) -> Accessed<bool> {
        let number = context.records.number(&context.view, context.site, kind);
        let private = self.space == Space::Shared;
        let mut initialised = true;
        for cell in self.pages.cells(offset, size, context.launch, context.records) {
            initialised &= cell.is_initialised();
            if let Err(earlier) = context.records.note(cell, number, kind, &context.view, private) {
                let read_only = kind == Kind::READ_ONLY;
                let (place, same_value) = (self.place(address), false);
                return Err(Box::new(Refusal::Conflict { place, earlier, read_only, same_value }));
            }
        }
        Ok(initialised)
    }

    #[cold]
    fn uninitialised(&self, address: u64) -> Box<Refusal> {
        refuse(FaultKind::Uninitialised { space: self.space, place: self.place(address) })
    }

    /// Reads a word; `array` is the start address of the handle's array.
    #[inline]
    pub fn read<T: Word>(&mut self, array: u64, address: u64, kind: Kind, context: &mut AccessContext) -> Accessed<T> {
        let size = size_of::<T>();
        let offset = self.offset(array, address, size as u64)?;
        if !self.note(address, offset, size, kind, context)? {
            return Err(self.uninitialised(address));
        }
        Ok(bytemuck::pod_read_unaligned(self.pages.bytes(offset, size)))
    }

    /// Writes a word; the arguments are those of [`read`](Self::read).
    #[inline]
    pub fn write<T: Word>(&mut self, array: u64, address: u64, value: T, context: &mut AccessContext) -> Accessed<()> {
        let size = size_of::<T>();
        let offset = self.offset(array, address, size as u64)?;
        let new = bytemuck::bytes_of(&value);
        if let Err(mut refusal) = self.note(address, offset, size, Kind::WRITE, context) {
            if let Refusal::Conflict { same_value, .. } = &mut *refusal {
                *same_value = *self.pages.bytes(offset, size) == *new;
            }
            return Err(refusal);
        }
        self.put(offset, new, context);
        Ok(())
    }

    /// Changes a word atomically. If `instruction` is a read, the value stays; if it is a write,
    /// the old value is ignored. `wide`: the scope is larger than the block.
    pub fn atomic<T: Word>(
        &mut self,
        (array, address): (u64, u64),
        (instruction, wide): (Access, bool),
        change: impl FnOnce(T) -> T,
        context: &mut AccessContext,
    ) -> Accessed<T> {
        let size = size_of::<T>();
        let offset = self.offset(array, address, size as u64)?;
        let writes = instruction != Access::Read;
        let initialised = self.note(address, offset, size, Kind::atomic(writes, wide), context)?;
        if !initialised && instruction != Access::Write {
            return Err(self.uninitialised(address));
        }
        let old: T = bytemuck::pod_read_unaligned(self.pages.bytes(offset, size));
        let new = change(old);
        if writes {
            self.put(offset, bytemuck::bytes_of(&new), context);
        }
        Ok(old)
    }

    #[inline]
    fn put(&mut self, offset: usize, new: &[u8], context: &mut AccessContext) {
        let old = self.pages.bytes(offset, new.len());
        if old != new {
            old.copy_from_slice(new);
            *context.changes += 1;
        }
    }

    /// Moves the records that the last accesses refer to.
    pub fn collect(&mut self, launch: u32, collection: &mut Collection) {
        self.pages.collect(launch, collection);
    }
}

/// Number of address bits within an allocation. The allocation's number is in the bits above, so
/// that an address identifies its allocation and no two allocations are neighbours.
const REGION_SHIFT: u32 = 40;

/// Returns the number of the allocation that an address belongs to, for a trace.
pub(super) fn region_number(address: u64) -> u64 {
    slot(address) as u64
}

/// Returns the number of the allocation that an address belongs to. An address shortly before an
/// allocation also belongs to it, because a wrong index often leads there.
fn slot(address: u64) -> usize {
    ((address.wrapping_add(1 << (REGION_SHIFT - 1)) >> REGION_SHIFT) as usize).wrapping_sub(1)
}

/// Global memory.
#[derive(Debug, Clone, Default)]
pub(super) struct Memory {
    regions: Vec<Region>,
    launch: u32,
    nowhere: Option<Region>,
}

impl Memory {
    /// Allocates `len` elements and returns the address of the first.
    pub fn alloc<T: Word>(&mut self, len: usize, name: &str) -> u64 {
        let base = (self.regions.len() as u64 + 1) << REGION_SHIFT;
        let element = size_of::<T>() as u64;
        self.regions.push(Region::new(Space::Global, name, base, element, len as u64 * element));
        base
    }

    /// Returns the name and the start of the allocation that an address belongs to or is near.
    pub fn nearest(&self, address: u64) -> Option<(&str, u64)> {
        self.regions.get(slot(address)).map(|region| (region.name(), region.base))
    }

    pub fn free(&mut self, address: u64) {
        if let Some(region) = self.regions.get_mut(slot(address)) {
            region.free();
        }
    }

    pub fn allocated(&self) -> u64 {
        self.regions.iter().map(Region::len).sum()
    }

    /// Starts a new launch, which is ordered after everything before.
    pub fn next_launch(&mut self) {
        self.launch += 1;
    }

    pub fn launch(&self) -> u32 {
        self.launch
    }

    /// Moves the records that the last accesses refer to.
    pub fn collect(&mut self, collection: &mut Collection) {
        self.regions.iter_mut().for_each(|region| region.collect(self.launch, collection));
    }

    /// Returns the allocation that an address belongs to, or an empty one.
    pub fn region(&mut self, address: u64) -> &mut Region {
        match self.regions.get_mut(slot(address)) {
            Some(region) => region,
            None => self.nowhere.insert(Region::new(Space::Global, "", 0, 1, 0)),
        }
    }

    /// Returns the pages that launches from `since` on have accessed, with the address of their
    /// allocations.
    pub fn accessed(&self, since: u32) -> impl Iterator<Item = (u64, AccessedPage<'_>)> {
        self.regions.iter().flat_map(move |region| region.pages.accessed(since).map(|page| (region.base, page)))
    }

    /// Splits the memory into views for host threads that run different blocks of a launch.
    pub fn views(mut self, count: usize) -> Vec<Self> {
        self.regions.iter_mut().for_each(|region| region.pages.share());
        vec![self; count]
    }

    /// Joins the views after a launch. Returns false if one of them has written a byte that another
    /// one has read or written, or if `keep` is false: the memory is then as before the launch.
    pub fn join(mut views: Vec<Self>, keep: bool) -> (Self, bool) {
        let keep = keep && {
            let count = views.first().map_or(0, |view| view.regions.len());
            (0..count).all(|i| Pages::are_independent(&Vec::from_iter(views.iter().map(|view| &view.regions[i].pages))))
        };
        let mut joined = views.pop().unwrap_or_default();
        for (i, region) in joined.regions.iter_mut().enumerate() {
            let others = views.iter_mut().map(|view| std::mem::take(&mut view.regions[i].pages));
            let pages = others.chain([std::mem::take(&mut region.pages)]).collect();
            region.pages = Pages::join(pages, keep);
        }
        (joined, keep)
    }

    /// Describes an address: the element and its allocation.
    pub fn place(&self, address: u64) -> String {
        let nowhere = || Region::new(Space::Global, "", 0, 1, 0).place(address);
        self.regions.get(slot(address)).map_or_else(nowhere, |region| region.place(address))
    }

    /// Copies the host's data to the elements from `start` on of the allocation at `address`.
    pub fn upload<T: Word>(
        &mut self,
        address: u64,
        start: usize,
        data: &[T],
        records: &mut Records,
    ) -> Result<(), FaultKind> {
        if data.is_empty() {
            return Ok(());
        }
        let launch = self.launch;
        let region = self.region(address);
        let (first, size) = (start.saturating_mul(size_of::<T>()), size_of_val(data));
        if (first as u64).saturating_add(size as u64) > region.len() {
            return Err(region.outside(address.wrapping_add(first as u64).wrapping_add(size as u64)));
        }
        region.pages.upload(first, bytemuck::cast_slice(data), launch, records);
        Ok(())
    }

    /// Copies `len` elements from `start` on of the allocation at `address`. `last_launch`
    /// describes the last launch, for a fault.
    pub fn download<T: Word>(
        &mut self,
        address: u64,
        start: usize,
        len: usize,
        last_launch: Option<&str>,
    ) -> Result<Vec<T>, FaultKind> {
        if len == 0 {
            return Ok(Vec::new());
        }
        let [first, size] = [start, len].map(|count| (count as u64).saturating_mul(size_of::<T>() as u64));
        // From the allocation's start, so that a sum that wraps around finds no other allocation.
        self.check(address, first.saturating_add(size))?;
        self.download_at(address + first, len, last_launch)
    }

    /// Checks that `bytes` bytes at an address are inside one allocation.
    pub fn check(&mut self, address: u64, bytes: u64) -> Result<(), FaultKind> {
        let region = self.region(address);
        let first = address.wrapping_sub(region.base);
        if first.checked_add(bytes).is_none_or(|end| end > region.len()) {
            return Err(region.outside(address.wrapping_add(bytes)));
        }
        Ok(())
    }

    /// Checks that the last launch has written each element of the allocation at `address`.
    pub fn check_written(&mut self, address: u64, last_launch: Option<&str>) -> Result<(), FaultKind> {
        let launch = self.launch;
        let region = self.region(address);
        let Some(byte) = region.pages.first_unwritten(0, region.pages.len(), launch) else { return Ok(()) };
        let place = region.place(region.base + byte as u64);
        Err(FaultKind::Unwritten { place, last_launch: last_launch.map(Into::into) })
    }

    /// Copies `len` elements at an address; otherwise as [`download`](Self::download).
    pub fn download_at<T: Word>(
        &mut self,
        address: u64,
        len: usize,
        last_launch: Option<&str>,
    ) -> Result<Vec<T>, FaultKind> {
        let size = (len as u64).saturating_mul(size_of::<T>() as u64);
        self.check(address, size)?;
        let region = self.region(address);
        let first = address.wrapping_sub(region.base) as usize;
        if let Some(byte) = region.pages.first_uninitialised(first, size as usize) {
            let element = region.place(region.base + (first + byte) as u64);
            let last = last_launch.map_or_else(
                || "nothing was uploaded there, and no kernel has been launched".to_string(),
                |launch| format!("neither an upload nor a launch has written it; the last launch was {launch}"),
            );
            return Err(FaultKind::Uninitialised { space: Space::Global, place: format!("{element}: {last}") });
        }
        let bytes = region.pages.download(first, size as usize);
        Ok(bytes.chunks_exact(size_of::<T>()).map(bytemuck::pod_read_unaligned).collect())
    }
}
