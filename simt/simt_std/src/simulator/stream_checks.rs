//! Finds accesses by commands of two streams without an order between them, and buffers that are
//! freed while a launch may use them.
//!
//! The simulator runs each command when the host queues it. After a launch, its accesses are
//! compared with those of the earlier commands ([`past`](super::past)) that do not come before it
//! ([`streams`](super::streams)).
//!
//! While a single stream is in use, nothing is compared or recorded. Accesses of its launches that
//! the host has not waited for stay in the cells of [`pages`](super::pages), and are
//! recorded ([`import`](StreamChecks::import)) when a second stream needs them.

use super::access::Access;
use super::fault::{Fault, FaultKind, StreamAccess};
use super::launch::Machine;
use super::pages::{AccessedPage, PAGE, Pages};
use super::past::{By, Conflict, Granules, Mark, Past, Touch, Touches, Way};
use super::records::{Cell, Earlier, Kind, PENDING, Records, WRITTEN};
use super::streams::{Stream, StreamEvent, Streams};
use std::collections::BTreeSet;

/// A command whose accesses are recorded.
#[derive(Debug)]
struct Command {
    number: u32,
    slot: usize,
    /// Its kernel's name in backquotes, or its function.
    name: String,
    is_launch: bool,
}

/// A launch of the only stream in use.
#[derive(Debug)]
struct PendingLaunch {
    command: u32,
    /// Number of the launch in the pages.
    launch: u32,
    kernel: String,
}

/// A copy of the only stream in use.
#[derive(Debug)]
struct PendingCopy {
    command: u32,
    name: &'static str,
    range: HostRange,
}

/// The commands of the only stream in use that the host has not waited for. Their accesses are not
/// recorded.
#[derive(Debug, Default)]
struct Unrecorded {
    slot: usize,
    /// Number of the first launch in the pages.
    since: Option<u32>,
    last: Option<PendingLaunch>,
    /// Command number of the launch before the last one, and the kernels of it and those before.
    before: u32,
    kernels: BTreeSet<String>,
    copies: Vec<PendingCopy>,
}

/// Bytes of an allocation that a copy reads or writes.
#[derive(Debug, Clone, Copy)]
pub(super) struct HostRange {
    /// Address of the allocation.
    pub allocation: u64,
    /// Size of the allocation, and the range in it, in bytes.
    pub bytes: u64,
    pub first: u64,
    pub size: u64,
    pub writes: bool,
}

/// What a copy does.
#[derive(Debug)]
pub(super) struct Copy<'r> {
    /// Name of the function, for faults.
    pub name: &'static str,
    pub ranges: &'r [HostRange],
    /// True if the host waits for the copy.
    pub is_waited_for: bool,
}

/// The streams of a simulated GPU, and the accesses of their commands.
#[derive(Debug, Default)]
pub(super) struct StreamChecks {
    streams: Streams,
    past: Past,
    commands: Vec<Command>,
    unrecorded: Option<Unrecorded>,
    /// A fault of a call that returns no error, for the next call that can.
    deferred: Option<Fault>,
}

impl StreamChecks {
    pub fn open(&mut self) -> Stream {
        self.streams.open()
    }

    pub fn close(&mut self, stream: &Stream) {
        if let Some(slot) = self.streams.slot(stream) {
            self.streams.close(slot);
        }
    }

    /// Returns the slot of a command's stream, or the fault of an earlier call that could not
    /// return it.
    fn slot(&mut self, name: &str, stream: Option<&Stream>) -> Result<Option<usize>, Fault> {
        self.deferred()?;
        let Some(stream) = stream else { return Ok(None) };
        let Some(slot) = self.streams.slot(stream) else {
            let reason = "the stream belongs to another simulated GPU".into();
            return Err(Fault::on_host(name, FaultKind::Launch { reason }));
        };
        Ok(Some(slot))
    }

    /// Returns the fault of an earlier call that could not return it.
    pub fn deferred(&mut self) -> Result<(), Fault> {
        self.deferred.take().map_or(Ok(()), Err)
    }

