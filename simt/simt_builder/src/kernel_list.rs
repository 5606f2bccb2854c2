//! The list of the kernels in a PTX text. With it, a program finds a kernel without reading the
//! text.

use std::fmt::Write;
use std::ops::Range;

/// A kernel in a PTX text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place<'t> {
    /// Name of the kernel.
    pub name: &'t str,
    /// Its bytes: from the start of the line with `.entry` to the end of the line that closes the
    /// body.
    pub range: Range<usize>,
}

/// Returns the kernels of a PTX text, in their order. O(`ptx`).
pub fn places(ptx: &str) -> Vec<Place<'_>> {
    let mut places: Vec<Place<'_>> = Vec::new();
    let mut is_within = false;
    let mut start = 0;
    for line in ptx.split_inclusive('\n') {
        let end = start + line.len();
        if !is_within && let Some(name) = entry(line) {
            // The end of the text, unless the body is closed.
            places.push(Place { name, range: start..ptx.len() });
            is_within = true;
        } else if is_within && line == "}\n" {
            places.last_mut().into_iter().for_each(|place| place.range.end = end);
            is_within = false;
        }
        start = end;
    }
    places
}

/// Returns the name of the kernel that starts in a line of PTX, with any linkage.
fn entry(line: &str) -> Option<&str> {
    let (linkage, name) = line.split_once(".entry ")?;
    let is_linkage = matches!(linkage.trim(), "" | ".visible" | ".weak");
    name.split('(').next().filter(|_| is_linkage).map(str::trim)
}

/// Returns the expression that `simt_launch::kernel_list!` includes.
pub(crate) fn expression(ptx: &str) -> String {
    let mut text = String::from("&[\n");
    for Place { name, range } in places(ptx) {
        writeln!(text, "    KernelText {{ name: {name:?}, start: {}, end: {} }},", range.start, range.end)
            .expect("a String takes all");
    }
    text + "]\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const PTX: &str = "\
.version 6.0
.visible .entry one(
\t.param .u64 one_param_0
)
{
\tret;
}
.func helper()
{
\t// .entry comment(
}
.weak .entry two()
{
}
";

    #[test]
    fn kernels_are_found_whole() {
        let texts: Vec<_> = places(PTX).into_iter().map(|place| (place.name, &PTX[place.range])).collect();
        let one = ".visible .entry one(\n\t.param .u64 one_param_0\n)\n{\n\tret;\n}\n";
        assert_eq!(texts, [("one", one), ("two", ".weak .entry two()\n{\n}\n")]);
        let start = PTX.find(".visible").unwrap();
        let line = format!("    KernelText {{ name: \"one\", start: {start}, end: {} }},\n", start + one.len());
        assert!(expression(PTX).starts_with(&format!("&[\n{line}")), "{}", expression(PTX));
        assert_eq!(expression("// There is no PTX.\n"), "&[\n]\n");
    }

    #[test]
    fn a_text_that_is_cut_short_is_within_its_last_kernel() {
        for end in 0..PTX.len() {
            assert!(places(&PTX[..end]).iter().all(|place| place.range.end <= end), "{end}");
        }
    }
}
