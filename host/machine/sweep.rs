//! The time units of a kernel for many sizes, widths and latencies.

use super::fit::{Coefficient, Fit, Term};
use super::kernels::{Case, MachineKernel};
use super::model::{Machine, Mode, Model};
use crate::error::{Error, Result, UsageFault};
use crate::io::output::Shortened;
use serde::Serialize;
use simt_std::simulator::Spaces;
use std::fmt;
use std::str::FromStr;

/// Largest number of points of a sweep.
const MAX_POINTS: usize = 10_000;

/// The values of each letter, for all combinations: `m=16,32,n=256:1024:256,l=1,100`. A range is
/// first:last:step. See the [example](Sweep).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Ranges {
    values: Vec<(char, Vec<u64>)>,
}

/// The letters of [`Ranges`].
const LETTERS: &str = "mnpwlk";

impl FromStr for Ranges {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let mut values: Vec<(char, Vec<u64>)> = Vec::new();
        for part in text.split(',') {
            let list = match part.split_once('=') {
                Some((name, list)) => {
                    let letter = LETTERS.chars().find(|letter| name.chars().eq([*letter]));
                    let Some(letter) = letter.filter(|letter| values.iter().all(|(known, _)| known != letter)) else {
                        return Err(UsageFault::Syntax.error(format!(
                            "`{}` cannot be swept; use each of m, n, p, w, l and k at most once",
                            Shortened(name)
                        )));
                    };
                    values.push((letter, Vec::new()));
                    list
                }
                None => part,
            };
            let Some((_, known)) = values.last_mut() else {
                return Err(
                    UsageFault::Syntax.error(format!("a sweep starts with a parameter, such as n={}", Shortened(part)))
                );
            };
            range(list, known)?;
        }
        Ok(Self { values })
    }
}

/// Adds a number, or a range of numbers.
fn range(text: &str, values: &mut Vec<u64>) -> Result<()> {
    let wrong =
        || UsageFault::Syntax.error(format!("`{}` is neither a number nor a range first:last:step", Shortened(text)));
    let numbers: Vec<u64> = text.split(':').map(|number| number.parse().map_err(|_| wrong())).collect::<Result<_>>()?;
    let (first, last, step) = match numbers[..] {
        [one] => (one, one, 1),
        [first, last, step] if first <= last && step > 0 => (first, last, step),
        _ => return Err(wrong()),
    };
    if (last - first) / step >= MAX_POINTS as u64 {
        return Err(too_many());
    }
    values.extend((first..=last).step_by(usize::try_from(step).unwrap_or(usize::MAX)));
    Ok(())
}

fn too_many() -> Error {
    UsageFault::TooLarge.error(format!("a sweep has at most {MAX_POINTS} points; give fewer values"))
}

/// A point of a sweep. See the [example](Sweep).
#[derive(Debug, Clone, Serialize)]
pub struct Point {
    /// The sizes.
    #[serde(flatten)]
    pub case: Case,
    /// The latency.
    pub l: u64,
    /// The counted time units.
    pub time: u64,
    /// Time units by the kernel's closed form; `None` if it has none.
    pub closed_form: Option<u64>,
    /// Time units by the fit.
    pub fitted: f64,
}

