//! The options of a comparison (units, what to ignore, algorithm), and the comparison itself.

use super::changes::{Change, Diff};
use super::compared_units::ComparedUnits;
use super::cpu::{self, CpuAlgorithm, Request};
use super::keys::{Keys, WhiteSpace};
use super::line_test::LineTest;
use super::positions::indent::Indents;
use super::positions::settle;
use super::positions::slide::slide;
use super::problem::Algorithm;
use crate::alignment::Run;
use crate::device::{Devices, Engine, EngineKind, Timings};
use crate::error::UsageFault;
use crate::job::{Progress, Ran, Recorder};
use crate::lcs::ItemAlgorithm;
use crate::lcs::items::matches;
use crate::pairwise::furthest::{common_prefix, common_suffix};
use crate::text::numbered::{Numbered, number};
use crate::text::{Unit, Units};
use crate::threads;
use crate::{Result, memory};
use std::hash::Hash;
use std::ops::Range;

/// A comparison of two texts.
///
/// ```
/// use carrywave::diff::{Comparison, WhiteSpace};
/// use carrywave::text::Unit;
///
/// let comparison = Comparison::new().white_space(WhiteSpace::Amount);
/// assert!(comparison.compare(b"a  b\n", b"a b\n")?.is_empty());
///
/// let diff = Comparison::new().unit(Unit::Word).compare(b"a long way", b"a longer way")?;
/// assert_eq!(
///     (diff.changes().len(), diff.changes()[0].a.clone(), diff.changes()[0].b.clone()),
///     (1, 2..3, 2..3)
/// );
///
/// // The lines of `diff -iBE -d`, and of `git diff --patience`.
/// let gnu = Comparison::new()
///     .ignore_ascii_case(true)
///     .ignore_blank_lines(true)
///     .ignore_tab_expansion(true)
///     .tab_size(4);
/// let gnu = gnu.indent_heuristic(false).minimal(true).horizon(3).strip_trailing_returns(true);
/// assert!(gnu.compare(b"One\tfish\r\n\n", b"one fish\n")?.is_empty());
/// let git = Comparison::new().anchors(true).ignore_case(true).on(&carrywave::device::Cpu::new());
/// assert!(git.on_progress(&|_units| ()).compare("É\n".as_bytes(), "é\n".as_bytes())?.is_empty());
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
#[must_use]
pub struct Comparison<'p> {
    unit: Unit,
    keys: Keys,
    ignores_blank_lines: bool,
    ignored_lines: Option<LineTest<'p>>,
    has_anchors: bool,
    indent_heuristic: bool,
    is_minimal: bool,
    horizon: usize,
    algorithm: Algorithm,
    devices: Option<Devices>,
    progress: Progress<'p>,
    recorder: Option<&'p Recorder>,
}

impl Default for Comparison<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'p> Comparison<'p> {
    /// Returns a comparison of lines that ignores nothing. As in the [example](Self).
    pub fn new() -> Self {
        Self {
            unit: Unit::Line,
            keys: Keys::default(),
            ignores_blank_lines: false,
            ignored_lines: None,
            has_anchors: false,
            indent_heuristic: true,
            is_minimal: false,
            horizon: 0,
            algorithm: Algorithm::AUTO,
            devices: None,
            progress: &|_| (),
            recorder: None,
        }
    }

    /// Compares lines, words, characters or grapheme clusters. As in the [example](Self).
    pub fn unit(self, unit: Unit) -> Self {
        Self { unit, ..self }
    }

    /// Sets the white space to ignore in a line. As in the [example](Self).
    pub fn white_space(self, white_space: WhiteSpace) -> Self {
        Self { keys: Keys { white_space, ..self.keys }, ..self }
    }

    /// Sets whether letters are equal in both cases: by Unicode's lower case in UTF-8, else by
    /// ASCII's. As in the [example](Self).
    pub fn ignore_case(self, ignores_case: bool) -> Self {
        Self { keys: Keys { ignores_case, ..self.keys }, ..self }
    }

    /// Sets whether ASCII letters are equal in both cases, as with GNU diff's `-i`. As in the
    /// [example](Self).
    pub fn ignore_ascii_case(self, ignores_ascii_case: bool) -> Self {
        Self { keys: Keys { ignores_ascii_case, ..self.keys }, ..self }
    }

    /// Sets whether a tab equals the spaces up to the next tab stop (`-E`). As in the
    /// [example](Self).
    pub fn ignore_tab_expansion(self, ignores_tab_expansion: bool) -> Self {
        Self { keys: Keys { ignores_tab_expansion, ..self.keys }, ..self }
    }

