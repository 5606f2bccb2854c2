//! The positions of changes that could be at several.
//!
//! | file | what |
//! |---|---|
//! | `settle` | chooses a position as GNU diff does |
//! | `slide` | chooses a position as git does |
//! | `indent` | scores positions by the indentation |
//! | `joined` | joins changes of words that read as one |

pub(super) mod indent;
pub(super) mod joined;
pub(super) mod settle;
pub(super) mod slide;
