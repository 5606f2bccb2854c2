//! The nearest part of a text on the processor.
pub mod best;
mod seeds;