/// A sweep, and the fit of the terms to it.
///
/// ```
/// use carrywave::machine::fit::Term;
/// use carrywave::machine::kernels::{Case, MachineKernel};
/// use carrywave::machine::sweep::{Ranges, Sweep};
/// use carrywave::machine::{Machine, Model};
/// use simt_std::simulator::Spaces;
///
/// let kernel = MachineKernel::named("contiguous")?;
/// let ranges: Ranges = "n=1024:4096:1024,p=64,128".parse()?;
/// let terms = ["nl/p", "n/w"]
///     .map(|term| term.parse::<Term>())
///     .into_iter()
///     .collect::<Result<Vec<_>, _>>()?;
/// let machine = Machine::new(Model::Umm, 32, 100);
/// let case = Case::new(0, 0, 0, 0, 32);
/// let sweep = Sweep::new(
///     kernel,
///     (&machine, &case),
///     &ranges,
///     &terms,
///     Spaces { global: true, shared: false },
/// )?;
/// assert_eq!((sweep.points.len(), sweep.points[0].letter('n')), (8, 1024));
/// assert!(sweep.fit.r_squared > 0.99 && sweep.fit.coefficients[0].term == "nl/p");
/// # Ok::<(), carrywave::Error>(())
/// ```
#[derive(Debug, Clone, Serialize)]
pub struct Sweep {
    /// The kernel's name.
    pub kernel: &'static str,
    /// The type of machine.
    pub model: Model,
    /// The order of warps: lockstep or free.
    pub mode: Mode,
    /// The points; the last letter of the ranges varies fastest.
    pub points: Vec<Point>,
    /// The sum of terms that is closest to the points.
    pub fit: Fit,
    /// The letters that vary.
    #[serde(skip)]
    pub varying: Vec<char>,
    /// The letters that the kernel depends on.
    #[serde(skip)]
    letters: &'static str,
}

impl Ranges {
    /// Returns all combinations; the last letter varies fastest.
    fn cases(&self, machine: &Machine, case: &Case) -> Result<Vec<(Machine, Case)>> {
        let count = self.values.iter().try_fold(1usize, |count, (_, values)| count.checked_mul(values.len()));
        if count.is_none_or(|count| count > MAX_POINTS) {
            return Err(too_many());
        }
        let mut all = vec![(*machine, *case)];
        for (letter, values) in &self.values {
            let mut next = Vec::new();
            for (machine, case) in &all {
                for &value in values {
                    let mut machine = *machine;
                    let mut case = *case;
                    let small = || {
                        u32::try_from(value)
                            .map_err(|_| UsageFault::Range.error(format!("{letter} must be at most {}", u32::MAX)))
                    };
                    match letter {
                        'm' => case.m = value,
                        'n' => case.n = value,
                        'p' => case.p = small()?,
                        'k' => case.k = small()?,
                        'l' => machine.latency = value,
                        _ => (machine.width, case.w) = (value, value),
                    }
                    next.push((machine, case));
                }
            }
            all = next;
        }
        Ok(all)
    }
}

impl Sweep {
    /// Runs a kernel on all combinations of the ranges; other letters have their values in
    /// `machine` and `case`. See the [example](Self).
    ///
    /// # Errors
    /// [`Error::Usage`] with [`UsageFault::Range`] or [`UsageFault::TooLarge`] for sizes that the
    /// kernel does not take, and with [`UsageFault::Mismatch`] if the terms cannot be fitted to the
    /// points.
    pub fn new(
        kernel: &MachineKernel,
        (machine, case): (&Machine, &Case),
        ranges: &Ranges,
        terms: &[Term],
        spaces: Spaces,
    ) -> Result<Self> {
        ranges.values.iter().try_for_each(|(letter, _)| kernel.check(*letter))?;
        let cases = ranges.cases(machine, case)?;
        let mut order: Vec<usize> = (0..cases.len()).collect();
        // All machines share one run of the kernel.
        let run = |i: usize| {
            let case = cases[i].1;
            if kernel.depends_on_width { case } else { Case { w: 0, ..case } }
        };
        order.sort_by_key(|&i| (run(i).m, run(i).n, run(i).p, run(i).k, run(i).w));
        let mut times = vec![0; cases.len()];
        for same in order.chunk_by(|&a, &b| run(a) == run(b)) {
            for &i in same {
                cases[i].0.check()?;
            }
            let trace = kernel.record(&cases[same[0]].1, spaces)?;
            for &i in same {
                times[i] = cases[i].0.run(&trace)?.time;
            }
        }
        let values = |(machine, case): &(Machine, Case)| -> Vec<f64> {
            terms.iter().map(|term| term.value(machine, case)).collect()
        };
        let rows: Vec<_> = cases.iter().zip(&times).map(|(case, time)| (values(case), *time as f64)).collect();
        let fit = Fit::new(terms, &rows)?;
        let points = cases.iter().zip(&times).zip(&rows).map(|(((machine, case), &time), (values, _))| Point {
            case: *case,
            l: machine.latency,
            time,
            closed_form: kernel.closed_form(machine, case),
            fitted: fit.value(values),
        });
        let points = points.collect();
        let varying = ranges.values.iter().filter(|(_, values)| values.len() > 1).map(|(letter, _)| *letter).collect();
        Ok(Self {
            kernel: kernel.name,
            model: machine.model,
            mode: machine.mode,
            points,
            fit,
            varying,
            letters: kernel.letters,
        })
    }
}

