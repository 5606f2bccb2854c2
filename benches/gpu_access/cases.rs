//! The launches for the comparison of memory accesses.

use crate::common::{self, Outcome};
use carrywave::internal::best::end::BestEnds;
use carrywave::internal::best::gpu as best;
use carrywave::internal::lcs::gpu::published::block_step::BlockStepLcs;
use carrywave::internal::lcs::gpu::{LcsPlan, WavefrontLcs};
use carrywave::internal::pairwise::Columns;
use carrywave::internal::pairwise::{Part, Side};
use carrywave::internal::search::gpu::{DeviceAlgorithm, DeviceText, Gaps, Request, ResultKind};
use carrywave::kernels::collectives::add::ConditionalSum;
use carrywave::kernels::measure::contiguous::{Contiguous, ContiguousBank, blocks};
use carrywave::kernels::measure::shared_access::{Element, NO_ACCESS, SharedAccess};
use carrywave::search::Tuning;
use carrywave::text::Pattern;
use simt_launch::Device;
use simt_std::{Kernel, U32x4};
use std::marker::PhantomData;
use std::sync::Arc;

/// Launches on a device, for strings of m and n symbols, or for m threads and n cells.
pub struct Case<D: Device> {
    pub name: &'static str,
    pub m: usize,
    pub n: usize,
    pub run: fn(&Arc<D>, usize, usize) -> Outcome<()>,
}

const fn case<D: Device>(
    name: &'static str,
    m: usize,
    n: usize,
    run: fn(&Arc<D>, usize, usize) -> Outcome<()>,
) -> Case<D> {
    Case { name, m, n, run }
}

/// Returns all cases.
pub fn cases<D: Device>() -> Vec<Case<D>> {
    [tables(), papers_tables(), searches(), global_accesses(), shared_accesses()].into_iter().flatten().collect()
}

/// Returns the cases with LCS tables.
fn tables<D: Device>() -> Vec<Case<D>> {
    vec![
        case("block-step", 4000, 3000, |device, m, n| {
            let (a, b) = strings(m, n, 4);
            column(&BlockStepLcs::<D, ConditionalSum>::new(&**device, &a, &b, &|_| ())?, m, n)
        }),
        case("wavefront", 3000, 4000, |device, m, n| wavefront(device, m, n, 8)),
        case("wavefront, reading ahead", 3000, 4000, |device, m, n| wavefront(device, m, n, 1)),
    ]
}

/// Returns the cases of the published scan with the paper's table, by the number of symbols of the
/// text.
fn papers_tables<D: Device>() -> Vec<Case<D>> {
    vec![
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
    ]
}

/// Returns the cases with other searches, and with the nearest part of a text.
fn searches<D: Device>() -> Vec<Case<D>> {
    const WU_MANBER: Search = Search { format: ResultKind::Count, ..Search::new("wu-manber", 2) };
    vec![
        case("scan, banked table", 32, 1 << 16, |device, m, n| BANKED.run(device, m, n, 256)),
        case("scan, banked table, m 64", 64, 1 << 16, |device, m, n| BANKED.run(device, m, n, 256)),
        case("scan, banked table, k 1", 16, 1 << 16, |device, m, n| Search { k: 1, ..BANKED }.run(device, m, n, 256)),
        case("gbpr, paper's table, 256 symbols", 16, 1 << 16, |device, m, n| {
            Search::new("gbpr", 0).run(device, m, n, 256)
        }),
        case("myers-slices", 31, 1 << 16, |device, m, n| Search::new("myers-slices", 1).run(device, m, n, 64)),
        case("myers-slices-shared", 31, 1 << 16, |device, m, n| {
            Search::new("myers-slices-shared", 1).run(device, m, n, 64)
        }),
        case("shift-or", 32, 1 << 16, |device, m, n| Search::new("shift-or", 0).run(device, m, n, 64)),
        case("wu-manber, k 2", 32, 1 << 16, |device, m, n| WU_MANBER.run(device, m, n, 4)),
        case("asm umm", 64, 1000, |device, m, n| {
            let (pattern, text) = strings(m, n, 4);
            let umm = row(best::DeviceAlgorithm::<D>::ALL, |row| row.about.name, "umm")?;
            let engine = best::DeviceBest::new(device.clone(), umm, &|_| ());
            engine.best_end(&text, std::slice::from_ref(&(0..n)), &Pattern::literal(&pattern))?;
            Ok(())
        }),
    ]
}

