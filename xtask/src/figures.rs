//! Tables and plots of a search benchmark's figures (parts `figure 6` and so on): speed over the
//! parameter that a figure varies.

use std::collections::BTreeMap;
use std::fmt::Write;

use plotters::prelude::*;
use plotters::style::{FontStyle, register_font};
use serde_json::Value;

/// Returns the parameter that a figure varies, its axis label, and true if the axis has powers of
/// two.
fn axis(part: &str) -> Option<(&'static str, &'static str, bool)> {
    match part {
        "figure 6" | "figure 7" => Some(("m", "m, symbols of the pattern", false)),
        "figure 8" => Some(("n", "n, symbols of the text", true)),
        "figure 9" => Some(("sigma", "σ, symbols of the alphabet", true)),
        "figure 10" => Some(("corpus", "text", false)),
        _ => None,
    }
}

/// A figure of the paper: a panel for each k (and m, if the figure varies the text) with a line for
/// each engine.
pub struct Figure<'r> {
    part: &'r str,
    key: &'static str,
    label: &'static str,
    powers: bool,
    /// Values on the axis: numbers, or names in order of their first occurrence.
    places: Vec<&'r Value>,
    engines: Vec<String>,
    /// Engines that ran on a shorter text, and its length.
    shorter: Vec<(String, u64)>,
    panels: Vec<(String, Panel)>,
}

/// Speeds in Tbit/s, by (position on the axis, engine).
type Panel = BTreeMap<(usize, usize), f64>;

/// Returns the index of a value in a list, and appends the value if it is new.
fn number<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|other| *other == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

