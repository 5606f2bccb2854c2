//! `carrywave distance --mode overlap`: finds the overlap of two strings, then compares its parts
//! like all of two strings.

use super::arguments::{Arguments, ModeArgument, Output};
use super::two::StringComparison;
use crate::shared::output::{Targets, write};
use crate::shared::strings::Strings;
use carrywave::Result;
use carrywave::distance::Overlap;
use carrywave::error::UsageFault;
use std::ops::Range;

/// Refuses options that do not fit `--mode overlap`, and `--min-overlap` without it.
pub fn check(arguments: &Arguments) -> Result<()> {
    let meaning = &arguments.meaning;
    if meaning.mode != ModeArgument::Overlap {
        return match meaning.min_overlap {
            Some(_) => Err(UsageFault::Combination.error("--min-overlap needs --mode overlap")),
            None => Ok(()),
        };
    }
    if arguments.many.max.is_some() {
        let reason = "--max is a bound on the distance, but --mode overlap finds the greatest score; use --min-overlap";
        return Err(UsageFault::Combination.error(reason));
    }
    arguments.members.refuse("not available with --mode overlap, which uses one member")
}

/// Finds the overlap and prints it.
pub fn run(all: &StringComparison<'_>, targets: Targets) -> Result<()> {
    let Strings { a, b, numbered, .. } = all.strings;
    let found = match numbered {
        Some(numbered) => all.comparison.overlap_of_numbers(numbered),
        None => all.comparison.overlap(&a.symbols, &b.symbols),
    };
    let Overlap { mut score, mut distance, a: mut in_a, b: mut in_b, .. } =
        found.inspect_err(|_| all.bar.finish_and_clear())?;
    let length = |part: &Range<u64>| part.end - part.start;
    if length(&in_a).min(length(&in_b)) < all.arguments.meaning.min_overlap.unwrap_or(0) {
        (score, distance) = (0, 0);
        in_a = a.symbols.len() as u64..a.symbols.len() as u64;
        in_b = 0..0;
    }
    let indices = |part: Range<u64>| part.start as usize..part.end as usize;
    let strings = &all.strings.parts(indices(in_a), indices(in_b));
    let overlap = StringComparison { strings, comparison: all.comparison.clone(), score: Some(score), ..*all };
    if all.needs_script && !(all.arguments.output == Output::Paf && score == 0) {
        return overlap.run(targets);
    }
    all.bar.finish_and_clear();
    write(targets.output, |out| overlap.printer().write_overlap(out, distance))
}
