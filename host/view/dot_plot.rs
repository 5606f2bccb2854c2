//! Dot plots: the k-mers that two strings share, and the path of an LCS through them.
//!
//! A is on the horizontal axis and B on the vertical axis, both from the lower left corner. A point
//! is a k-mer (k consecutive symbols) that both strings have. In nucleotides, a k-mer of A whose
//! reverse complement is in B is a point too. K-mers that occur once in each string are dark.
//! Repeats are faint and below them, and only a sample of the repeats is drawn. The path is on top;
//! it falls if the LCS is one with the reverse complement of B. Module `seeds` finds the k-mers.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use super::colours;
use super::picture::{Drawn, Picture, PictureFile, label};
pub use super::seeds::SharedKmers;
use super::seeds::{MAX_CELLS, Plane, Seeds};
#[cfg(doc)]
use crate::Error;
use crate::Result;
use crate::algorithm::grouped;
use crate::alignment::operation::Operation;
use crate::alignment::runs::{CommonSubsequence, check_length};
use crate::io::output::OutputFile;
use crate::io::sequence::{Kind, Sequence};
use crate::text::Strand;
use std::ops::Range;

/// Length of the longer string's side, in pixels.
const LONG_SIDE: u32 = 800;
/// Lower bound on the length of the shorter string's side, in pixels.
const SHORT_SIDE: u32 = 320;
/// Width of the path in pixels, by default and over wide dots, where a thin path would be lost.
const PATH_WIDTH: (u32, u32) = (2, 5);
/// Lower bound on the width of a unique match, in pixels: dark edges show on both sides of the
/// path.
const UNIQUE_WIDTH: i32 = 5;
/// Lower bound on the width of a repeat, in pixels.
const REPEAT_WIDTH: i32 = 2;
const _: () = assert!(LONG_SIDE <= MAX_CELLS);

const MARGIN: u32 = 24;
const TITLE: u32 = 118;
const X_AXIS: u32 = 48;
const Y_AXIS: u32 = 64;

const FORWARD: RGBColor = colours::BLUE;
const REVERSE: RGBColor = colours::GREEN;
const PATH: RGBColor = colours::ORANGE;
/// Colours of repeats: paler, and distinct from each other.
const FAINT_FORWARD: RGBColor = RGBColor(166, 206, 228);
const FAINT_REVERSE: RGBColor = RGBColor(173, 221, 202);

/// Draws a dot plot of `a` and `b` with the path of their LCS to `file`, as PNG or SVG by its
/// extension.
///
/// Returns the number of matches. The file appears complete or not at all. An SVG has at most
/// 10,000 points and is smaller than 2 MB, however long the strings are.
///
/// ```
/// use carrywave::io::output::OutputFile;
/// use carrywave::io::sequence::{Kind, Sequence};
/// use carrywave::view::dot_plot::dot_plot;
///
/// let folder = tempfile::tempdir()?;
/// let file = OutputFile::open(&folder.path().join("plot.svg"))?;
/// let [a, b] = ["ACGTTGCATTAG", "ACGTAGCATTAG"]
///     .map(|symbols| Sequence::new("dna", symbols, Kind::Nucleotide));
/// let shared = dot_plot(file, &a, &b, &carrywave::lcs(&a.symbols, &b.symbols)?)?;
/// println!(
///     "{} matches, {} of them reverse",
///     shared.unique + shared.unique_reverse,
///     shared.unique_reverse
/// );
/// assert!(!shared.mostly_reverse() && !shared.mostly_forward());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`Error::Usage`] with [`UsageFault::FileName`](crate::error::UsageFault::FileName) for another
/// extension, and with [`UsageFault::Mismatch`](crate::error::UsageFault::Mismatch) if the LCS does
/// not fit the strings; [`Error::Io`] if the file cannot be written.
pub fn dot_plot(file: OutputFile, a: &Sequence, b: &Sequence, lcs: &CommonSubsequence) -> Result<SharedKmers> {
    strand_dot_plot(file, a, b, lcs, Strand::Forward)
}

