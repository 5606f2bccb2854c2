//! A simulated GPU, as the host has it: memory, launches, and what the launches have cost.

use super::buffer::Buffer;
use super::cost::{Costs, KernelCosts};
use super::fault::Fault;
use super::launch::Machine;
use super::options::Options;
use super::scheduler::run;
use super::timeline::{LaunchTimeline, html};
use super::trace::{Spaces, Trace};
use crate::{Blocks, Grid, Kernel, Source, Word};
use std::collections::BTreeMap;
use std::panic::Location;
use std::rc::Rc;

/// A simulated GPU: its memory, and what its kernels have cost so far.
#[derive(Debug, Default)]
pub struct Simulator {
    options: Options,
    pub(super) machine: Machine,
    costs: Costs,
    by_kernel: BTreeMap<String, KernelCosts>,
    timeline: Vec<LaunchTimeline>,
    sources: BTreeMap<&'static str, &'static str>,
}

impl Simulator {
    /// A simulator with these options.
    pub fn new(options: Options) -> Self {
        let trace = (options.trace != Spaces::default()).then(|| Trace::new(options.trace));
        Self { options, machine: Machine { trace, ..Machine::default() }, ..Self::default() }
    }

    /// Allocates `len` elements of global memory, uninitialised. `name` stands in faults.
    pub fn alloc<T: Word>(&mut self, len: usize, name: &str) -> Buffer<T> {
        Buffer::new(self.machine.memory.alloc::<T>(len, name), len)
    }

    /// Allocates as many elements as `data` has and copies them there. `name` stands in faults.
    pub fn alloc_from<T: Word>(&mut self, data: &[T], name: &str) -> Buffer<T> {
        let buffer = self.alloc(data.len(), name);
        self.upload(&buffer, data).expect("the allocation is as long as the data");
        buffer
    }

    /// Gives an allocation back; later accesses are out of bounds.
    pub fn free<T>(&mut self, buffer: Buffer<T>) {
        self.machine.memory.free(buffer.address());
    }

    /// Copies into the start of an allocation.
    ///
    /// # Errors
    /// When `data` is longer than the allocation.
    pub fn upload<T: Word>(&mut self, buffer: &Buffer<T>, data: &[T]) -> Result<(), Fault> {
        self.upload_to(buffer, 0, data)
    }

    /// Copies into an allocation, from element `start` on.
    ///
    /// # Errors
    /// When the allocation ends before `data` does.
    pub fn upload_to<T: Word>(&mut self, buffer: &Buffer<T>, start: usize, data: &[T]) -> Result<(), Fault> {
        let Machine { memory, records, .. } = &mut self.machine;
        memory.upload(buffer.address(), start, data, records).map_err(|kind| Fault::on_host("upload", kind))
    }

    /// Copies the first `len` elements of an allocation out.
    ///
    /// # Errors
    /// When it is shorter, or part of them was never written.
    pub fn download<T: Word>(&mut self, buffer: &Buffer<T>, len: usize) -> Result<Vec<T>, Fault> {
        self.download_from(buffer, 0, len)
    }

    /// Copies `len` elements of an allocation out, from element `start` on.
    ///
    /// # Errors
    /// As [`download`](Self::download).
    pub fn download_from<T: Word>(&mut self, buffer: &Buffer<T>, start: usize, len: usize) -> Result<Vec<T>, Fault> {
        let Machine { memory, last_launch, .. } = &mut self.machine;
        let downloaded = memory.download(buffer.address(), start, len, last_launch.as_deref());
        downloaded.map_err(|kind| Fault::on_host("download", kind))
    }

    /// Runs `body` in every thread of the grid.
    ///
    /// # Errors
    /// The first fault found; memory is then as the kernel left it.
    #[track_caller]
    pub fn launch(&mut self, kernel: &str, grid: Grid, body: impl Fn() + 'static) -> Result<(), Fault> {
        self.launch_body(kernel, None, grid, Rc::new(body))
    }

    /// [`launch`](Self::launch) for all bodies, so that it is compiled once.
    ///
    /// # Errors
    /// As there.
    #[doc(hidden)]
    #[track_caller]
    pub fn launch_body(
        &mut self,
        kernel: &str,
        source: Option<Source>,
        grid: Grid,
        body: Rc<dyn Fn()>,
    ) -> Result<(), Fault> {
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
        outcome
    }

    /// Launches `blocks` blocks of a kernel: a number, or `[x, y]`, or `[x, y, z]`.
    ///
    /// # Errors
    /// As [`launch`](Self::launch).
    #[track_caller]
    pub fn launch_kernel<K: Kernel>(&mut self, blocks: impl Into<Blocks>, kernel: K) -> Result<(), Fault> {
        // SAFETY: what the contract asks for is what the simulator checks.
        let body = Rc::new(move || unsafe { kernel.run() });
        self.launch_body(K::NAME, K::SOURCE, Grid::of(blocks, &kernel), body)
    }

    /// The costs of the launches so far, by source line; empty without [`Options::accounting`].
    pub fn costs(&self) -> &Costs {
        &self.costs
    }

    /// The costs of the launches so far, by kernel and source line.
    pub fn costs_by_kernel(&self) -> &BTreeMap<String, KernelCosts> {
        &self.by_kernel
    }

    /// The text of a file that holds a kernel which was launched; `file` is as [`Location`] and
    /// [`Costs`] have it.
    pub fn source(&self, file: &str) -> Option<&'static str> {
        self.sources.get(file).copied()
    }

    /// The accesses of the launches so far, in the memories of [`Options::trace`]; `None` without any.
    pub fn trace(&self) -> Option<&Trace> {
        self.machine.trace.as_ref()
    }

    /// Takes the trace away; the next launch begins another.
    pub fn take_trace(&mut self) -> Option<Trace> {
        let next = self.machine.trace.as_ref().map(|trace| Trace::new(trace.spaces()));
        std::mem::replace(&mut self.machine.trace, next)
    }

    /// What the warps of the launches so far have done, step by step, as a page for a browser: one HTML file that needs
    /// nothing else. Without [`Options::timeline`] it has no launches.
    pub fn timeline_html(&self) -> String {
        html(&self.timeline, &self.machine.sites, &self.sources)
    }

    /// The text that the launches so far have printed.
    pub fn printed(&self) -> &str {
        &self.machine.printed
    }

    /// Takes what was printed away.
    pub fn take_printed(&mut self) -> String {
        std::mem::take(&mut self.machine.printed)
    }

    /// Bytes allocated now.
    pub fn allocated(&self) -> u64 {
        self.machine.memory.allocated()
    }
}
