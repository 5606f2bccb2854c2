//! Columns of strings that stay in the memory of a GPU, and distances that stay there.
//!
//! | file | what |
//! |---|---|
//! | `column` | `ResidentColumn`: from strings of Python, or from another library's memory |
//! | `place` | the place of strings: the host's memory, or a GPU's |
//! | `beyond_ascii` | texts beyond ASCII, which the host compares |
//! | `host` | the strings of any object, for jobs of the host |
//! | `distances` | `ResidentDistances`, as other libraries read it |
//! | `rows` | arrays of bytes with a row for each string |
//! | `cuda_array` | `__cuda_array_interface__`: bytes of CuPy, PyTorch, Numba, JAX |
//! | `dlpack` | DLPack: the same, as a structure of C |

mod beyond_ascii;
mod column;
mod cuda_array;
mod distances;
mod dlpack;
mod host;
mod place;
mod rows;

pub use beyond_ascii::BeyondAscii;
pub use column::ResidentColumn;
pub use distances::ResidentDistances;
pub use host::held;
pub use place::{Place, both_on_gpu, is_on_gpu};
