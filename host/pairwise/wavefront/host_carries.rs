//! Carries that go through the host while a launch runs: into the lowest strip of a band, and out
//! of the highest.

use super::deal::{Rim, Rims};
use super::kernels::Kernels;
use super::on_devices::{Wavefront, Work};
use super::plan::WavefrontPlan;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::pairwise::cluster::Border;
use std::ops::Range;
use std::time::Duration;

/// Interval between two checks of an idle device.
const ASK: Duration = Duration::from_micros(200);

impl<D: Device, K: Kernels> Wavefront<'_, D, K> {
    /// Writes carries before a launch: those of the first chunk, which the launch needs to start,
    /// or all of them if none can be written while it runs.
    pub(super) fn feed_before(
        &self,
        work: &mut Work<D>,
        plan: WavefrontPlan<K>,
        rims: &Rims,
        border: &mut Border<'_>,
    ) -> Result<()> {
        let Some(rim) = &rims.below else { return Ok(()) };
        let chunk = border.chunk() as u64;
        for number in 0..self.fed_before(rim.columns.end.div_ceil(chunk)) {
            let row = border.take()?;
            self.feed_chunk(work, plan, rim, number, &row, chunk)?;
        }
        Ok(())
    }

    /// Returns the number of a launch's chunks that the host writes before it.
    fn fed_before(&self, chunks: u64) -> u64 {
        if self.chunks_at_once.is_some() { chunks } else { chunks.min(1) }
    }

    /// Writes a chunk's carries into the row below the lowest strip.
    fn feed_chunk(
        &self,
        work: &mut Work<D>,
        plan: WavefrontPlan<K>,
        rim: &Rim,
        number: u64,
        row: &[u64],
        chunk: u64,
    ) -> Result<()> {
        let columns = columns_of(rim, number, chunk);
        let first = columns.start / plan.tile();
        let end = columns.end.div_ceil(plan.tile());
        let tiles = K::to_tiles(row).into_iter().take((end - first) as usize);
        let words: Vec<u64> = tiles.map(|tile| u64::from(rim.tag) << 32 | u64::from(tile)).collect();
        let device = self.devices[rim.device];
        let member = &mut work.members[rim.device];
        let carries = member.carries.take(device, &member.stream, 0)?;
        device.upload_to(&member.asking, carries, (rim.start + first) as usize, &words)?;
        Ok(())
    }

    /// Reads the carries of a chunk in the row above the highest strip, if all have been written.
    fn read_chunk(
        &self,
        work: &mut Work<D>,
        plan: WavefrontPlan<K>,
        rim: &Rim,
        number: u64,
        chunk: u64,
    ) -> Result<Option<Vec<u64>>> {
        let columns = columns_of(rim, number, chunk);
        let first = columns.start / plan.tile();
        let end = columns.end.div_ceil(plan.tile());
        let device = self.devices[rim.device];
        let member = &mut work.members[rim.device];
        let carries = member.carries.take(device, &member.stream, 0)?;
        let start = (rim.start + first) as usize;
        let len = (end - first) as usize;
        // The last word is written last, but it may become visible before the others.
        let is_there = |word: &u64| (word >> 32) as u32 == rim.tag;
        let last = device.download_from(&member.asking, carries, start + len - 1, 1)?;
        if !last.iter().all(is_there) {
            return Ok(None);
        }
        let words = device.download_from(&member.asking, carries, start, len)?;
        if !words.iter().all(is_there) {
            return Ok(None);
        }
        let tiles: Vec<u32> = words.iter().map(|&word| word as u32).collect();
        Ok(Some(K::from_tiles(&tiles, (columns.end - columns.start) as usize)))
    }

    /// Relays carries in and out while a launch runs, until all have gone through.
    pub(super) fn relay(
        &self,
        work: &mut Work<D>,
        plan: WavefrontPlan<K>,
        rims: &Rims,
        border: &mut Border<'_>,
    ) -> Result<()> {
        let chunk = border.chunk() as u64;
        let chunks = |rim: &Option<Rim>| rim.as_ref().map_or(0, |rim| rim.columns.end.div_ceil(chunk));
        let to_feed = chunks(&rims.below);
        let to_read = chunks(&rims.above);
        let mut fed = self.fed_before(to_feed);
        let mut read = 0;
        while fed < to_feed || read < to_read {
            let mut idle = true;
            if let (Some(rim), true) = (&rims.below, fed < to_feed)
                && let Some(row) = border.take_now()?
            {
                self.feed_chunk(work, plan, rim, fed, &row, chunk)?;
                fed += 1;
                idle = false;
            }
            if let (Some(rim), true) = (&rims.above, read < to_read) {
                // Checked first: if the launch is done, carries that it has not written will never
                // come.
                let done = self.all_done(work)?;
                match self.read_chunk(work, plan, rim, read, chunk)? {
                    Some(row) => {
                        border.give(row)?;
                        read += 1;
                        idle = false;
                    }
                    None if done => return Err(Error::Verification("a launch ended without carries".into())),
                    None => {}
                }
            }
            if idle {
                std::thread::sleep(ASK);
            }
        }
        Ok(())
    }
}

/// Returns the columns of a chunk of a launch.
fn columns_of(rim: &Rim, number: u64, chunk: u64) -> Range<u64> {
    number * chunk..((number + 1) * chunk).min(rim.columns.end)
}
