"""Tests invalid structures of Arrow's C data interface.

Each raises an exception, and no memory outside the buffers is read.
"""

import random
import struct
import sys
import threading

import pytest
from c_arrow import Column, i32, i64

import carrywave


def view(length, rest, buffer=0, start=0):
    return struct.pack("=i", length) + (rest.ljust(12, b"\0") if length <= 12 else rest + i32(buffer, start))


LONG = b"to carry a wave"
VIEWS = view(4, b"wave") + view(len(LONG), LONG[:4], 0, 2)

VALID = {
    "string": lambda: Column(b"u", 2, [None, i32(0, 4, 9), b"wavecarry"]),
    "an offset": lambda: Column(b"u", 2, [None, i32(1, 3, 7, 12), b"xxxwavecarry"], offset=1),
    "large": lambda: Column(b"U", 2, [None, i64(0, 4, 9), b"wavecarry"]),
    "binary": lambda: Column(b"Z", 2, [None, i64(0, 4, 9), b"wavecarry"]),
    "nulls": lambda: Column(b"u", 2, [b"\x01", i32(0, 4, 9), b"wavecarry"]),
    "empty": lambda: Column(b"u", 0, [None, None, None]),
    "no nulls": lambda: Column(b"n", 0, []),
    "null": lambda: Column(b"n", 3, []),
    "views": lambda: Column(b"vu", 2, [None, VIEWS, b"  " + LONG, i64(2 + len(LONG))]),
    "short views": lambda: Column(b"vz", 1, [None, VIEWS, i64()]),
    "fixed": lambda: Column(b"w:4", 2, [None, b"wavecarr"]),
    "fixed of 0": lambda: Column(b"w:0", 2, [None, None]),
    "dictionary": lambda: Column(b"c", 3, [None, bytes([1, 0, 1])], dictionary=VALID["string"]()),
    "dictionary with nulls": lambda: Column(b"S", 2, [b"\x02", struct.pack("=2H", 9999, 1)], dictionary=VALID["views"]()),
}
EXPECTED = {
    "string": ["wave", "carry"],
    "an offset": ["wave", "carry"],
    "large": ["wave", "carry"],
    "binary": [b"wave", b"carry"],
    "nulls": ["wave", None],
    "empty": [],
    "no nulls": [],
    "null": [None] * 3,
    "views": ["wave", LONG.decode()],
    "short views": [b"wave"],
    "fixed": [b"wave", b"carr"],
    "fixed of 0": [b"", b""],
    "dictionary": ["carry", "wave", "carry"],
    "dictionary with nulls": [None, LONG.decode()],
}

