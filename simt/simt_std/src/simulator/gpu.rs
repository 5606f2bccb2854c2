//! A simulated GPU as the host sees it: memory, launches, and the costs of the launches.

use super::body::Body;
use super::buffer::Buffer;
use super::costs::{Costs, KernelCosts};
use super::fault::Fault;
use super::launch::Machine;
use super::memory::region_number;
use super::options::Options;
use super::run::{Ran, run};
use super::setup::Setup;
use super::stream_checks::StreamChecks;
use super::streams::Stream;
use super::timeline::{LaunchTimeline, html, json};
use super::trace::{Spaces, Trace};
use crate::{Blocks, Grid, Kernel, Source, Word};
use std::collections::{BTreeMap, BTreeSet};
use std::panic::Location;

/// A simulated GPU: its memory, and the costs of its kernels so far.
#[derive(Debug, Default)]
pub struct Simulator {
    options: Options,
    pub(super) machine: Machine,
    pub(super) checks: StreamChecks,
    costs: Costs,
    by_kernel: BTreeMap<String, KernelCosts>,
    timeline: Vec<LaunchTimeline>,
    sources: BTreeMap<&'static str, &'static str>,
    /// Kernels whose launches only one host thread can run.
    alone: BTreeSet<String>,
    last_download: Option<Download>,
}

/// A copy of an allocation to the host.
#[derive(Debug, Clone, Copy)]
pub(super) struct Download {
    /// The simulator's own number of the allocation.
    pub region: u64,
    /// Offset of the first byte.
    pub offset: u64,
    /// Number of bytes.
    pub bytes: u64,
}

impl Simulator {
    /// Makes a simulator with these options.
    pub fn new(options: Options) -> Self {
        let trace = (options.trace != Spaces::default()).then(|| Trace::new(options.trace));
        Self { options, machine: Machine { trace, ..Machine::default() }, ..Self::default() }
    }

    /// Allocates `len` elements of global memory, uninitialised. Faults show `name`.
    pub fn alloc<T: Word>(&mut self, len: usize, name: &str) -> Buffer<T> {
        Buffer::new(self.machine.memory.alloc::<T>(len, name), len)
    }

    /// Allocates memory for the elements of `data` and copies them there. Faults show `name`.
    pub fn alloc_from<T: Word>(&mut self, data: &[T], name: &str) -> Buffer<T> {
        let buffer = self.alloc(data.len(), name);
        self.upload(&buffer, data).expect("the allocation is as long as the data");
        buffer
    }

    /// Frees an allocation; later accesses of it are faults. If a launch may still be using it, the
    /// next call that can returns [`FaultKind::FreedInUse`](super::FaultKind::FreedInUse).
    pub fn free<T>(&mut self, buffer: Buffer<T>) {
        self.checks.free(buffer.address(), &mut self.machine);
        self.machine.memory.free(buffer.address());
    }

    /// Copies `data` to the start of an allocation.
    ///
    /// # Errors
    /// If `data` is longer than the allocation.
    pub fn upload<T: Word>(&mut self, buffer: &Buffer<T>, data: &[T]) -> Result<(), Fault> {
        self.upload_to(buffer, 0, data)
    }

    /// Copies `data` to an allocation, from element `start` on.
    ///
    /// # Errors
    /// If the allocation ends before `data` does.
    pub fn upload_to<T: Word>(&mut self, buffer: &Buffer<T>, start: usize, data: &[T]) -> Result<(), Fault> {
        self.write_bytes(None, "upload", buffer, start, data, true)
    }

    /// Copies the first `len` elements of an allocation to the host.
    ///
    /// # Errors
    /// If the allocation is shorter, or if some of the elements were never written.
    pub fn download<T: Word>(&mut self, buffer: &Buffer<T>, len: usize) -> Result<Vec<T>, Fault> {
        self.download_from(buffer, 0, len)
    }

    /// Copies `len` elements of an allocation to the host, from element `start` on.
    ///
    /// # Errors
    /// As [`download`](Self::download).
    pub fn download_from<T: Word>(&mut self, buffer: &Buffer<T>, start: usize, len: usize) -> Result<Vec<T>, Fault> {
        let size = size_of::<T>() as u64;
        let (region, offset) = (region_number(buffer.address()), (start as u64).saturating_mul(size));
        self.last_download = Some(Download { region, offset, bytes: (len as u64).saturating_mul(size) });
        self.read_bytes(None, "download", buffer, start, len, true)
    }

    /// Checks that the last launch has written every element of an allocation, for outputs that had
    /// a value before. (A [`download`](Self::download) checks the others.)
    ///
    /// ```
    /// # use simt_std::{global::Global, simulator::{Grid, Simulator}, thread};
    /// let mut gpu = Simulator::default();
    /// let out = gpu.alloc_from(&[0u32; 100], "out");
    /// let handle: Global<u32> = out.handle();
    /// // 3 blocks of 32 threads are too few for 100 elements.
    /// let fill = move || handle.write(thread::index_1d() as usize, 7);
    /// gpu.launch("fill", Grid::linear(3, 32), fill)?;
    /// let fault = gpu.check_written(&out).unwrap_err();
    /// assert!(fault.to_string().contains("element 96 of `out`"));
    /// # Ok::<(), simt_std::simulator::Fault>(())
    /// ```
    ///
    /// # Errors
    /// [`FaultKind::Unwritten`](super::FaultKind::Unwritten), with the first element without a
    /// write.
    pub fn check_written<T>(&mut self, buffer: &Buffer<T>) -> Result<(), Fault> {
        let Machine { memory, last_launch, .. } = &mut self.machine;
        let written = memory.check_written(buffer.address(), last_launch.as_deref());
        written.map_err(|kind| Fault::on_host("check_written", kind))
    }

