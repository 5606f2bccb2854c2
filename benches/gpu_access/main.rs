//! Memory accesses as the simulator counts them, against Nsight Compute's counters of the same launches:
//!
//! ```text
//! gpu_access --simulate simulated.json
//! ncu --csv --print-units base --log-file nsight.csv --metrics l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum,\
//! l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum,\
//! l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum,l1tex__t_sectors_pipe_lsu_mem_global_op_red.sum,\
//! l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum gpu_access --run
//! gpu_access --compare simulated.json nsight.csv --json FILE --commit NAME
//! ```
//!
//! The program is `cargo bench --bench gpu_access`; it can also be copied to a machine with a GPU, and needs neither Rust nor
//! CUDA there, but ncu. `--only NAME` runs the cases whose name has this in it; both sides must be given the same.
//!
//! Launches are fitted to the GPU that is there; without one, to an H200. Each case has launches that depend on no clock: of
//! the wavefront one strip, which waits for no other. Shuffles use the same data path as shared memory but are not in these
//! counters, which are of loads and stores.

#[path = "../common/mod.rs"]
mod common;
mod join;

use carrywave::best::end::BestEnds;
use carrywave::best::gpu as best;
use carrywave::device::{Device, Gpu, Limits, PTX_ORIGIN};
use carrywave::kernels::collectives::add::ConditionalSum;
use carrywave::kernels::measure::contiguous::{Contiguous, ContiguousBank, blocks};
use carrywave::kernels::measure::shared_access::{Element, NOWHERE, SharedAccess};
use carrywave::lcs::gpu::block_step::BlockStepLcs;
use carrywave::lcs::gpu::wavefront::{Plan, WavefrontLcs};
use carrywave::pairwise::columns::Columns;
use carrywave::pairwise::cuts::{Part, Side};
use carrywave::search::Tuning;
use carrywave::search::gpu::{DeviceAlgorithm, DeviceText, Request, ResultKind};
use carrywave::text::Pattern;
use common::Outcome;
use common::line::Line;
use serde_json::{Value, json};
use simt_launch::Simt;
use simt_std::simulator::{Access, KernelCosts, Space};
use simt_std::{Kernel, U32x4};
use std::marker::PhantomData;
use std::sync::Arc;

/// An H200's.
const H200: Limits = Limits { multiprocessors: 132, block_shared: 232_448, exclusive_shared: 116_737 };

/// Launches on a device of two strings' lengths, or of so many threads and cells.
struct Case<D: Device> {
    name: &'static str,
    m: usize,
    n: usize,
    run: fn(&Arc<D>, usize, usize) -> Outcome<()>,
}