FAR = 1 << 40
WRONG = {
    "a length below 0": lambda: Column(b"u", -1, [None, i32(0), b""]),
    "a length above memory": lambda: Column(b"u", 2**62, [None, i32(0), b""]),
    "an offset below 0": lambda: Column(b"u", 1, [None, i32(0, 1), b"a"], offset=-8),
    "an offset above memory": lambda: Column(b"u", 1, [None, i32(0, 1), b"a"], offset=2**63 - 1),
    "offsets that fall": lambda: Column(b"u", 2, [None, i32(0, 5, 2), b"wavecarry"]),
    "an offset of a string below 0": lambda: Column(b"u", 2, [None, i32(-4, 0, 4), b"wave"]),
    "large offsets below 0": lambda: Column(b"U", 1, [None, i64(-(2**63), 2**63 - 1), b"wave"]),
    "offsets of more than memory": lambda: Column(b"Z", 1, [None, i64(0, 2**62), b"wave"]),
    "no offsets": lambda: Column(b"u", 2, [None, None, b"wavecarry"]),
    "no strings": lambda: Column(b"u", 2, [None, i32(0, 4, 9), None]),
    "no buffers": lambda: Column(b"u", 2, []),
    "no array of buffers": lambda: Column(b"u", 2, [None, i32(0, 4, 9), b"wavecarry"], no_buffers=True),
    "buffers below 0": lambda: Column(b"vu", 1, [None, VIEWS, i64()], n_buffers=-3),
    "two buffers": lambda: Column(b"u", 2, [None, i32(0, 4, 9)]),
    "nulls without a buffer": lambda: Column(b"u", 2, [None, i32(0, 4, 9), b"wavecarry"], null_count=1),
    "a view behind its buffer": lambda: Column(b"vu", 1, [None, view(20, b"wave", 0, 0), b"wave", i64(4)]),
    "a view far behind": lambda: Column(b"vz", 1, [None, view(20, b"wave", 0, 2**31 - 1), b"wave", i64(4)]),
    "a view before its buffer": lambda: Column(b"vu", 1, [None, view(20, b"wave", 0, -1), b"w" * 32, i64(32)]),
    "a view of no buffer": lambda: Column(b"vz", 1, [None, view(20, b"wave", 1, 0), b"w" * 32, i64(32)]),
    "a view of a buffer below 0": lambda: Column(b"vz", 1, [None, view(20, b"wave", -1, 0), b"w" * 32, i64(32)]),
    "a view of a length below 0": lambda: Column(b"vz", 1, [None, i32(-1, 0, 0, 0), i64()]),
    "a view with other first bytes": lambda: Column(b"vu", 1, [None, view(20, b"carr", 0, 0), b"w" * 32, i64(32)]),
    "views without sizes": lambda: Column(b"vu", 1, [None, view(20, b"wave")]),
    "views with a null for sizes": lambda: Column(b"vu", 1, [None, view(20, b"wwww"), b"w" * 32, None]),
    "a size below 0": lambda: Column(b"vu", 1, [None, view(20, b"wwww"), b"w" * 32, i64(-1)]),
    "a missing buffer of views": lambda: Column(b"vu", 1, [None, view(20, b"wwww"), None, i64(32)]),
    "no views": lambda: Column(b"vz", 1, [None, None, i64()]),
    "a number that is too great": lambda: Column(b"c", 1, [None, b"\x02"], dictionary=VALID["string"]()),
    "a number below 0": lambda: Column(b"c", 1, [None, b"\xff"], dictionary=VALID["string"]()),
    "a long number below 0": lambda: Column(b"l", 1, [None, i64(-FAR)], dictionary=VALID["string"]()),
    "a number of 64 bits": lambda: Column(b"L", 1, [None, i64(-1)], dictionary=VALID["string"]()),
    "a wrong dictionary": lambda: Column(b"c", 1, [None, b"\x00"], dictionary=WRONG["offsets that fall"]()),
    "fixed and too long": lambda: Column(b"w:9223372036854775807", 3, [None, b"wave"]),
    "fixed without a buffer": lambda: Column(b"w:4", 1, [None, None]),
    "text that is no UTF-8": lambda: Column(b"u", 1, [None, i32(0, 2), b"\xc3("]),
    "a character cut in two": lambda: Column(b"u", 2, [None, i32(0, 1, 2), "é".encode()]),
}
TYPES = {
    "integers": lambda: Column(b"l", 1, [None, i64(1)]),
    "lists": lambda: Column(b"+l", 1, [None, i32(0, 1)]),
    "a struct": lambda: Column(b"+s", 1, [None]),
    "nonsense": lambda: Column(b"\xff\xfe", 1, [None]),
    "nothing": lambda: Column(b"", 1, [None]),
    "fixed and negative": lambda: Column(b"w:-1", 1, [None, b"wave"]),
    "dictionary of dictionaries": lambda: Column(b"c", 1, [None, b"\x00"], dictionary=VALID["dictionary"]()),
    "dictionary of integers": lambda: Column(b"c", 1, [None, b"\x00"], dictionary=Column(b"l", 1, [None, i64(1)])),
}

USES = {
    "cdist": lambda column: carrywave.cdist(column),
    "cpdist": lambda column: carrywave.cpdist(column, ["wave"]),
    "within": lambda column: carrywave.within(column, 1),
    "join": lambda column: carrywave.join(column, ["wave"], 1),
    "search": lambda column: carrywave.search("wave", column),
    "patterns": lambda column: carrywave.Searcher(column, 0),
}


@pytest.mark.parametrize("name", VALID)
def test_valid(name):
    assert carrywave.cdist(VALID[name](), mixed=True).tolist() == carrywave.cdist(EXPECTED[name], mixed=True).tolist()


@pytest.mark.parametrize("use", USES)
def test_wrong(use):
    for name, column in WRONG.items():
        with pytest.raises((ValueError, MemoryError), match=".") as raised:
            USES[use](column())
        assert "length" not in str(raised.value) or raised.type is not MemoryError, name


@pytest.mark.parametrize("name", TYPES)
def test_other_types(name):
    with pytest.raises((TypeError, ValueError)):
        carrywave.cdist(TYPES[name]())


def test_what_was_taken():
    column = VALID["string"]()
    capsules = column.__arrow_c_array__()

    class Again:
        def __arrow_c_array__(self, requested_schema=None):
            return capsules

    assert carrywave.cdist(Again()).shape == (2, 2)
    with pytest.raises(ValueError, match="released"):
        carrywave.cdist(Again())

    class Swapped(Again):
        def __arrow_c_array__(self, requested_schema=None):
            return VALID["string"]().__arrow_c_array__()[::-1]

    with pytest.raises(TypeError, match="capsule"):
        carrywave.cdist(Swapped())