impl Point {
    /// Returns the value of a letter of [`Ranges`]. See the [example](Sweep).
    pub fn letter(&self, letter: char) -> u64 {
        match letter {
            'm' => self.case.m,
            'n' => self.case.n,
            'p' => self.case.p.into(),
            'k' => self.case.k.into(),
            'w' => self.case.w,
            _ => self.l,
        }
    }
}

impl Sweep {
    /// Returns the letters to show.
    fn letters(&self) -> impl Iterator<Item = char> {
        self.letters.chars().chain(['w', 'l'])
    }
}

impl fmt::Display for Sweep {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let model = self.model.to_string().to_uppercase();
        writeln!(f, "{} on a {model}, {}", self.kernel, self.mode)?;
        writeln!(f, "time: in time units; in each one stage of accesses enters the memory's pipeline\n")?;
        for letter in self.letters() {
            write!(f, "{letter:>8} ")?;
        }
        writeln!(f, "{:>12} {:>12} {:>14}", "time", "closed form", "fit")?;
        for point in &self.points {
            for letter in self.letters() {
                write!(f, "{:>8} ", point.letter(letter))?;
            }
            let closed = point.closed_form.map_or_else(|| "-".to_string(), |time| time.to_string());
            writeln!(f, "{:>12} {closed:>12} {:>14.1}", point.time, point.fitted)?;
        }
        writeln!(f, "\n{:<10} {:>14}   95 % confidence", "term", "coefficient")?;
        for Coefficient { term, value, margin } in &self.fit.coefficients {
            writeln!(f, "{term:<10} {value:>14.6}   {:.6} to {:.6}", value - margin, value + margin)?;
        }
        writeln!(f, "R² = {:.6}, largest error {:.1} time units", self.fit.r_squared, self.fit.largest_error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_and_ranges() {
        let ranges: Ranges = "m=1,2,n=10:30:10,l=7".parse().unwrap();
        assert_eq!(ranges.values, [('m', vec![1, 2]), ('n', vec![10, 20, 30]), ('l', vec![7])]);
        let case = Case::new(0, 0, 0, 0, 0);
        let all = ranges.cases(&Machine::new(Model::Dmm, 4, 1), &case).unwrap();
        let sizes: Vec<_> = all.iter().map(|(machine, case)| (case.m, case.n, machine.latency)).collect();
        assert_eq!(sizes, [(1, 10, 7), (1, 20, 7), (1, 30, 7), (2, 10, 7), (2, 20, 7), (2, 30, 7)]);
    }

    #[test]
    fn what_is_no_sweep() {
        for bad in
            ["", "5", "x=1", "mn=1", "m=1,m=2", "m=", "m=1:2", "m=2:1:1", "m=1:2:0", "m=1:99999999:1", "m=-1", "=1"]
        {
            assert!(matches!(bad.parse::<Ranges>(), Err(Error::Usage { .. })), "{bad}");
        }
        let ranges: Ranges = "m=1:200:1,n=1:200:1".parse().unwrap();
        let case = Case::new(0, 0, 0, 0, 0);
        assert!(ranges.cases(&Machine::new(Model::Dmm, 4, 1), &case).is_err());
    }
}
