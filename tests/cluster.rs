//! One comparison on several members of one process, over host memory, checked against plain
//! dynamic programming, for various engines, bands and strings.
#![cfg(all(feature = "published", feature = "simt"))]

mod common;

use carrywave::cluster::{CarryLink, Cluster, HostMemory};
use carrywave::device::{Cpu, Engine, Simt};
use carrywave::{Error, distance, lcs};
use common::oracle;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// Computes the edit distance by its recurrence.
fn edit_distance(a: &[u8], b: &[u8]) -> u64 {
    let replaced = |cell: u64, i: usize, j: usize| cell + u64::from(a[i - 1] != b[j - 1]);
    let last = oracle::edits::columns((a.len(), b.len()), |j| j as u64, |cell| cell + 1, replaced).last();
    last.and_then(|column| column.last().copied()).unwrap()
}

/// Returns two strings with some common pieces.
fn strings(random: &mut fastrand::Rng, m: usize, n: usize, symbols: u8) -> [Vec<u8>; 2] {
    let a: Vec<u8> = (0..m).map(|_| b'A' + random.u8(..symbols)).collect();
    let mut b: Vec<u8> = (0..n).map(|_| b'A' + random.u8(..symbols)).collect();
    if m > 0 {
        for _ in 0..random.usize(..4) {
            let (from, len) = (random.usize(..m), random.usize(..=m / 2));
            let to = random.usize(..=n);
            for (y, x) in b[to..].iter_mut().zip(a[from..].iter().take(len)) {
                *y = *x;
            }
        }
    }
    [a, b]
}

/// Checks length, subsequence, distance and script by a cluster against the oracle and against one
/// engine.
fn check(cluster: &Cluster, a: &[u8], b: &[u8], leaf_cells: u64) {
    let what = format!("{} × {} symbols, {cluster:?}", a.len(), b.len());
    let comparison = lcs::Comparison::new().across(cluster).thresholds(0, leaf_cells);
    let expected = oracle::lcs::length(a, b) as u64;
    assert_eq!(comparison.length(a, b).unwrap(), expected, "length, {what}");
    let alignment = comparison.alignment(a, b).unwrap();
    alignment.verify(a, b).unwrap();
    assert_eq!(alignment.len(), expected, "alignment, {what}");
    let one = lcs::Comparison::new().algorithm(lcs::Algorithm::named("bit-parallel").unwrap()).on(&Cpu::new());
    assert!(alignment == one.thresholds(0, leaf_cells).alignment(a, b).unwrap(), "not as on one engine, {what}");

    let comparison = distance::Comparison::new().across(cluster).thresholds(0, leaf_cells);
    let expected = edit_distance(a, b);
    assert_eq!(comparison.distance(a, b).unwrap(), expected, "distance, {what}");
    let script = comparison.script(a, b).unwrap();
    script.verify(a, b).unwrap();
    assert_eq!(script.distance(), expected, "script, {what}");
    let one = distance::Comparison::new().algorithm(distance::Algorithm::named("dp").unwrap()).on(&Cpu::new());
    assert!(script == one.thresholds(0, leaf_cells).script(a, b).unwrap(), "not as on one engine, {what}");
}

fn cluster(engines: &[&dyn Engine], shares: Option<Vec<f64>>, chunk: usize, whole: u64) -> Cluster {
    let cluster = Cluster::new(engines).unwrap().chunk(chunk).whole(whole);
    match shares {
        Some(shares) => cluster.shares(&shares).unwrap(),
        None => cluster,
    }
}

#[test]
fn cpus_of_every_number_and_share() {
    let mut random = fastrand::Rng::with_seed(1);
    let (pool, narrow) = (Cpu::new(), Cpu::with_threads(1).unwrap());
    let sizes = [0, 1, 2, 3, 63, 64, 65, 500, 512, 513, 1100, 2600];
    for round in 0..60 {
        let members = 1 + round % 5;
        let engines: Vec<&dyn Engine> =
            (0..members).map(|i| if (i + round) % 3 == 0 { &narrow as &dyn Engine } else { &pool }).collect();
        let shares =
            (round % 4 > 0).then(|| (0..members).map(|i| f64::from(random.u8(..6)) + f64::from(i == 0)).collect());
        let cluster = cluster(&engines, shares, [128, 256, 1 << 16][round % 3], 1000);
        let (m, n) = (sizes[random.usize(..sizes.len())], sizes[random.usize(..sizes.len())]);
        let [a, b] = strings(&mut random, m, n, [2, 4, 26][round % 3]);
        check(&cluster, &a, &b, [4, 1000, 1 << 20][round / 3 % 3]);
    }
}

#[test]
fn long_bands_take_lanes_and_threads() {
    let mut random = fastrand::Rng::with_seed(2);
    let engines: [&dyn Engine; 3] = [&Cpu::new(), &Cpu::new(), &Cpu::with_threads(2).unwrap()];
    let [a, b] = strings(&mut random, 21_077, 17_001, 4);
    let cluster = cluster(&engines, Some(vec![1.0, 2.5, 1.5]), 4096, 1 << 24);
    check(&cluster, &a, &b, 1 << 20);
    check(&cluster, &b, &a, 1 << 20);
}

