//! Texts of a list, copied from Python's objects if they are short: these then need no references
//! while other threads run, and the symbols lie together in memory.

use crate::ahead::{AHEAD, fetch};
use crate::layout::{Layout, Stored};
use crate::symbols::Kind;
use crate::text::latin;
use carrywave::pairs::{PairString, Symbols};
use pyo3::ffi;
use pyo3::prelude::*;
use pyo3::types::{PyList, PyTuple};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// Maximum mean number of characters. Copies of longer texts take more time than references.
const SHORT: usize = 64;
/// Number that is added to the number of texts, so that a short list may have a longer text.
const SPARE: usize = 64;
/// Number of texts between two checks for a signal.
const ROUND: usize = 64 * Copied::PART;

/// A list of texts. Some may be missing.
#[derive(Default)]
pub struct Copied {
    /// Each has [`PART`](Self::PART) texts, except for the last.
    parts: Vec<Part>,
    len: usize,
}

#[derive(Default)]
struct Part {
    items: Vec<Item>,
    bytes: Vec<u8>,
    numbers: Vec<u32>,
}

/// A place in the bytes or numbers of all texts.
#[derive(Clone, Copy)]
enum Item {
    Missing,
    /// Characters of one byte each.
    Latin {
        start: usize,
        len: u32,
    },
    Wide {
        start: usize,
        len: u32,
    },
}

/// A text.
pub enum Characters<'c> {
    /// One byte for each character.
    Latin(&'c [u8]),
    /// Code points, some above 255.
    Wide(&'c [u32]),
}

impl PairString for Characters<'_> {
    #[inline]
    fn symbols(&self) -> Symbols<'_> {
        match self {
            Self::Latin(bytes) => Symbols::Bytes(bytes),
            Self::Wide(numbers) => Symbols::Numbers(numbers),
        }
    }
}

/// Objects that texts are copied from.
#[derive(Clone, Copy)]
struct Objects<'o> {
    all: &'o [*mut ffi::PyObject],
    none: *mut ffi::PyObject,
    layout: Layout,
}

// SAFETY: the objects are only read, by functions whose callers keep them alive and unchanged.
unsafe impl Send for Objects<'_> {}
// SAFETY: as above.
unsafe impl Sync for Objects<'_> {}

impl Copied {
    /// Number of texts that a thread copies at a time.
    pub const PART: usize = 1 << 14;

    /// Copies a list or a tuple of short texts and None; `None` for any other object.
    pub fn from_object(object: &Bound<'_, PyAny>) -> PyResult<Option<Self>> {
        let (py, given) = (object.py(), object.as_ptr());
        if let Ok(list) = object.cast_exact::<PyList>() {
            // SAFETY: the list has this item.
            let item = |number: usize| unsafe { ffi::PyList_GetItem(given, number.cast_signed()) };
            // SAFETY: the list keeps its items until other code of Python runs.
            unsafe { Self::new(py, |number| (number < list.len()).then(|| item(number))) }
        } else if let Ok(tuple) = object.cast_exact::<PyTuple>() {
            // SAFETY: the tuple has this item.
            let item = |number: usize| unsafe { ffi::PyTuple_GetItem(given, number.cast_signed()) };
            // SAFETY: the tuple keeps its items.
            unsafe { Self::new(py, |number| (number < tuple.len()).then(|| item(number))) }
        } else {
            Ok(None)
        }
    }

    /// Copies short texts and None; `None` if there are others.
    pub fn from_items<'i, 'py: 'i>(
        py: Python<'py>,
        items: impl IntoIterator<Item = &'i Bound<'py, PyAny>>,
    ) -> PyResult<Option<Self>> {
        let mut items = items.into_iter();
        // SAFETY: the items live as long as their references.
        unsafe { Self::new(py, |_| items.next().map(Bound::as_ptr)) }
    }

    /// Copies the objects that `item` returns for the numbers from 0 on.
    ///
    /// # Safety
    /// The objects must live until other code of Python runs, which is before a call of `item` for
    /// a multiple of [`ROUND`].
    unsafe fn new(py: Python<'_>, mut item: impl FnMut(usize) -> Option<*mut ffi::PyObject>) -> PyResult<Option<Self>> {
        let Some(layout) = Layout::of(py) else { return Ok(None) };
        let none = py.None().as_ptr();
        let (mut copied, mut all) = (Self::default(), Vec::new());
        loop {
            all.clear();
            all.extend((copied.len..copied.len + ROUND).map_while(&mut item));
            // SAFETY: this thread holds the interpreter's lock and runs no code of Python, so
            // nothing frees the objects, and the memory of texts never changes.
            let Some(parts) = (unsafe { Objects { all: &all, none, layout }.copied() }) else { return Ok(None) };
            copied.parts.extend(parts);
            copied.len += all.len();
            if all.len() < ROUND {
                return Ok(Some(copied));
            }
            py.check_signals()?;
        }
    }

    /// Returns the kind of the texts; `None` if all are missing.
    pub fn kind(&self) -> Option<Kind> {
        let mut items = self.parts.iter().flat_map(|part| &part.items);
        items.any(|item| !matches!(item, Item::Missing)).then_some(Kind::Text)
    }

    /// Returns the texts, in order.
    pub fn texts(&self) -> impl Iterator<Item = Option<Characters<'_>>> {
        self.parts.iter().flat_map(|part| part.items.iter().map(|&item| part.text(item)))
    }

    /// Returns the number of texts, with those that are missing.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns a text; `None` if it is missing.
    pub fn get(&self, number: usize) -> Option<Characters<'_>> {
        let part = &self.parts[number / Self::PART];
        part.text(part.items[number % Self::PART])
    }
}