/// Like [`dot_plot`], for an LCS of `a` and one strand of `b`. The plot shows both strings as
/// given: on the reverse strand the path begins at the end of `b` and falls, along the matches with
/// the reverse complement. See the [example](dot_plot).
///
/// # Errors
/// As [`dot_plot`].
pub fn strand_dot_plot(
    file: OutputFile,
    a: &Sequence,
    b: &Sequence,
    lcs: &CommonSubsequence,
    strand: Strand,
) -> Result<SharedKmers> {
    let file = PictureFile::new(file)?;
    check_length("first", &a.symbols, lcs.a_len())?;
    check_length("second", &b.symbols, lcs.b_len())?;
    let frame = Frame::new(a, b);
    let dots = Seeds::find(&a.symbols, &b.symbols, frame.nucleotides, frame.width as usize, frame.height as usize);
    file.write(frame.picture(), &DotPlot { a, b, lcs, strand, frame, dots: &dots })?;
    Ok(dots.counts)
}

/// Sizes of the picture, and the meaning of its axes.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// Size of the plot without title and axes, in pixels.
    width: u32,
    height: u32,
    /// Number of symbols of A and B, but at least 1, since an axis needs an extent.
    a_len: u64,
    b_len: u64,
    nucleotides: bool,
}

impl Frame {
    fn new(a: &Sequence, b: &Sequence) -> Self {
        let [a_len, b_len] = [a, b].map(|sequence| sequence.symbols.len().max(1) as u64);
        let longer = a_len.max(b_len) as f64;
        let side = |len: u64| {
            let share = (len as f64 / longer * f64::from(LONG_SIDE)).round() as u32;
            share.clamp(SHORT_SIDE, LONG_SIDE)
        };
        Self {
            width: side(a_len),
            height: side(b_len),
            a_len,
            b_len,
            nucleotides: [a, b].iter().all(|sequence| sequence.kind == Kind::Nucleotide),
        }
    }

    /// Returns the size of the whole picture; a narrow plot leaves room for the title.
    fn picture(&self) -> (u32, u32) {
        (Y_AXIS + 2 * MARGIN + self.width + self.spare(), TITLE + self.height + X_AXIS + MARGIN)
    }

    /// Returns the width of the empty space right of the plot, in pixels.
    fn spare(&self) -> u32 {
        620u32.saturating_sub(self.width)
    }

    /// Returns the pixel of a pair of positions, relative to the plot's upper left corner.
    fn point(&self, a: u64, b: u64) -> (i32, i32) {
        let x = a as f64 / self.a_len as f64 * f64::from(self.width);
        let y = b as f64 / self.b_len as f64 * f64::from(self.height);
        (x.round() as i32, self.height as i32 - y.round() as i32)
    }
}

/// Returns a unit for positions: its number of symbols, and its name.
fn unit(kind: Kind, len: u64) -> (f64, &'static str) {
    let names = match kind {
        Kind::Nucleotide => ["bases", "kb", "Mb", "Gb"],
        Kind::Protein => ["residues", "thousand residues", "million residues", "billion residues"],
        Kind::Bytes => ["bytes", "kB", "MB", "GB"],
        Kind::Characters => ["characters", "thousand characters", "million characters", "billion characters"],
    };
    match len {
        0..2_000 => (1.0, names[0]),
        2_000..2_000_000 => (1e3, names[1]),
        2_000_000..2_000_000_000 => (1e6, names[2]),
        _ => (1e9, names[3]),
    }
}

/// Returns the ends of an axis for `len` symbols, with positions in the whole record.
fn axis(string: &Sequence, len: u64, unit: f64) -> Range<f64> {
    let start = string.excerpt.map_or(0, |excerpt| excerpt.start);
    start as f64 / unit..start.saturating_add(len) as f64 / unit
}

/// Returns the text of a tick; empty for a tick between two symbols.
fn tick(value: f64, (symbols, _): (f64, &str)) -> String {
    if symbols == 1.0 && value.fract().abs() > 1e-6 {
        return String::new();
    }
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// Everything that a dot plot shows.
struct DotPlot<'a> {
    a: &'a Sequence,
    b: &'a Sequence,
    lcs: &'a CommonSubsequence,
    /// Strand of B that the LCS uses.
    strand: Strand,
    frame: Frame,
    dots: &'a Seeds,
}

