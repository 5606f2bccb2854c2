//! The command line of this benchmark.

use crate::common::Outcome;
use crate::common::line::Line;
use crate::paper;
use std::fmt::Display;
use std::path::PathBuf;
use std::str::FromStr;

/// Millions of symbols of B in the paper's figures 4 to 7, from 0.1 to 10. Short strings are
/// denser, since the lines cross there.
const FIGURES: [f64; 14] = [0.1, 0.2, 0.5, 0.7, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0];

/// Options of the command line; `main.rs` describes each.
pub struct Options {
    only: Option<Vec<String>>,
    pub runs: usize,
    pub data: PathBuf,
    pub carrywave: Option<PathBuf>,
    pub gpus: usize,
    /// Millions of symbols of A, and of B, in `grid`.
    pub a: Vec<f64>,
    pub b: Vec<f64>,
    pub block_step_cells: f64,
    pub look_ahead_cells: f64,
    pub published_cells: f64,
    /// Numbers of threads for `grid` on the CPU alone, one after the other; empty for the GPU.
    pub cpu: Vec<usize>,
    pub rehearse: bool,
    pub line: Line,
}

/// Parses numbers separated by commas, at least one.
fn numbers<T: FromStr<Err: Display>>(text: &str) -> Outcome<Vec<T>> {
    text.split(',').map(|number| number.parse().map_err(|error| format!("{number}: {error}").into())).collect()
}

impl Options {
    pub fn read(parts: &[&str]) -> Outcome<Self> {
        let mut only = None;
        let mut data = "../shared/data".into();
        let mut carrywave = None;
        let (mut runs, mut gpus, mut rehearse, mut cpu) = (5, 1, false, Vec::new());
        let mut a = paper::A.to_vec();
        let mut b = (1..=10).map(f64::from).collect();
        let mut block_step_cells = 1e13;
        let mut look_ahead_cells = f64::INFINITY;
        let mut published_cells = 0.0;
        let names = "--only --runs --data --carrywave --gpus --a --b --block-step-cells --look-ahead-cells --published-cells --paper --cpu --rehearse";
        let line = Line::read(names, |name, value| {
            match name {
                "--only" => only = Some(value.text()?.split(',').map(str::to_owned).collect()),
                "--runs" => runs = value.number::<usize>()?.max(1),
                "--data" => data = value.text()?.into(),
                "--carrywave" => carrywave = Some(value.text()?.into()),
                "--gpus" => gpus = value.number::<usize>()?.max(1),
                "--a" => a = numbers(&value.text()?)?,
                "--b" => b = numbers(&value.text()?)?,
                "--block-step-cells" => block_step_cells = value.number()?,
                "--look-ahead-cells" => look_ahead_cells = value.number()?,
                "--published-cells" => published_cells = value.number()?,
                "--paper" => {
                    only = Some(vec!["grid".into()]);
                    (a, b) = (vec![paper::A[0]], FIGURES.to_vec());
                    (block_step_cells, published_cells) = (5e13, 1e13);
                }
                "--cpu" => {
                    only = Some(vec!["grid".into()]);
                    cpu = numbers(&value.text()?)?;
                }
                "--rehearse" => rehearse = true,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let options = Self {
            only,
            runs,
            data,
            carrywave,
            gpus,
            a,
            b,
            block_step_cells,
            look_ahead_cells: look_ahead_cells.min(block_step_cells),
            published_cells,
            cpu,
            rehearse,
            line,
        };
        if [&options.a, &options.b].into_iter().flatten().any(|millions| !(1e-6..=1e3).contains(millions)) {
            return Err("--a and --b take millions of symbols: more than 0, and up to 1,000".into());
        }
        if let Some(part) = options.only.iter().flatten().find(|part| !parts.contains(&part.as_str())) {
            return Err(format!("unknown part {part}: there are {}", parts.join(", ")).into());
        }
        if options.wants("gpus", false) && options.gpus < 2 {
            return Err("the part gpus needs --gpus N, at least 2".into());
        }
        Ok(options)
    }

    /// Returns true if a part is to run. `unasked` says whether it runs by default.
    pub fn wants(&self, part: &str, unasked: bool) -> bool {
        self.only.as_ref().map_or(unasked, |only| only.iter().any(|name| name == part))
    }
}
