//! Items of sequences as numbers, called keys: within a call, two items have equal keys if and only
//! if they are equal.
//!
//! A [`Rule`] defines the equality of items. By Python's rule, items are equal if a `dict` takes
//! them for the same key: they are the same object, or their hashes are equal and `==` holds. So
//! `1`, `1.0`, `True`, `Decimal(1)` and an `int8` of NumPy are the same item, `"a"` and `97` are
//! different, and a NaN is equal to no other NaN.
//!
//! | item | key by Python's rule |
//! |---|---|
//! | a string of one character | its code point |
//! | an integer, or a number equal to one | it plus [`INTEGER_ZERO`], or itself below -2^30 |
//! | any other | a number from [`FIRST_OTHER`] on, in order of appearance |

use pyo3::exceptions::PyMemoryError;
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyFloat, PyInt, PyNone, PyString, PyTuple, PyType};
use std::collections::HashMap;

/// The number of an item.
pub type Key = i128;

/// Equality of items.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// Like the keys of a `dict`.
    Python,
    /// Like rapidfuzz: a string of one character is its code point, and anything else is its hash.
    Rapidfuzz,
}

/// The key of the integer 0, and of a byte 0.
pub const INTEGER_ZERO: u32 = 0x6000_0000;
/// The first key of items that are neither integers nor characters.
pub const FIRST_OTHER: u32 = 0x11_0000;
/// Keys from this one to [`INTEGER_ZERO`] are those of negative integers.
pub const FIRST_INTEGER: u32 = 0x2000_0000;
/// First key of other items after the first 500 million.
pub const FAR_OTHER: Key = 1 << 100;
/// Minimum magnitude of integers that Python compares.
const GREATEST: i128 = 1 << 90;
/// Prime modulus of Python's hashes of numbers.
const HASH_PRIME: i128 = (1 << 61) - 1;

/// Returns the key of an integer by Python's rule.
pub fn integer_key(value: i128) -> Key {
    let key = value + Key::from(INTEGER_ZERO);
    if key >= Key::from(FIRST_INTEGER) { key } else { value }
}

/// Returns the key of a small integer by Python's rule; most integers are small.
#[inline]
pub fn small_key(value: i64) -> Option<u32> {
    let key = u32::try_from(value.checked_add(INTEGER_ZERO.into())?).ok()?;
    (key >= FIRST_INTEGER).then_some(key)
}

