//! How a chore ends.

/// A line that says what was done, or why it was not.
pub type Outcome = Result<String, Stop>;

/// Why a chore was not done.
#[derive(Debug)]
pub enum Stop {
    /// Something is wrong with the project.
    Failed(String),
    /// Something that the chore needs cannot be had here. CI on a developer's machine goes on without.
    Unavailable(String),
}

impl From<String> for Stop {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}
