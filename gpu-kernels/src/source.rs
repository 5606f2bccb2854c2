//! The text of this crate's source files, built into the program. The simulator counts memory
//! accesses by source line, and its reports show each line beside its count, even on a machine
//! without the sources.

/// Path below `src` and text of each source file. The build script writes this list.
const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// Returns the text of a source file of this crate, or `None` for any other file. `file` is a path
/// as in [`Location`](std::panic::Location), such as `gpu-kernels/src/lcs/digits.rs`.
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