    /// Returns true if commands of other streams may need the accesses of a launch.
    pub fn has_others(&self, stream: Option<&Stream>) -> bool {
        !self.past.is_empty() || self.streams.has_others(stream.and_then(|stream| self.streams.slot(stream)))
    }

    /// Prepares a launch: records what other streams' launches have left in the pages, which the
    /// launch overwrites.
    pub fn before_launch(&mut self, stream: Option<&Stream>, kernel: &str, machine: &mut Machine) -> Result<(), Fault> {
        let slot = self.slot(kernel, stream)?;
        self.before_command(slot, machine);
        let since = self.unrecorded.as_ref().and_then(|unrecorded| unrecorded.since);
        machine.records.pending_since = since.unwrap_or(u32::MAX);
        Ok(())
    }

    /// Checks the accesses of a launch that has ended, with or without a fault.
    ///
    /// # Errors
    /// The fault of the launch, or else an access without an order.
    pub fn after_launch(
        &mut self,
        stream: Option<&Stream>,
        kernel: &str,
        outcome: Result<(), Fault>,
        machine: &Machine,
    ) -> Result<(), Fault> {
        let slot = stream.and_then(|stream| self.streams.slot(stream));
        let outcome = outcome.and_then(|()| self.launched(slot, kernel, machine));
        if let (Err(_), Some(slot)) = (&outcome, slot) {
            // The error tells the host that the launch has ended.
            self.waited(&self.streams.record(slot));
        }
        outcome
    }

    fn launched(&mut self, slot: Option<usize>, kernel: &str, machine: &Machine) -> Result<(), Fault> {
        let launch = machine.memory.launch();
        let Some(command) = self.command(slot, || format!("`{kernel}`"), true) else {
            if let Some(slot) = slot {
                let number = self.streams.last(slot);
                self.leave_unrecorded(slot).launch(number, launch, kernel);
            }
            return Ok(());
        };
        let Machine { memory, records, .. } = machine;
        for (allocation, page) in memory.accessed(launch).filter(|(_, page)| page.launch == launch) {
            self.add(slot, command, whole(allocation, page), &OfLaunch { page, records }).map_err(|conflict| {
                let location = conflict.later.site.map(|site| machine.sites.place(site));
                let kind = self.explain(slot, conflict, allocation, machine);
                Fault { kernel: kernel.into(), ..Fault::in_launch(kind, None, location) }
            })?;
        }
        Ok(())
    }

    /// Checks a copy. Call it before the memory changes.
    ///
    /// # Errors
    /// An access without an order.
    pub fn copy(&mut self, stream: Option<&Stream>, copy: Copy, machine: &Machine) -> Result<(), Fault> {
        let slot = self.slot(copy.name, stream)?;
        self.before_command(slot, machine);
        let queued = slot.filter(|_| !copy.is_waited_for);
        let command = self.command(queued, || format!("`{}`", copy.name), false);
        if let (None, Some(slot)) = (command, queued) {
            let number = self.streams.last(slot);
            let pending = |&range: &HostRange| PendingCopy { command: number, name: copy.name, range };
            self.leave_unrecorded(slot).copies.extend(copy.ranges.iter().map(pending));
            return Ok(());
        }
        let checked = copy.ranges.iter().try_for_each(|range| {
            let added = self.add_range(slot, command.unwrap_or_default(), range);
            added.map_err(|conflict| Fault::on_host(copy.name, self.explain(slot, conflict, range.allocation, machine)))
        });
        if let (true, Some(slot)) = (copy.is_waited_for || checked.is_err(), slot) {
            self.waited(&self.streams.record(slot));
        }
        checked
    }

    /// Returns the point after a stream's commands so far.
    pub fn record(&mut self, stream: &Stream, machine: &Machine) -> Result<StreamEvent, Fault> {
        let slot = self.slot("record", Some(stream))?;
        // An event orders the commands before it and not those after it, so they must be told
        // apart from now on.
        self.import(machine);
        Ok(self.streams.record(slot.unwrap_or_default()))
    }

