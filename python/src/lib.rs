//! The Python package `carrywave`: the functions that Python calls, each a few lines around the
//! library. It has no algorithms.
//!
//! | file | what |
//! |---|---|
//! | `symbols` | one string: `str`, `bytes`, buffers, lists |
//! | `items`, `elements` | equality of items: keys of items and of the elements of buffers |
//! | `surrogates` | text that UTF-8 cannot encode |
//! | `strings` | many strings: lists, arrays of NumPy, columns of Arrow |
//! | `arrow` | Arrow's C data interface |
//! | `shared` | copies of memory that other threads may write |
//! | `work` | work without the interpreter's lock, with progress and Ctrl-C |
//! | `engines` | `Cpu`, `Gpu`, `Simt` |
//! | `arrays` | results as arrays of NumPy |
//! | `errors` | the library's errors as exceptions |
//! | `two` | two strings: LCS, edit distance, scripts |
//! | `results`, `checksum` | an LCS and an alignment as Python objects, checksums of the strings |
//! | `traced` | scripts by the choice of edlib and of rapidfuzz |
//! | `pairs` | many pairs of strings |
//! | `resident` | columns of strings that stay in the memory of a GPU |
//! | `scorers` | scores with the arguments and results of rapidfuzz |
//! | `search` | search and best match |
//! | `guides` | sites of CRISPR guides |
//! | `barcodes`, `trim` | barcodes and molecules of reads, trimming of reads |
//! | `diff`, `machine`, `files` | differences of texts, memory machines, readers |
//!
//! The names for users are those of `carrywave/__init__.py`, which has the documentation.

mod ahead;
mod arrays;
mod arrow;
mod barcodes;
mod checksum;
mod compared;
mod copied;
mod diff;
mod dtype;
mod elements;
mod engines;
mod errors;
mod files;
mod guides;
mod items;
mod layout;
mod machine;
mod pairs;
mod resident;
mod results;
mod scorers;
mod search;
mod searched;
mod shared;
mod signals;
mod strings;
mod surrogates;
mod symbols;
mod text;
mod text_list;
mod traced;
mod trim;
mod two;
mod work;

use pyo3::prelude::*;

/// The compiled part of the package `carrywave`.
#[pymodule]
mod _carrywave {
    #[pymodule_export]
    use super::barcodes::{Barcodes, molecules};
    #[pymodule_export]
    use super::diff::{Diff, diff, restored_diff};
    #[pymodule_export]
    use super::engines::{Cpu, Gpu, Simt, gpu_count};
    #[pymodule_export]
    use super::errors::exceptions::{Error, NoGpu};
    #[pymodule_export]
    use super::files::read_records;
    #[pymodule_export]
    use super::guides::guides;
    #[pymodule_export]
    use super::machine::{machine_kernels, machine_report, machine_sweep};
    #[pymodule_export]
    use super::pairs::{cdist, clusters, cpdist, join, nearest, within};
    #[pymodule_export]
    use super::resident::{ResidentColumn, ResidentDistances, is_on_gpu};
    #[pymodule_export]
    use super::results::{Alignment, Lcs, restored_alignment, restored_lcs};
    #[pymodule_export]
    use super::scorers::{Scorer, default_process, partial_ratio_alignment};
    #[pymodule_export]
    use super::search::{ResidentText, Searcher, best};
    #[pymodule_export]
    use super::traced::traced;
    #[pymodule_export]
    use super::trim::Trimmer;
    #[pymodule_export]
    use super::two::{align, distance, lcs, lcs_length, nearest_places, overlap};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("MISSING", dtype::MISSING)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
