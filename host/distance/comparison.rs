//! The job of two whole strings: which engine and algorithm, then their distance or a cheapest script.

use super::cpu::cut_off;
use super::items::ItemAlgorithm;
use super::mode::{Ends, Mode, PlacedScript, Places};
use super::places;
use super::problem::{Algorithm, Global};
use crate::alignment::script::EditScript;
use crate::cpu::short;
use crate::device::{Devices, Engine, EngineKind, Timings};
use crate::error::Result;
use crate::job::{Progress, Ran, Recorder, Report};
use crate::pairwise::cluster::Cluster;
use crate::pairwise::comparison::{self, Settings};
use crate::pairwise::similar::Answer;
use crate::text::{Class, Equality};
use std::borrow::Cow;
use std::fmt;
use std::time::Instant;

/// The edit distance (Levenshtein 1966) of two strings, with the engine and algorithm of your choice: the fewest substitutions, insertions
/// and deletions of single symbols that make one of the other.
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

/// Symbols of a text up to which a pattern that fits a word is compared on the calling thread.
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
    /// A comparison on the engine that should be fastest, with its fastest algorithm: GPU 0, which is opened for the comparison, where there is one and
    /// the strings are so long that this pays; else the CPU. As in the [example](Self).
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

    /// Sets the engine. Parts of a problem that are too small for a GPU go to the CPU. As in the [example](Self).
    pub fn on(self, engine: &dyn Engine) -> Self {
        self.set(|settings| settings.devices = Some(Devices::of(engine)))
    }

    /// Several members that share the work, instead of one engine: engines of this process, or processes of several hosts. The algorithm is `auto`,
    /// the mode is global, and symbols are equal if they are the same or all equal to one another. The result is the same as that of
    /// [`bit-parallel`](Algorithm) on one engine. Set as in the [example](Cluster).
    pub fn across(self, cluster: &Cluster) -> Self {
        self.set(|settings| settings.across = Some(cluster.clone()))
    }

    pub(crate) fn on_devices(self, devices: &Devices) -> Self {
        self.set(|settings| settings.devices = Some(devices.clone()))
    }

    /// Selects the algorithm; whether the engine has it is checked when the comparison runs. As in the [example](Algorithm).
    pub fn algorithm(self, algorithm: Algorithm) -> Self {
        self.set(|settings| settings.algorithm = algorithm)
    }

    /// Subproblems of fewer cells than this go to the CPU when the engine is a device, and those of at most `leaf_cells`
    /// are solved whole: for measuring, and for tests.
    #[doc(hidden)]
    pub fn thresholds(self, device_cells: u64, leaf_cells: u64) -> Self {
        self.set(|settings| (settings.device_cells, settings.leaf_cells) = (Some(device_cells), leaf_cells))
    }

    /// Reports how far a comparison is, as in the [example](crate::lcs::Comparison::on_progress): `progress` is called from time to time, from any thread, with the number of cells done since its last
    /// call. The distance takes mn cells, the script at most 2mn, and at each level of the recursion that halves an odd length one
    /// row or column more.
    pub fn on_progress(self, progress: Progress<'p>) -> Self {
        self.set(|settings| settings.progress = progress)
    }

    /// Gives the report of each comparison to `recorder`: the algorithms that ran, the cells that they computed, and the time; as in the
    /// [example](crate::job).
    pub fn recorder(self, recorder: &'p Recorder) -> Self {
        self.set(|settings| settings.recorder = Some(recorder))
    }

    /// Sets the largest distance that is of interest to [`within`](Self::within), as in its [example](Self::within); other methods ignore it.
    pub fn maximum(self, maximum: u64) -> Self {
        Self { maximum: Some(maximum), ..self }
    }

    /// Sets which part of `b` is compared: all of it, the default, any prefix, or any part. As in the [example](Self::distance).
    pub fn mode(self, mode: Mode) -> Self {
        Self { mode, ..self }
    }

    /// Sets which symbols are equal; by default the same ones.
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
    /// Where those that occur fall into classes of which all are equal to one another,
    /// as with case, every engine compares them; else, as with an N that is equal to both A and C, the CPU does.
    pub fn equality(self, equality: Equality) -> Self {
        Self { equality, ..self }
    }

    /// The strings as engines take them, and the relation of symbols that these have to know.
    fn prepared<'s>(&self, a: &'s [u8], b: &'s [u8]) -> Prepared<'s, 'p> {
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

    /// The distance of strings which are so short that asking for memory, an engine and the time would take longer than it.
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

    /// The edit distance of `a` and the part of `b` that the mode says. Time mn cells, 512 at a time on a CPU with AVX-512; space m + n
    /// bytes, and a few bits a symbol.
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
    /// [`Error::Unsupported`](crate::Error::Unsupported) for an algorithm that the engine does not have or that takes fewer GPUs, and for a device and
    /// symbols that are equal to two which are not equal to one another; [`Error::DeviceMemory`](crate::Error::DeviceMemory) and [`Error::Gpu`](crate::Error::Gpu) when a GPU was given
    /// and cannot do it; [`Error::Memory`](crate::Error::Memory) when the host's memory is too small; [`Error::Member`](crate::Error::Member) when one of
    /// [several members](Self::across) has failed; [`Error::Usage`](crate::Error::Usage) with [`UsageFault::TooLarge`](crate::error::UsageFault::TooLarge) for
    /// more than 2^62 cells.
    pub fn distance(&self, a: &[u8], b: &[u8]) -> Result<u64> {
        if let Some(distance) = self.directly(a, b) {
            return Ok(distance);
        }
        let prepared = self.prepared(a, b);
        if self.mode == Mode::Global {
            return prepared.settings.value(prepared.a(), prepared.b());
        }
        Ok(prepared.ends(self.mode)?.distance)
    }

    /// The distance if it is at most the [maximum](Self::maximum); `None` if it is above. The smaller the maximum is, the faster: bands of about twice
    /// as many rows are computed, and no more of them than it takes to find out that it is above. Strings whose lengths differ by more are not
    /// looked at. Without a maximum it is the distance.
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
        Ok(at_most(prepared.ends(self.mode)?.distance))
    }

    /// The least distance of `a` to a part of `b`, and all ends of parts that have it: positions of `b` after their last symbols, ascending.
    /// Time and space as [`distance`](Self::distance).
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
        Ok(self.prepared(a, b).ends_directly(self.mode)?.into())
    }

    /// The parts of `b` that are nearest to `a`: for each end at which there is one, the longest, that is the one that begins first. These are the
    /// locations of edlib. Of a global comparison it is all of `b`. The empty part at the start of `b` is one too, if nothing is nearer
    /// than as many insertions as `a` has symbols; for an empty `a` it is the only one that is told. Time as
    /// [`distance`](Self::distance), and in infix mode m (m + distance) cells for each end.
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
        let places::Ends { distance, ends } = prepared.ends_directly(self.mode)?;
        let starts = prepared.starts(self.mode, distance, &ends)?;
        let places = starts.into_iter().zip(ends).map(|(start, end)| start as u64..end as u64).collect();
        Ok(Places { distance, places })
    }

    /// A cheapest script that makes `b` of `a`, or in another mode the first of the [`places`](Self::places). Time about twice that of the distance,
    /// in the same space (Hirschberg 1975). The named algorithms of full tables, as `bit-parallel`, `dp` and `wavefront`, give the same one
    /// on every engine; `auto` and others may give another of the same cost. [`EditScript::placed`] moves its gaps to one side. As in the
    /// [example](EditScript::cigar).
    ///
    /// # Errors
    /// As [`distance`](Self::distance).
    pub fn script(&self, a: &[u8], b: &[u8]) -> Result<EditScript> {
        Ok(self.script_with_place(a, b)?.script)
    }

    /// [`script`](Self::script), and which part of `b` it makes of `a`. Its own positions are relative to this part's start.
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
            let places::Ends { distance, ends } = prepared.ends(self.mode)?;
            let ends = &ends[..ends.len().min(1)];
            let starts = prepared.starts(self.mode, distance, ends)?;
            if let ([start], [end]) = (&starts[..], ends) {
                place = *start..*end;
            }
            least = Some(distance);
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

