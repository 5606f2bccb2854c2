//! LLCS on the CPU, compared with rapidfuzz, in one run. Gelem/s is 10⁹ cells per second (GCUPS).
//!
//! The last group measures small sizes, for the choice among the algorithms of a column, and
//! between `dp_table` and `bit_table`.
mod common;

use std::hint::black_box;
use std::time::Duration;

use carrywave::internal::lcs::cpu::{ALGORITHMS, bit_parallel, bit_table};
use carrywave::internal::pairwise::Direction;
use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use rapidfuzz::distance::lcs_seq;

fn ours(a: &[u8], b: &[u8]) -> usize {
    bit_parallel::last_column(a, b, Direction::Forward, &|_| ()).last()
}

fn long(criterion: &mut Criterion) {
    let mut inputs = vec![
        ("dna_100k", common::random(100_000, 4, 1), common::random(100_000, 4, 2)),
        ("bytes64_100k", common::random(100_000, 64, 3), common::random(100_000, 64, 4)),
        ("bytes256_100k", common::random(100_000, 256, 7), common::random(100_000, 256, 8)),
    ];
    match common::ecoli() {
        Ok((a, b)) => inputs.push(("ecoli_200k", a[..200_000].to_vec(), b[..200_000].to_vec())),
        Err(reason) => eprintln!("ecoli_200k skipped: {reason}"),
    }
    let pools = [("1_thread", common::pool(1)), ("all_threads", common::pool(0))];
    for (name, a, b) in &inputs {
        let mut group = criterion.benchmark_group(*name);
        group.sample_size(10).warm_up_time(Duration::from_millis(500)).measurement_time(Duration::from_secs(2));
        group.throughput(Throughput::Elements(a.len() as u64 * b.len() as u64));
        // rapidfuzz at its fastest: the pattern's bit-vectors are built beforehand, which saves it
        // work that carrywave does in the call.
        let pattern = lcs_seq::BatchComparator::new(a.iter().copied());
        let expected = pattern.similarity(b.iter().copied());
        for (threads, pool) in &pools {
            group.bench_function(BenchmarkId::new("carrywave", threads), |bencher| {
                pool.install(|| assert_eq!(ours(a, b), expected));
                bencher.iter(|| pool.install(|| ours(black_box(a), black_box(b))));
            });
        }
        group.bench_function("rapidfuzz/batch", |bencher| {
            bencher.iter(|| pattern.similarity(black_box(b).iter().copied()));
        });
        if *name == "dna_100k" {
            group.bench_function("rapidfuzz/plain", |bencher| {
                assert_eq!(lcs_seq::similarity(a.iter().copied(), b.iter().copied()), expected);
                bencher.iter(|| lcs_seq::similarity(black_box(a).iter().copied(), black_box(b).iter().copied()));
            });
        }
        group.finish();
    }
}

fn small(criterion: &mut Criterion) {
    for size in [4, 8, 16, 64, 256, 1024] {
        let a = common::random(size, 4, 5);
        let b = common::random(size, 4, 6);
        let expected = lcs_seq::similarity(a.iter().copied(), b.iter().copied());
        let mut group = criterion.benchmark_group(format!("small_{size}"));
        group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(300));
        group.throughput(Throughput::Elements((size * size) as u64));
        for algorithm in ALGORITHMS {
            let Some(last_column) = algorithm.columns() else { continue };
            group.bench_function(format!("column/{}", algorithm.about.name.replace('-', "_")), |bencher| {
                let column = || last_column(black_box(&a), black_box(&b), Direction::Forward, &|_| ()).last();
                assert_eq!(column(), expected);
                bencher.iter(column);
            });
        }
        group.bench_function("column/rapidfuzz", |bencher| {
            bencher.iter(|| lcs_seq::similarity(black_box(&a).iter().copied(), black_box(&b).iter().copied()));
        });
        group.bench_function("lcs/bit_table", |bencher| {
            assert_eq!(bit_table::lcs(&a, &b).iter().map(|run| run.len as usize).sum::<usize>(), expected);
            bencher.iter(|| bit_table::lcs(black_box(&a), black_box(&b)));
        });
        group.finish();
    }
}

#[allow(missing_docs)]
mod groups {
    use super::*;
    criterion_group!(benches, long, small);
}
use groups::benches;
criterion_main!(benches);
