//! A block of columns of some tables: one launch on each device.

use super::deal::{Deal, Share, SharedBorders};
use super::kernels::Kernels;
use super::launch::{Launch, PrepareColumns, PrepareRows, preparing_blocks};
use super::layout;
use super::member::Member;
use super::on_devices::{Wavefront, Work};
use super::plan::WavefrontPlan;
use super::strip::Strip;
use super::table::{Piece, Walk};
use crate::device::Device;
use crate::error::{Result, UsageFault};
use crate::pairwise::cluster::Border;
use crate::pairwise::differences::FirstColumn;
use simt_std::global::Global;
use std::time::Duration;

/// A block of columns of some tables.
pub(super) struct Block<'t, K> {
    pub(super) plan: WavefrontPlan<K>,
    pub(super) pieces: Vec<Piece<'t>>,
    /// Number of columns of the tables before these.
    pub(super) first: u64,
    /// Number of words of a plane of all rows.
    pub(super) words: u64,
    /// Expected time.
    pub(super) expected: Duration,
}

impl<K: Kernels> Block<'_, K> {
    fn strips(&self) -> u64 {
        self.pieces.iter().map(|piece| self.plan.strips(piece.table.size().m)).sum()
    }

    /// Returns true if the tables begin with a column of zeros. Either all do or no table does.
    fn is_from_zero(&self) -> bool {
        self.pieces.iter().any(|piece| piece.table.first == FirstColumn::Zero)
    }

    fn cells(&self) -> u64 {
        self.pieces.iter().map(|piece| piece.table.cells_of_columns(self.plan, piece.n)).sum()
    }
}

/// Entries of the kernels that prepare a block's strings, the same for every device.
struct StringEntries {
    columns: Vec<u64>,
    rows: Vec<u64>,
    /// Start of each table's prepared columns.
    starts: Vec<u64>,
    /// Number of elements of all prepared columns.
    elements: u64,
}

impl StringEntries {
    /// Returns the entries of a block over σ symbols.
    fn new<K: Kernels>(block: &Block<'_, K>, symbols: u32) -> Self {
        let mut strings = Self { columns: Vec::new(), rows: Vec::new(), starts: Vec::new(), elements: 0 };
        for &Piece { table, positions, start, n } in &block.pieces {
            let size = table.size();
            let walk = Walk::new(positions.columns, size.n, table.direction).after(block.first);
            strings.columns.extend([walk.first, walk.step, n, strings.elements]);
            strings.starts.push(strings.elements);
            strings.elements += K::elements(n, block.plan.form(), symbols);
            let walk = Walk::new(positions.rows, size.m, table.direction);
            strings.rows.extend([walk.first, walk.step, size.m, start, layout::words(block.plan, size.m)]);
        }
        strings
    }
}

/// Arguments of a launch that differ within a batch.
pub(super) struct StripEntries<K> {
    pub(super) plan: WavefrontPlan<K>,
    /// Entries of the strips, and their number.
    pub(super) entries: Global<u64>,
    pub(super) count: u32,
    /// True to continue from V.
    pub(super) resume: bool,
    pub(super) plane_words: u64,
    pub(super) v: Global<u32>,
}