    /// Orders the further commands of a stream after an event.
    pub fn wait_for(&mut self, stream: &Stream, event: &StreamEvent) -> Result<(), Fault> {
        let slot = self.slot("wait_for", Some(stream))?;
        self.streams.wait_for(slot.unwrap_or_default(), event);
        Ok(())
    }

    /// Records that the host has waited for a stream.
    pub fn wait(&mut self, stream: &Stream) -> Result<(), Fault> {
        let slot = self.slot("wait", Some(stream))?;
        self.waited(&self.streams.record(slot.unwrap_or_default()));
        Ok(())
    }

    /// Records that the host has waited for an event.
    pub fn waited(&mut self, event: &StreamEvent) {
        self.streams.wait(event);
        self.settle();
    }

    /// Records that the host has waited for all streams.
    pub fn wait_for_all(&mut self) {
        self.streams.wait_for_all();
        self.settle();
    }

    /// Checks that no launch uses an allocation that the host frees.
    pub fn free(&mut self, allocation: u64, machine: &mut Machine) {
        let shadow_since = machine.memory.region(allocation).last_launch();
        let unrecorded = self.unrecorded.as_mut().and_then(|unrecorded| {
            unrecorded.copies.retain(|copy| copy.range.allocation != allocation);
            let used = unrecorded.since.is_some_and(|since| shadow_since >= since);
            used.then(|| (unrecorded.slot, unrecorded.names(shadow_since)))
        });
        let used = unrecorded.or_else(|| {
            let marks = self.past.take(allocation);
            let pending = marks.into_iter().filter(|mark| !self.streams.knows(None, mark.slot, mark.command));
            let mut named = pending.filter_map(|mark| {
                let command = self.commands.iter().find(|command| command.number == mark.command)?;
                command.is_launch.then(|| (mark.slot, command.name.clone()))
            });
            named.next_back()
        });
        if let Some((slot, launch)) = used
            && self.deferred.is_none()
        {
            let buffer = machine.memory.region(allocation).in_words();
            let kind =
                FaultKind::FreedInUse { buffer: buffer.into(), launch: launch.into(), stream: self.streams.name(slot) };
            self.deferred = Some(Fault::on_host("free", kind));
        }
    }

    /// Numbers a command. Returns its number if its accesses must be compared and recorded, 0 if
    /// they must only be compared, and `None` for neither.
    fn command(&mut self, slot: Option<usize>, name: impl FnOnce() -> String, is_launch: bool) -> Option<u32> {
        let number = slot.map_or(0, |slot| self.streams.command(slot));
        let has_past = !self.past.is_empty();
        if !has_past && (slot.is_none() || !self.streams.has_others(slot)) {
            return None;
        }
        let Self { past, streams, commands, .. } = self;
        past.begin(&|mark| streams.knows(None, mark.slot, mark.command));
        if let Some(slot) = slot {
            commands.push(Command { number, slot, name: name(), is_launch });
        }
        Some(number)
    }

    /// Records the accesses of the only stream that was in use, if it no longer is.
    fn before_command(&mut self, slot: Option<usize>, machine: &Machine) {
        let Some(unrecorded) = &self.unrecorded else { return };
        if Some(unrecorded.slot) != slot || self.streams.has_others(slot) {
            self.import(machine);
        }
    }

    fn leave_unrecorded(&mut self, slot: usize) -> &mut Unrecorded {
        self.unrecorded.get_or_insert_with(|| Unrecorded { slot, ..Unrecorded::default() })
    }

    /// Compares and adds the accesses of a command.
    fn add(
        &mut self,
        slot: Option<usize>,
        command: u32,
        granules: Granules,
        touches: &impl Touches,
    ) -> Result<(), Conflict> {
        let Self { past, streams, .. } = self;
        let by = By {
            command: slot.filter(|_| command != 0).map(|slot| (slot, command)),
            knows: &|mark| streams.knows(slot, mark.slot, mark.command),
            is_done: &|mark| streams.knows(None, mark.slot, mark.command),
        };
        past.add(granules, &by, touches)
    }

