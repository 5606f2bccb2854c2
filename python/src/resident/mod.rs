//! Columns of strings that stay in the memory of a GPU, and distances that stay there.
//!
//! | file | what |
//! |---|---|
//! | `column` | `ResidentColumn`: from strings of Python, or from another library's memory |
//! | `distances` | `ResidentDistances`, as other libraries read it |
//! | `rows` | arrays of bytes with a row for each string |
//! | `cuda_array` | `__cuda_array_interface__`: bytes of CuPy, PyTorch, Numba, JAX |
//! | `dlpack` | DLPack: the same, as a structure of C |

mod column;
mod cuda_array;
mod distances;
mod dlpack;
mod rows;

pub use column::{Foreign, ResidentColumn};
pub use distances::ResidentDistances;
