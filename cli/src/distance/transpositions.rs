//! `carrywave distance --transpositions` for two strings.

use super::arguments::{Arguments, Output};
use crate::shared::engine::GpuArguments;
use crate::shared::output::{Targets, write};
use crate::shared::parts::ReportAtEnd;
use crate::shared::progress::{CELLS, bar};
use crate::shared::strings::{ReadStrings, StringArguments, StringRequest};
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::job::Recorder;
use carrywave::pairs::{Cost, Pairs, Symbols};

/// Compares two strings and prints their distance.
pub fn run(arguments: &Arguments, strings: &StringArguments, gpus: GpuArguments) -> Result<()> {
    if arguments.output != Output::Distance {
        return Err(UsageFault::Combination.error("--transpositions gives distances only; leave out --output"));
    }
    arguments.members.refuse("not available with --transpositions, which uses one engine")?;
    let algorithm = arguments.algorithm()?;
    gpus.check(arguments.engine.engine, algorithm)?;
    let targets = Targets::open(arguments.file.as_deref(), None)?;
    let request = StringRequest {
        strings,
        unit: &arguments.unit,
        needs_bytes: false,
        engine: arguments.engine.engine,
        gpus,
        has_members: false,
    };
    let ReadStrings { strings, engine } = request.read()?;
    let pair = match &strings.numbered {
        Some(numbered) => (Symbols::Numbers(&numbered.a), Symbols::Numbers(&numbered.b)),
        None => (Symbols::Bytes(&strings.a.symbols), Symbols::Bytes(&strings.b.symbols)),
    };
    let bar = bar((pair.0.len() as u64).saturating_mul(pair.1.len() as u64), 1, CELLS);
    let on_progress = |cells| bar.inc(cells);
    let recorder = Recorder::new();
    let _report = ReportAtEnd(&recorder);
    let mut pairs = Pairs::new().cost(Cost::Osa).algorithm(algorithm).on_progress(&on_progress).recorder(&recorder);
    let maximum = arguments.many.max.map(|max| max.for_len(pair.0.len().max(pair.1.len())));
    if let Some(maximum) = maximum {
        pairs = pairs.maximum(maximum);
    }
    if let Some(engine) = &engine {
        pairs = pairs.on(&**engine);
    }
    let distances = pairs.listed(&[pair]);
    bar.finish_and_clear();
    let told = match (distances?.first(), maximum) {
        (Some(Some(distance)), _) => distance.to_string(),
        (_, maximum) => format!(">{}", maximum.unwrap_or(u32::MAX)),
    };
    write(targets.output, |out| writeln!(out, "{told}"))
}
