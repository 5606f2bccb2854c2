//! The command line of this benchmark.

use crate::bench::Outcome;
use std::path::PathBuf;

/// What was asked for; `main.rs` says what each means.
pub struct Options {
    only: Option<Vec<String>>,
    pub runs: usize,
    pub json: Option<PathBuf>,
    pub commit: String,
    pub data: PathBuf,
    pub carrywave: Option<PathBuf>,
    pub gpus: usize,
    pub block_step_cells: f64,
    pub rehearse: bool,
    /// All of it, as given.
    pub line: String,
}

impl Options {
    pub fn parse(arguments: impl Iterator<Item = String>, parts: &[&str]) -> Outcome<Self> {
        let arguments: Vec<String> = arguments.collect();
        let mut options = Self {
            only: None,
            runs: 5,
            json: None,
            commit: "not named".into(),
            data: "../shared/data".into(),
            carrywave: None,
            gpus: 1,
            block_step_cells: 1e13,
            rehearse: false,
            line: arguments.join(" "),
        };
        let mut arguments = arguments.into_iter();
        while let Some(name) = arguments.next() {
            if name == "--rehearse" {
                options.rehearse = true;
                continue;
            }
            let mut value = || arguments.next().ok_or(format!("{name} needs a value"));
            let number = |text: String| text.parse::<usize>().map_err(|error| format!("{name} {text}: {error}"));
            match name.as_str() {
                "--only" => options.only = Some(value()?.split(',').map(str::to_owned).collect()),
                "--runs" => options.runs = number(value()?)?.max(1),
                "--json" => options.json = Some(value()?.into()),
                "--commit" => options.commit = value()?,
                "--data" => options.data = value()?.into(),
                "--carrywave" => options.carrywave = Some(value()?.into()),
                "--gpus" => options.gpus = number(value()?)?.max(1),
                "--block-step-cells" => options.block_step_cells = value()?.parse()?,
                _ => {
                    let known = "--only --runs --json --commit --data --carrywave --gpus --block-step-cells --rehearse";
                    return Err(format!("unknown option {name}: there are {known}").into());
                }
            }
        }
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