/// Whether pattern and text are so short that no engine is asked.
fn is_short(settings: &Settings<'_, Global>, a: &[u8], b: &[u8]) -> bool {
    a.len() <= short::ROWS && b.len() <= SHORT_TEXT && settings.may_be_direct()
}

/// Two strings as engines take them.
struct Prepared<'s, 'p> {
    strings: [Cow<'s, [u8]>; 2],
    /// With the relation of symbols where the strings' symbols do not tell which are equal.
    settings: Settings<'p, Global>,
}

impl Prepared<'_, '_> {
    fn a(&self) -> &[u8] {
        &self.strings[0]
    }

    fn b(&self) -> &[u8] {
        &self.strings[1]
    }

    /// Compares the distance with a maximum by a band, if that is cheap. Bands are the CPU's, and exact, whatever the engine; another algorithm that is
    /// named is to be run.
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

    /// The least distance of A, and where the parts of B that have it end.
    fn ends(&self, mode: Mode) -> Result<places::Ends> {
        let m = self.a().len();
        let n = self.b().len();
        self.settings.run(self.a(), self.b(), &|engines| match places::trivial(self.a(), self.b()) {
            Some(distance) => Ok(places::Ends { distance, ends: vec![0] }),
            None => places::ends(&engines, m, n, mode),
        })
    }

    /// The same of a short pattern without an engine, and of all of B in global mode.
    fn ends_directly(&self, mode: Mode) -> Result<places::Ends> {
        let a = self.a();
        let b = self.b();
        if mode == Mode::Global {
            return Ok(places::Ends { distance: self.settings.value(a, b)?, ends: vec![b.len()] });
        }
        if !is_short(&self.settings, a, b) {
            return self.ends(mode);
        }
        let found = self.settings.recorded_directly(a, b, || {
            Some(match places::trivial(a, b) {
                Some(distance) => places::Ends { distance, ends: vec![0] },
                None => places::short_ends(a, b, mode),
            })
        });
        found.map_or_else(|| self.ends(mode), Ok)
    }

    /// The starts of the parts that end there.
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
        self.settings.run(a, b, &|engines| places::starts(&engines, a.len(), mode, distance, ends))
    }
}

/// The edit distance of two strings: [`Comparison`] with its defaults.
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
