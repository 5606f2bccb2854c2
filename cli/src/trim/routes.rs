//! The output file of each read.

use super::adapters::Names;
use super::arguments::Arguments;
use crate::shared::file_names::{UNKNOWN, check_file_name, check_names, replaced};
use carrywave::Result;
use carrywave::trim::{Fate, Filter};
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Numbers of the output files for the first and the second read; the same if they are interleaved.
pub type Pair = [usize; 2];

/// The output files, and the file of each read.
pub struct Routes {
    /// Paths; `None` is standard output.
    pub paths: Vec<Option<PathBuf>>,
    /// Files of reads that pass the filters.
    main: Option<Pair>,
    /// Files by the adapters of the first and of the second read.
    by_adapters: HashMap<[Option<usize>; 2], Pair>,
    /// True if the second read's adapter counts.
    is_by_both: bool,
    /// Files of reads that fail a filter.
    filtered: Vec<(Filter, Pair)>,
}

impl Routes {
    /// Returns the routes of a call.
    pub fn new(arguments: &Arguments, names: &[Names; 2]) -> Result<Self> {
        let mut routes = Self {
            paths: Vec::new(),
            main: None,
            by_adapters: HashMap::new(),
            is_by_both: arguments.is_by_names(),
            filtered: Vec::new(),
        };
        if arguments.is_by_name() {
            routes.add_by_name(arguments, &names[0])?;
        } else if arguments.is_by_names() {
            routes.add_by_names(arguments, names)?;
        } else {
            let main = routes.add(arguments.output.as_deref(), arguments.paired_output.as_deref())?;
            routes.main = Some(main);
        }
        let separate = [
            (Filter::TooShort, &arguments.too_short_output, &arguments.too_short_paired_output),
            (Filter::TooLong, &arguments.too_long_output, &arguments.too_long_paired_output),
            (Filter::Untrimmed, &arguments.untrimmed_output, &arguments.untrimmed_paired_output),
        ];
        for (filter, first, second) in separate {
            if let Some(first) = first
                && !(filter == Filter::Untrimmed && routes.main.is_none())
            {
                let pair = routes.add(Some(first), second.as_deref())?;
                routes.filtered.push((filter, pair));
            }
        }
        Ok(routes)
    }

    /// Adds the files of each adapter of first reads, and those of reads without one.
    fn add_by_name(&mut self, arguments: &Arguments, names: &Names) -> Result<()> {
        check_names("adapter", names)?;
        let named = |path: &Option<PathBuf>, name: &str| replaced(path, &[("{name}", name)]);
        for (number, name) in names.iter().enumerate() {
            let first = named(&arguments.output, name);
            let second = named(&arguments.paired_output, name);
            let pair = self.add(first.as_deref(), second.as_deref())?;
            self.by_adapters.insert([Some(number), None], pair);
        }
        if arguments.discard_untrimmed {
            return Ok(());
        }
        let first = arguments.untrimmed_output.clone().or_else(|| named(&arguments.output, UNKNOWN));
        let second = arguments.untrimmed_paired_output.clone().or_else(|| named(&arguments.paired_output, UNKNOWN));
        let pair = self.add(first.as_deref(), second.as_deref())?;
        self.by_adapters.insert([None, None], pair);
        Ok(())
    }

    /// Adds the files of each two adapters of a pair.
    fn add_by_names(&mut self, arguments: &Arguments, names: &[Names; 2]) -> Result<()> {
        names.iter().try_for_each(|names| check_names("adapter", names))?;
        let all = |names: &Names| {
            let known = names.iter().cloned().enumerate().map(|(number, name)| (Some(number), name));
            let unknown = (!arguments.discard_untrimmed).then(|| (None, UNKNOWN.to_owned()));
            known.chain(unknown).collect::<Vec<_>>()
        };
        for (first, first_name) in all(&names[0]) {
            for (second, second_name) in all(&names[1]) {
                let words = [("{name1}", &first_name[..]), ("{name2}", &second_name[..])];
                let paths = [&arguments.output, &arguments.paired_output].map(|path| replaced(path, &words));
                let pair = self.add(paths[0].as_deref(), paths[1].as_deref())?;
                self.by_adapters.insert([first, second], pair);
            }
        }
        Ok(())
    }

    /// Adds files for first and second reads.
    fn add(&mut self, first: Option<&Path>, second: Option<&Path>) -> Result<Pair> {
        for path in first.iter().chain(&second) {
            check_file_name(path)?;
        }
        let number = self.paths.len();
        self.paths.push(first.map(Path::to_owned));
        let Some(second) = second else { return Ok([number, number]) };
        self.paths.push(Some(second.to_owned()));
        Ok([number, number + 1])
    }

    /// Returns the files of a read or a pair, or `None` if it is not written.
    pub fn of(&self, fate: &Fate) -> Option<Pair> {
        if let Some(filter) = fate.filter {
            return self.filtered.iter().find(|(own, _)| *own == filter).map(|(_, pair)| *pair);
        }
        let [first, second] = fate.adapters;
        self.main.or_else(|| self.by_adapters.get(&[first, second.filter(|_| self.is_by_both)]).copied())
    }
}
