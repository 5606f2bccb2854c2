//! Reads PTX text: finds its kernels in one pass, and returns the text of a single kernel.

use crate::module::KernelText;
use memchr::memmem;
use std::collections::BTreeMap;
use std::ops::Range;

/// The kernels of a PTX text, and their places in it.
#[derive(Debug)]
pub(crate) struct Index {
    /// Byte ranges of the kernels, by name.
    kernels: BTreeMap<Box<str>, Range<usize>>,
}

impl From<&[KernelText]> for Index {
    /// Returns the index of a text whose kernels are known.
    fn from(kernels: &[KernelText]) -> Self {
        Self { kernels: kernels.iter().map(|kernel| (kernel.name.into(), kernel.start..kernel.end)).collect() }
    }
}

/// Directive of a kernel.
const ENTRY: &str = ".entry ";

/// Returns the name of the kernel that starts in a line of PTX, with any linkage.
fn entry(line: &str) -> Option<&str> {
    let (linkage, name) = line.split_once(ENTRY)?;
    let is_linkage = matches!(linkage.trim(), "" | ".visible" | ".weak");
    name.split('(').next().filter(|_| is_linkage).map(str::trim)
}

/// Returns the name of the first kernel at or after a position, and the start of its line.
fn next_entry(ptx: &str, from: usize) -> Option<(usize, &str)> {
    let found = memmem::find_iter(&ptx.as_bytes()[from..], ENTRY);
    found.map(|place| from + place).find_map(|place| {
        let start = ptx[..place].rfind('\n').map_or(0, |end| end + 1);
        Some((start, entry(ptx[start..].lines().next()?)?))
    })
}

/// Returns true if the PTX text has a kernel.
pub(crate) fn has_kernels(ptx: &str) -> bool {
    next_entry(ptx, 0).is_some()
}

impl Index {
    /// Finds the kernels of a text, in time linear in its size.
    pub fn new(ptx: &str) -> Self {
        let mut kernels = BTreeMap::new();
        let mut from = 0;
        while let Some((start, name)) = next_entry(ptx, from) {
            // The body ends at the first line that is a closing brace.
            let end = memmem::find(&ptx.as_bytes()[start..], b"\n}\n").map_or(ptx.len(), |length| start + length + 3);
            kernels.insert(name.into(), start..end);
            from = end;
        }
        Self { kernels }
    }

    /// Returns the names of the kernels, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.kernels.keys().map(AsRef::as_ref)
    }

    /// Returns true if there is a kernel of this name.
    pub fn has(&self, kernel: &str) -> bool {
        self.kernels.contains_key(kernel)
    }

    /// Returns the PTX of a single kernel of the indexed text, with all declarations outside of
    /// kernels. Leaves out what is not in the text.
    pub fn module_of(&self, ptx: &str, kernel: &str) -> String {
        let mut ranges: Vec<&Range<usize>> = self.kernels.values().collect();
        ranges.sort_by_key(|range| range.start);
        let wanted = self.kernels.get(kernel);
        let mut module = String::new();
        let mut from = 0;
        for range in ranges {
            let between = from..range.start;
            let own = (wanted == Some(range)).then(|| range.clone());
            module.extend([Some(between), own].into_iter().flatten().filter_map(|part| ptx.get(part)));
            from = range.end;
        }
        module.push_str(ptx.get(from..).unwrap_or_default());
        module
    }
}

/// Adds the number of threads of a block to a module of one kernel, for the driver's compiler.
pub(crate) fn with_block_size(module: &str, threads: u32) -> String {
    let mut lines = Vec::new();
    let mut in_parameters = false;
    for line in module.lines() {
        in_parameters |= entry(line).is_some();
        lines.push(line.to_owned());
        if in_parameters && line.trim_end().ends_with(')') {
            lines.push(format!(".maxntid {threads}"));
            in_parameters = false;
        }
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "\
// kernels
.version 6.0
.extern .shared .align 16 .b8 dynamic_shared[];
.visible .entry one(
\t.param .u64 one_param_0
)
{
\tret;
}
.global .align 4 .b8 between[4];
.visible .entry two(
)
{
\ttrap;
}
";

    #[test]
    fn a_module_of_one_kernel_has_it_whole_and_no_other() {
        let index = Index::new(PTX);
        assert_eq!(index.names().collect::<Vec<_>>(), ["one", "two"]);
        assert!(index.has("one") && !index.has("on") && has_kernels(PTX));
        let module_of = |name| index.module_of(PTX, name);
        let (one, two, none) = (module_of("one"), module_of("two"), module_of("on"));
        for module in [&one, &two, &none] {
            assert!(module.starts_with("// kernels\n.version") && module.contains("between[4]"), "{module}");
        }
        assert!(one.contains("one_param_0") && one.contains("ret;") && !one.contains("two") && !one.contains("trap"));
        assert!(two.contains("trap;") && !two.contains("one"));
        let sized = with_block_size(&one, 512);
        assert_eq!(sized.replace(".maxntid 512\n", ""), one);
        assert!(sized.contains("one_param_0\n)\n.maxntid 512\n{"), "{sized}");
        assert_eq!(none.lines().count() + 6 + 5, PTX.lines().count());
    }

    #[test]
    fn a_list_of_kernels_replaces_the_search_and_may_be_wrong() {
        let starts = [".visible .entry one", ".global", ".visible .entry two"].map(|line| PTX.find(line).unwrap());
        let kernel = |name, start, end| KernelText { name, start, end };
        let list = [kernel("one", starts[0], starts[1]), kernel("two", starts[2], PTX.len())];
        let (listed, searched) = (Index::from(&list[..]), Index::new(PTX));
        assert!(listed.names().eq(searched.names()));
        for name in ["one", "two", "on"] {
            assert_eq!(listed.module_of(PTX, name), searched.module_of(PTX, name));
        }
        for (start, end) in [(7, 3), (0, usize::MAX), (usize::MAX, 0), (5000, 6000)] {
            let wrong = Index::from(&[list[0], kernel("wrong", start, end)][..]);
            assert!(!wrong.module_of(PTX, "wrong").contains("two_param") && wrong.has("one"));
        }
    }

    #[test]
    fn texts_that_are_cut_short_have_the_kernels_that_begin_in_them() {
        for end in 0..PTX.len() {
            let text = &PTX[..end];
            let index = Index::new(text);
            assert_eq!(index.names().next().is_some(), has_kernels(text));
            for name in ["one", "two"] {
                assert!(!index.has(name) || index.module_of(text, name).contains(name));
            }
        }
        let calls = "// .entry x(\n.func .entry y(\n\tcall z.entry (a);\n";
        assert!(!has_kernels(calls) && Index::new(calls).names().next().is_none());
    }
}
