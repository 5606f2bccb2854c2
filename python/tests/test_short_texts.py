"""Lists of short texts are copied, and other lists are not: the results are the same."""

import random

import carrywave
import numpy as np
import pytest
from carrywave.compat.rapidfuzz import distance, process

ALPHABETS = ["ab", "aé", "aé中", "中国人", "a\ud800", ""]


class Word(str):
    """Another type of text."""


class Sequence:
    """A list of a type that is read through its iterator."""

    def __init__(self, items):
        self.items = items

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)


def texts(rng, count, extra):
    """Returns random texts, with one that is longer, missing, or of another type."""
    list_ = ["".join(rng.choices(rng.choice(ALPHABETS) or "x", k=rng.randrange(12))) for _ in range(count)]
    list_.insert(rng.randrange(count + 1), extra)
    return list_


@pytest.mark.parametrize("extra", ["", None, "é" * 300, "ab" * 5000, "中" * 5000, Word("abé"), Word("ab")])
@pytest.mark.parametrize("container", [list, tuple])
def test_every_container(extra, container):
    rng = random.Random(repr(extra))
    for count in (0, 1, 70):
        a, b = texts(rng, count, extra), texts(rng, count, "a中")
        expected = carrywave.cdist(Sequence(a), Sequence(b))
        assert (carrywave.cdist(container(a), container(b)) == expected).all()
        assert (carrywave.cpdist(container(a), container(b)) == np.diagonal(expected)).all()
        assert (carrywave.cdist(container(a), Sequence(b)) == expected).all()
        if extra is None:
            continue
        scorer = distance.Levenshtein.distance
        assert (process.cdist(container(a), container(b), scorer=scorer) == expected).all()


def test_bytes_are_not_text():
    with pytest.raises(TypeError):
        carrywave.cpdist(["a", "b"], [b"a", b"b"])
    with pytest.raises(TypeError):
        carrywave.cpdist(["a", b"b"], ["a", "b"])
    assert carrywave.cpdist(["é", "b"], [b"\xe9", b"b"], mixed=True).tolist() == [0, 0]
