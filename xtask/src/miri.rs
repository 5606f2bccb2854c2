//! placeholder
pub fn run() -> crate::outcome::Outcome {
    Ok(String::new())
}
