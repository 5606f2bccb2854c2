//! The curve of a sweep: time units against the letter that has most values, a line for each combination of the others.

use super::sweep::{Point, Sweep};
use crate::error::{Error, Result};
use crate::io::output::OutputFile;
use crate::view::font;
use plotters::prelude::*;
use std::collections::BTreeMap;
use std::io;

const SIZE: (u32, u32) = (900, 560);

// The colours of Okabe and Ito, which colour-blind readers can tell apart.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

/// Draws the points of a sweep, and the fit as lines, to an SVG file, which appears whole or not at all.
///
/// # Errors
/// [`Error::Usage`] for a file of another ending and for more lines than can be told apart; [`Error::Io`] when the file
/// cannot be written.
pub fn plot(file: OutputFile, sweep: &Sweep) -> Result<()> {
    let path = file.path().to_owned();
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
        return Err(Error::Usage(format!("{}: a curve is written as SVG; name the file .svg", path.display())));
    }
    let values = |letter: char| {
        let mut all: Vec<u64> = sweep.points.iter().map(|point| point.letter(letter)).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    // The last of those with most values, which varies fastest.
    let Some(&across) = sweep.varying.iter().max_by_key(|letter| values(**letter)) else {
        return Err(Error::Usage("a curve takes a sweep with several values of a letter".into()));
    };
    let others: Vec<char> = sweep.varying.iter().copied().filter(|letter| *letter != across).collect();
    let mut lines: BTreeMap<Vec<u64>, Vec<&Point>> = BTreeMap::new();
    for point in &sweep.points {
        lines.entry(others.iter().map(|letter| point.letter(*letter)).collect()).or_default().push(point);
    }
    if lines.len() > COLOURS.len() {
        let (count, most) = (lines.len(), COLOURS.len());
        return Err(Error::Usage(format!(
            "{count} lines are more than the {most} that can be told apart; sweep fewer values"
        )));
    }
    for points in lines.values_mut() {
        points.sort_by_key(|point| point.letter(across));
    }
    let failed = |reason: String| Error::Io {
        path: path.clone(),
        source: io::Error::other(format!("the curve could not be drawn: {reason}")),
    };
    if !font::register() {
        return Err(failed("the font is damaged".into()));
    }
    let mut text = String::new();
    draw(&mut text, sweep, across, &others, &lines).map_err(|fault| failed(fault.to_string()))?;
    file.write(|out| out.write_all(text.as_bytes()))
}

fn draw(
    text: &mut String,
    sweep: &Sweep,
    across: char,
    others: &[char],
    lines: &BTreeMap<Vec<u64>, Vec<&Point>>,
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let x = |point: &Point| point.letter(across) as f64;
    let most = sweep.points.iter().map(|point| (point.time as f64).max(point.fitted)).fold(1.0, f64::max);
    let last = sweep.points.iter().map(x).fold(1.0, f64::max);
    let terms: Vec<String> = sweep.fit.coefficients.iter().map(|c| format!("{:.3} {}", c.value, c.term)).collect();
    let model = sweep.model.to_string().to_uppercase();
    let title = format!("{} on a {model}, {}: {}", sweep.kernel, sweep.mode, terms.join(" + ").replace("+ -", "- "));
    let mut chart = ChartBuilder::on(&root)
        .caption(title, ("sans-serif", 20))
        .margin(16)
        .x_label_area_size(44)
        .y_label_area_size(90)
        .build_cartesian_2d(0.0..last * 1.02, 0.0..most * 1.05)?;
    chart
        .configure_mesh()
        .x_desc(across)
        .y_desc("time units")
        .x_label_formatter(&|x| format!("{x}"))
        .y_label_formatter(&|y| format!("{y}"))
        .label_style(("sans-serif", 14))
        .light_line_style(TRANSPARENT)
        .draw()?;
    for ((values, points), colour) in lines.iter().zip(COLOURS) {
        let fitted = points.iter().map(|point| (x(point), point.fitted));
        let name: Vec<String> =
            others.iter().zip(values).map(|(letter, value)| format!("{letter} = {value}")).collect();
        let name = if name.is_empty() { "counted, and the fit".to_string() } else { name.join(", ") };
        chart
            .draw_series(LineSeries::new(fitted, colour.stroke_width(2)))?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 18, y)], colour.stroke_width(2)));
        chart.draw_series(points.iter().map(|point| Circle::new((x(point), point.time as f64), 4, colour.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .label_font(("sans-serif", 14))
        .background_style(WHITE.mix(0.8))
        .border_style(TRANSPARENT)
        .draw()?;
    root.present()?;
    Ok(())
}
