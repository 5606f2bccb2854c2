"""Tests that calls leave nothing in memory, types of results, and errors if memory is short."""

import sys

import numpy as np
import pytest

import carrywave
from carrywave.compat.rapidfuzz import process
from carrywave.compat.rapidfuzz.distance import Levenshtein

NOT_ASCII = {"latin": "wavé" * 1000, "two bytes": "波wave" * 1000, "four bytes": "wav𝄞" * 1000, "Greek": "κύμα" * 1000}

CALLS = {
    "align": lambda text: carrywave.align(text, text[1:]),
    "best": lambda text: carrywave.best(text[:9], text),
    "cdist": lambda text: carrywave.cdist([text, text], [text, "a"]),
    "clusters": lambda text: carrywave.clusters([text, text], 1),
    "cpdist": lambda text: carrywave.cpdist([text], [text]),
    "diff": lambda text: carrywave.diff(text, text + "a", unit="word").unified(),
    "distance": lambda text: carrywave.distance(text, text),
    "drop-in": lambda text: process.cdist([text], [text], scorer=Levenshtein.distance),
    "lcs": lambda text: carrywave.lcs(text, text).subsequence(text),
    "lcs_length": lambda text: carrywave.lcs_length(text, "a"),
    "search": lambda text: carrywave.search("av", text, 1),
    "search for it": lambda text: carrywave.search(text, "a wave"),
    "search in a list": lambda text: carrywave.search("av", [text, text]),
    "searcher": lambda text: carrywave.Searcher([text, "a"]).count("a wave"),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("of", NOT_ASCII)
def test_nothing_stays_in_a_str(name, of):
    text = "".join([NOT_ASCII[of], "x"])
    before = sys.getsizeof(text)
    CALLS[name](text)
    # The size is that of the object, its characters, and their cached UTF-8, if any.
    assert sys.getsizeof(text) == before


class Subclass(str):
    pass


def test_every_kind_of_str():
    for one in ["", "a", "wave", "wavé", "波", "𝄞a", "\ud800", "a\udfff", "a" * 70_000, "é" * 70_000, "a" * 70_000 + "波", "é" * 70_000 + "𝄞"]:
        for text in (one, Subclass(one)):
            assert carrywave.distance(text, one + "b") == 1
            assert carrywave.distance(text, list(one)) == 0
            assert carrywave.cpdist([text], [one + "b"]).tolist() == [1]


TYPES = ["int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float32", "float64"]


@pytest.mark.parametrize("dtype", TYPES)
@pytest.mark.parametrize("scorer", ["levenshtein", "indel"])
def test_types_of_a_matrix(dtype, scorer):
    words = ["wave", None, "carry", "", "wavé", "波" * 20]
    plain = carrywave.cdist(words, scorer=scorer)
    for argument in (dtype, np.dtype(dtype), getattr(np, dtype)):
        matrix = carrywave.cdist(words, scorer=scorer, dtype=argument)
        assert matrix.dtype == dtype and matrix.shape == plain.shape
        missing = plain == carrywave.MISSING
        assert (matrix[~missing] == plain[~missing]).all()
        greatest = np.inf if matrix.dtype.kind == "f" else np.iinfo(dtype).max
        assert missing.any() and (matrix[missing] == greatest).all()
    assert plain.dtype == np.int32 and carrywave.cdist(words, dtype=None).dtype == np.int32


def test_distances_that_a_type_cannot_hold():
    words = ["a" * 300, "b", "a" * 299]
    for dtype, most in (("int8", 126), ("uint8", 254)):
        with pytest.raises(OverflowError, match=f"score_cutoff of at most {most - 1}"):
            carrywave.cdist(words, dtype=dtype)
        matrix = carrywave.cdist(words, dtype=dtype, score_cutoff=most - 1)
        assert matrix.tolist() == [[0, most, 1], [most, 0, most], [1, most, 0]]
    assert carrywave.cdist(words, dtype="int16").tolist() == carrywave.cdist(words).tolist()
    for wrong in ("str", "complex128", "bool", "float16", ">i4", "datetime64[s]"):
        with pytest.raises(TypeError, match="int8, int16"):
            carrywave.cdist(words, dtype=wrong)


def test_results_without_memory(capfd):
    many = [""] * 2_000_000
    for call in (
        lambda: carrywave.cdist(many),
        lambda: carrywave.cdist(many, dtype="uint8"),
        lambda: carrywave.nearest(many, many, top=2_000_000),
    ):
        with pytest.raises(MemoryError, match="memory"):
            call()
    assert capfd.readouterr().err == ""


def test_buffers_are_free_after_a_call():
    data = bytearray(b"wave" * 100)
    for call in (carrywave.distance, carrywave.align, carrywave.lcs):
        call(data, b"wave")
        data.append(1)
    with pytest.raises(ValueError):
        carrywave.search(data, b"a", alphabet="dna")
    data.append(1)
    array = np.arange(1000, dtype=np.int32)
    assert carrywave.distance(array, array[::-1].copy()) > 0