#[test]
fn simulated_gpus_and_cpus_in_one_run() {
    let mut random = fastrand::Rng::with_seed(3);
    let (cpu, simt, two) = (Cpu::new(), Simt::new(), Simt::several(2).unwrap());
    let seeded = Simt::with_schedule(5);
    let clusters: [(&[&dyn Engine], Vec<f64>); 5] = [
        // By measured speed.
        (&[&simt, &seeded], Vec::new()),
        (&[&cpu, &simt, &cpu], vec![1.0, 3.0, 1.0]),
        (&[&simt, &cpu, &seeded], vec![2.0, 1.0, 3.0]),
        (&[&two, &cpu], vec![4.0, 1.0]),
        (&[&cpu, &two, &simt], vec![0.2, 3.0, 1.0]),
    ];
    for (round, (engines, shares)) in clusters.into_iter().enumerate() {
        let (m, n) = [(3300, 700), (5130, 300), (2500, 2200), (4500, 130), (3100, 257)][round];
        let [a, b] = strings(&mut random, m, n, [4, 2, 4, 26, 3][round]);
        let shares = (!shares.is_empty()).then_some(shares);
        let cluster = cluster(engines, shares, [128, 256][round % 2], 1 << 20);
        check(&cluster, &a, &b, 1 << 20);
        check(&cluster, &b, &a, 1 << 18);
    }
}

#[test]
fn shares_by_measured_speed() {
    let mut random = fastrand::Rng::with_seed(4);
    let [a, b] = strings(&mut random, 3000, 1500, 4);
    check(&cluster(&[&Cpu::new(), &Simt::new(), &Cpu::new()], None, 512, 1 << 18), &a, &b, 1 << 18);
}

/// Strings so long that members measure their speeds, and take the rows in several rounds.
#[test]
fn long_strings_by_measured_speed() {
    let mut random = fastrand::Rng::with_seed(8);
    let [a, b] = strings(&mut random, 600_000, 120_000, 4);
    let (one, two) = (Cpu::with_threads(1).unwrap(), Cpu::with_threads(2).unwrap());
    let engines: [&dyn Engine; 3] = [&one, &Simt::new(), &two];
    for engines in [&engines[..], &[&one, &one]] {
        let cluster = cluster(engines, None, 4096, 1 << 32);
        let expected = lcs::Comparison::new().on(&two).alignment(&a, &b).unwrap();
        assert_eq!(lcs::Comparison::new().across(&cluster).length(&a, &b).unwrap(), expected.len());
        assert!(lcs::Comparison::new().across(&cluster).alignment(&b, &a).unwrap().len() == expected.len());
        let expected = distance::Comparison::new().on(&two).distance(&a, &b).unwrap();
        assert_eq!(distance::Comparison::new().across(&cluster).distance(&a, &b).unwrap(), expected);
    }
}

/// Returns a simulated GPU with too little memory for any job.
/// Tables whose bands fill a device several times: in rounds, whose shares are corrected.
#[test]
fn devices_in_rounds() {
    let mut random = fastrand::Rng::with_seed(9);
    let [a, b] = strings(&mut random, 80_000, 256, 4);
    let (simt, seeded, cpu) = (Simt::new(), Simt::with_schedule(5), Cpu::new());
    for engines in [&[&simt as &dyn Engine, &seeded][..], &[&seeded, &simt, &simt]] {
        let cluster = cluster(engines, None, 64, 1 << 32);
        let expected = lcs::Comparison::new().on(&cpu).length(&a, &b).unwrap();
        assert_eq!(lcs::Comparison::new().across(&cluster).length(&b, &a).unwrap(), expected);
        let expected = distance::Comparison::new().on(&cpu).distance(&a, &b).unwrap();
        assert_eq!(distance::Comparison::new().across(&cluster).distance(&a, &b).unwrap(), expected);
    }
}

fn broken() -> Simt {
    Simt::with_memory(5000)
}

/// Returns the rank that an error names; the error must come soon.
fn rank_of<T: std::fmt::Debug>(job: impl FnOnce() -> carrywave::Result<T>) -> (usize, String) {
    let started = Instant::now();
    let error = job().unwrap_err();
    assert!(started.elapsed() < Duration::from_secs(20), "{error}");
    match error {
        Error::Member { rank, reason } => (rank, reason),
        other => panic!("no rank is named: {other}"),
    }
}

#[test]
fn a_member_that_fails_is_named_and_nobody_hangs() {
    let mut random = fastrand::Rng::with_seed(5);
    let [a, b] = strings(&mut random, 6000, 3000, 4);
    let (cpu, simt, broken) = (Cpu::new(), Simt::new(), broken());
    for place in 0..3 {
        let mut engines: Vec<&dyn Engine> = vec![&cpu, &simt, &cpu];
        engines[place] = &broken;
        let shared = cluster(&engines, Some(vec![1.0; 3]), 128, 1000);
        let (rank, reason) = rank_of(|| lcs::Comparison::new().across(&shared).length(&a, &b));
        assert!(rank == place && reason.contains("device memory"), "rank {rank} for {place}: {reason}");
        let (rank, reason) = rank_of(|| distance::Comparison::new().across(&shared).script(&a, &b));
        assert!(rank == place && reason.contains("device memory"), "rank {rank} for {place}: {reason}");
        // By speed, a simulated GPU has no rows beside a CPU.
        let by_speed = cluster(&engines, None, 128, 1000);
        assert_eq!(
            lcs::Comparison::new().across(&by_speed).length(&a, &b).unwrap(),
            oracle::lcs::length(&a, &b) as u64
        );
    }
}