impl<'r> Figure<'r> {
    /// Returns the figure of a part's rows, or `None` if the part is not a figure.
    pub fn new(rows: &[&'r Value]) -> Option<Self> {
        let part = rows.first()?["part"].as_str()?;
        let (key, label, powers) = axis(part)?;
        let (mut places, mut engines) = (Vec::new(), Vec::new());
        let mut panels: Vec<(String, Panel)> = Vec::new();
        let length = |row: &Value| row["more"]["n"].as_u64().unwrap_or(0);
        let longest = rows.iter().map(|row| length(row)).max().unwrap_or(0);
        let mut shorter = Vec::new();
        for row in rows {
            let more = &row["more"];
            let (Some(engine), Some(speed)) = (row["engine"].as_str(), more["tbps"].as_f64()) else { continue };
            let place = number(&mut places, &more[key]);
            // Each k has one of the two.
            let ours = ["shift-or", "wu-manber"].contains(&engine);
            let mut engine = if ours { OURS } else { engine }.to_owned();
            if key != "n" && length(row) < longest {
                number(&mut shorter, (engine.clone(), length(row)));
            }
            let mut panel = format!("k = {}", more["k"]);
            match part {
                "figure 6" => engine += &format!(", α = {}", more["alpha"]),
                "figure 10" => panel += &format!(", m = {}", more["m"]),
                _ => {}
            }
            let engine = number(&mut engines, engine);
            let at = panels.iter().position(|(name, _)| *name == panel).unwrap_or(panels.len());
            if at == panels.len() {
                panels.push((panel, Panel::new()));
            }
            panels[at].1.insert((place, engine), speed);
        }
        Some(Self { part, key, label, powers, places, engines, shorter, panels })
    }

    /// Returns the name of the plot's file, such as `search-figure-7.svg`.
    pub fn file_name(&self) -> String {
        format!("search-{}.svg", self.part.replace(' ', "-"))
    }

    /// Adds a table with a row for each panel and position: the speeds, and the ratios of the
    /// project's engine to the paper's (`scan`) and of the paper's to its two rivals.
    pub fn table(&self, page: &mut String) {
        let _ = writeln!(page, "\n![{0}, Tbit/s over {1}](../images/{2})", self.part, self.key, self.file_name());
        let ratios = self.engines.iter().any(|engine| engine == "scan");
        let last = if ratios { " ours : scan | scan : gbpr | scan : xbitpar |" } else { "" };
        let shorter = self.shorter.iter().map(|(engine, n)| format!(" ({engine}: in {n} symbols)"));
        let _ = writeln!(
            page,
            "\nTbit/s{}:\n\n| | {} | {} |{last}",
            shorter.collect::<String>(),
            self.key,
            self.engines.join(" | ")
        );
        let _ = writeln!(page, "|---|--:|{}", "--:|".repeat(self.engines.len() + if ratios { 3 } else { 0 }));
        for (name, panel) in &self.panels {
            for (number, place) in self.places.iter().enumerate() {
                let speed = |engine: usize| panel.get(&(number, engine)).copied();
                if (0..self.engines.len()).all(|engine| speed(engine).is_none()) {
                    continue;
                }
                let cells = (0..self.engines.len()).map(|engine| speed(engine).map_or(String::new(), significant));
                let cells: Vec<String> = cells.collect();
                let _ = write!(page, "| {name} | {} | {} |", self.text(place), cells.join(" | "));
                if ratios {
                    let of = |name: &str| self.engines.iter().position(|engine| engine == name).and_then(speed);
                    for (fast, slow) in [(OURS, "scan"), ("scan", "gbpr"), ("scan", "xbitpar")] {
                        let ratio = of(fast).zip(of(slow)).map(|(fast, slow)| significant(fast / slow));
                        let _ = write!(page, " {} |", ratio.as_deref().unwrap_or("–"));
                    }
                }
                page.push('\n');
            }
        }
    }

    fn text(&self, place: &Value) -> String {
        match (place, place.as_u64()) {
            (Value::String(text), _) => text.clone(),
            (_, Some(number)) if self.key == "n" && number.is_power_of_two() => format!("2^{}", number.ilog2()),
            _ => place.to_string(),
        }
    }

    /// Returns a position on the axis: the number, its logarithm, or the index of a name.
    fn x(&self, number: usize) -> f64 {
        match self.places[number].as_f64() {
            Some(value) if self.powers => value.log2(),
            Some(value) => value,
            None => number as f64,
        }
    }

    /// Returns the plot as SVG.
    pub fn plot(&self) -> Result<String, String> {
        register_fonts()?;
        let mut svg = String::new();
        self.draw(&mut svg).map_err(|error| error.to_string())?;
        Ok(svg)
    }

    fn draw(&self, svg: &mut String) -> Result<(), Box<dyn std::error::Error>> {
        let names = self.places.iter().any(|place| place.is_string());
        // Names are wider than numbers.
        let (columns, width) = if names { (2, WIDTH * 3 / 2) } else { (3, WIDTH) };
        let columns = self.panels.len().clamp(1, columns);
        let rows = self.panels.len().div_ceil(columns).max(1);
        let root =
            SVGBackend::with_string(svg, (width * columns as u32, LEGEND + HEIGHT * rows as u32)).into_drawing_area();
        root.fill(&WHITE)?;
        let (legend, plots) = root.split_vertically(LEGEND);
        let mut x = 20;
        for (number, engine) in self.engines.iter().enumerate() {
            let colour = COLOURS[number % COLOURS.len()];
            legend.draw(&PathElement::new([(x, 20), (x + 20, 20)], colour.stroke_width(2)))?;
            legend.draw_text(engine, &("sans-serif", 14).into_text_style(&legend), (x + 26, 13))?;
            x += 60 + 8 * engine.chars().count() as i32;
        }
        let speeds = || self.panels.iter().flat_map(|(_, panel)| panel.values()).map(|speed| speed.log10());
        let (low, high) = (speeds().fold(f64::INFINITY, f64::min).floor(), speeds().fold(-9.0, f64::max).ceil());
        let xs = || (0..self.places.len()).map(|number| self.x(number));
        let (left, right) = (xs().fold(f64::INFINITY, f64::min), xs().fold(f64::NEG_INFINITY, f64::max));
        let margin = if names { 0.4 } else { (right - left).max(1.0) * 0.04 };
        let x_label = |x: &f64| {
            let whole = (x - x.round()).abs() < 1e-6;
            match (whole, names, self.powers) {
                (false, ..) => String::new(),
                (_, true, _) => self.places.get(x.round() as usize).map_or(String::new(), |place| self.text(place)),
                (_, _, true) if self.key == "n" => format!("2^{x:.0}"),
                (_, _, true) => format!("{:.0}", x.exp2()),
                _ => format!("{x:.0}"),
            }
        };
        for ((name, panel), area) in self.panels.iter().zip(plots.split_evenly((rows, columns))) {
            let mut chart = ChartBuilder::on(&area)
                .caption(name, ("sans-serif", 16))
                .margin(8)
                .x_label_area_size(42)
                .y_label_area_size(56)
                .build_cartesian_2d(left - margin..right + margin, low..high.max(low + 1.0))?;
            chart
                .configure_mesh()
                .light_line_style(WHITE)
                .x_labels(if names { self.places.len() } else { 8 })
                .y_labels((high - low) as usize + 1)
                .x_label_formatter(&x_label)
                .y_label_formatter(&power_of_ten)
                .x_desc(self.label)
                .y_desc("Tbit/s")
                .label_style(("sans-serif", if names { 11 } else { 13 }))
                .axis_desc_style(("sans-serif", 14))
                .draw()?;
            for engine in 0..self.engines.len() {
                let of_engine = panel.iter().filter(|((_, other), _)| *other == engine);
                let mut points: Vec<(f64, f64)> =
                    of_engine.map(|((place, _), speed)| (self.x(*place), speed.log10())).collect();
                points.sort_by(|a, b| a.0.total_cmp(&b.0));
                let colour = COLOURS[engine % COLOURS.len()];
                if !names {
                    chart.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(2)))?;
                }
                chart.draw_series(points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
            }
        }
        root.present()?;
        Ok(())
    }
}

