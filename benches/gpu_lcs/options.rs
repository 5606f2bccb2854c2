//! The command line of this benchmark.

use crate::common::Outcome;
use crate::common::line::Line;
use std::path::PathBuf;

/// What was asked for; `main.rs` says what each means.
pub struct Options {
    only: Option<Vec<String>>,
    pub runs: usize,
    pub data: PathBuf,
    pub carrywave: Option<PathBuf>,
    pub gpus: usize,
    pub block_step_cells: f64,
    pub rehearse: bool,
    pub line: Line,
}

impl Options {
    pub fn read(parts: &[&str]) -> Outcome<Self> {
        let (mut only, mut data, mut carrywave) = (None, "../shared/data".into(), None);
        let (mut runs, mut gpus, mut block_step_cells, mut rehearse) = (5, 1, 1e13, false);
        let names = "--only --runs --data --carrywave --gpus --block-step-cells --rehearse";
        let line = Line::read(names, |name, value| {
            match name {
                "--only" => only = Some(value.text()?.split(',').map(str::to_owned).collect()),
                "--runs" => runs = value.number::<usize>()?.max(1),
                "--data" => data = value.text()?.into(),
                "--carrywave" => carrywave = Some(value.text()?.into()),
                "--gpus" => gpus = value.number::<usize>()?.max(1),
                "--block-step-cells" => block_step_cells = value.number()?,
                "--rehearse" => rehearse = true,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let options = Self { only, runs, data, carrywave, gpus, block_step_cells, rehearse, line };
        if let Some(part) = options.only.iter().flatten().find(|part| !parts.contains(&part.as_str())) {
            return Err(format!("unknown part {part}: there are {}", parts.join(", ")).into());
        }
        if options.wants("gpus", false) && options.gpus < 2 {
            return Err("the part gpus needs --gpus N, at least 2".into());
        }
        Ok(options)
    }

    /// Whether a part is to run, which would run unasked or would not.
    pub fn wants(&self, part: &str, unasked: bool) -> bool {
        self.only.as_ref().map_or(unasked, |only| only.iter().any(|name| name == part))
    }
}
