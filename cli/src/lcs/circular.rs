//! `carrywave lcs --circular`: chooses the rotation of B.

use super::arguments::{Arguments, Output};
use crate::shared::on_cpu;
use crate::shared::strings::Strings;
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::lcs::Comparison;

/// Refuses options that do not fit `--circular`.
pub fn check(arguments: &Arguments) -> Result<()> {
    if !arguments.circular {
        return Ok(());
    }
    if arguments.output == Output::Paf {
        let reason = "--circular: PAF has no positions beyond a record's end; use another --output";
        return Err(UsageFault::Combination.error(reason));
    }
    on_cpu::check(&arguments.engine, &arguments.members, "--circular")
}

/// Returns the start of the first rotation of B with the longest LCS.
pub fn start(comparison: &Comparison<'_>, strings: &Strings) -> Result<u64> {
    let Strings { a, b, numbered, .. } = strings;
    if b.excerpt.is_some() {
        return Err(UsageFault::Combination.error("--circular: B must be a whole record, not a part of one"));
    }
    let rotation = match numbered {
        Some(numbered) => comparison.rotation_of_numbers(numbered)?,
        None => comparison.rotation(&a.symbols, &b.symbols)?,
    };
    Ok(rotation.start)
}
