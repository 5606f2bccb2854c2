//! Finds faults in PTX that rustc does not report: too much static shared memory, and collectives
//! in functions that are called.
//!
//! The positions are those of PTX with line tables (`-Cdebuginfo=line-tables-only`), where `.loc`
//! precedes the instructions of each source line:
//!
//! ```text
//!     .loc    1 47 5
//!     mov.u32 %r2, shared_tile_47_5_939559724;      the array is declared in file 1, line 47
//!     …
//!     .file   1 "kernels/src/kernels.rs"
//! ```

use crate::collectives::is_collective;
use std::collections::{BTreeMap, BTreeSet};

/// Maximum size of the static shared arrays of a kernel, in bytes. `ptxas` has the same limit for
/// every type of GPU (CUDA C++ Programming Guide, "Technical Specifications per Compute
/// Capability": more is possible by dynamic allocation alone).
pub const STATIC_SHARED_LIMIT: u64 = 48 * 1024;

/// A position in the source.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Position {
    /// The file as in rustc's line tables, such as `kernels/src/kernels.rs`.
    pub file: String,
    pub line: usize,
}

/// A fault of a kernel or of a function.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum PtxFault {
    /// The arrays of a kernel, the largest first, take more than [`STATIC_SHARED_LIMIT`].
    TooMuchShared { kernel: String, bytes: u64, arrays: Vec<Array> },
    /// A function that is called has a collective.
    CalledCollective { function: String, instruction: String, position: Option<Position> },
}

/// A static shared array.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Array {
    pub symbol: String,
    pub bytes: u64,
    /// Its declaration, or `None` in PTX without line tables.
    pub position: Option<Position>,
}

/// A function in PTX.
#[derive(Default)]
struct Function<'t> {
    name: &'t str,
    is_kernel: bool,
    body: Vec<&'t str>,
}

/// Returns the faults of a PTX text, in its order.
pub(crate) fn faults(ptx: &str) -> Vec<PtxFault> {
    let functions = functions(ptx);
    let mut found: Vec<PtxFault> = Vec::new();
    let files = files(ptx);
    let arrays = arrays(ptx);
    let bodies: BTreeMap<&str, &Function> = functions.iter().map(|function| (function.name, function)).collect();
    for function in &functions {
        if function.is_kernel {
            let used = used_arrays(function, &bodies, &arrays);
            let bytes = used.keys().map(|symbol| arrays[symbol].next_multiple_of(16)).sum();
            if bytes > STATIC_SHARED_LIMIT {
                let array = |(symbol, position): (&str, Option<Loc>)| Array {
                    symbol: symbol.to_owned(),
                    bytes: arrays[symbol],
                    position: position.and_then(|loc| loc.position(&files)),
                };
                let mut arrays: Vec<Array> = used.into_iter().map(array).collect();
                arrays.sort_by_key(|array| std::cmp::Reverse(array.bytes));
                found.push(PtxFault::TooMuchShared { kernel: function.name.to_owned(), bytes, arrays });
            }
        } else if let Some(instruction) = words(function).map(|(_, word)| word).find(|word| is_collective(word)) {
            let position = function.body.iter().find_map(|line| Loc::read(line)).and_then(|loc| loc.position(&files));
            let (function, instruction) = (function.name.to_owned(), instruction.to_owned());
            found.push(PtxFault::CalledCollective { function, instruction, position });
        }
    }
    found
}

/// A `.loc` directive.
#[derive(Debug, Clone, Copy)]
struct Loc {
    file: usize,
    line: usize,
}

impl Loc {
    fn read(line: &str) -> Option<Self> {
        let mut numbers = line.trim().strip_prefix(".loc")?.split_whitespace();
        Some(Self { file: numbers.next()?.parse().ok()?, line: numbers.next()?.parse().ok()? })
    }

    fn position(self, files: &BTreeMap<usize, &str>) -> Option<Position> {
        Some(Position { file: (*files.get(&self.file)?).to_owned(), line: self.line })
    }
}

/// Returns the names of the source files by their numbers.
fn files(ptx: &str) -> BTreeMap<usize, &str> {
    let files = ptx.lines().filter_map(|line| {
        let (number, name) = line.trim().strip_prefix(".file")?.trim().split_once(char::is_whitespace)?;
        Some((number.parse().ok()?, name.trim().strip_prefix('"')?.split('"').next()?))
    });
    files.collect()
}

/// Returns the static shared arrays: their sizes in bytes by symbol.
fn arrays(ptx: &str) -> BTreeMap<&str, u64> {
    let arrays = ptx.lines().filter_map(|line| {
        let (symbol, size) = line.trim().strip_prefix(".shared ")?.rsplit_once(' ')?.1.split_once('[')?;
        Some((symbol, size.split(']').next()?.parse().ok()?))
    });
    arrays.collect()
}

/// Returns the functions with bodies.
fn functions(ptx: &str) -> Vec<Function<'_>> {
    let mut functions = Vec::new();
    let (mut open, mut is_within): (Option<Function>, bool) = (None, false);
    for line in ptx.lines() {
        if is_within && line == "}" {
            functions.extend(open.take());
            is_within = false;
        } else if is_within {
            open.iter_mut().for_each(|function| function.body.push(line));
        } else if let Some((is_kernel, name)) = head(line) {
            open = Some(Function { name, is_kernel, body: Vec::new() });
        } else if line == ";" {
            // A declaration.
            open = None;
        } else {
            is_within = line == "{" && open.is_some();
        }
    }
    functions
}

