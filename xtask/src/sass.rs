//! `cargo xtask sass`: prints the machine code of the kernels, and the number of instructions of
//! each type.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::process::Command;

use crate::cuda_tools::NVDISASM;
use crate::outcome::{Outcome, Stop};
use crate::ptxas;
use crate::shell;

/// The default GPU: Hopper.
pub const DEFAULT_ARCH: &str = "sm_90";

/// Prints the code and a histogram of the kernel with that name, or of those whose names contain
/// it. Without a name, prints the histograms of all kernels.
pub fn run(name: Option<&str>, arch: &str) -> Outcome {
    let assembled = ptxas::assemble(ptxas::PTX, &[arch])?;
    let cubins = assembled.iter().map(|assembled| &assembled.image.file);
    let listing = shell::capture(Command::new(NVDISASM.path()?).arg("--print-code").args(cubins))?;
    let kernels = split(&listing);
    let exact = kernels.iter().any(|(kernel, _)| Some(*kernel) == name);
    let wanted = |kernel: &str| name.is_none_or(|name| kernel == name || (!exact && kernel.contains(name)));
    let chosen: Vec<_> = kernels.iter().filter(|(kernel, _)| wanted(kernel)).collect();
    if chosen.is_empty() {
        let known: Vec<&str> = kernels.iter().map(|(kernel, _)| *kernel).collect();
        return Err(Stop::Failed(format!("no such kernel; there are: {}", known.join(", "))));
    }
    for (kernel, lines) in &chosen {
        if name.is_some() {
            println!("{kernel} on {arch}\n{}\n", lines.join("\n"));
        }
        print!("{}", histogram(kernel, lines));
    }
    Ok(format!("{} kernels of {} on {arch}", chosen.len(), kernels.len()))
}

/// Returns the lines of every kernel: instructions and labels.
pub fn split(listing: &str) -> Vec<(&str, Vec<&str>)> {
    let mut kernels: Vec<(&str, Vec<&str>)> = Vec::new();
    for line in listing.lines() {
        let text = line.trim();
        if let Some(kernel) = text.strip_prefix(".text.").and_then(|rest| rest.strip_suffix(':')) {
            kernels.push((kernel, Vec::new()));
        } else if let Some((_, lines)) = kernels.last_mut()
            && (mnemonic(line).is_some() || text.starts_with(".L_"))
        {
            lines.push(line);
        }
    }
    kernels
}

/// Returns the mnemonic, such as the `IADD3.X` of `/*0040*/ @!P0 IADD3.X R4, R4, R5, RZ, P0, !PT
/// ;`.
pub fn mnemonic(line: &str) -> Option<&str> {
    let (address, instruction) = line.trim_start().strip_prefix("/*")?.split_once("*/")?;
    if address.is_empty() || !address.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return None;
    }
    let mut words = instruction.split_whitespace().filter(|word| !word.starts_with('@'));
    words.next().map(|word| word.trim_end_matches(';')).filter(|word| !word.is_empty())
}

/// Formats the number of instructions by type, most frequent first, without the padding NOPs at the
/// end.
fn histogram(kernel: &str, lines: &[&str]) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for mnemonic in lines.iter().filter_map(|line| mnemonic(line)).filter(|mnemonic| *mnemonic != "NOP") {
        *counts.entry(mnemonic).or_default() += 1;
    }
    let mut counts: Vec<_> = counts.into_iter().collect();
    counts.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let total: usize = counts.iter().map(|(_, count)| count).sum();
    let mut text = format!("{kernel}: {total} instructions\n");
    for (mnemonic, count) in counts {
        writeln!(text, "{count:7}  {mnemonic}").expect("a String takes all");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    const LISTING: &str = "\
\t.headerflags\t@\"EF_CUDA_SM90\"
//--------------------- .text.wave                --------------------------
\t.section\t.text.wave,\"ax\",@progbits
\t.align\t128
.text.wave:
        /*0000*/                   LDC R1, c[0x0][0x28] ;
.L_x_0:
        /*0010*/              @!P0 IADD3.X R4, R4, R5, RZ, P0, !PT ;
        /*0020*/              @P1  IADD3.X R4, R4, R5, RZ, P0, !PT ;
        /*0030*/                   EXIT ;
        /*0040*/                   NOP;
.text.scan:
        /*0000*/                   EXIT ;
";

    #[test]
    fn a_listing_is_split_into_kernels() {
        let kernels = split(LISTING);
        assert_eq!(
            kernels.iter().map(|(kernel, lines)| (*kernel, lines.len())).collect::<Vec<_>>(),
            [("wave", 6), ("scan", 1)]
        );
    }

    #[test]
    fn instructions_are_counted_with_their_predicates_left_out() {
        let kernels = split(LISTING);
        let expected = "wave: 4 instructions\n      2  IADD3.X\n      1  EXIT\n      1  LDC\n";
        assert_eq!(histogram(kernels[0].0, &kernels[0].1), expected);
    }

    #[test]
    fn other_lines_are_no_instructions() {
        assert_eq!(mnemonic(".L_x_0:"), None);
        assert_eq!(mnemonic("\t.align\t128"), None);
        assert_eq!(mnemonic("/* a comment */ word"), None);
    }
}
