//! Items of sequences as numbers, here called keys: two items of one call have equal keys exactly where they are equal.
//!
//! Which items are equal is a [`Rule`]. By Python's rule two items are equal where a `dict` takes them for one key: they are the same object, or
//! their hashes are equal and `==` says so. So `1`, `1.0`, `True`, `Decimal(1)` and an `int8` of NumPy are one item, `"a"` and `97` are two, and a
//! NaN is equal to no other NaN.
//!
//! | item | key by Python's rule |
//! |---|---|
//! | a string of one character | its code point |
//! | an integer, or a number that is equal to one | the integer plus [`INTEGER_ZERO`]; below -2^30 the integer itself |
//! | any other | a number from [`FIRST_OTHER`] on, in the order in which the items appear |

use pyo3::exceptions::PyMemoryError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyNone, PyString, PyTuple, PyType};
use std::collections::HashMap;

/// Stands for an item.
pub type Key = i128;

/// When two items are equal.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// As keys of a `dict` are.
    Python,
    /// As rapidfuzz has it: a string of one character is its code point, and anything else is its hash.
    Rapidfuzz,
}

/// The key of the integer 0, and of a byte 0.
pub const INTEGER_ZERO: u32 = 0x6000_0000;
/// The first key of items that are neither integers nor characters.
pub const FIRST_OTHER: u32 = 0x11_0000;
/// Keys from here to [`INTEGER_ZERO`] are those of negative integers.
const FIRST_INTEGER: u32 = 0x2000_0000;
/// Keys of other items after the first 500 million.
const FAR_OTHER: Key = 1 << 100;
/// Integers of a greater magnitude are told apart by Python.
const GREATEST: i128 = 1 << 90;
/// The prime of Python's hashes of numbers.
const HASH_PRIME: i128 = (1 << 61) - 1;

/// The key of an integer by Python's rule.
pub fn integer_key(value: i128) -> Key {
    let key = value + Key::from(INTEGER_ZERO);
    if key >= Key::from(FIRST_INTEGER) { key } else { value }
}

/// Keys, in as few bytes each as they all fit in.
pub enum Keys {
    Narrow(Vec<u32>),
    Long(Vec<i64>),
    Wide(Vec<Key>),
}

fn reserve<T>(keys: &mut Vec<T>, count: usize) -> PyResult<()> {
    let failed = |_| PyMemoryError::new_err(format!("not enough memory for the numbers of {count} items"));
    keys.try_reserve(count).map_err(failed)
}

impl Keys {
    /// None yet, with room for so many.
    pub fn new(room: usize) -> PyResult<Self> {
        let mut keys = Vec::new();
        reserve(&mut keys, room)?;
        Ok(Self::Narrow(keys))
    }

    /// How many.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(keys) => keys.len(),
            Self::Long(keys) => keys.len(),
            Self::Wide(keys) => keys.len(),
        }
    }

    /// Appends a key.
    pub fn push(&mut self, key: Key) -> PyResult<()> {
        match self {
            Self::Narrow(keys) => match u32::try_from(key) {
                Ok(key) => append(keys, key),
                Err(_) => {
                    *self = Self::Long(widened(keys)?);
                    self.push(key)
                }
            },
            Self::Long(keys) => match i64::try_from(key) {
                Ok(key) => append(keys, key),
                Err(_) => {
                    *self = Self::Wide(widened(keys)?);
                    self.push(key)
                }
            },
            Self::Wide(keys) => append(keys, key),
        }
    }
}

fn append<T>(keys: &mut Vec<T>, key: T) -> PyResult<()> {
    reserve(keys, 1)?;
    keys.push(key);
    Ok(())
}

/// The same keys in more bytes each, with the same room.
fn widened<T: Copy, W: From<T>>(keys: &[T]) -> PyResult<Vec<W>> {
    let mut wide = Vec::new();
    reserve(&mut wide, keys.len() + 1)?;
    wide.extend(keys.iter().map(|&key| W::from(key)));
    Ok(wide)
}

/// How the items of a type are looked at.
#[derive(Clone, Copy)]
enum Class {
    Integer,
    Float,
    Text,
    /// NumPy's integers.
    Index,
    /// NumPy's truth values.
    Truth,
    /// A record of NumPy, which compares as a tuple of its fields.
    Record,
    /// No number, and equal to none.
    Plain,
    /// Any other, which may be equal to a number.
    Other,
}

