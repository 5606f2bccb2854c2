//! The kernels' source text, so that what the simulator counts can be shown beside it wherever the program runs.

macro_rules! sources {
    ($($file:literal)*) => {
        &[$(($file, include_str!($file))),*]
    };
}

/// Files of `src`.
const SOURCES: &[(&str, &str)] = sources! {
    "alpha.rs" "asm/dmm.rs" "asm/mod.rs" "asm/umm.rs" "asm/umm_3m.rs" "asm/umm_n.rs" "block_step.rs" "carry.rs" "column_tiles.rs" "contiguous.rs" "device_test.rs" "gbpr.rs" "issue_rate.rs"
    "lane_column.rs" "lane_runs.rs" "match_table.rs" "match_vectors.rs" "memory_rate.rs" "myers.rs" "packed.rs"
    "row_planes.rs" "scan.rs" "scan_search.rs" "search_output.rs" "shared_access.rs" "shift_or.rs" "source.rs" "split.rs" "wavefront.rs" "wu_manber.rs"
    "xbitpar.rs"
};

/// The text of a file of this crate, as a [`Location`](std::panic::Location) names it; `None` for others.
pub fn source(file: &str) -> Option<&'static str> {
    let (folder, name) = file.rsplit_once("/src/")?;
    let found = SOURCES.iter().find(|(known, _)| *known == name && folder.contains("kernels"))?;
    Some(found.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_file_is_there() {
        let src = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        let mut files = Vec::new();
        for folder in ["", "asm/"] {
            for entry in std::fs::read_dir(src.join(folder)).unwrap() {
                let entry = entry.unwrap();
                let name = format!("{folder}{}", entry.file_name().into_string().unwrap());
                if entry.file_type().unwrap().is_file() && name != "lib.rs" {
                    files.push(name);
                }
            }
        }
        files.sort();
        assert_eq!(files, SOURCES.iter().map(|(name, _)| *name).collect::<Vec<_>>());
        assert!(source(&format!("gpu-kernels/src/{}", files[0])).is_some());
        assert_eq!(source("host/lib.rs"), None);
    }
}
