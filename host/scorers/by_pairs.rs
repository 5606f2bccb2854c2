//! Scores from the distances of [`Pairs`](crate::pairs::Pairs), which computes many pairs faster.

use super::ratio;
use super::scorer::{Kind, Measure, Parameters, Score, Scorer, of_distance, of_similarity};
use crate::pairs::Cost;

impl Scorer {
    /// Returns the cost by which [`Pairs`](crate::pairs::Pairs) computes distances that determine
    /// this score, or `None` if there is none. For `token-sort-ratio`, the strings must be
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
}
