"""Tests pairs of lists and columns of many rows, which are read and compared in parts, against the
oracles: a few different strings, so that each of their pairs is computed once."""

from __future__ import annotations

import contextlib
import random
import signal
from typing import Any

import pytest

pytest.importorskip("numpy", reason="numpy is not installed")

import carrywave
from carrywave.compat.rapidfuzz import process
from carrywave.compat.rapidfuzz.distance import Jaro, Levenshtein

import oracles

# More than two parts of 16,384 rows.
ROWS = 40_000


def rows(letters: str, seed: int) -> list[str]:
    """Returns many strings; those with other letters than ASCII are rare, and stand together."""
    rng = random.Random(seed)
    word = lambda letters: "".join(rng.choices(letters, k=rng.randrange(12)))  # noqa: E731
    plain, others = [word("abc") for _ in range(12)], [word(letters) for _ in range(6)]
    made = rng.choices(plain, k=ROWS)
    made[16_380:16_390] = rng.choices(others, k=10)
    return made


def distances(a: list[str | None], b: list[str | None]) -> list[int]:
    known: dict[tuple[str, str], int] = {}

    def distance(x: str | None, y: str | None) -> int:
        if x is None or y is None:
            return carrywave.MISSING
        if (x, y) not in known:
            known[x, y] = oracles.distance(x, y)
        return known[x, y]

    return [distance(x, y) for x, y in zip(a, b, strict=True)]


def columns(strings: list[str | None]) -> dict[str, Any]:
    """Returns a list as columns of several libraries, also in parts of several lengths."""
    made: dict[str, Any] = {"list": strings, "objects": iter(strings)}
    try:
        import pyarrow as pa
    except ImportError:
        return made
    ends = [0, 1, 16_383, 16_383, 16_390, 33_000, ROWS]
    parts = [pa.array(strings[a:b], pa.string()) for a, b in zip(ends, ends[1:])]
    return {**made, "array": pa.array(strings), "parts": pa.chunked_array(parts), "views": pa.array(strings, pa.string_view())}


@pytest.mark.parametrize("letters", ["aéß", "ab字𝄞"])
def test_pairs(letters: str) -> None:
    a, b = rows(letters, 1), rows(letters, 2)
    expected = distances(a, b)
    for kind, column in columns(a).items():
        if kind != "objects":
            assert process.cpdist(column, columns(b)[kind], scorer=Levenshtein.distance).tolist() == expected, kind
        found = carrywave.cpdist(columns(a)[kind], columns(b)[kind])
        assert found.tolist() == expected, kind


# More rows than are read between two checks for a signal.
MOST_ROWS = 64 * 16_384 + 3


def test_a_list_of_more_rows_than_are_read_at_a_time() -> None:
    words = ["", "ab", "aé", "a字𝄞", "bc"]
    a, b = [words * (MOST_ROWS // 5 + 1) for _ in range(2)]
    del a[MOST_ROWS:], b[MOST_ROWS:]
    b[MOST_ROWS - 1], b[0] = "a字bc", "a"
    expected = [0] * MOST_ROWS
    expected[0], expected[-1] = 1, oracles.distance(a[-1], "a字bc")
    assert carrywave.cpdist(a, b).tolist() == expected
    assert carrywave.cpdist(tuple(a), b).tolist() == expected


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="needs a timer")
def test_a_signal_handler_that_empties_the_list() -> None:
    a = [f"{number}" for number in range(3 * MOST_ROWS)]
    previous = signal.signal(signal.SIGALRM, lambda *_: a.clear())
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.001)
        # The rows that were read before are compared, or there are two numbers of rows.
        with contextlib.suppress(ValueError):
            carrywave.cpdist(a, ["x"] * MOST_ROWS)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
    assert a == []


def test_pairs_with_missing_strings() -> None:
    a, b = rows("ab字", 3), rows("ab字", 4)
    for number in (0, 16_382, 16_384, 16_387, ROWS - 1):
        a[number] = b[number // 2] = None  # type: ignore[call-overload]
    expected = distances(a, b)  # type: ignore[arg-type]
    for kind in columns(a):
        assert carrywave.cpdist(columns(a)[kind], columns(b)[kind]).tolist() == expected, kind
    with pytest.raises(ValueError, match="None"):
        process.cpdist(a, b, scorer=Levenshtein.distance)


def test_tables_of_columns() -> None:
    a, b = rows("ab字", 5)[16_300:16_500], rows("ab字", 6)[16_380:16_400]
    expected = [[oracles.distance(x, y) for y in b] for x in a]
    similar = process.cdist(a, b, scorer=Jaro.similarity).tolist()
    try:
        import pyarrow as pa
    except ImportError:
        pytest.skip("pyarrow is not installed")
    for x, y in ((pa.array(a), pa.array(b)), (pa.chunked_array([a[:70], a[70:]]), b)):
        assert process.cdist(x, y, scorer=Levenshtein.distance).tolist() == expected
        assert process.cdist(x, y, scorer=Jaro.similarity).tolist() == similar


def test_text_that_is_not_utf8() -> None:
    pa = pytest.importorskip("pyarrow")
    import numpy as np

    # A chunk of text whose second string is not UTF-8.
    wrong = pa.Array.from_buffers(pa.string(), 2, [None, pa.py_buffer(np.array([0, 1, 2], np.int32)), pa.py_buffer(b"a\xff")])
    for other in (["a", "b"], pa.array(["a", "b"])):
        with pytest.raises(ValueError, match="UTF-8"):
            carrywave.cpdist(wrong, other)
