//! The output file of each read.

use super::adapters::{Names, check_names};
use super::arguments::Arguments;
use carrywave::Result;
use carrywave::error::UsageFault;
use carrywave::trim::{Fate, Filter};
use std::path::{Path, PathBuf};

/// Numbers of the output files for the first and the second read; the same if they are interleaved.
pub type Pair = [usize; 2];

/// The output files, and the file of each read.
pub struct Routes {
    /// Paths; `None` is standard output.
    pub paths: Vec<Option<PathBuf>>,
    /// Files of reads that pass the filters.
    main: Option<Pair>,
    /// Files by the first read's adapter, and the files without one.
    by_adapter: Vec<Pair>,
    unknown: Option<Pair>,
    /// Files of reads that fail a filter.
    filtered: Vec<(Filter, Pair)>,
}

impl Routes {
    /// Returns the routes of a call.
    pub fn new(arguments: &Arguments, names: &[Names; 2]) -> Result<Self> {
        let mut routes =
            Self { paths: Vec::new(), main: None, by_adapter: Vec::new(), unknown: None, filtered: Vec::new() };
        let second = arguments.paired_output.as_deref();
        if !arguments.is_by_name() {
            let main = routes.add(arguments.output.as_deref(), second)?;
            routes.main = Some(main);
        } else {
            routes.add_by_name(arguments, &names[0])?;
        }
        let separate = [
            (Filter::TooShort, &arguments.too_short_output, &arguments.too_short_paired_output),
            (Filter::TooLong, &arguments.too_long_output, &arguments.too_long_paired_output),
            (Filter::Untrimmed, &arguments.untrimmed_output, &arguments.untrimmed_paired_output),
        ];
        for (filter, first, second) in separate {
            if let Some(first) = first
                && !(filter == Filter::Untrimmed && arguments.is_by_name())
            {
                let pair = routes.add(Some(first), second.as_deref())?;
                routes.filtered.push((filter, pair));
            }
        }
        Ok(routes)
    }

    /// Adds a file for each adapter.
    fn add_by_name(&mut self, arguments: &Arguments, names: &Names) -> Result<()> {
        check_names(names)?;
        if names.is_empty() {
            return Err(UsageFault::Combination.error("{name} in -o stands for adapters of first reads; give some"));
        }
        let named = |path: &Option<PathBuf>, name: &str| {
            path.as_ref().map(|path| PathBuf::from(path.to_string_lossy().replace("{name}", name)))
        };
        for name in names {
            if name.contains('/') || name.contains('\0') {
                return Err(UsageFault::FileName.error(format!(
                    "the adapter's name `{name}` cannot be part of a file's name; give it another name"
                )));
            }
            let first = named(&arguments.output, name);
            let second = named(&arguments.paired_output, name);
            let pair = self.add(first.as_deref(), second.as_deref())?;
            self.by_adapter.push(pair);
        }
        if arguments.discard_untrimmed {
            return Ok(());
        }
        let first = arguments.untrimmed_output.clone().or_else(|| named(&arguments.output, "unknown"));
        let second = arguments.untrimmed_paired_output.clone().or_else(|| named(&arguments.paired_output, "unknown"));
        self.unknown = Some(self.add(first.as_deref(), second.as_deref())?);
        Ok(())
    }

    /// Adds files for first and second reads.
    fn add(&mut self, first: Option<&Path>, second: Option<&Path>) -> Result<Pair> {
        for path in first.iter().chain(&second) {
            check_name(path)?;
        }
        let number = self.paths.len();
        self.paths.push(first.map(Path::to_owned));
        let Some(second) = second else { return Ok([number, number]) };
        self.paths.push(Some(second.to_owned()));
        Ok([number, number + 1])
    }

    /// Returns the files of a read or a pair, or `None` if it is not written.
    pub fn of(&self, fate: &Fate) -> Option<Pair> {
        match (fate.filter, fate.adapters[0]) {
            (Some(filter), _) => self.filtered.iter().find(|(own, _)| *own == filter).map(|(_, pair)| *pair),
            (None, _) if self.main.is_some() => self.main,
            (None, Some(adapter)) => Some(self.by_adapter[adapter]),
            (None, None) => self.unknown,
        }
    }
}

/// Refuses names of compressed files that are not written here.
fn check_name(path: &Path) -> Result<()> {
    let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
    if ["bz2", "xz", "zst", "zip"].contains(&extension.to_ascii_lowercase().as_str()) {
        return Err(UsageFault::FileName.error(format!(
            "{}: only .gz files are written compressed; write a plain file, or pipe standard output through another \
             compressor",
            path.display()
        )));
    }
    Ok(())
}
