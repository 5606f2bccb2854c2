//! A bar chart of the share that each job reaches of its limit.
//!
//! Each job has a bar from the left edge, under a scale from 0 to 100 %. A job without a share has
//! only its figures. Jobs belong to groups; each group has a colour and a line in the legend. A
//! narrow bar below shows the parts of the job's time.

use super::colours;
use super::picture::{Drawn, Picture, PictureFile, label};
use crate::error::Result;
use crate::io::output::OutputFile;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Height of a row, and of its bar, in pixels.
const ROW: i32 = 26;
const BAR: i32 = 12;
/// Height of the narrow bar of parts.
const NARROW: i32 = 5;
/// Widths of the names on the left, the scale, and the figures on the right, in pixels.
const NAMES: i32 = 250;
const SCALE: i32 = 420;
const FIGURES: i32 = 330;
const MARGIN: i32 = 20;
/// Height of a line of the heading, in pixels.
const LINE: i32 = 24;

const COLOURS: [RGBColor; 3] = [colours::BLUE, colours::GREEN, colours::ORANGE];
const PARTS: [RGBColor; 9] = [
    colours::BLACK,
    colours::ORANGE,
    colours::GREEN,
    colours::GREY,
    colours::SKY_BLUE,
    colours::VERMILION,
    colours::PURPLE,
    colours::BLUE,
    colours::YELLOW,
];

/// A chart.
#[derive(Debug, Clone, Default)]
pub struct Bars {
    /// Lines above the chart, the title first.
    pub heading: Vec<String>,
    /// Names of the groups.
    pub groups: Vec<String>,
    /// Names of the parts of a job's time; empty if no job has parts.
    pub parts: Vec<String>,
    /// Bars, from top to bottom.
    pub bars: Vec<Bar>,
}

/// A bar.
#[derive(Debug, Clone)]
pub struct Bar {
    /// Index of its group.
    pub group: usize,
    /// Text on the left.
    pub name: String,
    /// Length as a share of the scale, 0 to 1, or `None` if unknown. Larger values are drawn as 1.
    pub share: Option<f64>,
    /// Text on the right.
    pub figures: String,
    /// Shares of the parts of the job's time, 0 to 1, in the order of their names; empty if
    /// unknown.
    pub parts: Vec<f64>,
}

/// Draws a chart to a file, as PNG or SVG by its extension. The file appears complete or not at
/// all.
///
/// # Errors
/// [`Error::Usage`](crate::Error::Usage) for another extension, [`Error::Io`](crate::Error::Io) if
/// the file cannot be written.
pub fn bar_chart(file: OutputFile, chart: &Bars) -> Result<()> {
    let rows = chart.bars.len() as i32 * ROW;
    let height = 2 * MARGIN + chart.top() + rows + LINE;
    PictureFile::new(file)?.write(((2 * MARGIN + NAMES + SCALE + FIGURES) as u32, height as u32), chart)
}

impl Bars {
    /// Returns the height of heading and legend, in pixels.
    fn top(&self) -> i32 {
        (self.heading.len() as i32 + 1 + i32::from(!self.parts.is_empty())) * LINE + LINE / 2
    }
}

impl Picture for Bars {
    fn draw<B: DrawingBackend>(&self, root: &DrawingArea<B, Shift>) -> Drawn<B> {
        let style = |size: u32, across: HPos| {
            TextStyle::from(("sans-serif", size).into_font()).pos(Pos::new(across, VPos::Center))
        };
        root.fill(&WHITE)?;
        for (line, text) in (0..).zip(&self.heading) {
            let size = if line == 0 { 20 } else { 14 };
            root.draw_text(&label(text, 130), &style(size, HPos::Left), (MARGIN, MARGIN + LINE / 2 + line * LINE))?;
        }
        let (left, top) = (MARGIN + NAMES, MARGIN + self.top());
        let bottom = top + self.bars.len() as i32 * ROW;
        let colour = |group: usize| COLOURS[group % COLOURS.len()];
        let of_groups = self.groups.iter().enumerate().map(|(group, name)| (colour(group), name, top - LINE));
        let of_parts = self.parts.iter().zip(PARTS).map(|(name, colour)| (colour, name, top - LINE));
        let of_groups = of_groups.map(|(colour, name, y)| (colour, name, y - LINE * i32::from(!self.parts.is_empty())));
        for (entries, width) in [(of_groups.collect::<Vec<_>>(), 130), (of_parts.collect(), 80)] {
            for (x, (colour, name, y)) in (left..).step_by(width).zip(entries) {
                root.draw(&Rectangle::new([(x, y - 6), (x + 12, y + 6)], colour.filled()))?;
                root.draw_text(&label(name, 16), &style(14, HPos::Left), (x + 18, y))?;
            }
        }
        for percent in (0..=100).step_by(25) {
            let x = left + SCALE * percent / 100;
            root.draw(&PathElement::new(vec![(x, top), (x, bottom)], colours::GRID))?;
            root.draw_text(&format!("{percent} %"), &style(13, HPos::Center), (x, bottom + LINE / 2))?;
        }
        for (row, bar) in (0..).zip(&self.bars) {
            let y = top + row * ROW + ROW / 2;
            root.draw_text(&label(&bar.name, 32), &style(14, HPos::Right), (left - 8, y))?;
            if let Some(share) = bar.share {
                // A NaN draws nothing.
                let right = left + (f64::from(SCALE) * share.clamp(0.0, 1.0)) as i32;
                let corners = [(left, y - BAR / 2), (right, y + BAR / 2)];
                root.draw(&Rectangle::new(corners, colour(bar.group).filled()))?;
            }
            let mut from = 0.0;
            for (share, colour) in bar.parts.iter().zip(PARTS).filter(|(share, _)| **share > 0.0) {
                let x = |share: f64| left + (f64::from(SCALE) * share.clamp(0.0, 1.0)) as i32;
                let corners = [(x(from), y + BAR / 2 + 1), (x(from + share), y + BAR / 2 + 1 + NARROW)];
                root.draw(&Rectangle::new(corners, colour.filled()))?;
                from += share;
            }
            root.draw_text(&label(&bar.figures, 46), &style(13, HPos::Left), (left + SCALE + 10, y))?;
        }
        Ok(())
    }
}
