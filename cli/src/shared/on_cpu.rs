//! Options of comparisons that only the CPU computes.

use super::engine::{EngineArguments, EngineName};
use super::members::MemberArguments;
use carrywave::Result;
use carrywave::device::EngineKind;
use carrywave::error::UsageFault;

/// Refuses other engines, and several members, for a comparison that `option` chooses.
pub fn check(engine: &EngineArguments, members: &MemberArguments, option: &str) -> Result<()> {
    members.refuse(&format!("not available with {option}, which uses one CPU"))?;
    match engine.engine {
        EngineName::Auto | EngineName::One(EngineKind::Cpu) => Ok(()),
        EngineName::One(engine) => {
            Err(UsageFault::Combination.error(format!("--engine {engine}: {option} is computed on the CPU only")))
        }
    }
}
