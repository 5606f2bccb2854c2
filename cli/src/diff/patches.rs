//! The patches of a file that git names: their heads, and the differences of both versions.

use super::format::Format;
use super::git;
use super::side::Side;
use super::{Job, Outcome, unwritten};
use carrywave::Result;
use std::io::Write;

impl<'j> Job<'j> {
    /// Compares two versions of a file, as git gives them.
    pub(super) fn change(&mut self, change: &git::Change<'j>, out: &mut dyn Write) -> Result<Outcome> {
        let mut worst = Outcome::Same;
        for patch in change.patches() {
            let [old, new] = patch.paths();
            let (mut old, mut new) = (Side::new(&old, true)?, Side::new(&new, true)?);
            let [a, b] = match self.format {
                Format::Stat => patch.names().map(<[u8]>::to_vec),
                Format::Json => patch.plain_labels(),
                _ => patch.labels(&self.settings),
            };
            // Messages name the file, and not where git has put its content.
            (old.name, new.name) = (a.clone(), b.clone());
            (old.label, new.label) = (Some(a), Some(b));
            let is_certain = patch.is_certain();
            self.patch = Some(patch);
            let mut outcome = self.files(&old, &new, false, out)?;
            if outcome == Outcome::Same && is_certain {
                out.write_all(&self.head(false)).map_err(unwritten)?;
                outcome = Outcome::Different;
            }
            worst = worst.max(outcome);
        }
        Ok(worst)
    }

    /// The lines before the difference of two files: git's where git calls and the format is no script or list for programs, else none.
    pub(super) fn head(&self, is_binary: bool) -> Vec<u8> {
        let Some(patch) = &self.patch else { return Vec::new() };
        match self.format {
            Format::Normal | Format::Unified(_) | Format::Context(_) | Format::SideBySide | Format::Marked(_) => (),
            Format::Ed
            | Format::ForwardEd
            | Format::Rcs
            | Format::Templates(_)
            | Format::Stat
            | Format::Json
            | Format::Brief => return Vec::new(),
        }
        let head = patch.head(&self.settings, is_binary);
        if !self.colors {
            return head;
        }
        let lines = head.split(|&byte| byte == b'\n').filter(|line| !line.is_empty());
        let (color, reset) = (&*self.palette.header, &*self.palette.reset);
        lines.flat_map(|line| [b"\x1b[", color, b"m", line, b"\x1b[", reset, b"m\n"].concat()).collect()
    }
}
