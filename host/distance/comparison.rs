//! The comparison of two whole strings: chooses engine and algorithm, then computes their distance
//! or a cheapest script.

use super::cpu::cut_off;
use super::items::ItemAlgorithm;
use super::mode::{Ends, Mode, PlacedScript, Places};
use super::places::{self, Nearest};
use super::problem::{Algorithm, Global};
use crate::alignment::script::EditScript;
use crate::cpu::short;
use crate::device::{Devices, Engine, EngineKind, Timings};
use crate::error::Result;
use crate::job::{Progress, Ran, Recorder, Report};
use crate::pairwise::attempt::Wanted;
use crate::pairwise::cluster::Cluster;
use crate::pairwise::comparison::{self, Settings};
use crate::pairwise::similar::Answer;
use crate::text::{Class, Equality};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::time::Instant;

/// The edit distance (Levenshtein 1966) of two strings, with the engine and algorithm of your
/// choice: the least number of substitutions, insertions and deletions of single symbols that turn
/// one string into the other.
///
/// ```
/// use carrywave::device::Cpu;
/// use carrywave::distance::Comparison;
///
/// let comparison = Comparison::new();
/// assert_eq!(comparison.on(&Cpu::new()).distance(b"kitten", b"sitting")?, 3);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Clone)]
#[must_use = "a comparison does nothing until it is asked for a distance or a script"]
pub struct Comparison<'p> {
    pub(super) settings: Settings<'p, Global>,
    pub(super) mode: Mode,
    pub(super) equality: Equality,
    pub(super) maximum: Option<u64>,
    pub(super) item_algorithm: ItemAlgorithm,
}

/// Maximum length of a text that the calling thread compares with a pattern of at most one word, in
/// symbols.
const SHORT_TEXT: usize = 1 << 20;

impl Default for Comparison<'_> {
    fn default() -> Self {
        Self::new()
    }
}

impl fmt::Debug for Comparison<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Comparison")
            .field("engine", &self.settings.devices.as_ref().map(Devices::kind))
            .field("algorithm", &self.settings.algorithm)
            .field("mode", &self.mode)
            .field("equality", &self.equality)
            .field("maximum", &self.maximum)
            .finish_non_exhaustive()
    }
}

impl<'p> Comparison<'p> {
    /// Creates a comparison on the engine that should be fastest, with its fastest algorithm. The
    /// engine is GPU 0 if there is one and the strings are long enough to pay for opening it,
    /// unless this process has it open; otherwise the CPU. As in the [example](Self).
    pub fn new() -> Self {
        Self {
            settings: Settings::new(),
            mode: Mode::default(),
            equality: Equality::exact(),
            maximum: None,
            item_algorithm: ItemAlgorithm::AUTO,
        }
    }

    fn set(mut self, set: impl FnOnce(&mut Settings<'p, Global>)) -> Self {
        set(&mut self.settings);
        self
    }

    /// Sets the engine. Parts of a problem that are too small for a GPU go to the CPU. As in the
    /// [example](Self).
    pub fn on(self, engine: &dyn Engine) -> Self {
        self.set(|settings| settings.devices = Some(Devices::from_engine(engine)))
    }

    /// Shares the work among several members instead of one engine: engines of this process, or
    /// processes of several hosts. The algorithm must be `auto` and the mode global. An
    /// [equality](Self::equality) must divide the symbols into classes of equal symbols. The result
    /// is the same as that of [`bit-parallel`](Algorithm) on one engine. Set as in the
    /// [example](Cluster).
    pub fn across(self, cluster: &Cluster) -> Self {
        self.set(|settings| settings.across = Some(cluster.clone()))
    }

    pub(crate) fn on_devices(self, devices: &Devices) -> Self {
        self.set(|settings| settings.devices = Some(devices.clone()))
    }

    /// Sets the algorithm. The comparison fails when it runs if the engine does not have the
    /// algorithm. As in the [example](Algorithm).
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        self.set(|settings| settings.algorithm = algorithm)
    }

