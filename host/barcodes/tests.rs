//! The index beside the plain method: the whole table of the edit distance of every barcode at
//! every start.

use super::{Barcodes, Nearest, Place};
use crate::error::{Error, UsageFault};
use fastrand::Rng;

/// Settings of a job.
#[derive(Debug, Clone, Copy)]
struct Case {
    errors: u32,
    margin: u32,
    mismatches_only: bool,
    place: Place,
}

impl Case {
    fn random(random: &mut Rng, shortest: usize) -> Self {
        let radius = random.u32(0..(shortest as u32).min(5));
        let errors = random.u32(0..=radius);
        let first = random.usize(0..6);
        let place = match random.usize(0..3) {
            0 => Place::At(first),
            1 => Place::Within { first, last: first + random.usize(0..4) },
            _ => Place::Anywhere,
        };
        Self { errors, margin: radius - errors + 1, mismatches_only: random.usize(0..4) == 0, place }
    }

    fn job(&self, barcodes: &[Vec<u8>]) -> Barcodes {
        let job = Barcodes::new(barcodes).errors(self.errors).margin(self.margin).place(self.place);
        job.mismatches_only(self.mismatches_only)
    }
}

/// An alignment of a barcode, in the order of preference.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Aligned {
    errors: u32,
    start: usize,
    /// Difference of the lengths in the read and of the barcode.
    change: usize,
    end: usize,
}

fn differ(base: u8, other: u8) -> u32 {
    let upper = other.to_ascii_uppercase();
    u32::from(base != if upper == b'U' { b'T' } else { upper })
}

/// Returns the best alignment of a barcode, by the definition.
fn aligned(barcode: &[u8], read: &[u8], case: &Case) -> Option<Aligned> {
    let is_start = |start: &usize| match case.place {
        Place::At(at) => *start == at,
        Place::Within { first, last } => (first..=last).contains(start),
        Place::Anywhere => true,
    };
    let mut best = None;
    for start in (0..=read.len()).filter(is_start) {
        let read = &read[start..];
        let mut row: Vec<u32> = (0..=read.len() as u32).collect();
        for (i, &base) in barcode.iter().enumerate() {
            let mut next = vec![i as u32 + 1];
            for (j, &other) in read.iter().enumerate() {
                next.push((row[j] + differ(base, other)).min(row[j + 1] + 1).min(next[j] + 1));
            }
            row = next;
        }
        if case.mismatches_only {
            let Some(part) = read.get(..barcode.len()) else { continue };
            row.fill(u32::MAX);
            row[part.len()] = barcode.iter().zip(part).map(|(&base, &other)| differ(base, other)).sum();
        }
        let all = row.iter().enumerate().map(|(end, &errors)| Aligned {
            errors,
            start,
            change: end.abs_diff(barcode.len()),
            end: start + end,
        });
        best = best.into_iter().chain(all).min();
    }
    best
}

fn naive(barcodes: &[Vec<u8>], read: &[u8], case: &Case) -> Option<Nearest> {
    let all: Vec<Option<Aligned>> = barcodes.iter().map(|barcode| aligned(barcode, read, case)).collect();
    let errors = all.iter().flatten().map(|own| own.errors).min().filter(|&errors| errors <= case.errors)?;
    let barcode = all.iter().position(|own| own.is_some_and(|own| own.errors == errors))?;
    let own = all[barcode]?;
    let others = all.iter().enumerate().filter(|&(number, _)| number != barcode);
    let second = others.flat_map(|(_, other)| other).map(|other| other.errors).min();
    Some(Nearest {
        barcode,
        errors,
        start: own.start,
        end: own.end,
        ties: all.iter().flatten().filter(|own| own.errors == errors).count() as u32,
        second: second.filter(|&second| second < errors + case.margin),
    })
}

/// Returns different barcodes: of one length or several, few or many, some of them similar.
fn random_barcodes(random: &mut Rng, letters: &[u8]) -> Vec<Vec<u8>> {
    let shortest = random.usize(1..20);
    let longest = shortest + if random.bool() { 0 } else { random.usize(0..30) };
    let most = if random.usize(0..4) == 0 { 90 } else { 12 };
    let count = random.usize(1..most);
    let mut barcodes: Vec<Vec<u8>> = Vec::new();
    for _ in 0..count {
        let mut barcode: Vec<u8> =
            (0..random.usize(shortest..=longest)).map(|_| *random.choice(letters).unwrap()).collect();
        if let (Some(other), true) = (random.choice(&barcodes), random.bool()) {
            barcode = changed(other, random, letters, 2);
        }
        if barcode.len() >= shortest && !barcodes.contains(&barcode) {
            barcodes.push(barcode);
        }
    }
    barcodes
}

