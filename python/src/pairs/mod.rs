//! Many pairs of strings: two lists side by side, all of one list against all of another, the
//! nearest, and all that are near each other.
//!
//! Strings of bytes and Latin-1 text go to the library unchanged, others as numbers: the library
//! compares any number of different symbols.
//!
//! | file | what |
//! |---|---|
//! | `options` | the arguments that all functions take |
//! | `listed` | `cpdist`: two lists side by side |
//! | `columns` | `cpdist` of two columns of Arrow on a GPU |
//! | `resident` | `cpdist` of columns in the memory of a GPU |
//! | `matrix` | `cdist`: all strings of two lists |
//! | `near` | `nearest`, `within`, `join` and `clusters` |

mod columns;
mod listed;
mod matrix;
mod near;
mod options;
mod resident;

pub use listed::cpdist;
pub use matrix::cdist;
pub use near::{clusters, join, nearest, within};

use crate::compared::Text;
use crate::strings::{Strings, texts};
use crate::symbols::Symbols;
use carrywave::Result;

/// Two lists for the library: the strings that are not missing, and their positions in the lists.
struct Lists<'a> {
    texts: [Vec<Text<'a>>; 2],
    places: [Vec<usize>; 2],
}

impl<'a> Lists<'a> {
    fn new(a: &'a Strings<'a>, b: &'a Strings<'a>) -> Result<Self> {
        let there = |strings: &'a Strings<'a>| -> (Vec<usize>, Vec<&'a Symbols<'a>>) {
            let there = strings.all.iter().enumerate();
            there.filter_map(|(place, string)| Some((place, string.as_ref()?))).unzip()
        };
        let ((places_a, a), (places_b, b)) = (there(a), there(b));
        Ok(Self { texts: texts([&a, &b])?, places: [places_a, places_b] })
    }
}
