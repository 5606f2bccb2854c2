"""Tests the types of strings, and functions of two strings against the algorithms of `oracles`."""

import array
import random
import threading

import carrywave
import numpy as np
import pytest
from oracles import distance as naive


def strings(letters, count, longest=40, seed=1):
    chooser = random.Random(seed)
    return ["".join(chooser.choice(letters) for _ in range(chooser.randrange(longest))) for _ in range(count)]


ALPHABETS = {
    "one": "a",
    "dna": "ACGT",
    "latin": "aäöü\xff",
    "russian": "абвгдеж",
    "many": [chr(0x4E00 + i) for i in range(3000)],
    "astral": ["\U0001f600", "a", "\U00010348", "é", "\ud800"],
}


@pytest.mark.parametrize("alphabet", ALPHABETS)
def test_distances_of_text(alphabet):
    letters = ALPHABETS[alphabet]
    for a, b in zip(strings(letters, 150), strings(letters, 150, seed=2), strict=True):
        expected = naive(a, b)
        assert carrywave.distance(a, b) == expected
        assert carrywave.distance(a, b, score_cutoff=3) == min(expected, 4)
        assert carrywave.distance(list(a), list(b)) == expected
        length = (len(a) + len(b) - naive(a, b, 2)) // 2
        assert carrywave.lcs_length(a, b) == length
        lcs = carrywave.lcs(a, b)
        assert lcs.length == len(lcs) == length and lcs.subsequence(a) == "".join(b[j : j + n] for _, j, n in lcs.runs.tolist())
        alignment = carrywave.align(a, b)
        assert alignment.distance == expected == sum(n for letter, n in alignment.operations if letter != "=")
        for i, j, n in alignment.runs.tolist():
            assert a[i : i + n] == b[j : j + n]


def test_long_strings_of_many_symbols():
    letters = ALPHABETS["many"]
    a = strings(letters, 1, longest=3000, seed=3)[0] + "".join(letters)
    b = a[:500] + "x" + a[510:900] + a[:300] + a[900:]
    distance = carrywave.distance(a, b)
    # The construction of b bounds the distance, and the alignment has the same cost.
    assert distance <= 311 and carrywave.align(a, b).distance == distance
    assert carrywave.distance(a, b, score_cutoff=distance) == distance
    assert carrywave.distance(a, b, score_cutoff=distance - 1) == distance


def test_everything_that_is_a_string():
    same = [
        b"carrywave",
        bytearray(b"carrywave"),
        memoryview(b"carrywave"),
        np.frombuffer(b"carrywave", dtype=np.uint8),
        array.array("B", b"carrywave"),
        list(b"carrywave"),
        np.frombuffer(b"carrywave", dtype=np.uint8).astype(np.int64),
        np.frombuffer(b"carrywave", dtype=np.uint8).astype(np.uint16),
        array.array("i", list(b"carrywave")),
        tuple(b"carrywave"),
        np.frombuffer(b"carrywave", dtype=np.uint8).astype(np.float64),
    ]
    for a in same:
        assert carrywave.distance(a, b"carywaves") == 2, type(a)
        for b in same:
            assert carrywave.distance(a, b) == 0, (type(a), type(b))
    assert carrywave.distance("carrywave", list("carywaves")) == 2
    assert carrywave.distance("carrywave", [ord(letter) for letter in "carywaves"]) == 9
    assert carrywave.distance([1, "one", ("o", 1), None, -1, 2**70], [1, ("o", 1), None, 2**70, 2.5]) == 3
    assert carrywave.distance(np.array([-1, -2]), [-1, -2]) == 0
    assert carrywave.distance(np.arange(20)[::2], list(range(0, 20, 2))) == 0


@pytest.mark.parametrize(
    ("a", "b", "error"),
    [
        ("text", b"bytes", TypeError),
        (1, "text", TypeError),
        (None, "text", TypeError),
        (np.zeros((2, 2), dtype=np.uint8), b"", TypeError),
        ([[1]], [1], TypeError),
    ],
)
def test_what_is_no_string(a, b, error):
    with pytest.raises(error):
        carrywave.distance(a, b)