fn changed(barcode: &[u8], random: &mut Rng, letters: &[u8], most: usize) -> Vec<u8> {
    let mut changed = barcode.to_vec();
    for _ in 0..random.usize(0..=most) {
        let at = random.usize(0..=changed.len());
        match random.usize(0..3) {
            0 => changed.insert(at, *random.choice(letters).unwrap()),
            1 if at < changed.len() => drop(changed.remove(at)),
            _ if at < changed.len() => changed[at] = *random.choice(letters).unwrap(),
            _ => {}
        }
    }
    changed
}

fn random_read(random: &mut Rng, barcodes: &[Vec<u8>], letters: &[u8]) -> Vec<u8> {
    let random_part = |random: &mut Rng, most| -> Vec<u8> {
        (0..random.usize(0..most)).map(|_| *random.choice(letters).unwrap()).collect()
    };
    let barcode = changed(random.choice(barcodes).unwrap(), random, letters, 4);
    let mut read = [random_part(random, 8), barcode, random_part(random, 40)].concat();
    for base in &mut read {
        match random.usize(0..40) {
            0 => *base = *random.choice(b"NRX-").unwrap(),
            1 => base.make_ascii_lowercase(),
            2 if *base == b'T' => *base = b'U',
            _ => {}
        }
    }
    if random.usize(0..5) == 0 {
        read.truncate(random.usize(0..=read.len()));
    }
    read
}

#[test]
fn reads_are_assigned_as_by_the_plain_method() {
    let mut random = Rng::with_seed(17);
    let [mut found, mut tied, mut ambiguous, mut far] = [0; 4];
    for round in 0..300 {
        let letters = &b"ACGT"[..if round % 3 == 0 { 2 } else { 4 }];
        let barcodes = random_barcodes(&mut random, letters);
        let shortest = barcodes.iter().map(Vec::len).min().unwrap();
        let case = Case::random(&mut random, shortest);
        let reads: Vec<Vec<u8>> = (0..8).map(|_| random_read(&mut random, &barcodes, letters)).collect();
        let prepared = case.job(&barcodes).prepare().unwrap();
        let all = prepared.assign(&reads).unwrap();
        for (read, nearest) in reads.iter().zip(all) {
            let expected = naive(&barcodes, read, &case);
            let text = String::from_utf8_lossy(read);
            assert_eq!(nearest, expected, "{case:?} {text} {barcodes:?}");
            assert_eq!(prepared.nearest(read).unwrap(), expected);
            let Some(nearest) = nearest else { continue };
            found += 1;
            tied += usize::from(nearest.ties > 1);
            ambiguous += usize::from(nearest.ties == 1 && !nearest.is_assigned());
            far += usize::from(nearest.errors > 1);
        }
    }
    assert!(found > 500 && tied > 120 && ambiguous > 25 && far > 50, "{found} {tied} {ambiguous} {far}");
}

/// Many barcodes of one length at a fixed start, so that the index is used. Those of 10 bases have
/// a second best nearly always, those of 16 rarely.
#[test]
fn many_barcodes_with_two_errors() {
    let mut random = Rng::with_seed(23);
    let [mut alone, mut beside] = [0; 2];
    for (bases, margin, mismatches_only) in
        [(16, 1, false), (16, 2, false), (10, 2, false), (12, 3, false), (16, 1, true), (10, 2, true)]
    {
        let mut barcodes: Vec<Vec<u8>> =
            (0..1000).map(|_| (0..bases).map(|_| *random.choice(b"ACGT").unwrap()).collect()).collect();
        barcodes.sort();
        barcodes.dedup();
        let case = Case { errors: 2, margin, mismatches_only, place: Place::At(2) };
        let reads: Vec<Vec<u8>> = (0..16)
            .map(|_| {
                [b"GG", &changed(random.choice(&barcodes).unwrap(), &mut random, b"ACGT", 3)[..], b"ACGTAC"].concat()
            })
            .collect();
        let expected: Vec<_> = reads.iter().map(|read| naive(&barcodes, read, &case)).collect();
        assert!(expected.iter().flatten().any(|own| own.errors > 0));
        let with_margin = expected.iter().flatten().filter(|own| margin > 1 && own.ties == 1);
        let found = with_margin.clone().filter(|own| own.second.is_some()).count();
        alone += with_margin.count() - found;
        beside += found;
        assert_eq!(case.job(&barcodes).assign(&reads).unwrap(), expected);
    }
    assert!(alone > 9 && beside > 9, "{alone} {beside}");
}

