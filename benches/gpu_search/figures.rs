//! `--figures`: the figures of Mitani, Ino and Hagihara (2017), section 6, with the paper's algorithm, both of its rivals and
//! ours. A byte out for each position, as there.
//!
//! | part | varies | text |
//! |---|---|---|
//! | `gbpr tuning` | s and α of the tiled GBPR, m = 64 | a sixteenth of the symbols, σ = 64 |
//! | `figure 6` | α of the scan | n symbols, σ = 64 |
//! | `figure 7` | m | the same |
//! | `figure 8` | n, m = 64 | the start of it |
//! | `figure 9` | σ, m = 64 | n symbols |
//! | `figure 10` | the text, m = 32 and 64: its first symbols | `--corpus`, repeated to 2^30, and random bases |
//!
//! XBitPar, a hundred times slower, searches a sixteenth of the text: `n` of its rows says so.

use super::{Bench, Named, Outcome, common, plain, prepare, random_text};
use carrywave::device::Device;
use carrywave::search::gpu::{DeviceText, ResultKind};
use carrywave::text::Pattern;
use serde_json::{Value, json};
use std::cell::RefCell;
use std::sync::Arc;

/// Errors of each figure: (a), (b), (c).
const KS: [u32; 3] = [0, 1, 2];

/// Symbols of a corpus.
const CORPUS: usize = 1 << 30;

/// How much more text the others search than XBitPar.
const SLOWER: usize = 16;

/// The paper's alphabet.
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

    /// m symbols from its middle, or fewer.
    fn pattern(&self, m: usize) -> Pattern {
        let half = self.symbols.len() / 2;
        Pattern::literal(&self.symbols[half..][..m.min(self.symbols.len() - half)])
    }
}

/// s and α of GBPR.
#[derive(Clone, Copy)]
struct Tile {
    segment: u32,
    alpha: u32,
}

impl Tile {
    /// As published.
    const PUBLISHED: Self = Self { segment: 8, alpha: 1 };

    fn tuning(self) -> String {
        format!("segment={},alpha={}", self.segment, self.alpha)
    }
}

/// A part of the text for XBitPar.
fn start_of(symbols: &[u8]) -> &[u8] {
    &symbols[..symbols.len().div_ceil(SLOWER)]
}

impl<D: Device> Bench<D> {
    /// All figures.
    pub fn figures(&mut self) -> Outcome<()> {
        let symbols = random_text(self.options.symbols, SIGMA);
        let short = Text::new(&self.device, start_of(&symbols))?;
        let tiled = self.tuned(&short)?;
        {
            let text = Text::new(&self.device, &symbols)?;
            for k in KS {
                let alphas: &[u32] = if k == 0 { &[1, 2, 4, 8, 16, 32] } else { &[4, 16] };
                for (m, &alpha) in [16, 32, 64].into_iter().flat_map(|m| alphas.iter().map(move |alpha| (m, alpha))) {
                    let varied = json!({ "alpha": alpha, "sigma": SIGMA });
                    let tuning = format!("alpha={alpha},table=paper");
                    let scan = Named { name: "scan", tuning: &tuning };
                    self.point("figure 6", &text, &text.pattern(m), ("scan", scan, k), varied)?;
                }
            }
            self.save()?;
            for (k, m) in KS.into_iter().flat_map(|k| [8, 16, 24, 32, 33, 40, 48, 56, 64].map(|m| (k, m))) {
                let varied = json!({ "sigma": SIGMA });
                self.all("figure 7", &text, &text.pattern(m), k, &tiled, &varied)?;
                self.xbitpar("figure 7", &short, &text.pattern(m), k, varied)?;
            }
            self.save()?;
        }
        drop(short);
        for n in (16..).map(|bits| 1 << bits).take_while(|&n| n <= symbols.len()) {
            let text = Text::new(&self.device, &symbols[..n])?;
            for k in KS {
                self.all("figure 8", &text, &text.pattern(64), k, &tiled, &json!({ "sigma": SIGMA }))?;
            }
        }
        drop(symbols);
        for sigma in [4, 8, 16, 32, 64, 128, 256] {
            let symbols = random_text(self.options.symbols, sigma);
            let text = Text::new(&self.device, &symbols)?;
            for k in KS {
                self.all("figure 9", &text, &text.pattern(64), k, &tiled, &json!({ "sigma": sigma }))?;
            }
        }
        self.save()?;
        let n = self.options.symbols.min(CORPUS);
        let bases = random_text(n, 4).iter().map(|symbol| b"ACGT"[usize::from(symbol % 4)]).collect();
        self.figure_10("random DNA", bases, &tiled)?;
        for (name, path) in self.options.corpora.clone() {
            let file = std::fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
            if file.is_empty() {
                return Err(format!("{path}: no text").into());
            }
            let mut symbols = Vec::with_capacity(n);
            while symbols.len() < n {
                symbols.extend_from_slice(&file[..file.len().min(n - symbols.len())]);
            }
            self.figure_10(&name, symbols, &tiled)?;
        }
        self.save()
    }

