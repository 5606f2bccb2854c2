//! A picture in a file, as SVG or PNG by the file's extension. The file appears complete or not at
//! all.

use super::font;
use crate::error::{Error, Result, UsageFault};
use crate::io::output::OutputFile;
use plotters::coord::Shift;
use plotters::drawing::DrawingAreaErrorKind;
use plotters::prelude::*;
use std::io::{self, Write};
use std::path::Path;

/// Result of drawing.
pub(super) type Drawn<B> = std::result::Result<(), DrawingAreaErrorKind<<B as DrawingBackend>::ErrorType>>;

/// Something that can be drawn.
pub(super) trait Picture {
    /// Draws the picture, including its background.
    fn draw<B: DrawingBackend>(&self, root: &DrawingArea<B, Shift>) -> Drawn<B>;
}

/// An output file for a picture.
pub(super) struct PictureFile {
    file: OutputFile,
    format: Format,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Svg,
    Png,
}

impl Format {
    fn from_path(path: &Path) -> Result<Self> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        match ending.as_deref().and_then(|ending| ending.to_str()) {
            Some("svg") => Ok(Self::Svg),
            Some("png") => Ok(Self::Png),
            _ => Err(UsageFault::FileName.error(format!(
                "{}: plots are written as PNG or SVG; use a file name that ends in .png or .svg",
                path.display()
            ))),
        }
    }
}

impl PictureFile {
    /// Returns an error for another extension.
    pub fn new(file: OutputFile) -> Result<Self> {
        Ok(Self { format: Format::from_path(file.path())?, file })
    }

    /// Writes a picture of `size` pixels, (width, height).
    pub fn write(self, size: (u32, u32), picture: &impl Picture) -> Result<()> {
        let path = self.file.path().to_owned();
        let failed = |reason: String| Error::Io {
            path: path.clone(),
            source: io::Error::other(format!("cannot draw the plot: {reason}")),
        };
        if !font::register() {
            return Err(failed("the font is damaged".into()));
        }
        match self.format {
            Format::Svg => {
                let mut text = String::new();
                {
                    let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
                    picture.draw(&root).map_err(|fault| failed(fault.to_string()))?;
                }
                self.file.write(|out| out.write_all(text.as_bytes()))
            }
            Format::Png => {
                let mut pixels = vec![0; size.0 as usize * size.1 as usize * 3];
                {
                    let root = BitMapBackend::with_buffer(&mut pixels, size).into_drawing_area();
                    picture.draw(&root).map_err(|fault| failed(fault.to_string()))?;
                }
                self.file.write(|out| write_png(out, size, &pixels))
            }
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

/// Returns at most `most` characters of a text, without characters that XML cannot hold.
pub(super) fn label(name: &str, most: usize) -> String {
    let bad = |c: char| c.is_control() || matches!(c, '\u{fffe}' | '\u{ffff}');
    let mut text: String = name.chars().take(most).map(|c| if bad(c) { '.' } else { c }).collect();
    if name.chars().nth(most).is_some() {
        text.push('…');
    }
    text
}
