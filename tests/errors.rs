//! Checks that each fault of usage can result from a user's call.
#![cfg(feature = "plot")]

use carrywave::best::Best;
use carrywave::cluster::Cluster;
use carrywave::device::{Cpu, Engine};
use carrywave::error::UsageFault;
use carrywave::io::output::OutputFile;
use carrywave::io::sequence::{ReadOptions, Sequence, read};
use carrywave::search::{ResidentText, Search};
use carrywave::text::characters::CharacterPattern;
use carrywave::text::{Pattern, Text};
use carrywave::view::dot_plot::dot_plot;
use carrywave::{Error, Result};
use std::collections::BTreeSet;

/// Returns the error of a call.
type Call = fn() -> Option<Error>;

fn refused<T>(result: Result<T>) -> Option<Error> {
    result.err()
}

fn literal(symbols: &[u8]) -> Search<'static> {
    Search::new(Pattern::literal(symbols))
}

/// Draws an empty dot plot into a file in a temporary folder.
fn plot(name: &str) -> Result<()> {
    let folder = tempfile::tempdir().unwrap();
    let string = Sequence::literal("a");
    let lcs = carrywave::lcs(b"a", b"a")?;
    dot_plot(OutputFile::open(&folder.path().join(name))?, &string, &string, &lcs).map(|_| ())
}

/// Searches for a pattern with more different characters than codes, and with so high an error
/// limit that the characters cannot be distinguished.
fn many_characters() -> Result<u64> {
    let characters: String = ('\u{4e00}'..).take(400).collect();
    Search::new(CharacterPattern::literal(&characters, false)).errors(399).count(&characters)
}

/// Calls with one wrong argument.
const CALLS: [(UsageFault, Call); 17] = [
    (UsageFault::Empty, || refused(Search::many([] as [Pattern; 0]).hits("text"))),
    (UsageFault::Empty, || refused(Best::new(Pattern::literal(b"")).find("text"))),
    (UsageFault::Empty, || refused(Best::new(Pattern::literal(b"a")).find(Text::with_records(b"text", &[]).unwrap()))),
    (UsageFault::Range, || refused(Cpu::with_threads(0))),
    (UsageFault::Range, || refused(cluster(2).shares(&[1.0, -1.0]))),
    (UsageFault::TooLarge, || refused(many_characters())),
    (UsageFault::Combination, || refused(literal(b"abc").tuning("alpha=2".parse().unwrap()).hits("text"))),
    (UsageFault::Combination, || refused(read("none", &ReadOptions::default().raw(true).record("r")))),
    (UsageFault::Engine, || refused(ResidentText::new(&Cpu::new(), "text"))),
    (UsageFault::Position, || refused(Text::with_records(b"text", &[2..5, 5..6]))),
    (UsageFault::Position, || refused(Pattern::literal(b"abc").with_fixed([3]))),
    (UsageFault::Mismatch, || refused(literal(b"abc").errors_each(vec![1, 1]).hits("text"))),
    (UsageFault::Mismatch, || refused(cluster(2).shares(&[1.0]))),
    (UsageFault::Mismatch, || refused(carrywave::lcs(b"ab", b"b").unwrap().subsequence(b"abc"))),
    (UsageFault::Syntax, || refused(Pattern::parse_classes(b"[a-z", false))),
    (UsageFault::Syntax, || refused("alpha".parse::<carrywave::search::Tuning>())),
    (UsageFault::FileName, || refused(plot("plot.gif"))),
];

fn cluster(members: usize) -> Cluster {
    let cpu = Cpu::new();
    Cluster::new(&vec![&cpu as &dyn Engine; members]).unwrap()
}

#[test]
fn every_kind_comes_from_some_call() {
    for (fault, call) in CALLS {
        let error = call().unwrap_or_else(|| panic!("a call that is to give {fault:?} is no error"));
        let Error::Usage { fault: given, reason } = &error else { panic!("{fault:?}: {error:?}") };
        assert_eq!(*given, fault, "{reason}");
        assert_eq!(error.to_string(), *reason);
    }
    let variants = include_str!("../host/error/faults.rs")
        .lines()
        .take_while(|line| !line.contains("enum InputFault"))
        .filter_map(|line| {
            let name = line.strip_prefix("    ")?.strip_suffix(',')?;
            name.chars().all(char::is_alphanumeric).then_some(name)
        });
    let called: BTreeSet<String> = CALLS.iter().map(|(fault, _)| format!("{fault:?}")).collect();
    assert_eq!(called, variants.map(str::to_owned).collect());
}

#[test]
fn a_pattern_among_several_has_its_kind() {
    let long = Pattern::literal(&[b'a'; 10_000]);
    for (pattern, k, fault) in [
        (Pattern::literal(b""), 0, UsageFault::Empty),
        (Pattern::literal(b"ab"), 2, UsageFault::Range),
        (long.with_fixed([0]).unwrap(), 9_000, UsageFault::TooLarge),
    ] {
        let first = Pattern::literal(b"abc");
        let error = Search::many(vec![first, pattern]).errors_each(vec![0, k]).hits("text").unwrap_err();
        let Error::Pattern { number: 1, fault: given, .. } = error else { panic!("{fault:?}: {error:?}") };
        assert_eq!(given, fault);
    }
}