    fn figure_10(&mut self, corpus: &str, symbols: Vec<u8>, tiled: &[Tile]) -> Outcome<()> {
        let (text, short) = (Text::new(&self.device, &symbols)?, Text::new(&self.device, start_of(&symbols))?);
        for (k, m) in KS.into_iter().flat_map(|k| [32, 64].map(|m| (k, m))) {
            let pattern = Pattern::literal(&symbols[..m.min(symbols.len())]);
            self.all("figure 10", &text, &pattern, k, tiled, &json!({ "corpus": corpus }))?;
            self.xbitpar("figure 10", &short, &pattern, k, json!({ "corpus": corpus }))?;
        }
        Ok(())
    }

    /// For each k the fastest tiled GBPR.
    fn tuned(&mut self, text: &Text<'_, D>) -> Outcome<Vec<Tile>> {
        let mut fastest = Vec::new();
        for k in KS {
            let mut best: Option<(f64, Tile)> = None;
            for (segment, alpha) in
                [8, 16, 32, 64, 128, 256].into_iter().flat_map(|s| [1, 4, 8, 16].map(|alpha| (s, alpha)))
            {
                if segment % alpha != 0 {
                    continue;
                }
                let tile = Tile { segment, alpha };
                let varied = json!({ "segment": segment, "alpha": alpha });
                let gbpr = ("gbpr", Named { name: "gbpr", tuning: &tile.tuning() }, k);
                let seconds = self.point("gbpr tuning", text, &text.pattern(64), gbpr, varied)?;
                if alpha > 1 && best.is_none_or(|(least, _)| seconds < least) {
                    best = Some((seconds, tile));
                }
            }
            fastest.extend(best.map(|(_, tile)| tile));
        }
        Ok(fastest)
    }

    /// The paper's algorithm, with its table and ours, GBPR, and our own.
    fn all(
        &mut self,
        part: &str,
        text: &Text<'_, D>,
        pattern: &Pattern,
        k: u32,
        tiled: &[Tile],
        varied: &Value,
    ) -> Outcome<()> {
        let ours = if k == 0 { "shift-or" } else { "wu-manber" };
        let paper = Named { name: "scan", tuning: "table=paper" };
        for (engine, algorithm) in [(ours, plain(ours)), ("scan", paper), ("scan, banked table", plain("scan"))] {
            self.point(part, text, pattern, (engine, algorithm, k), varied.clone())?;
        }
        for (engine, tile) in [("gbpr", Tile::PUBLISHED), ("gbpr, tiled", tiled[k as usize])] {
            let mut varied = varied.clone();
            (varied["segment"], varied["alpha"]) = (json!(tile.segment), json!(tile.alpha));
            let gbpr = Named { name: "gbpr", tuning: &tile.tuning() };
            self.point(part, text, pattern, (engine, gbpr, k), varied)?;
        }
        Ok(())
    }

    fn xbitpar(&mut self, part: &str, text: &Text<'_, D>, pattern: &Pattern, k: u32, varied: Value) -> Outcome<()> {
        self.point(part, text, pattern, ("xbitpar", plain("xbitpar"), k), varied)?;
        Ok(())
    }

    /// A row; the median of its seconds.
    fn point(
        &mut self,
        part: &str,
        text: &Text<'_, D>,
        pattern: &Pattern,
        (engine, algorithm, k): (&str, Named<'_>, u32),
        mut varied: Value,
    ) -> Outcome<f64> {
        let patterns = std::slice::from_ref(pattern);
        let search = RefCell::new(prepare(&text.on_gpu, algorithm, patterns, k, ResultKind::Bytes)?);
        let launch = || search.borrow_mut().launch(0).map_err(Into::into);
        let seconds = self.time(launch, || search.borrow().wait().map_err(Into::into))?;
        let (m, n) = (pattern.len(), text.symbols.len());
        (varied["k"], varied["m"], varied["n"]) = (json!(k), json!(m), json!(n));
        varied["tbps"] = json!(8.0 * n as f64 / common::median(&seconds) / 1e12);
        Ok(self.row(part, &format!("k {k}"), engine, (m, n), &seconds, varied))
    }
}
