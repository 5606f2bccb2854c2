//! The patches of a file that git passes: their heads, and the differences of both versions.

use super::format::Format;
use super::git;
use super::session::{Outcome, Session};
use super::side::Side;
use super::texts::FilePair;
use crate::shared::output::stdout_error;
use carrywave::Result;
use std::io::Write;

impl<'j> Session<'j> {
    /// Compares two versions of a file that git passes.
    pub fn change(&mut self, change: &git::Change<'j>, out: &mut dyn Write) -> Result<Outcome> {
        let mut worst = Outcome::Same;
        for patch in change.patches() {
            let [old, new] = patch.paths();
            let mut old = Side::new(&old, true)?;
            let mut new = Side::new(&new, true)?;
            let [a, b] = match self.format {
                Format::Stat => patch.names().map(<[u8]>::to_vec),
                Format::Json => patch.plain_labels(),
                _ => patch.labels(&self.settings),
            };
            // Messages name the file, not the temporary path where git stores its content.
            for (side, name) in [(&mut old, a), (&mut new, b)] {
                side.name.clone_from(&name);
                side.label = Some(name);
            }
            let is_certain = patch.is_certain();
            self.patch = Some(patch);
            let mut outcome = self.files(FilePair { a: &old, b: &new, is_entry: false }, out)?;
            if outcome == Outcome::Same && is_certain {
                out.write_all(&self.head(false)).map_err(stdout_error)?;
                outcome = Outcome::Different;
            }
            worst = worst.max(outcome);
        }
        Ok(worst)
    }
}
