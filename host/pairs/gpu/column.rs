//! Columns of strings in a device's memory: uploads, memory of other libraries, and listed pairs.

use super::device_pairs::DevicePairs;
use super::listed_columns::{ColumnSymbols, Columns};
use super::listed_pairs::{ABOUT, Distances};
use super::listed_source::either;
use crate::device::{Device, Devices, Engine};
use crate::error::{Result, UsageFault};
use crate::memory;
use crate::pairs::cost::Cost;
use crate::pairs::position_number::PositionNumber;
use crate::pairs::resident::{AnyColumn, AnyDistances, MISSING, ResidentColumn, ResidentDistances};
use crate::threads;
use carrywave_kernels::distance::symbols_used::{SET_WORDS, SymbolsUsed};
use rayon::prelude::*;
use simt_std::global::Global;
use std::any::Any;
use std::sync::{Arc, OnceLock};

/// Number of blocks of the kernel that finds the symbols of a text, for each multiprocessor.
const BLOCKS: u32 = 8;
/// Number of strings or distances that are copied one by one in less time than all together.
const FEW: usize = 32;
/// The error for columns of two GPUs.
pub(super) const ELSEWHERE: &str = "compares columns that are on the same GPU, of the same engine";

/// A column of strings that another library keeps in the memory of a GPU.
///
/// ```no_run
/// use carrywave::device::Gpu;
/// use carrywave::pairs::{ColumnAt, OffsetsAt, ResidentColumn};
///
/// # fn reads(gpu: &Gpu, address: u64) -> Result<ResidentColumn, carrywave::Error> {
/// // A matrix of 1,000 rows of 150 bytes.
/// let offsets = OffsetsAt::Fixed(150);
/// let reads = ColumnAt { rows: 1000, symbols: address, offsets, validity: None };
/// // SAFETY: the matrix is filled, and nobody writes or frees it while the column exists.
/// unsafe { ResidentColumn::at(gpu, reads) }
/// # }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct ColumnAt {
    /// Number of strings.
    pub rows: usize,
    /// Address of the symbols.
    pub symbols: u64,
    /// The places of strings in the symbols.
    pub offsets: OffsetsAt,
    /// Address of a bit for each row, 0 where a string is missing, and the number of bits before
    /// the first row's: Arrow's validity bitmap. `None` if no string is missing.
    pub validity: Option<(u64, u64)>,
}

/// The places of strings in their symbols. See the [example](ColumnAt).
#[derive(Debug, Clone, Copy)]
pub enum OffsetsAt {
    /// Strings of one length, in symbols, one after another.
    Fixed(usize),
    /// Address of `rows` + 1 offsets of 4 bytes.
    Narrow(u64),
    /// Address of `rows` + 1 offsets of 8 bytes.
    Wide(u64),
}

impl ResidentColumn {
    /// Copies strings to the memory of a GPU. See the [example](Self).
    ///
    /// # Errors
    /// [`Usage`](crate::Error::Usage) with [`Engine`](UsageFault::Engine) for the CPU and several
    /// GPUs; [`DeviceMemory`](crate::Error::DeviceMemory) and [`Gpu`](crate::Error::Gpu) if the GPU
    /// lacks memory or fails.
    pub fn new<S: AsRef<[u8]>>(engine: &dyn Engine, strings: &[S]) -> Result<Self> {
        let strings: Vec<Option<&[u8]>> = strings.iter().map(|string| Some(string.as_ref())).collect();
        Self::new_with_missing(engine, &strings)
    }

    /// Like [`new`](Self::new), with `None` for missing strings.
    #[doc(hidden)]
    pub fn new_with_missing(engine: &dyn Engine, strings: &[Option<&[u8]>]) -> Result<Self> {
        let len = |string: &Option<&[u8]>| string.map_or(0, <[u8]>::len);
        memory::check::<u8>(strings.iter().map(len).fold(0, usize::saturating_add), "the symbols of a column")?;
        let mut offsets = vec![0];
        let mut symbols = Vec::new();
        for string in strings {
            symbols.extend_from_slice(string.unwrap_or_default());
            offsets.push(symbols.len() as u64);
        }
        Self::of_offsets(engine, &symbols, offsets, strings.iter().map(Option::is_none).collect())
    }

    /// Copies strings: their symbols, one after another, the place of each and the end of the last
    /// one. `missing` is true for rows without a string, or empty.
    #[doc(hidden)]
    pub fn of_offsets(engine: &dyn Engine, symbols: &[u8], offsets: Vec<u64>, missing: Vec<bool>) -> Result<Self> {
        let is_inside = offsets.last().is_some_and(|&end| end <= symbols.len() as u64);
        let is_for_all = missing.is_empty() || missing.len() + 1 == offsets.len();
        if !is_inside || !is_for_all || !offsets.is_sorted() {
            return Err(UsageFault::Range.error("the offsets of a column fall, or are outside its symbols"));
        }
        on_device(engine, Upload { symbols, offsets, missing })
    }