/// Returns the cases with accesses to global memory.
fn global_accesses<D: Device>() -> Vec<Case<D>> {
    vec![
        case("contiguous", 1024, 1 << 16, |device, p, n| {
            let mut a = device.alloc::<u32>(n, "a")?;
            let stream = device.stream()?;
            device.zero(&stream, &mut a)?;
            let p = p as u32;
            let kernel = Contiguous { a: device.handle(&a), n: n as u64, p, write: 1 };
            // SAFETY: a has n cells and lives until the stream has been waited for.
            unsafe { device.launch(&stream, blocks(p), kernel)? };
            Ok(device.wait(&stream)?)
        }),
        case("uncoalesced: a sector a lane", 1024, 1 << 16, |device, p, n| {
            const W: usize = 32;
            let mut a = device.alloc::<u32>(n * W, "a")?;
            let stream = device.stream()?;
            device.zero(&stream, &mut a)?;
            let p = p as u32;
            let kernel = ContiguousBank { a: device.handle(&a), n: n as u64, p, w: W as u32, write: 0 };
            // SAFETY: a has n w cells and lives until the stream has been waited for.
            unsafe { device.launch(&stream, blocks(p), kernel)? };
            Ok(device.wait(&stream)?)
        }),
    ]
}

/// Shape of accesses to shared memory.
struct Shape {
    /// Number of positions that lanes choose from.
    places: u32,
    /// Number of lanes, out of 32, that access memory, about.
    lanes: u32,
    write: bool,
}

const READ: Shape = Shape { places: 0, lanes: 32, write: false };
const WRITE: Shape = Shape { write: true, ..READ };

/// Returns the cases with accesses to shared memory.
fn shared_accesses<D: Device>() -> Vec<Case<D>> {
    vec![
        case("shared, 4 bytes anywhere", 4, 1000, |device, _, n| {
            shared_access::<u32, D>(device, n, Shape { places: 4096, ..READ })
        }),
        case("shared, 8 bytes anywhere", 8, 1000, |device, _, n| {
            shared_access::<u64, D>(device, n, Shape { places: 2048, ..READ })
        }),
        case("shared, 16 bytes anywhere", 16, 1000, |device, _, n| {
            shared_access::<U32x4, D>(device, n, Shape { places: 1024, ..READ })
        }),
        case("shared, 8 bytes of 20 places", 8, 1000, |device, _, n| {
            shared_access::<u64, D>(device, n, Shape { places: 20, ..READ })
        }),
        case("shared, 16 bytes of 20 places", 16, 1000, |device, _, n| {
            shared_access::<U32x4, D>(device, n, Shape { places: 20, ..READ })
        }),
        case("shared, 8 bytes, a third of the lanes", 8, 1000, |device, _, n| {
            shared_access::<u64, D>(device, n, Shape { places: 2048, lanes: 11, ..READ })
        }),
        case("shared, 16 bytes, a third of the lanes", 16, 1000, |device, _, n| {
            shared_access::<U32x4, D>(device, n, Shape { places: 1024, lanes: 11, ..READ })
        }),
        case("shared, 4 bytes written", 4, 1000, |device, _, n| {
            shared_access::<u32, D>(device, n, Shape { places: 4096, ..WRITE })
        }),
        case("shared, 8 bytes written", 8, 1000, |device, _, n| {
            shared_access::<u64, D>(device, n, Shape { places: 2048, ..WRITE })
        }),
        case("shared, 16 bytes written", 16, 1000, |device, _, n| {
            shared_access::<U32x4, D>(device, n, Shape { places: 1024, ..WRITE })
        }),
        case("shared, 8 bytes written, a third of the lanes", 8, 1000, |device, _, n| {
            shared_access::<u64, D>(device, n, Shape { places: 2048, lanes: 11, ..WRITE })
        }),
        case("shared, 16 bytes written, a third of the lanes", 16, 1000, |device, _, n| {
            shared_access::<U32x4, D>(device, n, Shape { places: 1024, lanes: 11, ..WRITE })
        }),
    ]
}