/// Keys, in the smallest of three widths that fits all of them.
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
    /// Creates an empty list with room for `room` keys.
    pub fn new(room: usize) -> PyResult<Self> {
        let mut keys = Vec::new();
        reserve(&mut keys, room)?;
        Ok(Self::Narrow(keys))
    }

    /// Returns the number of keys.
    pub fn len(&self) -> usize {
        match self {
            Self::Narrow(keys) => keys.len(),
            Self::Long(keys) => keys.len(),
            Self::Wide(keys) => keys.len(),
        }
    }

    /// Appends a key that fits in 32 bits.
    #[inline]
    pub fn push_narrow(&mut self, key: u32) -> PyResult<()> {
        match self {
            Self::Narrow(keys) => append(keys, key),
            _ => self.push(key.into()),
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

#[inline]
fn append<T>(keys: &mut Vec<T>, key: T) -> PyResult<()> {
    if keys.len() == keys.capacity() {
        reserve(keys, 1)?;
    }
    keys.push(key);
    Ok(())
}

/// Converts keys to a wider type.
fn widened<T: Copy, W: From<T>>(keys: &[T]) -> PyResult<Vec<W>> {
    let mut wide = Vec::new();
    reserve(&mut wide, keys.len() + 1)?;
    wide.extend(keys.iter().map(|&key| W::from(key)));
    Ok(wide)
}

/// Method to compute the keys of items of a type.
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
    /// A type whose items never equal numbers.
    Plain,
    /// Any other type. Its items may be equal to numbers.
    Other,
}

impl Class {
    fn from_type(kind: &Bound<'_, PyType>) -> PyResult<Self> {
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

/// Assigns keys to items. All strings of a call share one value.
pub struct Numbers<'py> {
    rule: Rule,
    /// For each item that Python compares, the index of its key in `keys`. The dictionary keeps the
    /// items alive, so that their identities stay unique.
    known: Option<Bound<'py, PyDict>>,
    keys: Vec<Key>,
    /// Keys of numbers with a fraction, by their bits.
    fractions: HashMap<u64, Key>,
    others: u64,
    /// True after a NaN of an array, which differs from itself when the array is read again.
    pub has_nan: bool,
    classes: Vec<(Bound<'py, PyType>, Class)>,
}

impl<'py> Numbers<'py> {
    /// Creates an assignment by Python's rule.
    pub fn new() -> Self {
        Self {
            rule: Rule::Python,
            known: None,
            keys: Vec::new(),
            fractions: HashMap::new(),
            others: 0,
            has_nan: false,
            classes: Vec::new(),
        }
    }

    /// Creates an assignment by rapidfuzz's rule for `mixed` strings, otherwise by Python's.
    pub fn of_any(mixed: bool) -> Self {
        Self { rule: if mixed { Rule::Rapidfuzz } else { Rule::Python }, ..Self::new() }
    }

    pub fn rule(&self) -> Rule {
        self.rule
    }

    /// Returns the key of a small integer, the most frequent type of item.
    #[inline]
    pub fn small(&self, item: &Bound<'py, PyAny>) -> Option<u32> {
        let is_small = self.rule == Rule::Python && item.is_exact_instance_of::<PyInt>();
        if is_small { small_key(item.extract::<i64>().ok()?) } else { None }
    }

    /// Returns the key of an item.
    pub fn key(&mut self, item: &Bound<'py, PyAny>) -> PyResult<Key> {
        if self.rule == Rule::Rapidfuzz {
            return by_hash(item);
        }
        // The most frequent types first.
        if item.is_exact_instance_of::<PyInt>()
            && let Ok(value) = item.extract::<i64>()
        {
            return Ok(integer_key(value.into()));
        }
        if item.is_exact_instance_of::<PyString>() {
            return match character(item)? {
                Some(character) => Ok(character.into()),
                None => self.object(item, Class::Plain),
            };
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

    /// Returns the key of an integer in an array.
    pub fn integer(&self, value: i128) -> Key {
        match self.rule {
            Rule::Python => integer_key(value),
            Rule::Rapidfuzz => unsigned(hash_of_integer(value)),
        }
    }

    /// Returns the key of a float in an array. Each NaN gets a new key.
    pub fn float(&mut self, py: Python<'py>, value: f64) -> PyResult<Key> {
        if value.is_nan() {
            self.has_nan = true;
            return Ok(self.other());
        }
        if value.fract() == 0.0 && value.abs() < GREATEST as f64 {
            return Ok(self.integer(value as i128));
        }
        if self.rule == Rule::Rapidfuzz {
            return Ok(unsigned(PyFloat::new(py, value).hash()? as i64));
        }
        // Python compares a large float with integers of any size.
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
        let class = Class::from_type(&kind)?;
        self.classes.push((kind, class));
        Ok(class)
    }

    /// Returns an unused key.
    fn other(&mut self) -> Key {
        let number = self.others;
        self.others += 1;
        let key = u64::from(FIRST_OTHER) + number;
        if self.rule == Rule::Python && key < FIRST_INTEGER.into() { key.into() } else { FAR_OTHER + Key::from(number) }
    }

    /// Returns the key of an item that Python compares.
    fn object(&mut self, item: &Bound<'py, PyAny>, class: Class) -> PyResult<Key> {
        let known = self.known.get_or_insert_with(|| PyDict::new(item.py())).clone();
        let place = match known.get_item(item) {
            Ok(place) => place,
            // Comparing two types may raise, for example a Decimal and a number of NumPy.
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

    /// Returns the key of the integer, float or character that equals an object of another type,
    /// such as a `Decimal`, a `Fraction`, a complex number or a scalar of NumPy.
    fn number(&mut self, item: &Bound<'py, PyAny>) -> PyResult<Option<Key>> {
        let py = item.py();
        if let Some(character) = character(item)? {
            let text = PyString::new(py, char::from_u32(character).map(String::from).as_deref().unwrap_or_default());
            return Ok(is_equal(item, text.as_any()).then(|| character.into()));
        }
        // A complex number without an imaginary part equals its real part.
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
        // An item of any other type may equal one of the 64-bit integers with the same hash.
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

/// Returns the code point of a string of one character.
fn character(item: &Bound<'_, PyAny>) -> PyResult<Option<u32>> {
    let Ok(text) = item.cast::<PyString>() else { return Ok(None) };
    if text.len()? != 1 {
        return Ok(None);
    }
    // SAFETY: the string has a character at 0. It may be a surrogate, which Rust's `char` cannot
    // hold.
    Ok(Some(unsafe { pyo3::ffi::PyUnicode_ReadChar(text.as_ptr(), 0) }))
}

/// Returns true if a `dict` takes two items for one key. Items that cannot be compared are not
/// equal.
fn is_equal(item: &Bound<'_, PyAny>, other: &Bound<'_, PyAny>) -> bool {
    let same_hash = item.hash().ok().zip(other.hash().ok()).is_some_and(|(one, other)| one == other);
    same_hash && item.eq(other).unwrap_or(false)
}

/// Computes Python's hash of an integer.
fn hash_of_integer(value: i128) -> i64 {
    match (value % HASH_PRIME) as i64 {
        -1 => -2,
        hash => hash,
    }
}

/// Converts a hash as rapidfuzz stores it.
fn unsigned(hash: i64) -> Key {
    hash.cast_unsigned().into()
}

/// Returns the key of an item by rapidfuzz's rule.
fn by_hash(item: &Bound<'_, PyAny>) -> PyResult<Key> {
    if let Some(character) = character(item)? {
        return Ok(character.into());
    }
    let hash = item.hash()? as i64;
    // -1 and -2 have the same hash.
    if hash == -2 && item.is_instance_of::<PyInt>() && item.extract::<i64>().is_ok_and(|value| value == -1) {
        return Ok(unsigned(-1));
    }
    Ok(unsigned(hash))
}

/// Returns the key of an integer in an `array.array` by rapidfuzz's rule, which uses the integer as
/// its hash.
pub fn raw_key(value: i128) -> Key {
    Key::from(value as u64)
}
