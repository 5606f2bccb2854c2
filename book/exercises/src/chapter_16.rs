//! Exercises of chapter 16: Wang 2018: duels.