    /// Sets the distance between tab stops, in columns, at least 1, for
    /// [`ignore_tab_expansion`](Self::ignore_tab_expansion). The default is 8. As in the
    /// [example](Self).
    pub fn tab_size(self, columns: usize) -> Self {
        Self { keys: Keys { tab_size: columns.max(1), ..self.keys }, ..self }
    }

    /// Sets whether to drop a carriage return before the end of a line (`--strip-trailing-cr`). As
    /// in the [example](Self).
    pub fn strip_trailing_returns(self, strips_returns: bool) -> Self {
        Self { keys: Keys { strips_returns, ..self.keys }, ..self }
    }

    /// Sets whether to mark a change as ignored if all its lines are blank (`-B`). A blank line is
    /// empty, or has only white space if white space at line ends is ignored. As in the
    /// [example](Self).
    pub fn ignore_blank_lines(self, ignores_blank_lines: bool) -> Self {
        Self { ignores_blank_lines, ..self }
    }

    /// Ignores lines that pass a test (`-I`): a change is marked as ignored if each of its lines
    /// passes the test, or is blank if blank lines are ignored. As in the [example](LineTest).
    pub fn ignore_lines(self, test: LineTest<'p>) -> Self {
        Self { ignored_lines: Some(test), ..self }
    }

    /// Sets whether lines that occur exactly once in each text, in the same order, are fixed points
    /// (`--patience`). The script may then be longer than the shortest one. As in the
    /// [example](Self).
    pub fn anchors(self, has_anchors: bool) -> Self {
        Self { has_anchors, ..self }
    }

    /// Sets whether a change with several possible positions goes to where the indentation says
    /// that a block begins, as in git. Otherwise the script of lines is GNU diff's, both in the
    /// choice among shortest scripts and in the positions of changes. As in the [example](Self).
    pub fn indent_heuristic(self, indent_heuristic: bool) -> Self {
        Self { indent_heuristic, ..self }
    }

    /// Sets whether the script is that of `diff -d` instead of `diff`. Both are shortest scripts.
    /// Only used without [`indent_heuristic`](Self::indent_heuristic). As in the [example](Self).
    pub fn minimal(self, is_minimal: bool) -> Self {
        Self { is_minimal, ..self }
    }

    /// Sets how many of the equal lines at the start and at the end of both texts a change can move
    /// over. GNU diff uses the number of context lines. Only used without
    /// [`indent_heuristic`](Self::indent_heuristic). As in the [example](Self).
    pub fn horizon(self, lines: usize) -> Self {
        Self { horizon: lines, ..self }
    }

    /// Sets the engine for texts with very many differences. The default is the CPU, or GPU 0 if
    /// there is one and it is faster. As in the [example](Self).
    pub fn on(self, engine: &dyn Engine) -> Self {
        Self { devices: Some(Devices::from_engine(engine)), ..self }
    }

