//! Declares the block size of each kernel for the driver's compiler.
//!
//! rustc has no attribute for PTX's `.maxntid`. So `#[kernel]` leaves a marker for each entry in
//! the assembly, with the maximum number of threads of its blocks. This module replaces the markers
//! by the directives:
//!
//! ```text
//! // simt.maxntid saxpy 512
//!
//! .visible .entry saxpy(                     .visible .entry saxpy(
//!     .param .align 8 .b8 saxpy_param_0[32]      .param .align 8 .b8 saxpy_param_0[32]
//! )                                      ->  )
//!                                            .maxntid 512
//! {                                          {
//! ```
//!
//! A block of any shape has at most the product of the directive's numbers; omitted numbers are 1.
//!
//! A thread has at most 255 registers, and a multiprocessor 65,536. So a block of up to 256 threads
//! can always be launched and needs no directive. With one, the driver's compiler would only
//! allocate registers differently, for no gain.
//!
//! `min_blocks` of `#[kernel]` leaves a second marker, which becomes `.minnctapersm`: the compiler
//! then limits the registers of a thread, so that a multiprocessor has room for this many blocks.

use std::collections::BTreeMap;

/// Maximum number of threads that always have enough registers on a multiprocessor.
const ALWAYS_LAUNCHED: u32 = 256;

/// The limits that the markers of an entry state.
#[derive(Debug, Default)]
struct Limits {
    /// Maximum number of threads of a block.
    threads: Option<u32>,
    /// Minimum number of blocks of a multiprocessor.
    blocks: Option<u32>,
}

/// Returns the number of a marker's line and its entry, if the line is such a marker.
fn number_of<'a>(line: &'a str, directive: &str, most: u32, range: &str) -> Result<Option<(&'a str, u32)>, String> {
    let line = line.trim();
    let Some(marker) = line.strip_prefix("// simt.").and_then(|marker| marker.strip_prefix(directive)) else {
        return Ok(None);
    };
    let read = marker.trim_start().split_once(' ').and_then(|(name, number)| Some((name, number.parse().ok()?)));
    match read.filter(|(_, number)| (1..=most).contains(number)) {
        Some(read) => Ok(Some(read)),
        None => Err(format!("`{line}`: {range}")),
    }
}

/// Returns the PTX without the markers. If `wanted`, each entry that has a marker and needs a
/// directive gets one. An entry with a minimum number of blocks always gets its directives.
///
/// # Errors
/// If a marker cannot be read, or has no entry.
pub(crate) fn apply(ptx: &str, wanted: bool) -> Result<String, String> {
    let mut limits: BTreeMap<&str, Limits> = BTreeMap::new();
    let mut others = Vec::new();
    for line in ptx.split_inclusive('\n') {
        if let Some((name, threads)) = number_of(line, "maxntid ", 1024, "the threads of a block are 1 to 1,024")? {
            if limits.entry(name).or_default().threads.replace(threads).is_some() {
                return Err(format!("two kernels are called {name}"));
            }
        } else if let Some((name, blocks)) =
            number_of(line, "minnctapersm ", 32, "the blocks of a multiprocessor are 1 to 32")?
        {
            limits.entry(name).or_default().blocks = Some(blocks);
        } else {
            others.push(line);
        }
    }

    let mut result = String::with_capacity(ptx.len());
    // Limits of the entry whose parameters are being read.
    let mut pending = None;
    for line in others {
        if let Some((_, rest)) = line.split_once(".entry ") {
            pending = rest.split('(').next().and_then(|name| limits.remove(name.trim()));
        }
        result.push_str(line);
        if line.trim_end().ends_with(')')
            && let Some(Limits { threads, blocks }) = pending.take()
        {
            // `.minnctapersm` has a meaning only beside `.maxntid`.
            if let Some(threads) = threads.filter(|&most| blocks.is_some() || (wanted && most > ALWAYS_LAUNCHED)) {
                result.push_str(&format!(".maxntid {threads}\n"));
            }
            if let Some(blocks) = blocks {
                result.push_str(&format!(".minnctapersm {blocks}\n"));
            }
        }
    }
    match limits.keys().next() {
        Some(name) => Err(format!("there is no entry {name} in the PTX")),
        None => Ok(result),
    }
}

#[cfg(test)]
mod tests {
    use super::apply;

    #[test]
    fn markers_become_directives_of_their_entries() {
        let ptx = "\
\t// simt.maxntid sum 257
// simt.maxntid first 1024
// simt.maxntid other 256
.visible .entry first()
{
\tret;
}
.visible .entry other(
\t.param .u32 other_param_0
)
{
}
.visible .entry sum(
\t.param .align 8 .b8 sum_param_0[8],
\t.param .u32 sum_param_1
)
{
\tcall (retval0), f, (param0);
}
";
        let expected = "\
.visible .entry first()
.maxntid 1024
{
\tret;
}
.visible .entry other(
\t.param .u32 other_param_0
)
{
}
.visible .entry sum(
\t.param .align 8 .b8 sum_param_0[8],
\t.param .u32 sum_param_1
)
.maxntid 257
{
\tcall (retval0), f, (param0);
}
";
        assert_eq!(apply(ptx, true).unwrap(), expected);
        let without: String =
            expected.lines().filter(|line| !line.starts_with(".maxntid")).map(|line| line.to_owned() + "\n").collect();
        assert_eq!(apply(ptx, false).unwrap(), without);
    }

    #[test]
    fn a_minimum_of_blocks_stands_after_the_threads_even_if_block_sizes_are_not_wanted() {
        let ptx = "// simt.minnctapersm sum 8\n// simt.maxntid sum 128\n.visible .entry sum(\n)\n{\n}\n";
        let expected = ".visible .entry sum(\n)\n.maxntid 128\n.minnctapersm 8\n{\n}\n";
        for wanted in [true, false] {
            assert_eq!(apply(ptx, wanted).unwrap(), expected);
        }
        for marker in ["sum 0", "sum 33", "sum"] {
            let error = apply(&format!("// simt.minnctapersm {marker}\n{expected}"), true).unwrap_err();
            assert_eq!(error, format!("`// simt.minnctapersm {marker}`: the blocks of a multiprocessor are 1 to 32"));
        }
    }

    #[test]
    fn ptx_without_markers_stays_as_it_is() {
        let ptx = "// simt\r\n.visible .entry a(\r\n)\r\n{\n}";
        assert_eq!(apply(ptx, true).unwrap(), ptx);
    }

    #[test]
    fn markers_that_fit_nothing_are_errors() {
        let entry = ".visible .entry sum(\n)\n{\n}\n";
        let error = |markers: &str| apply(&format!("{markers}\n{entry}"), true).unwrap_err();
        assert_eq!(error("// simt.maxntid sums 32"), "there is no entry sums in the PTX");
        assert_eq!(error("// simt.maxntid sum 32\n// simt.maxntid sum 32"), "two kernels are called sum");
        for marker in ["sum 0", "sum 1025", "sum", "sum many"] {
            let error = error(&format!("// simt.maxntid {marker}"));
            assert_eq!(error, format!("`// simt.maxntid {marker}`: the threads of a block are 1 to 1,024"));
        }
    }
}
