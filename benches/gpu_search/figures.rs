//! `--figures`: the figures of Mitani, Ino and Hagihara (2017), section 6, with the paper's
//! algorithm, its two rivals and carrywave's own. The result is a byte for each position, as in the
//! paper.
//!
//! | part | varies | text |
//! |---|---|---|
//! | `gbpr tuning` | s and α of GBPR, m = 32 and 64 | up to 2^29 symbols, σ = 64 |
//! | `figure 6` | m, a line for each α of the scan | n symbols, σ = 64 |
//! | `figure 7` | m | the same |
//! | `figure 8` | n, m = 64 | the start of it |
//! | `figure 8 by alpha` | α of the scan, m = 64 | 2^22 symbols, and n symbols |
//! | `figure 9` | σ, m = 64 | n symbols |
//! | `figure 10` | the text; its first 4 to 64 symbols as pattern | `--corpus`; random bases |
//!
//! In figure 10, `--corpus` is repeated to 2^30 symbols.
//!
//! The rivals are tuned for each text, m and k, as in the paper: GBPR as published (α = 1) by s,
//! *tiled* by s, α and table together, XBitPar by the symbols of a warp. The tuning uses at most
//! 2^29 symbols, and the figure shows only the best. XBitPar is a hundred times slower and searches
//! a sixteenth of the text, as `n` of its rows shows.
//!
//! `tbps` is Tbit of text per second, `moved_tbps` is text and results together, and
//! `percent_of_copying` is its share of the speed of copying memory in the same run.

use super::{Bench, Named, Outcome, common, plain, prepare, random_text};
use carrywave::internal::search::gpu::{DeviceText, ResultKind};
use carrywave::text::Pattern;
use serde_json::{Value, json};
use simt_launch::Device;
use std::sync::Arc;

/// Numbers of errors of each figure: (a), (b), (c).
const KS: [u32; 3] = [0, 1, 2];

/// Number of symbols of a corpus.
const CORPUS: usize = 1 << 30;

/// Divisor of the text length for XBitPar, compared with the other algorithms.
const SLOWER: usize = 16;

/// Size of the paper's alphabet.
const SIGMA: u64 = 64;

/// A text in memory and on the GPU.
struct Text<'t, D: Device> {
    symbols: &'t [u8],
    on_gpu: Arc<DeviceText<D>>,
}

impl<'t, D: Device> Text<'t, D> {
    fn new(gpu: &Arc<D>, symbols: &'t [u8]) -> Outcome<Self> {
        Ok(Self { symbols, on_gpu: DeviceText::new(gpu.clone(), symbols)? })
    }

    /// Returns a pattern of m symbols from the middle of the text, or fewer.
    fn pattern(&self, m: usize) -> Pattern {
        let half = self.symbols.len() / 2;
        Pattern::literal(&self.symbols[half..][..m.min(self.symbols.len() - half)])
    }
}

/// Upper bound on the symbols that a tuning searches.
const TUNED: usize = 1 << 29;

/// s and α of GBPR, and the layout of its table in shared memory.
#[derive(Clone, Copy)]
struct Tile {
    segment: u32,
    alpha: u32,
    table: &'static str,
}

impl Tile {
    /// Returns all settings to try: s = 8 and α = 1 are the paper's choice.
    fn all() -> impl Iterator<Item = Self> {
        let segments = [8, 16, 32, 64, 128, 256].into_iter();
        let pairs = segments.flat_map(|segment| [1, 4, 8, 16].map(|alpha| (segment, alpha)));
        let tables = pairs.flat_map(|(segment, alpha)| ["paper", "banks"].map(|table| Self { segment, alpha, table }));
        // The original uses the paper's table.
        tables.filter(|tile| tile.segment % tile.alpha == 0 && (tile.alpha > 1 || tile.table == "paper"))
    }

    fn tuning(self) -> String {
        format!("segment={},alpha={},table={}", self.segment, self.alpha, self.table)
    }

    /// Adds the settings to a row.
    fn describe(self, mut varied: Value) -> Value {
        (varied["segment"], varied["alpha"], varied["table"]) =
            (json!(self.segment), json!(self.alpha), json!(self.table));
        varied
    }
}

/// The best settings of the rivals for a text, m and k.
struct Rivals {
    /// GBPR as published: α = 1.
    original: Tile,
    /// GBPR with any α.
    tiled: Tile,
}

/// Returns the part of the text for XBitPar.
fn start_of(symbols: &[u8]) -> &[u8] {
    &symbols[..symbols.len().div_ceil(SLOWER)]
}

impl<D: Device> Bench<D> {
    /// Measures the requested figures, or all of them.
    pub fn figures(&mut self) -> Outcome<()> {
        let symbols = random_text(self.options.symbols, SIGMA);
        if self.wants_figure("7") {
            self.gbpr_tuning(&symbols)?;
        }
        if self.wants_figure("6") {
            self.figure_6(&symbols)?;
        }
        if self.wants_figure("7") {
            self.figure_7(&symbols)?;
        }
        self.save()?;
        if self.wants_figure("8") {
            self.figure_8(&symbols)?;
        }
        if self.wants_figure("8-alpha") {
            self.alphas_of_figure_8(&symbols)?;
        }
        drop(symbols);
        if self.wants_figure("9") {
            self.figure_9()?;
        }
        self.save()?;
        if self.wants_figure("10") {
            self.corpora()?;
        }
        self.save()
    }