    /// Sends subproblems of fewer than `device_cells` cells to the CPU when the engine is a device,
    /// and solves those of at most `leaf_cells` whole: for measurements and tests.
    #[doc(hidden)]
    pub fn thresholds(self, device_cells: u64, leaf_cells: u64) -> Self {
        self.set(|settings| (settings.device_cells, settings.leaf_cells) = (Some(device_cells), leaf_cells))
    }

    /// Reports progress, as in the [example](crate::lcs::Comparison::on_progress): `progress` is
    /// called from time to time, from any thread, with the number of cells done since its last
    /// call. The distance takes mn cells. The script takes at most 2mn, plus one row or column at
    /// each level of the recursion that halves an odd length.
    pub fn on_progress(self, progress: Progress<'p>) -> Self {
        self.set(|settings| settings.progress = progress)
    }

    /// Gives the report of each comparison to `recorder`: the algorithms that ran, the number of
    /// cells that they computed, and the time; as in the [example](crate::job).
    pub fn recorder(self, recorder: &'p Recorder) -> Self {
        self.set(|settings| settings.recorder = Some(recorder))
    }

    /// Sets the maximum distance for [`within`](Self::within), as in its [example](Self::within);
    /// other methods ignore it.
    pub fn maximum(self, maximum: u64) -> Self {
        Self { maximum: Some(maximum), ..self }
    }

    /// Sets the part of `b` that is compared: all of it (the default), any prefix, any suffix, or
    /// any part. As in the [example](Self::distance).
    pub fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// Sets which symbols are equal; by default, only identical symbols are.
    ///
    /// ```
    /// use carrywave::distance::Comparison;
    /// use carrywave::text::Equality;
    ///
    /// let folded = Comparison::new().equality(Equality::exact().ignore_case());
    /// assert_eq!(folded.distance(b"Kitten", b"kitchen")?, 2);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// If the symbols that occur fall into classes of equal symbols, as with case, every engine can
    /// compare them. Otherwise, as with an N that is equal to both A and C, the CPU does.
    pub fn equality(self, equality: Equality) -> Self {
        Self { equality, ..self }
    }

