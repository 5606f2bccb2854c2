//! Traces: the accesses of every thread and its synchronisations, in its own order.
//!
//! A thread's list takes 8 bytes per event: the *site* (source line, memory space, type, size,
//! allocation) and the element of the allocation.
//!
//! ```text
//! launch ─┬─ thread 0: read a[0]   barrier   read a[4]   write b[0]
//!         ├─ thread 1: read a[1]   barrier   read a[5]
//!         ┆            └ site 7, element 1
//! ```
//!
//! Threads of all blocks have consecutive numbers: block × threads of a block + thread. The trace
//! has no times: it records the requests, and a memory machine decides when they are served.

use super::access::{Access, Space};
use std::collections::HashMap;
use std::panic::Location;

/// The memory spaces whose accesses are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spaces {
    /// Global memory.
    pub global: bool,
    /// Shared memory.
    pub shared: bool,
}

impl Spaces {
    /// Returns true if it contains a memory space.
    pub fn contains(self, space: Space) -> bool {
        match space {
            Space::Global => self.global,
            Space::Shared => self.shared,
        }
    }
}

/// Maximum number of events of a trace: 256 MiB of them.
pub const MAX_EVENTS: u64 = 1 << 25;

/// Maximum number of threads of a launch that can be traced.
const MAX_THREADS: u64 = 1 << 22;

/// The common properties of accesses from one source line to one allocation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Site {
    /// The source line.
    pub location: &'static Location<'static>,
    /// The memory space.
    pub space: Space,
    /// Type of the access: read, write or atomic.
    pub access: Access,
    /// Number of bytes per thread.
    pub size: u32,
    /// Number of the allocation, or of the block's shared memory, in [`Trace::regions`].
    pub region: u32,
}

/// The accessed part of an allocation of global memory or of a block's shared memory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// Name of the allocation.
    pub name: String,
    /// The memory space.
    pub space: Space,
    /// Number of bytes up to the end of the last one accessed.
    pub bytes: u64,
}

/// An action of a thread.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// An access of memory.
    Access {
        /// Index into [`Trace::sites`].
        site: u32,
        /// Offset of the access's first byte in the site's region.
        offset: u64,
    },
    /// A wait for the block.
    Barrier,
    /// A synchronisation with lanes of its warp of 32: a shuffle, a vote or a barrier of the warp.
    Warp {
        /// Mask of the lanes that synchronise, one bit per lane.
        mask: u32,
    },
}

/// A site, or one of the numbers below; then the element or the mask.
#[derive(Debug, Clone, Copy)]
struct Packed(u32, u32);

const BARRIER: u32 = u32::MAX;
const WARP: u32 = u32::MAX - 1;

/// A launch of a trace.
#[derive(Debug, Clone)]
pub struct LaunchTrace {
    kernel: String,
    block_threads: u32,
    threads: Vec<Vec<Packed>>,
}

impl LaunchTrace {
    /// Returns the name of the kernel.
    pub fn kernel(&self) -> &str {
        &self.kernel
    }

    /// Returns the number of threads of a block.
    pub fn block_threads(&self) -> u32 {
        self.block_threads
    }

    /// Returns the number of threads of all blocks.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }
}

/// The accesses of a simulator's launches. A launch that does not fit ends with a fault, and the
/// trace ends with it: see [`Trace::is_full`].
#[derive(Debug, Clone, Default)]
pub struct Trace {
    spaces: Spaces,
    sites: Vec<Site>,
    numbers: HashMap<SiteKey, u32>,
    regions: Vec<Region>,
    region_numbers: HashMap<(Space, u64), u32>,
    launches: Vec<LaunchTrace>,
    events: u64,
    full: bool,
}

/// The threads that wrote an element in one launch.
pub(super) struct Writers<'t> {
    pub kernel: &'t str,
    pub block_threads: u32,
    /// The first of them: block × threads of a block + thread.
    pub thread: u32,
    /// Source line of its last write.
    pub location: &'static Location<'static>,
    pub access: Access,
    /// Number of threads.
    pub threads: usize,
}

/// Key of a site in the simulator: the address of its source position, and the simulator's own
/// number of the region.
type SiteKey = (usize, Space, Access, u32, u64);

impl Trace {
    pub(super) fn new(spaces: Spaces) -> Self {
        Self { spaces, ..Self::default() }
    }