    fn add_range(&mut self, slot: Option<usize>, command: u32, range: &HostRange) -> Result<(), Conflict> {
        let way = Way { kind: if range.writes { Kind::WRITE.0 } else { Kind::READ.0 }, site: None };
        let touch = match range.writes {
            true => Touch { write: Some(way), read: None },
            false => Touch { write: None, read: Some(way) },
        };
        for (page, first, size) in Pages::runs(range.first as usize, range.size as usize) {
            let bytes = (range.bytes as usize - page * PAGE).min(PAGE);
            // Granules start and end where the run does, unless it ends at the end of the memory.
            let end = if first + size == bytes { 0 } else { first + size };
            let shift = (first | end | PAGE).trailing_zeros() as u8;
            let (first, end) = (first >> shift, (first + size).div_ceil(1 << shift));
            let granules = Granules { allocation: range.allocation, page, bytes, shift, first, end };
            self.add(slot, command, granules, &touch)?;
        }
        Ok(())
    }

    /// Records the accesses that the only stream in use has left in the pages.
    #[cold]
    fn import(&mut self, machine: &Machine) {
        let Some(unrecorded) = self.unrecorded.take() else { return };
        let Machine { memory, records, .. } = machine;
        let (slot, now) = (unrecorded.slot, memory.launch());
        let latest = unrecorded.last.as_ref().map_or(0, |last| last.launch);
        let current = |page: &AccessedPage| page.launch == latest && latest == now;
        let is_done = |_: &Mark| false;
        if let (Some(since), false) = (unrecorded.since, unrecorded.kernels.is_empty()) {
            self.past.begin(&is_done);
            let name = unrecorded.earlier_kernels();
            self.commands.push(Command { number: unrecorded.before, slot, name, is_launch: true });
            for (allocation, page) in memory.accessed(since) {
                let touches = OfEarlierLaunches { page, has_records: current(&page) };
                self.add_own(slot, unrecorded.before, whole(allocation, page), &touches);
            }
        }
        if let (Some(last), Some(since)) = (&unrecorded.last, unrecorded.since) {
            self.past.begin(&is_done);
            let name = format!("`{}`", last.kernel);
            self.commands.push(Command { number: last.command, slot, name, is_launch: true });
            for (allocation, page) in memory.accessed(since).filter(|(_, page)| current(page)) {
                self.add_own(slot, last.command, whole(allocation, page), &OfLaunch { page, records });
            }
        }
        for PendingCopy { command, name, range } in unrecorded.copies {
            self.past.begin(&is_done);
            self.commands.push(Command { number: command, slot, name: format!("`{name}`"), is_launch: false });
            let added = self.add_range(Some(slot), command, &range);
            debug_assert!(added.is_ok(), "a stream's commands are in order");
        }
    }

    /// Adds accesses that conflict with nothing, because all others are of the same stream.
    fn add_own(&mut self, slot: usize, command: u32, granules: Granules, touches: &impl Touches) {
        let added = self.add(Some(slot), command, granules, touches);
        debug_assert!(added.is_ok(), "a stream's commands are in order");
    }

    /// Forgets what the host has waited for.
    fn settle(&mut self) {
        if self.unrecorded.as_ref().is_some_and(|unrecorded| !self.streams.is_pending(unrecorded.slot)) {
            self.unrecorded = None;
        }
        if !self.past.is_empty() && !self.streams.any_is_pending() {
            self.past.clear();
        }
        let Self { streams, commands, .. } = self;
        commands.retain(|command| !streams.knows(None, command.slot, command.number));
    }

    #[cold]
    fn explain(&self, slot: Option<usize>, conflict: Conflict, allocation: u64, machine: &Machine) -> FaultKind {
        let Conflict { earlier: Mark { slot: earlier_slot, command, way }, later, offset } = conflict;
        let named = self.commands.iter().find(|of| of.number == command);
        FaultKind::Streams(Box::new(StreamAccess {
            place: machine.memory.place(allocation + offset as u64),
            access: access(later),
            stream: slot.map(|slot| self.streams.name(slot)),
            earlier: access(way),
            earlier_command: named.map_or_else(String::new, |of| of.name.clone()),
            earlier_stream: self.streams.name(earlier_slot),
            earlier_location: way.site.map(|site| machine.sites.place(site)),
        }))
    }
}

