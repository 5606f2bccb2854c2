//! The PTX, the machine code and the registers that the chapter "To the GPU" quotes, compared with
//! those of its kernels.

use std::fmt::Write;
use std::fs;
use std::process::Command;

use crate::cuda_tools::NVDISASM;
use crate::outcome::{Outcome, Stop};
use crate::{ptx, ptxas, sass, shell};
use simt_builder::rustc::Rustc;
use simt_builder::{packaged, usage};

const CHAPTER: &str = "book/chapters/11-to-the-gpu";

/// The kernel whose code the text shows.
const KERNEL: &str = "complement";

/// The kernel that an exercise shows as PTX, and the file with that PTX.
const EXERCISE: (&str, &str) = ("mystery", "book/exercises/src/chapter_11.ptx");

/// The types of GPUs whose registers the text shows. The first is that of the machine code.
const ARCHS: [&str; 3] = [sass::DEFAULT_ARCH, "sm_80", "sm_120"];

/// Writes the quoted files.
pub fn write() -> Outcome {
    let files = files(&Rustc::current()?)?;
    for (name, text) in &files {
        fs::write(shell::project().join(name), text).map_err(|error| format!("{name}: {error}"))?;
    }
    Ok(format!("{} files that the text quotes are written", files.len()))
}

/// Compares the quoted files with the code of the kernels.
pub fn check() -> Outcome {
    let rustc = Rustc::current()?;
    let files = files(&rustc)?;
    let maker = |text: &str| packaged::made_by(text).map(str::to_owned);
    let project = shell::project();
    let quoted = fs::read_to_string(project.join(&files[0].0)).unwrap_or_default();
    if maker(&quoted).is_some_and(|maker| maker != rustc.version()) {
        return Ok(format!("not compared: {} is by another compiler than {}", files[0].0, rustc.version()));
    }
    for (name, text) in &files {
        if fs::read_to_string(project.join(name)).ok().as_ref() != Some(text) {
            return Err(Stop::Failed(format!(
                "{name} differs from the code of the kernels; `cargo xtask book --code` writes it"
            )));
        }
    }
    Ok(format!("{} quoted files are what {} gives", files.len(), rustc.version()))
}

/// Returns the names and texts of the files.
fn files(rustc: &Rustc) -> Result<Vec<(String, String)>, Stop> {
    let built = ptx::compile_file(rustc, CHAPTER, "kernels.rs")?.ptx;
    let stamp = built.lines().next().unwrap_or_default();
    let solutions = ptx::compile_file(rustc, "book/solutions", "src/chapter_11.rs")?.ptx;

    let path = shell::scratch("cubin")?.join("book.ptx");
    fs::write(&path, &built).map_err(|error| format!("{}: {error}", path.display()))?;
    let assembled = ptxas::assemble(&path.to_string_lossy(), &ARCHS)?;
    let cubin = &assembled[0].image.file;
    let listing = shell::capture(Command::new(NVDISASM.path()?).arg("--print-code").arg(cubin))?;
    let usages: Vec<_> = assembled.iter().map(|assembled| usage::of_kernels(&assembled.report)).collect();
    Ok(vec![
        (format!("{CHAPTER}/output/ptx.txt"), format!("{stamp}\n{}", entry(&built, KERNEL)?)),
        (format!("{CHAPTER}/output/sass.txt"), instructions(&listing, KERNEL)?),
        (format!("{CHAPTER}/output/registers.md"), registers(&usages)),
        (EXERCISE.1.to_owned(), entry(&solutions, EXERCISE.0)?),
    ])
}

/// Returns the part of the PTX with a kernel.
fn entry(ptx: &str, kernel: &str) -> Result<String, Stop> {
    let start = ptx.find(&format!(".visible .entry {kernel}("));
    let start = start.ok_or_else(|| format!("the PTX has no kernel {kernel}"))?;
    let end = ptx[start..].find("\n}").map_or(ptx.len(), |end| start + end + 3);
    let lines = ptx[start..end].lines().filter(|line| !line.trim().is_empty());
    Ok(lines.map(|line| line.trim_end().replace('\t', "    ") + "\n").collect())
}

/// Returns the machine code of a kernel: the addresses, the instructions and the labels, without
/// the padding at the end.
fn instructions(listing: &str, kernel: &str) -> Result<String, Stop> {
    let kernels = sass::split(listing);
    let found = kernels.iter().find(|(name, _)| *name == kernel);
    let (_, lines) = found.ok_or_else(|| format!("the machine code has no kernel {kernel}"))?;
    let is_code = |line: &&str| sass::mnemonic(line).is_some_and(|name| name != "NOP");
    let end = lines.iter().rposition(is_code).map_or(0, |last| last + 1);
    let mut text = String::new();
    for line in &lines[..end] {
        let instruction = line.trim().trim_start_matches("/*").trim_end_matches(" ;");
        match instruction.split_once("*/") {
            Some((address, rest)) => writeln!(text, "{address}  {}", rest.trim()),
            None => writeln!(text, "{instruction}"),
        }
        .expect("a String takes all");
    }
    Ok(text)
}

/// Returns a table of the registers of a thread, from the usages by type of GPU.
fn registers(usages: &[Vec<usage::Usage>]) -> String {
    let mut text = format!("| kernel | {} |\n|---|{}\n", ARCHS.join(" | "), "--:|".repeat(ARCHS.len()));
    for (row, first) in usages[0].iter().enumerate() {
        let counts: Vec<_> = usages.iter().map(|of_arch| of_arch[row].registers.to_string()).collect();
        writeln!(text, "| `{}` | {} |", first.kernel, counts.join(" | ")).expect("a String takes all");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_ends_with_its_brace() {
        let ptx = "// head\n.visible .entry a(\n\t.param .u32 x\n)\n{\n\tret;\n\n}\n.visible .entry b(\n)\n{\n}\n";
        assert_eq!(entry(ptx, "a").unwrap(), ".visible .entry a(\n    .param .u32 x\n)\n{\n    ret;\n}\n");
        assert!(entry(ptx, "c").is_err());
    }

    #[test]
    fn instructions_have_no_padding() {
        let listing = "\
.text.a:
        /*0000*/                   MOV R1, R2 ;
.L_x_0:
        /*0010*/              @P0  BRA 0x10 ;
        /*0020*/                   NOP;
.L_x_1:
";
        assert_eq!(instructions(listing, "a").unwrap(), "0000  MOV R1, R2\n.L_x_0:\n0010  @P0  BRA 0x10\n");
    }
}