def test_arguments_that_are_wrong():
    for wrong in (dict(mode="middle"), dict(algorithm="fast"), dict(engine="quantum"), dict(equal="all")):
        with pytest.raises(ValueError):
            carrywave.distance("a" * 400, "b" * 400, **wrong)
    with pytest.raises(TypeError):
        carrywave.distance("a", "b", engine=1)
    with pytest.raises(OverflowError):
        carrywave.distance("a", "b", score_cutoff=-1)
    assert carrywave.distance("text", b"text", mixed=True) == 0
    # Equalities apply to bytes only.
    for call in (carrywave.distance, carrywave.align, carrywave.places):
        with pytest.raises(ValueError):
            call("кот" * 200, "КОТ" * 200, equal="ignore-case")


def test_engines_give_the_same():
    a, b = strings("ACGT", 2, longest=300, seed=5)
    expected = naive(a, b)
    with pytest.raises(carrywave.NoGpu) if carrywave.gpu_count() == 0 else _nothing():
        assert carrywave.distance(a, b, engine=carrywave.Gpu()) == expected
    for engine in (carrywave.Cpu(), carrywave.Cpu(threads=2), carrywave.Simt(), carrywave.Simt(seed=3), "cpu", "simt", "auto"):
        assert carrywave.distance(a, b, engine=engine) == expected
        assert carrywave.align(a, b, engine=engine).distance == expected
    for algorithm in ("dp", "bit-parallel", "bands"):
        assert carrywave.distance(a, b, algorithm=algorithm) == expected


class _nothing:
    def __enter__(self):
        pass

    def __exit__(self, *_):
        pass


def test_modes_and_places():
    pattern, text = "ACGTTGCA", "".join(strings("ACGT", 3, seed=9))
    ends = [min(naive(pattern, text[i:j]) for i in range(j + 1)) for j in range(len(text) + 1)]
    found = carrywave.places(pattern, text)
    assert found.distance == min(ends) == carrywave.distance(pattern, text, mode="infix")
    assert found.ends.tolist() == [j for j, distance in enumerate(ends) if distance == found.distance]
    for start, end in zip(found.starts.tolist(), found.ends.tolist(), strict=True):
        assert naive(pattern, text[start:end]) == found.distance
    prefix = min(naive(pattern, text[:j]) for j in range(30))
    assert carrywave.distance(pattern, text, mode="prefix") == prefix
    suffixes = [naive(pattern, text[i:]) for i in range(len(text) + 1)]
    found = carrywave.places(pattern, text, mode="suffix")
    assert found.distance == min(suffixes) == carrywave.distance(pattern, text, mode="suffix")
    assert found.starts.tolist() == [i for i, distance in enumerate(suffixes) if distance == found.distance]
    assert carrywave.distance("GATTACA", "gattaca", equal="ignore-case") == 0
    assert carrywave.distance("AB", "CD", equal=["AC", "BD"]) == 0


def test_other_threads_run_meanwhile():
    chooser = random.Random(4)
    a, b = (bytes(chooser.choices(b"ACGT", k=150_000)) for _ in range(2))
    turns, stop = [0], threading.Event()

    def count():
        while not stop.wait(0.001):
            turns[0] += 1

    thread = threading.Thread(target=count)
    thread.start()
    carrywave.lcs_length(a, b, algorithm="bit-parallel", engine=carrywave.Cpu(threads=1))
    stop.set()
    thread.join()
    assert turns[0] > 3


def test_progress():
    chooser = random.Random(5)
    a, b = (bytes(chooser.choices(b"ACGT", k=60_000)) for _ in range(2))
    told = []
    carrywave.lcs_length(a, b, progress=lambda done, total: told.append((done, total)))
    assert told[-1] == (3_600_000_000, 3_600_000_000) and told == sorted(told)

    class Bar:
        done = 0

        def update(self, more):
            self.done += more

    bar = Bar()
    carrywave.distance("kitten", "sitting", progress=bar)
    assert bar.done == 42
    with pytest.raises(ZeroDivisionError):
        carrywave.lcs_length(a, b, progress=lambda done, total: 1 // 0)


def test_an_empty_result_is_an_array():
    assert carrywave.lcs("abc", "xyz").runs.shape == (0, 3)
    assert carrywave.cpdist([], []).shape == (0,)
    assert carrywave.cdist([], ["a"]).shape == (0, 1)
    assert len(carrywave.search("a", "bbb")) == 0
    assert carrywave.cdist(["a"], ["b"]).flags.writeable
