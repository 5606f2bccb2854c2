//! Figures 4 to 7 of Kawanami and Fujimoto (2014): the seconds of an LCS by the length of B, with a
//! panel for each length of A, from the results of `gpu_lcs`, part `grid`. The seconds of the
//! paper's table 1 are shown for comparison. As in the paper, the speedups over the CPU stand on a
//! second axis.

use std::collections::BTreeMap;

use plotters::prelude::*;
use serde_json::Value;

use crate::figures::{COLOURS, power_of_ten, register_fonts};

/// Name of the picture in docs/images.
pub const FILE: &str = "lcs-figures-4-to-7.svg";

/// Name of the paper's line.
const PAPER: &str = "paper: block-step, GeForce GTX 580";

/// The speedups: the line of a GPU, and the line of the CPU whose seconds are divided by it.
const SPEEDUPS: [(&str, &str); 4] = [
    ("gpu wavefront", "cpu bit-parallel on 1"),
    ("gpu wavefront", "cpu bit-parallel on 4"),
    ("gpu block-step, published rules", "cpu bit-parallel on 1, published rules"),
    ("gpu block-step, published rules", "cpu bit-parallel on 4, published rules"),
];

/// The figures' lengths of A, in millions of symbols.
const OF_A: [u64; 4] = [5, 10, 15, 20];

const MILLION: u64 = 1_000_000;

/// Width and height of a panel in pixels.
const PANEL: (u32, u32) = (570, 360);
const LEGEND: u32 = 130;
/// Names per line of the legend.
const NAMES_PER_LINE: usize = 4;
const NAME: i32 = 280;

/// Colours of the speedups.
const GREYS: [RGBColor; 4] =
    [RGBColor(90, 90, 90), RGBColor(160, 160, 160), RGBColor(120, 70, 20), RGBColor(200, 150, 90)];

/// Range of the second axis, as powers of ten.
const LEAST_SPEEDUP: f64 = -1.0;
const GREATEST_SPEEDUP: f64 = 3.0;

/// A part of the plot.
type Area<'a> = DrawingArea<SVGBackend<'a>, plotters::coord::Shift>;

/// Seconds by millions of symbols of A, line, and symbols of B.
#[derive(Default)]
pub struct Figures {
    seconds: BTreeMap<(u64, usize, u64), f64>,
    lines: Vec<String>,
}

impl Figures {
    /// Adds a result's rows. Later seconds of the same line and lengths replace earlier ones.
    pub fn add(&mut self, rows: &[&Value]) {
        for row in rows.iter().filter(|row| row["part"] == "grid") {
            let (Some(m), Some(n)) = (row["m"].as_u64(), row["n"].as_u64()) else { continue };
            if !m.is_multiple_of(MILLION) || !OF_A.contains(&(m / MILLION)) {
                continue;
            }
            let more = &row["more"];
            // The result of 2026-11-21 has the other engines' seconds in the wavefront's row.
            let lines = [
                (row["engine"].as_str().unwrap_or_default(), &row["median_s"]),
                ("gpu block-step", &more["block_step_s"]),
                ("gpu block-step-look-ahead", &more["look_ahead_s"]),
                (PAPER, &more["paper_s"]),
            ];
            for (line, seconds) in lines {
                if let Some(seconds) = seconds.as_f64() {
                    let line = self.lines.iter().position(|other| other == line).unwrap_or_else(|| {
                        self.lines.push(line.to_owned());
                        self.lines.len() - 1
                    });
                    self.seconds.insert((m / MILLION, line, n), seconds);
                }
            }
        }
    }

    /// Returns the speedups, by millions of symbols of B, where both lines have seconds.
    fn speedup(&self, of_a: u64, (gpu, cpu): (&str, &str)) -> Vec<(f64, f64)> {
        let number = |name: &str| self.lines.iter().position(|line| line == name);
        let (Some(gpu), Some(cpu)) = (number(gpu), number(cpu)) else { return Vec::new() };
        let of_gpu = self.seconds.range((of_a, gpu, 0)..=(of_a, gpu, u64::MAX));
        let ratio = |(&(_, _, n), seconds): (&(u64, usize, u64), &f64)| {
            Some((n as f64 / MILLION as f64, self.seconds.get(&(of_a, cpu, n))? / seconds))
        };
        of_gpu.filter_map(ratio).collect()
    }