def test_random_bytes():
    """Changes a random byte of valid offsets, views or numbers.

    Each call returns or raises an exception, and the process survives.
    """
    rng = random.Random(1)
    outcomes = set()
    for _ in range(400):
        name = rng.choice(["string", "an offset", "large", "views", "dictionary", "nulls"])
        column = VALID[name]()
        data = column.kept[rng.choice([1, len(column.kept) - 1])]
        # In a layout with offsets the interface has no size for the data buffer, so the last offset
        # must not grow.
        last = len(data) - 8 if name in ("string", "an offset", "large", "nulls") and data is column.kept[1] else len(data)
        data[rng.randrange(max(last - 1, 1))] = rng.randrange(256)
        try:
            carrywave.cdist(column)
            outcomes.add("result")
        except (ValueError, MemoryError):
            outcomes.add("refused")
    assert outcomes == {"result", "refused"}


def test_memory_that_is_written_meanwhile():
    """Changes the buffers while a call reads them.

    The results are those of some state of the buffers, and reads stay in bounds.
    """
    text = bytearray(b"wave" * 50)
    column = Column(b"u", 2, [None, i32(0, 4, 9), b"wavecarry"])
    stop = threading.Event()

    def write():
        number = 0
        while not stop.is_set():
            number += 1
            text[number % len(text)] = number % 256
            column.kept[1][4:8] = i32([4, 2**31 - 1, -5][number % 3])

    thread = threading.Thread(target=write)
    thread.start()
    try:
        for _ in range(20):
            assert 0 <= carrywave.distance(text, b"wave" * 50) <= 200
            again = Column(b"u", 2, [])
            again.addresses, again.array.buffers, again.array.n_buffers = column.addresses, column.addresses, 3
            try:
                assert carrywave.cdist(again).shape == (2, 2)
            except ValueError:
                pass
    finally:
        stop.set()
        thread.join()
    # The buffer can be resized, since no call holds it.
    text.clear()


def test_types_of_other_packages():
    pa = pytest.importorskip("pyarrow")
    words = ["wave", "carry", None, "wavé", "wave"]
    expected = carrywave.cdist(words).tolist()
    columns = {
        "dictionary": pa.array(words).dictionary_encode(),
        "chunked dictionary": pa.chunked_array([pa.array(words[:2]), pa.array(words[2:])]).dictionary_encode(),
        "large dictionary": pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 2, 0], pa.uint64()), pa.array(["wave", "carry", "wavé"], pa.large_string())),
        "slice": pa.array(["x", *words]).dictionary_encode().slice(1),
    }
    if "pandas" in sys.modules or pytest.importorskip("pandas"):
        import pandas as pd

        columns["categorical"] = pd.Series(words, dtype="category")
    pl = pytest.importorskip("polars")
    columns["polars categorical"] = pl.Series(words, dtype=pl.Categorical)
    columns["polars enum"] = pl.Series(words, dtype=pl.Enum(["carry", "wave", "wavé"]))
    for name, column in columns.items():
        assert carrywave.cdist(column).tolist() == expected, name
        assert carrywave.cpdist(column, words).tolist() == carrywave.cpdist(words, words).tolist(), name
        assert carrywave.clusters(column, 1).tolist() == carrywave.clusters(words, 1).tolist(), name
        for own, of_list in zip(carrywave.nearest(column, column, top=2), carrywave.nearest(words, words, top=2)):
            assert own.tolist() == of_list.tolist(), name
        for own, of_list in zip(carrywave.within(column, 1), carrywave.within(words, 1)):
            assert own.tolist() == of_list.tolist(), name
        found, known = (carrywave.search("wave", text, 1) for text in (column, words))
        assert [(hit.record, hit.start, hit.end) for hit in found] == [(hit.record, hit.start, hit.end) for hit in known], name
    assert len(carrywave.search(pa.array(["wave", "carry"]).dictionary_encode(), "to carry a wave")) == 2
    fixed = pa.array([b"wave", b"carr", None], pa.binary(4))
    assert carrywave.cdist(fixed).tolist() == carrywave.cdist([b"wave", b"carr", None]).tolist()
    # A column of nulls is neither text nor bytes, so it can be compared with both.
    nulls = pa.nulls(2)
    for words in (["wave", "carry"], [b"wave", b"carry"]):
        assert carrywave.cpdist(nulls, words).tolist() == carrywave.cpdist([None, None], words).tolist()
    assert carrywave.clusters(nulls, 1).tolist() == [-1, -1]
    assert len(carrywave.search("wave", nulls)) == 0