impl Objects<'_> {
    /// Copies all objects, on several threads if they are many. These are no threads of Rayon: one
    /// of those might wait for the interpreter's lock, which this thread holds.
    ///
    /// # Safety
    /// The objects must live, and texts must not change.
    unsafe fn copied(self) -> Option<Vec<Part>> {
        let count = self.all.len().div_ceil(Copied::PART);
        let parts: Vec<OnceLock<Option<Part>>> = (0..count).map(|_| OnceLock::new()).collect();
        let next = AtomicUsize::new(0);
        let copy = || {
            let objects = self;
            while let number = next.fetch_add(1, Ordering::Relaxed)
                && let Some(place) = parts.get(number)
            {
                let own = &objects.all[number * Copied::PART..];
                let own = Self { all: &own[..own.len().min(Copied::PART)], ..objects };
                // SAFETY: by the caller.
                let part = unsafe { own.part() };
                if part.is_none() {
                    // The others need no copies.
                    next.store(count, Ordering::Relaxed);
                }
                let _ = place.set(part);
            }
        };
        thread::scope(|scope| {
            for _ in 1..rayon::current_num_threads().min(count) {
                // This thread copies what others do not.
                let _ = thread::Builder::new().spawn_scoped(scope, copy);
            }
            copy();
        });
        parts.into_iter().map(|part| part.into_inner().flatten()).collect()
    }

    /// Copies all objects on this thread.
    ///
    /// # Safety
    /// The objects must live, and texts must not change.
    unsafe fn part(self) -> Option<Part> {
        let mut part = Part { items: Vec::with_capacity(self.all.len()), ..Part::default() };
        for (number, &object) in self.all.iter().enumerate() {
            if let Some(&later) = self.all.get(number + AHEAD) {
                fetch(later);
            }
            let item = if object == self.none {
                Item::Missing
            } else {
                // SAFETY: by the caller, the object lives as long as its text is used.
                let text = unsafe {
                    if ffi::PyUnicode_CheckExact(object) == 0 {
                        return None;
                    }
                    self.layout.read(object)?
                };
                part.add(text)?
            };
            part.items.push(item);
        }
        Some(part)
    }
}

impl Part {
    /// Copies a text, unless the texts so far are too long for that.
    #[inline]
    fn add(&mut self, text: Stored<'_>) -> Option<Item> {
        let free = (SHORT * (self.items.len() + SPARE)).saturating_sub(self.bytes.len() + self.numbers.len());
        let len = u32::try_from(text.len()).ok().filter(|_| text.len() <= free)?;
        let start = self.bytes.len();
        match text {
            Stored::Ascii(text) => self.bytes.extend_from_slice(text.as_bytes()),
            Stored::Latin(characters) => self.bytes.extend_from_slice(characters),
            Stored::Two(characters) => return Some(self.add_wide(characters, len)),
            Stored::Four(characters) => return Some(self.add_wide(characters, len)),
        }
        Some(Item::Latin { start, len })
    }

    #[inline]
    fn add_wide<T: Copy + Into<u32>>(&mut self, characters: &[T], len: u32) -> Item {
        let start = self.numbers.len();
        self.numbers.extend(characters.iter().map(|&character| character.into()));
        let Some(bytes) = latin(&self.numbers[start..]) else { return Item::Wide { start, len } };
        let first = self.bytes.len();
        self.bytes.extend(bytes);
        self.numbers.truncate(start);
        Item::Latin { start: first, len }
    }

    fn text(&self, item: Item) -> Option<Characters<'_>> {
        match item {
            Item::Missing => None,
            Item::Latin { start, len } => Some(Characters::Latin(&self.bytes[start..start + len as usize])),
            Item::Wide { start, len } => Some(Characters::Wide(&self.numbers[start..start + len as usize])),
        }
    }
}
