//! Pages of memory: bytes, and the last accesses of each word in 8 bytes.
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
//!
//! # Views
//!
//! Host threads that run different blocks of a launch have a *view* of the memory each: the pages
//! as they were before the launch, which all views share, and copies of the pages that the view's
//! blocks have accessed. After the launch, the views are [joined](Pages::join) if they are
//! [independent](Pages::are_independent).

use super::records::{Cell, Collection, INITIALISED, PENDING, Records, WRITTEN};
use std::sync::Arc;

/// Size of a page in bytes.
pub(super) const PAGE: usize = 4096;

/// The bytes of a page and their last accesses.
#[derive(Debug, Clone, Default)]
struct Page {
    /// Empty if nothing has touched the page, or in a view: if it has the content of the base.
    bytes: Vec<u8>,
    /// Empty if no access has touched the page: all bytes are then as `initialised` says.
    cells: Vec<Cell>,
    /// Launch that the cells belong to.
    launch: u32,
    /// A granule has 2^shift bytes.
    shift: u8,
    initialised: bool,
}

/// A run of bytes with their last accesses.
#[derive(Debug, Clone, Default)]
pub(super) struct Pages {
    len: usize,
    pages: Vec<Page>,
    /// The pages before the launch, in a view.
    base: Option<Arc<Vec<Page>>>,
}

/// A page that a launch has accessed.
#[derive(Debug, Clone, Copy)]
pub(super) struct AccessedPage<'p> {
    pub number: usize,
    pub bytes: usize,
    /// The last launch that has accessed it.
    pub launch: u32,
    /// A granule has 2^shift bytes.
    pub shift: u8,
    pub cells: &'p [Cell],
}

impl Pages {
    /// Extends the run to `len` bytes; the new ones are uninitialised.
    pub fn grow(&mut self, len: usize) {
        self.pages.resize_with(len.div_ceil(PAGE), Page::default);
        let last = self.len / PAGE;
        if let Some(page) = self.pages.get_mut(last) {
            let in_page = (len - last * PAGE).min(PAGE);
            if !page.bytes.is_empty() {
                page.bytes.resize(in_page, 0);
            }
            if !page.cells.is_empty() {
                page.cells.resize(in_page.div_ceil(1 << page.shift), Cell::default());
            }
        }
        self.len = len;
    }

    /// Returns the number of bytes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns the number of bytes in a page.
    fn bytes_in(&self, page: usize) -> usize {
        (self.len - page * PAGE).min(PAGE)
    }

    /// Returns the cells of an access, which is aligned to its size: 1, 2, 4, 8 or 16 bytes.
    #[inline]
    pub fn cells(&mut self, offset: usize, size: usize, launch: u32, records: &mut Records) -> &mut [Cell] {
        let page = &self.pages[offset / PAGE];
        if page.launch != launch || size < 1 << page.shift || page.cells.is_empty() {
            self.prepare(offset / PAGE, size, launch, records);
        }
        let page = &mut self.pages[offset / PAGE];
        let first = (offset % PAGE) >> page.shift;
        let last = (offset % PAGE + size - 1) >> page.shift;
        &mut page.cells[first..=last]
    }

    /// Makes a page fit an access of `size` bytes in this launch.
    #[cold]
    fn prepare(&mut self, number: usize, size: usize, launch: u32, records: &mut Records) {
        let bytes = self.bytes_in(number);
        let page = &mut self.pages[number];
        if page.bytes.is_empty() {
            match self.base.as_ref().map(|base| &base[number]).filter(|base| !base.bytes.is_empty()) {
                Some(base) => page.clone_from(base),
                None => page.bytes = vec![0; bytes],
            }
        }
        page.prepare(bytes, size, launch, records);
    }

    /// Returns the bytes of an access whose [`cells`](Self::cells) were requested before.
    #[inline]
    pub fn bytes(&mut self, offset: usize, size: usize) -> &mut [u8] {
        &mut self.pages[offset / PAGE].bytes[offset % PAGE..offset % PAGE + size]
    }

    /// Splits a range of bytes by pages, for the host's copies: page, first byte in it, number of
    /// bytes.
    pub fn runs(offset: usize, size: usize) -> impl Iterator<Item = (usize, usize, usize)> {
        let end = offset + size;
        let pages = offset / PAGE..end.div_ceil(PAGE);
        let run = move |page: usize| {
            let start = (page * PAGE).max(offset);
            (page, start % PAGE, ((page + 1) * PAGE).min(end) - start)
        };
        pages.map(run).filter(|(_, _, size)| *size > 0)
    }

