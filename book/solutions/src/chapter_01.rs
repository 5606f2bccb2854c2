//! Solutions of chapter 1: Threads.
