//! Exercises of chapter 14: Melo, Canalli 2014: slices.