fn cases<D: Device>() -> Vec<Case<D>> {
    use ResultKind::{Bytes, Count};
    let case = |name, m, n, run| Case { name, m, n, run };
    vec![
        case("block-step", 4000, 3000, |device, m, n| {
            let (a, b) = strings(m, n, 4);
            column(&BlockStepLcs::<D, ConditionalSum>::new(&**device, &a, &b, &|_| ())?, m, n)
        }),
        case("wavefront", 3000, 4000, |device, m, n| wavefront(device, m, n, 8)),
        case("wavefront, reading ahead", 3000, 4000, |device, m, n| wavefront(device, m, n, 1)),
        case("scan, paper's table, 4 symbols", 32, 1 << 16, papers_table::<D, 4>),
        case("scan, paper's table, 8 symbols", 32, 1 << 16, papers_table::<D, 8>),
        case("scan, paper's table, 16 symbols", 32, 1 << 16, papers_table::<D, 16>),
        case("scan, paper's table, 32 symbols", 32, 1 << 16, papers_table::<D, 32>),
        case("scan, paper's table, 64 symbols", 32, 1 << 16, papers_table::<D, 64>),
        case("scan, paper's table, 128 symbols", 32, 1 << 16, papers_table::<D, 128>),
        case("scan, paper's table, 256 symbols", 32, 1 << 16, papers_table::<D, 256>),
        case("scan, paper's table, 4 symbols, m 64", 64, 1 << 16, papers_table::<D, 4>),
        case("scan, paper's table, 8 symbols, m 64", 64, 1 << 16, papers_table::<D, 8>),
        case("scan, paper's table, 16 symbols, m 64", 64, 1 << 16, papers_table::<D, 16>),
        case("scan, paper's table, 32 symbols, m 64", 64, 1 << 16, papers_table::<D, 32>),
        case("scan, paper's table, 64 symbols, m 64", 64, 1 << 16, papers_table::<D, 64>),
        case("scan, paper's table, 128 symbols, m 64", 64, 1 << 16, papers_table::<D, 128>),
        case("scan, paper's table, 256 symbols, m 64", 64, 1 << 16, papers_table::<D, 256>),
        case("scan, banked table", 32, 1 << 16, |device, m, n| {
            search(device, (m, n), ("scan", "table=banks", 0, Bytes), 256)
        }),
        case("scan, banked table, m 64", 64, 1 << 16, |device, m, n| {
            search(device, (m, n), ("scan", "table=banks", 0, Bytes), 256)
        }),
        case("scan, banked table, k 1", 16, 1 << 16, |device, m, n| {
            search(device, (m, n), ("scan", "table=banks", 1, Bytes), 256)
        }),
        case("gbpr, paper's table, 256 symbols", 16, 1 << 16, |device, m, n| {
            search(device, (m, n), ("gbpr", "", 0, Bytes), 256)
        }),
        case("myers-slices", 31, 1 << 16, |device, m, n| search(device, (m, n), ("myers-slices", "", 1, Bytes), 64)),
        case("myers-slices-shared", 31, 1 << 16, |device, m, n| {
            search(device, (m, n), ("myers-slices-shared", "", 1, Bytes), 64)
        }),
        case("shift-or", 32, 1 << 16, |device, m, n| search(device, (m, n), ("shift-or", "", 0, Bytes), 64)),
        case("wu-manber, k 2", 32, 1 << 16, |device, m, n| search(device, (m, n), ("wu-manber", "", 2, Count), 4)),
        case("asm umm", 64, 1000, |device, m, n| {
            let (pattern, text) = strings(m, n, 4);
            let umm = row(best::DeviceAlgorithm::<D>::ALL, |row| row.about.name, "umm")?;
            let engine = best::DeviceBest::new(device.clone(), umm, &|_| ());
            engine.best_end(&text, std::slice::from_ref(&(0..n)), &Pattern::literal(&pattern))?;
            Ok(())
        }),
        case("contiguous", 1024, 1 << 16, |device, p, n| {
            let (mut a, stream) = (device.alloc::<u32>(n, "a")?, device.stream()?);
            device.zero(&stream, &mut a)?;
            let p = p as u32;
            let kernel = Contiguous { a: device.handle(&a), n: n as u64, p, write: 1 };
            // SAFETY: a has n cells and lives until the stream was waited for.
            unsafe { device.launch(&stream, blocks(p), kernel)? };
            Ok(device.wait(&stream)?)
        }),
        case("uncoalesced: a sector a lane", 1024, 1 << 16, |device, p, n| {
            const W: usize = 32;
            let (mut a, stream) = (device.alloc::<u32>(n * W, "a")?, device.stream()?);
            device.zero(&stream, &mut a)?;
            let p = p as u32;
            let kernel = ContiguousBank { a: device.handle(&a), n: n as u64, p, w: W as u32, write: 0 };
            // SAFETY: a has n w cells and lives until the stream was waited for.
            unsafe { device.launch(&stream, blocks(p), kernel)? };
            Ok(device.wait(&stream)?)
        }),
        case("shared, 4 bytes anywhere", 4, 1000, |device, _, n| shared_access::<u32, D>(device, n, 4096, 32, false)),
        case("shared, 8 bytes anywhere", 8, 1000, |device, _, n| shared_access::<u64, D>(device, n, 2048, 32, false)),
        case("shared, 16 bytes anywhere", 16, 1000, |device, _, n| {
            shared_access::<U32x4, D>(device, n, 1024, 32, false)
        }),
        case("shared, 8 bytes of 20 places", 8, 1000, |device, _, n| shared_access::<u64, D>(device, n, 20, 32, false)),
        case("shared, 16 bytes of 20 places", 16, 1000, |device, _, n| {
            shared_access::<U32x4, D>(device, n, 20, 32, false)
        }),
        case("shared, 8 bytes, a third of the lanes", 8, 1000, |device, _, n| {
            shared_access::<u64, D>(device, n, 2048, 11, false)
        }),
        case("shared, 16 bytes, a third of the lanes", 16, 1000, |device, _, n| {
            shared_access::<U32x4, D>(device, n, 1024, 11, false)
        }),
        case("shared, 4 bytes written", 4, 1000, |device, _, n| shared_access::<u32, D>(device, n, 4096, 32, true)),
        case("shared, 8 bytes written", 8, 1000, |device, _, n| shared_access::<u64, D>(device, n, 2048, 32, true)),
        case("shared, 16 bytes written", 16, 1000, |device, _, n| shared_access::<U32x4, D>(device, n, 1024, 32, true)),
        case("shared, 8 bytes written, a third of the lanes", 8, 1000, |device, _, n| {
            shared_access::<u64, D>(device, n, 2048, 11, true)
        }),
        case("shared, 16 bytes written, a third of the lanes", 16, 1000, |device, _, n| {
            shared_access::<U32x4, D>(device, n, 1024, 11, true)
        }),
    ]
}

