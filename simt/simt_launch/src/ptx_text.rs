//! Reads PTX text: the names of its kernels, and the text of a single kernel.

/// Returns the name of the kernel that starts in a line of PTX, with any linkage.
fn entry(line: &str) -> Option<&str> {
    let (linkage, name) = line.split_once(".entry ")?;
    let is_linkage = matches!(linkage.trim(), "" | ".visible" | ".weak");
    name.split('(').next().filter(|_| is_linkage).map(str::trim)
}

/// Returns the names of the kernels in a PTX text.
pub(crate) fn entries(ptx: &str) -> impl Iterator<Item = &str> {
    ptx.lines().filter_map(entry)
}

/// Returns the PTX of a single kernel, with all declarations outside of kernels.
pub(crate) fn module_of(ptx: &str, kernel: &str) -> String {
    let (mut module, mut skip) = (String::new(), false);
    for line in ptx.lines() {
        if let Some(name) = entry(line) {
            skip = name != kernel;
        }
        if !skip {
            module.push_str(line);
            module.push('\n');
        }
        skip &= line != "}";
    }
    module
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
        assert_eq!(entries(PTX).collect::<Vec<_>>(), ["one", "two"]);
        let (one, two, none) = (module_of(PTX, "one"), module_of(PTX, "two"), module_of(PTX, "on"));
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
}
