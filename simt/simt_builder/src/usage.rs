//! The registers and memory of kernels, from the assembler's report.

/// The resources of a kernel on one type of GPU.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Usage {
    /// Name of the kernel's PTX entry.
    pub kernel: String,
    /// Number of registers of a thread.
    pub registers: u32,
    /// Bytes of static shared memory of a block.
    pub shared_bytes: u32,
    /// Bytes of local memory of a thread for its stack.
    pub stack_bytes: u32,
    /// Bytes of registers that are saved to local memory.
    pub spill_store_bytes: u32,
    /// Bytes of registers that are loaded from local memory.
    pub spill_load_bytes: u32,
}

impl Usage {
    /// Returns true if registers are saved to local memory.
    pub fn spills(&self) -> bool {
        self.spill_store_bytes + self.spill_load_bytes > 0
    }
}

/// Reads the output of `ptxas -v`, as in [`Assembled`](crate::machine_code::Assembled), and returns
/// the resources of each kernel, sorted by name. Functions that a kernel calls count as part of the
/// kernel.
///
/// ```
/// let report = "ptxas info    : Compiling entry function 'scan' for 'sm_90'
/// ptxas info    : Used 8 registers, 128 bytes smem, 360 bytes cmem[0]
/// ";
/// let kernels = simt_builder::usage::of_kernels(report);
/// assert_eq!((kernels[0].kernel.as_str(), kernels[0].registers), ("scan", 8));
/// assert_eq!(kernels[0].shared_bytes, 128);
/// ```
pub fn of_kernels(report: &str) -> Vec<Usage> {
    let mut usages: Vec<Usage> = Vec::new();
    for line in report.lines() {
        if let Some((_, rest)) = line.split_once("Compiling entry function '") {
            let kernel = rest.split('\'').next().unwrap_or_default().to_owned();
            usages.push(Usage { kernel, ..Usage::default() });
            continue;
        }
        let Some(usage) = usages.last_mut() else { continue };
        usage.registers += number_before(line, "registers");
        usage.shared_bytes += number_before(line, "bytes smem");
        usage.stack_bytes += number_before(line, "bytes stack frame");
        usage.spill_store_bytes += number_before(line, "bytes spill stores");
        usage.spill_load_bytes += number_before(line, "bytes spill loads");
    }
    usages.sort_by(|a, b| a.kernel.cmp(&b.kernel));
    usages
}

/// Returns the number before `words`, such as the 40 of `Used 40 registers, 1024 bytes smem`, or 0
/// if there is none.
fn number_before(line: &str, words: &str) -> u32 {
    let number = || line.split_once(&format!(" {words}"))?.0.rsplit(' ').next()?.parse().ok();
    number().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const REPORT: &str = "\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function 'wave' for 'sm_75'
ptxas info    : Function properties for wave
    16 bytes stack frame, 8 bytes spill stores, 12 bytes spill loads
ptxas info    : Used 40 registers, used 1 barriers, 16 bytes cumulative stack size, 1024 bytes smem, 364 bytes cmem[0]
ptxas info    : Compile time = 7.578 ms
ptxas info    : Compiling entry function 'scan' for 'sm_75'
ptxas info    : Function properties for scan
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 8 registers, 360 bytes cmem[0]
";

    #[test]
    fn a_report_is_read() {
        let wave = Usage {
            kernel: "wave".to_owned(),
            registers: 40,
            shared_bytes: 1024,
            stack_bytes: 16,
            spill_store_bytes: 8,
            spill_load_bytes: 12,
        };
        let scan = Usage { kernel: "scan".to_owned(), registers: 8, ..Usage::default() };
        assert_eq!(of_kernels(REPORT), [scan, wave]);
    }

    #[test]
    fn spills_are_seen() {
        let spills: Vec<bool> = of_kernels(REPORT).iter().map(Usage::spills).collect();
        assert_eq!(spills, [false, true]);
    }
}