/// Accesses of shared memory by about so many of 32 lanes, each to one of the first so many places; to write, each to another.
fn shared_access<E: Element, D: Device>(
    device: &Arc<D>,
    turns: usize,
    places: u32,
    lanes: u32,
    write: bool,
) -> Outcome<()>
where
    SharedAccess<E>: Kernel,
{
    let mut random = fastrand::Rng::with_seed(4);
    let mut list: Vec<u32> = Vec::new();
    for _ in 0..turns {
        let mut left: Vec<u32> = (0..places).collect();
        list.extend((0..32).map(|_| match random.u32(..32) < lanes {
            true if write => left.swap_remove(random.usize(..left.len())),
            true => random.u32(..places),
            false => NOWHERE,
        }));
    }
    let stream = device.stream()?;
    let (mut given, mut out) = (device.alloc::<u32>(list.len(), "places")?, device.alloc::<u32>(32, "out")?);
    device.upload(&stream, &mut given, &list)?;
    device.zero(&stream, &mut out)?;
    let (places, out_words, turns) = (device.handle(&given), device.handle(&out), turns as u32);
    let kernel = SharedAccess::<E> { places, turns, write: write.into(), out: out_words, element: PhantomData };
    // SAFETY: a place for each lane and turn, in the array; all live until the stream was waited for.
    unsafe { device.launch(&stream, 1, kernel)? };
    let mut expected = [0; 32];
    for turn in list.chunks(32).filter(|_| !write) {
        expected.iter_mut().zip(turn).filter(|(_, place)| **place != NOWHERE).for_each(|(all, place)| *all ^= place);
    }
    match device.download(&stream, &out, 32)? == expected {
        true => Ok(()),
        false => Err("shared_access has read something else".into()),
    }
}

/// Two random strings.
fn strings(m: usize, n: usize, symbols: u64) -> (Vec<u8>, Vec<u8>) {
    (common::random(m, symbols, 1), common::random(n, symbols, 2))
}

fn column(engine: &impl Columns, m: usize, n: usize) -> Outcome<()> {
    engine.column(&Part { side: Side::A, range: 0..m }, &Part { side: Side::B, range: 0..n })?;
    Ok(())
}

/// One strip: of several, one waits for the other as long as it takes, and reads meanwhile. As many warps as there would be
/// choose the kernel.
fn wavefront<D: Device>(device: &Arc<D>, m: usize, n: usize, warps: u32) -> Outcome<()> {
    let (a, b) = strings(m, n, 4);
    let engine = WavefrontLcs::new(&[&**device], &a, &b, &|_| ())?.with_plan(Plan::new(3, warps))?;
    column(&engine, m, n)
}

/// The published scan, in a text of random symbols, with the paper's table: where lanes ask one bank for different symbols, they wait.
fn papers_table<D: Device, const SYMBOLS: u64>(device: &Arc<D>, m: usize, n: usize) -> Outcome<()> {
    search(device, (m, n), ("scan", "table=paper", 0, ResultKind::Bytes), SYMBOLS)
}

