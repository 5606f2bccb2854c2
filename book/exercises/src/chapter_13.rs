//! Exercises of chapter 13: Kawanami, Fujimoto 2014: carries.