impl Drop for StreamChecks {
    fn drop(&mut self) {
        // No call of the host can return it.
        if let Some(fault) = self.deferred.take() {
            eprintln!("{fault}");
        }
    }
}

impl Unrecorded {
    fn launch(&mut self, command: u32, launch: u32, kernel: &str) {
        self.since.get_or_insert(launch);
        match &mut self.last {
            Some(last) => {
                self.before = last.command;
                if !self.kernels.contains(&last.kernel) {
                    self.kernels.insert(last.kernel.clone());
                }
                (last.command, last.launch) = (command, launch);
                if last.kernel != kernel {
                    last.kernel = kernel.into();
                }
            }
            none => *none = Some(PendingLaunch { command, launch, kernel: kernel.into() }),
        }
    }

    /// Returns the names of the kernels before the last one.
    fn earlier_kernels(&self) -> String {
        let names: Vec<String> = self.kernels.iter().map(|kernel| format!("`{kernel}`")).collect();
        names.join(" or ")
    }

    /// Returns the names of the kernels of a launch.
    fn names(&self, launch: u32) -> String {
        match &self.last {
            Some(last) if last.launch == launch || self.kernels.is_empty() => format!("`{}`", last.kernel),
            _ => self.earlier_kernels(),
        }
    }
}

fn whole(allocation: u64, page: AccessedPage) -> Granules {
    let AccessedPage { number, bytes, shift, cells, .. } = page;
    Granules { allocation, page: number, bytes, shift, first: 0, end: cells.len() }
}

/// The accesses of a page by the launch that the records belong to.
struct OfLaunch<'p> {
    page: AccessedPage<'p>,
    records: &'p Records,
}

impl Touches for OfLaunch<'_> {
    #[inline]
    fn key(&self, granule: usize) -> u64 {
        let Cell { write, reads } = self.page.cells[granule];
        let without_record = u64::from(write == WRITTEN) << 63;
        without_record | u64::from(Records::group(write)) << 32 | u64::from(Records::group(reads))
    }

    fn touch(&self, granule: usize) -> Touch {
        let way = |Earlier { kind, site, .. }| Way { kind: kind.0, site: Some(site) };
        let of = |set| self.records.strongest(set).map(way);
        let Cell { write, reads } = self.page.cells[granule];
        // Launches on several host threads have no atomic operations.
        let without_record = (write == WRITTEN).then_some(Way { kind: Kind::WRITE.0, site: None });
        Touch { write: of(write).or(without_record), read: of(reads) }
    }
}

/// The accesses of a page by launches whose records are gone. They may have been atomic.
struct OfEarlierLaunches<'p> {
    page: AccessedPage<'p>,
    /// True if the accesses that have records are of a later launch.
    has_records: bool,
}

impl OfEarlierLaunches<'_> {
    fn is_accessed(&self, set: u32) -> bool {
        set == PENDING || set >= WRITTEN && !self.has_records
    }
}

impl Touches for OfEarlierLaunches<'_> {
    fn key(&self, granule: usize) -> u64 {
        let Cell { write, reads } = self.page.cells[granule];
        u64::from(self.is_accessed(write)) << 1 | u64::from(self.is_accessed(reads))
    }

    fn touch(&self, granule: usize) -> Touch {
        let of = |set, writes| self.is_accessed(set).then(|| Way { kind: Kind::atomic(writes, true).0, site: None });
        let Cell { write, reads } = self.page.cells[granule];
        Touch { write: of(write, true), read: of(reads, false) }
    }
}

fn access(way: Way) -> Access {
    match (Kind(way.kind).is_atomic(), Kind(way.kind).writes()) {
        (true, _) => Access::Atomic,
        (false, true) => Access::Write,
        (false, false) => Access::Read,
    }
}