/// Runs a kernel with random accesses to shared memory. In a turn that writes, each lane writes to
/// a different position.
fn shared_access<E: Element, D: Device>(device: &Arc<D>, turns: usize, shape: Shape) -> Outcome<()>
where
    SharedAccess<E>: Kernel,
{
    let Shape { places, lanes, write } = shape;
    let mut random = fastrand::Rng::with_seed(4);
    let mut list: Vec<u32> = Vec::new();
    for _ in 0..turns {
        let mut left: Vec<u32> = (0..places).collect();
        list.extend((0..32).map(|_| match random.u32(..32) < lanes {
            true if write => left.swap_remove(random.usize(..left.len())),
            true => random.u32(..places),
            false => NO_ACCESS,
        }));
    }
    let stream = device.stream()?;
    let mut given = device.alloc::<u32>(list.len(), "places")?;
    let mut out = device.alloc::<u32>(32, "out")?;
    device.upload(&stream, &mut given, &list)?;
    device.zero(&stream, &mut out)?;
    let indices = device.handle(&given);
    let out_words = device.handle(&out);
    let turns = turns as u32;
    let kernel =
        SharedAccess::<E> { indices, accesses: turns, write: write.into(), out: out_words, element: PhantomData };
    // SAFETY: each lane and turn has a position within the array; all buffers live until the stream
    // has been waited for.
    unsafe { device.launch(&stream, 1, kernel)? };
    let mut expected = [0; 32];
    for turn in list.chunks(32).filter(|_| !write) {
        expected.iter_mut().zip(turn).filter(|(_, place)| **place != NO_ACCESS).for_each(|(all, place)| *all ^= place);
    }
    match device.download(&stream, &out, 32)? == expected {
        true => Ok(()),
        false => Err("shared_access has read something else".into()),
    }
}

/// Returns two random strings.
fn strings(m: usize, n: usize, symbols: u64) -> (Vec<u8>, Vec<u8>) {
    (common::random(m, symbols, 1), common::random(n, symbols, 2))
}

fn column(engine: &impl Columns, m: usize, n: usize) -> Outcome<()> {
    engine.column(&Part { side: Side::A, range: 0..m }, &Part { side: Side::B, range: 0..n })?;
    Ok(())
}

/// Computes one strip. With several strips, a strip that waits for another reads memory a varying
/// number of times. `warps` chooses the kernel.
fn wavefront<D: Device>(device: &Arc<D>, m: usize, n: usize, warps: u32) -> Outcome<()> {
    let (a, b) = strings(m, n, 4);
    let engine = WavefrontLcs::new(&[&**device], &a, &b, &|_| ())?.with_plan(LcsPlan::new(3, warps))?;
    column(&engine, m, n)
}

/// Runs the published scan with the paper's table, in a text of random symbols. Lanes that look up
/// different symbols in the same bank wait for each other.
fn papers_table<D: Device, const SYMBOLS: u64>(device: &Arc<D>, m: usize, n: usize) -> Outcome<()> {
    SCAN.run(device, m, n, SYMBOLS)
}

/// A search.
struct Search {
    algorithm: &'static str,
    tuning: &'static str,
    k: u32,
    format: ResultKind,
}

/// The published scan with the paper's table.
const SCAN: Search = Search { algorithm: "scan", tuning: "table=paper", k: 0, format: ResultKind::Bytes };
/// The published scan with a table in banks.
const BANKED: Search = Search { tuning: "table=banks", ..SCAN };

impl Search {
    /// Returns an algorithm without a tuning, whose result is a byte for each position.
    const fn new(algorithm: &'static str, k: u32) -> Self {
        Self { algorithm, tuning: "", k, format: ResultKind::Bytes }
    }

    /// Searches a text of n random symbols, out of `symbols` different ones, for a part of m
    /// symbols.
    fn run<D: Device>(&self, device: &Arc<D>, m: usize, n: usize, symbols: u64) -> Outcome<()> {
        let text = common::random(n, symbols, 3);
        let algorithm = row(DeviceAlgorithm::<D>::ALL, |row| row.about.name, self.algorithm)?;
        let patterns = [Pattern::literal(&text[n / 2..][..m])];
        let request =
            Request { patterns: &patterns, k: self.k, gaps: Gaps::ANY, tuning: self.tuning.parse::<Tuning>()? };
        DeviceText::new(device.clone(), &text)?.prepare(algorithm, &request, self.format)?.run(0)?;
        Ok(())
    }
}

/// Returns the row with the name `name` in a table of algorithms.
fn row<R>(table: &'static [R], name_of: fn(&R) -> &str, name: &str) -> Outcome<&'static R> {
    table.iter().find(|row| name_of(row) == name).ok_or_else(|| format!("there is no algorithm {name}").into())
}
