//! Clusters beside the plain method: all pairs are compared, and the graph is searched breadth
//! first, as UMI-tools does.

use super::{Molecules, Umi, directional};
use crate::error::{Error, UsageFault};
use fastrand::Rng;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Returns the clusters as sets of bases, in the order of their first members.
fn naive(umis: &[Umi]) -> Vec<BTreeSet<&[u8]>> {
    let mut order: Vec<&Umi> = umis.iter().collect();
    order.sort_by(|a, b| b.count.cmp(&a.count).then(a.bases.cmp(&b.bases)));
    let takes = |a: &Umi, b: &Umi| {
        let distance = a.bases.iter().zip(&b.bases).filter(|(a, b)| a != b).count();
        distance <= 1 && a.count as i64 >= 2 * b.count as i64 - 1
    };
    let mut found = BTreeSet::new();
    let mut clusters = Vec::new();
    for root in &order {
        if found.contains(&root.bases[..]) {
            continue;
        }
        let mut reached = BTreeSet::from([&root.bases[..]]);
        let mut queue = VecDeque::from([*root]);
        while let Some(from) = queue.pop_front() {
            for to in &order {
                if takes(from, to) && reached.insert(&to.bases[..]) {
                    queue.push_back(to);
                }
            }
        }
        let own: BTreeSet<&[u8]> = reached.difference(&found).copied().collect();
        found.extend(&own);
        clusters.push(own);
    }
    clusters
}

/// Returns different UMIs, with some that differ in one base from frequent ones.
fn random_umis(random: &mut Rng) -> Vec<Umi> {
    let len = random.usize(1..8);
    let mut counts: BTreeMap<Vec<u8>, u64> = BTreeMap::new();
    let most = if random.bool() { 3 } else { 60 };
    for _ in 0..random.usize(0..120) {
        let mut bases: Vec<u8> = (0..len).map(|_| *random.choice(b"ACGT").unwrap()).collect();
        for _ in 0..random.usize(1..5) {
            *counts.entry(bases.clone()).or_default() += random.u64(1..most);
            bases[random.usize(0..len)] = *random.choice(b"ACGT").unwrap();
        }
    }
    let mut umis: Vec<Umi> = counts.into_iter().map(|(bases, count)| Umi { bases, count }).collect();
    random.shuffle(&mut umis);
    umis
}

#[test]
fn clusters_are_those_of_the_plain_method() {
    let mut random = Rng::with_seed(41);
    let (mut joined, mut large) = (0, 0);
    for _ in 0..400 {
        let umis = random_umis(&mut random);
        let clusters = directional(&umis).unwrap();
        let sets: Vec<BTreeSet<&[u8]>> =
            clusters.iter().map(|own| own.members.iter().map(|&at| &umis[at].bases[..]).collect()).collect();
        assert_eq!(sets, naive(&umis), "{umis:?}");
        for own in &clusters {
            assert_eq!(own.count, own.members.iter().map(|&at| umis[at].count).sum::<u64>());
            assert!(own.members.is_sorted_by_key(|&at| (std::cmp::Reverse(umis[at].count), &umis[at].bases)));
        }
        joined += usize::from(clusters.len() < umis.len());
        large += usize::from(umis.len() > 100);
    }
    assert!(joined > 200 && large > 50, "{joined} {large}");
}

#[test]
fn molecules_of_each_barcode() {
    let mut random = Rng::with_seed(43);
    let mut molecules = Molecules::new(5).unwrap();
    let mut expected: BTreeMap<usize, BTreeMap<Vec<u8>, u64>> = BTreeMap::new();
    for _ in 0..5000 {
        let barcode = random.usize(0..5) * random.usize(0..5);
        let umi: Vec<u8> = (0..5).map(|at| *random.choice(&b"ACGT"[..2 + at % 2]).unwrap()).collect();
        assert!(molecules.add(barcode, &umi).unwrap());
        *expected.entry(barcode).or_default().entry(umi).or_default() += 1;
        molecules.limit = molecules.limit.min(700);
    }
    let counts = molecules.counts().unwrap();
    assert_eq!(counts.len(), expected.len());
    for (own, (barcode, umis)) in counts.iter().zip(expected) {
        let umis: Vec<Umi> = umis.into_iter().map(|(bases, count)| Umi { bases, count }).collect();
        assert_eq!((own.barcode, own.umis), (barcode, umis.len() as u64));
        assert_eq!(own.reads, umis.iter().map(|umi| umi.count).sum::<u64>());
        assert_eq!(own.molecules, naive(&umis).len() as u64);
    }
}

#[test]
fn wrong_umis_are_refused() {
    let refused = |umis: &[(&str, u64)]| {
        let umis: Vec<Umi> = umis.iter().map(|(bases, count)| Umi::new(*bases, *count)).collect();
        match directional(&umis) {
            Err(Error::Pattern { number, fault, .. }) => (number, fault),
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(refused(&[("ACGT", 1), ("ACNT", 1)]), (1, UsageFault::Syntax));
    assert_eq!(refused(&[("ACGT", 1), ("ACG", 1)]), (1, UsageFault::Mismatch));
    assert_eq!(refused(&[("AC", 1), ("GT", 1), ("ac", 1)]), (2, UsageFault::Combination));
    assert_eq!(refused(&[(&"A".repeat(32), 1)]), (0, UsageFault::TooLarge));
    assert!(Molecules::new(0).is_err() && Molecules::new(32).is_err());
    assert!(directional(&[]).unwrap().is_empty());
    let large = [Umi::new("A".repeat(31), u64::MAX), Umi::new("A".repeat(30) + "C", u64::MAX)];
    assert_eq!(directional(&large).unwrap().len(), 2);
}
