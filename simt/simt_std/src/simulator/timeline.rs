//! A timeline of warps and barriers as one HTML file, which a browser shows without a network.
//!
//! Each warp has a row, and each warp access and collective is one step in it. A barrier is as long
//! as the warp's wait, so that the barriers of a block end at the same step:
//!
//! ```text
//! block 0  warp 0  ▐R▌▐R▌▐W▌▐ barrier      ▌▐R▌
//!          warp 1  ▐R▌▐R▌▐W▌▐W▌▐W▌▐ barrier▌▐R▌
//! ```
//!
//! Steps are not time: each counts 1, however long it takes on the hardware. A block starts where
//! the previous block in its slot ended.

use super::access::{Access, Space};
use super::memory::Memory;
use super::site::Sites;
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// Maximum number of recorded steps.
const MAX_STEPS: usize = 1 << 20;

/// The page, with a placeholder for the data.
const PAGE: &str = include_str!("timeline.html");

/// The type of a warp's step. The page has the names and the colours.
#[derive(Debug, Clone, Copy)]
pub(super) enum Kind {
    GlobalRead,
    GlobalWrite,
    SharedRead,
    SharedWrite,
    Atomic,
    Warp,
    Barrier,
}

impl Kind {
    pub fn of_access(space: Space, access: Access) -> Self {
        match (space, access) {
            (_, Access::Atomic) => Kind::Atomic,
            (Space::Global, Access::Read) => Kind::GlobalRead,
            (Space::Global, Access::Write) => Kind::GlobalWrite,
            (Space::Shared, Access::Read) => Kind::SharedRead,
            (Space::Shared, Access::Write) => Kind::SharedWrite,
        }
    }
}

/// A step: row, start, length, type, source line, mask of lanes, and number of sectors or
/// wavefronts.
type Step = (u32, u32, u32, u8, u32, u32, u32);

/// The addresses of a step: one for each lane of its mask, in their order.
#[derive(Debug)]
struct Addresses {
    /// Number of the step.
    step: usize,
    space: Space,
    /// Bytes of each lane.
    size: u32,
    bytes: Vec<u64>,
}

/// A launch: the block and warp of each row, and the steps.
#[derive(Debug, Default)]
pub(super) struct LaunchTimeline {
    kernel: String,
    rows: Vec<(u32, u32)>,
    steps: Vec<Step>,
    /// For each slot: the first row of its block, and the present position of each of its warps.
    places: Vec<(u32, Vec<u32>)>,
    full: bool,
    /// The addresses of accesses, or `None` if they are not recorded.
    addresses: Option<Vec<Addresses>>,
}

impl LaunchTimeline {
    pub fn new(kernel: &str, resident: usize, addresses: bool) -> Self {
        let places = vec![(0, Vec::new()); resident];
        Self { kernel: kernel.into(), places, addresses: addresses.then(Vec::new), ..Self::default() }
    }

    /// Starts a block.
    pub fn start(&mut self, slot: usize, block: u32, warps: usize) {
        let begin = self.places[slot].1.iter().copied().max().unwrap_or(0);
        self.places[slot] = (self.rows.len() as u32, vec![begin; warps]);
        self.rows.extend((0..warps as u32).map(|warp| (block, warp)));
    }

    fn push(&mut self, (slot, warp): (usize, usize), until: u32, kind: Kind, site: u32, lanes: u32, cost: u32) {
        self.full |= self.steps.len() >= MAX_STEPS;
        if !self.full {
            let (first, ticks) = &mut self.places[slot];
            let begin = std::mem::replace(&mut ticks[warp], until);
            self.steps.push((*first + warp as u32, begin, until - begin, kind as u8, site, lanes, cost));
        }
    }

    /// Adds a step of a warp, with the lanes of a mask.
    pub fn step(&mut self, at: (usize, usize), kind: Kind, site: u32, lanes: u32, cost: u64) {
        let until = self.places[at.0].1[at.1] + 1;
        self.push(at, until, kind, site, lanes, cost as u32);
    }

