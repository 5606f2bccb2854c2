//! The notation of adapters.

use super::ends::Place;
use super::tolerance::AdapterSettings;
use crate::error::UsageFault;
use crate::{Error, Result};

/// Upper bound on the symbols of an adapter.
const LONGEST: usize = 10_000;

/// One adapter as it is written: `NAME=^SYMBOLS;e=0.2;o=5`.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Written {
    pub name: Option<String>,
    /// Symbols, as written.
    pub symbols: String,
    pub place: Place,
    /// The settings given, and the defaults of the others.
    pub settings: AdapterSettings,
    /// True if the match nearest to the end of the read is taken.
    pub is_rightmost: bool,
    /// True if the adapter may hang over either end of the read.
    pub is_anywhere: bool,
    /// Value of `required` or `optional`.
    pub is_required: Option<bool>,
}

/// Mark at an end of the symbols.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// `^` or `$`.
    Anchor,
    /// `X`.
    NoInternal,
}

/// Settings after the first `;`.
#[derive(Debug, Default)]
struct Parameters {
    errors: Option<f64>,
    overlap: Option<usize>,
    indels: Option<bool>,
    is_required: Option<bool>,
    is_anywhere: bool,
    is_rightmost: bool,
}

impl Parameters {
    /// Changes the settings that are given.
    fn apply(&self, settings: &mut AdapterSettings) {
        settings.errors = self.errors.unwrap_or(settings.errors);
        settings.overlap = self.overlap.unwrap_or(settings.overlap);
        settings.indels = self.indels.unwrap_or(settings.indels);
    }
}

impl AdapterSettings {
    /// Returns the settings with changes, such as `e=0.2;o=5;noindels`, for many adapters.
    ///
    /// ```
    /// use carrywave::trim::AdapterSettings;
    ///
    /// let settings = AdapterSettings::default().changed("o=5;noindels")?;
    /// assert_eq!((settings.overlap, settings.indels), (5, false));
    /// # Ok::<(), carrywave::Error>(())
    /// ```
    ///
    /// # Errors
    /// [`Error::Usage`]: [`Syntax`](UsageFault::Syntax) for an unknown setting,
    /// [`Combination`](UsageFault::Combination) for one that is given twice or is for single
    /// adapters.
    pub fn changed(&self, text: &str) -> Result<Self> {
        let parameters = parse_parameters(text)?;
        if parameters.is_required.is_some() || parameters.is_anywhere || parameters.is_rightmost {
            return Err(
                UsageFault::Combination.error(format!("`{text}`: only e, o, indels, noindels are for many adapters"))
            );
        }
        let mut settings = *self;
        parameters.apply(&mut settings);
        Ok(settings)
    }
}

/// Parses an adapter without `...`. `unmarked` is its place if it has no mark.
pub(super) fn parse(text: &str, unmarked: Place, defaults: &AdapterSettings) -> Result<Written> {
    let (spec, parameters) = text.split_once(';').unwrap_or((text, ""));
    let (name, symbols) = match spec.split_once('=') {
        Some((name, symbols)) => (Some(name.trim().to_owned()), symbols.trim()),
        None => (None, spec.trim()),
    };
    let parameters = parse_parameters(parameters)?;
    let symbols = repeated(symbols)?;
    let mut settings = *defaults;
    let only_x = !symbols.is_empty() && symbols.bytes().all(|symbol| symbol == b'X');
    if only_x {
        let place = unmarked;
        return Ok(Written {
            name,
            symbols,
            place,
            settings,
            is_rightmost: false,
            is_anywhere: false,
            is_required: None,
        });
    }
    let (symbols, start, end) = marks(&symbols)?;
    let place = marked(unmarked, start, end)?;
    if parameters.overlap.is_some() && place.is_anchored() {
        return Err(UsageFault::Combination.error("o= is not for an anchored adapter, which matches as a whole"));
    }
    parameters.apply(&mut settings);
    if parameters.is_rightmost && !matches!(place, Place::Back | Place::Front) {
        return Err(UsageFault::Combination.error("`rightmost` is for 5' and 3' adapters without `^`, `$` and X"));
    }
    Ok(Written {
        name,
        symbols: symbols.to_owned(),
        place,
        settings,
        is_rightmost: parameters.is_rightmost,
        is_anywhere: parameters.is_anywhere && matches!(place, Place::Back | Place::Front),
        is_required: parameters.is_required,
    })
}

/// Splits the marks from the symbols.
fn marks(symbols: &str) -> Result<(&str, Option<Mark>, Option<Mark>)> {
    let both = || UsageFault::Combination.error("an adapter has one of the marks `^`, `$` and X, not two");
    let mut rest = symbols;
    let mut start = None;
    let mut end = None;
    if let Some(without) = rest.strip_prefix('^') {
        rest = without;
        start = Some(Mark::Anchor);
    }
    if rest.starts_with(['x', 'X']) {
        if start.is_some() {
            return Err(both());
        }
        rest = rest.trim_start_matches(['x', 'X']);
        start = Some(Mark::NoInternal);
    }
    if let Some(without) = rest.strip_suffix('$') {
        rest = without;
        end = Some(Mark::Anchor);
    }
    if rest.ends_with(['x', 'X']) {
        if end.is_some() {
            return Err(both());
        }
        rest = rest.trim_end_matches(['x', 'X']);
        end = Some(Mark::NoInternal);
    }
    if start.is_some() && end.is_some() {
        return Err(both());
    }
    Ok((rest, start, end))
}