    /// Runs `body` in every thread of the grid.
    ///
    /// # Errors
    /// The first fault found. The memory then keeps what the kernel has written so far.
    #[track_caller]
    pub fn launch(&mut self, kernel: &str, grid: Grid, body: impl Fn() + 'static) -> Result<(), Fault> {
        self.launch_body(None, kernel, None, grid, Body::closure(body))
    }

    /// Implements [`launch`](Self::launch) and [`launch_in`](Self::launch_in). Not generic, so that
    /// it is compiled once.
    ///
    /// # Errors
    /// As [`launch`](Self::launch).
    #[doc(hidden)]
    #[track_caller]
    pub fn launch_body(
        &mut self,
        stream: Option<&Stream>,
        kernel: &str,
        source: Option<Source>,
        grid: Grid,
        body: Body,
    ) -> Result<(), Fault> {
        self.checks.before_launch(stream, kernel, &mut self.machine)?;
        self.sources.extend(source.map(|source| (source.file, source.text)));
        let machine = std::mem::take(&mut self.machine);
        // Host threads leave no records of reads, which commands of other streams need.
        let host_threads = if self.checks.has_others(stream) { 1 } else { self.options.host_threads };
        let setup = Setup::new(Options { host_threads, ..self.options }, grid, Location::caller());
        let alone = self.alone.contains(kernel);
        let Ran { machine, costs, timeline, outcome, alone } = run(setup, kernel, &body, machine, alone);
        self.machine = machine;
        self.timeline.extend(timeline);
        if alone && !self.alone.contains(kernel) {
            self.alone.insert(kernel.into());
        }
        if self.options.accounting {
            self.costs.add_all(&costs.lines);
            self.by_kernel.entry(kernel.into()).or_default().add(&costs);
        }
        self.checks.after_launch(stream, kernel, outcome, &self.machine)
    }

    /// Launches a kernel with `blocks` blocks: a number, or `[x, y]`, or `[x, y, z]`.
    ///
    /// # Errors
    /// As [`launch`](Self::launch).
    #[track_caller]
    pub fn launch_kernel<K: Kernel>(&mut self, blocks: impl Into<Blocks>, kernel: K) -> Result<(), Fault> {
        self.launch_body(None, K::NAME, K::SOURCE, Grid::for_kernel(blocks, &kernel), Body::kernel(kernel))
    }

    /// Returns the costs of the launches so far, by source line; empty without
    /// [`Options::accounting`].
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// Returns the costs of the launches so far, by kernel and source line.
    pub fn costs_by_kernel(&self) -> &BTreeMap<String, KernelCosts> {
        &self.by_kernel
    }

    /// Returns the text of a source file whose kernels were launched, or `None` if there is no such
    /// file. `file` is the path in [`Location`] and [`Costs`].
    pub fn source(&self, file: &str) -> Option<&'static str> {
        self.sources.get(file).copied()
    }

    /// Returns the accesses of the launches so far in the memories of [`Options::trace`], or `None`
    /// without any such memory.
    pub fn trace(&self) -> Option<&Trace> {
        self.machine.trace.as_ref()
    }

    /// Takes the trace; the next launch begins a new one.
    pub fn take_trace(&mut self) -> Option<Trace> {
        let next = self.machine.trace.as_ref().map(|trace| Trace::new(trace.spaces()));
        std::mem::replace(&mut self.machine.trace, next)
    }

    /// Returns the steps of all warps of the launches so far as a page for a browser: one
    /// self-contained HTML file. Without [`Options::timeline`], it shows no launches.
    pub fn timeline_html(&self) -> String {
        html(&self.timeline, &self.machine.sites, &self.sources)
    }

    /// Returns the steps of all warps of the launches so far as JSON, for a program:
    ///
    /// ```text
    /// launches    kernel, rows, steps, full, and addresses with `Options::addresses`
    ///   rows        [block, warp]
    ///   steps       [row, begin, length, kind, site, mask of lanes, sectors or wavefronts]
    ///   kinds       0, 1: global read, write; 2, 3: shared read, write; 4: atomic;
    ///               5: collective of a warp; 6: barrier
    ///   full        true if there were more steps than a timeline holds
    ///   addresses   step; size: bytes of a lane; array: an allocation's name, null for shared
    ///               memory; bytes: the offset of each lane of the mask, in their order
    /// sites       number: [file, line]
    /// ```
    pub fn timeline_json(&self) -> String {
        json(&self.timeline, &self.machine.sites, &self.machine.memory)
    }

    /// Returns the last copy of a buffer to the host.
    pub(super) fn last_download(&self) -> Option<Download> {
        self.last_download
    }

    /// Returns the text that the launches so far have printed.
    pub fn printed(&self) -> &str {
        &self.machine.printed
    }

    /// Takes the printed text.
    pub fn take_printed(&mut self) -> String {
        std::mem::take(&mut self.machine.printed)
    }

    /// Returns the number of bytes currently allocated.
    pub fn allocated(&self) -> u64 {
        self.machine.memory.allocated()
    }
}
