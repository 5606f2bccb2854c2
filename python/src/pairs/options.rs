//! The arguments that all functions for many pairs take.

use crate::dtype::MISSING;
use crate::strings::Strings;
use crate::symbols::Symbols;
use crate::work::Size;
use carrywave::device::{Engine, EngineKind};
use carrywave::io::output::Shortened;
use carrywave::job::Progress;
use carrywave::pairs::{Cost, Pairs};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::sync::Arc;

/// Options of a computation.
pub(super) struct PairOptions {
    cost: Cost,
    most: Option<u32>,
    similarity: Option<f64>,
    pub(super) engine: Option<Arc<dyn Engine>>,
}

impl PairOptions {
    pub(super) fn new(scorer: &str, most: Option<u32>, engine: Option<&Bound<'_, PyAny>>) -> PyResult<Self> {
        let cost = match scorer {
            "levenshtein" => Cost::Levenshtein,
            "indel" => Cost::Indel,
            "osa" => Cost::Osa,
            other => {
                return Err(PyValueError::new_err(format!(
                    "a scorer is 'levenshtein', 'indel' or 'osa', not '{}'",
                    Shortened(other)
                )));
            }
        };
        if let Some(most) = most.filter(|&most| most > MAX_CUTOFF) {
            let reason =
                format!("a score_cutoff is at most {MAX_CUTOFF}, not {most}: without one all distances are computed");
            return Err(PyValueError::new_err(reason));
        }
        Ok(Self { cost, most, similarity: None, engine: crate::engines::engine(engine)? })
    }

    /// Sets the least normalised similarity, and refuses calls without any bound.
    pub(super) fn near(self, similarity: Option<f64>) -> PyResult<Self> {
        if self.most.is_none() && similarity.is_none() {
            return Err(PyValueError::new_err("give a score_cutoff, such as 2, or a similarity, such as 0.9, or both"));
        }
        Ok(self.similar(similarity))
    }

    /// Sets the least normalised similarity.
    pub(super) fn similar(self, similarity: Option<f64>) -> Self {
        Self { similarity, ..self }
    }

    /// Returns the job.
    pub(super) fn pairs<'p>(&self, progress: Progress<'p>) -> Pairs<'p> {
        let pairs = self.on_host(progress);
        match &self.engine {
            Some(engine) => pairs.on(&**engine),
            None => pairs,
        }
    }

    /// Returns the job without its engine.
    pub(super) fn on_host<'p>(&self, progress: Progress<'p>) -> Pairs<'p> {
        let pairs = Pairs::new().cost(self.cost).on_progress(progress);
        let pairs = match self.most {
            Some(most) => pairs.maximum(most),
            None => pairs,
        };
        match self.similarity {
            Some(least) => pairs.similarity(least),
            None => pairs,
        }
    }

    /// Returns true if listed pairs are compared on the CPU.
    pub(super) fn is_on_cpu(&self) -> bool {
        self.engine.as_ref().is_none_or(|engine| engine.kind() == EngineKind::Cpu)
    }

    /// Returns the size of a job of `cells` cells in `pairs` pairs.
    pub(super) fn size(&self, cells: u64, pairs: usize) -> Size {
        Size::from(cells).and_items(pairs).on(self.engine.as_ref())
    }

    /// Returns the size of a job that compares all strings of two lists.
    pub(super) fn table(&self, a: &Strings<'_>, b: &Strings<'_>) -> Size {
        self.size(a.symbols().saturating_mul(b.symbols()), a.all.len().saturating_mul(b.all.len()))
    }

    /// Returns the size of a job that compares all strings of a list with one another.
    pub(super) fn half_table(&self, strings: &Strings<'_>) -> Size {
        let pairs = strings.all.len().saturating_mul(strings.all.len()) / 2;
        self.size(strings.symbols().saturating_mul(strings.symbols()) / 2, pairs)
    }

    /// Returns a distance as it is reported: the cutoff plus 1 for a distance above the cutoff,
    /// always below [`MISSING`].
    pub(super) fn reported(&self, distance: u32) -> i32 {
        distance.min(self.most.unwrap_or(MAX_CUTOFF) + 1).cast_signed()
    }

    /// Returns the maximum distance that can be reported for two of these strings.
    pub(super) fn max_reported(&self, a: &Strings<'_>, b: &Strings<'_>) -> u64 {
        let longest = |strings: &Strings<'_>| strings.all.iter().flatten().map(Symbols::len).max().unwrap_or(0) as u64;
        let (a, b) = (longest(a), longest(b));
        let most = if self.cost == Cost::Indel { a + b } else { a.max(b) };
        self.most.map_or(most, |cutoff| most.min(u64::from(cutoff) + 1)).min(u64::from(MAX_CUTOFF) + 1)
    }
}

/// Maximum cutoff. A distance above it is reported as one more, which is below [`MISSING`].
const MAX_CUTOFF: u32 = MISSING.cast_unsigned() - 2;
