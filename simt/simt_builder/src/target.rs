//! The type of GPU and the version of PTX that kernels are compiled for.

/// A type of GPU, and the first version of PTX that has it.
struct Architecture {
    name: &'static str,
    /// Major version times 10 plus minor version.
    first_ptx: u32,
}

/// The types of GPUs that rustc 1.95 also knows as target features, from the oldest supported one
/// on: Volta is the first with independent threads and `shfl.sync`. The versions are those of the
/// PTX manual, "Release Notes".
const ARCHITECTURES: &[Architecture] = &[
    Architecture { name: "sm_70", first_ptx: 60 },
    Architecture { name: "sm_72", first_ptx: 61 },
    Architecture { name: "sm_75", first_ptx: 63 },
    Architecture { name: "sm_80", first_ptx: 70 },
    Architecture { name: "sm_86", first_ptx: 71 },
    Architecture { name: "sm_87", first_ptx: 74 },
    Architecture { name: "sm_89", first_ptx: 78 },
    Architecture { name: "sm_90", first_ptx: 78 },
    Architecture { name: "sm_100", first_ptx: 86 },
    Architecture { name: "sm_120", first_ptx: 87 },
];

/// The versions of PTX that rustc 1.95 knows. 6.3 (drivers from 410 on, CUDA 10) is the first with
/// `nanosleep` and `activemask`, which the device layer uses.
const PTX_VERSIONS: &[u32] = &[63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78, 80, 81, 82, 83, 84, 85, 86, 87];

/// Start of the line that names the target in the list of packaged PTX's sources.
pub(crate) const LINE: &str = "target ";

/// A type of GPU and a version of PTX. PTX for one type of GPU runs on all later ones.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    architecture: &'static str,
    ptx_version: u32,
}

/// Compute capability 7.0 and PTX 6.3.
impl Default for Target {
    fn default() -> Self {
        Self { architecture: ARCHITECTURES[0].name, ptx_version: PTX_VERSIONS[0] }
    }
}

impl Target {
    /// Chooses a type of GPU, such as `sm_80` for compute capability 8.0, and a version of PTX,
    /// such as 70 for PTX 7.0. The default is `sm_70`, and the first version from 6.3 on that has
    /// the type of GPU.
    ///
    /// # Errors
    /// If the architecture or the version is unknown, or the version does not have the
    /// architecture. The message lists what is possible.
    pub fn new(architecture: Option<&str>, ptx_version: Option<u32>) -> Result<Self, String> {
        let name = architecture.unwrap_or(ARCHITECTURES[0].name);
        let Some(known) = ARCHITECTURES.iter().find(|known| known.name == name) else {
            let names: Vec<&str> = ARCHITECTURES.iter().map(|known| known.name).collect();
            return Err(format!(
                "`{name}` is no architecture that kernels are compiled for. Choose the oldest GPU that they shall run \
                 on: {}",
                names.join(", ")
            ));
        };
        let first = known.first_ptx.max(PTX_VERSIONS[0]);
        let version = ptx_version.unwrap_or(first);
        let possible: Vec<u32> = PTX_VERSIONS.iter().copied().filter(|&version| version >= first).collect();
        if !possible.contains(&version) {
            let possible: Vec<String> = possible.iter().map(u32::to_string).collect();
            return Err(format!(
                "PTX version {version} is not possible with {name}. Possible: {} (70 is PTX 7.0)",
                possible.join(", ")
            ));
        }
        Ok(Self { architecture: known.name, ptx_version: version })
    }

    /// Returns the name of the type of GPU, such as `sm_80`.
    pub fn architecture(&self) -> &'static str {
        self.architecture
    }

    /// Returns rustc's arguments that select the target. They set `cfg(target_feature = "sm_80")`
    /// for the type of GPU and all earlier ones, and `cfg(target_feature = "ptx70")` likewise.
    pub(crate) fn arguments(&self) -> [String; 2] {
        [format!("-Ctarget-cpu={}", self.architecture), format!("-Ctarget-feature=+ptx{}", self.ptx_version)]
    }

    /// Returns the line of the list of sources that names the target; empty for the default.
    pub(crate) fn line(&self) -> String {
        if *self == Self::default() { String::new() } else { format!("{LINE}{}\n", self.name()) }
    }

    /// Returns a name for files and lists: `sm_80-ptx70`.
    pub(crate) fn name(&self) -> String {
        format!("{}-ptx{}", self.architecture, self.ptx_version)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_of_ptx_follows_the_architecture() {
        let name = |architecture, version| Target::new(architecture, version).unwrap().name();
        assert_eq!(Target::new(None, None).unwrap(), Target::default());
        assert_eq!(name(None, None), "sm_70-ptx63");
        assert_eq!(name(Some("sm_72"), None), "sm_72-ptx63");
        assert_eq!(name(Some("sm_80"), None), "sm_80-ptx70");
        assert_eq!(name(Some("sm_90"), Some(80)), "sm_90-ptx80");
        assert_eq!(name(None, Some(87)), "sm_70-ptx87");
        for Architecture { name, first_ptx } in ARCHITECTURES {
            assert!(PTX_VERSIONS.contains(first_ptx) || *first_ptx < PTX_VERSIONS[0], "{name}");
        }
    }

    #[test]
    fn errors_list_what_is_possible() {
        let error = Target::new(Some("sm_81"), None).unwrap_err();
        assert_eq!(
            error,
            "`sm_81` is no architecture that kernels are compiled for. Choose the oldest GPU that they shall run on: \
             sm_70, sm_72, sm_75, sm_80, sm_86, sm_87, sm_89, sm_90, sm_100, sm_120"
        );
        let error = Target::new(Some("sm_100"), Some(78)).unwrap_err();
        assert_eq!(error, "PTX version 78 is not possible with sm_100. Possible: 86, 87 (70 is PTX 7.0)");
        for version in [0, 60, 66, 79, 88, u32::MAX] {
            let error = Target::new(None, Some(version)).unwrap_err();
            assert!(error.starts_with(&format!("PTX version {version} is not possible with sm_70. Possible: 63, 64")));
        }
    }
}