/// Returns the place of an adapter with marks.
fn marked(unmarked: Place, start: Option<Mark>, end: Option<Mark>) -> Result<Place> {
    match (unmarked, start, end) {
        (place, None, None) => Ok(place),
        (Place::Front, Some(Mark::Anchor), None) => Ok(Place::Prefix),
        (Place::Front, Some(Mark::NoInternal), None) => Ok(Place::FrontStart),
        (Place::Back, None, Some(Mark::Anchor)) => Ok(Place::Suffix),
        (Place::Back, None, Some(Mark::NoInternal)) => Ok(Place::BackEnd),
        (Place::Front, ..) => Err(UsageFault::Combination.error("a 5' adapter has its mark before the symbols")),
        (Place::Back, ..) => Err(UsageFault::Combination.error("a 3' adapter has its mark after the symbols")),
        _ => Err(UsageFault::Combination.error("an adapter of either end has no mark")),
    }
}

/// Expands `A{5}` to `AAAAA`.
fn repeated(symbols: &str) -> Result<String> {
    let wrong = || UsageFault::Syntax.error("write a repeated symbol as A{5}, with at most 10000 in the braces");
    let mut result = String::new();
    let mut rest = symbols;
    while let Some(open) = rest.find(['{', '}']) {
        let (before, behind) = rest.split_at(open);
        let (count, behind) = behind.strip_prefix('{').and_then(|behind| behind.split_once('}')).ok_or_else(wrong)?;
        let count: usize = count.parse().ok().filter(|count| *count <= LONGEST).ok_or_else(wrong)?;
        let symbol = before.chars().next_back().ok_or_else(wrong)?;
        result += &before[..before.len() - symbol.len_utf8()];
        result.extend(std::iter::repeat_n(symbol, count));
        if result.len() > LONGEST {
            return Err(too_long());
        }
        rest = behind;
    }
    result += rest;
    if result.len() > LONGEST { Err(too_long()) } else { Ok(result) }
}

fn too_long() -> Error {
    UsageFault::TooLarge.error(format!("an adapter has at most {LONGEST} symbols"))
}

fn parse_parameters(text: &str) -> Result<Parameters> {
    let mut parameters = Parameters::default();
    for field in text.split(';').map(str::trim).filter(|field| !field.is_empty()) {
        let (key, value) = match field.split_once('=') {
            Some((key, value)) => (key.trim(), Some(value.trim())),
            None => (field, None),
        };
        let twice = match (key, value) {
            ("e" | "error_rate" | "max_error_rate" | "max_errors", Some(value)) => {
                let errors = value.parse().map_err(|_| wrong_value(key, value))?;
                parameters.errors.replace(errors).is_some()
            }
            ("o" | "min_overlap", Some(value)) => {
                let overlap = value.parse().map_err(|_| wrong_value(key, value))?;
                parameters.overlap.replace(overlap).is_some()
            }
            ("indels", None) => parameters.indels.replace(true).is_some(),
            ("noindels", None) => parameters.indels.replace(false).is_some(),
            ("required", None) => parameters.is_required.replace(true).is_some(),
            ("optional", None) => parameters.is_required.replace(false).is_some(),
            ("anywhere", None) => std::mem::replace(&mut parameters.is_anywhere, true),
            ("rightmost", None) => std::mem::replace(&mut parameters.is_rightmost, true),
            _ => {
                return Err(UsageFault::Syntax.error(format!(
                    "unknown setting `{field}`; choose from e=, o=, indels, noindels, required, optional, anywhere, \
                     rightmost"
                )));
            }
        };
        if twice {
            return Err(UsageFault::Combination.error(format!("`{key}` is set twice")));
        }
    }
    Ok(parameters)
}

fn wrong_value(key: &str, value: &str) -> Error {
    UsageFault::Syntax.error(format!("`{value}` is not a number; write {key}= with a number of 0 or more"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(text: &str, unmarked: Place) -> Result<Written> {
        parse(text, unmarked, &AdapterSettings::default())
    }

    #[test]
    fn marks_names_and_settings() {
        let all = written("left=^AC{3}T; e=0.2 ; noindels", Place::Front).unwrap();
        assert_eq!((all.name.as_deref(), &all.symbols[..], all.place), (Some("left"), "ACCCT", Place::Prefix));
        assert!((all.settings.errors - 0.2).abs() < 1e-9 && !all.settings.indels && all.settings.overlap == 3);
        assert_eq!(written("XXACGT", Place::Front).unwrap().place, Place::FrontStart);
        assert_eq!(written("ACGT$", Place::Back).unwrap().place, Place::Suffix);
        assert_eq!(written("ACGTx;o=4", Place::Back).unwrap().settings.overlap, 4);
        assert_eq!(written("XXXX", Place::Back).unwrap().symbols, "XXXX");
        assert!(written("ACGT;anywhere;rightmost", Place::Back).unwrap().is_anywhere);
    }

    #[test]
    fn what_is_wrong() {
        for (text, place) in [
            ("^ACGT", Place::Back),
            ("^ACGT$", Place::Front),
            ("^XACGT", Place::Front),
            ("ACGT$", Place::Either),
            ("ACGT;o", Place::Back),
            ("ACGT;e=x", Place::Back),
            ("ACGT;e=1;e=2", Place::Back),
            ("ACGT;colour", Place::Back),
            ("ACGT$;o=2", Place::Back),
            ("^ACGT;rightmost", Place::Front),
            ("A{", Place::Back),
            ("{3}", Place::Back),
            ("A{99999}", Place::Back),
            ("A}3{", Place::Back),
        ] {
            assert!(matches!(written(text, place), Err(Error::Usage { .. })), "{text}");
        }
    }
}
