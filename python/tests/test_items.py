"""Tests the equality of items in any container: as in Python; in the drop-in, as in rapidfuzz."""

from __future__ import annotations

import array
import collections
import ctypes
import datetime
import decimal
import enum
import fractions
import os
import random
from collections.abc import Callable
from typing import Any

import carrywave
import numpy as np
import pytest

# Number of random cases. CARRYWAVE_CASES=20000 is useful for a run by hand.
CASES = int(os.environ.get("CARRYWAVE_CASES", "400"))
NAN = float("nan")
INTEGERS = [0, 1, 2, 97, 98, 127, 128, 255, 256, 65535, 2**31 - 1, 2**31, 2**32 - 1, 2**53, 2**53 + 1, 2**61 - 2, 2**61 - 1, 2**61, 2**63 - 1, 2**63]
INTEGERS += [2**64 - 1, 2**64, 2**70, 2**100, 10**400, -1, -2, -128, -129, -(2**30) - 1, -(2**31), -(2**61), -(2**63), -(2**64), -(2**90)]
FLOATS = [0.5, -0.5, 1.5, -0.0, 0.1, float(np.float32(0.1)), 2.0**53, 2.0**63, 2.0**64, 2.0**100, 1e300, float("inf"), float("-inf"), NAN, 97.0, -1.0]
NUMBERS = [*INTEGERS, *FLOATS, True, False, *map(decimal.Decimal, ["1", "0.5", "97", "9223372036854775808", "18446744073709551616", "0.1"])]
NUMBERS += [fractions.Fraction(1, 2), fractions.Fraction(97), fractions.Fraction(2**63), fractions.Fraction(1, 3), 1 + 0j, 0.5 + 0j, 1j, 97j]
NUMBERS += [2.0**63 + 0j, np.int8(-1), np.uint8(255), np.uint64(2**63), np.float32(0.5), np.float16(1.5), np.float32(0.1), np.complex64(1), np.longdouble(0.5)]
NUMBERS += [np.bool_(True), np.complex64(0.5 + 1j), np.complex128(2.0**53)]
OTHERS = ["a", "b", "é", "字", "\ud800", "ab", "", np.str_("a"), np.str_("ab"), b"a", b"ab", np.bytes_(b"a"), None, (1, "a"), (1.0, "a"), ("a",), frozenset([1])]
OTHERS += [np.datetime64("2020-01-01"), np.timedelta64(1, "s"), datetime.date(2020, 1, 1)]


def same(x: Any, y: Any) -> bool:
    """Returns true if x and y are the same key of a dictionary."""
    if x is y or hash(x) != hash(y):
        return x is y
    if isinstance(y, decimal.Decimal) and isinstance(x, np.generic):
        x, y = y, x
    if isinstance(x, decimal.Decimal) and isinstance(y, np.generic):
        # Python raises TypeError or returns false, although both equal the same plain number.
        return not isinstance(y, str | bytes) and (y == y.real == float(y) and x == float(y))
    return bool(x == y)


