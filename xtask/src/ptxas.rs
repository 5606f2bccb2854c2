//! `cargo xtask ptxas`: the registers and memory that the kernels use on each generation of GPUs,
//! according to NVIDIA's assembler. Spilled registers are an error: a kernel with its bit-vectors
//! in local memory has no advantage. Packaged machine code that differs from the assembler's is an
//! error too.

use std::fmt::Write;
use std::fs;
use std::path::PathBuf;

use crate::cuda_tools::PTXAS;
use crate::outcome::{Outcome, Stop};
use crate::shell;
use simt_builder::machine_code::{self, Assembled, Image, PACKAGED_END};
use simt_builder::usage::{self, Usage};

/// Volta, the oldest supported GPU, Turing, and the architectures with packaged machine code.
const ARCHS: [&str; 7] = ["sm_70", "sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"];

/// The architectures with packaged machine code: Ampere (also for sm_86 and Ada, which run the code
/// of sm_80), Hopper and Blackwell. On older GPUs the driver compiles the PTX.
const PACKAGED: [&str; 4] = ["sm_80", "sm_90", "sm_100", "sm_120"];

/// Packaged PTX of the project's kernels, relative to the project's directory.
pub const PTX: &str = "gpu-kernels/ptx/carrywave_kernels.ptx";

/// Packaged PTX of the examples, which only has to be valid for every type of GPU.
const EXAMPLES: &str = "simt/examples/ptx/simt_examples.ptx";

/// Compression level of the packaged files: they are made once, and read often.
const LEVEL: i32 = 19;

/// Assembles the packaged PTX for every type of GPU and prints a table.
pub fn run() -> Outcome {
    let mut table = Vec::new();
    assemble(EXAMPLES, &ARCHS)?;
    for (architecture, assembled) in ARCHS.into_iter().zip(assemble(PTX, &ARCHS)?) {
        check(&assembled.image)?;
        table.push((architecture, usage::of_kernels(&assembled.report)));
    }
    print!("{}", render(&table));

    let kernels = table.first().map_or(0, |(_, usages)| usages.len());
    let all = table.iter().flat_map(|(arch, usages)| usages.iter().map(move |usage| (arch, usage)));
    let spilling: Vec<String> =
        all.filter(|(_, usage)| usage.spills()).map(|(arch, usage)| format!("{} on {arch}", usage.kernel)).collect();
    if spilling.is_empty() {
        let (all, packaged) = (ARCHS.join(", "), PACKAGED.join(", "));
        return Ok(format!("no spills: {kernels} kernels, each for {all}; machine code as packaged for {packaged}"));
    }
    Err(Stop::Failed(format!("registers are spilled by {}", spilling.join(", "))))
}

/// Assembles the packaged PTX for the packaged architectures, and writes the compressed machine
/// code beside it.
pub fn package() -> Outcome {
    let mut bytes = 0;
    for Assembled { image, .. } in assemble(PTX, &PACKAGED)? {
        let code = fs::read(&image.file).map_err(|error| format!("{}: {error}", image.file.display()))?;
        let packed = zstd::bulk::compress(&code, LEVEL).map_err(|error| format!("zstd: {error}"))?;
        let path = packaged(&image.architecture);
        fs::write(&path, &packed).map_err(|error| format!("{}: {error}", path.display()))?;
        bytes += packed.len();
    }
    Ok(format!("machine code for {}: {bytes} bytes", PACKAGED.join(", ")))
}

/// Returns the path of packaged machine code.
fn packaged(architecture: &str) -> PathBuf {
    shell::project().join(PTX).with_file_name(format!("{architecture}{PACKAGED_END}"))
}

/// Compares machine code with the packaged one of its architecture, if it is packaged.
fn check(image: &Image) -> Result<(), Stop> {
    if !PACKAGED.contains(&&*image.architecture) {
        return Ok(());
    }
    let path = packaged(&image.architecture);
    let cannot = |error: std::io::Error| format!("{}: {error}; make it with `cargo xtask ptx`", path.display());
    let packed = fs::read(&path).map_err(cannot)?;
    let code = zstd::stream::decode_all(&packed[..]).map_err(cannot)?;
    let new = fs::read(&image.file).map_err(|error| format!("{}: {error}", image.file.display()))?;
    if code == new {
        return Ok(());
    }
    Err(Stop::Failed(format!("{} is not what the PTX gives; run `cargo xtask ptx` and commit", path.display())))
}

/// Assembles packaged PTX for types of GPUs.
pub fn assemble(ptx: &str, architectures: &[&str]) -> Result<Vec<Assembled>, Stop> {
    let ptx = shell::project().join(ptx);
    fs::metadata(&ptx).map_err(|error| format!("no packaged PTX: {}: {error}", ptx.display()))?;
    Ok(machine_code::assemble(&PTXAS.path()?, &ptx, architectures, &shell::scratch("cubin")?)?)
}

fn render(table: &[(&str, Vec<Usage>)]) -> String {
    let names = table.iter().flat_map(|(_, usages)| usages).map(|usage| usage.kernel.len());
    let width = names.max().unwrap_or(0).max("kernel".len());
    let mut text = String::new();
    let header = "registers  shared B  stack B  spill stores B  spill loads B";
    writeln!(text, "{:width$}  GPU     {header}", "kernel").expect("a String takes all");
    for row in 0..table.first().map_or(0, |(_, usages)| usages.len()) {
        for (column, (arch, usages)) in table.iter().enumerate() {
            let Some(usage) = usages.get(row) else { continue };
            let name = if column == 0 { &usage.kernel } else { "" };
            let Usage { registers, shared_bytes, stack_bytes, spill_store_bytes, spill_load_bytes, .. } = usage;
            writeln!(
                text,
                "{name:width$}  {arch:6}  {registers:9}  {shared_bytes:8}  {stack_bytes:7}  \
                 {spill_store_bytes:14}  {spill_load_bytes:13}"
            )
            .expect("a String takes all");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usages() -> Vec<Usage> {
        let wave = Usage {
            kernel: "wave".to_owned(),
            registers: 40,
            shared_bytes: 1024,
            stack_bytes: 16,
            spill_store_bytes: 8,
            spill_load_bytes: 12,
        };
        vec![Usage { kernel: "scan".to_owned(), registers: 8, ..Usage::default() }, wave]
    }

    #[test]
    fn the_table_has_a_row_for_every_kernel_and_gpu() {
        let text = render(&[("sm_75", usages()), ("sm_90", usages())]);
        assert_eq!(text.lines().count(), 5);
        assert!(
            text.contains("\nwave    sm_75          40      1024       16               8             12\n"),
            "{text}"
        );
    }
}
