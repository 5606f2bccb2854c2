//! Scores from the distances of [`Pairs`](crate::pairs::Pairs), which computes many pairs faster.

use super::kind::{Kind, Score};
use super::of_pairs::{Strings, Value};
use super::parameters::Parameters;
use super::scorer::{Measure, Scorer, of_distance, of_similarity};
use super::values::Values;
use super::{jaro, jaro_winkler, ratio};
use crate::pairs::Cost;

/// Greater than all errors of rounding of a distance from a normalized score.
const SLACK: f64 = 1.0;

impl Scorer {
    /// Returns the cost of [`Pairs`](crate::pairs::Pairs) whose distances give this score, or
    /// `None` if there is none. If [`compares_words`](Self::compares_words) is true, the distances
    /// are those of [`sorted_words`](super::sorted_words).
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
    /// assert!(!ratio.compares_words());
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn pair_cost(&self, parameters: &Parameters) -> Option<Cost> {
        self.of_pairs.and_then(|of_pairs| of_pairs.cost(parameters))
    }

    /// Returns true if distances for scores are those of [`sorted_words`](super::sorted_words). As
    /// in the [example](Self::pair_cost).
    pub fn compares_words(&self) -> bool {
        self.of_pairs.is_some_and(|of_pairs| of_pairs.strings == Strings::SortedWords)
    }

    /// Returns a maximum for the distances of [`Pairs`](crate::pairs::Pairs): those of strings of
    /// at most `longest` symbols whose score is within the limit are not greater. `None` if there
    /// is no bound below 2^30.
    ///
    /// ```
    /// use carrywave::scorers::{Kind, Parameters, Score, named};
    ///
    /// let limit = Some(Score::Fraction(90.0));
    /// let (ratio, parameters) = (named("ratio")?, Parameters::DEFAULT);
    /// assert_eq!(ratio.pair_maximum(Kind::Similarity, [20, 30], &parameters, limit), Some(5));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    pub fn pair_maximum(
        &self,
        kind: Kind,
        longest: [usize; 2],
        parameters: &Parameters,
        limit: Option<Score>,
    ) -> Option<u32> {
        let (of_pairs, limit) = (self.of_pairs?, limit?);
        let limit = if self.is_whole(kind) { limit.whole() as f64 } else { limit.value() };
        let [m, n] = longest.map(|length| length as f64);
        let total = match of_pairs.value {
            Value::OfLonger | Value::Weighted => m.max(n),
            Value::OfBoth | Value::OfNonEmpty => m + n,
            Value::OutsideLcs | Value::OutsideAffix | Value::Jaro | Value::JaroWinkler => return None,
        };
        let is_percent = matches!((self.measure, kind), (Measure::Similarity { .. }, Kind::Similarity));
        let most = match kind {
            _ if !of_pairs.value.is_plain(parameters) => return None,
            _ if is_percent => (1.0 - limit / 100.0) * total + SLACK,
            Kind::NormalizedSimilarity => (1.0 - limit) * total + SLACK,
            Kind::NormalizedDistance => limit * total + SLACK,
            _ if matches!(self.measure, Measure::Similarity { .. }) => return None,
            Kind::Distance => limit,
            Kind::Similarity => total - limit,
        };
        (most < f64::from(1 << 30)).then_some(most.max(0.0) as u32)
    }

    /// Returns the score of two strings of these lengths from their distance by the cost that
    /// [`pair_cost`](Self::pair_cost) returns, as in its [example](Self::pair_cost). A distance
    /// above [`pair_maximum`](Self::pair_maximum) is any greater number.
    pub fn score_of_pair(
        &self,
        kind: Kind,
        lengths: [usize; 2],
        distance: u64,
        parameters: &Parameters,
        limit: Option<Score>,
    ) -> Score {
        let [m, n] = lengths;
        let value = self.of_pairs.map_or(Value::OfBoth, |of_pairs| of_pairs.value);
        match self.measure {
            Measure::Distance { maximum, .. } => {
                let own = match value {
                    Value::OutsideLcs => m.max(n) as u64 - ((m + n) as u64).saturating_sub(distance) / 2,
                    Value::OutsideAffix => (m.max(n) as u64).saturating_sub(distance),
                    Value::Weighted => distance.saturating_mul(parameters.weights.insertion),
                    _ => distance,
                };
                of_distance(kind, || maximum(m, n, parameters), limit, |_| own)
            }
            Measure::Similarity { optimal, .. } => of_similarity(kind, optimal, limit, |least| match value {
                Value::Jaro => jaro::of_number(lengths, distance as u32, least),
                Value::JaroWinkler => {
                    jaro_winkler::of_number(lengths, distance as u32, parameters.prefix_weight, least)
                }
                Value::OfNonEmpty if m == 0 || n == 0 => 0.0,
                _ => ratio::of_distance(m + n, 0, least, |_| distance),
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
        let value = self.of_pairs.map_or(Value::OfBoth, |of_pairs| of_pairs.value);
        let is_percent = matches!((self.measure, kind), (Measure::Similarity { .. }, Kind::Similarity));
        let is_simple = m < 1 << 30 && value.is_plain(parameters);
        if !is_simple || matches!(self.measure, Measure::Similarity { .. }) && !is_percent {
            for (score, (&n, &distance)) in scores.iter_mut().zip(lengths.iter().zip(distances)) {
                *score = self.score_of_pair(kind, [m, n as usize], distance.into(), parameters, limit).value();
            }
            return;
        }
        let values = Values { kind, value, is_percent, is_whole: self.is_whole(kind), limit, m };
        values.scores(lengths, distances, scores);
    }
}