impl<D: Device, K: Kernels> Wavefront<'_, D, K> {
    /// Takes tables through a block, and returns the strips of the first device. A border belongs
    /// to a single table, a band of a larger one.
    pub(super) fn block(
        &self,
        work: &mut Work<D>,
        block: &Block<'_, K>,
        mut border: Option<&mut Border<'_>>,
    ) -> Result<Vec<Strip>> {
        let plan = block.plan;
        let strips = block.strips();
        if strips >= u64::from(u32::MAX / 2) {
            return Err(UsageFault::TooLarge.error(format!("{strips} strips are too many; compare shorter strings")));
        }
        let tag = self.tags(work, strips + 1)?;
        let strings = StringEntries::new(block, self.symbols);
        let shared = border.as_deref().map_or_else(SharedBorders::default, |border| SharedBorders {
            below: !border.is_first(),
            above: !border.is_last(),
        });
        let mut deal = Deal::new(plan, &block.pieces, &strings.starts, tag, self.devices.len(), shared);
        self.make_buffers(work, block, &strings, &deal.shares)?;
        let members = self.devices.iter().zip(&work.members);
        let addresses: Vec<u64> = members.map(|(&device, member)| member.carries.handle(device).address()).collect();
        deal.link(&addresses);
        for (member, share) in work.members.iter_mut().zip(&mut deal.shares) {
            member.awaited = std::mem::take(&mut share.awaited);
        }
        if let Some(border) = border.as_deref_mut() {
            self.feed_before(work, plan, &deal.rims, border)?;
        }
        self.start(work, block, &strings, &deal.shares)?;
        if let Some(border) = border {
            self.relay(work, plan, &deal.rims, border)?;
        }
        self.wait(work, block.cells(), deal.tiles, block.expected)?;
        let of_first = deal.shares.into_iter().next().unwrap_or_default();
        Ok(of_first.strips.into_iter().map(|dealt| dealt.strip).collect())
    }

    /// Makes buffers on all devices long enough for a block.
    fn make_buffers(
        &self,
        work: &mut Work<D>,
        block: &Block<'_, K>,
        strings: &StringEntries,
        shares: &[Share],
    ) -> Result<()> {
        // If an allocation fails, no device waits for the carries of the last launch.
        work.members.iter_mut().for_each(|member| member.awaited.clear());
        for ((&device, member), share) in self.devices.iter().zip(&mut work.members).zip(shares) {
            let fields = strings.columns.len() + strings.rows.len() + share.strips.len() * K::FIELDS;
            member.fields.take(device, &member.stream, fields)?;
            member.groups.take(
                device,
                &member.stream,
                (strings.elements * K::element(block.plan.form())).div_ceil(8) as usize,
            )?;
            member.rows.take(device, &member.stream, (block.words * u64::from(self.sizes.planes)) as usize)?;
            member.carries.take_zeroed(device, &member.stream, share.carries as usize)?;
        }
        let device = self.devices[0];
        let member = &mut work.members[0];
        // These are used after the launch, when others may have taken the rest of the memory.
        member.found.take(device, &member.stream, 2 * block.pieces.len())?;
        if K::REORDERS {
            member.ordered.take(device, &member.stream, block.words as usize * K::VECTORS)?;
        }
        let v = member.v.take(device, &member.stream, block.words as usize * K::VECTORS)?;
        if block.is_from_zero() && block.first == 0 {
            device.zero(&member.stream, v)?;
            device.wait(&member.stream)?;
        }
        Ok(())
    }

    /// Starts the launches of a block.
    fn start(&self, work: &mut Work<D>, block: &Block<'_, K>, strings: &StringEntries, shares: &[Share]) -> Result<()> {
        let plan = block.plan;
        let v = work.members[0].v.handle(self.devices[0]);
        for ((&device, member), share) in self.devices.iter().zip(&mut work.members).zip(shares) {
            device.zero(&member.stream, &mut member.progress)?;
            if share.strips.is_empty() {
                continue;
            }
            let mut fields = [&strings.columns[..], &strings.rows[..]].concat();
            fields.extend(share.strips.iter().flat_map(|dealt| K::fields(&dealt.strip)));
            let buffer = member.fields.take(device, &member.stream, fields.len())?;
            device.upload(&member.stream, buffer, &fields)?;
            let fields = member.fields.handle(device);
            // SAFETY: the fields describe parts of the uploaded strings and positions in buffers
            // that are long enough for the block.
            unsafe { self.prepare(device, member, block, fields, fields.skip(strings.columns.len()))? };
            let strips = StripEntries {
                plan,
                entries: fields.skip(strings.columns.len() + strings.rows.len()),
                count: share.strips.len() as u32,
                resume: block.first > 0 || block.is_from_zero(),
                plane_words: block.words,
                v,
            };
            let launch = self.launch(device, member, strips);
            // SAFETY: as above; no carry has a tag of this launch: the carries were zeroed, and
            // tags count up from there.
            unsafe { K::start(&launch, device, &member.stream)? };
        }
        Ok(())
    }

    /// Prepares a block's strings on a device.
    ///
    /// # Safety
    /// The entries of all tables, `columns` and `rows`, must describe symbols on the device, and
    /// positions in its buffers that are long enough. The buffers live as long as self, which waits
    /// for its streams.
    unsafe fn prepare(
        &self,
        device: &D,
        member: &Member<D>,
        block: &Block<'_, K>,
        columns: Global<u64>,
        rows: Global<u64>,
    ) -> Result<()> {
        let longest = block.pieces.iter().map(|piece| piece.table.size().m.max(piece.n)).max().unwrap_or(1);
        let parts = preparing_blocks(longest, block.pieces.len() as u64);
        let blocks = parts * block.pieces.len() as u32;
        let codes = member.strings.handle(device);
        let prepare_columns = PrepareColumns {
            blocks,
            parts,
            codes,
            tables: columns,
            form: block.plan.form(),
            planes: self.sizes.planes,
            digits: self.digits(block.plan),
            prepared: member.groups.handle(device),
        };
        let prepare_rows = PrepareRows {
            blocks,
            parts,
            codes,
            tables: rows,
            form: block.plan.form(),
            planes: self.sizes.planes,
            plane_words: block.words,
            words: member.rows.handle(device),
        };
        // SAFETY: guaranteed by the caller.
        unsafe {
            K::prepare_columns(device, &member.stream, prepare_columns)?;
            K::prepare_rows(device, &member.stream, prepare_rows)
        }
    }

    /// Returns the launch for some strips on a device.
    pub(super) fn launch(&self, device: &D, member: &Member<D>, strips: StripEntries<K>) -> Launch {
        let StripEntries { plan, entries, count, resume, plane_words, v } = strips;
        let limits = device.limits();
        let warps = plan.warps.min(count);
        Launch {
            form: plan.form(),
            warps,
            alone: plan.is_alone(),
            blocks: limits.multiprocessors.min(count.div_ceil(warps)),
            strips: entries,
            count,
            symbols: self.symbols,
            planes: self.sizes.planes,
            digits: self.digits(plan),
            resume: u32::from(resume),
            // One block a multiprocessor, so that all have the same number of warps.
            shared_bytes: (K::table_bytes(plan.form(), self.symbols).unwrap_or(0) * warps).max(limits.exclusive_shared),
            rows: member.rows.handle(device),
            plane_words,
            columns: member.groups.handle(device),
            v,
            carries: member.carries.handle(device),
            progress: device.handle(&member.progress),
        }
    }
}
