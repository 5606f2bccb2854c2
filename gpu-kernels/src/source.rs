//! The kernels' source text, so that what the simulator counts can be shown beside it wherever the program runs.

/// The files below `src` and what is in them: the build script lists them.
const SOURCES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/sources.rs"));

/// The text of a file of this crate, as a [`Location`](std::panic::Location) names it; `None` for others.
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
        let deep = source("gpu-kernels/src/distance/nakano/umm_n.rs").expect("folders are walked");
        assert!(deep.contains("theorem 6"));
        assert_eq!(source("gpu-kernels\\src\\distance\\nakano\\umm_n.rs"), Some(deep));
        assert_eq!(source("host/src/lib.rs"), None);
        assert_eq!(source("gpu-kernels/src/distance/nakano/umm_x.rs"), None);
    }
}
