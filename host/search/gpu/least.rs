//! The end with the fewest errors in a text on a device, by the words of [`myers`](super::myers).

use super::myers;
use super::row::{Gaps, Launch, Request};
use super::text::DeviceText;
use crate::device::Device;
use crate::error::{Error, Result};
use crate::infix::End;
use crate::search::tuning::Tuning;
use crate::text::Pattern;
use carrywave_kernels::search::output::{LEAST, SearchOutput, least_parts, least_word};
use simt_std::global::Global;

impl<D: Device> DeviceText<D> {
    /// Finds the end with the fewest errors, at most k, and the first of several; `None` if there
    /// is no end. A text has fewer than 2^32 symbols, and k is less than m.
    ///
    /// # Errors
    /// [`Error::Unsupported`] for a pattern that is too long; other errors if the device fails.
    pub fn least(&self, pattern: &Pattern, k: u32) -> Result<Option<End>> {
        let device = &*self.device;
        let patterns = std::slice::from_ref(pattern);
        let request = Request { patterns, k, gaps: Gaps::ANY, tuning: Tuning::default() };
        let algorithm = myers::algorithm::<D>();
        // The limit on errors is that of the word of a hit.
        myers::ABOUT.check(pattern.len(), 0, true)?;
        let prepared = (algorithm.prepare)(self, &request)?;
        let none = least_word(k + 1, 0);
        let best = self.upload(&[none], "best end")?;
        let unused = Global::at(0);
        let output = SearchOutput {
            format: LEAST,
            capacity: 0,
            bytes: Global::at(0),
            bitmap: unused,
            bitmap_by_4: Global::at(0),
            count: unused,
            hits: device.handle(&best),
        };
        let launch = Launch { text: self, n: self.room, from: 0, k, output, bytes: Global::at(0) };
        // SAFETY: the format has one word and no other array, and this function waits for the
        // stream before it frees the word and the launcher.
        let launched = unsafe { prepared.launcher.launch(&launch) };
        let done = device.wait(&self.stream).map_err(Error::from);
        launched.and(done)?;
        let found = device.download(&self.stream, &best, 1)?;
        let word = found.first().copied().filter(|&word| word < none);
        Ok(word.map(least_parts).map(|(position, errors)| End { end: position + 1, errors }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::infix::sellers;
    use simt_launch::Simt;
    use std::sync::Arc;

    /// Texts of many runs, with parts of equal errors in several of them and on their borders.
    #[test]
    fn the_first_end_with_the_fewest_errors() {
        let mut random = fastrand::Rng::with_seed(8);
        let device = Arc::new(Simt::default());
        for case in 0..60 {
            let m = [1, 2, 31, 33, 70, 129, 300][case % 7];
            let symbols = [1, 2, 4][case % 3];
            let pattern: Vec<u8> = (0..m).map(|_| random.u8(..symbols)).collect();
            let mut text: Vec<u8> = (0..random.usize(1..9000)).map(|_| random.u8(..symbols) + 1).collect();
            for _ in 0..case % 5 {
                let mut near = pattern.clone();
                (0..m / 8).for_each(|_| near[random.usize(..m)] = random.u8(..symbols));
                let at = random.usize(..=text.len());
                // Around a border of runs.
                let at = if case % 2 == 0 { at.next_multiple_of(128).min(text.len()) } else { at };
                text.splice(at..at, near);
            }
            let pattern = Pattern::literal(&pattern);
            let (errors, end) = sellers::least(&text, &pattern);
            let on_device = DeviceText::new(device.clone(), &text).unwrap();
            for k in [0, errors.saturating_sub(1), errors, errors + 1, m as u32 - 1] {
                let k = k.min(m as u32 - 1);
                let expected = (errors <= k).then_some(End { end, errors });
                assert_eq!(on_device.least(&pattern, k).unwrap(), expected, "case {case}, k = {k}, m = {m}");
            }
        }
    }
}
