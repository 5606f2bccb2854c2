//! Search: where does a pattern occur in a text, with at most k errors?

pub mod pattern;