#[test]
fn more_errors_than_are_usual() {
    let mut random = Rng::with_seed(29);
    let barcodes: Vec<Vec<u8>> =
        (0..50).map(|number| (0..20 + number % 40).map(|_| *random.choice(b"ACGT").unwrap()).collect()).collect();
    for errors in [6, 10, 15] {
        let case =
            Case { errors, margin: 1, mismatches_only: errors == 10, place: Place::Within { first: 0, last: 2 } };
        let reads: Vec<Vec<u8>> = barcodes.iter().map(|own| changed(own, &mut random, b"ACGT", 9)).collect();
        let expected: Vec<_> = reads.iter().map(|read| naive(&barcodes, read, &case)).collect();
        assert!(expected.iter().flatten().any(|own| own.errors > 4));
        assert_eq!(case.job(&barcodes).assign(&reads).unwrap(), expected);
    }
}

/// The index has only the first bases of long barcodes, here equal ones.
#[test]
fn long_barcodes_that_begin_alike() {
    let barcodes = ["AAC", "CCC", "CGT"].map(|end| [&b"ACGT".repeat(9)[..], end.as_bytes()].concat());
    for (place, before) in [(Place::At(0), ""), (Place::Anywhere, "GG")] {
        let case = Case { errors: 0, margin: 3, mismatches_only: false, place };
        let reads = barcodes.each_ref().map(|own| [before.as_bytes(), own, b"GATT"].concat());
        let expected = reads.each_ref().map(|read| naive(&barcodes, read, &case));
        assert!(expected.iter().flatten().all(|own| own.errors == 0 && own.ties == 1));
        assert_eq!(case.job(&barcodes).assign(&reads).unwrap(), expected);
    }
}

/// A window in a long read has far more candidates than barcodes.
#[test]
fn a_long_read_anywhere() {
    let barcodes = [b"AAAAAA".to_vec(), b"AAAAAC".to_vec(), b"CCCCCG".to_vec()];
    let case = Case { errors: 2, margin: 3, mismatches_only: false, place: Place::Anywhere };
    let read = [b"A".repeat(9000), b"CCCCCT".to_vec()].concat();
    let nearest = case.job(&barcodes).assign(&[&read]).unwrap().remove(0).unwrap();
    assert_eq!((nearest.barcode, nearest.start, nearest.end), (0, 0, 6));
    assert_eq!((nearest.ties, nearest.second), (2, Some(0)));
}

#[test]
fn wrong_lists_are_refused() {
    let pattern = |job: Barcodes| match job.prepare() {
        Err(Error::Pattern { number, fault, reason }) => (number, fault, reason),
        other => panic!("{other:?}"),
    };
    let (number, fault, reason) = pattern(Barcodes::new(["ACGT", "AGGT", "acgu"]));
    assert_eq!((number, fault), (2, UsageFault::Combination));
    assert!(reason.contains("barcode 1"), "{reason}");
    let (number, fault, reason) = pattern(Barcodes::new(["ACGT", "AGNT"]));
    assert_eq!((number, fault), (1, UsageFault::Syntax));
    assert!(reason.contains("'N' at position 3"), "{reason}");
    assert_eq!(pattern(Barcodes::new(["ACGT", ""])).1, UsageFault::Range);
    assert_eq!(pattern(Barcodes::new(["ACGT"]).errors(2).margin(3)).1, UsageFault::Range);
    assert!(Barcodes::new(["ACGT"]).errors(1).margin(3).prepare().is_ok());
    let usage = |job: Barcodes| match job.prepare() {
        Err(Error::Usage { fault, .. }) => fault,
        other => panic!("{other:?}"),
    };
    let list = || Barcodes::new(["ACGTACGTACGTACGTACGT"]);
    assert_eq!(usage(Barcodes::new([""; 0])), UsageFault::Empty);
    assert_eq!(usage(list().margin(0)), UsageFault::Range);
    assert_eq!(usage(list().errors(16)), UsageFault::Range);
    assert_eq!(usage(list().errors(u32::MAX).margin(u32::MAX)), UsageFault::Range);
    assert_eq!(usage(list().place(Place::Within { first: 2, last: 1 })), UsageFault::Range);
    let far = list().place(Place::Within { first: usize::MAX - 1, last: usize::MAX });
    assert_eq!(far.assign(&["ACGT"]).unwrap(), [None]);
    assert_eq!(list().place(Place::At(usize::MAX)).assign(&["ACGT"]).unwrap(), [None]);
}