    /// Copies the host's bytes to the run, from byte `offset` on.
    pub fn upload(&mut self, offset: usize, data: &[u8], launch: u32, records: &mut Records) {
        let mut data = data;
        for (number, first, size) in Self::runs(offset, data.len()) {
            let in_page = self.bytes_in(number);
            let (part, rest) = data.split_at(size);
            data = rest;
            let page = &mut self.pages[number];
            if size == in_page {
                let mut bytes = std::mem::take(&mut page.bytes);
                bytes.clear();
                bytes.extend_from_slice(part);
                *page = Page { bytes, initialised: true, ..Page::default() };
                continue;
            }
            // Granules start and end where the run does, unless it ends at the end of the memory.
            let end = if first + size == in_page { 0 } else { first + size };
            let width = 1 << (first | end | 16).trailing_zeros();
            self.prepare(number, width, launch, records);
            let page = &mut self.pages[number];
            page.bytes[first..first + size].copy_from_slice(part);
            let last = (first + size - 1) >> page.shift;
            page.cells[first >> page.shift..=last].fill(Cell { write: INITIALISED, reads: 0 });
        }
    }

    /// Returns a copy of a range of bytes, which are initialised.
    pub fn download(&self, offset: usize, size: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(size);
        for (number, first, size) in Self::runs(offset, size) {
            bytes.extend_from_slice(&self.pages[number].bytes[first..first + size]);
        }
        bytes
    }

    /// Returns the first uninitialised byte of a range.
    pub fn first_uninitialised(&self, offset: usize, size: usize) -> Option<usize> {
        self.first(offset, size, |page, cell| cell.map_or(!page.initialised, |cell| cell.write == 0))
    }

    /// Returns the first byte of a range that this launch, which has ended, has not written.
    pub fn first_unwritten(&self, offset: usize, size: usize, launch: u32) -> Option<usize> {
        self.first(offset, size, |page, cell| {
            page.launch != launch || cell.is_none_or(|cell| cell.write <= INITIALISED || cell.write == PENDING)
        })
    }

    /// Returns the first byte of a range whose cell is wanted; a page without cells has `None`.
    fn first(&self, offset: usize, size: usize, wanted: impl Fn(&Page, Option<Cell>) -> bool) -> Option<usize> {
        Self::runs(offset, size).find_map(|(number, first, size)| {
            let page = &self.pages[number];
            if page.cells.is_empty() {
                return wanted(page, None).then_some(number * PAGE + first);
            }
            let cells = first >> page.shift..=(first + size - 1) >> page.shift;
            let found = cells.into_iter().find(|&cell| wanted(page, Some(page.cells[cell])))?;
            Some(number * PAGE + (found << page.shift).max(first))
        })
    }

    /// Returns the last launch that has accessed the bytes, or 0. Of launches on several host threads,
    /// only writes count.
    pub fn last_launch(&self) -> u32 {
        self.pages.iter().map(|page| page.launch).max().unwrap_or(0)
    }

