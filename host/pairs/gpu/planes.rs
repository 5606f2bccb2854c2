//! Strings as bit planes on a device, in groups of 1,024, in the format of the kernel for listed
//! pairs.

use crate::device::Device;
use crate::error::Result;
use crate::threads;
use carrywave_kernels::distance::string_planes::{FIELDS, GROUP, StringPlanes};
use rayon::prelude::*;
use simt_std::WARP;

/// Number of strings of a group.
pub(super) const STRINGS: usize = GROUP as usize;

/// Codes and planes of symbols.
#[derive(Clone, Copy)]
pub(super) struct Coding<'c> {
    /// Code of each byte.
    pub(super) codes: &'c [u16; 256],
    /// Code that pads shorter strings in front.
    pub(super) padding: u32,
    pub(super) planes: u32,
}

/// Strings on a device.
pub(super) struct Planes<D: Device> {
    pub(super) fields: D::Buffer<u64>,
    pub(super) words: D::Buffer<u32>,
    pub(super) lengths: D::Buffer<u32>,
    /// Most symbols of a group.
    pub(super) longest: u32,
    // Input of the packing kernel; kept until it is done.
    symbols: D::Buffer<u8>,
    starts: D::Buffer<u64>,
    codes: D::Buffer<u16>,
}

impl<D: Device> Planes<D> {
    /// Uploads strings, and launches their packing on the stream. Reserves space for `ahead`
    /// symbols after the last group.
    pub(super) fn new<S: Sync>(
        device: &D,
        stream: &D::Stream,
        strings: &[S],
        bytes: impl Fn(&S) -> &[u8] + Sync,
        coding: Coding<'_>,
        ahead: usize,
    ) -> Result<Self> {
        let slots = strings.len().next_multiple_of(STRINGS);
        let (mut starts, mut lengths) = (vec![0; slots], vec![0; slots]);
        let mut end = 0;
        for ((start, length), string) in starts.iter_mut().zip(&mut lengths).zip(strings) {
            (*start, *length) = (end as u64, bytes(string).len() as u32);
            end += bytes(string).len();
        }
        let longest: Vec<usize> =
            lengths.chunks(STRINGS).map(|group| group.iter().max().map_or(0, |&longest| longest as usize)).collect();
        let mut pinned = device.pinned(end.max(1))?;
        let length_of = |string| bytes(string).len();
        let groups = strings.chunks(STRINGS);
        let bytes_of_groups = groups.clone().map(|group| group.iter().map(length_of).sum());
        let parts: Vec<_> = groups.zip(threads::parts_mut(device.pinned_bytes(&mut pinned), bytes_of_groups)).collect();
        parts.into_par_iter().for_each(|(group, part)| {
            for (string, target) in group.iter().zip(threads::parts_mut(part, group.iter().map(length_of))) {
                target.copy_from_slice(bytes(string));
            }
        });
        let of_symbol = (coding.planes * WARP) as usize;
        let mut fields = Vec::with_capacity(longest.len() * FIELDS);
        let mut words = 0;
        for &longest in &longest {
            fields.extend([words as u64, longest as u64]);
            words += longest * of_symbol;
        }
        let symbols = device.alloc::<u8>(end.max(1), "symbols")?;
        // SAFETY: the pinned memory and the buffer are not touched until the stream has been waited
        // for, here.
        let sent = unsafe { device.upload_async(stream, &symbols, &pinned, end) };
        let done = device.wait(stream);
        sent?;
        done?;
        let starts = device.alloc_from(stream, &starts, "starts of strings")?;
        let codes = device.alloc_from(stream, coding.codes, "codes")?;
        let most = longest.iter().copied().max().unwrap_or(0);
        let mut this = Self {
            fields: device.alloc_from(stream, &fields, "groups")?,
            words: device.alloc(words + ahead * of_symbol, "planes of strings")?,
            lengths: device.alloc_from(stream, &lengths, "lengths")?,
            longest: most as u32,
            symbols,
            starts,
            codes,
        };
        device.zero(stream, &mut this.words)?;
        let slices = most.div_ceil(4 * WARP as usize).clamp(1, 1024) as u32;
        let kernel = StringPlanes {
            symbols: device.handle(&this.symbols),
            starts: device.handle(&this.starts),
            lengths: device.handle(&this.lengths),
            groups: device.handle(&this.fields),
            slices,
            padding: coding.padding,
            codes: device.handle(&this.codes),
            planes: coding.planes,
            words: device.handle(&this.words),
        };
        if !longest.is_empty() {
            // SAFETY: the arrays are as long as the groups require, and live as long as `this`,
            // whose owner waits for the stream.
            unsafe { device.launch(stream, slices * longest.len() as u32, kernel)? };
        }
        Ok(this)
    }
}