/// Returns the name of the function whose first line this is, and true for a kernel.
fn head(line: &str) -> Option<(bool, &str)> {
    let (linkage, rest) = line.split_once(".entry ").or_else(|| line.split_once(".func"))?;
    if !matches!(linkage.trim(), "" | ".visible" | ".weak") {
        return None;
    }
    let is_kernel = line.contains(".entry ");
    // Before the name of a function is the list of its results.
    let rest = rest.trim_start();
    let rest = if rest.starts_with('(') { rest.split_once(')')?.1 } else { rest };
    let name = rest.split('(').next()?.split_whitespace().last()?;
    Some((is_kernel, name))
}

/// Returns the words of a function's instructions, each with the last `.loc` before it.
fn words<'t>(function: &Function<'t>) -> impl Iterator<Item = (Option<Loc>, &'t str)> {
    let mut loc = None;
    function.body.iter().flat_map(move |line| {
        loc = Loc::read(line).or(loc);
        let code = line.split("//").next().unwrap_or_default();
        let is_separator = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '$' | '.'));
        code.split(is_separator).filter(|word| !word.is_empty()).map(move |word| (loc, word)).collect::<Vec<_>>()
    })
}

/// Returns the arrays that a kernel or the functions that it calls use, with the position of the
/// first use.
fn used_arrays<'t>(
    kernel: &Function<'t>,
    bodies: &BTreeMap<&str, &Function<'t>>,
    arrays: &BTreeMap<&'t str, u64>,
) -> BTreeMap<&'t str, Option<Loc>> {
    let mut used = BTreeMap::new();
    let mut seen = BTreeSet::from([kernel.name]);
    let mut waiting = vec![kernel];
    while let Some(function) = waiting.pop() {
        for (loc, word) in words(function) {
            if arrays.contains_key(word) {
                used.entry(word).or_insert(loc);
            } else if let Some(called) = bodies.get(word)
                && seen.insert(called.name)
            {
                waiting.push(called);
            }
        }
    }
    used
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "\
.version 6.3
.shared .align 16 .b8 shared_row_9_5_7[12];
.shared .align 16 .b8 shared_tile_4_5_7[49136];
.shared .align 16 .b8 shared_unused_4_5_7[99999];
.extern .shared .align 16 .b8 dynamic_shared[];
.extern .func vprintf
(
\t.param .b64 a
)
;
.func  (.param .b32 func_retval0) _RNvCs1_7kernels6helper(
\t.param .b64 a
)
{
\t.loc\t1 8 0
\tmov.u32 %r1, shared_row_9_5_7;
\t// bar.sync in a comment
\t{ // callseq 0, 0
\t} // callseq 0
}
.visible .entry fits(
)
{
\t.loc\t2 3 0
\t.loc\t2 4 5
\tmov.u32 %r1, shared_tile_4_5_7;
\tbar.sync 0;
}
.visible .entry big(
)
{
\tmov.u32 %r1, shared_tile_4_5_7;
\tcall.uni (retval0), _RNvCs1_7kernels6helper, (param0);
}
\t.file\t1 \"kernels/src/kernels.rs\"
\t.file\t2 \"kernels/src/other.rs\"
";

    fn position(file: &str, line: usize) -> Option<Position> {
        Some(Position { file: format!("kernels/src/{file}"), line })
    }

    #[test]
    fn shared_arrays_of_called_functions_count() {
        let array = |symbol: &str, bytes, position| Array { symbol: symbol.to_owned(), bytes, position };
        // An array starts at a multiple of 16 bytes: 49,136 + 16 fit, and 49,136 + 32 do not.
        assert_eq!(faults(PTX), []);
        let larger = PTX.replace("[12]", "[17]");
        let arrays =
            vec![array("shared_tile_4_5_7", 49136, None), array("shared_row_9_5_7", 17, position("kernels.rs", 8))];
        assert_eq!(faults(&larger), [PtxFault::TooMuchShared { kernel: "big".to_owned(), bytes: 49_168, arrays }]);
        let alone = PTX.replace("[49136]", "[49153]");
        let [PtxFault::TooMuchShared { kernel, arrays, .. }, _] = &faults(&alone)[..] else { panic!("two kernels") };
        assert_eq!((&kernel[..], arrays), ("fits", &vec![array("shared_tile_4_5_7", 49153, position("other.rs", 4))]));
    }

    #[test]
    fn collectives_belong_into_kernels() {
        for instruction in ["bar.sync 0;", "@%p1 shfl.sync.up.b32 %r1, 0;", "{ vote.sync.ballot.b32 %r1, %p1, -1; }"] {
            let ptx = PTX.replace("// bar.sync in a comment", instruction);
            let found = faults(&ptx);
            let [PtxFault::CalledCollective { function, instruction: found, position: at }] = &found[..] else {
                panic!("{found:?}")
            };
            assert!(instruction.contains(&found[..]) && is_collective(found), "{found}");
            assert_eq!((&function[..], at), ("_RNvCs1_7kernels6helper", &position("kernels.rs", 8)));
        }
    }

    #[test]
    fn a_text_that_is_cut_short_has_no_function_cut_short() {
        for end in 0..PTX.len() {
            assert!(functions(&PTX[..end]).iter().all(|function| !function.name.is_empty()), "{end}");
        }
    }
}
