//! The coefficients of a theorem's terms in the counted time units, by least squares.

use super::kernels::Case;
use super::model::Machine;
use crate::error::{Error, Result, UsageFault};
use crate::io::output::Shortened;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// A product of m, n, p, w, l and k, or a quotient of such products: `mn/w`, `nl`, `ml/p`, `1`. See
/// the [example](super::sweep::Sweep).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    above: String,
    below: String,
}

impl FromStr for Term {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (above, below) = text.split_once('/').unwrap_or((text, ""));
        let letters = |part: &str| part.chars().all(|c| "mnpwlk".contains(c));
        let good = (above == "1" || !above.is_empty() && letters(above)) && letters(below);
        if !good || text.ends_with('/') {
            return Err(UsageFault::Syntax.error(format!(
                "`{}` is not a valid term; give 1 or a product of m, n, p, w, l and k, optionally over another product, \
                 such as mn/w",
                Shortened(text)
            )));
        }
        Ok(Self { above: above.trim_matches('1').into(), below: below.into() })
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let above = if self.above.is_empty() { "1" } else { &self.above };
        let over = if self.below.is_empty() { "" } else { "/" };
        f.pad(&format!("{above}{over}{}", self.below))
    }
}

impl Term {
    /// Returns the term's value. See the [example](super::sweep::Sweep).
    pub fn value(&self, machine: &Machine, case: &Case) -> f64 {
        let letter = |c: char| match c {
            'm' => case.m as f64,
            'n' => case.n as f64,
            'p' => f64::from(case.p),
            'w' => machine.width as f64,
            'l' => machine.latency as f64,
            _ => f64::from(case.k),
        };
        self.above.chars().map(letter).product::<f64>() / self.below.chars().map(letter).product::<f64>()
    }
}

/// A term with its coefficient. See the [example](super::sweep::Sweep).
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coefficient {
    /// The term.
    pub term: String,
    /// The coefficient.
    pub value: f64,
    /// Half the width of the 95 % confidence interval around the value.
    pub margin: f64,
}

/// The sum of terms that is closest to the counted time units.
///
/// ```
/// use carrywave::machine::fit::{Fit, Term};
///
/// let terms =
///     ["n", "1"].map(|term| term.parse::<Term>()).into_iter().collect::<Result<Vec<_>, _>>()?;
/// let points = [1.0, 2.0, 3.0, 4.0].map(|n| (vec![n, 1.0], 2.0 * n + 5.0));
/// let fit = Fit::new(&terms, &points)?;
/// assert!((fit.value(&[10.0, 1.0]) - 25.0).abs() < 1e-9);
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Fit {
    /// The coefficients, in the order of the given terms.
    pub coefficients: Vec<Coefficient>,
    /// 1 - (sum of squared errors) / (sum of squares around the mean); 1 if the counts are all
    /// equal.
    pub r_squared: f64,
    /// Largest error of a point, in time units.
    pub largest_error: f64,
}