    /// Selects the algorithm. [`compare`](Self::compare) checks that the engine has it. `auto` is
    /// `patience` with [`anchors`](Self::anchors), `gnu` for lines without
    /// [`indent_heuristic`](Self::indent_heuristic), and else the [algorithm for
    /// items](crate::lcs::ItemAlgorithm) that should be fastest. As in the [example](Algorithm).
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        Self { algorithm, ..self }
    }

    /// Sets the progress callback. It gets the number of units of both texts done since its last
    /// call, and any thread may call it. As in the [example](Self).
    pub fn on_progress(self, progress: Progress<'p>) -> Self {
        Self { progress, ..self }
    }

    /// Sets a recorder that gets the report of each comparison: the algorithms that ran, the units
    /// of both texts, and the time.
    ///
    /// ```
    /// use carrywave::diff::Comparison;
    /// use carrywave::job::Recorder;
    ///
    /// let recorder = Recorder::new();
    /// Comparison::new().recorder(&recorder).compare(b"one\ntwo\n", b"two\nthree\n")?;
    /// let report = recorder.report().expect("a job has run");
    /// assert_eq!((report.algorithm(), report.done), (Some("furthest-reaching"), 4));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn recorder(self, recorder: &'p Recorder) -> Self {
        Self { recorder: Some(recorder), ..self }
    }

    /// Compares two texts; use [`changes_of`](Self::changes_of) for sequences of other items. As in
    /// the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`](crate::Error::Usage) of the kind [`Combination`](UsageFault::Combination)
    /// if an option ignores parts of lines and the unit is not the line, or if
    /// [`anchors`](Self::anchors) are combined with an algorithm that has rules of its own, and of
    /// the kind [`TooLarge`](UsageFault::TooLarge) for more than 2^32 - 1 different units;
    /// [`Error::Unsupported`](crate::Error::Unsupported) for an algorithm that the engine does not
    /// have; [`Error::Memory`](crate::Error::Memory); and [`Error::Gpu`](crate::Error::Gpu) and
    /// [`Error::DeviceMemory`](crate::Error::DeviceMemory) if the engine is a GPU that fails or
    /// lacks memory.
    pub fn compare<'t>(&self, a: &'t [u8], b: &'t [u8]) -> Result<Diff<'t>> {
        let units = |diff: &Diff<'_>| (diff.a.len() + diff.b.len()) as u64;
        Recorder::job("diff", self.recorder, units, |recorder| self.compare_by(self.chosen()?, a, b, recorder))
    }

    /// Returns the changes between two sequences of items of any type that can be compared and
    /// hashed. [`minimal`](Self::minimal), the algorithm and the engine apply as for lines. The
    /// unit, the options on what to ignore, and the positions of changes among equal lines apply to
    /// texts only.
    ///
    /// ```
    /// use carrywave::diff::Comparison;
    ///
    /// let changes = Comparison::new().changes_of(&[3, 1, 4, 1, 5], &[3, 4, 1, 6, 5])?;
    /// let [removed, added] = &changes[..] else { panic!("two changes, not {changes:?}") };
    /// assert_eq!((removed.a.clone(), removed.b.clone()), (1..2, 1..1));
    /// assert_eq!((added.a.clone(), added.b.clone()), (4..4, 3..4));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`compare`](Self::compare).
    pub fn changes_of<T: Eq + Hash + Sync>(&self, a: &[T], b: &[T]) -> Result<Vec<Change>> {
        let items = |_: &Vec<Change>| (a.len() + b.len()) as u64;
        Recorder::job("diff of items", self.recorder, items, |recorder| {
            let chosen = self.chosen()?;
            let runs = self.matches(&number(a, b)?, chosen, recorder)?;
            between(&runs, &(0..a.len()), &(0..b.len()))
        })
    }

    /// Returns the algorithm with rules of its own to run, if any, and the one for an LCS of items.
    fn chosen(&self) -> Result<Chosen> {
        if let Some(devices) = &self.devices {
            self.algorithm.check_on(devices.kind())?;
        }
        let name = self.algorithm.name();
        let named = cpu::ALGORITHMS.iter().find(|row| row.about.name == name);
        let patience = &cpu::patience::ALGORITHM;
        match named {
            Some(_) if self.has_anchors && name != patience.about.name => Err(UsageFault::Combination
                .error(format!("{name} does not support fixed lines; use {}", patience.about.name))),
            Some(row) => Ok(Chosen { row: Some(row), items: ItemAlgorithm::AUTO }),
            None if self.has_anchors => Ok(Chosen { row: Some(patience), items: ItemAlgorithm::named(name)? }),
            None if self.algorithm.is_auto() && self.is_gnu() => {
                Ok(Chosen { row: Some(&cpu::gnu::ALGORITHM), items: ItemAlgorithm::AUTO })
            }
            None => Ok(Chosen { row: None, items: ItemAlgorithm::named(name)? }),
        }
    }

    /// Returns true if changes go to the positions that GNU diff gives them.
    fn is_gnu(&self) -> bool {
        self.unit == Unit::Line && !self.indent_heuristic
    }

    fn compare_by<'t>(
        &self,
        chosen: Chosen,
        a: &'t [u8],
        b: &'t [u8],
        recorder: Option<&Recorder>,
    ) -> Result<Diff<'t>> {
        let keys = &self.keys;
        if self.unit != Unit::Line
            && (keys.white_space != WhiteSpace::Kept
                || self.ignores_blank_lines
                || self.ignored_lines.is_some()
                || keys.ignores_tab_expansion
                || keys.strips_returns)
        {
            return Err(
                UsageFault::Combination.error("white space and blank lines can be ignored only if the unit is lines")
            );
        }
        let (units_a, units_b) = if a.len().max(b.len()) < PARALLEL {
            (Units::new(a, self.unit), Units::new(b, self.unit))
        } else {
            let stop = threads::stop();
            let cut = |text| stop.watch(|| Units::new(text, self.unit));
            threads::run(|| rayon::join(|| cut(a), || cut(b)))
        };
        let a = units_a?;
        let b = units_b?;
        let is_gnu = self.is_gnu();
        let CommonEnds { before, after } = match self.unit {
            Unit::Line => CommonEnds::new(&a, &b, if is_gnu { self.horizon } else { 0 }),
            _ => CommonEnds::default(),
        };
        let of_a = before..a.len() - after;
        let of_b = before..b.len() - after;
        (self.progress)(2 * (before + after) as u64);
        let mut changes = if of_a.is_empty() || of_b.is_empty() {
            between(&[], &of_a, &of_b)?
        } else {
            let numbered = ComparedUnits::new([&a, &b], [&of_a, &of_b]).numbered(keys)?;
            let runs = self.matches(&numbered, chosen, recorder)?;
            if is_gnu {
                let mut changes = settle::changes(&runs, &numbered.a, &numbered.b)?;
                changes.iter_mut().for_each(|change| change.move_on(before));
                changes
            } else {
                between(&runs, &of_a, &of_b)?
            }
        };
        if !is_gnu {
            let indents = (self.unit == Unit::Line).then(|| Indents::new([&a, &b]));
            let are_equal = |one: &[u8], other: &[u8]| one == other || keys.are_equal(one, other);
            changes = slide(changes, [&a, &b], are_equal, indents.as_ref());
        }
        if self.ignores_blank_lines || self.ignored_lines.is_some() {
            let is_ignored = |line: &[u8]| {
                self.ignores_blank_lines && keys.is_blank(line)
                    || self.ignored_lines.is_some_and(|test| test.passes(line.strip_suffix(b"\n").unwrap_or(line)))
            };
            for change in &mut changes {
                let all = |units: &Units, range: &Range<usize>| units.slice(range.clone()).all(is_ignored);
                change.is_ignored = all(&a, &change.a) && all(&b, &change.b);
            }
        }
        Ok(Diff { unit: self.unit, a, b, changes })
    }

    /// Finds the matches of numbered units.
    fn matches(&self, numbered: &Numbered, chosen: Chosen, recorder: Option<&Recorder>) -> Result<Vec<Run>> {
        let options = matches::Options {
            devices: self.devices.as_ref(),
            algorithm: chosen.items,
            progress: self.progress,
            recorder,
            keeps_ends: self.is_gnu(),
        };
        let Some(row) = chosen.row else { return matches::runs(&numbered.a, &numbered.b, options) };
        options.ran(&[Ran { engine: EngineKind::Cpu, algorithm: row.about.name }], 0, Timings::default());
        (row.runs)(&Request { numbered, is_minimal: self.is_minimal, options })
    }
}

