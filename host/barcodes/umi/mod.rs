//! UMIs: clusters by the directional method, and the number of molecules of each barcode.
//!
//! Reads of one molecule have its UMI, some with a sequencing error. The directional method of
//! UMI-tools (Smith, Heger and Sudbery 2017) joins a rare UMI to a frequent one: UMI `a` takes
//! UMI `b` if they differ in one base and count(a) ≥ 2 × count(b) − 1. A cluster has all UMIs that
//! its most frequent one takes, directly or by others. Each cluster counts as one molecule.
//!
//! ```
//! use carrywave::barcodes::umi::{Umi, directional};
//!
//! let counts = [("ACGT", 456), ("TCGT", 2), ("CCGT", 2), ("ACAT", 72), ("ACAG", 1), ("AAAT", 90)];
//! let umis = counts.map(|(bases, count)| Umi::new(bases, count));
//! let clusters = directional(&umis)?;
//! let members: Vec<_> = clusters.iter().map(|cluster| &cluster.members[..]).collect();
//! assert_eq!(members, [&[0, 3, 2, 1, 4][..], &[5]]);
//! assert_eq!(clusters[0].count, 533);
//! # Ok::<(), carrywave::Error>(())
//! ```
//!
//! | file | what |
//! |---|---|
//! | `directional` | [`directional`]: clusters of UMIs |
//! | `molecules` | [`Molecules`]: reads, UMIs and molecules of each barcode |
mod directional;
mod molecules;
#[cfg(test)]
mod tests;

pub use directional::{Cluster, Umi, directional};
pub use molecules::{BarcodeMolecules, Molecules};
