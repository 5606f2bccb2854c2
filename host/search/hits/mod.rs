//! Hits: the choice among a pattern's occurrences, from the ends that an engine finds.
//!
//! | file | what |
//! |---|---|
//! | `hit` | [`Hit`], and [`Ends`]: which occurrences are hits |
//! | `chains` | groups of ends that are independent of one another |
//! | `choice` | chooses among the occurrences of a pattern |
//! | `groups` | hits from ends that come a few at a time |
//! | `records` | ends in each of many records |
//! | `lines` | [`LineHits`]: hits in the lines of a text |

pub(super) mod chains;
pub(super) mod choice;
pub(super) mod groups;
pub(super) mod hit;
pub(super) mod lines;
pub(super) mod records;