def distance(a: Any, b: Any) -> int:
    """Returns the edit distance by Wagner and Fischer's table, with items compared by `same`."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        diagonal, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            diagonal, row[j] = row[j], min(diagonal + (not same(x, y)), row[j] + 1, row[j - 1] + 1)
    return row[-1]


def items(string: Any) -> list[Any]:
    """Returns the items of a string, with records as tuples."""
    return [item.item() if isinstance(item, np.void) else item for item in string]


def cast(values: list[Any], dtype: str) -> Any:
    """Returns an array of the values that a dtype can hold, without the others."""
    made = []
    for value in values:
        try:
            with np.errstate(all="ignore"):
                one = np.empty(1, dtype=object)
                one[0] = value
                made.append(one.astype(dtype)[0])
        except (TypeError, ValueError, OverflowError):
            continue
    return np.array(made, dtype=dtype)


def holders() -> dict[str, Callable[[random.Random, list[Any]], Any]]:
    """Returns constructors of strings from lists of values, by the name of the container."""

    def of_dtype(dtype: str, step: int) -> Callable[[random.Random, list[Any]], Any]:
        def make(chooser: random.Random, values: list[Any]) -> Any:
            held = cast(values, dtype)
            if step == 1 or len(held) == 0:
                return held
            wide = np.empty(len(held) * abs(step), dtype=held.dtype)
            wide[:] = held[0]
            wide[::step] = held
            return wide[::step]

        return make

    def of_array(code: str) -> Callable[[random.Random, list[Any]], Any]:
        def make(chooser: random.Random, values: list[Any]) -> Any:
            held = array.array(code)
            for value in values:
                try:
                    held.append(value)
                except (TypeError, ValueError, OverflowError):
                    continue
            return held

        return make

    def of_ctypes(kind: Any) -> Callable[[random.Random, list[Any]], Any]:
        def make(chooser: random.Random, values: list[Any]) -> Any:
            held = []
            for value in values:
                try:
                    held.append(kind(value).value)
                except (TypeError, ValueError, OverflowError):
                    continue
            return (kind * len(held))(*held)

        return make

    def of_object(chooser: random.Random, values: list[Any]) -> Any:
        held = np.empty(len(values), dtype=object)
        held[:] = values
        return held

    def of_text(chooser: random.Random, values: list[Any]) -> str:
        return "".join(value for value in values if type(value) is str)

    def of_records(chooser: random.Random, values: list[Any]) -> Any:
        return np.array([(int(v), 0.5) for v in values if isinstance(v, int) and abs(v) < 2**31], dtype=[("x", "i8"), ("y", "f4")])

    made: dict[str, Callable[[random.Random, list[Any]], Any]] = {
        "list": lambda chooser, values: values,
        "tuple": lambda chooser, values: tuple(values),
        "deque": lambda chooser, values: collections.deque(values),
        "object": of_object,
        "str": of_text,
        "records": of_records,
        "dates": lambda chooser, values: np.array([chooser.randrange(3) for _ in values], dtype="datetime64[D]"),
        "seconds": lambda chooser, values: np.array([chooser.randrange(3) for _ in values], dtype="timedelta64[s]"),
        "range": lambda chooser, values: range(95, 95 + len(values)),
    }
    for dtype in ["?", "f2", "f4", "f8", "g", "c8", "c16", "U1", "U2", "S1", "S2", *(kind + size for kind in "iu" for size in "1248")]:
        for order in "<>":
            for step in (1, 2, -1):
                made[f"numpy {order}{dtype} {step}"] = of_dtype(order + dtype if dtype != "g" else dtype, step)
    for code in array.typecodes:
        made[f"array {code}"] = of_array(code)
        if code == "u":
            # Python cannot read the items of a memoryview with this type code.
            continue
        made[f"view {code}"] = lambda chooser, values, of=of_array(code): memoryview(of(chooser, values))[::-1]
    for kind in (ctypes.c_bool, ctypes.c_byte, ctypes.c_ubyte, ctypes.c_short, ctypes.c_int64, ctypes.c_uint64, ctypes.c_float, ctypes.c_double):
        made[f"ctypes {kind.__name__}"] = of_ctypes(kind)
    return made


def strings(chooser: random.Random) -> tuple[list[str], list[Any]]:
    """Returns the names of two containers, and two strings in them with common values."""
    made = holders()
    values = chooser.choices(NUMBERS, k=4) + chooser.choices(OTHERS, k=3) + [chooser.choice(INTEGERS), chooser.choice([1, 97, -1, "a"])]
    lists = [[value for value in chooser.sample(values, len(values)) if chooser.random() < 0.8] for _ in range(2)]
    names = [chooser.choice(list(made)) for _ in range(2)]
    return names, [made[name](chooser, held) for name, held in zip(names, lists, strict=True)]


@pytest.mark.filterwarnings("ignore")
def test_items_are_equal_where_python_says_so() -> None:
    chooser = random.Random(36)
    wrong = []
    for case in range(CASES):
        names, (a, b) = strings(chooser)
        expected = distance(items(a), items(b))
        try:
            found = carrywave.distance(a, b)
        except TypeError:
            # A comparison of text with bytes is an error.
            assert isinstance(a, str) != isinstance(b, str), names
            continue
        if found != expected or carrywave.cdist([a], [b])[0, 0] != expected:
            wrong.append((case, names, list(a), list(b), found, expected))
    assert not wrong, f"{len(wrong)} of {CASES}: {wrong[:3]}"


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (np.array([1, 2.5], np.float32), np.array([1, 2.5]), 0),
        (np.array([-1], np.int8), np.array([255], np.uint8), 1),
        (np.array([-1], np.int8), np.array([-1], np.int16), 0),
        (np.array([2**63], np.uint64), [2**63], 0),
        ([2.0**53], [2**53], 0),
        ([decimal.Decimal(2**63), fractions.Fraction(1), 1 + 0j], [2**63, 1, 1], 0),
        ([NAN], [NAN], 0),
        ([float("nan")], [float("nan")], 1),
        (np.array([NAN]), np.array([NAN]), 1),
        (["a"], [97], 1),
        ("a", ["a"], 0),
        ("a", [97], 1),
        (b"a", [97], 0),
        (b"ab", np.frombuffer(b"ab", np.uint8), 0),
        (b"a", [b"a"], 1),
        (np.arange(10, dtype=">i4")[::3], [0, 3, 6, 9], 0),
        (np.array(["a", "bc"]), ["a", "bc"], 0),
        (memoryview(b"ab").cast("c"), [b"a", b"b"], 0),
        (array.array("u", "ab"), "ab", 0),
    ],
)
def test_pairs_of_items(a: Any, b: Any, expected: int) -> None:
    assert carrywave.distance(a, b) == carrywave.cdist([a], [b])[0, 0] == carrywave.align(a, b).distance == expected
    assert carrywave.lcs_length(a, b) == carrywave.lcs(a, b).length == len(b) - expected


def test_a_nan_of_an_array_is_equal_to_nothing() -> None:
    values = np.array([1, NAN, 2])
    assert carrywave.distance(values, values) == 1
    assert carrywave.cdist([values, values], [values]).tolist() == [[1], [1]]
    assert carrywave.cdist([values, values]).tolist() == [[1, 1], [1, 1]]
    held = [1, NAN, 2]
    assert carrywave.distance(held, list(held)) == 0
    assert carrywave.cdist([held, values]).tolist() == [[0, 1], [1, 1]]


def test_items_of_enumerations_and_classes() -> None:
    class Number(enum.IntEnum):
        ONE = 1

    class Word(enum.StrEnum if hasattr(enum, "StrEnum") else str):
        A = "a"

    class Big:
        def __eq__(self, other: object) -> bool:
            return other == 2**62

        def __hash__(self) -> int:
            return hash(2**62)

    class Never(int):
        def __eq__(self, other: object) -> bool:
            return self is other

        __hash__ = int.__hash__

    one = Never(1)
    assert carrywave.distance([Number.ONE, Big()], [1, 2**62]) == 0
    assert carrywave.distance([Word("a")], "a") == 0
    assert carrywave.distance([one, 1], [one, 1]) == 0
    assert carrywave.distance([one], [1]) == carrywave.distance([one], [Never(1)]) == 1


def test_what_is_no_sequence() -> None:
    for wrong in (np.int64(5), np.float32(5), np.array(5), np.zeros((2, 2)), np.zeros((4, 4))[::2], 5, {1, 2}):
        with pytest.raises(TypeError):
            carrywave.distance(wrong, [5])


def test_the_rule_of_rapidfuzz() -> None:
    peer = pytest.importorskip("rapidfuzz.distance", reason="rapidfuzz is not installed").Levenshtein
    from carrywave.compat.rapidfuzz.distance import Levenshtein

    pool = [1, 1.0, True, -1, -2, -1.0, 97, 97.0, "a", "b", "ab", b"a", 2**61 - 1, 0, 2**61, 2**63, 2**64 - 1, 0.5, None, (1, 2), fractions.Fraction(1, 2)]
    chooser = random.Random(5)
    make: list[Callable[[list[Any]], Any]] = [list, tuple, lambda held: bytes(v for v in held if type(v) is int and 0 <= v < 256)]
    make += [lambda held: "".join(v for v in held if isinstance(v, str))]
    for dtype in ("i1", "i2", ">i4", "i8", "u8", "f4", "f8", "U1"):
        make.append(lambda held, dtype=dtype: cast(held, dtype))
    for code in "BHIQfd":
        make.append(lambda held, code=code: array.array(code, [v for v in held if type(v) is int and 0 <= v < 256]))
    make.append(lambda held: array.array("Q", [v for v in held if type(v) is int and v >= 0]))
    wrong = []
    for _ in range(CASES):
        a, b = (chooser.choice(make)(chooser.choices(pool, k=5)) for _ in range(2))
        if any(item != item for string in (a, b) for item in string):
            # rapidfuzz hashes a NaN by its address.
            continue
        if Levenshtein.distance(a, b) != peer.distance(a, b):
            wrong.append((a, b, Levenshtein.distance(a, b), peer.distance(a, b)))
    assert not wrong, wrong[:3]
    assert Levenshtein.distance(["a"], [97]) == peer.distance(["a"], [97]) == 0
