//! Decompresses files of several members by several threads. A member is a part of a file that can
//! be decompressed without the parts before it: a gzip member, a bzip2 stream, an xz block, or a
//! zstd frame.
//!
//! The caller cuts the input into units of whole members, and the threads decompress the units.
//! From the first unexpected member on, one thread decompresses the rest. So the bytes and the
//! errors are those of one thread.
//!
//! The caller reads whole units, and more ahead, before it returns their bytes. From a slow pipe
//! they would come late, so only regular files are read this way.

use super::limits::{BUFFER, MOST, MOST_PACKED};
use crate::memory;
use crate::threads::crew::Crew;
use std::io::{self, BufRead, BufReader, Cursor, Read};

/// Format of a compressed file, and a position between two of its members.
pub(super) trait Format: Clone + Default + Send + 'static {
    /// A unit takes members until it has this compressed size, in bytes.
    const UNIT: usize;

    /// Returns the length of the next member, and moves the position behind it. Returns `None`, and
    /// may move the position, at the end of the input or if the member is unexpected.
    fn next_len(&mut self, packed: &mut Packed<impl Read>) -> Option<usize>;

    /// Appends the contents of the members of a unit. The first member is at this position. Returns
    /// `None` if anything is unexpected.
    fn decompress(&self, packed: &[u8], to: &mut Vec<u8>) -> Option<()>;

    /// Returns a decompressor of all members from this position on.
    fn rest(self, packed: impl BufRead + Send + 'static) -> Box<dyn Read + Send>;
}

/// A compressed input, and the bytes that have been read ahead.
pub(super) struct Packed<R> {
    input: BufReader<R>,
    ahead: Vec<u8>,
}

impl<R: Read> Packed<R> {
    pub fn new(input: BufReader<R>) -> Self {
        Self { input, ahead: Vec::new() }
    }

    /// Returns the bytes that have been read ahead.
    pub fn ahead(&self) -> &[u8] {
        &self.ahead
    }

    /// Reads ahead until there are `len` bytes. Returns `None` if the input ends before, if it
    /// cannot be read, or if `len` is more than a member may have. An error of the input occurs
    /// again at the next read.
    pub fn read_to(&mut self, len: usize) -> Option<&[u8]> {
        let missing = len.saturating_sub(self.ahead.len());
        let read = if missing > 0 { self.read_more(missing)? } else { 0 };
        (read == missing).then_some(&self.ahead)
    }

    /// Reads up to `count` bytes ahead, fewer only at the end of the input. Returns their number;
    /// `None` as [`Self::read_to`] does.
    pub fn read_more(&mut self, count: usize) -> Option<usize> {
        // One byte more shows that a member is not the last.
        if count > (MOST_PACKED + 1).saturating_sub(self.ahead.len()) {
            return None;
        }
        memory::reserve(&mut self.ahead, count, "a compressed member").ok()?;
        self.input.by_ref().take(count as u64).read_to_end(&mut self.ahead).ok()
    }

    /// Returns the `N` bytes at position `at`; `None` as [`Self::read_to`] does.
    pub fn array<const N: usize>(&mut self, at: usize) -> Option<[u8; N]> {
        self.read_to(at.checked_add(N)?)?.get(at..)?.first_chunk().copied()
    }

    /// Moves the next member to a unit, and the position behind it; `None` if there is no expected
    /// member.
    pub fn take<F: Format>(&mut self, position: &mut F, unit: &mut Vec<u8>) -> Option<()> {
        let mut behind = position.clone();
        let len = behind.next_len(self)?;
        self.read_to(len)?;
        memory::reserve(unit, len, "a compressed member").ok()?;
        unit.extend(self.ahead.drain(..len));
        *position = behind;
        Some(())
    }

    /// Returns `first`, the bytes that have been read ahead, and the rest of the input.
    fn rest(mut self, mut first: Vec<u8>) -> Rest<R> {
        first.append(&mut self.ahead);
        Cursor::new(first).chain(self.input)
    }
}

/// Input for one thread: bytes that have been read, then the rest of the input.
pub(super) type Rest<R> = io::Chain<Cursor<Vec<u8>>, BufReader<R>>;