fn search<D: Device>(
    device: &Arc<D>,
    (m, n): (usize, usize),
    (algorithm, tuning, k, format): (&str, &str, u32, ResultKind),
    symbols: u64,
) -> Outcome<()> {
    let text = common::random(n, symbols, 3);
    let algorithm = row(DeviceAlgorithm::<D>::ALL, |row| row.about.name, algorithm)?;
    let patterns = [Pattern::literal(&text[n / 2..][..m])];
    let request = Request { patterns: &patterns, k, gaps: true, tuning: tuning.parse::<Tuning>()? };
    DeviceText::new(device.clone(), &text)?.prepare(algorithm, &request, format)?.run(0)?;
    Ok(())
}

/// The row of this name in a table of algorithms.
fn row<R>(table: &'static [R], name_of: fn(&R) -> &str, name: &str) -> Outcome<&'static R> {
    table.iter().find(|row| name_of(row) == name).ok_or_else(|| format!("there is no algorithm {name}").into())
}

fn main() -> Outcome<()> {
    let (mut simulated, mut run, mut compared, mut only) = (None, false, None, String::new());
    let line = Line::read("--simulate --run --compare --only", |name, value| {
        match name {
            "--simulate" => simulated = Some(value.text()?),
            "--run" => run = true,
            "--compare" => compared = Some((value.text()?, value.text()?)),
            "--only" => only = value.text()?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    if let Some(path) = simulated {
        std::fs::write(path, format!("{:#}\n", simulate(&only)?))?;
    }
    if run {
        let gpu = Gpu::open(0)?;
        for case in cases::<simt_launch::Gpu>().into_iter().filter(|case| case.name.contains(&only)) {
            (case.run)(gpu.device(), case.m, case.n)?;
            println!("{}", case.name);
        }
    }
    if let Some((simulated, counted)) = compared {
        let simulated: Value = serde_json::from_str(&std::fs::read_to_string(simulated)?)?;
        let counted = join::launches(&std::fs::read_to_string(counted)?)?;
        let rows = join::rows(&simulated, &counted)?;
        for row in &rows {
            let more = &row["more"];
            println!(
                "{:<14} {:<45} {:<24} {:>9} {:>9} {:>8.3} %",
                join::text(&row["part"]),
                join::text(&row["name"]),
                join::text(&row["engine"]),
                more["simulated"],
                more["counted"],
                more["difference_percent"].as_f64().unwrap_or(f64::NAN)
            );
        }
        let all = json!({
            "gpu": Gpu::open(0).ok().and_then(|gpu| gpu.describe().ok()),
            "launches_fitted_to": simulated["shape"],
            "ptx": PTX_ORIGIN,
            "rows": rows,
        });
        line.write("gpu_access", all)?;
    }
    Ok(())
}

/// What all cases cost on the simulator.
fn simulate(only: &str) -> Outcome<Value> {
    let shape = Gpu::open(0).map_or(H200, |gpu| gpu.device().limits());
    let mut found = Vec::new();
    for case in cases::<Simt>().into_iter().filter(|case| case.name.contains(only)) {
        let device = Arc::new(Simt::new(true).with_limits(shape));
        (case.run)(&device, case.m, case.n)?;
        let kernels: Vec<Value> = device.costs_by_kernel().iter().map(|(name, costs)| kernel(name, costs)).collect();
        println!("{}", case.name);
        found.push(json!({ "case": case.name, "m": case.m, "n": case.n, "kernels": kernels }));
    }
    let Limits { multiprocessors, block_shared, exclusive_shared } = shape;
    let shape = json!({ "multiprocessors": multiprocessors, "block_shared": block_shared, "exclusive_shared": exclusive_shared });
    Ok(json!({ "shape": shape, "cases": found }))
}

fn kernel(name: &str, KernelCosts { launches, costs }: &KernelCosts) -> Value {
    let shared = |access| costs.total_of(Space::Shared, access).wavefronts;
    let global = |access| costs.total_of(Space::Global, access).sectors;
    json!({
        "kernel": name,
        "launches": launches,
        "shared_loads": shared(Access::Read),
        "shared_stores": shared(Access::Write),
        "global_loads": global(Access::Read),
        "global_stores": global(Access::Write),
        "global_atomics": global(Access::Atomic),
    })
}
