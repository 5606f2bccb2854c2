//! Traces: what every thread accesses, in its own order, and where it meets others.
//!
//! A thread's list holds 8 bytes an event: which *site* (source line, memory, kind, size, allocation), and which
//! element of the allocation.
//!
//! ```text
//! launch ─┬─ thread 0: read a[0]   barrier   read a[4]   write b[0]
//!         ├─ thread 1: read a[1]   barrier   read a[5]
//!         ┆            └ site 7, element 1
//! ```
//!
//! Threads of all blocks are numbered through: block × threads of a block + thread. The time at which things happened is
//! not kept: a trace says what was asked for, and a memory machine decides when.

use super::access::{Access, Space};
use std::collections::HashMap;
use std::panic::Location;

/// Memories whose accesses are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spaces {
    /// Global memory.
    pub global: bool,
    /// Shared memory.
    pub shared: bool,
}

impl Spaces {
    /// Whether a memory is among them.
    pub fn contains(self, space: Space) -> bool {
        match space {
            Space::Global => self.global,
            Space::Shared => self.shared,
        }
    }
}

/// Events that a trace holds at most: 256 MiB of them.
pub const MOST_EVENTS: u64 = 1 << 25;

/// Threads of a launch of which there can be a trace.
const MOST_THREADS: u64 = 1 << 22;

/// Where accesses of one kind come from and go to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Site {
    /// The source line.
    pub location: &'static Location<'static>,
    /// The memory.
    pub space: Space,
    /// Read, write or atomic.
    pub access: Access,
    /// Bytes a thread.
    pub size: u32,
    /// The allocation, or the block whose shared memory it is: a number below [`Trace::regions`].
    pub region: u32,
}

/// An allocation of global memory or the shared memory of a block, as far as it was touched.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Region {
    /// As it was allocated under.
    pub name: String,
    /// The memory.
    pub space: Space,
    /// Bytes up to the end of the last one touched.
    pub bytes: u64,
}

/// What a thread does next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event {
    /// It accesses memory.
    Access {
        /// A number of [`Trace::sites`].
        site: u32,
        /// The byte in the site's region at which the access begins.
        offset: u64,
    },
    /// It waits for its block.
    Barrier,
    /// It meets lanes of its warp of 32, those of the mask: a shuffle, a vote or a barrier of the warp.
    Warp {
        /// A bit a lane.
        mask: u32,
    },
}

/// A site, or one of the numbers below; then the element, or the mask.
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
    /// The kernel's name.
    pub fn kernel(&self) -> &str {
        &self.kernel
    }

    /// Threads of a block.
    pub fn block_threads(&self) -> u32 {
        self.block_threads
    }

    /// Threads of all blocks.
    pub fn threads(&self) -> usize {
        self.threads.len()
    }
}

/// What the launches of a simulator accessed. A trace ends with the launch that does not fit: see [`Trace::is_full`].
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

/// A site as the simulator sees it: the line by its address, the region by its own number.
type SiteKey = (usize, Space, Access, u32, u64);

impl Trace {
    pub(super) fn new(spaces: Spaces) -> Self {
        Self { spaces, ..Self::default() }
    }

    /// What is recorded.
    pub fn spaces(&self) -> Spaces {
        self.spaces
    }

    /// Where accesses come from and go to; events name them by number.
    pub fn sites(&self) -> &[Site] {
        &self.sites
    }

    /// Allocations and blocks' shared memories; sites name them by number.
    pub fn regions(&self) -> &[Region] {
        &self.regions
    }

    /// The launches, in order.
    pub fn launches(&self) -> &[LaunchTrace] {
        &self.launches
    }

    /// Events of all threads.
    pub fn events(&self) -> u64 {
        self.events
    }

    /// Whether there were more than [`MOST_EVENTS`]: a launch was ended for that.
    pub fn is_full(&self) -> bool {
        self.full
    }

    /// Event `i` of a thread of a launch of this trace; `None` after its last.
    pub fn event(&self, launch: &LaunchTrace, thread: usize, i: usize) -> Option<Event> {
        let Packed(site, element) = *launch.threads.get(thread)?.get(i)?;
        Some(match site {
            BARRIER => Event::Barrier,
            WARP => Event::Warp { mask: element },
            _ => Event::Access { site, offset: u64::from(element) * u64::from(self.sites[site as usize].size) },
        })
    }

    /// A launch begins; whether there is room for its threads.
    pub(super) fn launch(&mut self, kernel: &str, blocks: u32, block_threads: u32) -> bool {
        if u64::from(blocks) * u64::from(block_threads) > MOST_THREADS {
            self.full = true;
            return false;
        }
        let threads = vec![Vec::new(); blocks as usize * block_threads as usize];
        self.launches.push(LaunchTrace { kernel: kernel.into(), block_threads, threads });
        true
    }

    /// Appends to the events of a thread; whether there was room.
    fn push(&mut self, block: u32, thread: u32, event: Packed) -> bool {
        if self.events == MOST_EVENTS {
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

    /// A thread waits for its block; whether there was room for it.
    pub(super) fn barrier(&mut self, block: u32, thread: u32) -> bool {
        self.push(block, thread, Packed(BARRIER, 0))
    }

    /// A thread meets others of its warp; whether there was room for it.
    pub(super) fn warp(&mut self, block: u32, thread: u32, mask: u32) -> bool {
        self.push(block, thread, Packed(WARP, mask))
    }

    /// A thread accesses `offset` of a region, named by a number of the simulator's; whether there was room for it.
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
        // A misaligned access is a fault a moment later.
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

    /// Block b writes b × 4 + t to shared memory, and thread t reads what thread 3 - t wrote.
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

    /// What a thread did, with the region and the byte for an access.
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
        trace.events = MOST_EVENTS;
        assert!(!trace.barrier(0, 0) && trace.is_full());
        let mut gpu = Simulator::new(Options { trace: BOTH, ..Options::default() });
        let fault: Fault = gpu.launch("wide", Grid::linear(1 << 20, 1024), || ()).unwrap_err();
        assert!(fault.to_string().contains("more memory accesses or threads"), "{fault}");
        assert!(gpu.trace().unwrap().is_full());
    }
}