/// Returns the label of a logarithmic axis at an exponent: the power of ten for a whole exponent,
/// otherwise an empty text.
pub fn power_of_ten(exponent: &f64) -> String {
    let whole = exponent.round();
    if (exponent - whole).abs() < 1e-6 { 10f64.powi(whole as i32).to_string() } else { String::new() }
}

/// The project's engine: Shift-Or without errors, Wu-Manber with errors.
const OURS: &str = "ours";

/// Width and height of a panel in pixels.
const WIDTH: u32 = 380;
const HEIGHT: u32 = 320;
/// Height above the panels in pixels.
const LEGEND: u32 = 40;

/// The colours of Okabe and Ito, which colour-blind readers can distinguish; grey and brown are
/// added for plots with more lines.
pub const COLOURS: [RGBColor; 9] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(86, 180, 233),
    RGBColor(204, 121, 167),
    RGBColor(0, 0, 0),
    RGBColor(150, 150, 150),
    RGBColor(130, 80, 30),
];

/// Registers the font of all plots with plotters, which has none of its own. A repeated call has no
/// effect.
pub fn register_fonts() -> Result<(), String> {
    register_font("sans-serif", FontStyle::Normal, notosans::REGULAR_TTF).map_err(|_| "the font is damaged".into())
}

/// Formats a number with three significant digits.
fn significant(number: f64) -> String {
    let digits = 2 - number.abs().max(1e-9).log10().floor() as i32;
    format!("{number:.*}", digits.clamp(0, 6) as usize)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn row(part: &str, engine: &str, tbps: f64, mut more: Value) -> Value {
        more["tbps"] = json!(tbps);
        json!({ "part": part, "engine": engine, "more": more })
    }

    #[test]
    fn a_table_has_ratios_to_the_paper() {
        let rows: Vec<Value> = [("shift-or", 15.0), ("scan", 3.0), ("gbpr", 0.3), ("xbitpar", 0.03)]
            .map(|(engine, tbps)| {
                let n = if engine == "xbitpar" { 10 } else { 160 };
                row("figure 7", engine, tbps, json!({ "k": 0, "m": 8, "n": n }))
            })
            .into();
        let mut page = String::new();
        Figure::new(&rows.iter().collect::<Vec<_>>()).unwrap().table(&mut page);
        assert!(page.contains("](../images/search-figure-7.svg)"), "{page}");
        assert!(page.contains("\nTbit/s (xbitpar: in 10 symbols):\n"), "{page}");
        assert!(
            page.contains("| | m | ours | scan | gbpr | xbitpar | ours : scan | scan : gbpr | scan : xbitpar |\n"),
            "{page}"
        );
        assert!(page.ends_with("| k = 0 | 8 | 15.0 | 3.00 | 0.300 | 0.0300 | 5.00 | 10.0 | 100 |\n"), "{page}");
    }

    #[test]
    fn a_plot_has_a_panel_for_each_k_and_a_line_for_each_engine() {
        let mut rows = Vec::new();
        for (k, bits) in [(0, 16), (0, 20), (1, 16), (1, 20)] {
            for (engine, tbps) in [("wu-manber", 9.0), ("scan", 0.5)] {
                rows.push(row("figure 8", engine, tbps, json!({ "k": k, "m": 64, "n": 1u64 << bits })));
            }
        }
        let svg = Figure::new(&rows.iter().collect::<Vec<_>>()).unwrap().plot().unwrap();
        for text in ["k = 0", "k = 1", "ours", "Tbit/s", "n, symbols of the text", "2^16"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(svg.trim_end().ends_with("</svg>"));
    }

    #[test]
    fn texts_have_names_and_no_lines() {
        let rows = ["english", "dna"]
            .map(|corpus| row("figure 10", "scan", 2.0, json!({ "k": 0, "m": 32, "corpus": corpus })));
        let figure = Figure::new(&rows.iter().collect::<Vec<_>>()).unwrap();
        let svg = figure.plot().unwrap();
        assert!(svg.contains("english") && svg.contains("dna") && svg.contains("k = 0, m = 32"), "{svg}");
        assert!(Figure::new(&[&row("search", "scan", 1.0, json!({}))]).is_none());
    }
}
