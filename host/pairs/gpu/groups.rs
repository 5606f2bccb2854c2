//! Strings in groups of 32 on a device: sorted by length, so that those of a group have similar
//! lengths, and packed in the kernels' format.

use crate::device::Device;
use crate::error::Result;
use carrywave_kernels::distance::string_groups::{FIELDS, NO_STRING, StringGroups};
use simt_std::WARP;

const LANES: usize = WARP as usize;

/// Lower bound on the words that a warp packs, before more blocks share a group.
const WORDS_PER_WARP: usize = 16;

/// The order of strings in groups: the longest first.
pub(super) struct Order {
    /// Positions in the list.
    positions: Vec<u32>,
    /// Length of the longest string of each group.
    pub(super) longest: Vec<usize>,
}

impl Order {
    pub(super) fn new(strings: &[&[u8]]) -> Self {
        let mut positions: Vec<u32> = (0..strings.len() as u32).collect();
        // A stable sort: strings of the same length stay in the list's order, and so do their
        // results.
        positions.sort_by_key(|&i| std::cmp::Reverse(strings[i as usize].len()));
        let longest = positions.chunks(LANES).map(|group| strings[group[0] as usize].len()).collect();
        Self { positions, longest }
    }
}

/// Options for packing the strings of a list.
#[derive(Clone, Copy)]
pub(super) struct Packing<'c> {
    /// Groups are padded to a multiple of this number of symbols, which is even.
    pub(super) multiple: usize,
    /// Code of each byte.
    pub(super) codes: &'c [u16; 256],
    /// Code that pads shorter strings in front.
    pub(super) padding: u32,
}

/// Groups of strings on a device.
pub(super) struct Groups<D: Device> {
    pub(super) fields: D::Buffer<u64>,
    pub(super) words: D::Buffer<u32>,
    pub(super) lengths: D::Buffer<u32>,
    pub(super) indices: D::Buffer<u32>,
    pub(super) count: u32,
    /// Most symbols of a group, with padding.
    pub(super) longest: u32,
    // Input of the packing kernel; kept until it is done.
    symbols: D::Buffer<u8>,
    starts: D::Buffer<u64>,
    codes: D::Buffer<u16>,
}

impl<D: Device> Groups<D> {
    /// Returns the bytes of device memory for strings.
    pub(super) fn bytes(strings: &[&[u8]], order: &Order, multiple: usize) -> u64 {
        let symbols: usize = strings.iter().map(|string| string.len()).sum();
        let words: usize = order.longest.iter().map(|n| n.next_multiple_of(multiple) / 2 * LANES).sum();
        (symbols + 4 * words + 20 * LANES * order.longest.len()) as u64 + 1024
    }

    /// Uploads strings, and launches their packing on the stream.
    pub(super) fn new(
        device: &D,
        stream: &D::Stream,
        strings: &[&[u8]],
        order: &Order,
        packing: Packing<'_>,
    ) -> Result<Self> {
        let Packing { multiple, codes, padding } = packing;
        let mut starts_in_list = Vec::with_capacity(strings.len());
        let mut symbols = Vec::with_capacity(strings.iter().map(|string| string.len()).sum::<usize>() + 1);
        for string in strings {
            starts_in_list.push(symbols.len() as u64);
            symbols.extend_from_slice(string);
        }
        symbols.push(0);
        let count = order.longest.len();
        let (mut starts, mut lengths) = (vec![0; count * LANES], vec![0; count * LANES]);
        let mut indices = vec![NO_STRING; count * LANES];
        for (slot, &position) in order.positions.iter().enumerate() {
            starts[slot] = starts_in_list[position as usize];
            lengths[slot] = strings[position as usize].len() as u32;
            indices[slot] = position;
        }
        let mut fields = Vec::with_capacity(count * FIELDS);
        let mut words = 0;
        for (group, &longest) in order.longest.iter().enumerate() {
            let last = order.positions.len().min((group + 1) * LANES) - 1;
            let filled = longest.next_multiple_of(multiple);
            fields.extend([words as u64, filled as u64, u64::from(lengths[last]), longest as u64]);
            words += filled / 2 * LANES;
        }

        let longest = order.longest.first().map_or(0, |n| n.next_multiple_of(multiple));
        let symbols = device.alloc_from(stream, &symbols, "symbols")?;
        let starts = device.alloc_from(stream, &starts, "starts of strings")?;
        let codes = device.alloc_from(stream, codes, "codes")?;
        let mut this = Self {
            fields: device.alloc_from(stream, &fields, "groups")?,
            // One more word for each lane, which is read ahead.
            words: device.alloc(words + LANES, "packed strings")?,
            lengths: device.alloc_from(stream, &lengths, "lengths")?,
            indices: device.alloc_from(stream, &indices, "places")?,
            count: count as u32,
            longest: longest as u32,
            symbols,
            starts,
            codes,
        };
        device.zero(stream, &mut this.words)?;
        let slices = (longest / 2).div_ceil(4 * WORDS_PER_WARP).clamp(1, 1024) as u32;
        let kernel = StringGroups {
            symbols: device.handle(&this.symbols),
            starts: device.handle(&this.starts),
            lengths: device.handle(&this.lengths),
            groups: device.handle(&this.fields),
            slices,
            padding,
            codes: device.handle(&this.codes),
            words: device.handle(&this.words),
        };
        if count > 0 {
            // SAFETY: the arrays are as long as the groups require, and live as long as `this`,
            // whose owner waits for the stream.
            unsafe { device.launch(stream, slices * count as u32, kernel)? };
        }
        Ok(this)
    }
}