    /// Takes strings that are in the memory of a GPU, without copying their symbols. See the
    /// [example](ColumnAt).
    ///
    /// # Safety
    /// All arrays are initialised. Until the column and its copies are dropped, nobody frees or
    /// writes the symbols.
    ///
    /// # Errors
    /// As [`new`](Self::new); also [`Gpu`](crate::Error::Gpu) if the memory is not the engine's,
    /// and [`Usage`](crate::Error::Usage) with [`Range`](UsageFault::Range) if the offsets fall, or
    /// with [`TooLarge`](UsageFault::TooLarge) for 2^32 strings and more.
    pub unsafe fn at(engine: &dyn Engine, strings: ColumnAt) -> Result<Self> {
        on_device(engine, Adopt { strings })
    }
}

/// A way to make a column on a device.
trait Make {
    fn make<D: Device>(self, device: &Arc<D>) -> Result<Column<D>>;
}

/// Makes a column on an engine's device.
fn on_device(engine: &dyn Engine, make: impl Make) -> Result<ResidentColumn> {
    let devices = Devices::from_engine(engine);
    let column = match &devices {
        Devices::Cpu(_) => return Err(UsageFault::Engine.error("a column of a GPU needs a GPU as engine, not the CPU")),
        Devices::Gpus(gpus) => of_one(gpus, make),
        #[cfg(feature = "simt")]
        Devices::Simulated(devices) => of_one(devices, make),
    };
    Ok(ResidentColumn { column: column?, devices })
}

fn of_one<D: Device>(devices: &[Arc<D>], make: impl Make) -> Result<Arc<dyn AnyColumn>> {
    match devices {
        [device] => Ok(Arc::new(make.make(device)?)),
        _ => Err(UsageFault::Engine.error(format!("a column is in the memory of one GPU, not of {}", devices.len()))),
    }
}

/// Checks that numbers of 32 bits are enough for the rows.
fn check_rows(rows: usize) -> Result<()> {
    if rows < u32::MAX as usize {
        return Ok(());
    }
    Err(UsageFault::TooLarge.error(format!("a column on a GPU has fewer than 2^32 strings, not {rows}")))
}

/// Strings of the host.
struct Upload<'s> {
    symbols: &'s [u8],
    offsets: Vec<u64>,
    missing: Vec<bool>,
}

impl Make for Upload<'_> {
    fn make<D: Device>(self, device: &Arc<D>) -> Result<Column<D>> {
        check_rows(self.offsets.len() - 1)?;
        let own = device.alloc_from(&device.stream()?, self.symbols, "the symbols of a column")?;
        let symbols = device.handle(&own);
        Column::new(device, symbols, Some(own), self.offsets, self.missing)
    }
}

/// Strings of another library, as [`ResidentColumn::at`] requires.
struct Adopt {
    strings: ColumnAt,
}

impl Make for Adopt {
    fn make<D: Device>(self, device: &Arc<D>) -> Result<Column<D>> {
        let ColumnAt { rows, symbols, offsets, validity } = self.strings;
        check_rows(rows)?;
        let count = rows + 1;
        let offsets = match offsets {
            OffsetsAt::Fixed(len) => {
                // Before there are offsets for as many rows as the caller says.
                let bytes = (rows as u64).saturating_mul(len as u64);
                if bytes > 0 {
                    device.check_memory(symbols, bytes)?;
                }
                memory::check::<u64>(count, "the offsets of a column")?;
                (0..count).map(|row| (row as u64).checked_mul(len as u64)).collect()
            }
            // SAFETY: the caller of `ResidentColumn::at` says that the offsets are there.
            OffsetsAt::Narrow(address) => unsafe { device.download_at(Global::<u32>::at(address), count) }?
                .into_iter()
                .map(|offset| (offset <= i32::MAX as u32).then_some(u64::from(offset)))
                .collect(),
            // SAFETY: as above.
            OffsetsAt::Wide(address) => unsafe { device.download_at(Global::<u64>::at(address), count) }?
                .into_iter()
                .map(|offset| (offset <= i64::MAX as u64).then_some(offset))
                .collect(),
        };
        let offsets: Option<Vec<u64>> = offsets;
        let Some(offsets) = offsets.filter(|offsets| offsets.is_sorted()) else {
            return Err(UsageFault::Range.error("the offsets of a column fall, or are below 0"));
        };
        let missing = match validity {
            None => Vec::new(),
            Some((address, first)) => {
                let bytes = first.saturating_add(rows as u64).div_ceil(8) as usize;
                // SAFETY: as above.
                let bits = unsafe { device.download_at(Global::<u8>::at(address), bytes) }?;
                let bit = |row: u64| bits[(row / 8) as usize] >> (row % 8) & 1 == 0;
                (first..first + rows as u64).map(bit).collect()
            }
        };
        Column::new(device, Global::at(symbols), None, offsets, missing)
    }
}

