//! Gives the shared arrays of a PTX text names that do not depend on their places in the source.
//!
//! `shared_array!` names an array by its name, line, column and module, since a PTX symbol must be
//! unique: `shared_totals_250_5_2545186330`. A comment above it would change the line, and so the
//! PTX. The arrays of one name get numbers instead, in the order of their declarations:
//! `shared_totals_0`.

use std::collections::BTreeMap;

/// Start of a declaration.
const DECLARATION: &str = ".shared .align 16 .b8 ";

/// Start of an array's symbol.
const PREFIX: &str = "shared_";

/// Returns the PTX with the new names.
pub(crate) fn apply(ptx: &str) -> String {
    let mut counts = BTreeMap::new();
    let mut names = BTreeMap::new();
    for line in ptx.lines() {
        let symbol = line.trim().strip_prefix(DECLARATION).and_then(|rest| rest.split('[').next());
        let Some((symbol, name)) = symbol.and_then(|symbol| Some((symbol, array_name(symbol)?))) else { continue };
        let count = counts.entry(name).or_insert(0_u32);
        names.insert(symbol, format!("{PREFIX}{name}_{count}"));
        *count += 1;
    }

    let mut result = String::with_capacity(ptx.len());
    let mut rest = ptx;
    while let Some(start) = rest.find(PREFIX) {
        let (before, from) = rest.split_at(start);
        result.push_str(before);
        let end = from.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(from.len());
        let (symbol, after) = from.split_at(end);
        let is_whole = !before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
        result.push_str(names.get(symbol).filter(|_| is_whole).map_or(symbol, String::as_str));
        rest = after;
    }
    result + rest
}

/// Returns the array's name in the source, if the symbol ends in three numbers.
fn array_name(symbol: &str) -> Option<&str> {
    let mut name = symbol.strip_prefix(PREFIX)?;
    for _ in 0..3 {
        let (rest, number) = name.rsplit_once('_')?;
        number.parse::<u64>().ok()?;
        name = rest;
    }
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::apply;

    #[test]
    fn arrays_are_numbered_by_their_declarations() {
        let ptx = "\
.shared .align 16 .b8 shared_sums_9_5_77[64];
.shared .align 16 .b8 shared_sums_12_5_66[64];
.shared .align 16 .b8 shared_row_2_8_5_66[64];
.extern .shared .align 16 .b8 dynamic_shared[];
\tmov.u32 %r1, shared_sums_12_5_66;
\tmov.u32 %r2, shared_row_2_8_5_66;mov.u32 %r3,shared_sums_9_5_77;
\tmov.u32 %r4, my_shared_sums_9_5_77;
";
        let expected = "\
.shared .align 16 .b8 shared_sums_0[64];
.shared .align 16 .b8 shared_sums_1[64];
.shared .align 16 .b8 shared_row_2_0[64];
.extern .shared .align 16 .b8 dynamic_shared[];
\tmov.u32 %r1, shared_sums_1;
\tmov.u32 %r2, shared_row_2_0;mov.u32 %r3,shared_sums_0;
\tmov.u32 %r4, my_shared_sums_9_5_77;
";
        assert_eq!(apply(ptx), expected);
        assert_eq!(apply(expected), expected);
    }
}
