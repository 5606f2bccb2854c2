//! Views of a result: the side-by-side view, the dot plot and the bar chart.
//!
//! | file | what |
//! |---|---|
//! | [`blocks`] | two strings side by side |
//! | `bars` | a bar chart of jobs' shares of their limits, as SVG and PNG |
//! | `colours` | the colours of pictures |
//! | `dot_plot` | the k-mers that two strings share, as SVG and PNG |
//! | `font` | the font of plots |
//! | `picture` | a picture in a file, as SVG or PNG |
//! | `seeds` | the k-mers that two strings share, for the dot plot |
#[cfg(feature = "plot")]
pub(crate) mod bars;
pub mod blocks;
#[cfg(feature = "plot")]
pub(crate) mod colours;
#[cfg(feature = "plot")]
pub mod dot_plot;
#[cfg(feature = "plot")]
pub(crate) mod font;
#[cfg(feature = "plot")]
mod picture;
#[cfg(feature = "plot")]
mod seeds;
