//! The result of a chore.

/// A line that describes the work done, or the reason why it was not done.
pub type Outcome = Result<String, Stop>;

/// The reason why a chore was not done.
#[derive(Debug)]
pub enum Stop {
    /// The project has an error.
    Failed(String),
    /// This machine lacks something that the chore needs. CI on a developer's machine then skips
    /// the chore.
    Unavailable(String),
}

impl From<String> for Stop {
    fn from(reason: String) -> Self {
        Self::Failed(reason)
    }
}
