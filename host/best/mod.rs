//! The best approximate match: the part of a text that is nearest to a pattern.
//!
//! K. Nakano, Efficient implementations of the approximate string matching on the memory machine
//! models, 2012, defines ASM(X, Y) = min over the substrings Y' of Y of the edit distance ED(X,
//! Y'). This module computes it together with that substring. Unlike a search, it needs no limit on
//! the errors. It is the infix mode of edit distance: all of the pattern, and any part of the text.
//!
//! ```
//! let best = carrywave::best(b"carrywave", b"to carry a wave, or to carry, wave")?;
//! assert_eq!((best.distance, best.start, best.end), (2, 23, 34));
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! If several substrings are nearest, the result is the one that ends first; among those with the
//! same end (and then the same start), the one whose alignment has the fewest gaps, then the
//! longest, as for a hit of a search. All engines and algorithms agree. If no symbol of the text
//! helps, the result is the empty substring at the start: its distance is m.
//!
//! The paper's figure 3 is the matrix of X = ababa and Y = aaabbbaa: d\[i\]\[j\] is the least
//! distance of X's first i symbols to any substring that ends after Y's first j. The figure has
//! three errors. It prints 1 for d\[1\]\[1\] and 3 for d\[5\]\[6\], where the recurrence gives 0
//! and 2. And the text about it has Y = aaabbbbaa, whose distance is 2, with the figure's distance,
//! which is 1.
//!
//! ```
//! let (x, y) = (b"ababa", b"aaabbbaa");
//! let mut d = [[0; 9]; 6];
//! for i in 0..=5 {
//!     d[i][0] = i;
//! }
//! for i in 1..=5 {
//!     for j in 1..=8 {
//!         let differ = usize::from(x[i - 1] != y[j - 1]);
//!         d[i][j] = (d[i][j - 1] + 1).min(d[i - 1][j] + 1).min(d[i - 1][j - 1] + differ);
//!     }
//! }
//! assert_eq!(
//!     d,
//!     [
//!         [0, 0, 0, 0, 0, 0, 0, 0, 0],
//!         [1, 0, 0, 0, 1, 1, 1, 0, 0],
//!         [2, 1, 1, 1, 0, 1, 1, 1, 1],
//!         [3, 2, 1, 1, 1, 1, 2, 1, 1],
//!         [4, 3, 2, 2, 1, 1, 1, 2, 2],
//!         [5, 4, 3, 2, 2, 2, 2, 1, 2],
//!     ]
//! );
//! // The minimum of the last row, 1, is in column 7: abbba.
//! let best = carrywave::best(x, y)?;
//! assert_eq!((best.distance, best.start, best.end), (1, 2, 7));
//! assert_eq!(&y[2..7], b"abbba");
//! // The Y of the paper's text.
//! assert_eq!(carrywave::best(x, b"aaabbbbaa")?.distance, 2);
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `find` | the job: [`Best`], [`BestMatch`], [`best()`] |
//! | `coded` | a pattern of characters in codes |
//! | `end` | the interface between the job and the engines |
//! | `seeds` | the parts of a text that can match, by q-grams |
//! | `cpu` | algorithms for the CPU: Ukkonen's cut-off in Myers' blocks, q-grams, Myers, Sellers |
//! | `gpu` | algorithms for GPUs and the simulator: Myers, wavefronts, Nakano's as published |
mod coded;
pub(crate) mod cpu;
pub(crate) mod end;
mod find;
pub(crate) mod gpu;
mod seeds;

pub use find::{Algorithm, Best, BestMatch, Infix, best};