/// A column in the memory of a device.
pub(super) struct Column<D: Device> {
    pub(super) device: Arc<D>,
    pub(super) symbols: Global<u8>,
    /// The memory of the symbols, unless it is another library's.
    _own: Option<D::Buffer<u8>>,
    offsets: Vec<u64>,
    /// The offsets on the device; copied at the first use.
    pub(super) offsets_there: OnceLock<D::Buffer<u64>>,
    /// Length of the longest string; found at the first use.
    longest: OnceLock<usize>,
    /// True for each row without a string; empty if there are none.
    missing: Vec<bool>,
    occurring: [bool; 256],
    /// Rows whose strings have symbols above 127; found at the first use.
    rows_beyond_ascii: OnceLock<Vec<usize>>,
}

impl<D: Device> Column<D> {
    /// Makes a column of rising offsets.
    fn new(
        device: &Arc<D>,
        symbols: Global<u8>,
        own: Option<D::Buffer<u8>>,
        offsets: Vec<u64>,
        missing: Vec<bool>,
    ) -> Result<Self> {
        let missing = if missing.contains(&true) { missing } else { Vec::new() };
        let mut column = Self {
            device: device.clone(),
            symbols,
            _own: own,
            offsets,
            offsets_there: OnceLock::new(),
            longest: OnceLock::new(),
            missing,
            occurring: [false; 256],
            rows_beyond_ascii: OnceLock::new(),
        };
        if column.bytes() > 0 {
            device.check_memory(column.first().address(), column.bytes() as u64)?;
            column.occurring = column.symbols_used()?;
        }
        Ok(column)
    }

    /// Returns a column of the device; `None` if it is on another one.
    pub(super) fn on(device: &D, column: &ResidentColumn) -> Option<Arc<Self>> {
        let any: Arc<dyn Any + Send + Sync> = column.column.clone();
        any.downcast::<Self>().ok().filter(|column| std::ptr::eq(&*column.device, device))
    }

    /// Returns the symbols from the first string on.
    fn first(&self) -> Global<u8> {
        self.symbols.skip(self.offsets[0] as usize)
    }

    /// Returns the number of bytes of all strings.
    fn bytes(&self) -> usize {
        (self.offsets[self.offsets.len() - 1] - self.offsets[0]) as usize
    }

    /// Returns a row's string among the symbols of all strings.
    fn cut<'s>(&self, symbols: &'s [u8], row: usize) -> &'s [u8] {
        let [start, end] = [row, row + 1].map(|row| (self.offsets[row] - self.offsets[0]) as usize);
        &symbols[start..end]
    }

    /// Finds the symbols that occur.
    fn symbols_used(&self) -> Result<[bool; 256]> {
        let device = &*self.device;
        let stream = device.stream()?;
        let mut set = device.alloc::<u32>(SET_WORDS, "set of symbols")?;
        device.zero(&stream, &mut set)?;
        let (text, len) = (self.first(), self.bytes() as u64);
        let head = (text.address().wrapping_neg() % 4).min(len);
        let kernel = SymbolsUsed { text, len, head, set: device.handle(&set) };
        let blocks = (len.div_ceil(4 * 256)).clamp(1, u64::from(BLOCKS * device.limits().multiprocessors)) as u32;
        // SAFETY: the memory was checked to have the text, and nobody frees it meanwhile; the set
        // lives until the download, which waits for the stream.
        unsafe { device.launch(&stream, blocks, kernel)? };
        let set = device.download(&stream, &set, SET_WORDS)?;
        Ok(std::array::from_fn(|symbol| set[symbol / 32] >> (symbol % 32) & 1 == 1))
    }
}

impl<D: Device> AnyColumn for Column<D> {
    fn offsets(&self) -> &[u64] {
        &self.offsets
    }

    fn longest(&self) -> usize {
        if let Some(&longest) = self.longest.get() {
            return longest;
        }
        // A thread that waits for others may take a job that needs this length too, so the cell is
        // not locked meanwhile.
        let length = |ends: &[u64]| (ends[1] - ends[0]) as usize;
        let longest = threads::run(|| self.offsets.par_windows(2).map(length).max().unwrap_or(0));
        *self.longest.get_or_init(|| longest)
    }

    fn address(&self) -> u64 {
        self.first().address()
    }

    fn is_ascii(&self) -> bool {
        !self.occurring[128..].contains(&true)
    }