impl Class {
    fn of(kind: &Bound<'_, PyType>) -> PyResult<Self> {
        let py = kind.py();
        if kind.is(py.get_type::<PyInt>()) || kind.is(py.get_type::<PyBool>()) {
            return Ok(Self::Integer);
        }
        if kind.is(py.get_type::<PyFloat>()) {
            return Ok(Self::Float);
        }
        if kind.is(py.get_type::<PyString>()) {
            return Ok(Self::Text);
        }
        let plain = [py.get_type::<PyBytes>(), py.get_type::<PyTuple>(), py.get_type::<PyNone>()];
        if plain.iter().any(|plain| kind.is(plain)) {
            return Ok(Self::Plain);
        }
        if !kind.module().is_ok_and(|module| module == "numpy") {
            return Ok(Self::Other);
        }
        Ok(match kind.name()?.to_str()? {
            "int8" | "int16" | "int32" | "int64" | "intc" | "longlong" | "uint8" | "uint16" | "uint32" | "uint64"
            | "uintc" | "ulonglong" => Self::Index,
            "float16" | "float32" | "float64" => Self::Float,
            "bool" | "bool_" => Self::Truth,
            "str_" => Self::Text,
            "bytes_" => Self::Plain,
            "void" | "record" => Self::Record,
            _ => Self::Other,
        })
    }
}

/// Gives items their keys. The items of all strings of a call get them from one of these.
pub struct Numbers<'py> {
    rule: Rule,
    /// The places in `keys` of items that Python has to tell apart. It keeps them alive, so that no other item gets their identity.
    known: Option<Bound<'py, PyDict>>,
    keys: Vec<Key>,
    /// The keys of numbers with a fraction, by their bits.
    fractions: HashMap<u64, Key>,
    others: u64,
    classes: Vec<(Bound<'py, PyType>, Class)>,
}

impl<'py> Numbers<'py> {
    /// By Python's rule.
    pub fn new() -> Self {
        Self {
            rule: Rule::Python,
            known: None,
            keys: Vec::new(),
            fractions: HashMap::new(),
            others: 0,
            classes: Vec::new(),
        }
    }

    /// By rapidfuzz's rule for `mixed` strings, else by Python's.
    pub fn of_any(mixed: bool) -> Self {
        Self { rule: if mixed { Rule::Rapidfuzz } else { Rule::Python }, ..Self::new() }
    }

    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// The key of an item.
    pub fn key(&mut self, item: &Bound<'py, PyAny>) -> PyResult<Key> {
        if self.rule == Rule::Rapidfuzz {
            return by_hash(item);
        }
        match self.class(item)? {
            Class::Integer | Class::Index => match item.extract::<i64>() {
                Ok(value) => Ok(integer_key(value.into())),
                Err(_) => match item.extract::<i128>() {
                    Ok(value) if value.abs() < GREATEST => Ok(integer_key(value)),
                    _ => self.object(item, Class::Plain),
                },
            },
            Class::Float => match item.extract::<f64>()? {
                value if value.is_nan() => self.object(item, Class::Plain),
                value => self.float(item.py(), value),
            },
            Class::Text => match character(item)? {
                Some(character) => Ok(character.into()),
                None => self.object(item, Class::Plain),
            },
            Class::Truth => Ok(integer_key(item.is_truthy()?.into())),
            Class::Record => {
                let fields = item.call_method0(intern!(item.py(), "item"))?;
                self.object(&fields, Class::Plain)
            }
            class => self.object(item, class),
        }
    }

    /// The key of an integer that stands in an array.
    pub fn integer(&self, value: i128) -> Key {
        match self.rule {
            Rule::Python => integer_key(value),
            Rule::Rapidfuzz => unsigned(hash_of_integer(value)),
        }
    }

    /// The key of a float that stands in an array. A NaN is an item of its own each time.
    pub fn float(&mut self, py: Python<'py>, value: f64) -> PyResult<Key> {
        if value.is_nan() {
            return Ok(self.other());
        }
        if value.fract() == 0.0 && value.abs() < GREATEST as f64 {
            return Ok(self.integer(value as i128));
        }
        if self.rule == Rule::Rapidfuzz {
            return Ok(unsigned(PyFloat::new(py, value).hash()? as i64));
        }
        // Python compares a great one with integers of any size.
        if value.fract() == 0.0 {
            return self.object(PyFloat::new(py, value).as_any(), Class::Plain);
        }
        if let Some(&key) = self.fractions.get(&value.to_bits()) {
            return Ok(key);
        }
        let key = self.other();
        self.fractions.insert(value.to_bits(), key);
        Ok(key)
    }

    fn class(&mut self, item: &Bound<'py, PyAny>) -> PyResult<Class> {
        let kind = item.get_type();
        if let Some(&(_, class)) = self.classes.iter().find(|(known, _)| known.is(&kind)) {
            return Ok(class);
        }
        let class = Class::of(&kind)?;
        self.classes.push((kind, class));
        Ok(class)
    }

