//! Dot plots: where two strings have stretches in common, and the way an LCS takes through them.
//!
//! A is on the horizontal axis and B on the vertical one, both from the lower left corner. A point
//! is a k-mer (k symbols in a row) that both strings have, with k so large that hardly any of them
//! are there by chance. In nucleotides a second colour shows k-mers of A whose reverse complement
//! is in B; there, k-mers with anything but A, C, G, T and U are left out, or runs of N would fill
//! the plot.
//!
//! A k-mer becomes its hash and the plot's column or row, in one integer. Both lists are sorted and
//! merged, and equal hashes set bits in a plane of one bit per pixel. A k-mer in many columns sets
//! whole rows of bits at once: repeats cost no more than other text. O((m + n) log(m + n)) time,
//! and memory for the plane and 2^25 k-mers of each string, not more for longer ones.

use std::io::{self, Write};
use std::path::Path;

use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use rayon::slice::ParallelSliceMut;

use super::font;
use crate::algorithm::grouped;
use crate::align::runs::{CommonSubsequence, Operation, check_length};
use crate::io::output::OutputFile;
use crate::io::sequence::{Kind, Sequence};
use crate::{Error, Result};

/// Pixels along the longer string.
const LONG_SIDE: u32 = 800;
/// Pixels along the shorter string at least, however short it is.
const SHORT_SIDE: u32 = 320;
/// Points that chance is to leave at most in a plot.
const CHANCE: f64 = 500.0;
/// K-mers of a string that are held at a time: 256 MiB.
const PASS: usize = 1 << 25;
/// Rectangles in an SVG at most, each about 90 bytes.
const RECTANGLES: usize = 15_000;
/// Rectangles from which on the smallest are one pixel wide.
const MANY: usize = 4_000;

const MARGIN: u32 = 24;
const TITLE: u32 = 92;
const X_AXIS: u32 = 48;
const Y_AXIS: u32 = 64;

// The colours of Okabe and Ito, which colour-blind readers can tell apart.
const FORWARD: RGBColor = RGBColor(0, 114, 178);
const REVERSE: RGBColor = RGBColor(0, 158, 115);
const PATH: RGBColor = RGBColor(255, 190, 90);
const GRID: RGBColor = RGBColor(225, 225, 225);