    /// Prepares the strings for engines, and the settings with the equality of symbols, if engines
    /// need it.
    pub(super) fn prepared<'s>(&self, a: &'s [u8], b: &'s [u8]) -> Prepared<'s, 'p> {
        let mut settings = self.settings.clone();
        let as_they_are = [Cow::Borrowed(a), Cow::Borrowed(b)];
        if self.equality.is_exact() {
            return Prepared { strings: as_they_are, settings };
        }
        let present = Class::from_symbols(a.iter().chain(b).copied());
        match self.equality.representatives(present) {
            Some(representatives) => {
                let renamed = |text: &[u8]| text.iter().map(|&symbol| representatives[usize::from(symbol)]).collect();
                Prepared { strings: [Cow::Owned(renamed(a)), Cow::Owned(renamed(b))], settings }
            }
            None => {
                settings.equality = self.equality.clone();
                Prepared { strings: as_they_are, settings }
            }
        }
    }

    /// Computes the distance of very short strings: checking memory, choosing an engine and
    /// measuring time would take longer.
    fn directly(&self, a: &[u8], b: &[u8]) -> Option<u64> {
        if !self.equality.is_exact() {
            return None;
        }
        if self.mode == Mode::Global {
            return self.settings.directly(a, b);
        }
        if !is_short(&self.settings, a, b) {
            return None;
        }
        let compute = || Some(places::trivial(a, b).unwrap_or_else(|| places::short_distance(a, b, self.mode)));
        self.settings.recorded_directly(a, b, compute)
    }

    /// Computes the edit distance of `a` and the part of `b` that the mode selects. Takes mn cells
    /// of time, 512 cells at once on a CPU with AVX-512, and m + n bytes of space plus a few bits
    /// per symbol.
    ///
    /// ```
    /// use carrywave::distance::{Comparison, Mode};
    ///
    /// let comparison = Comparison::new();
    /// assert_eq!(comparison.distance(b"ACGT", b"TTACCTGG")?, 5);
    /// assert_eq!(comparison.clone().mode(Mode::Infix).distance(b"ACGT", b"TTACCTGG")?, 1);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Unsupported`](crate::Error::Unsupported) for an algorithm that the engine does not
    /// have or that takes fewer GPUs, and on a device if a symbol is equal to two symbols that are
    /// not equal to one another; [`Error::DeviceMemory`](crate::Error::DeviceMemory) and
    /// [`Error::Gpu`](crate::Error::Gpu) if a given GPU cannot do it;
    /// [`Error::Memory`](crate::Error::Memory) if the host's memory is too small;
    /// [`Error::Member`](crate::Error::Member) if one of [several members](Self::across) has
    /// failed; [`Error::Usage`](crate::Error::Usage) with
    /// [`UsageFault::TooLarge`](crate::error::UsageFault::TooLarge) for more than 2^62 cells.
    pub fn distance(&self, a: &[u8], b: &[u8]) -> Result<u64> {
        if let Some(distance) = self.directly(a, b) {
            return Ok(distance);
        }
        let prepared = self.prepared(a, b);
        if self.mode == Mode::Global {
            return prepared.settings.value(prepared.a(), prepared.b());
        }
        Ok(prepared.nearest(self.mode)?.distance)
    }

    /// Computes the distance if it is at most the [maximum](Self::maximum); returns `None` if it is
    /// greater. A smaller maximum is faster: the bands have about twice as many rows as the
    /// maximum, and the computation stops as soon as the distance is known to be greater. Strings
    /// whose lengths differ by more than the maximum are not read. Without a maximum, returns the
    /// distance.
    ///
    /// ```
    /// use carrywave::distance::Comparison;
    ///
    /// assert_eq!(Comparison::new().maximum(3).within(b"kitten", b"sitting")?, Some(3));
    /// assert_eq!(Comparison::new().maximum(2).within(b"kitten", b"sitting")?, None);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`distance`](Self::distance).
    pub fn within(&self, a: &[u8], b: &[u8]) -> Result<Option<u64>> {
        let Some(maximum) = self.maximum else { return self.distance(a, b).map(Some) };
        let at_most = |distance: u64| Some(distance).filter(|&distance| distance <= maximum);
        if let Some(distance) = self.directly(a, b) {
            return Ok(at_most(distance));
        }
        let prepared = self.prepared(a, b);
        match prepared.cut_off(self.mode, maximum) {
            Answer::Distance { distance, .. } => return Ok(Some(distance)),
            Answer::Above => return Ok(None),
            Answer::GaveUp(_) => {}
        }
        if self.mode == Mode::Global {
            return Ok(prepared.settings.value_within(prepared.a(), prepared.b(), Some(maximum))?.and_then(at_most));
        }
        Ok(at_most(prepared.nearest(self.mode)?.distance))
    }

    /// Computes the least distance of `a` to a part of `b`, and the ends of all parts with this
    /// distance: positions of `b` after their last symbols, ascending. Time and space as for
    /// [`distance`](Self::distance).
    ///
    /// ```
    /// use carrywave::distance::{Comparison, Mode};
    ///
    /// let found = Comparison::new().mode(Mode::Infix).ends(b"ACGT", b"TTACCTGGACT")?;
    /// assert_eq!((found.distance, found.ends), (1, vec![6, 11]));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`distance`](Self::distance).
    pub fn ends(&self, a: &[u8], b: &[u8]) -> Result<Ends> {
        Ok(self.prepared(a, b).nearest_directly(self.mode)?.ends(self.mode, b.len()))
    }

    /// Finds the parts of `b` that are nearest to `a`. In infix mode, if several parts have the
    /// same end, it returns the longest, which begins first. These are the locations of edlib. In
    /// global mode the part is all of `b`. The empty part at the start of `b` (in suffix mode, at
    /// its end) is included if nothing is nearer than as many insertions as `a` has symbols; for an
    /// empty `a`, it is the only part. Time as for [`distance`](Self::distance), plus m
    /// (m + distance) cells per end in infix mode.
    ///
    /// ```
    /// use carrywave::distance::{Comparison, Mode};
    ///
    /// let places = Comparison::new().mode(Mode::Infix).places(b"ACGT", b"TTACCTGGACT")?;
    /// assert_eq!((places.distance, places.places), (1, vec![2..6, 8..11]));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`distance`](Self::distance).
    pub fn places(&self, a: &[u8], b: &[u8]) -> Result<Places> {
        let prepared = self.prepared(a, b);
        let nearest = prepared.nearest_directly(self.mode)?;
        let distance = nearest.distance;
        Ok(Places::new(distance, prepared.parts(self.mode, nearest)?))
    }

    /// Computes a cheapest script that turns `a` into `b` or, in other modes, into the first of the
    /// [`places`](Self::places). Takes about twice the time of the distance, in the same space
    /// (Hirschberg 1975). The named algorithms of full tables, such as `bit-parallel`, `dp` and
    /// `wavefront`, give the same script on every engine; `auto` and others may give another script
    /// of the same cost. [`EditScript::placed`] moves its gaps to one side. As in the
    /// [example](EditScript::cigar).
    ///
    /// # Errors
    /// As [`distance`](Self::distance).
    pub fn script(&self, a: &[u8], b: &[u8]) -> Result<EditScript> {
        Ok(self.script_with_place(a, b)?.script)
    }

    /// Computes the [`script`](Self::script) and returns it with its part of `b`. The script's
    /// positions are relative to the start of this part.
    ///
    /// ```
    /// use carrywave::distance::{Comparison, Mode};
    ///
    /// let found = Comparison::new().mode(Mode::Infix).script_with_place(b"ACGT", b"TTACCTGG")?;
    /// assert_eq!((found.script.cigar().as_str(), found.place), ("2=1X1=", 2..6));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// As [`distance`](Self::distance).
    pub fn script_with_place(&self, a: &[u8], b: &[u8]) -> Result<PlacedScript> {
        let prepared = self.prepared(a, b);
        let mut least = None;
        let mut place = 0..b.len();
        if self.mode != Mode::Global {
            let nearest = prepared.nearest(self.mode)?.first();
            least = Some(nearest.distance);
            if let Some(part) = prepared.parts(self.mode, nearest)?.pop() {
                place = part;
            }
        }
        let runs = prepared.settings.runs(prepared.a(), &prepared.b()[place.clone()])?;
        let script = EditScript::new(runs, a.len() as u64, place.len() as u64)?;
        if cfg!(debug_assertions) {
            script.verify_by(a, &b[place.clone()], &self.equality)?;
        }
        least.map_or(Ok(()), |distance| script.check_distance(distance))?;
        Ok(PlacedScript { script, place: place.start as u64..place.end as u64 })
    }
}

