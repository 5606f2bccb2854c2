//! Solutions of chapter 12: Nakano 2012: the memory machines.
