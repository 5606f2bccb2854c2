//! The ends of records: hits that must begin or end there (anchors), and hits of a pattern whose
//! other symbols lie beyond (an overhang).
//!
//! ```text
//! record           |GATTACA........GATT|
//! inside            GATTACA                 found by the engines
//! at the start  GATTACA                     GAT lies before the record
//! at the end                       GATTACA  ACA lies after it
//! ```
//!
//! For each end of a record, one pass over its last m + k symbols gives the fewest errors of every
//! part of the pattern that begins with the pattern and ends with the record: they are the last
//! column of Sellers' table. The start of a record is the end of the reversed record.
//!
//! | file | what |
//! |---|---|
//! | `anchor` | [`Anchor`]: where hits must begin or end |
//! | `overhang` | [`Overhang`]: whether a part of the pattern may lie beyond a record |
//! | `limits` | the limits on the errors of a part of a pattern |
//! | `border` | the best occurrence at one end of a record |
//! | `both_sides` | the best occurrence that covers a record and lies beyond both ends |
//! | `finder` | the occurrences of one pattern at the ends of records |
//! | `records` | the hits of all patterns in records, with those inside |

pub(super) mod anchor;
mod border;
mod both_sides;
pub(super) mod finder;
pub(super) mod limits;
pub(super) mod overhang;
pub(super) mod records;
