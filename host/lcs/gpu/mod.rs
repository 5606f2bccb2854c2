//! LCS tables on a GPU or on the simulator, from the host's side.
//!
//! | file | what |
//! |---|---|
//! | [`block_step`] | Kawanami and Fujimoto's block-step algorithm |
//! | [`wavefront`] | our own: lanes that follow one another |
pub mod block_step;
pub mod wavefront;
