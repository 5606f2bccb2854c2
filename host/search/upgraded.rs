//! A search whose engine nobody chose: it begins on the CPU, and goes on on a GPU where that is
//! faster.
//!
//! A GPU takes some tenths of a second to open. So it is opened only if the rest of an announced
//! text ([`FindEnds::expect`]) should take the CPU longer than [`LONG`], and the CPU goes on
//! searching meanwhile. After that the GPU searches, and is closed again if it is slower. Both
//! engines find the same ends.

use super::ends::{FindEnds, TakeEnds};
use crate::device::{Devices, Gpu, Timings};
use crate::error::{Error, Result};
use crate::infix::End;
use crate::text::Text;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

/// A GPU is opened if the CPU should need more than this time for the rest of a text, in seconds.
/// Opening and closing it take up to half a second, mostly while the CPU searches.
const LONG: f64 = 1.0;

/// The speed of an engine is known after this number of texts: that of the fastest one. The first
/// one includes preparations and does not count; a GPU prepares again for a longer text.
const TEXTS: u32 = 4;

/// The CPU's speed is known after it searched for this time. The first texts of a search may be so
/// short that they take the time of a call, whatever their length.
const MEASURED: Duration = Duration::from_millis(30);

/// Prepares the patterns on a GPU.
pub(super) type OnGpu<'p> = Box<dyn Fn(Devices) -> Result<Box<dyn FindEnds + 'p>> + Send + 'p>;

/// Opens a GPU.
type Open = fn() -> Result<Devices>;

/// A search that begins on the CPU.
pub(super) struct UpgradedEnds<'p> {
    cpu: Box<dyn FindEnds + 'p>,
    open: Open,
    on_gpu: OnGpu<'p>,
    gpu: State<'p>,
    /// [`LONG`], or less in a test.
    long: f64,
    /// [`MEASURED`], or less in a test.
    measured: Duration,
    /// Number of symbols that are expected and not searched yet.
    left: u64,
    speed_of_cpu: Speed,
    speed_of_gpu: Speed,
}

enum State<'p> {
    /// It has not been opened.
    Closed,
    Opening(JoinHandle<Result<Devices>>),
    Open(Box<dyn FindEnds + 'p>),
    /// There is none, it failed, or it is slower.
    Unused,
}

/// The speed of an engine.
#[derive(Default)]
struct Speed {
    texts: u32,
    /// Time of all texts but the first.
    time: Duration,
    /// Seconds a symbol in the fastest text.
    least: Option<f64>,
}

impl Speed {
    /// Counts a text.
    fn add(&mut self, symbols: u64, time: Duration) {
        self.texts += 1;
        if self.texts > 1 {
            self.time += time;
            let own = time.as_secs_f64() / symbols.max(1) as f64;
            self.least = Some(self.least.map_or(own, |least| least.min(own)));
        }
    }

    /// Returns the time for a number of symbols, in seconds; `None` if it is not known yet.
    fn seconds(&self, symbols: u64) -> Option<f64> {
        self.least.filter(|_| self.texts >= TEXTS).map(|least| least * symbols as f64)
    }
}

fn open_gpu() -> Result<Devices> {
    Ok(Devices::Gpus(vec![Gpu::opened_or_open()?.gpu.device().clone()]))
}

impl<'p> UpgradedEnds<'p> {
    pub fn new(cpu: Box<dyn FindEnds + 'p>, on_gpu: OnGpu<'p>) -> Self {
        let (speed_of_cpu, speed_of_gpu) = (Speed::default(), Speed::default());
        Self {
            cpu,
            open: open_gpu,
            on_gpu,
            gpu: State::Closed,
            long: LONG,
            measured: MEASURED,
            left: 0,
            speed_of_cpu,
            speed_of_gpu,
        }
    }

    /// Returns true if the CPU should need long for the rest of the text.
    fn takes_long(&self) -> bool {
        let seconds = self.speed_of_cpu.seconds(self.left).filter(|_| self.speed_of_cpu.time >= self.measured);
        seconds.is_some_and(|seconds| seconds > self.long)
    }

