use super::*;
use crate::cpu::naive;
use crate::error::Error;
use crate::text::Equality;

/// Finds the best overlap by its definition: compares all overlaps.
fn by_definition(a: &[u8], b: &[u8]) -> Overlap {
    let m = a.len();
    let n = b.len();
    let mut overlaps = Vec::new();
    for (i, i_end) in (0..=m).flat_map(|i| (i..=m).map(move |end| (i, end))) {
        for (j, j_end) in (0..=n).flat_map(|j| (j..=n).map(move |end| (j, end))) {
            if (i == 0 || j == 0) && (i_end == m || j_end == n) {
                let distance = naive::distance(&a[i..i_end], &b[j..j_end]);
                let score = (i_end - i + j_end - j) as i64 - 4 * distance as i64;
                overlaps.push((-score, j_end, i_end, i, j, distance));
            }
        }
    }
    let &(score, j_end, i_end, i, j, distance) = overlaps.iter().min().unwrap();
    if score >= 0 {
        return Overlap { score: 0, distance: 0, a: m as u64..m as u64, b: 0..0 };
    }
    let [a, b] = [(i, i_end), (j, j_end)].map(|(start, end)| start as u64..end as u64);
    Overlap { score: score.unsigned_abs(), distance, a, b }
}

/// Computes the greatest score by the recurrence of the scores.
fn by_recurrence(a: &[u8], b: &[u8]) -> i64 {
    let mut row = vec![0; b.len() + 1];
    let mut best = 0;
    for x in a {
        let mut next = vec![0];
        for (j, y) in b.iter().enumerate() {
            let diagonal = row[j] + if x == y { 2 } else { -2 };
            next.push(diagonal.max(row[j + 1] - 3).max(next[j] - 3));
        }
        best = best.max(next[b.len()]);
        row = next;
    }
    row.into_iter().fold(best, i64::max)
}

fn random(len: usize, kinds: u8, random: &mut fastrand::Rng) -> Vec<u8> {
    (0..len).map(|_| b'a' + random.u8(..kinds)).collect()
}

#[test]
fn short_strings_by_the_definition() {
    let mut rng = fastrand::Rng::with_seed(1);
    for round in 0..400 {
        let [m, n] = [rng.usize(0..9), rng.usize(0..9)];
        let [a, b] = [m, n].map(|len| random(len, 2 + (round % 3) as u8, &mut rng));
        assert_eq!(Comparison::new().overlap(&a, &b).unwrap(), by_definition(&a, &b), "{a:?} {b:?}");
    }
}

#[test]
fn long_strings_by_the_recurrence() {
    let mut rng = fastrand::Rng::with_seed(2);
    for common in [0, 40, 150, 300] {
        let shared = random(common, 4, &mut rng);
        let mut copy = shared.clone();
        for _ in 0..common / 20 {
            let at = rng.usize(..copy.len());
            copy[at] = b'x';
            copy.remove(rng.usize(..copy.len()));
        }
        let [x, y, z] = [200, 170, 90].map(|len| random(len, 4, &mut rng));
        let pairs = [
            ([&x[..], &shared].concat(), [&copy[..], &y].concat()),
            ([&shared[..], &x].concat(), [&y[..], &copy].concat()),
            ([&x[..], &shared, &y].concat(), copy.clone()),
            (shared.clone(), [&z[..], &copy, &y].concat()),
        ];
        for (a, b) in pairs {
            let found = Comparison::new().overlap(&a, &b).unwrap();
            let Overlap { score, distance, a: in_a, b: in_b } = &found;
            assert_eq!(*score as i64, by_recurrence(&a, &b));
            let [x, y] = [&a[in_a.start as usize..in_a.end as usize], &b[in_b.start as usize..in_b.end as usize]];
            assert_eq!(naive::distance(x, y), *distance);
            assert_eq!((x.len() + y.len()) as u64 - 4 * distance, *score);
            assert!(in_a.start == 0 || in_b.start == 0);
            assert!(in_a.end == a.len() as u64 || in_b.end == b.len() as u64);
            let [a, b] = [&a, &b].map(|text| text.iter().map(|&byte| u64::from(byte)).collect::<Vec<_>>());
            assert_eq!(Comparison::new().overlap_of(&a, &b).unwrap(), found);
        }
    }
}

#[test]
fn symbols_that_count_as_equal() {
    let [case, chain] = [Equality::exact().ignore_case(), Equality::exact().group(b"AC").group(b"CG")]
        .map(|equality| Comparison::new().equality(equality).overlap(b"xxACGT", b"acAtyy").unwrap());
    assert_eq!((case.a, case.b, case.score, case.distance), (2..6, 0..4, 4, 1));
    assert_eq!((chain.a, chain.b, chain.score), (6..6, 0..0, 0));
    let items = Comparison::new().equality(Equality::exact().ignore_case()).overlap_of(&[1], &[1]);
    assert!(matches!(items, Err(Error::Unsupported { .. })));
}

#[test]
fn a_named_algorithm_is_refused() {
    let comparison = Comparison::new().algorithm(crate::distance::Algorithm::named("dp").unwrap());
    let error = comparison.overlap(b"a", b"a").unwrap_err().to_string();
    assert!(error.contains("an overlap is computed by one member, by the algorithm `auto` only"), "{error}");
}
