//! Views of a result: the side-by-side view and the dot plot.
//!
//! | file | what |
//! |---|---|
//! | [`blocks`] | two strings side by side |
//! | `dot_plot` | where two strings have stretches in common, as SVG and PNG |
//! | `font` | the font that plots are drawn with |
//! | `seeds` | the k-mers that two strings share, for the dot plot |
pub mod blocks;
#[cfg(feature = "plot")]
pub mod dot_plot;
#[cfg(feature = "plot")]
pub(crate) mod font;
#[cfg(feature = "plot")]
mod seeds;
