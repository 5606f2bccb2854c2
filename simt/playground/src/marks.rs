//! The steps of the timeline that a fault is about.

use crate::fault::earlier;
use serde_json::{Value, json};
use simt_std::Grid;
use simt_std::simulator::{Fault, Thread};
use std::panic::Location;

/// An access to find in the timeline.
struct Wanted {
    block: u64,
    warp: u64,
    lane: u64,
    location: &'static Location<'static>,
}

impl Wanted {
    fn new(thread: &Thread, location: &'static Location<'static>, grid: Grid) -> Self {
        let number = linear(thread.thread, grid.threads);
        Self { block: linear(thread.block, grid.blocks), warp: number / 32, lane: number % 32, location }
    }
}

fn linear([x, y, z]: [u32; 3], [width, height, _]: [u32; 3]) -> u64 {
    u64::from(x) + u64::from(width) * (u64::from(y) + u64::from(height) * u64::from(z))
}

/// Returns the last launch's steps that hold the access at fault and the earlier access of a race,
/// each with its lane; and the last step of the thread at fault. `None` if the fault has no thread.
pub fn marks(timeline: &Value, fault: &Fault, grid: Grid) -> Option<Value> {
    let launches = timeline["launches"].as_array()?;
    let launch = launches.last()?;
    let sites = &timeline["sites"];
    let (thread, location) = (fault.thread.as_ref()?, fault.location?);
    let wanted = Wanted::new(thread, location, grid);
    let at = find(launch, sites, &wanted, None);
    let bytes = at.and_then(|step| address(launch, step, wanted.lane));
    let other = earlier(fault).map(|(thread, location)| {
        let wanted = Wanted::new(thread, location, grid);
        let step = find(launch, sites, &wanted, bytes).or_else(|| find(launch, sites, &wanted, None));
        json!({ "step": step, "lane": wanted.lane })
    });
    let here = json!({ "step": at, "lane": wanted.lane });
    Some(json!({ "launch": launches.len() - 1, "fault": here, "earlier": other, "last": last(launch, &wanted) }))
}

/// Returns the last step in which the thread takes part.
fn last(launch: &Value, wanted: &Wanted) -> Option<usize> {
    let row = row(launch, wanted)?;
    let takes_part = |step: &Value| step[0] == row && step[5].as_u64().is_some_and(|mask| mask >> wanted.lane & 1 == 1);
    launch["steps"].as_array()?.iter().rposition(takes_part)
}

/// Returns the row of the warp.
fn row(launch: &Value, wanted: &Wanted) -> Option<usize> {
    launch["rows"].as_array()?.iter().rposition(|row| row[0] == wanted.block && row[1] == wanted.warp)
}

/// Returns the last step with this access; with `bytes`, the last one at that address.
fn find(launch: &Value, sites: &Value, wanted: &Wanted, bytes: Option<(&Value, i64)>) -> Option<usize> {
    let row = row(launch, wanted)?;
    launch["steps"].as_array()?.iter().enumerate().rev().find_map(|(i, step)| {
        let place = &sites[step[4].to_string()];
        let here = step[0] == row
            && place[0] == wanted.location.file()
            && place[1] == wanted.location.line()
            && step[5].as_u64()? >> wanted.lane & 1 == 1;
        let same = |bytes| address(launch, i, wanted.lane) == Some(bytes);
        (here && bytes.is_none_or(same)).then_some(i)
    })
}

/// Returns the array and the offset that a lane accesses in a step.
fn address(launch: &Value, step: usize, lane: u64) -> Option<(&Value, i64)> {
    let list = launch["addresses"].as_array()?;
    let found = list.binary_search_by_key(&(step as u64), |entry| entry["step"].as_u64().unwrap_or(0)).ok()?;
    let mask = launch["steps"][step][5].as_u64()?;
    let before = (mask & ((1 << lane) - 1)).count_ones() as usize;
    Some((&list[found]["array"], list[found]["bytes"][before].as_i64()?))
}