    fn missing(&self) -> &[bool] {
        &self.missing
    }

    fn rows_beyond_ascii(&self) -> Result<&[usize]> {
        if let Some(rows) = self.rows_beyond_ascii.get() {
            return Ok(rows);
        }
        let rows = match self.is_ascii() {
            true => Vec::new(),
            false => {
                let symbols = self.download()?;
                let is_beyond = |&row: &usize| !self.cut(&symbols, row).is_ascii();
                threads::run(|| (0..self.len()).into_par_iter().filter(is_beyond).collect())
            }
        };
        Ok(self.rows_beyond_ascii.get_or_init(|| rows))
    }

    fn download(&self) -> Result<Vec<u8>> {
        // SAFETY: the memory was checked to have the symbols, and nobody frees it.
        Ok(unsafe { self.device.download_at(self.first(), self.bytes()) }?)
    }

    fn position_matches(&self, b: &ResidentColumn, number: PositionNumber) -> Result<Vec<u32>> {
        match Self::on(&self.device, b) {
            Some(b) => self.matches_with(&b, number),
            None => Err(ABOUT.unsupported(ELSEWHERE.into())),
        }
    }

    fn strings(&self, rows: &[usize]) -> Result<Vec<Vec<u8>>> {
        if rows.len() > FEW {
            let symbols = self.download()?;
            return Ok(rows.iter().map(|&row| self.cut(&symbols, row).to_vec()).collect());
        }
        let string = |&row: &usize| {
            let [start, end] = [self.offsets[row], self.offsets[row + 1]];
            // SAFETY: the memory was checked to have the symbols, and nobody frees it.
            unsafe { self.device.download_at(self.symbols.skip(start as usize), (end - start) as usize) }
        };
        Ok(rows.iter().map(string).collect::<simt_launch::Result<_>>()?)
    }
}

/// Distances in the memory of a device.
struct OnDevice<D: Device> {
    device: Arc<D>,
    buffer: D::Buffer<u32>,
    len: usize,
}

impl<D: Device> AnyDistances for OnDevice<D> {
    fn len(&self) -> usize {
        self.len
    }

    fn address(&self) -> u64 {
        self.device.handle(&self.buffer).address()
    }

    fn ordinal(&self) -> usize {
        self.device.ordinal()
    }

    fn download(&self) -> Result<Vec<u32>> {
        Ok(self.device.download(&self.device.stream()?, &self.buffer, self.len)?)
    }

    fn replace(&mut self, rows: &[usize], distances: &[u32]) -> Result<()> {
        let stream = self.device.stream()?;
        if rows.len() > FEW {
            let mut all = self.download()?;
            rows.iter().zip(distances).for_each(|(&row, &distance)| all[row] = distance);
            return Ok(self.device.upload(&stream, &mut self.buffer, &all)?);
        }
        for (&row, distance) in rows.iter().zip(distances) {
            self.device.upload_to(&stream, &mut self.buffer, row, std::slice::from_ref(distance))?;
        }
        Ok(())
    }
}

impl<D: Device> DevicePairs<'_, D> {
    /// Computes the distances of two columns' strings, side by side. They stay on the device. Those
    /// of missing strings are [`MISSING`].
    ///
    /// # Errors
    /// As [`listed`](Self::listed); [`Unsupported`](crate::Error::Unsupported) if a column is on
    /// another device.
    pub(super) fn of_columns(&self, a: &ResidentColumn, b: &ResidentColumn, cost: Cost) -> Result<ResidentDistances> {
        let (Some(a), Some(b)) = (Column::on(self.device, a), Column::on(self.device, b)) else {
            return Err(ABOUT.unsupported(ELSEWHERE.into()));
        };
        let count = a.len();
        let is_missing = |row: usize| [&a, &b].into_iter().any(|column| column.missing.get(row) == Some(&true));
        let has_missing = !(a.missing.is_empty() && b.missing.is_empty());
        let missing: Vec<bool> = if has_missing { (0..count).map(is_missing).collect() } else { Vec::new() };
        let buffer = if has_missing {
            memory::check::<u32>(count, "the distances")?;
            self.device.alloc_from(&self.device.stream()?, &vec![MISSING; count], "distances")?
        } else {
            self.device.alloc(count, "distances")?
        };
        let occurring = either(a.occurring, b.occurring);
        let source = Columns {
            symbols: ColumnSymbols::Device {
                addresses: [a.symbols.address(), b.symbols.address()],
                occurring: &occurring,
            },
            offsets: [&a.offsets, &b.offsets],
            missing: &missing,
        };
        self.in_batches(&source, cost, &Distances::Device(&buffer))?;
        Ok(ResidentDistances(Box::new(OnDevice { device: a.device.clone(), buffer, len: count })))
    }
}
