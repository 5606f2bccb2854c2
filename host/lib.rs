//! Exact comparison and approximate search of long strings on NVIDIA GPUs, and without one.
//!
//! ```
//! let (a, b) = (b"ABCBDAB", b"BDCABA");
//! let lcs = carrywave::lcs(a, b)?;
//! println!("{} of {} symbols: {}", lcs.len(), lcs.a_len(), lcs.cigar());
//! assert_eq!(lcs.subsequence(a)?, b"BCBA");
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! **One contract for all jobs.** A job is a builder with the settings, and a method that takes the
//! input:
//!
//! | setting | meaning | default |
//! |---|---|---|
//! | `on(&engine)` | the engine, not borrowed by the job | the engine that should be fastest |
//! | `algorithm(...)` | a named algorithm of the job's module | `auto`, the fastest for the input |
//! | `maximum(k)` | the maximum distance of whole strings | no limit |
//! | `errors(k)` | the maximum errors of an occurrence in a text | 0 |
//! | `on_progress(...)` | a callback for progress | |
//! | `recorder(...)` | the recorder that gets the job's report | |
//!
//! Methods that end in `_of` take items of any type that can be compared and hashed.
//!
//! ```
//! use carrywave::device::Cpu;
//! use carrywave::distance::{Algorithm, Comparison};
//! use carrywave::job::Recorder;
//!
//! let (engine, recorder) = (Cpu::with_threads(2)?, Recorder::new());
//! let job = Comparison::new()
//!     .on(&engine)
//!     .algorithm(Algorithm::named("dp")?)
//!     .maximum(3)
//!     .recorder(&recorder);
//! assert_eq!(job.within(b"kitten", b"sitting")?, Some(3));
//! assert_eq!(recorder.report().and_then(|report| report.algorithm()), Some("dp"));
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! Find the pairs of a list within a distance, and the part of a text that is nearest to a pattern:
//!
//! ```
//! use carrywave::best::Best;
//! use carrywave::device::Cpu;
//! use carrywave::pairs::Pairs;
//! use carrywave::text::Pattern;
//!
//! let engine = Cpu::new();
//! let near = Pairs::new().on(&engine).maximum(1).within(&["anna", "hanna", "otto"])?;
//! assert_eq!((near.len(), near[0].a, near[0].b, near[0].distance), (1, 0, 1, 1));
//! assert_eq!(Best::new(Pattern::literal(b"wave")).on(&engine).find(b"a wavy line")?.distance, 1);
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! Compare two texts line by line:
//!
//! ```
//! use carrywave::{device::Cpu, diff::Comparison};
//!
//! let diff = Comparison::new().on(&Cpu::new()).compare(b"one\ntwo\n", b"one\n2\n")?;
//! assert_eq!((diff.changes().len(), diff.counts().inserted), (1, 1));
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! Search a file of any size, and get each hit as soon as it is found (feature `io`):
//!
//! ```
//! # #[cfg(feature = "io")] {
//! use carrywave::io::sequence::{PartOptions, PartReader};
//! use carrywave::search::Search;
//! use carrywave::text::{Alphabet, Pattern};
//!
//! let reader = PartReader::open("data/humanMito.fa", PartOptions::default())?;
//! let search = Search::new(Pattern::parse(b"GATTACATTACCA", Alphabet::Iupac)?).errors(3);
//! for found in search.prepare()?.stream(reader) {
//!     let found = found?;
//!     println!("{} {}..{}", found.name().unwrap_or(""), found.hit.start, found.hit.end);
//! }
//! # }
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! Search for many patterns in one pass over a text:
//!
//! ```
//! use carrywave::search::Search;
//! use carrywave::text::Pattern;
//!
//! let words = ["longest", "common", "subsequence"].map(|word| Pattern::literal(word.as_bytes()));
//! for hit in Search::many(words.to_vec()).errors(1).hits("the longest comon subsequences")? {
//!     println!("word {} at {}..{}", hit.pattern, hit.start, hit.end);
//! }
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! Keep one GPU open for many calls, and a text in its memory:
//!
//! ```no_run
//! use carrywave::device::Gpu;
//! use carrywave::search::{ResidentText, Search};
//! use carrywave::text::Pattern;
//!
//! let gpu = Gpu::open(0)?;
//! let text = ResidentText::new(&gpu, std::fs::read("text")?)?;
//! for word in ["carry", "wave"] {
//!     println!("{word}: {}", Search::new(Pattern::literal(word.as_bytes())).hits(&text)?.len());
//! }
//! println!("{}", carrywave::lcs::Comparison::new().on(&gpu).length(b"carry", b"wave")?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | job | module |
//! |---|---|
//! | the longest common subsequence of two long strings | [`lcs`](mod@lcs) |
//! | the lines, words or characters that differ between two texts | [`diff`] |
//! | the occurrences of a pattern in a text | [`search`] |
//! | the sites of CRISPR guides in a genome | [`guides`] |
//! | reads without adapters and ends of low quality | [`trim`] |
//! | the barcode of each read, and clusters of UMIs | [`barcodes`] |
//! | the part of a text that is nearest to a pattern | [`best`](mod@best) |
//! | the edit distance of two strings | [`distance`] |
//! | the distances of many pairs of strings | [`pairs`] |
//! | other scores of two strings, for fuzzy matching | [`scorers`] |
//! | alignments: runs of matches, and operations | [`alignment`] |
//! | texts, patterns and alphabets | [`text`] |
//! | reading FASTA, FASTQ and raw files, and writing files | [`io`] |
//! | the side-by-side view and the dot plot | [`view`] |
//! | the hardware: the CPU, GPUs, the simulator | [`device`] |
//! | progress and reports | [`job`] |
//! | one comparison on several engines or hosts | [`cluster`] |
//! | the cost of a kernel's memory accesses on Nakano's memory machines | [`machine`] |
//! | checked allocation of host memory, and block sizes | [`memory`] |
//! | cross-checks of every engine | [`verify`](mod@verify) |
//! | the kernels and the simulator | [`kernels`] |
#[macro_use]
mod named;

pub mod algorithm;
pub mod alignment;
pub mod barcodes;
pub mod best;
mod cost;
mod cpu;
pub mod device;
pub mod diff;
pub mod distance;
pub mod error;
pub mod guides;
mod infix;
#[doc(hidden)]
pub mod internal;
#[cfg(feature = "io")]
pub mod io;
pub mod job;
pub mod lcs;
#[cfg(feature = "machine")]
pub mod machine;
mod measure;
pub mod memory;
pub mod pairs;
mod pairwise;
pub mod scorers;
pub mod search;
pub mod text;
mod threads;
pub mod trim;
pub mod verify;
#[cfg(feature = "io")]
pub mod view;

pub use best::best;
pub use carrywave_kernels as kernels;
pub use error::{Error, Result};
pub use lcs::{lcs, lcs_length, lcs_of};
#[doc(inline)]
pub use pairwise::cluster;

/// Runs the listings of pages as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
#[doc = include_str!("../docs/floats.md")]
#[doc = include_str!("../docs/kernels.md")]
#[doc = include_str!("../docs/rust.md")]
struct Pages;
