//! The adapters of the options and of files.

use super::arguments::Arguments;
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::io::sequence::ReadBlocks;
use carrywave::trim::{Adapter, AdapterEnd, AdapterSettings};

/// Names of the adapters of one side, by their numbers.
pub type Names = Vec<String>;

/// Mark of all adapters of a file.
#[derive(Clone, Copy)]
struct Marks {
    before: &'static str,
    after: &'static str,
}

/// Returns the adapters of the first (0) or second (1) reads, in the order of the command line.
pub fn adapters(arguments: &Arguments, side: usize) -> Result<Vec<Adapter>> {
    let defaults = AdapterSettings {
        errors: arguments.errors,
        overlap: arguments.overlap,
        indels: !arguments.no_indels,
        adapter_codes: !arguments.no_match_adapter_wildcards,
        read_codes: arguments.match_read_wildcards,
    };
    let given = if side == 0 {
        [&arguments.three_prime, &arguments.five_prime, &arguments.either]
    } else {
        [&arguments.second_three_prime, &arguments.second_five_prime, &arguments.second_either]
    };
    let ends = [AdapterEnd::ThreePrime, AdapterEnd::FivePrime, AdapterEnd::Either];
    let mut given: Vec<_> =
        ends.into_iter().zip(given).flat_map(|(end, texts)| texts.iter().map(move |text| (text, end))).collect();
    given.sort_by_key(|(text, _)| text.order);
    let mut adapters = Vec::new();
    for (text, end) in given {
        add(&text.text, end, &defaults, &mut adapters)?;
    }
    Ok(adapters)
}

/// Adds an adapter, or those of a file.
fn add(text: &str, end: AdapterEnd, defaults: &AdapterSettings, adapters: &mut Vec<Adapter>) -> Result<()> {
    let in_file = [("file:", "", ""), ("^file:", "^", ""), ("file$:", "", "$")];
    let found = in_file
        .into_iter()
        .find_map(|(start, before, after)| text.strip_prefix(start).map(|rest| (rest, Marks { before, after })));
    let Some((rest, marks)) = found else {
        adapters.push(Adapter::parse(text, end, defaults)?);
        return Ok(());
    };
    let (path, settings) = rest.split_once(';').unwrap_or((rest, ""));
    let defaults = defaults.changed(settings)?;
    let before = adapters.len();
    let mut blocks = ReadBlocks::open(path)?;
    while let Some(block) = blocks.next_block(1 << 20, 1)? {
        for record in block.reads() {
            let record = record?;
            let text = marked(&String::from_utf8_lossy(&record.symbols), marks);
            let adapter = Adapter::parse(&text, end, &defaults)?;
            let header = String::from_utf8_lossy(&record.name);
            adapters.push(match header.split_whitespace().next() {
                Some(name) => adapter.named(name),
                None => adapter,
            });
        }
    }
    if adapters.len() == before {
        return Err(UsageFault::Empty.error(format!("{path} has no adapter; give a FASTA file of adapters")));
    }
    Ok(())
}

/// Adds the marks of a file to one of its adapters.
fn marked(text: &str, marks: Marks) -> String {
    let Marks { before, after } = marks;
    match text.split_once(';') {
        Some((symbols, settings)) => format!("{before}{symbols}{after};{settings}"),
        None => format!("{before}{text}{after}"),
    }
}