    /// Returns the pages that launches from `since` on have accessed.
    pub fn accessed(&self, since: u32) -> impl Iterator<Item = AccessedPage<'_>> {
        let pages = self.pages.iter().enumerate();
        let accessed = pages.filter(move |(_, page)| page.launch >= since && !page.cells.is_empty());
        accessed.map(|(number, page)| AccessedPage {
            number,
            bytes: self.bytes_in(number),
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

    /// Makes this the first view: its pages become the base, which its clones share.
    pub fn share(&mut self) {
        let pages = std::mem::take(&mut self.pages);
        self.pages.resize_with(pages.len(), Page::default);
        self.base = Some(Arc::new(pages));
    }

    /// Returns true if no view has written a byte that another one has read or written.
    pub fn are_independent(views: &[&Pages]) -> bool {
        let Some(first) = views.first() else { return true };
        (0..first.pages.len()).all(|number| {
            let touched: Vec<&Page> =
                views.iter().map(|view| &view.pages[number]).filter(|page| page.is_used()).collect();
            touched.len() < 2 || Page::are_independent(&touched)
        })
    }

    /// Returns the memory after a launch from its views. If `keep` is false, the views' changes are
    /// dropped.
    pub fn join(views: Vec<Pages>, keep: bool) -> Pages {
        let len = views.first().map_or(0, |view| view.len);
        let base = views.first().and_then(|view| view.base.clone()).unwrap_or_default();
        let copies: Vec<Vec<Page>> = views.into_iter().map(|view| view.pages).collect();
        let mut pages = Arc::try_unwrap(base).unwrap_or_else(|base| (*base).clone());
        if keep {
            let mut written = vec![false; pages.len()];
            for (number, copy) in copies.into_iter().flat_map(|pages| pages.into_iter().enumerate()) {
                if copy.writes().next().is_some() {
                    if std::mem::replace(&mut written[number], true) {
                        pages[number].add(&copy);
                    } else {
                        pages[number] = copy;
                        pages[number].end_launch();
                    }
                }
            }
        }
        Pages { len, pages, base: None }
    }
}

impl Page {
    /// Makes the cells fit an access of `size` bytes in this launch.
    fn prepare(&mut self, bytes: usize, size: usize, launch: u32, records: &mut Records) {
        if self.cells.is_empty() {
            self.shift = size.trailing_zeros() as u8;
            let cell = Cell { write: if self.initialised { INITIALISED } else { 0 }, reads: 0 };
            self.cells = vec![cell; bytes.div_ceil(size)];
        } else if self.launch != launch {
            self.forget(records.pending_since);
        }
        self.launch = launch;
        let shift = size.trailing_zeros() as u8;
        if shift < self.shift {
            self.split(bytes, shift, |cell| Cell { write: records.copy(cell.write), reads: records.copy(cell.reads) });
        }
    }

    /// Forgets who made the accesses, but not the accesses by launches from `pending_since` on.
    fn forget(&mut self, pending_since: u32) {
        let is_pending = self.launch >= pending_since;
        let earlier = |set: u32| if is_pending && set >= WRITTEN { PENDING } else { 0 };
        for cell in &mut self.cells {
            let write = earlier(cell.write).max(u32::from(cell.write != 0) * INITIALISED);
            *cell = Cell { write, reads: earlier(cell.reads) };
        }
    }

    /// Forgets who made the accesses of the launch, but not which bytes it has written.
    fn end_launch(&mut self) {
        for cell in &mut self.cells {
            *cell = Cell { write: cell.write.min(WRITTEN), reads: 0 };
        }
    }

    /// Splits the granules into granules of 2^shift bytes, each with a copy of the cell.
    fn split(&mut self, bytes: usize, shift: u8, mut copy: impl FnMut(Cell) -> Cell) {
        let finer = 0..bytes.div_ceil(1 << shift);
        self.cells = finer.map(|part| copy(self.cells[part >> (self.shift - shift)])).collect();
        self.shift = shift;
    }

    /// Returns true if a launch has accessed the page.
    fn is_used(&self) -> bool {
        !self.cells.is_empty()
    }

    /// Returns the bytes that this launch has written, as ranges.
    fn writes(&self) -> impl Iterator<Item = std::ops::Range<usize>> {
        let written = self.cells.iter().enumerate().filter(|(_, cell)| cell.write > INITIALISED);
        written.map(|(i, _)| i << self.shift..((i + 1) << self.shift).min(self.bytes.len()))
    }

    /// Returns true if this launch has accessed one of these bytes.
    fn accesses(&self, bytes: &std::ops::Range<usize>) -> bool {
        let cells = &self.cells[bytes.start >> self.shift..=(bytes.end - 1) >> self.shift];
        cells.iter().any(|cell| cell.write > INITIALISED || cell.reads != 0)
    }

    /// See [`Pages::are_independent`].
    fn are_independent(views: &[&Page]) -> bool {
        views.iter().enumerate().all(|(writer, page)| {
            let mut others = views.iter().enumerate().filter(|(other, _)| *other != writer);
            others.all(|(_, other)| page.writes().all(|bytes| !other.accesses(&bytes)))
        })
    }

    /// Adds what another view has written to a page whose [launch has ended](Self::end_launch).
    fn add(&mut self, other: &Page) {
        if other.shift < self.shift {
            self.split(self.bytes.len(), other.shift, |cell| cell);
        }
        for bytes in other.writes() {
            self.bytes[bytes.clone()].copy_from_slice(&other.bytes[bytes.clone()]);
            let cells = bytes.start >> self.shift..=(bytes.end - 1) >> self.shift;
            self.cells[cells].fill(Cell { write: WRITTEN, reads: 0 });
        }
    }
}
