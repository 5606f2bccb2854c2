//! Scores from the distances of [`Pairs`](crate::pairs::Pairs), which computes many pairs faster.

use super::ratio;
use super::scorer::{Kind, Measure, Parameters, Score, Scorer, Weights, of_distance, of_similarity};
use crate::pairs::Cost;

impl Scorer {
    /// Returns the cost of [`Pairs`](crate::pairs::Pairs) whose distances give this score, or
    /// `None` if there is none. For `token-sort-ratio`, the strings must be
    /// processed by [`sorted_words`](super::sorted_words) before.
    ///
    /// ```
    /// use carrywave::pairs::{Cost, Pairs};
    /// use carrywave::scorers::{Kind, Parameters, named};
    ///
    /// let (ratio, parameters) = (named("ratio")?, Parameters::DEFAULT);
    /// assert_eq!(ratio.pair_cost(&parameters), Some(Cost::Indel));
    /// let distances = Pairs::new().cost(Cost::Indel).matrix(&["wave"], &["wave", "carry"])?;
    /// let scores = distances[0].iter().zip([4, 5]).map(|(distance, n)| {
    ///     let distance = u64::from(distance.unwrap_or(u32::MAX));
    ///     ratio.score_of_pair(Kind::Similarity, [4, n], distance, &parameters, None).value()
    /// });
    /// assert_eq!(scores.collect::<Vec<f64>>()[0], 100.0);
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn pair_cost(&self, parameters: &Parameters) -> Option<Cost> {
        let weights = parameters.weights;
        let is_even = weights.insertion == weights.deletion;
        match self.name {
            "levenshtein" if is_even && weights.deletion == weights.replacement => Some(Cost::Levenshtein),
            "levenshtein" if is_even && weights.replacement >= weights.insertion.saturating_mul(2) => Some(Cost::Indel),
            "indel" | "lcs" | "ratio" | "quick-ratio" | "token-sort-ratio" => Some(Cost::Indel),
            _ => None,
        }
    }

    /// Returns the score of two strings of these lengths from their distance by the cost that
    /// [`pair_cost`](Self::pair_cost) returns, as in its [example](Self::pair_cost).
    pub fn score_of_pair(
        &self,
        kind: Kind,
        lengths: [usize; 2],
        distance: u64,
        parameters: &Parameters,
        limit: Option<Score>,
    ) -> Score {
        let [m, n] = lengths;
        match self.measure {
            Measure::Distance { maximum, .. } => {
                let own = match self.name {
                    "levenshtein" => distance.saturating_mul(parameters.weights.insertion),
                    "lcs" => m.max(n) as u64 - ((m + n) as u64).saturating_sub(distance) / 2,
                    _ => distance,
                };
                of_distance(kind, || maximum(m, n, parameters), limit, |_| own)
            }
            Measure::Similarity { optimal, .. } => of_similarity(kind, optimal, limit, |least| {
                let is_empty = self.name == "quick-ratio" && (m == 0 || n == 0);
                if is_empty { 0.0 } else { ratio::of_distance(m + n, 0, least, |_| distance) }
            }),
        }
    }

    /// Computes the scores of a string of `m` symbols and strings of the given lengths from their
    /// distances, as [`score_of_pair`](Self::score_of_pair) does for one pair, but faster. Missing
    /// lengths and distances leave the scores unchanged. Scores are as in the
    /// [example](Self::pair_cost).
    #[expect(clippy::too_many_arguments, reason = "a call computes many scores")]
    pub fn scores_of_pairs(
        &self,
        kind: Kind,
        parameters: &Parameters,
        limit: Option<Score>,
        m: usize,
        lengths: &[u32],
        distances: &[u32],
        scores: &mut [f64],
    ) {
        let pairs = || lengths.iter().zip(distances);
        let is_percent = matches!((self.measure, kind), (Measure::Similarity { .. }, Kind::Similarity));
        let is_simple = m < 1 << 30 && parameters.weights == Weights::UNIT;
        if !is_simple || matches!(self.measure, Measure::Similarity { .. }) && !is_percent {
            for (score, (&n, &distance)) in scores.iter_mut().zip(pairs()) {
                *score = self.score_of_pair(kind, [m, n as usize], distance.into(), parameters, limit).value();
            }
            return;
        }
        // First the distances, with the maxima beside them, then the scores: each loop is simple.
        let length = m as f64;
        let longest = |n: u32| length.max(f64::from(n));
        let mut maxima: Vec<f64> = match self.name {
            "levenshtein" | "lcs" => lengths.iter().map(|&n| longest(n)).collect(),
            _ => lengths.iter().map(|&n| length + f64::from(n)).collect(),
        };
        match self.name {
            "lcs" => scores.iter_mut().zip(pairs()).for_each(|(score, (&n, &distance))| {
                *score = longest(n) - (length + f64::from(n) - f64::from(distance)) / 2.0;
            }),
            _ => scores.iter_mut().zip(distances).for_each(|(score, &distance)| *score = f64::from(distance)),
        }
        if self.name == "quick-ratio" {
            // Nothing is similar to an empty string.
            let values = maxima.iter_mut().zip(scores.iter_mut()).zip(lengths);
            values.filter(|(_, n)| m == 0 || **n == 0).for_each(|((maximum, score), _)| {
                *maximum = 1.0;
                *score = 1.0;
            });
        }
        let is_whole = self.is_whole(kind);
        let limit = limit.map(|limit| if is_whole { limit.whole() as f64 } else { limit.value() });
        let (most, least) = (limit.unwrap_or(f64::INFINITY), limit.unwrap_or(0.0));
        let each = scores.iter_mut().zip(&maxima);
        let share = |distance: f64, maximum: f64| distance / maximum.max(1.0);
        match kind {
            Kind::Distance => each.for_each(|(score, _)| *score = if *score <= most { *score } else { most + 1.0 }),
            Kind::Similarity if is_percent => each.for_each(|(score, &maximum)| {
                let value = 1.0 - share(*score, maximum);
                *score = if value >= least / 100.0 { value * 100.0 } else { 0.0 };
            }),
            Kind::Similarity => each.for_each(|(score, &maximum)| {
                let value = maximum - *score;
                *score = if value >= least { value } else { 0.0 };
            }),
            Kind::NormalizedDistance => each.for_each(|(score, &maximum)| {
                let value = share(*score, maximum);
                *score = if value <= most { value } else { 1.0 };
            }),
            Kind::NormalizedSimilarity => each.for_each(|(score, &maximum)| {
                let value = 1.0 - share(*score, maximum);
                *score = if value >= least { value } else { 0.0 };
            }),
        }
    }
}
