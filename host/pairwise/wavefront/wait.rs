//! Waits for the launches of a batch, and ends them after an error.

use super::kernels::Kernels;
use super::layout;
use super::member::{Awaited, Member, NO_MORE_STRIPS};
use super::on_devices::{Wavefront, Work};
use crate::device::Device;
use crate::device::watch::{ASK, Watch};
use crate::error::{Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Duration;

/// Number of words of carries to send at a time instead of a failed device.
const AT_ONCE: u64 = 1 << 20;

impl<D: Device, K: Kernels> Wavefront<'_, D, K> {
    /// Waits for all devices, and reports the progress of long batches. The host checks all
    /// devices, so that it notices a failed one while the others wait for its carries.
    pub(super) fn wait(&self, work: &Work<D>, cells: u64, tiles: u64, expected: Duration) -> Result<()> {
        let mut told = 0;
        let mut done = 0u64;
        let mut counters = vec![0u32; work.members.len()];
        let members = || self.devices.iter().zip(&work.members);
        // A short batch on one device is waited for without checks.
        let long = expected > 2 * ASK;
        let mut watch = Watch::new();
        while (long || self.devices.len() > 1) && !self.all_done(work)? {
            if !long {
                std::thread::yield_now();
                continue;
            }
            if !watch.sleep() {
                continue;
            }
            for ((device, member), counter) in members().zip(&mut counters) {
                let now = device.download(&member.asking, &member.progress, 2)?[1];
                done += layout::tiles_since(std::mem::replace(counter, now), now);
            }
            let now = (cells as f64 * (done as f64 / tiles as f64).min(1.0)) as u64;
            // Launches continue while this thread unwinds, so they are ended as after an error.
            catch_unwind(AssertUnwindSafe(|| (self.progress)(now.saturating_sub(told))))
                .map_err(|_| Error::Interrupted)?;
            told = told.max(now);
        }
        for (device, member) in members() {
            device.wait(&member.stream)?;
        }
        (self.progress)(cells - told);
        Ok(())
    }

    /// Returns true if the launches on all devices are done.
    pub(super) fn all_done(&self, work: &Work<D>) -> Result<bool> {
        let members = self.devices.iter().zip(&work.members);
        members.into_iter().try_fold(true, |all, (device, member)| Ok(all & device.is_done(&member.stream)?))
    }

    /// Ends the launches that still run. They may be waiting for the carries of a failed device:
    /// the host sends arbitrary carries in its place, and prevents further strips from starting.
    pub(super) fn abort(&self, work: &mut Work<D>) {
        for (&device, member) in self.devices.iter().zip(&mut work.members) {
            if let Err(error) = abort(device, member) {
                log::debug!("cannot stop a launch: {error}");
            }
        }
    }
}

/// Implements [`Wavefront::abort`] on one device.
fn abort<D: Device>(device: &D, member: &mut Member<D>) -> Result<()> {
    device.upload(&member.asking, &mut member.progress, &NO_MORE_STRIPS)?;
    let Some(carries) = &mut member.carries.buffer else { return Ok(()) };
    for &Awaited { start, tiles, tag } in &member.awaited {
        let part = vec![u64::from(tag) << 32; tiles.min(AT_ONCE) as usize];
        let mut sent = 0;
        while sent < tiles {
            let count = (tiles - sent).min(AT_ONCE) as usize;
            device.upload_to(&member.asking, carries, (start + sent) as usize, &part[..count])?;
            sent += count as u64;
        }
    }
    Ok(())
}
