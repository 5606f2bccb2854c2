//! `carrywave distance --circular`: finds the nearest rotation of B, then compares it like any
//! string.

use super::arguments::{Arguments, Output};
use super::two::StringComparison;
use crate::shared::on_cpu;
use crate::shared::output::Targets;
use carrywave::Result;
use carrywave::error::UsageFault;

/// Refuses options that do not fit `--circular`.
pub fn check(arguments: &Arguments) -> Result<()> {
    if !arguments.meaning.circular {
        return Ok(());
    }
    if arguments.output == Output::Paf {
        let reason = "--circular: PAF has no positions beyond a record's end; use another --output";
        return Err(UsageFault::Combination.error(reason));
    }
    on_cpu::check(&arguments.engine, &arguments.members, "--circular")
}

/// Finds the rotation, and prints its distance or script.
pub fn run(all: &StringComparison<'_>, targets: Targets) -> Result<()> {
    let strings = all.strings;
    if strings.b.excerpt.is_some() {
        return Err(UsageFault::Combination.error("--circular: B must be a whole record, not a part of one"));
    }
    let found = match &strings.numbered {
        Some(numbered) => all.comparison.rotation_of_numbers(numbered),
        None => all.comparison.rotation(&strings.a.symbols, &strings.b.symbols),
    };
    let rotation = found.inspect_err(|_| all.bar.finish_and_clear())?.start;
    let strings = &strings.rotated(rotation as usize);
    let comparison = all.comparison.clone();
    StringComparison { strings, comparison, rotation: Some(rotation), ..*all }.run(targets)
}