#[test]
fn a_member_that_panics_is_named() {
    let cluster = cluster(&[&Cpu::new(), &Cpu::new()], Some(vec![1.0; 2]), 128, 1000);
    let job = lcs::Comparison::new().across(&cluster).on_progress(&|_| panic!("stop"));
    let (_, reason) = rank_of(|| job.length(&[1; 2000], &[2; 2000]));
    assert!(reason.contains("panicked"), "{reason}");
}

/// Runs a job on every member, each in its own thread.
fn linked<T: Send>(size: usize, job: impl Fn(Cluster) -> T + Sync) -> Vec<T> {
    let links = HostMemory::between(size);
    std::thread::scope(|scope| {
        let job = &job;
        let run = |link: HostMemory| scope.spawn(move || job(Cluster::linked(Arc::new(link), &Cpu::new()).unwrap()));
        let threads: Vec<_> = links.into_iter().map(run).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
fn all_members_get_the_result_job_after_job() {
    let mut random = fastrand::Rng::with_seed(6);
    let [a, b] = strings(&mut random, 4000, 2000, 4);
    let results = linked(3, |cluster| {
        let cluster = cluster.whole(1 << 18);
        let length = lcs::Comparison::new().across(&cluster).length(&a, &b).unwrap();
        let alignment = lcs::Comparison::new().across(&cluster).alignment(&a, &b).unwrap();
        let distance = distance::Comparison::new().across(&cluster).distance(&b, &a).unwrap();
        (length, alignment, distance)
    });
    assert_eq!((results[0].0, results[0].2), (oracle::lcs::length(&a, &b) as u64, edit_distance(&a, &b)));
    assert!(results.iter().all(|result| *result == results[0]));
}

#[test]
fn members_with_other_strings_are_refused() {
    let errors = linked(3, |cluster| {
        let b: &[u8] = if cluster.rank() == 2 { b"ACGA" } else { b"ACGT" };
        rank_of(|| lcs::Comparison::new().across(&cluster).length(b"ACGTACGT", b))
    });
    assert!(errors.iter().all(|(rank, reason)| *rank == 2 && reason.contains("different strings")), "{errors:?}");
    let errors = linked(2, |cluster| {
        let chunk = if cluster.rank() == 1 { 128 } else { 256 };
        rank_of(|| lcs::Comparison::new().across(&cluster.chunk(chunk)).length(b"ACGTACGT", b"ACG"))
    });
    assert!(errors.iter().all(|(rank, reason)| *rank == 1 && reason.contains("settings")), "{errors:?}");
}

#[test]
fn a_message_of_another_length_is_told() {
    // Rank 0 is a fake member that sends too much.
    let links = HostMemory::between(2);
    let mut links = links.into_iter();
    let (other, own) = (links.next().unwrap(), links.next().unwrap());
    for channel in 0..9 {
        other.send(1, channel, vec![0; 77]).unwrap();
    }
    let cluster = Cluster::linked(Arc::new(own), &Cpu::new()).unwrap();
    let (rank, _) = rank_of(|| lcs::Comparison::new().across(&cluster).length(b"ACGT", b"ACGT"));
    assert_eq!(rank, 0);
}

#[test]
fn what_members_do_not_share_is_refused() {
    let cluster = Cluster::new(&[&Cpu::new(), &Cpu::new()]).unwrap();
    let dp = lcs::Algorithm::named("dp").unwrap();
    assert!(lcs::Comparison::new().across(&cluster).algorithm(dp).length(b"AC", b"AG").is_err());
    assert!(lcs::Comparison::new().across(&cluster).rules(lcs::Rules::Published).length(b"AC", b"AG").is_err());
    let infix = distance::Comparison::new().across(&cluster).mode(distance::Mode::Infix);
    assert!(infix.distance(&[b'A'; 100], &[b'C'; 100]).is_err());
    assert!(Cluster::new(&[]).is_err());
    for shares in [&[1.0][..], &[1.0, -1.0], &[0.0, 0.0], &[1.0, f64::NAN]] {
        assert!(cluster.clone().shares(shares).is_err(), "{shares:?}");
    }
    // Symbols that compare as equal are the same symbol to the engines.
    let folded = distance::Comparison::new().across(&cluster).equality(carrywave::text::Equality::exact().group(b"aA"));
    assert_eq!(folded.distance(&b"A".repeat(90), &b"a".repeat(100)).unwrap(), 10);
    assert_eq!(folded.maximum(9).within(&b"A".repeat(90), &b"a".repeat(100)).unwrap(), None);
}
