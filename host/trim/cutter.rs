//! Removal of adapters from reads.

use super::action::Action;
use super::adapter::Adapter;
use super::best::{BestOf, Matched, Scratch};
use crate::text::Read;
use std::borrow::Cow;
use std::ops::Range;

/// The adapters of one side, and what happens to a read that has one.
#[derive(Debug, Clone)]
pub(super) struct Cutter {
    pub best: BestOf,
    times: usize,
    action: Action,
    /// True if the symbols of the last match are wanted.
    keeps_match: bool,
}

/// A read after the removal of adapters, and the matches.
#[derive(Debug)]
pub(super) struct CutRead<'r> {
    pub read: Read<'r>,
    pub matches: Vec<Matched>,
    /// Symbols of the last match, if they are wanted.
    pub matched: Vec<u8>,
    /// True if the read is the other strand.
    pub is_reversed: bool,
}

impl<'r> CutRead<'r> {
    pub fn without_match(read: Read<'r>) -> Self {
        Self { read, matches: Vec::new(), matched: Vec::new(), is_reversed: false }
    }

    /// Returns the score of all matches.
    pub fn score(&self) -> i64 {
        self.matches.iter().map(Matched::score).sum()
    }
}

impl Cutter {
    pub fn new(adapters: Vec<Adapter>, times: usize, action: Action, keeps_match: bool) -> Self {
        Self { best: BestOf::new(adapters), times, action, keeps_match }
    }

    /// Removes up to `times` adapters from a read, the best first.
    pub fn cut<'r>(&self, mut read: Read<'r>, scratch: &mut Scratch) -> CutRead<'r> {
        if self.best.adapters.is_empty() {
            return CutRead::without_match(read);
        }
        if self.action == Action::Lowercase {
            read.symbols.to_mut().make_ascii_uppercase();
        }
        let mut matches = Vec::new();
        let mut matched_symbols = Vec::new();
        let mut left = 0..read.len();
        for _ in 0..self.times {
            let Some(matched) = self.best.find(&read.symbols[left.clone()], scratch) else { break };
            if self.keeps_match {
                matched_symbols = self.symbols(&matched, &read.symbols[left.clone()]);
            }
            let kept = matched.kept(left.len());
            left = left.start + kept.start..left.start + kept.end;
            matches.push(matched);
        }
        self.act(&mut read, left, &matches);
        CutRead { read, matches, matched: matched_symbols, is_reversed: false }
    }

    /// Removes adapters from the strand of a read whose matches have the higher score, this strand
    /// if both have the same.
    pub fn cut_either_strand<'r>(&self, read: Read<'r>, scratch: &mut Scratch) -> CutRead<'r> {
        let reversed = self.cut(read.reverse_complement(), scratch);
        let forward = self.cut(read, scratch);
        if reversed.score() <= forward.score() {
            return forward;
        }
        CutRead { is_reversed: true, ..reversed }
    }

    /// Returns the symbols of a match in a read.
    fn symbols(&self, matched: &Matched, read: &[u8]) -> Vec<u8> {
        matched.symbols(read, self.best.adapters[matched.number].is_linked())
    }

    /// Returns a read with the match of an adapter, cut.
    pub fn cut_match<'r>(&self, mut read: Read<'r>, matched: Matched) -> CutRead<'r> {
        let symbols = if self.keeps_match { self.symbols(&matched, &read.symbols) } else { Vec::new() };
        let left = matched.kept(read.len());
        let matches = vec![matched];
        self.act(&mut read, left, &matches);
        CutRead { read, matches, matched: symbols, is_reversed: false }
    }

    /// Applies the action to a read whose part `left` is without adapter.
    pub fn act(&self, read: &mut Read<'_>, left: Range<usize>, matches: &[Matched]) {
        let Some(last) = matches.last() else { return };
        match self.action {
            Action::Trim => read.keep(left),
            Action::Retain => read.keep(last.retained(read.len())),
            Action::Crop => {
                if let Some(found) = last.front.as_ref().or(last.back.as_ref()) {
                    read.keep(found.read.clone());
                }
            }
            Action::Mask => {
                let symbols = read.symbols.to_mut();
                symbols[..left.start].fill(b'N');
                symbols[left.end..].fill(b'N');
            }
            Action::Lowercase => {
                let symbols = read.symbols.to_mut();
                symbols[left.clone()].make_ascii_uppercase();
                symbols[..left.start].make_ascii_lowercase();
                symbols[left.end..].make_ascii_lowercase();
            }
            Action::Nothing => {}
        }
    }
}

/// Adds the mark of a read that was replaced by its other strand to its name.
pub(super) fn mark_reversed(name: &mut Cow<'_, [u8]>) {
    name.to_mut().extend_from_slice(b" rc");
}