    /// Adds an access of a warp: each entry of `lanes` is a lane and the address of its `size`
    /// bytes.
    pub fn access(
        &mut self,
        at: (usize, usize),
        (space, access): (Space, Access),
        site: u32,
        (size, lanes): (u32, &[(u32, u64)]),
        cost: u64,
    ) {
        let mask = lanes.iter().map(|(lane, _)| 1 << lane).sum();
        self.step(at, Kind::of_access(space, access), site, mask, cost);
        if let Some(list) = self.addresses.as_mut().filter(|_| !self.full) {
            let bytes = lanes.iter().map(|&(_, address)| address).collect();
            list.push(Addresses { step: self.steps.len() - 1, space, size, bytes });
        }
    }

    /// Adds a barrier of all warps of a block.
    pub fn barrier(&mut self, slot: usize, site: u32) {
        let until = self.places[slot].1.iter().copied().max().unwrap_or(0) + 1;
        for warp in 0..self.places[slot].1.len() {
            self.push((slot, warp), until, Kind::Barrier, site, u32::MAX, 0);
        }
    }
}

/// Returns the launches, and the file and line of each site that they name.
fn data(launches: &[LaunchTimeline], sites: &Sites) -> (Vec<Value>, BTreeMap<u32, (&'static str, u32)>) {
    let named: BTreeSet<u32> = launches.iter().flat_map(|launch| &launch.steps).map(|step| step.4).collect();
    let place = |site| (site, (sites.place(site).file(), sites.place(site).line()));
    let launch = |launch: &LaunchTimeline| json!({ "kernel": launch.kernel, "rows": launch.rows, "steps": launch.steps, "full": launch.full });
    (launches.iter().map(launch).collect(), named.into_iter().map(place).collect())
}

/// Returns the page of some launches.
pub(super) fn html(launches: &[LaunchTimeline], sites: &Sites, sources: &BTreeMap<&str, &str>) -> String {
    let (launches, places) = data(launches, sites);
    let files: BTreeSet<&str> = places.values().map(|(file, _)| *file).collect();
    let text = |file: &str| {
        // Paths are relative to the workspace, and the program may run in a folder of it.
        let here = std::env::current_dir().unwrap_or_default();
        let read = || here.ancestors().find_map(|folder| std::fs::read_to_string(folder.join(file)).ok());
        let text = sources.get(file).map(|text| text.to_string()).or_else(read)?;
        Some((file.to_string(), text))
    };
    let sources: BTreeMap<String, String> = files.into_iter().filter_map(text).collect();
    let data = json!({ "launches": launches, "sites": places, "sources": sources }).to_string();
    // Inside a script element, HTML also interprets `</` and `<!--`.
    PAGE.replace("/*DATA*/null", &data.replace('<', "\\u003c"))
}

/// Returns the launches for a program: see
/// [`Simulator::timeline_json`](super::gpu::Simulator::timeline_json).
pub(super) fn json(launches: &[LaunchTimeline], sites: &Sites, memory: &Memory) -> String {
    let (mut shown, places) = data(launches, sites);
    for (launch, shown) in launches.iter().zip(&mut shown) {
        let addresses = |of: &Addresses| {
            let first = of.bytes.first().copied().unwrap_or(0);
            let name = (of.space == Space::Global).then(|| memory.nearest(first)).flatten();
            // Relative to the allocation. An access before its start is a negative offset.
            let base = name.as_ref().map_or(0, |(_, base)| *base);
            let offsets: Vec<i64> = of.bytes.iter().map(|byte| byte.wrapping_sub(base) as i64).collect();
            json!({ "step": of.step, "size": of.size, "array": name.map(|(name, _)| name), "bytes": offsets })
        };
        if let Some(list) = &launch.addresses {
            shown["addresses"] = list.iter().map(addresses).collect();
        }
    }
    json!({ "launches": shown, "sites": places }).to_string()
}
