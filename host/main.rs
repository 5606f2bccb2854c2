//! The `carrywave` command.
fn main() {}