impl Picture for DotPlot<'_> {
    fn draw<B: DrawingBackend>(&self, root: &DrawingArea<B, Shift>) -> Drawn<B> {
        let (frame, dots) = (&self.frame, self.dots);
        root.fill(&WHITE)?;
        let (right, _) = frame.picture();
        let x_unit = unit(self.a.kind, frame.a_len);
        let y_unit = unit(self.b.kind, frame.b_len);
        let mut chart = ChartBuilder::on(root)
            .margin_left(MARGIN)
            .margin_right(MARGIN + frame.spare())
            .margin_bottom(MARGIN)
            .margin_top(TITLE)
            .x_label_area_size(X_AXIS)
            .y_label_area_size(Y_AXIS)
            .build_cartesian_2d(axis(self.a, frame.a_len, x_unit.0), axis(self.b, frame.b_len, y_unit.0))?;
        let ticks = |pixels: u32| (pixels / 60) as usize;
        chart
            .configure_mesh()
            .disable_mesh()
            .x_labels(ticks(frame.width))
            .y_labels(ticks(frame.height))
            .x_label_formatter(&|value| tick(*value, x_unit))
            .y_label_formatter(&|value| tick(*value, y_unit))
            .x_desc(format!("{} ({})", label(&self.a.name, frame.width as usize / 14), x_unit.1))
            .y_desc(format!("{} ({})", label(&self.b.name, frame.height as usize / 14), y_unit.1))
            .label_style(("sans-serif", 16))
            .axis_desc_style(("sans-serif", 18))
            .draw()?;

        let (left, top) = chart.plotting_area().get_base_pixel();
        // Draws the frame, since plotters draws only half of it.
        let corner = (left + frame.width as i32, top + frame.height as i32);
        root.draw(&Rectangle::new([(left, top), corner], colours::GRID))?;
        let origin = (left, top);
        self.draw_dots(root, origin, dots)?;
        self.draw_path(root, origin, &dots.unique[0])?;
        self.heading(root, right as i32, dots)
    }
}

