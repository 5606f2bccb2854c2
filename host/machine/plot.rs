//! The curve of a sweep: time units against the letter with the most values, one line for each
//! combination of the other letters.
//!
//! Lines that overlap stay visible: where two or more are less than three pixels apart, their
//! dashes alternate, and their points become concentric rings. The name of a line is at its end.

use super::sweep::{Point, Sweep};
use crate::error::{Error, Result, UsageFault};
use crate::io::output::OutputFile;
use crate::view::{colours, font};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::collections::BTreeMap;
use std::io;

const SIZE: (u32, u32) = (1000, 600);

/// Distance in pixels below which two lines count as overlapping.
const NEAR: i32 = 3;
/// Length of a dash, in pixels.
const DASH: f64 = 10.0;
/// Vertical distance between the lines' names, in pixels.
const NAME_HEIGHT: i32 = 18;

const COLOURS: [RGBColor; 7] = [
    colours::BLUE,
    colours::VERMILION,
    colours::GREEN,
    colours::PURPLE,
    colours::ORANGE,
    colours::SKY_BLUE,
    colours::BLACK,
];

/// Draws the points of a sweep, and the fit as lines, to an SVG file. The file is written
/// completely or not at all.
///
/// ```
/// use carrywave::io::output::OutputFile;
/// use carrywave::machine::{plot::plot, sweep::Sweep};
///
/// fn draw(sweep: &Sweep) -> carrywave::Result<()> {
///     plot(OutputFile::open("sweep.svg".as_ref())?, sweep)
/// }
/// ```
///
/// # Errors
/// [`Error::Usage`] with [`UsageFault::FileName`] for a file with another extension, with
/// [`UsageFault::Combination`] for a sweep of one point, and with [`UsageFault::TooLarge`] for more
/// than 7 lines; [`Error::Io`] if the file cannot be written.
pub fn plot(file: OutputFile, sweep: &Sweep) -> Result<()> {
    let path = file.path().to_owned();
    if !path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("svg")) {
        return Err(UsageFault::FileName
            .error(format!("{}: curves are written as SVG; use a file name that ends in .svg", path.display())));
    }
    let values = |letter: char| {
        let mut all: Vec<u64> = sweep.points.iter().map(|point| point.letter(letter)).collect();
        all.sort_unstable();
        all.dedup();
        all.len()
    };
    // The last letter with the most values, which varies fastest.
    let Some(&across) = sweep.varying.iter().max_by_key(|letter| values(**letter)) else {
        return Err(
            UsageFault::Combination.error("a curve needs a sweep with several values of at least one parameter")
        );
    };
    let others: Vec<char> = sweep.varying.iter().copied().filter(|letter| *letter != across).collect();
    let mut lines: BTreeMap<Vec<u64>, Vec<&Point>> = BTreeMap::new();
    for point in &sweep.points {
        lines.entry(others.iter().map(|letter| point.letter(*letter)).collect()).or_default().push(point);
    }
    if lines.len() > COLOURS.len() {
        let count = lines.len();
        let most = COLOURS.len();
        return Err(UsageFault::TooLarge.error(format!(
            "{count} curves exceed the maximum of {most} that remain distinguishable; sweep fewer values"
        )));
    }
    let lines = lines.into_iter().map(|(values, mut points)| {
        points.sort_by_key(|point| point.letter(across));
        points.dedup_by_key(|point| point.letter(across));
        let name: Vec<String> =
            others.iter().zip(values).map(|(letter, value)| format!("{letter} = {value}")).collect();
        Line { name: name.join(", "), points }
    });
    let failed = |reason: String| Error::Io {
        path: path.clone(),
        source: io::Error::other(format!("cannot draw the curves: {reason}")),
    };
    if !font::register() {
        return Err(failed("the font is damaged".into()));
    }
    let mut text = String::new();
    draw(&mut text, sweep, across, &lines.collect::<Vec<_>>()).map_err(|fault| failed(fault.to_string()))?;
    file.write(|out| out.write_all(text.as_bytes()))
}

/// A line of the curve: its points from left to right. All lines have the same x values.
struct Line<'a> {
    name: String,
    points: Vec<&'a Point>,
}

/// Returns the meaning of a letter, for the axis.
fn meaning(letter: char) -> &'static str {
    match letter {
        'm' => "m (symbols of the pattern or the first string)",
        'n' => "n (symbols of the text or the second string, or cells)",
        'p' => "p (threads)",
        'k' => "k (errors)",
        'w' => "w (width: banks, and threads of a warp)",
        _ => "l (latency, in time units)",
    }
}

type Drawn = std::result::Result<(), Box<dyn std::error::Error>>;