    fn wants_figure(&self, name: &str) -> bool {
        let wanted = &self.options.figure;
        wanted.is_empty() || wanted.iter().any(|own| own == name)
    }

    fn gbpr_tuning(&mut self, symbols: &[u8]) -> Outcome<()> {
        let part = Text::new(&self.device, &symbols[..symbols.len().min(TUNED)])?;
        for (k, m) in KS.into_iter().flat_map(|k| [32, 64].map(|m| (k, m))) {
            for tile in Tile::all() {
                let gbpr = ("gbpr", Named { name: "gbpr", tuning: &tile.tuning() }, k);
                self.point("gbpr tuning", &part, &part.pattern(m), gbpr, tile.describe(json!({})))?;
            }
        }
        Ok(())
    }

    fn figure_6(&mut self, symbols: &[u8]) -> Outcome<()> {
        let text = Text::new(&self.device, symbols)?;
        for (k, m) in KS.into_iter().flat_map(|k| [4, 8, 16, 24, 32, 33, 40, 48, 56, 64].map(|m| (k, m))) {
            for alpha in [1, 2, 4, 8, 16, 32] {
                self.scan_of_alpha("figure 6", &text, (m, k), alpha)?;
            }
        }
        Ok(())
    }

    /// Measures the scan with the paper's table and α symbols a thread.
    fn scan_of_alpha(&mut self, figure: &str, text: &Text<'_, D>, (m, k): (usize, u32), alpha: u32) -> Outcome<()> {
        let varied = json!({ "alpha": alpha, "sigma": SIGMA });
        let tuning = format!("alpha={alpha},table=paper");
        let scan = Named { name: "scan", tuning: &tuning };
        self.point(figure, text, &text.pattern(m), ("scan", scan, k), varied)
    }

    fn figure_7(&mut self, symbols: &[u8]) -> Outcome<()> {
        let text = Text::new(&self.device, symbols)?;
        let short = Text::new(&self.device, start_of(symbols))?;
        let part = Text::new(&self.device, &symbols[..symbols.len().min(TUNED)])?;
        for (k, m) in KS.into_iter().flat_map(|k| [8, 16, 17, 24, 32, 33, 40, 48, 56, 64].map(|m| (k, m))) {
            let varied = json!({ "sigma": SIGMA });
            self.all("figure 7", &text, &part, &text.pattern(m), k, &varied)?;
            self.xbitpar("figure 7", &short, &text.pattern(m), k, varied)?;
        }
        Ok(())
    }

    fn figure_8(&mut self, symbols: &[u8]) -> Outcome<()> {
        for n in (16..).map(|bits| 1 << bits).take_while(|&n| n <= symbols.len()) {
            let text = Text::new(&self.device, &symbols[..n])?;
            let part = Text::new(&self.device, &symbols[..n.min(TUNED)])?;
            for k in KS {
                self.all("figure 8", &text, &part, &text.pattern(64), k, &json!({ "sigma": SIGMA }))?;
            }
        }
        Ok(())
    }

    /// Measures the scan with each α in 2^22 and in all symbols: section 6.2 has the share of the
    /// maximum at 2^22 for α = 16 and 2.
    fn alphas_of_figure_8(&mut self, symbols: &[u8]) -> Outcome<()> {
        for n in [symbols.len().min(1 << 22), symbols.len()] {
            let text = Text::new(&self.device, &symbols[..n])?;
            for k in KS {
                for alpha in [16, 8, 4, 2] {
                    self.scan_of_alpha("figure 8 by alpha", &text, (64, k), alpha)?;
                }
            }
        }
        Ok(())
    }

    fn figure_9(&mut self) -> Outcome<()> {
        for sigma in [4, 8, 16, 32, 64, 128, 256] {
            let symbols = random_text(self.options.symbols, sigma);
            let text = Text::new(&self.device, &symbols)?;
            let part = Text::new(&self.device, &symbols[..symbols.len().min(TUNED)])?;
            for k in KS {
                self.all("figure 9", &text, &part, &text.pattern(64), k, &json!({ "sigma": sigma }))?;
            }
        }
        Ok(())
    }

    /// Measures figure 10 for random DNA and for the given texts.
    fn corpora(&mut self) -> Outcome<()> {
        let n = self.options.symbols.min(CORPUS);
        let bases = random_text(n, 4).iter().map(|symbol| b"ACGT"[usize::from(symbol % 4)]).collect();
        self.figure_10("random DNA", bases)?;
        for (name, path) in self.options.corpora.clone() {
            let file = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
            if file.is_empty() {
                return Err(format!("{path}: no text").into());
            }
            let mut symbols = Vec::with_capacity(n);
            while symbols.len() < n {
                symbols.extend_from_slice(&file[..file.len().min(n - symbols.len())]);
            }
            self.figure_10(&name, symbols)?;
        }
        Ok(())
    }

