//! The font of plots, since plotters has none of its own.

use plotters::style::{FontStyle, register_font};
use std::sync::OnceLock;

/// Registers the font with plotters, once. Returns true if it is registered.
pub(crate) fn register() -> bool {
    static REGISTERED: OnceLock<bool> = OnceLock::new();
    *REGISTERED.get_or_init(|| register_font("sans-serif", FontStyle::Normal, notosans::REGULAR_TTF).is_ok())
}