    /// Takes over a GPU that has been opened, begins to open one, or gives it up.
    fn choose(&mut self) {
        self.gpu = match std::mem::replace(&mut self.gpu, State::Unused) {
            State::Closed if self.takes_long() => {
                let opening = std::thread::Builder::new().name("opening".into()).spawn(self.open);
                opening.map_or(State::Unused, State::Opening)
            }
            State::Opening(opening) if opening.is_finished() => {
                let gpu = opening.join().unwrap_or_else(|_| Err(Error::NoGpu("opening it panicked".into())));
                match gpu.and_then(|gpu| (self.on_gpu)(gpu)) {
                    Ok(gpu) => State::Open(gpu),
                    Err(error) => {
                        log::info!("the search stays on the CPU: {error}");
                        State::Unused
                    }
                }
            }
            State::Open(_)
                if self.speed_of_gpu.seconds(1).is_some_and(|own| Some(own) > self.speed_of_cpu.seconds(1)) =>
            {
                log::info!("the search goes back to the CPU, which is faster");
                State::Unused
            }
            state => state,
        };
    }

    /// Searches a text on the GPU, if it is open. `None` if the CPU is to search the text: there is
    /// no GPU, or it failed before it found anything.
    fn on_gpu<R>(
        &mut self,
        symbols: u64,
        search: impl FnOnce(&mut dyn FindEnds, &mut bool) -> Result<R>,
    ) -> Option<Result<R>> {
        self.choose();
        let State::Open(gpu) = &mut self.gpu else { return None };
        let mut has_found = false;
        let started = Instant::now();
        match search(&mut **gpu, &mut has_found) {
            Err(error @ (Error::Gpu { .. } | Error::DeviceMemory { .. })) if !has_found => {
                log::warn!("the search goes back to the CPU: {error}");
                self.gpu = State::Unused;
                None
            }
            result => {
                self.speed_of_gpu.add(symbols, started.elapsed());
                self.left = self.left.saturating_sub(symbols);
                Some(result)
            }
        }
    }

    fn on_cpu<R>(&mut self, symbols: u64, search: impl FnOnce(&mut dyn FindEnds) -> Result<R>) -> Result<R> {
        let started = Instant::now();
        let result = search(&mut *self.cpu);
        self.speed_of_cpu.add(symbols, started.elapsed());
        self.left = self.left.saturating_sub(symbols);
        result
    }
}

impl Drop for UpgradedEnds<'_> {
    fn drop(&mut self) {
        // A process that ends while the driver starts might crash.
        if let State::Opening(opening) = std::mem::replace(&mut self.gpu, State::Unused) {
            let _ = opening.join();
        }
    }
}

/// Returns a function that passes ends on to `take`, and notes that there were some.
fn noting<'n>(take: TakeEnds<'n>, has_found: &'n mut bool) -> impl FnMut(usize, Vec<End>) -> Result<()> + Send {
    move |number, ends| {
        *has_found = true;
        take(number, ends)
    }
}

impl FindEnds for UpgradedEnds<'_> {
    fn each(&mut self, text: &Text<'_>, take: TakeEnds<'_>) -> Result<()> {
        let on_gpu = self.on_gpu(text.len(), |gpu, has_found| gpu.each(text, &mut noting(&mut *take, has_found)));
        on_gpu.unwrap_or_else(|| self.on_cpu(text.len(), |cpu| cpu.each(text, take)))
    }

    fn each_beyond(&mut self, text: &[u8], halo: u64, take: TakeEnds<'_>) -> Result<()> {
        let symbols = text.len() as u64 - halo;
        let on_gpu =
            self.on_gpu(symbols, |gpu, has_found| gpu.each_beyond(text, halo, &mut noting(&mut *take, has_found)));
        on_gpu.unwrap_or_else(|| self.on_cpu(symbols, |cpu| cpu.each_beyond(text, halo, take)))
    }

    fn count(&mut self, text: &Text<'_>) -> Result<u64> {
        let on_gpu = self.on_gpu(text.len(), |gpu, _| gpu.count(text));
        on_gpu.unwrap_or_else(|| self.on_cpu(text.len(), |cpu| cpu.count(text)))
    }

    fn expect(&mut self, symbols: u64) {
        self.left = symbols;
    }

    fn ran(&mut self) -> Vec<&'static str> {
        self.cpu.ran()
    }

    fn ran_on_gpu(&mut self) -> Vec<&'static str> {
        match &mut self.gpu {
            State::Open(gpu) if self.speed_of_gpu.texts > 0 => gpu.ran(),
            _ => Vec::new(),
        }
    }

    fn timings(&mut self) -> Timings {
        match &mut self.gpu {
            State::Open(gpu) => gpu.timings(),
            _ => Timings::default(),
        }
    }
}

