//! The text of this crate's source files, built into the program: the simulator counts memory accesses by source line,
//! and its reports show each line beside its count, on a machine that need not have the sources.

/// Each file below `src`: its path from there on, and its text. The build script writes this list.
const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The text of a source file of this crate, found by its path as a [`Location`](std::panic::Location) has it, such as
/// `gpu-kernels/src/lcs/digits.rs`; `None` for any other file.
pub fn source(file: &str) -> Option<&'static str> {
    let file = file.replace('\\', "/");
    let (folder, name) = file.rsplit_once("/src/")?;
    let found = SOURCES.iter().find(|(known, _)| *known == name && folder.contains("kernels"))?;
    Some(found.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_found_by_the_names_that_locations_have() {
        let here = source(file!()).expect("this file is in the list");
        assert!(here.contains("fn files_are_found_by_the_names_that_locations_have"));
        let deep = source("gpu-kernels/src/published/nakano/umm_n.rs").expect("folders are walked");
        assert!(deep.contains("theorem 6"));
        assert_eq!(source("gpu-kernels\\src\\published\\nakano\\umm_n.rs"), Some(deep));
        assert_eq!(source("host/src/lib.rs"), None);
        assert_eq!(source("gpu-kernels/src/published/nakano/umm_x.rs"), None);
    }
}
