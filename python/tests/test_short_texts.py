"""Lists of short texts are copied, and other lists are not: the results are the same."""

import random

import carrywave
import numpy as np
import oracles
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


LETTERS = {"ASCII": "abc", "Latin-1": "abéü\xa0", "two bytes": "ab中国\ud800", "four bytes": "ab中𝄞", "one letter": "é"}
# Around the lengths at which strings are compared in another way.
LENGTHS = [0, 1, 7, 15, 16, 17, 31, 32, 33, 64, 65, 127, 128, 129]


@pytest.mark.parametrize("letters", LETTERS)
@pytest.mark.parametrize("others", LETTERS)
def test_two_texts_of_every_width(letters, others):
    rng = random.Random(letters + others)
    text = lambda letters, length: "".join(rng.choices(LETTERS[letters], k=length))  # noqa: E731
    lengths = [(length, rng.choice(LENGTHS)) for length in LENGTHS] + [(300, 5), (5, 600)]
    for m, n in lengths:
        a, b = text(letters, m), text(others, n)
        # The second ones have a common beginning and end.
        for b in (b, a[: m // 3] + b[:5] + a[m // 2 :]):
            expected = oracles.distance(a, b)
            assert carrywave.distance(a, b) == distance.Levenshtein.distance(a, b) == expected
            assert carrywave.distance(a, b, score_cutoff=3) == min(expected, 4)
            assert distance.Indel.distance(a, b) == oracles.distance(a, b, 2)
            assert carrywave.lcs_length(a, b) == (len(a) + len(b) - oracles.distance(a, b, 2)) // 2
            assert distance.OSA.distance(a, b) == oracles.osa(a, b)
            # Lists of characters are compared as sequences of any items.
            for scorer in (distance.Jaro, distance.JaroWinkler, distance.DamerauLevenshtein, distance.Hamming, distance.Postfix):
                assert scorer.similarity(a, b) == scorer.similarity(list(a), list(b)), scorer


def test_bytes_are_not_text():
    with pytest.raises(TypeError):
        carrywave.cpdist(["a", "b"], [b"a", b"b"])
    with pytest.raises(TypeError):
        carrywave.cpdist(["a", b"b"], ["a", "b"])
    assert carrywave.cpdist(["é", "b"], [b"\xe9", b"b"], mixed=True).tolist() == [0, 0]