/// Returns true if pattern and text are so short that no engine is needed.
fn is_short(settings: &Settings<'_, Global>, a: &[u8], b: &[u8]) -> bool {
    a.len() <= short::ROWS && b.len() <= SHORT_TEXT && settings.may_be_direct()
}

/// Two strings prepared for engines.
pub(super) struct Prepared<'s, 'p> {
    strings: [Cow<'s, [u8]>; 2],
    /// Settings. They include the equality of symbols if it does not divide the symbols into
    /// classes.
    pub(super) settings: Settings<'p, Global>,
}

impl Prepared<'_, '_> {
    pub(super) fn a(&self) -> &[u8] {
        &self.strings[0]
    }

    pub(super) fn b(&self) -> &[u8] {
        &self.strings[1]
    }

    /// Compares the distance with a maximum by a band, if that is cheap. Bands run on the CPU
    /// whatever the engine is, and are exact. If another algorithm is named, it runs instead.
    fn cut_off(&self, mode: Mode, maximum: u64) -> Answer {
        let settings = &self.settings;
        let name = cut_off::ALGORITHM.about.name;
        let is_named = settings.algorithm.name() == name && matches!(settings.devices, None | Some(Devices::Cpu(_)));
        if settings.across.is_some() || !(settings.algorithm.is_auto() || is_named) {
            return Answer::GaveUp(None);
        }
        let started = Instant::now();
        let answer = cut_off::within(self.a(), self.b(), &settings.equality, mode, maximum);
        if settings.recorder.is_some() && !matches!(answer, Answer::GaveUp(_)) {
            let ran = Ran { engine: EngineKind::Cpu, algorithm: name };
            settings.record(self.a(), self.b(), Report::since(started, [ran], 0, Timings::default()));
        }
        answer
    }

