//! Solutions of chapter 6: Tiles.
