//! Counts and estimated times of 15 kernels: `cargo run --release -p simt_examples --example
//! costs`.
//!
//! | option | |
//! |---|---|
//! | `--gpu` | also times the same launches on a GPU: medians of 21, by events |
//! | `--ncu` | only runs the small launches on a GPU, once each, for Nsight Compute |
//! | `--json FILE` | writes counts, estimates and times to a file |
//! | `--ptxas PROGRAM` | takes the registers from NVIDIA's assembler; else from the GPU, or 32 |
//!
//! The simulator runs a small launch. Its counts, times a factor, are those of the large launch,
//! because each kernel's blocks all do the same work. Two counts are not linear: the sectors of the
//! whole launch, where blocks share data (the second matrix of the products), and the few cells
//! beyond the edges of a grid. The estimate is of the large launch.
//!
//! `simt/examples/peers/ncu_costs.py` lists the metrics for Nsight Compute, and compares its output
//! with the JSON file.

mod launches;

use launches::{Bench, Target, launches};
use simt_builder::{machine_code, usage};
use simt_launch::{Gpu, Simt};
use simt_std::simulator::{Access, Estimate, GpuModel, KernelCosts, LaunchCounts, Meeting, Space, estimate};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Number of timed launches.
const REPEATS: usize = 21;

/// Registers of a thread if neither an assembler nor a GPU tells them.
const REGISTERS: u32 = 32;

type Outcome<T> = Result<T, Box<dyn std::error::Error>>;

/// The options of the program.
#[derive(Default)]
struct Options {
    gpu: bool,
    ncu: bool,
    json: Option<PathBuf>,
    ptxas: Option<PathBuf>,
}

impl Options {
    fn read(mut arguments: impl Iterator<Item = String>) -> Outcome<Self> {
        let mut options = Self::default();
        while let Some(name) = arguments.next() {
            let mut file = || arguments.next().map(PathBuf::from).ok_or(format!("{name} needs a file"));
            match name.as_str() {
                "--gpu" => options.gpu = true,
                "--ncu" => options.ncu = true,
                "--json" => options.json = Some(file()?),
                "--ptxas" => options.ptxas = Some(file()?),
                _ => return Err(format!("unknown option `{name}`").into()),
            }
        }
        Ok(options)
    }
}

/// A kernel's counts of the small launch, and times of the large one.
struct Row {
    name: &'static str,
    factor: u32,
    kernel: KernelCosts,
    registers: u32,
    h100: Option<Estimate>,
    h200: Option<Estimate>,
    measured: Option<Measured>,
}

/// Median times of a kernel on a GPU, in microseconds.
struct Measured {
    small: f64,
    large: f64,
    registers: u32,
}

fn main() -> Outcome<()> {
    let options = Options::read(std::env::args().skip(1))?;
    let gpu = if options.gpu || options.ncu { Some(Gpu::with_module(0, simt_examples::MODULE)?) } else { None };
    if let (true, Some(gpu)) = (options.ncu, &gpu) {
        for launch in launches::<Gpu>() {
            (launch.run)(&Bench::new(gpu, 0)?, 1)?;
        }
        return Ok(());
    }
    let assembled = options.ptxas.as_deref().map(registers).transpose()?.unwrap_or_default();
    let mut rows = Vec::new();
    for (launch, on_gpu) in launches::<Simt>().into_iter().zip(launches::<Gpu>()) {
        let measured = gpu.as_ref().map(|gpu| measure(gpu, &on_gpu)).transpose()?;
        let simt = Simt::new(true);
        (launch.run)(&Bench::new(&simt, 0)?, 1)?;
        let kernel = simt.costs_by_kernel().remove(launch.name).ok_or("the kernel was launched under its name")?;
        let known = assembled.get(launch.name).copied().or(measured.as_ref().map(|measured| measured.registers));
        let registers = known.unwrap_or(REGISTERS);
        let counts = LaunchCounts::of(&kernel).scaled(launch.factor.into());
        let [h100, h200] = [GpuModel::H100, GpuModel::H200].map(|model| estimate(&model, &counts, registers));
        rows.push(Row { name: launch.name, factor: launch.factor, kernel, registers, h100, h200, measured });
    }
    let name = gpu.as_ref().map(Gpu::describe).transpose()?.map(|gpu| gpu.name);
    print_counts(&rows);
    print_times(&rows, name.as_deref());
    if let Some(file) = &options.json {
        std::fs::write(file, format!("{:#}\n", json(&rows, name.as_deref())))?;
    }
    Ok(())
}

/// Times the small and the large launch.
fn measure<D: Target>(gpu: &D, launch: &launches::Launch<D>) -> Outcome<Measured> {
    let bench = Bench::new(gpu, REPEATS)?;
    let time = |scale| -> Outcome<f64> {
        (launch.run)(&bench, scale)?;
        Ok(bench.micros.get().unwrap_or_default())
    };
    let (small, large) = (time(1)?, time(launch.factor)?);
    Ok(Measured { small, large, registers: bench.registers.get().unwrap_or(REGISTERS) })
}

