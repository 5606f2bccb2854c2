//! The choices of a search: the items of a list, a mapping or any other iterable, with their keys.

use super::arguments::is_missing;
use crate::ahead::{AHEAD, fetch};
use pyo3::ffi;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList};

/// A choice with its key and the string to compare.
pub struct Choice<'py> {
    pub index: usize,
    /// The key of a mapping.
    pub key: Option<Bound<'py, PyAny>>,
    pub choice: Bound<'py, PyAny>,
    /// The result of the processor, if there is one.
    processed: Option<Bound<'py, PyAny>>,
}

impl<'py> Choice<'py> {
    /// Returns the object that is compared.
    pub fn string(&self) -> &Bound<'py, PyAny> {
        self.processed.as_ref().unwrap_or(&self.choice)
    }
}

/// A key, if there is one, and a choice.
type Item<'py> = (Option<Bound<'py, PyAny>>, Bound<'py, PyAny>);

/// Choices that are read one after the other.
pub struct Choices<'py> {
    items: Items<'py>,
    /// Number of items read.
    read: usize,
}

enum Items<'py> {
    List(Bound<'py, PyList>),
    Iterator(Bound<'py, PyIterator>),
    /// Yields keys and choices.
    Pairs(Bound<'py, PyIterator>),
}

impl<'py> Choices<'py> {
    pub fn new(choices: &Bound<'py, PyAny>) -> PyResult<Self> {
        let items = if let Ok(list) = choices.cast_exact::<PyList>() {
            Items::List(list.clone())
        } else {
            match choices.getattr_opt(intern!(choices.py(), "items"))? {
                Some(items) => Items::Pairs(items.call0()?.try_iter()?),
                None => Items::Iterator(choices.try_iter()?),
            }
        };
        Ok(Self { items, read: 0 })
    }

    /// Appends choices that are not missing, until `group` has `count` of them or all are read.
    /// After an error, `group` has the choices before it.
    pub fn read(
        &mut self,
        processor: Option<&Bound<'py, PyAny>>,
        count: usize,
        group: &mut Vec<Choice<'py>>,
    ) -> PyResult<()> {
        while group.len() < count {
            let index = self.read;
            let Some((key, choice)) = self.next()? else { break };
            self.read += 1;
            if is_missing(&choice) {
                continue;
            }
            let processed = processor.map(|processor| processor.call1((&choice,))).transpose()?;
            if processed.as_ref().is_none_or(|string| !is_missing(string)) {
                group.push(Choice { index, key, choice, processed });
            }
        }
        Ok(())
    }

    /// Returns the next choice, with its key if it has one.
    #[inline(always)]
    fn next(&mut self) -> PyResult<Option<Item<'py>>> {
        match &mut self.items {
            // The list may get shorter while other threads run.
            Items::List(list) => {
                let later = self.read + AHEAD;
                if later < list.len() {
                    // SAFETY: the item is in the list, and only its address is used.
                    fetch(unsafe { ffi::PyList_GetItem(list.as_ptr(), later.cast_signed()) });
                }
                Ok(list.get_item(self.read).ok().map(|choice| (None, choice)))
            }
            Items::Iterator(iterator) => Ok(iterator.next().transpose()?.map(|choice| (None, choice))),
            Items::Pairs(iterator) => match iterator.next().transpose()? {
                Some(pair) => pair.extract().map(|(key, choice)| Some((Some(key), choice))),
                None => Ok(None),
            },
        }
    }
}