    /// Returns the plot as SVG, or `None` if there is nothing to draw.
    pub fn plot(&self) -> Result<Option<String>, String> {
        if self.seconds.is_empty() {
            return Ok(None);
        }
        register_fonts()?;
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|error| error.to_string())?;
        Ok(Some(svg))
    }

    /// Draws the names of the lines, and below them those of the speedups.
    fn legend(&self, area: &Area<'_>) -> Result<(), Box<dyn std::error::Error>> {
        let style = ("sans-serif", 13).into_text_style(area);
        for (number, line) in self.lines.iter().enumerate() {
            let (x, y) = (20 + NAME * (number % NAMES_PER_LINE) as i32, 20 + 24 * (number / NAMES_PER_LINE) as i32);
            area.draw(&PathElement::new([(x, y), (x + 20, y)], colour(number).stroke_width(2)))?;
            area.draw_text(line, &style, (x + 26, y - 7))?;
        }
        for (number, pair) in SPEEDUPS.into_iter().enumerate() {
            if OF_A.iter().all(|&of_a| self.speedup(of_a, pair).is_empty()) {
                continue;
            }
            let (x, y) = (20 + 2 * NAME * (number % 2) as i32, LEGEND as i32 - 40 + 20 * (number / 2) as i32);
            for (from, to) in [(0, 6), (12, 18)] {
                area.draw(&PathElement::new([(x + from, y), (x + to, y)], GREYS[number].stroke_width(2)))?;
            }
            area.draw_text(&format!("speedup: {} over {}", pair.0, pair.1), &style, (x + 26, y - 7))?;
        }
        Ok(())
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let size = (2 * PANEL.0, LEGEND + 2 * PANEL.1);
        let root = SVGBackend::with_string(svg, size).into_drawing_area();
        root.fill(&WHITE)?;
        let (legend, panels) = root.split_vertically(LEGEND);
        self.legend(&legend)?;
        let exponents = || self.seconds.values().map(|seconds| seconds.log10());
        let low = exponents().fold(f64::INFINITY, f64::min).floor();
        let high = exponents().fold(f64::NEG_INFINITY, f64::max).ceil().max(low + 1.0);
        for (figure, (of_a, area)) in OF_A.into_iter().zip(panels.split_evenly((2, 2))).enumerate() {
            let mut chart = ChartBuilder::on(&area)
                .caption(format!("Figure {}: A of {of_a} million", figure + 4), ("sans-serif", 16))
                .margin(8)
                .x_label_area_size(40)
                .y_label_area_size(56)
                .right_y_label_area_size(56)
                .build_cartesian_2d(0.0..10.4, low..high)?
                .set_secondary_coord(0.0..10.4, LEAST_SPEEDUP..GREATEST_SPEEDUP);
            chart
                .configure_mesh()
                .light_line_style(WHITE)
                .x_labels(11)
                .y_labels((high - low) as usize + 1)
                .x_label_formatter(&|x| format!("{x:.0}"))
                .y_label_formatter(&power_of_ten)
                .x_desc("B, millions of symbols")
                .y_desc("seconds")
                .label_style(("sans-serif", 13))
                .axis_desc_style(("sans-serif", 14))
                .draw()?;
            chart
                .configure_secondary_axes()
                .y_labels((GREATEST_SPEEDUP - LEAST_SPEEDUP) as usize + 1)
                .y_label_formatter(&power_of_ten)
                .y_desc("speedup, dashed")
                .label_style(("sans-serif", 13))
                .axis_desc_style(("sans-serif", 14))
                .draw()?;
            for (pair, grey) in SPEEDUPS.into_iter().zip(GREYS) {
                let points = self.speedup(of_a, pair).into_iter().map(|(n, ratio)| (n, ratio.log10()));
                chart.draw_secondary_series(DashedLineSeries::new(points, 6, 4, grey.stroke_width(2)))?;
            }
            for number in 0..self.lines.len() {
                let of_line = self.seconds.range((of_a, number, 0)..=(of_a, number, u64::MAX));
                let points: Vec<(f64, f64)> =
                    of_line.map(|((.., n), seconds)| (*n as f64 / MILLION as f64, seconds.log10())).collect();
                chart.draw_series(LineSeries::new(points.iter().copied(), colour(number).stroke_width(2)))?;
                chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, colour(number).filled())))?;
            }
        }
        root.present()?;
        Ok(())
    }
}

fn colour(line: usize) -> RGBColor {
    COLOURS[line % COLOURS.len()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_panel_for_each_length_of_a_and_a_line_for_each_way() {
        let row = |engine: &str, m: u64, n: u64, seconds: f64, more: Value| json!({ "part": "grid", "engine": engine, "m": m, "n": n, "median_s": seconds, "more": more });
        let rows = [
            row("gpu wavefront", 5_000_000, 1_000_000, 0.2, json!({ "paper_s": 335.1, "block_step_s": 1.9 })),
            row("gpu wavefront", 5_000_000, 2_000_000, 0.3, json!({ "paper_s": 515.95 })),
            row("gpu block-step, published rules", 5_000_000, 100_000, 30.0, json!({})),
            row("gpu wavefront", 1250, 250, 0.1, json!({})),
            json!({ "part": "llcs", "engine": "other", "m": 5_000_000, "n": 1, "median_s": 1.0 }),
        ];
        let mut figures = Figures::default();
        assert!(figures.plot().unwrap().is_none());
        figures.add(&rows.iter().collect::<Vec<_>>());
        figures.add(&[&row("gpu wavefront", 5_000_000, 1_000_000, 0.15, json!({}))]);
        assert_eq!(figures.lines, ["gpu wavefront", "gpu block-step", PAPER, "gpu block-step, published rules"]);
        assert_eq!(figures.seconds[&(5, 0, 1_000_000)], 0.15, "the later result");
        assert_eq!((figures.seconds.len(), figures.seconds[&(5, 2, 2_000_000)]), (6, 515.95));
        assert!(figures.speedup(5, SPEEDUPS[0]).is_empty());
        figures.add(&[&row("cpu bit-parallel on 1", 5_000_000, 1_000_000, 30.0, json!({}))]);
        assert_eq!(figures.speedup(5, SPEEDUPS[0]), [(1.0, 30.0 / 0.15)]);
        let svg = figures.plot().unwrap().unwrap();
        for text in [
            "Figure 4: A of 5 million",
            "Figure 7: A of 20 million",
            "seconds",
            "published rules",
            "GTX 580",
            "speedup: gpu wavefront over cpu bit-parallel on 1",
        ] {
            assert!(svg.contains(text), "{text}");
        }
    }
}
