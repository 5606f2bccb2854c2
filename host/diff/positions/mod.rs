//! The positions of changes that could be at several places.
//!
//! | file | what |
//! |---|---|
//! | `settle` | where such a change goes as in GNU diff |
//! | `slide` | where it goes as in git |
//! | `indent` | which of these places the indentation is for |
//! | `joined` | changes of words that read as one |

pub(super) mod indent;
pub(super) mod joined;
pub(super) mod settle;
pub(super) mod slide;