/// Members that one thread decompresses.
#[derive(Default)]
struct Unit<F> {
    /// Position of the first member.
    position: F,
    packed: Vec<u8>,
    /// Decompressed bytes.
    bytes: Vec<u8>,
    /// True if all members are as expected.
    is_good: bool,
}

impl<F: Format> Unit<F> {
    fn decompress(mut self) -> Self {
        self.bytes.clear();
        self.is_good = self.position.decompress(&self.packed, &mut self.bytes).is_some();
        self
    }
}

/// Decompressor of an input `R` that begins with several members of a format `F`.
pub(super) struct Units<R, F> {
    /// The input, until one thread decompresses the rest.
    packed: Option<Packed<R>>,
    /// Position of the first member that is in no unit.
    position: F,
    is_at_end: bool,
    /// A unit takes members until it has this compressed size, in bytes.
    unit_len: usize,
    crew: Crew<Unit<F>, Unit<F>>,
    unit: Unit<F>,
    /// Number of bytes of the unit that have been returned.
    returned: usize,
    /// Unit to use again.
    spare: Unit<F>,
    /// Decompressor of the rest.
    rest: Option<Box<dyn Read + Send>>,
}

impl<R: Read + Send + 'static, F: Format> Units<R, F> {
    /// Starts up to `threads` threads, if the input begins with a whole member and does not end
    /// there. Otherwise returns the input as it was. A unit takes no more members from `unit_len`
    /// compressed bytes on.
    pub fn start(input: BufReader<R>, threads: usize, unit_len: usize) -> Result<Self, Rest<R>> {
        let mut packed = Packed::new(input);
        let len = F::default().next_len(&mut packed);
        let is_followed = len.is_some_and(|len| packed.read_to(len + 1).is_some());
        let crew = if is_followed { Crew::start(threads, Unit::decompress) } else { None };
        let Some(crew) = crew else { return Err(packed.rest(Vec::new())) };
        Ok(Self {
            packed: Some(packed),
            position: F::default(),
            is_at_end: false,
            unit_len,
            crew,
            unit: Unit::default(),
            returned: 0,
            spare: Unit::default(),
            rest: None,
        })
    }

    /// Gives units to the threads.
    fn fill(&mut self) -> io::Result<()> {
        let Some(packed) = &mut self.packed else { return Ok(()) };
        while !self.is_at_end && self.crew.has_room() {
            let mut unit = std::mem::take(&mut self.spare);
            unit.position = self.position.clone();
            unit.packed.clear();
            while unit.packed.len() < self.unit_len {
                if packed.take(&mut self.position, &mut unit.packed).is_none() {
                    self.is_at_end = true;
                    break;
                }
            }
            self.crew.push(unit)?;
        }
        Ok(())
    }

    /// Takes the next unit, or begins to decompress the rest by one thread.
    fn next(&mut self) -> io::Result<()> {
        self.fill()?;
        let (position, mut left) = match self.crew.pop()? {
            Some(unit) if unit.is_good => {
                self.returned = 0;
                self.spare = std::mem::replace(&mut self.unit, unit);
                return Ok(());
            }
            Some(unit) => (unit.position, unit.packed),
            None => (self.position.clone(), Vec::new()),
        };
        while let Some(unit) = self.crew.pop()? {
            left.extend_from_slice(&unit.packed);
        }
        self.rest = self.packed.take().map(|packed| position.rest(packed.rest(left)));
        Ok(())
    }
}

impl<R: Read + Send + 'static, F: Format> Read for Units<R, F> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match &mut self.rest {
                Some(rest) => return rest.read(buffer),
                // An error has ended the input.
                None if self.packed.is_none() => return Ok(0),
                None => {}
            }
            let mut ready = &self.unit.bytes[self.returned..];
            if !ready.is_empty() || buffer.is_empty() {
                let count = ready.read(buffer)?;
                self.returned += count;
                return Ok(count);
            }
            self.next()?;
        }
    }
}

/// Appends the bytes of a decompressor; `None` if it fails, or if a unit becomes too large.
pub(super) fn append_all(read: &mut impl Read, to: &mut Vec<u8>) -> Option<()> {
    while to.len() <= MOST {
        memory::reserve(to, BUFFER, "decompressed bytes").ok()?;
        if read.by_ref().take(BUFFER as u64).read_to_end(to).ok()? == 0 {
            return Some(());
        }
    }
    None
}
