//! Code that two or more commands use. It imports nothing from a command.
//!
//! | file | contents |
//! |---|---|
//! | `engine` | the options `--engine`, `--gpu` and `--gpus`, and the engine that they choose |
//! | `help` | the common form of the help |
//! | `members` | several engines that share a comparison |
//! | `on_cpu` | checks of the options of comparisons that only the CPU computes |
//! | `strings` | two strings to compare, from files or the command line |
//! | `span` | the positions of a string in its record |
//! | `text_arguments` | options for reading a text, for `search` and `best` |
//! | `patterns`, `limits` | patterns, typed or from a file, and the errors allowed |
//! | `in_order` | blocks of a file that all threads work on |
//! | `read_files`, `file_names` | output files of reads, and their names |
//! | `output` | standard output, and files that are written whole or not at all |
//! | `json`, `table`, `sam`, `aligned_hit` | output formats |
//! | `plot` | dot plots |
//! | `notes`, `progress` | lines and progress bars on standard error |
//! | `errors` | advice about errors |
//! | `process` | threads, memory and signals of the process |
//! | `visible` | the GPUs that the driver initialises |

pub mod aligned_hit;
pub mod engine;
pub mod errors;
pub mod file_names;
pub mod help;
pub mod in_order;
pub mod json;
pub mod limits;
pub mod members;
pub mod notes;
pub mod on_cpu;
pub mod output;
pub mod parts;
pub mod patterns;
pub mod plot;
pub mod process;
pub mod progress;
pub mod read_files;
pub mod sam;
pub mod span;
pub mod strings;
pub mod table;
pub mod text_arguments;
pub mod visible;
