//! Exercises of chapter 15: Mitani, Ino, Hagihara 2017: scans.
