//! Alignments of hits, under all types of limits and on both strands: each alignment is replayed.

mod common;

use carrywave::alignment::{Operation, Run};
use carrywave::search::{Aligner, Ends, Hit, Search};
use carrywave::text::{Alphabet, Pattern, Strand};
use common::texts::reverse_complement;
use fastrand::Rng;

/// Replays an alignment and checks that it turns the pattern into the part; X and D take their
/// symbols from the text. Returns its errors of each type.
fn replayed(operations: &[Operation], pattern: &Pattern, part: &[u8]) -> [u64; 3] {
    let (mut i, mut j, mut kinds) = (0, 0, [0; 3]);
    for operation in operations {
        let len = operation.len() as usize;
        match *operation {
            Operation::Match(Run { a_start, b_start, .. }) => {
                assert_eq!((a_start as usize, b_start as usize), (i, j));
                (0..len).for_each(|k| assert!(pattern.classes()[i + k].contains(part[j + k])));
                (i, j) = (i + len, j + len);
            }
            Operation::Substitution { a_start, b_start, .. } => {
                assert_eq!((a_start as usize, b_start as usize), (i, j));
                (0..len).for_each(|k| assert!(!pattern.classes()[i + k].contains(part[j + k])));
                (0..len).for_each(|k| assert!(!pattern.is_fixed(i + k)));
                kinds[0] += len as u64;
                (i, j) = (i + len, j + len);
            }
            Operation::Deletion { b_start, .. } => {
                assert_eq!(b_start as usize, j);
                let before = i == 0 || pattern.is_fixed(i - 1);
                let behind = i == pattern.len() || pattern.is_fixed(i);
                assert!(!(pattern.has_fixed() && before && behind));
                kinds[1] += len as u64;
                j += len;
            }
            Operation::Insertion { a_start, .. } => {
                assert_eq!(a_start as usize, i);
                (0..len).for_each(|k| assert!(!pattern.is_fixed(i + k)));
                kinds[2] += len as u64;
                i += len;
            }
        }
    }
    assert_eq!((i, j), (pattern.len(), part.len()));
    kinds
}

fn check(aligner: &Aligner, hit: &Hit, pattern: &Pattern, text: &[u8], most: [u32; 3]) -> String {
    let part = &text[hit.start as usize..hit.end as usize];
    let alignment = aligner.align(hit, part).unwrap();
    let pattern = if hit.strand == Strand::Forward { pattern.clone() } else { pattern.reverse_complement() };
    let kinds = replayed(alignment.operations(), &pattern, part);
    assert_eq!([alignment.substitutions(), alignment.insertions(), alignment.deletions()], kinds);
    assert_eq!((kinds.iter().sum::<u64>(), alignment.errors()), (hit.errors.into(), hit.errors.into()), "{hit:?}");
    assert!(kinds.iter().zip(most).all(|(&kind, most)| kind <= u64::from(most)), "{hit:?} {kinds:?} {most:?}");
    let cigar: String = alignment.operations().iter().map(Operation::to_string).collect();
    assert_eq!(alignment.cigar(), cigar);
    cigar
}

#[test]
fn alignments_are_what_hits_say() {
    let mut seed = Rng::with_seed(31);
    let (mut found, mut gaps) = ([0; 2], 0);
    for case in 0..600 {
        let mut letters =
            |n: usize, letters: &[u8]| -> Vec<u8> { (0..n).map(|_| letters[seed.usize(..letters.len())]).collect() };
        let text = letters(120, if case % 3 == 0 { b"AT" } else { b"ACGT" });
        let m = 4 + case % 9;
        let mut pattern = Pattern::parse(&letters(m, b"ACGTACGTN"), Alphabet::Iupac).unwrap();
        if case % 4 == 0 {
            pattern = pattern.with_fixed((0..m).filter(|_| seed.u8(..4) == 0)).unwrap();
        }
        let k = seed.u32(0..m.min(6) as u32);
        let most = [0; 3].map(|_| if seed.bool() { k } else { seed.u32(0..=k) });
        let ends = if seed.bool() { Ends::Best } else { Ends::All };
        let search = Search::new(pattern.clone()).both_strands(true).ends(ends).errors(k);
        let search = search.substitutions(most[0]).insertions(most[1]).deletions(most[2]);
        let aligner = search.aligner().unwrap();
        for hit in search.hits(&text).unwrap() {
            let cigar = check(&aligner, &hit, &pattern, &text, most);
            found[usize::from(hit.strand == Strand::Reverse)] += 1;
            gaps += usize::from(cigar.contains(['I', 'D']));
        }
    }
    assert!(found[0] > 500 && found[1] > 500 && gaps > 300, "{found:?} {gaps}");
}

#[test]
fn on_the_reverse_strand_it_runs_along_the_text() {
    let pattern = Pattern::parse(b"GATTACAGG", Alphabet::Dna).unwrap();
    let search = Search::new(pattern).errors(2).both_strands(true);
    let aligner = search.aligner().unwrap();
    let cigar = |text: &[u8]| {
        let hits = search.hits(text).unwrap();
        let [hit] = hits[..] else { panic!("{hits:?}") };
        (hit.strand.sign(), aligner.align(&hit, &text[hit.start as usize..hit.end as usize]).unwrap().cigar())
    };
    // One T too many, and a C instead of the last A.
    let forward = b"CCCCGATTTACCGGCCCC";
    assert_eq!(cigar(forward), ('+', "2=1D4=1X2=".into()));
    assert_eq!(cigar(&reverse_complement(forward)), ('-', "2=1X2=1D4=".into()));
}

#[test]
fn what_is_no_hit() {
    let search = Search::new(Pattern::literal(b"abcd")).errors(1);
    let aligner = search.aligner().unwrap();
    let hit = search.hits(b"xabxdx").unwrap()[0];
    assert_eq!(aligner.align(&hit, b"abxd").unwrap().cigar(), "2=1X1=");
    for part in [&b"abcd"[..], b"aXXd", b"abxdx", b""] {
        assert!(matches!(aligner.align(&hit, part), Err(carrywave::Error::Verification(_))), "{part:?}");
    }
    let other = Hit { pattern: 1, ..hit };
    assert!(matches!(aligner.align(&other, b"abxd"), Err(carrywave::Error::Usage { .. })));
    assert!(Search::new(Pattern::literal(b"ab")).errors(2).aligner().is_err());
}
