//! Shadow memory: the last accesses of each word, in 8 bytes.
//!
//! Memory is divided into pages of 4 KiB, and a page into *granules* as wide as the narrowest
//! access to it so far. A granule has a cell of two numbers, which refer to *records*: the accesses
//! of a warp's lanes at one source line between two synchronisations. A record is made once,
//! however many words the lanes access.
//!
//! ```text
//! page 7, granules of 4 bytes         records                       nodes
//! ┌───────┬───────┐                   3: block 0, warp 1, line 17   9: record 3, lanes 0-31 ──> 4
//! │ write │ reads │   one access:     4: block 0, warp 2, line 17   4: record 4, lane 7
//! ├───────┼───────┤   record and lane
//! │ 4, 31 │ ∙     │
//! │ 3, 2  │ 9 ────┼── several: a list of nodes
//! └───────┴───────┘
//! ```
//!
//! If an earlier access comes before the new one, and conflicts with nothing that the new one does
//! not conflict with, it is dropped: every access that races with it also races with the new one.
//! This keeps the lists short without missing a race.

use super::records::{Cell, Collection, INITIALISED, PENDING, Records};

/// Size of a page in bytes.
pub(super) const PAGE: usize = 4096;

/// The shadow of [`PAGE`] bytes.
#[derive(Debug, Default)]
struct Page {
    /// Empty if no access has touched the page: all bytes are then as `initialised` says.
    cells: Vec<Cell>,
    /// Launch that the cells belong to.
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
    /// Last launch that has accessed it.
    last: u32,
}

/// A page that a launch has accessed.
#[derive(Debug, Clone, Copy)]
pub(super) struct AccessedPage<'s> {
    pub number: usize,
    pub bytes: usize,
    /// The last launch that has accessed it.
    pub launch: u32,
    /// A granule has 2^shift bytes.
    pub shift: u8,
    pub cells: &'s [Cell],
}

impl Shadow {
    /// Extends the shadow by uninitialised bytes.
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

    /// Returns the cells of an access, which is aligned to its size: 1, 2, 4, 8 or 16 bytes.
    #[inline]
    pub fn cells(&mut self, offset: usize, size: usize, launch: u32, records: &mut Records) -> &mut [Cell] {
        let page = &mut self.pages[offset / PAGE];
        if page.launch != launch || size < 1 << page.shift || page.cells.is_empty() {
            page.prepare((self.bytes - offset / PAGE * PAGE).min(PAGE), size, launch, records);
            self.last = launch;
        }
        let first = (offset % PAGE) >> page.shift;
        let last = (offset % PAGE + size - 1) >> page.shift;
        &mut page.cells[first..=last]
    }

    /// Splits a range of bytes by pages, for the host's copies: page, first byte in it, number of
    /// bytes.
    pub fn runs(offset: usize, size: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let end = offset + size;
        (offset / PAGE..end.div_ceil(PAGE)).map(move |page| {
            let start = (page * PAGE).max(offset);
            (page, start % PAGE, ((page + 1) * PAGE).min(end) - start)
        })
    }

    /// Records that the host writes bytes.
    pub fn initialise(&mut self, offset: usize, size: usize, launch: u32, records: &mut Records) {
        for (number, first, size) in Self::runs(offset, size) {
            let in_page = (self.bytes - number * PAGE).min(PAGE);
            let page = &mut self.pages[number];
            if size == in_page {
                *page = Page { initialised: true, ..Page::default() };
                continue;
            }
            // Granules start and end where the run does, unless it ends at the end of the memory.
            let end = if first + size == in_page { 0 } else { first + size };
            let width = 1 << (first | end | 16).trailing_zeros();
            page.prepare(in_page, width, launch, records);
            let last = (first + size - 1) >> page.shift;
            page.cells[first >> page.shift..=last].fill(Cell { write: INITIALISED, reads: 0 });
        }
    }

    /// Returns the first uninitialised byte of a range.
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

    /// Returns the last launch that has accessed the bytes, or 0.
    pub fn last_launch(&self) -> u32 {
        self.last
    }

    /// Returns the pages that launches from `since` on have accessed.
    pub fn accessed(&self, since: u32) -> impl Iterator<Item = AccessedPage<'_>> {
        let pages = if self.last >= since { &self.pages[..] } else { &[] };
        let pages = pages.iter().enumerate().filter(move |(_, page)| page.launch >= since && !page.cells.is_empty());
        pages.map(|(number, page)| AccessedPage {
            number,
            bytes: (self.bytes - number * PAGE).min(PAGE),
            launch: page.launch,
            shift: page.shift,
            cells: &page.cells,
        })
    }

    /// Moves the records that the cells of a launch refer to.
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
            let is_pending = self.launch >= records.pending_since;
            let earlier = |set: u32| if is_pending && set >= PENDING { PENDING } else { 0 };
            for cell in &mut self.cells {
                let write = earlier(cell.write).max(u32::from(cell.write != 0) * INITIALISED);
                *cell = Cell { write, reads: earlier(cell.reads) };
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