/// Returns the registers of each kernel for compute capability 9.0.
fn registers(ptxas: &Path) -> Outcome<BTreeMap<String, u32>> {
    let folder = std::env::temp_dir().join(format!("simt_costs-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let ptx = folder.join("kernels.ptx");
    std::fs::write(&ptx, simt_examples::MODULE.ptx())?;
    let assembled = machine_code::assemble(ptxas, &ptx, &["sm_90"], &folder);
    std::fs::remove_dir_all(&folder)?;
    let reports = assembled?.into_iter().flat_map(|one| usage::of_kernels(&one.report));
    Ok(reports.map(|usage| (usage.kernel, usage.registers)).collect())
}

const KINDS: [Access; 3] = [Access::Read, Access::Write, Access::Atomic];

fn print_counts(rows: &[Row]) {
    println!("Counts of the small launch: wavefronts of shared memory, sectors of global memory.\n");
    println!("{:<17} {:>6} {:>7} {:>22} {:>22} {:>8} {:>9}", "", "", "", "wavefronts", "sectors", "", "");
    println!(
        "{:<17} {:>6} {:>7} {:>8} {:>6} {:>6} {:>8} {:>6} {:>6} {:>8} {:>9}",
        "kernel", "blocks", "steps", "loads", "stores", "atomic", "loads", "stores", "atomic", "turns", "undivided"
    );
    for Row { name, kernel: KernelCosts { costs, totals, .. }, .. } in rows {
        let [loads, stores, atomics] = KINDS.map(|kind| costs.total_of(Space::Shared, kind).wavefronts);
        let [loaded, stored, changed] = KINDS.map(|kind| costs.total_of(Space::Global, kind).sectors);
        let turns: u64 = [Space::Shared, Space::Global].map(|space| costs.total(space).turns).iter().sum();
        let divergence = costs.total_divergence();
        println!(
            "{name:<17} {:>6} {:>7} {loads:>8} {stores:>6} {atomics:>6} {loaded:>8} {stored:>6} {changed:>6} {turns:>8} {:>7.1} %",
            totals.blocks,
            divergence.times(),
            100.0 * divergence.branch_efficiency()
        );
    }
}

fn print_times(rows: &[Row], gpu: Option<&str>) {
    println!(
        "\nEstimated times of the large launch in µs{}\n",
        gpu.map(|name| format!(", and measured on {name}")).unwrap_or_default()
    );
    println!(
        "{:<17} {:>8} {:>9} {:>5} {:>8} {:>8} {:<24} {:>9} {:>7}",
        "kernel", "blocks", "registers", "warps", "H100", "H200", " limit on an H100", "measured", "/ H200"
    );
    for Row { name, factor, kernel, registers, h100, h200, measured } in rows {
        let (Some(h100), Some(h200)) = (h100, h200) else {
            println!("{name:<17} a block does not fit");
            continue;
        };
        let blocks = kernel.totals.blocks * u64::from(*factor);
        let time =
            measured.as_ref().map(|measured| format!(" {:>9.1} {:>7.2}", measured.large, measured.large / h200.micros));
        let limit = h100.limit.to_string();
        let warps = h100.occupancy.warps;
        let row = format!(
            "{name:<17} {blocks:>8} {registers:>9} {warps:>5} {:>8.1} {:>8.1}  {limit:<23}{}",
            h100.micros,
            h200.micros,
            time.unwrap_or_default()
        );
        println!("{}", row.trim_end());
    }
}

/// Returns the counts under the names that `ncu_costs.py` knows.
fn json(rows: &[Row], gpu: Option<&str>) -> serde_json::Value {
    let bounds = |found: &Option<Estimate>| {
        found.as_ref().map(|found| {
            let bounds: BTreeMap<String, f64> =
                found.bounds.iter().map(|bound| (bound.limit.to_string(), bound.micros)).collect();
            serde_json::json!({ "us": found.micros, "limit": found.limit.to_string(), "bounds_us": bounds })
        })
    };
    let kernels: serde_json::Map<String, serde_json::Value> = rows
        .iter()
        .map(|row| {
            let KernelCosts { costs, totals, .. } = &row.kernel;
            let shared = |kind| costs.total_of(Space::Shared, kind);
            let global = |kind| costs.total_of(Space::Global, kind);
            let value = serde_json::json!({
                "blocks": totals.blocks,
                "factor": row.factor,
                "registers": row.registers,
                "shared_load_wavefronts": shared(Access::Read).wavefronts,
                "shared_store_wavefronts": shared(Access::Write).wavefronts,
                "shared_atomic_wavefronts": shared(Access::Atomic).wavefronts,
                "shared_atomic_instructions": shared(Access::Atomic).accesses,
                "global_load_sectors": global(Access::Read).sectors,
                "global_store_sectors": global(Access::Write).sectors,
                "global_atomic_sectors": global(Access::Atomic).sectors,
                "global_atomic_instructions": global(Access::Atomic).accesses,
                "global_atomic_turns": global(Access::Atomic).turns,
                "block_load_sectors": totals.block_read_sectors,
                "launch_load_sectors": totals.read_sectors,
                "launch_store_sectors": totals.written_sectors,
                "collectives": costs.total_of_meetings(Meeting::Warp).instructions,
                "h100": bounds(&row.h100),
                "h200": bounds(&row.h200),
                "measured_small_us": row.measured.as_ref().map(|measured| measured.small),
                "measured_large_us": row.measured.as_ref().map(|measured| measured.large),
            });
            (row.name.to_owned(), value)
        })
        .collect();
    serde_json::json!({ "gpu": gpu, "kernels": kernels })
}