#[cfg(all(test, feature = "simt"))]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicUsize, Ordering};

    /// Engine with an end at each symbol `x`, which counts its texts and may fail.
    struct Finder {
        texts: Arc<AtomicUsize>,
        fails: bool,
        /// Milliseconds of the first two texts, and of each later one.
        sleeps: [u64; 2],
    }

    impl FindEnds for Finder {
        fn each(&mut self, text: &Text<'_>, take: TakeEnds<'_>) -> Result<()> {
            let before = self.texts.fetch_add(1, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(self.sleeps[usize::from(before >= 2)]));
            if self.fails {
                return Err(Error::DeviceMemory { needed: 2, free: 1 });
            }
            let symbols = text.in_memory().unwrap();
            let ends = symbols.iter().enumerate().filter(|(_, symbol)| **symbol == b'x');
            take(0, ends.map(|(at, _)| End { end: at as u64 + 1, errors: 0 }).collect())
        }

        fn ran(&mut self) -> Vec<&'static str> {
            vec!["finder"]
        }
    }

    /// The texts that each engine searched, of twelve. All have the right ends.
    fn searched(open: Open, fails: bool, cpu: u64, gpu: [u64; 2]) -> [usize; 2] {
        let counts = [(); 2].map(|()| Arc::new(AtomicUsize::new(0)));
        let finder = |number: usize, fails, sleeps| Finder { texts: counts[number].clone(), fails, sleeps };
        let mut engine =
            UpgradedEnds::new(Box::new(finder(0, false, [cpu; 2])), Box::new(|_| Ok(Box::new(finder(1, fails, gpu)))));
        (engine.open, engine.long, engine.measured) = (open, 0.0, Duration::ZERO);
        engine.expect(100);
        for text in 0..12 {
            let ends = match text % 2 {
                0 => engine.all(&Text::from(&b"x..x.."[..]), 1).unwrap(),
                _ => engine.all_beyond(b"xxxx..x..", 3, 1).unwrap(),
            };
            assert_eq!(ends[0].iter().map(|end| end.end).collect::<Vec<_>>(), [[1, 4], [4, 7]][text % 2]);
            if let State::Opening(opening) = &engine.gpu {
                while !opening.is_finished() {
                    std::thread::sleep(Duration::from_millis(1));
                }
            }
        }
        counts.each_ref().map(|count| count.load(Ordering::Relaxed))
    }

    fn opened() -> Result<Devices> {
        Ok(Devices::Simulated(Vec::new()))
    }

    #[test]
    fn the_faster_engine_goes_on() {
        assert_eq!(searched(opened, false, 50, [0, 0]), [5, 7]);
        // Slower, known after four texts.
        assert_eq!(searched(opened, false, 0, [50, 50]), [8, 4]);
        // A GPU that prepares twice.
        assert_eq!(searched(opened, false, 50, [200, 0]), [5, 7]);
    }

    #[test]
    fn without_a_gpu_that_works_the_cpu_goes_on() {
        assert_eq!(searched(|| Err(Error::NoGpu("none".into())), false, 1, [0, 0]), [12, 0]);
        assert_eq!(searched(|| panic!("on purpose, in a test"), false, 1, [0, 0]), [12, 0]);
        // The text that it failed on is searched again.
        assert_eq!(searched(opened, true, 1, [0, 0]), [12, 1]);
    }

    fn never() -> Result<Devices> {
        panic!("this GPU is not to be opened")
    }

    /// A text of few symbols takes the time of a call, which says nothing about a long text.
    #[test]
    fn short_texts_tell_no_speed() {
        let finder = Finder { texts: Arc::default(), fails: false, sleeps: [1; 2] };
        let mut engine = UpgradedEnds::new(Box::new(finder), Box::new(|_| unreachable!()));
        engine.open = never;
        engine.expect(1 << 40);
        (0..5).for_each(|_| assert_eq!(engine.count(&Text::from(&b"x"[..])).unwrap(), 1));
        assert!(matches!(engine.gpu, State::Closed));
        engine.open = || Err(Error::NoGpu("none".into()));
        (0..MEASURED.as_millis() + 5).for_each(|_| assert_eq!(engine.count(&Text::from(&b"x"[..])).unwrap(), 1));
        assert!(!matches!(engine.gpu, State::Closed));
    }

    #[test]
    fn little_work_opens_nothing() {
        let finder = Finder { texts: Arc::default(), fails: false, sleeps: [0; 2] };
        let mut engine = UpgradedEnds::new(Box::new(finder), Box::new(|_| unreachable!()));
        engine.open = never;
        engine.expect(1000);
        (0..3).for_each(|_| assert_eq!(engine.count(&Text::from(&b"x"[..])).unwrap(), 1));
        assert!(matches!(engine.gpu, State::Closed));
    }
}