/// Draws a dot plot of `a` and `b` with the path of their LCS to `file`, as PNG or SVG by its
/// ending.
///
/// The file appears whole or not at all. An SVG stays below 2 MB: where its points would pass
/// that, it is drawn more coarsely.
///
/// # Errors
/// [`Error::Usage`] for another ending, or strings that the result is not for; [`Error::Io`] when
/// the file cannot be written.
pub fn dot_plot(file: OutputFile, a: &Sequence, b: &Sequence, lcs: &CommonSubsequence) -> Result<()> {
    let path = file.path().to_owned();
    let format = PlotFormat::of(&path)?;
    check_length("first", &a.symbols, lcs.a_len())?;
    check_length("second", &b.symbols, lcs.b_len())?;
    let failed = |reason: String| Error::Io {
        path: path.clone(),
        source: io::Error::other(format!("the plot could not be drawn: {reason}")),
    };
    if !font::register() {
        return Err(failed("the font is damaged".into()));
    }

    let frame = Frame::new(a, b);
    let mut dots = Dots::find(&a.symbols, &b.symbols, frame.nucleotides, frame.width, frame.height);
    let picture = Picture { a, b, lcs, frame };
    let size = frame.picture();
    match format {
        PlotFormat::Svg => {
            while dots.rectangles() > RECTANGLES {
                dots.coarsen();
            }
            let mut text = String::new();
            {
                let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
                let drawn = picture.draw(&root, &dots);
                drawn.map_err(|fault| failed(fault.to_string()))?;
            }
            file.write(|out| out.write_all(text.as_bytes()))
        }
        PlotFormat::Png => {
            let mut pixels = vec![0; size.0 as usize * size.1 as usize * 3];
            {
                let root = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
                let drawn = picture.draw(&root, &dots);
                drawn.map_err(|fault| failed(fault.to_string()))?;
            }
            file.write(|out| write_png(out, size, &pixels))
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PlotFormat {
    Svg,
    Png,
}

impl PlotFormat {
    fn of(path: &Path) -> Result<Self> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_deref().and_then(|ending| ending.to_str()) {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => Err(Error::Usage(format!(
                "{}: a plot is written as PNG or SVG; name the file .png or .svg",
                path.display()
            ))),
        }
    }
}

fn write_png(out: &mut dyn Write, (width, height): (u32, u32), pixels: &[u8]) -> io::Result<()> {
    let mut encoder = png::Encoder::new(out, width, height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header()?;
    writer.write_image_data(pixels)?;
    Ok(writer.finish()?)
}

/// The sizes of the picture and the meaning of its axes.
#[derive(Debug, Clone, Copy)]
struct Frame {
    /// Of the plot without title and axes, in pixels.
    width: u32,
    height: u32,
    /// Symbols of A and B, 1 for none: an axis needs an extent.
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

    /// Width and height of all of it; a narrow plot leaves room for the title.
    fn picture(&self) -> (u32, u32) {
        (Y_AXIS + 2 * MARGIN + self.width + self.spare(), TITLE + self.height + X_AXIS + MARGIN)
    }

    /// Pixels left free right of the plot.
    fn spare(&self) -> u32 {
        620u32.saturating_sub(self.width)
    }

    /// Where a position in each string is drawn, relative to the plot's upper left corner.
    fn point(&self, a: u64, b: u64) -> (i32, i32) {
        let x = a as f64 / self.a_len as f64 * f64::from(self.width);
        let y = b as f64 / self.b_len as f64 * f64::from(self.height);
        (x.round() as i32, self.height as i32 - y.round() as i32)
    }
}

/// A unit for positions: how many symbols, and its name.
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

/// A tick's text; none between two symbols.
fn tick(value: f64, (symbols, _): (f64, &str)) -> String {
    if symbols == 1.0 && value.fract().abs() > 1e-6 {
        return String::new();
    }
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

/// A name that fits and that XML can hold.
fn label(name: &str, most: usize) -> String {
    let bad = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    let mut text: String = name.chars().take(most).map(|c| if bad(c) { '.' } else { c }).collect();
    if name.chars().nth(most).is_some() {
        text.push('…');
    }
    text
}

/// What is drawn around and under the dots.
struct Picture<'a> {
    a: &'a Sequence,
    b: &'a Sequence,
    lcs: &'a CommonSubsequence,
    frame: Frame,
}

type Drawn<B> = std::result::Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

impl Picture<'_> {
    fn draw<B: DrawingBackend>(&self, root: &DrawingArea<B, Shift>, dots: &Dots) -> Drawn<B> {
        let frame = &self.frame;
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
            .build_cartesian_2d(0.0..frame.a_len as f64 / x_unit.0, 0.0..frame.b_len as f64 / y_unit.0)?;
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
        // The frame, which plotters draws only half of.
        let corner = (left + frame.width as i32, top + frame.height as i32);
        root.draw(&Rectangle::new([(left, top), corner], GRID))?;
        let origin = (left, top);
        if dots.wide(frame) {
            dots.draw(root, origin, frame)?;
            self.draw_path(root, origin)?;
        } else {
            // Under the dots, as it would hide those that it passes through.
            self.draw_path(root, origin)?;
            dots.draw(root, origin, frame)?;
        }
        self.heading(root, right as i32, dots)
    }

    fn draw_path<B: DrawingBackend>(&self, root: &DrawingArea<B, Shift>, (left, top): (i32, i32)) -> Drawn<B> {
        let path = self.path().into_iter().map(|(x, y)| (left + x, top + y));
        root.draw(&PathElement::new(path.collect::<Vec<_>>(), PATH.stroke_width(5)))
    }

    /// The title, what was found, and the legend.
    fn heading<B: DrawingBackend>(&self, root: &DrawingArea<B, Shift>, right: i32, dots: &Dots) -> Drawn<B> {
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
        if let Some(identity) = self.lcs.identity() {
            found += &format!(", identity {:.2} % (of the longer string)", identity * 100.0);
        }
        root.draw_text(&found, &centred(18), (middle, 47))?;

        let mut entries = vec![(PATH, "LCS path".to_string())];
        if let Some(k) = dots.k {
            let word = match symbols {
                "bases" => "base",
                "residues" => "residue",
                "bytes" => "byte",
                "characters" => "character",
                _ => "symbol",
            };
            entries.push((FORWARD, format!("{k}-{word} matches")));
            if self.frame.nucleotides {
                entries.push((REVERSE, "reverse-complement matches".into()));
            }
        }
        let style = TextStyle::from(("sans-serif", 16).into_font()).pos(Pos::new(HPos::Left, VPos::Center));
        let mut widths = Vec::new();
        for (_, text) in &entries {
            widths.push(root.estimate_text_size(text, &style)?.0 as i32);
        }
        let (swatch, gap) = (20, 24);
        let total = widths.iter().map(|width| swatch + width + gap).sum::<i32>() - gap;
        let (mut x, y) = (middle - total / 2, 73);
        for ((colour, text), width) in entries.iter().zip(widths) {
            root.draw(&Rectangle::new([(x, y - 5), (x + 12, y + 5)], colour.filled()))?;
            root.draw_text(text, &style, (x + swatch, y))?;
            x += swatch + width + gap;
        }
        Ok(())
    }

    /// The path in pixels: diagonal along matches, level along symbols that only A has, upright
    /// along those that only B has. Of the order of the plot's sides, however many runs there are.
    fn path(&self) -> Vec<(i32, i32)> {
        let (mut a, mut b) = (0, 0);
        let mut path = vec![self.frame.point(0, 0)];
        for operation in self.lcs.operations() {
            match operation {
                Operation::Match(run) => (a, b) = (a + run.len, b + run.len),
                Operation::Substitution { len, .. } => (a, b) = (a + len, b + len),
                Operation::Insertion { len, .. } => a += len,
                Operation::Deletion { len, .. } => b += len,
            }
            let point = self.frame.point(a, b);
            if path.last() != Some(&point) {
                path.push(point);
            }
        }
        path
    }
}

/// The k-mers that two strings share, in the cells of a grid over the plot.
struct Dots {
    forward: Plane,
    reverse: Plane,
    /// Symbols in a k-mer; none where a string is empty.
    k: Option<usize>,
    /// Cells of the finest grid, A's columns and B's rows.
    cells: (usize, usize),
    /// Cells of the finest grid along one of the planes.
    scale: usize,
}

impl Dots {
    fn find(a: &[u8], b: &[u8], nucleotides: bool, width: u32, height: u32) -> Self {
        let cells = (a.len().min(width as usize), b.len().min(height as usize));
        let counted = if nucleotides { |symbol| complement(symbol).is_some() } else { |_| true };
        let k = kmer_length(a, b, nucleotides, counted);
        let mut dots =
            Self { forward: Plane::new(cells.0, cells.1), reverse: Plane::new(cells.0, cells.1), k, cells, scale: 1 };
        let Some(k) = k else { return dots };
        let passes = a.len().max(b.len()).div_ceil(PASS).max(1) as u64;
        // The middle of a k-mer, which it shares with its reverse complement.
        let middle = |start: usize, len: usize, cells: usize| {
            ((2 * start + k) as u128 * cells as u128 / (2 * len) as u128) as u64
        };
        for pass in 0..passes {
            let list = |len: usize, cells: usize, at: &dyn Fn(usize) -> u8, reversed: bool| {
                let mut list = Vec::with_capacity((len / passes as usize).min(PASS));
                kmers(len, k, at, counted, |start, hash| {
                    if hash % passes == pass {
                        let start = if reversed { len - k - start } else { start };
                        list.push(hash << CELL_BITS | middle(start, len, cells));
                    }
                });
                list.par_sort_unstable();
                list.dedup();
                list
            };
            let of_a = list(a.len(), cells.0, &|i| a[i], false);
            let of_b = list(b.len(), cells.1, &|i| b[i], false);
            dots.forward.mark(&of_a, &of_b);
            if nucleotides {
                drop(of_b);
                let last = b.len().saturating_sub(1);
                let of_b = list(b.len(), cells.1, &|i| complement(b[last - i]).unwrap_or(0), true);
                dots.reverse.mark(&of_a, &of_b);
            }
        }
        dots
    }

    /// Whether a dot is so wide that it would hide the path.
    fn wide(&self, frame: &Frame) -> bool {
        self.cells.0 * 4 < frame.width as usize || self.cells.1 * 4 < frame.height as usize
    }

    fn rectangles(&self) -> usize {
        self.forward.runs().count() + self.reverse.runs().count()
    }

    fn coarsen(&mut self) {
        self.forward = self.forward.coarser();
        self.reverse = self.reverse.coarser();
        self.scale *= 2;
    }

    fn draw<B: DrawingBackend>(
        &self,
        root: &DrawingArea<B, Shift>,
        (left, top): (i32, i32),
        frame: &Frame,
    ) -> Drawn<B> {
        let place =
            |cell: usize, cells: usize, pixels: u32| ((cell * self.scale).min(cells) * pixels as usize / cells) as i32;
        // A dot of one pixel is hard to see; many of two hide the lines between them.
        let least = if self.rectangles() > MANY { 1 } else { 2 };
        for (plane, colour) in [(&self.reverse, REVERSE), (&self.forward, FORWARD)] {
            for (row, columns) in plane.runs() {
                let x = |column| left + place(column, self.cells.0, frame.width);
                let y = |row| top + frame.height as i32 - place(row, self.cells.1, frame.height);
                let (x0, y1) = (x(columns.start), y(row));
                let corners = [(x0, y(row + 1).min(y1 - least)), (x(columns.end).max(x0 + least), y1)];
                root.draw(&Rectangle::new(corners, colour.filled()))?;
            }
        }
        Ok(())
    }
}

/// The smallest k at which strings of this length and composition, shuffled, would share no more
/// than [`CHANCE`] k-mers; `None` when a string has no symbol that counts.
fn kmer_length(a: &[u8], b: &[u8], nucleotides: bool, counted: fn(u8) -> bool) -> Option<usize> {
    let count = |symbols: &[u8]| {
        let mut counts = [0u64; 256];
        for &symbol in symbols.iter().filter(|&&symbol| counted(symbol)) {
            counts[usize::from(symbol)] += 1;
        }
        counts
    };
    let (in_a, in_b) = (count(a), count(b));
    let [m, n] = [&in_a, &in_b].map(|counts| counts.iter().sum::<u64>() as f64);
    if m == 0.0 || n == 0.0 {
        return None;
    }
    // That two symbols, one of each string, are equal.
    let pairs: f64 = in_a.iter().zip(&in_b).map(|(&x, &y)| x as f64 * y as f64).sum();
    let equal = (pairs / (m * n)).clamp(1e-3, 0.9);
    let strands = if nucleotides { 2.0 } else { 1.0 };
    let k = (m * n * strands / CHANCE).ln() / -equal.ln();
    // A float below 1 becomes 0; a string shorter than k would have no k-mer.
    Some((k.ceil() as usize).clamp(1, a.len().min(b.len())))
}

/// The base that pairs with this one, as a capital letter with U as T.
fn complement(base: u8) -> Option<u8> {
    match base.to_ascii_uppercase() {
        b'A' => Some(b'T'),
        b'C' => Some(b'G'),
        b'G' => Some(b'C'),
        b'T' | b'U' => Some(b'A'),
        _ => None,
    }
}

/// Bits of a list's entry for the column or row; the rest is for the hash.
const CELL_BITS: u32 = 10;
const _: () = assert!(LONG_SIDE < 1 << CELL_BITS);

/// Calls `found` with start and hash (64 - [`CELL_BITS`] bits) of each k-mer whose symbols all count.
///
/// A Rabin-Karp hash modulo 2⁶¹ - 1: two different k-mers among 10⁷ pairs of 10⁷ share one about as
/// often as the plot has room for a wrong point, never.
fn kmers(len: usize, k: usize, at: &dyn Fn(usize) -> u8, counted: fn(u8) -> bool, mut found: impl FnMut(usize, u64)) {
    const P: u64 = (1 << 61) - 1;
    const BASE: u64 = 0x0a3f_79d1_5c4b_2e87;
    let times = |x: u64, y: u64| (u128::from(x) * u128::from(y) % u128::from(P)) as u64;
    // What a symbol has become when k others came after it.
    let gone = (0..k).fold(1, |power, _| times(power, BASE));
    let (mut hash, mut held) = (0u64, 0);
    for i in 0..len {
        let symbol = at(i);
        if !counted(symbol) {
            (hash, held) = (0, 0);
            continue;
        }
        hash = (times(hash, BASE) + u64::from(symbol) + 1) % P;
        if held == k {
            hash = (hash + P - times(gone, u64::from(at(i - k)) + 1)) % P;
        } else {
            held += 1;
        }
        if held == k {
            let mixed = hash.wrapping_mul(0x9e37_79b9_7f4a_7c15);
            found(i + 1 - k, mixed >> CELL_BITS);
        }
    }
}

/// One bit per cell.
struct Plane {
    columns: usize,
    words: usize,
    bits: Vec<u64>,
}

impl Plane {
    fn new(columns: usize, rows: usize) -> Self {
        let words = columns.div_ceil(64);
        Self { columns, words, bits: vec![0; words * rows] }
    }

    fn rows(&self) -> usize {
        self.bits.len().checked_div(self.words).unwrap_or(0)
    }

    fn set(&mut self, column: usize, row: usize) {
        self.bits[row * self.words + column / 64] |= 1 << (column % 64);
    }

    fn get(&self, column: usize, row: usize) -> bool {
        self.bits[row * self.words + column / 64] >> (column % 64) & 1 == 1
    }

    /// Sets the cells of all pairs of entries with one hash, from two sorted lists.
    fn mark(&mut self, columns: &[u64], rows: &[u64]) {
        let cell = |entry: &u64| (entry & ((1 << CELL_BITS) - 1)) as usize;
        let mut row_groups = rows.chunk_by(|x, y| x >> CELL_BITS == y >> CELL_BITS).peekable();
        let mut mask = vec![0u64; self.words];
        for in_columns in columns.chunk_by(|x, y| x >> CELL_BITS == y >> CELL_BITS) {
            let hash = in_columns[0] >> CELL_BITS;
            while row_groups.next_if(|group| group[0] >> CELL_BITS < hash).is_some() {}
            let Some(in_rows) = row_groups.next_if(|group| group[0] >> CELL_BITS == hash) else {
                continue;
            };
            if in_columns.len() <= self.words {
                for row in in_rows.iter().map(cell) {
                    in_columns.iter().for_each(|column| self.set(cell(column), row));
                }
                continue;
            }
            mask.fill(0);
            for column in in_columns.iter().map(cell) {
                mask[column / 64] |= 1 << (column % 64);
            }
            for row in in_rows.iter().map(cell) {
                let bits = &mut self.bits[row * self.words..][..mask.len()];
                bits.iter_mut().zip(&mask).for_each(|(bits, mask)| *bits |= mask);
            }
        }
    }

    /// Runs of set cells, row by row.
    fn runs(&self) -> impl Iterator<Item = (usize, std::ops::Range<usize>)> + '_ {
        (0..self.rows()).flat_map(move |row| {
            let mut column = 0;
            std::iter::from_fn(move || {
                let start = (column..self.columns).find(|&column| self.get(column, row))?;
                let end = (start..self.columns).find(|&column| !self.get(column, row));
                column = end.unwrap_or(self.columns);
                Some((row, start..column))
            })
        })
    }

    /// The same in cells of twice the width and height.
    fn coarser(&self) -> Self {
        let mut coarser = Self::new(self.columns.div_ceil(2), self.rows().div_ceil(2));
        for (row, columns) in self.runs() {
            for column in columns {
                coarser.set(column / 2, row / 2);
            }
        }
        coarser
    }
}