    fn figure_10(&mut self, corpus: &str, symbols: Vec<u8>) -> Outcome<()> {
        let text = Text::new(&self.device, &symbols)?;
        let short = Text::new(&self.device, start_of(&symbols))?;
        let part = Text::new(&self.device, &symbols[..symbols.len().min(TUNED)])?;
        for (k, m) in KS.into_iter().flat_map(|k| [4, 8, 16, 32, 64].map(|m| (k, m))) {
            let pattern = Pattern::literal(&symbols[..m.min(symbols.len())]);
            self.all("figure 10", &text, &part, &pattern, k, &json!({ "corpus": corpus }))?;
            self.xbitpar("figure 10", &short, &pattern, k, json!({ "corpus": corpus }))?;
        }
        Ok(())
    }

    /// Returns the fastest option of an algorithm, for this pattern in a part of the text.
    fn fastest<T: Copy>(
        &self,
        part: &Text<'_, D>,
        pattern: &Pattern,
        (name, k): (&str, u32),
        options: impl Iterator<Item = T>,
        tuning: impl Fn(T) -> String,
    ) -> Outcome<T> {
        let mut best: Option<(f64, T)> = None;
        for option in options {
            let seconds = self.seconds(part, pattern, Named { name, tuning: &tuning(option) }, k)?;
            let median = common::median(&seconds);
            if best.is_none_or(|(least, _)| median < least) {
                best = Some((median, option));
            }
        }
        Ok(best.ok_or("nothing to choose from")?.1)
    }

    fn rivals(&self, part: &Text<'_, D>, pattern: &Pattern, k: u32) -> Outcome<Rivals> {
        let original = Tile::all().filter(|tile| tile.alpha == 1);
        let tiled = Tile::all().filter(|tile| tile.alpha > 1);
        Ok(Rivals {
            original: self.fastest(part, pattern, ("gbpr", k), original, Tile::tuning)?,
            tiled: self.fastest(part, pattern, ("gbpr", k), tiled, Tile::tuning)?,
        })
    }

    /// Measures the paper's algorithm with both tables, GBPR, and carrywave's own algorithms.
    fn all(
        &mut self,
        figure: &str,
        text: &Text<'_, D>,
        part: &Text<'_, D>,
        pattern: &Pattern,
        k: u32,
        varied: &Value,
    ) -> Outcome<()> {
        let ours = if k == 0 { "shift-or" } else { "wu-manber" };
        let [paper, banked] = ["table=paper", "table=banks"].map(|tuning| Named { name: "scan", tuning });
        for (engine, algorithm) in [(ours, plain(ours)), ("scan", paper), ("scan, banked table", banked)] {
            self.point(figure, text, pattern, (engine, algorithm, k), varied.clone())?;
        }
        let Rivals { original, tiled } = self.rivals(part, pattern, k)?;
        for (engine, tile) in [("gbpr", original), ("gbpr, tiled", tiled)] {
            let gbpr = Named { name: "gbpr", tuning: &tile.tuning() };
            self.point(figure, text, pattern, (engine, gbpr, k), tile.describe(varied.clone()))?;
        }
        Ok(())
    }

    fn xbitpar(
        &mut self,
        figure: &str,
        text: &Text<'_, D>,
        pattern: &Pattern,
        k: u32,
        mut varied: Value,
    ) -> Outcome<()> {
        let tuning = |segment: u32| format!("segment={segment}");
        let segments = [1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14].into_iter();
        let segment = self.fastest(text, pattern, ("xbitpar", k), segments, tuning)?;
        varied["segment"] = json!(segment);
        let xbitpar = Named { name: "xbitpar", tuning: &tuning(segment) };
        self.point(figure, text, pattern, ("xbitpar", xbitpar, k), varied)
    }

    /// Returns the seconds of a search in each run.
    fn seconds(&self, text: &Text<'_, D>, pattern: &Pattern, algorithm: Named<'_>, k: u32) -> Outcome<Vec<f64>> {
        let patterns = std::slice::from_ref(pattern);
        self.time(&mut prepare(&text.on_gpu, algorithm, patterns, k, ResultKind::Bytes)?)
    }

    /// Adds a row.
    fn point(
        &mut self,
        figure: &str,
        text: &Text<'_, D>,
        pattern: &Pattern,
        (engine, algorithm, k): (&str, Named<'_>, u32),
        mut varied: Value,
    ) -> Outcome<()> {
        let seconds = self.seconds(text, pattern, algorithm, k)?;
        let m = pattern.len();
        let n = text.symbols.len();
        let symbols_a_second = n as f64 / common::median(&seconds);
        (varied["k"], varied["m"], varied["n"]) = (json!(k), json!(m), json!(n));
        varied["tbps"] = json!(8.0 * symbols_a_second / 1e12);
        varied["moved_tbps"] = json!(16.0 * symbols_a_second / 1e12);
        varied["percent_of_copying"] = json!(100.0 * 2.0 * symbols_a_second / self.copied);
        self.row(figure, &format!("k {k}"), engine, (m, n), &seconds, varied);
        Ok(())
    }
}
