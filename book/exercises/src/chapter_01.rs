//! Exercises of chapter 1: Threads.