    /// A key that no item has yet.
    fn other(&mut self) -> Key {
        let number = self.others;
        self.others += 1;
        let key = u64::from(FIRST_OTHER) + number;
        if self.rule == Rule::Python && key < FIRST_INTEGER.into() { key.into() } else { FAR_OTHER + Key::from(number) }
    }

    /// The key of an item that Python has to compare.
    fn object(&mut self, item: &Bound<'py, PyAny>, class: Class) -> PyResult<Key> {
        let known = self.known.get_or_insert_with(|| PyDict::new(item.py())).clone();
        let place = match known.get_item(item) {
            Ok(place) => place,
            // Some types raise when one is compared with the other, as Decimal and NumPy's do.
            Err(error) => return self.number(item)?.ok_or(error),
        };
        if let Some(place) = place
            && let Some(&key) = self.keys.get(place.extract::<usize>()?)
        {
            return Ok(key);
        }
        let number = match class {
            Class::Other => self.number(item)?,
            _ => None,
        };
        let key = number.unwrap_or_else(|| self.other());
        known.set_item(item, self.keys.len())?;
        self.keys.push(key);
        Ok(key)
    }

    /// The key of the integer, float or character that an object of another type is equal to, as a `Decimal`, a `Fraction`, a complex number or
    /// a scalar of NumPy may be.
    fn number(&mut self, item: &Bound<'py, PyAny>) -> PyResult<Option<Key>> {
        let py = item.py();
        if let Some(character) = character(item)? {
            let text = PyString::new(py, char::from_u32(character).map(String::from).as_deref().unwrap_or_default());
            return Ok(is_equal(item, text.as_any()).then(|| character.into()));
        }
        // A complex number without an imaginary part is its real part.
        if let Ok(real) = item.getattr(intern!(py, "real"))
            && !real.get_type().is(item.get_type())
        {
            return match is_equal(item, &real) {
                true => self.key(&real).map(Some),
                false => Ok(None),
            };
        }
        if let Ok(value) = item.extract::<f64>()
            && !value.is_nan()
            && is_equal(item, PyFloat::new(py, value).as_any())
        {
            return self.float(py, value).map(Some);
        }
        if let Ok(whole) = item.call_method0(intern!(py, "__int__"))
            && is_equal(item, &whole)
        {
            return self.key(&whole).map(Some);
        }
        // Any other type may be equal to one of the integers of 64 bits that have its hash.
        let hash = i128::try_from(item.hash()?).unwrap_or_default();
        let same_hash = |value: i128| {
            let near = (-4..=8).map(move |times| value + times * HASH_PRIME);
            near.filter(|&value| value >= i64::MIN.into() && value <= u64::MAX.into())
        };
        for value in same_hash(hash).chain(same_hash(-1).filter(|_| hash == -2)) {
            if is_equal(item, value.into_pyobject(py)?.as_any()) {
                return Ok(Some(integer_key(value)));
            }
        }
        Ok(None)
    }
}

/// The code point of a string of one character.
fn character(item: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    let Ok(text) = item.cast::<PyString>() else { return Ok(None) };
    if text.len()? != 1 {
        return Ok(None);
    }
    // SAFETY: the string has a character at 0; it may be half a surrogate pair, which Rust's characters are not.
    Ok(Some(unsafe { pyo3::ffi::PyUnicode_ReadChar(text.as_ptr(), 0) }))
}

/// Whether a `dict` takes two items for one key. What cannot be compared is not equal.
fn is_equal(item: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> bool {
    let same_hash = item.hash().ok().zip(other.hash().ok()).is_some_and(|(one, other)| one == other);
    same_hash && item.eq(other).unwrap_or(false)
}

/// Python's hash of an integer.
fn hash_of_integer(value: i128) -> i64 {
    match (value % HASH_PRIME) as i64 {
        -1 => -2,
        hash => hash,
    }
}

/// A hash as rapidfuzz keeps it.
fn unsigned(hash: i64) -> Key {
    hash.cast_unsigned().into()
}

/// The key of an item by rapidfuzz's rule.
fn by_hash(item: &Bound<'_, PyAny>) -> PyResult<Key> {
    if let Some(character) = character(item)? {
        return Ok(character.into());
    }
    let hash = item.hash()? as i64;
    // The hash of -1 is that of -2.
    if hash == -2 && item.is_instance_of::<PyInt>() && item.extract::<i64>().is_ok_and(|value| value == -1) {
        return Ok(unsigned(-1));
    }
    Ok(unsigned(hash))
}

/// The key of an integer in an `array.array` by rapidfuzz's rule, which takes the integer for its hash.
pub fn raw_key(value: i128) -> Key {
    Key::from(value as u64)
}
