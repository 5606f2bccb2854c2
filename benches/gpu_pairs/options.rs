//! The options of the command line.

use crate::common::Outcome;
use crate::common::line::Line;
use carrywave::internal::PairTuning as Tuning;
use carrywave::pairs::Cost;

pub struct Options {
    pub only: Option<Vec<String>>,
    pub cost: Option<Cost>,
    pub runs: usize,
    pub side: Option<usize>,
    pub rehearse: bool,
    pub sweep: bool,
    pub tuning: Tuning,
    pub line: Line,
}

impl Options {
    pub fn read() -> Outcome<Self> {
        let mut options = Self {
            only: None,
            cost: None,
            runs: 5,
            side: None,
            rehearse: false,
            sweep: false,
            tuning: Tuning::default(),
            line: Line::default(),
        };
        options.line = Line::read("--only --cost --runs --side --rehearse", |name, value| {
            match name {
                "--only" => options.only = Some(value.text()?.split(',').map(str::to_owned).collect()),
                "--cost" => {
                    options.cost = Some(match value.text()?.as_str() {
                        "levenshtein" => Cost::Levenshtein,
                        "indel" => Cost::Indel,
                        "osa" => Cost::Osa,
                        other => return Err(format!("--cost is levenshtein, indel or osa, not {other}").into()),
                    });
                }
                "--runs" => options.runs = value.number::<usize>()?.max(1),
                "--side" => options.side = Some(value.number::<usize>()?.max(1)),
                "--rehearse" => options.rehearse = true,
                "--sweep" => options.sweep = true,
                "--columns" => options.tuning.columns = Some(value.number()?),
                "--logic" => options.tuning.logic = Some(value.number()?),
                "--table" => options.tuning.table = Some(value.number()?),
                "--warps" => options.tuning.warps = Some(value.number()?),
                "--blocks" => options.tuning.blocks = Some(value.number()?),
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        Ok(options)
    }
}