impl Fit {
    /// Fits points by least squares. A point is the values of the terms and the counted time units.
    /// See the [example](Self).
    ///
    /// The confidence intervals are Student's, with the usual assumptions: independent errors with
    /// equal variance. Time units are counted, not measured, so the intervals show how well the
    /// terms describe the kernel.
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Mismatch`] if there are too few points, or if the points
    /// do not distinguish the terms, and with [`UsageFault::Range`] for a term over 0.
    pub fn new(terms: &[Term], points: &[(Vec<f64>, f64)]) -> Result<Self> {
        let rows = points.len();
        let columns = terms.len();
        let names = || terms.iter().map(Term::to_string).collect::<Vec<_>>().join(", ");
        if columns == 0 || rows <= columns {
            return Err(UsageFault::Mismatch.error(format!(
                "a fit of {columns} terms ({}) needs more than {columns} points, not {rows}; sweep more sizes",
                names()
            )));
        }
        if points.iter().any(|(values, _)| values.iter().any(|value| !value.is_finite())) {
            return Err(UsageFault::Range.error(format!(
                "a term of {} divides by 0 at one of the sizes; remove the term or the size",
                names()
            )));
        }
        let values = |column: usize| points.iter().map(|(values, _)| values[column]).collect();
        let wanted: Vec<f64> = points.iter().map(|(_, units)| *units).collect();
        let Some(factors) = Factors::new((0..columns).map(values)) else {
            return Err(UsageFault::Mismatch.error(format!(
                "these sizes do not separate the terms {}; sweep more values of m, n, p, w and l, or give fewer terms",
                names()
            )));
        };
        let solution = factors.solve(factors.q.iter().map(|q| dot(q, &wanted)).collect());
        let errors: Vec<f64> = points.iter().map(|(values, units)| units - dot(values, &solution)).collect();
        let squares = errors.iter().map(|error| error * error).sum::<f64>();
        let mean = wanted.iter().sum::<f64>() / rows as f64;
        let total = wanted.iter().map(|y| (y - mean) * (y - mean)).sum::<f64>();
        let variance = squares / (rows - columns) as f64;
        let inverse = factors.inverse();
        let coefficient = |(column, term): (usize, &Term)| {
            let spread: f64 = inverse.iter().map(|of_r| of_r[column].powi(2)).sum();
            Coefficient {
                term: term.to_string(),
                value: solution[column],
                margin: student(rows - columns) * (variance * spread).sqrt(),
            }
        };
        Ok(Self {
            coefficients: terms.iter().enumerate().map(coefficient).collect(),
            r_squared: if total > 0.0 { 1.0 - squares / total } else { 1.0 },
            largest_error: errors.iter().fold(0.0, |most: f64, error| most.max(error.abs())),
        })
    }

    /// Returns the fitted sum for the terms' values at a point. See the [example](Self).
    pub fn value(&self, values: &[f64]) -> f64 {
        self.coefficients.iter().zip(values).map(|(coefficient, value)| coefficient.value * value).sum()
    }
}

/// The factors of a matrix X = Q R: the columns of Q have length 1 and are orthogonal, and R is
/// upper triangular.
struct Factors {
    /// The columns of Q.
    q: Vec<Vec<f64>>,
    /// The columns of R down to the diagonal.
    r: Vec<Vec<f64>>,
}

impl Factors {
    /// Factors a matrix, given by its columns, by the Gram-Schmidt process. Each column passes
    /// twice, which keeps the columns of Q orthogonal. Returns `None` if a column depends on those
    /// before it, up to rounding.
    fn new(columns: impl Iterator<Item = Vec<f64>>) -> Option<Self> {
        let mut factors = Self { q: Vec::new(), r: Vec::new() };
        for mut column in columns {
            let least = 1e-9 * dot(&column, &column).sqrt();
            let mut r = vec![0.0; factors.q.len() + 1];
            for _pass in 0..2 {
                for (q, r) in factors.q.iter().zip(&mut r) {
                    let part = dot(q, &column);
                    *r += part;
                    column.iter_mut().zip(q).for_each(|(value, q)| *value -= part * q);
                }
            }
            let length = dot(&column, &column).sqrt();
            if length.is_nan() || length <= least {
                return None;
            }
            r[factors.q.len()] = length;
            factors.q.push(column.iter().map(|value| value / length).collect());
            factors.r.push(r);
        }
        Some(factors)
    }

    /// Returns the solution x of R x = `right`.
    fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        for (column, r) in self.r.iter().enumerate().rev() {
            right[column] /= r[column];
            for above in 0..column {
                right[above] -= r[above] * right[column];
            }
        }
        right
    }

    /// Returns the columns of the inverse of R.
    fn inverse(&self) -> Vec<Vec<f64>> {
        let count = self.r.len();
        let unit = |one: usize| (0..count).map(|i| if i == one { 1.0 } else { 0.0 }).collect();
        (0..count).map(|one| self.solve(unit(one))).collect()
    }
}

/// Returns the sum of the products of the values at equal positions.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Returns the 97.5 % quantile of Student's t distribution: from a table for few degrees of
/// freedom, by the Cornish-Fisher expansion for more.
fn student(freedom: usize) -> f64 {
    const FEW: [f64; 10] = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281];
    if let Some(value) = freedom.checked_sub(1).and_then(|i| FEW.get(i)) {
        return *value;
    }
    let z = 1.959_964_f64;
    let v = freedom as f64;
    let powers = [
        (z.powi(3) + z) / 4.0,
        (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0,
        (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0,
    ];
    z + powers[0] / v + powers[1] / v.powi(2) + powers[2] / v.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn terms(names: &[&str]) -> Vec<Term> {
        names.iter().map(|name| name.parse().unwrap()).collect()
    }

    #[test]
    fn a_line_with_noise_by_the_textbook() {
        // y = 1, 3, 2, 5 at x = 0, 1, 2, 3: slope 1.1, intercept 1.1, squared errors 2.7 of 8.75.
        let points: Vec<_> =
            [1.0, 3.0, 2.0, 5.0].into_iter().enumerate().map(|(x, y)| (vec![1.0, x as f64], y)).collect();
        let fit = Fit::new(&terms(&["1", "n"]), &points).unwrap();
        let close = |a: f64, b: f64| assert!((a - b).abs() < 1e-3, "{a} {b}");
        close(fit.coefficients[0].value, 1.1);
        close(fit.coefficients[1].value, 1.1);
        close(fit.r_squared, 1.0 - 2.7 / 8.75);
        close(fit.coefficients[0].margin, 4.3027 * (1.35f64 * (0.25 + 2.25 / 5.0)).sqrt());
        close(fit.coefficients[1].margin, 4.3027 * (1.35f64 / 5.0).sqrt());
        close(fit.largest_error, 1.3);
        close(fit.value(&[1.0, 2.0]), 3.3);
    }

    /// Terms that differ by orders of magnitude, and that are nearly the same at these sizes.
    #[test]
    fn terms_of_unlike_size_are_separated() {
        let names = terms(&["mn", "nl", "n", "1"]);
        let point =
            |m: f64, n: f64, l: f64| (vec![m * n, n * l, n, 1.0], 0.25 * m * n + 3.0 * n * l + 7.0 * n + 1000.0);
        let sizes = [10.0, 100.0, 1000.0].map(|m| [1e3, 1e5, 1e6].map(|n| [5.0, 5.01, 400.0].map(|l| point(m, n, l))));
        let points: Vec<_> = sizes.into_iter().flatten().flatten().collect();
        let fit = Fit::new(&names, &points).unwrap();
        for (coefficient, value) in fit.coefficients.iter().zip([0.25, 3.0, 7.0, 1000.0]) {
            assert!((coefficient.value - value).abs() < 1e-6 * value, "{coefficient:?}, not {value}");
            assert!(coefficient.margin < 1e-3 * value, "{coefficient:?}");
        }
        assert!(fit.r_squared > 0.999_999_999);
    }

    #[test]
    fn students_quantiles() {
        for (freedom, value) in [(1, 12.7062), (10, 2.2281), (11, 2.2010), (20, 2.0860), (60, 2.0003), (1000, 1.9623)] {
            assert!((student(freedom) - value).abs() < 2e-4, "{freedom}: {}", student(freedom));
        }
    }

    #[test]
    fn what_cannot_be_fitted() {
        let usage = |terms: &[Term], points: &[(Vec<f64>, f64)]| {
            assert!(matches!(Fit::new(terms, points), Err(Error::Usage { .. })));
        };
        usage(&[], &[(vec![], 1.0)]);
        usage(&terms(&["n"]), &[(vec![1.0], 1.0)]);
        usage(&terms(&["n", "m"]), &[1.0, 2.0, 3.0].map(|x| (vec![x, 2.0 * x], x)));
        usage(&terms(&["n"]), &[1.0, 2.0].map(|x| (vec![0.0 * x], x)));
        usage(&terms(&["n/k"]), &[1.0, 2.0].map(|x| (vec![x / 0.0], x)));
        for bad in ["", "/", "n/", "/w", "x", "1n", "n//w", "n/1w", "2"] {
            assert!(bad.parse::<Term>().is_err(), "{bad}");
        }
        for good in ["mn/w", "1", "1/w", "nl", "mnl/pw"] {
            assert_eq!(good.parse::<Term>().unwrap().to_string(), good);
        }
    }
}