    /// Returns the memory spaces that are recorded.
    pub fn spaces(&self) -> Spaces {
        self.spaces
    }

    /// Returns the sites of all accesses; events refer to them by index.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Returns the allocations and the blocks' shared memories; sites refer to them by index.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// Returns the launches, in order.
    pub fn launches(&self) -> &[LaunchTrace] {
        &self.launches
    }

    /// Returns the number of events of all threads.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Returns true if there were too many events ([`MAX_EVENTS`]) or threads; the launch ended
    /// for that reason.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Returns event `i` of a thread of a launch of this trace, or `None` after its last event.
    pub fn event(&self, launch: &LaunchTrace, thread: usize, i: usize) -> Option<Event> {
        let Packed(site, element) = *launch.threads.get(thread)?.get(i)?;
        Some(match site {
            BARRIER => Event::Barrier,
            WARP => Event::Warp { mask: element },
            _ => Event::Access { site, offset: u64::from(element) * u64::from(self.sites[site as usize].size) },
        })
    }

    /// Returns the threads that wrote an offset of an allocation in the last launch that did, given
    /// the simulator's own number of the allocation.
    pub(super) fn last_writers(&self, region: u64, offset: u64) -> Option<Writers<'_>> {
        let number = *self.region_numbers.get(&(Space::Global, region))?;
        let writes = |event: &Packed| {
            let site = self.sites.get(event.0 as usize)?;
            let first = u64::from(event.1) * u64::from(site.size);
            let is_here = site.region == number && (first..first + u64::from(site.size)).contains(&offset);
            (is_here && site.access != Access::Read).then_some(site)
        };
        self.launches.iter().rev().find_map(|launch| {
            let mut found =
                launch.threads.iter().enumerate().filter_map(|(number, events)| {
                    events.iter().rev().find_map(writes).map(|site| (number as u32, site))
                });
            let (thread, site) = found.next()?;
            let (kernel, block_threads) = (launch.kernel(), launch.block_threads);
            let (location, access) = (site.location, site.access);
            Some(Writers { kernel, block_threads, thread, location, access, threads: 1 + found.count() })
        })
    }

    /// Starts a launch; returns true if there is room for its threads.
    pub(super) fn launch(&mut self, kernel: &str, blocks: u32, block_threads: u32) -> bool {
        if u64::from(blocks) * u64::from(block_threads) > MAX_THREADS {
            self.full = true;
            return false;
        }
        let threads = vec![Vec::new(); blocks as usize * block_threads as usize];
        self.launches.push(LaunchTrace { kernel: kernel.into(), block_threads, threads });
        true
    }

    /// Appends to the events of a thread; returns true if there was room.
    fn push(&mut self, block: u32, thread: u32, event: Packed) -> bool {
        if self.events == MAX_EVENTS {
            self.full = true;
            return false;
        }
        if let Some(launch) = self.launches.last_mut() {
            let number = block as usize * launch.block_threads as usize + thread as usize;
            launch.threads[number].push(event);
            self.events += 1;
        }
        true
    }

    /// Adds a thread's wait for its block; returns true if there was room.
    pub(super) fn barrier(&mut self, block: u32, thread: u32) -> bool {
        self.push(block, thread, Packed(BARRIER, 0))
    }

    /// Adds a thread's synchronisation with others of its warp; returns true if there was room.
    pub(super) fn warp(&mut self, block: u32, thread: u32, mask: u32) -> bool {
        self.push(block, thread, Packed(WARP, mask))
    }

    /// Adds a thread's access to `offset` of a region, given by the simulator's number; returns
    /// true if there was room.
    pub(super) fn access(
        &mut self,
        (block, thread): (u32, u32),
        (space, region, offset): (Space, u64, u64),
        (access, size): (Access, u32),
        location: &'static Location<'static>,
        name: impl FnOnce() -> String,
    ) -> bool {
        let key = (std::ptr::from_ref(location).addr(), space, access, size, region);
        let site = match self.numbers.get(&key) {
            Some(&site) => site,
            None => {
                let next = self.regions.len() as u32;
                let number = *self.region_numbers.entry((space, region)).or_insert(next);
                if number == next {
                    self.regions.push(Region { name: name(), space, bytes: 0 });
                }
                let site = self.sites.len() as u32;
                self.sites.push(Site { location, space, access, size, region: number });
                self.numbers.insert(key, site);
                site
            }
        };
        let region = &mut self.regions[self.sites[site as usize].region as usize];
        region.bytes = region.bytes.max(offset.saturating_add(size.into()));
        // A misaligned access is about to become a fault.
        let Ok(element) = u32::try_from(offset / u64::from(size.max(1))) else {
            self.full = true;
            return false;
        };
        self.push(block, thread, Packed(site, element))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulator::{Fault, Grid, Options, Simulator};
    use crate::{global::Global, shared::Shared, thread};

    const BOTH: Spaces = Spaces { global: true, shared: true };

    /// Thread t of block b writes b × 4 + t to shared memory, and reads what thread 3 - t wrote.
    fn turn(spaces: Spaces) -> Simulator {
        let mut gpu = Simulator::new(Options { trace: spaces, ..Options::default() });
        gpu.alloc::<u8>(5, "nothing");
        let out = gpu.alloc::<u32>(8, "out");
        let handle: Global<u32> = out.handle();
        let grid = Grid { dynamic_shared: 16, ..Grid::linear(2, 4) };
        gpu.launch("turn", grid, move || {
            let (thread, shared): (u32, Shared<u32>) = (thread::thread_idx_x(), crate::shared::dynamic_shared_mem());
            shared.write(thread, thread::index_1d());
            // SAFETY: all threads are here.
            unsafe { thread::sync_threads() };
            handle.write(thread::index_1d() as usize, shared.read(3 - thread));
        })
        .unwrap();
        assert_eq!(gpu.download(&out, 8).unwrap(), [3, 2, 1, 0, 7, 6, 5, 4]);
        gpu
    }

    /// Returns the actions of a thread in words, with the region and the byte for an access.
    fn events(trace: &Trace, thread: usize) -> Vec<String> {
        let launch = &trace.launches()[0];
        let events = (0..).map_while(|i| trace.event(launch, thread, i));
        let show = |event| match event {
            Event::Access { site, offset } => {
                let Site { space, access, size, region, .. } = trace.sites()[site as usize];
                format!("{access} {space} {} {offset} {size}", trace.regions()[region as usize].name)
            }
            other => format!("{other:?}"),
        };
        events.map(show).collect()
    }

    #[test]
    fn accesses_and_barriers_in_each_thread_s_order() {
        let mut gpu = turn(BOTH);
        let trace = gpu.take_trace().unwrap();
        assert_eq!(trace.events(), 8 * 4);
        let launch = &trace.launches()[0];
        assert_eq!((launch.kernel(), launch.block_threads(), launch.threads()), ("turn", 4, 8));
        let memory = "shared memory of block 1";
        let want = [
            format!("write shared {memory} 4 4"),
            "Barrier".into(),
            format!("read shared {memory} 8 4"),
            "write global out 20 4".into(),
        ];
        assert_eq!(events(&trace, 5), want);
        assert_eq!(trace.regions().len(), 3, "two blocks and one allocation");
        assert!(gpu.trace().unwrap().launches().is_empty(), "another begins");
    }

    #[test]
    fn memories_are_chosen() {
        for (spaces, accesses) in
            [(Spaces { global: true, shared: false }, 1), (Spaces { shared: true, global: false }, 2)]
        {
            let gpu = turn(spaces);
            let trace = gpu.trace().unwrap();
            assert_eq!(events(trace, 0).len(), 1 + accesses, "{spaces:?}");
            assert!(trace.sites().iter().all(|site| spaces.contains(site.space)));
        }
        assert!(turn(Spaces::default()).trace().is_none());
    }

    #[test]
    fn what_does_not_fit_is_a_fault() {
        let mut trace = Trace::new(BOTH);
        assert!(trace.launch("k", 1, 1) && trace.barrier(0, 0));
        trace.events = MAX_EVENTS;
        assert!(!trace.barrier(0, 0) && trace.is_full());
        let mut gpu = Simulator::new(Options { trace: BOTH, ..Options::default() });
        let fault: Fault = gpu.launch("wide", Grid::linear(1 << 20, 1024), || ()).unwrap_err();
        assert!(fault.to_string().contains("more memory accesses or threads"), "{fault}");
        assert!(gpu.trace().unwrap().is_full());
    }
}