    /// Finds the parts of B that are nearest to A.
    fn nearest(&self, mode: Mode) -> Result<Nearest> {
        let m = self.a().len();
        let n = self.b().len();
        self.settings.run(self.a(), self.b(), Wanted::Columns, &|engines| match places::trivial(self.a(), self.b()) {
            Some(_) => Ok(Nearest::empty(mode, m, n)),
            None => places::nearest(&engines, m, n, mode),
        })
    }

    /// Finds the parts like [`nearest`](Self::nearest), but without an engine if the pattern is
    /// short. In global mode, all of B is the only part.
    fn nearest_directly(&self, mode: Mode) -> Result<Nearest> {
        let a = self.a();
        let b = self.b();
        if mode == Mode::Global {
            return Ok(Nearest { distance: self.settings.value(a, b)?, borders: vec![b.len()] });
        }
        if !is_short(&self.settings, a, b) {
            return self.nearest(mode);
        }
        let found = self.settings.recorded_directly(a, b, || {
            Some(match places::trivial(a, b) {
                Some(_) => Nearest::empty(mode, a.len(), b.len()),
                None => places::short_nearest(a, b, mode),
            })
        });
        found.map_or_else(|| self.nearest(mode), Ok)
    }

    /// Returns the ranges of the nearest parts.
    fn parts(&self, mode: Mode, nearest: Nearest) -> Result<Vec<Range<usize>>> {
        let distance = nearest.distance;
        nearest.parts(mode, self.b().len(), |ends| self.starts(mode, distance, ends))
    }

    /// Finds the starts of the parts with these ends.
    fn starts(&self, mode: Mode, distance: u64, ends: &[usize]) -> Result<Vec<usize>> {
        let a = self.a();
        let b = self.b();
        let known = |&end: &usize| places::known_start(a.len(), mode, distance, end);
        if let Some(starts) = ends.iter().map(known).collect() {
            return Ok(starts);
        }
        if is_short(&self.settings, a, b) {
            let start = |end: &usize| known(end).unwrap_or_else(|| places::short_start(a, b, distance, *end));
            return Ok(ends.iter().map(start).collect());
        }
        self.settings.run(a, b, Wanted::Columns, &|engines| places::starts(&engines, a.len(), mode, distance, ends))
    }
}

/// Computes the edit distance of two strings: [`Comparison`] with its defaults.
///
/// ```
/// assert_eq!(carrywave::distance::distance(b"kitten", b"sitting")?, 3);
/// # Ok::<(), carrywave::Error>(())
/// ```
///
/// # Errors
/// As [`Comparison::distance`].
pub fn distance(a: &[u8], b: &[u8]) -> Result<u64> {
    match comparison::short_value::<Global>(a, b) {
        Some(distance) => Ok(distance),
        None => Comparison::new().distance(a, b),
    }
}
