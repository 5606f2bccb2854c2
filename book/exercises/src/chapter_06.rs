//! Exercises of chapter 6: Tiles.
