//! The simulator's counts by kernel, and the join with Nsight Compute's counters in
//! benches/gpu_access.
#![cfg(all(feature = "published", feature = "simt"))]

#[path = "../benches/gpu_access/join.rs"]
mod join;

use carrywave::kernels::measure::contiguous::{Contiguous, ContiguousBank};
use serde_json::{Value, json};
use simt_launch::{Device, Limits, Simt};
use simt_std::simulator::{Access, Grid, Options, Simulator, Space};
use simt_std::{atomic, thread};

/// Output in the format of ncu 2023 to 2025, shortened.
const CSV: &str = r#"==PROF== Connected to process 4711 (/tmp/gpu_access)
block-step
==PROF== Disconnected from process 4711
"ID","Process ID","Kernel Name","Context","Section Name","Metric Name","Metric Unit","Metric Value"
"0","4711","k, of ""a""(unsigned int *)","1","Command line profiler metrics","l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum","","1,000"
"0","4711","k, of ""a""(unsigned int *)","1","Command line profiler metrics","l1tex__data_pipe_lsu_wavefronts_mem_shared_op_st.sum","","0"
"1","4711","memset","1","Command line profiler metrics","l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum","","77"
==PROF== Something in between
"2","4711","b","1","Command line profiler metrics","l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum","sector","12.00"
"#;

#[test]
fn csv_is_read_with_all_that_ncu_prints_beside_it() {
    let launches = join::launches(CSV).unwrap();
    let names: Vec<&str> = launches.iter().map(|launch| launch.kernel.as_str()).collect();
    assert_eq!(names, ["k, of \"a\"", "memset", "b"]);
    assert_eq!(launches[0].metrics["l1tex__data_pipe_lsu_wavefronts_mem_shared_op_ld.sum"], 1000);
    assert_eq!(launches[0].metrics.len(), 2);
    assert_eq!(launches[2].metrics["l1tex__t_sectors_pipe_lsu_mem_global_op_ld.sum"], 12);
    assert!(join::launches("==ERROR== No kernels were profiled\n").unwrap_err().contains("ncu --csv"));
    assert!(join::launches(&CSV.replace("12.00", "n/a")).unwrap_err().contains("n/a"));
}

/// Returns the CSV of launches: name, then loads and stores of shared memory, then loads, stores,
/// reductions and atomics of global memory.
fn csv(launches: &[(&str, [u64; 6])]) -> String {
    let mut csv = "==PROF== x\n\"ID\",\"Kernel Name\",\"Metric Name\",\"Metric Unit\",\"Metric Value\"\n".to_owned();
    for (id, (kernel, values)) in launches.iter().enumerate() {
        let (shared, global) =
            ("l1tex__data_pipe_lsu_wavefronts_mem_shared_op", "l1tex__t_sectors_pipe_lsu_mem_global_op");
        let names = [(shared, "ld"), (shared, "st"), (global, "ld"), (global, "st"), (global, "red"), (global, "atom")];
        for ((metric, access), value) in names.into_iter().zip(values) {
            csv += &format!("\"{id}\",\"{kernel}\",\"{metric}_{access}.sum\",\"\",\"{value}\"\n");
        }
    }
    csv
}

