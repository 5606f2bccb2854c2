//! The nearest part of a text on a GPU or on the simulator.
pub mod nakano;