impl DotPlot<'_> {
    /// Draws the matches, unique ones over repeats.
    fn draw_dots<B: DrawingBackend>(&self, root: &DrawingArea<B, Shift>, origin: (i32, i32), dots: &Seeds) -> Drawn<B> {
        let [forward, reverse] = &dots.repeats;
        self.draw_plane(root, origin, (reverse, FAINT_REVERSE, REPEAT_WIDTH))?;
        self.draw_plane(root, origin, (forward, FAINT_FORWARD, REPEAT_WIDTH))?;
        let [forward, reverse] = &dots.unique;
        self.draw_plane(root, origin, (reverse, REVERSE, UNIQUE_WIDTH))?;
        self.draw_plane(root, origin, (forward, FORWARD, UNIQUE_WIDTH))
    }

    /// Draws a rectangle for each run of cells, at least `least` pixels wide.
    fn draw_plane<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, Shift>,
        (left, top): (i32, i32),
        (plane, colour, least): (&Plane, RGBColor, i32),
    ) -> Drawn<B> {
        let place = |cell: usize, cells: usize, pixels: u32| (cell * pixels as usize / cells) as i32;
        let x = |column| left + place(column, plane.columns, self.frame.width);
        let y = |row| top + self.frame.height as i32 - place(row, plane.rows(), self.frame.height);
        // Widens a rectangle about its middle, so that a path along it stays in the middle.
        let wide = |from: i32, to: i32| {
            let from = from.min((from + to - least).div_euclid(2));
            (from, to.max(from + least))
        };
        for (row, columns) in plane.runs() {
            let (x0, x1) = wide(x(columns.start), x(columns.end));
            let (y0, y1) = wide(y(row + 1), y(row));
            let corners = [(x0.max(left), y0.max(top)), (x1.min(x(plane.columns)), y1.min(y(0)))];
            root.draw(&Rectangle::new(corners, colour.filled()))?;
        }
        Ok(())
    }

    /// Draws the path, thin so that it does not hide the matches along it, but thicker over wide
    /// dots.
    fn draw_path<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, Shift>,
        (left, top): (i32, i32),
        cells: &Plane,
    ) -> Drawn<B> {
        let wide = cells.columns * 8 < self.frame.width as usize || cells.rows() * 8 < self.frame.height as usize;
        let path = self.path().into_iter().map(|(x, y)| (left + x, top + y));
        let width = if wide { PATH_WIDTH.1 } else { PATH_WIDTH.0 };
        root.draw(&PathElement::new(path.collect::<Vec<_>>(), PATH.stroke_width(width)))
    }

    /// Draws the title, the numbers of matches, and the legend.
    fn heading<B: DrawingBackend>(&self, root: &DrawingArea<B, Shift>, right: i32, dots: &Seeds) -> Drawn<B> {
        let middle = right / 2;
        let centred =
            |size: u32| TextStyle::from(("sans-serif", size).into_font()).pos(Pos::new(HPos::Center, VPos::Center));
        let most = right as usize / 28;
        let title = format!("{} and {}", label(&self.a.name, most), label(&self.b.name, most));
        root.draw_text(&title, &centred(24), (middle, 20))?;
        let symbols = match (self.a.kind, self.b.kind) {
            (Kind::Nucleotide, Kind::Nucleotide) => "bases",
            (Kind::Protein, Kind::Protein) => "residues",
            (Kind::Bytes, Kind::Bytes) => "bytes",
            (Kind::Characters, Kind::Characters) => "characters",
            _ => "symbols",
        };
        let mut found = format!("LCS of {} {symbols}", grouped(self.lcs.len()));
        if self.strand == Strand::Reverse {
            found += " on the reverse strand of B";
        }
        if let Some(identity) = self.lcs.identity() {
            found += &format!(", identity {:.2} % (of the longer string)", identity * 100.0);
        }
        root.draw_text(&found, &centred(18), (middle, 47))?;

        let mut entries = vec![([PATH; 2], "LCS path".to_string())];
        let counts = &dots.counts;
        if let Some(k) = counts.k {
            let shared = match k {
                1 => format!("Dots: {symbols} that both strings have"),
                _ => format!("Dots: substrings of {k} {symbols} that both strings have"),
            };
            let text = format!("{shared}; dark, and counted: those that are in each only once");
            root.draw_text(&text, &centred(16), (middle, 72))?;
            let mut faint = [FAINT_FORWARD; 2];
            if self.frame.nucleotides {
                entries.push(([FORWARD; 2], format!("forward: {}", grouped(counts.unique))));
                entries.push(([REVERSE; 2], format!("reverse complement: {}", grouped(counts.unique_reverse))));
                faint[1] = FAINT_REVERSE;
            } else {
                entries.push(([FORWARD; 2], format!("once in each: {}", grouped(counts.unique))));
            }
            if counts.repeats > 0 || counts.repeats_reverse > 0 {
                entries.push((faint, if dots.sampled { "repeats (a sample)" } else { "repeats" }.into()));
            }
        }
        let style = TextStyle::from(("sans-serif", 16).into_font()).pos(Pos::new(HPos::Left, VPos::Center));
        let mut widths = Vec::new();
        for (_, text) in &entries {
            // Another program draws the text of an SVG, perhaps with a wider font.
            widths.push(root.estimate_text_size(text, &style)?.0 as i32 * 6 / 5);
        }
        let (swatch, gap) = (20, 16);
        let total = widths.iter().map(|width| swatch + width + gap).sum::<i32>() - gap;
        let (mut x, y) = (middle - total / 2, 98);
        for (([first, second], text), width) in entries.iter().zip(widths) {
            root.draw(&Rectangle::new([(x, y - 5), (x + 6, y + 5)], first.filled()))?;
            root.draw(&Rectangle::new([(x + 6, y - 5), (x + 12, y + 5)], second.filled()))?;
            root.draw_text(text, &style, (x + swatch, y))?;
            x += swatch + width + gap;
        }
        Ok(())
    }

    /// Returns the path in pixels: diagonal along matches, horizontal along symbols that only A
    /// has, vertical along symbols that only B has. Its length is of the order of the plot's sides,
    /// however many runs there are.
    fn path(&self) -> Vec<(i32, i32)> {
        let (mut a, mut b) = (0, 0);
        let point = |a: u64, b: u64| match self.strand {
            Strand::Forward => self.frame.point(a, b),
            Strand::Reverse => self.frame.point(a, self.lcs.b_len() - b),
        };
        let mut path = vec![point(0, 0)];
        for operation in self.lcs.operations() {
            match operation {
                Operation::Match(run) => (a, b) = (a + run.len, b + run.len),
                Operation::Substitution { len, .. } => (a, b) = (a + len, b + len),
                Operation::Insertion { len, .. } => a += len,
                Operation::Deletion { len, .. } => b += len,
            }
            let point = point(a, b);
            if path.last() != Some(&point) {
                path.push(point);
            }
        }
        path
    }
}