/// Name of a kernel, its launches, and the five counts.
type Kernel = (&'static str, u64, [u64; 5]);

fn simulated(cases: &[(&str, &[Kernel])]) -> Value {
    let kernel = |&(name, launches, [a, b, c, d, e]): &Kernel| {
        json!({ "kernel": name, "launches": launches, "shared_loads": a, "shared_stores": b, "global_loads": c,
            "global_stores": d, "global_atomics": e })
    };
    let case = |(name, kernels): &(&str, &[Kernel])| json!({ "case": name, "m": 3, "n": 4, "kernels": kernels.iter().map(kernel).collect::<Vec<_>>() });
    json!({ "cases": cases.iter().map(case).collect::<Vec<_>>() })
}

#[test]
fn launches_are_joined_by_case_and_summed_by_kernel() {
    let simulated = simulated(&[
        ("one", &[("a", 1, [0, 0, 8, 0, 0]), ("b", 2, [99, 0, 0, 0, 7])]),
        ("two", &[("a", 1, [0, 5, 0, 3, 0])]),
    ]);
    let launches = [
        ("b", [60, 0, 0, 0, 1, 2]),
        ("a", [0, 0, 8, 0, 0, 0]),
        ("the driver's", [9; 6]),
        ("b", [40, 0, 0, 0, 4, 0]),
        ("a", [0, 4, 0, 3, 0, 0]),
    ];
    let rows = join::rows(&simulated, &join::launches(&csv(&launches)).unwrap()).unwrap();
    let row = |row: &Value| {
        let more = &row["more"];
        let numbers = (more["simulated"].as_u64().unwrap(), more["counted"].as_u64().unwrap());
        let (part, name, kernel) = (join::text(&row["part"]), join::text(&row["name"]), join::text(&row["engine"]));
        (format!("{part}, {name}, {kernel}"), numbers, more["difference_percent"].as_f64().unwrap())
    };
    let rows: Vec<_> = rows.iter().map(row).collect();
    let expected = [
        ("shared memory, one: loads, b", (99, 100), -1.0),
        ("shared memory, two: stores, a", (5, 4), 25.0),
        ("global memory, one: loads, a", (8, 8), 0.0),
        ("global memory, one: atomics, b", (7, 7), 0.0),
        ("global memory, two: stores, a", (3, 3), 0.0),
    ];
    assert_eq!(rows, expected.map(|(name, numbers, difference)| (name.to_owned(), numbers, difference)));
}

#[test]
fn other_launches_than_the_simulators_are_an_error() {
    let simulated = simulated(&[("one", &[("a", 1, [1; 5]), ("b", 1, [1; 5])])]);
    let rows = |names: &[&str]| {
        let launches: Vec<_> = names.iter().map(|&name| (name, [1; 6])).collect();
        join::rows(&simulated, &join::launches(&csv(&launches)).unwrap())
    };
    assert!(rows(&["a", "b"]).is_ok());
    for other in [&["a"][..], &["a", "a"], &["b", "b"], &["a", "b", "a"]] {
        assert!(rows(other).unwrap_err().contains("launches"), "{other:?}");
    }
    let short = csv(&[("a", [1; 6]), ("b", [1; 6])]).replace("op_red", "op_other");
    assert!(join::rows(&simulated, &join::launches(&short).unwrap()).unwrap_err().contains("op_red"));
}

#[test]
fn costs_by_kernel_add_up() {
    let shape = Limits { multiprocessors: 7, block_shared: 1 << 10, exclusive_shared: 3 };
    let simt = Simt::new(true).with_limits(shape);
    assert_eq!((simt.limits(), simt.peer().limits()), (shape, shape));
    let mut a = simt.alloc::<u32>(64 * 32, "a").unwrap();
    let stream = simt.stream().unwrap();
    simt.zero(&stream, &mut a).unwrap();
    let a = simt.handle(&a);
    for n in [64, 32] {
        // SAFETY: the array has enough cells, and the simulator checks accesses.
        unsafe { simt.launch(&stream, 1, Contiguous { a, n, p: 32, write: 0 }) }.unwrap();
    }
    // SAFETY: as above.
    unsafe { simt.launch(&stream, 1, ContiguousBank { a, n: 64, p: 32, w: 32, write: 0 }) }.unwrap();
    simt.wait(&stream).unwrap();
    let by_kernel = simt.costs_by_kernel();
    let of =
        |name: &str| (by_kernel[name].launches, by_kernel[name].costs.total_of(Space::Global, Access::Read).sectors);
    assert_eq!((of("contiguous"), of("contiguous_bank")), ((2, 4 * 3), (1, 32 * 2)));
    assert_eq!(simt.costs().total(Space::Global).sectors, 12 + 64);
}

/// A relaxed load counts as a load of the machine, and a relaxed store as a store.
#[test]
fn atomics_count_as_what_the_machine_does() {
    let mut gpu = Simulator::new(Options { accounting: true, ..Options::default() });
    let words = gpu.alloc::<u32>(64, "words");
    gpu.upload(&words, &[0; 64]).unwrap();
    let data = words.handle();
    let kernel = move || {
        let i = thread::thread_idx_x() as usize;
        atomic::fetch_add(data, i, 1);
        for _ in 0..2 {
            atomic::load(data, i);
        }
        for _ in 0..3 {
            atomic::store(data, i, 7);
        }
    };
    gpu.launch("k", Grid::linear(1, 32), kernel).unwrap();
    let sectors = |access| gpu.costs().total_of(Space::Global, access).sectors;
    assert_eq!([Access::Atomic, Access::Read, Access::Write].map(sectors), [4, 8, 12]);
}