fn draw(text: &mut String, sweep: &Sweep, across: char, lines: &[Line<'_>]) -> Drawn {
    let root = SVGBackend::with_string(text, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let x = |point: &Point| point.letter(across) as f64;
    let most = sweep.points.iter().map(|point| (point.time as f64).max(point.fitted)).fold(1.0, f64::max);
    let last = sweep.points.iter().map(x).fold(1.0, f64::max);
    let terms: Vec<String> = sweep.fit.coefficients.iter().map(|c| format!("{:.3} {}", c.value, c.term)).collect();
    let model = sweep.model.to_string().to_uppercase();
    let title = format!("{} on a {model}, {}: {}", sweep.kernel, sweep.mode, terms.join(" + ").replace("+ -", "- "));
    let style =
        |size: u32, across: HPos| TextStyle::from(("sans-serif", size).into_font()).pos(Pos::new(across, VPos::Center));
    let middle = SIZE.0 as i32 / 2;
    root.draw_text(&title, &style(20, HPos::Center), (middle, 22))?;
    let reading = "points: counted; lines: the fit (the terms above). A time unit: one stage enters the memory's pipeline, and what it \
                   asks for is there after l of them.";
    root.draw_text(reading, &style(13, HPos::Center), (middle, 48))?;
    let longest = lines.iter().map(|line| line.name.chars().count()).max().unwrap_or(0);
    let mut chart = ChartBuilder::on(&root)
        .margin(16)
        .margin_top(66)
        .margin_right(48 + 9 * longest as u32)
        .x_label_area_size(44)
        .y_label_area_size(90)
        .build_cartesian_2d(0.0..last * 1.02, 0.0..most * 1.05)?;
    chart
        .configure_mesh()
        .x_desc(meaning(across))
        .y_desc("time units")
        .x_label_formatter(&|x| format!("{x}"))
        .y_label_formatter(&|y| format!("{y}"))
        .label_style(("sans-serif", 14))
        .light_line_style(TRANSPARENT)
        .draw()?;

    let fitted: Vec<Vec<(i32, i32)>> = lines
        .iter()
        .map(|line| line.points.iter().map(|point| chart.backend_coord(&(x(point), point.fitted))).collect())
        .collect();
    let counted: Vec<Vec<(i32, i32)>> = lines
        .iter()
        .map(|line| line.points.iter().map(|point| chart.backend_coord(&(x(point), point.time as f64))).collect())
        .collect();
    for (i, colour) in (0..lines.len()).zip(COLOURS) {
        for step in 1..fitted[i].len() {
            let near =
                |other: usize| [step - 1, step].iter().all(|&at| (fitted[i][at].1 - fitted[other][at].1).abs() < NEAR);
            let share = rank(i, lines.len(), near);
            for dash in dashes(fitted[i][step - 1], fitted[i][step], share) {
                root.draw(&PathElement::new(dash.to_vec(), colour.stroke_width(2)))?;
            }
        }
    }
    for (i, colour) in (0..lines.len()).zip(COLOURS) {
        for (at, &point) in counted[i].iter().enumerate() {
            let (rank, of) = rank(i, lines.len(), |other| (point.1 - counted[other][at].1).abs() < NEAR);
            root.draw(&Circle::new(point, 4 + 3 * (of - 1 - rank) as i32, colour.filled()))?;
        }
    }

    let (_, plot_rows) = chart.plotting_area().get_pixel_range();
    let ends: Vec<(i32, i32)> = fitted.iter().filter_map(|line| line.last().copied()).collect();
    let places = spread(&ends.iter().map(|end| end.1).collect::<Vec<_>>(), plot_rows.end);
    for (((line, colour), end), y) in lines.iter().zip(COLOURS).zip(ends).zip(places) {
        if line.name.is_empty() {
            continue;
        }
        let name = (end.0 + 36, y);
        root.draw(&PathElement::new(
            vec![(end.0 + 8, end.1), (name.0 - 12, y), (name.0 - 4, y)],
            colour.stroke_width(1),
        ))?;
        root.draw_text(&line.name, &style(14, HPos::Left).color(&colour), name)?;
    }
    root.present()?;
    Ok(())
}

/// Returns the rank of line `i` among the lines near it, and their number, itself included.
fn rank(i: usize, lines: usize, near: impl Fn(usize) -> bool) -> (usize, usize) {
    let all = || (0..lines).filter(|&other| near(other));
    (all().filter(|&other| other < i).count(), all().count())
}

/// Returns the segments of a straight line that belong to the line of `rank` among `of`: all of it
/// for one, each `of`-th dash for more.
fn dashes(from: (i32, i32), to: (i32, i32), (rank, of): (usize, usize)) -> Vec<[(i32, i32); 2]> {
    if of <= 1 {
        return vec![[from, to]];
    }
    let across = f64::from(to.0 - from.0);
    let up = f64::from(to.1 - from.1);
    // At least one dash for each line.
    let count = ((across.hypot(up) / DASH) as usize).max(of);
    let at = |dash: usize| {
        let share = dash as f64 / count as f64;
        (from.0 + (share * across).round() as i32, from.1 + (share * up).round() as i32)
    };
    (rank..count).step_by(of).map(|dash| [at(dash), at(dash + 1)]).collect()
}

/// Returns heights near the given ones, at least [`NAME_HEIGHT`] apart and none below `bottom`.
fn spread(wanted: &[i32], bottom: i32) -> Vec<i32> {
    let mut order: Vec<usize> = (0..wanted.len()).collect();
    order.sort_by_key(|&i| wanted[i]);
    let mut places = wanted.to_vec();
    let mut least = i32::MIN;
    for &i in &order {
        places[i] = places[i].max(least);
        least = places[i] + NAME_HEIGHT;
    }
    let mut most = bottom;
    for &i in order.iter().rev() {
        places[i] = places[i].min(most);
        most = places[i] - NAME_HEIGHT;
    }
    places
}
