//! Modules: the kernels of a crate as its build script made them.

use std::borrow::Cow;
use std::fmt;

/// The kernels of a crate: their PTX, and machine code for the GPUs of some compute capabilities.
///
/// A GPU runs the machine code made for it, which it loads at once. On any other GPU, the driver
/// compiles a kernel's PTX when the kernel is first used.
///
/// ```
/// use simt_launch::Module;
///
/// let head = ".version 6.3\n.target sm_70\n.address_size 64\n";
/// let ptx = format!("{head}.visible .entry nothing()\n{{\nret;\n}}\n");
/// let module = Module::from(ptx.clone());
/// assert_eq!(module.ptx(), ptx);
/// assert!(module.machine_code_for((9, 0)).is_none());
/// ```
#[derive(Debug, Clone)]
pub struct Module {
    text: Text,
    /// The kernels of the text; empty if they are not known.
    kernels: &'static [KernelText],
    machine_code: &'static [MachineCode],
}

#[derive(Clone)]
enum Text {
    Known(Cow<'static, str>),
    /// A function that returns the text; its first call may decompress it.
    Later(fn() -> &'static str),
}

/// Name of a kernel, and its place in the PTX of its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KernelText {
    /// Name of the kernel.
    pub name: &'static str,
    /// Offset in bytes of the first line, which has the name.
    pub start: usize,
    /// Offset in bytes behind the last line, which closes the body.
    pub end: usize,
}

/// Machine code of a module's kernels for one type of GPU.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MachineCode {
    /// Compute capability: major and minor number, such as 8 and 6 for `sm_86`.
    pub capability: (u32, u32),
    /// The module: a cubin file, plain or compressed by zstd.
    pub image: &'static [u8],
}

impl fmt::Debug for Text {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(text) => write!(f, "Known({} bytes)", text.len()),
            Self::Later(_) => f.write_str("Later"),
        }
    }
}

impl fmt::Debug for MachineCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "MachineCode({self}, {} bytes)", self.image.len())
    }
}

impl fmt::Display for MachineCode {
    /// Writes the name of the type of GPU, such as `sm_86`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sm_{}{}", self.capability.0, self.capability.1)
    }
}

impl From<String> for Module {
    /// Returns a module without machine code.
    fn from(ptx: String) -> Self {
        Self { text: Text::Known(ptx.into()), kernels: &[], machine_code: &[] }
    }
}

impl Module {
    /// Returns a module of PTX and machine code. [`module!`](crate::module!) makes it from the
    /// files of a build script.
    pub const fn new(ptx: &'static str, machine_code: &'static [MachineCode]) -> Self {
        Self { text: Text::Known(Cow::Borrowed(ptx)), kernels: &[], machine_code }
    }

    /// Returns a module whose PTX is the result of a function, which is called when the PTX is
    /// needed. For a crate that includes its PTX in compressed form.
    pub const fn with_ptx_from(ptx: fn() -> &'static str, machine_code: &'static [MachineCode]) -> Self {
        Self { text: Text::Later(ptx), kernels: &[], machine_code }
    }

    /// Returns the module with the list of its kernels, as the build script made it
    /// ([`kernel_list!`](crate::kernel_list!)). Without the list, the PTX is searched for its
    /// kernels once. A kernel whose place is wrong does not compile.
    #[must_use]
    pub const fn with_kernels(mut self, kernels: &'static [KernelText]) -> Self {
        self.kernels = kernels;
        self
    }

    /// Returns the module without its machine code: the driver compiles the PTX.
    #[must_use]
    pub fn without_machine_code(self) -> Self {
        Self { machine_code: &[], ..self }
    }

    /// Returns the PTX.
    pub fn ptx(&self) -> &str {
        match &self.text {
            Text::Known(text) => text,
            Text::Later(text) => text(),
        }
    }

    /// Returns the machine code that GPUs of a compute capability run best, or `None` if the module
    /// has no code for them. Machine code runs on GPUs of the same major number and of the same or
    /// a greater minor number.
    pub fn machine_code_for(&self, (major, minor): (u32, u32)) -> Option<MachineCode> {
        let runs = |code: &&MachineCode| code.capability.0 == major && code.capability.1 <= minor;
        self.machine_code.iter().filter(runs).max_by_key(|code| code.capability).copied()
    }

    /// Returns true if both have the same PTX. PTX that is not known yet is compared by its source.
    #[cfg(feature = "gpu")]
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        match (&self.text, &other.text) {
            (Text::Later(one), Text::Later(other)) => std::ptr::fn_addr_eq(*one, *other),
            (Text::Known(one), Text::Known(other)) => one == other,
            _ => false,
        }
    }

    /// Returns the list of the kernels; empty if they are not known.
    #[cfg(feature = "gpu")]
    pub(crate) fn kernels(&self) -> &'static [KernelText] {
        self.kernels
    }

    /// Returns the PTX if no work is needed to get it.
    #[cfg(feature = "gpu")]
    pub(crate) fn known_ptx(&self) -> Option<&str> {
        match &self.text {
            Text::Known(text) => Some(text),
            Text::Later(_) => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn machine_code_is_of_the_same_major_and_not_newer() {
        const fn code(major: u32, minor: u32) -> MachineCode {
            MachineCode { capability: (major, minor), image: &[] }
        }
        static CODE: [MachineCode; 4] = [code(8, 0), code(8, 6), code(9, 0), code(12, 0)];
        let module = Module::new("", &CODE);
        let chosen = |capability| module.machine_code_for(capability).map(|code| code.to_string());
        assert_eq!(chosen((8, 0)).as_deref(), Some("sm_80"));
        assert_eq!(chosen((8, 6)).as_deref(), Some("sm_86"));
        assert_eq!(chosen((8, 9)).as_deref(), Some("sm_86"));
        assert_eq!(chosen((12, 1)).as_deref(), Some("sm_120"));
        for without in [(7, 5), (10, 0), (11, 0), (13, 0)] {
            assert_eq!(chosen(without), None, "{without:?}");
        }
        let only_newer = Module::new("", &CODE[1..]);
        assert_eq!(only_newer.machine_code_for((8, 0)), None);
        assert_eq!(module.clone().without_machine_code().machine_code_for((8, 0)), None);
    }
}
