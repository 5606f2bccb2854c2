//! A simulated GPU as the host sees it: memory, launches, and the costs of the launches.

use super::buffer::Buffer;
use super::cost::{Costs, KernelCosts};
use super::fault::Fault;
use super::launch::Machine;
use super::options::Options;
use super::scheduler::run;
use super::stream_checks::StreamChecks;
use super::streams::Stream;
use super::timeline::{LaunchTimeline, html};
use super::trace::{Spaces, Trace};
use crate::{Blocks, Grid, Kernel, Source, Word};
use std::collections::BTreeMap;
use std::panic::Location;
use std::rc::Rc;

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
        self.read_bytes(None, "download", buffer, start, len, true)
    }

    /// Runs `body` in every thread of the grid.
    ///
    /// # Errors
    /// The first fault found. The memory then keeps what the kernel has written so far.
    #[track_caller]
    pub fn launch(&mut self, kernel: &str, grid: Grid, body: impl Fn() + 'static) -> Result<(), Fault> {
        self.launch_body(None, kernel, None, grid, Rc::new(body))
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
        body: Rc<dyn Fn()>,
    ) -> Result<(), Fault> {
        self.checks.before_launch(stream, kernel, &mut self.machine)?;
        self.sources.extend(source.map(|source| (source.file, source.text)));
        let machine = std::mem::take(&mut self.machine);
        let (machine, mut costs, outcome) = run(self.options, kernel, grid, machine, body, Location::caller());
        self.machine = machine;
        self.timeline.extend(costs.timeline.take());
        if self.options.accounting {
            let costs = costs.by_line(&self.machine.sites);
            self.costs.add_all(&costs);
            let of_kernel = self.by_kernel.entry(kernel.into()).or_default();
            of_kernel.launches += 1;
            of_kernel.costs.add_all(&costs);
        }
        self.checks.after_launch(stream, kernel, outcome, &self.machine)
    }

    /// Launches a kernel with `blocks` blocks: a number, or `[x, y]`, or `[x, y, z]`.
    ///
    /// # Errors
    /// As [`launch`](Self::launch).
    #[track_caller]
    pub fn launch_kernel<K: Kernel>(&mut self, blocks: impl Into<Blocks>, kernel: K) -> Result<(), Fault> {
        // SAFETY: the simulator checks what the contract demands.
        let body = Rc::new(move || unsafe { kernel.run() });
        self.launch_body(None, K::NAME, K::SOURCE, Grid::for_kernel(blocks, &kernel), body)
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
