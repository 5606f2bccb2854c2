//! The colours of pictures: those of Okabe and Ito, which colour-blind readers can distinguish.

use plotters::style::RGBColor;

pub(crate) const BLACK: RGBColor = RGBColor(0, 0, 0);
pub(crate) const ORANGE: RGBColor = RGBColor(230, 159, 0);
pub(crate) const SKY_BLUE: RGBColor = RGBColor(86, 180, 233);
pub(crate) const GREEN: RGBColor = RGBColor(0, 158, 115);
pub(crate) const YELLOW: RGBColor = RGBColor(240, 228, 66);
pub(crate) const BLUE: RGBColor = RGBColor(0, 114, 178);
pub(crate) const VERMILION: RGBColor = RGBColor(213, 94, 0);
pub(crate) const PURPLE: RGBColor = RGBColor(204, 121, 167);

/// Colours of lines that carry no data.
pub(crate) const GREY: RGBColor = RGBColor(153, 153, 153);
pub(crate) const GRID: RGBColor = RGBColor(225, 225, 225);