/// Algorithms that a comparison runs.
#[derive(Clone, Copy)]
struct Chosen {
    /// Algorithm with rules of its own, or `None` for an LCS of all units.
    row: Option<&'static CpuAlgorithm>,
    /// Algorithm for an LCS of units.
    items: ItemAlgorithm,
}

/// Threshold in bytes: texts of at least this size are cut into units at the same time. Smaller
/// texts need no threads.
const PARALLEL: usize = 1 << 20;

/// Numbers of lines that both texts have in common at their starts and, among the rest, at their
/// ends.
#[derive(Default)]
struct CommonEnds {
    before: usize,
    after: usize,
}

impl CommonEnds {
    /// Finds the common lines, except the `horizon` lines nearest to the first and to the last
    /// difference.
    fn new(a: &Units<'_>, b: &Units<'_>, horizon: usize) -> Self {
        let bytes = common_prefix(a.text(), b.text());
        // A line that ends within the equal bytes ends there in both texts, unless one text lacks
        // its line feed.
        let before = a.ended_within(bytes).min(b.ended_within(bytes)).saturating_sub(horizon);
        let bytes = common_suffix(a.bytes(before..a.len()), b.bytes(before..b.len()));
        // The first line that starts there may start earlier in one of the texts.
        let after = a.started_within_last(bytes).min(b.started_within_last(bytes)).saturating_sub(horizon);
        Self { before, after }
    }
}

/// Returns the changes between runs of matches, in the parts of two texts that were compared.
fn between(runs: &[Run], a: &Range<usize>, b: &Range<usize>) -> Result<Vec<Change>> {
    let mut changes = Vec::new();
    let mut from_a = a.start;
    let mut from_b = b.start;
    let last = Run { a_start: a.len() as u64, b_start: b.len() as u64, len: 0 };
    for run in runs.iter().chain([&last]) {
        let to_a = a.start + run.a_start as usize;
        let to_b = b.start + run.b_start as usize;
        if to_a > from_a || to_b > from_b {
            memory::reserve(&mut changes, 1, "changes")?;
            changes.push(Change::new(from_a..to_a, from_b..to_b));
        }
        (from_a, from_b) = (to_a + run.len as usize, to_b + run.len as usize);
    }
    Ok(changes)
}
