//! Exercises of chapter 11: To the GPU.
