"""Tests that results, errors and engines can be compared, copied and sent to other processes."""

from __future__ import annotations

import array
import copy
import pickle
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import carrywave
import carrywave.machine
import numpy as np
import pytest

A, B = "one long wave\ncarries\n" * 30, "a longer wave\ncarry\n" * 30
MAKERS: dict[str, Callable[[], Any]] = {
    "lcs": lambda: carrywave.lcs(A, B),
    "lcs of nothing": lambda: carrywave.lcs("", ""),
    "lcs of items": lambda: carrywave.lcs(["a", 1, None], ["a", None]),
    "lcs of a rotation": lambda: carrywave.lcs("GATTACA", "ACAGATC", circular=True),
    "alignment of a rotation": lambda: carrywave.align("GATTACA", "ACAGATC", circular=True),
    "overlap": lambda: carrywave.overlap("TTTTGATTACA", "GATACACCC"),
    "alignment": lambda: carrywave.align(A, B),
    "alignment to the right": lambda: carrywave.align("GCTAAAC", "GAATAC", gaps="rightmost"),
    "alignment of a part": lambda: carrywave.align("ACGT", "TTACCTGG", mode="infix"),
    "diff": lambda: carrywave.diff(A, B),
    "diff of words": lambda: carrywave.diff(A.encode(), B.encode(), unit="word", ignore_case=True),
    "diff with surrogates": lambda: carrywave.diff("a\ud800\n", "a\n", unit="character"),
    "hits": lambda: carrywave.search("wave", A, 1),
    "no hits": lambda: carrywave.search("wave", ""),
    "hits beyond a text": lambda: carrywave.search("wave", "avewa", overhang=0, min_overlap=2),
    "hit": lambda: carrywave.search(b"ACGT", b"ttACGTtt", alphabet="dna", both_strands=True)[0],
    "best": lambda: carrywave.best("wave", A),
    "places": lambda: carrywave.places("wave", A),
    "nearest": lambda: carrywave.nearest(["wave"], ["waves", "carry"], top=2),
    "site": lambda: carrywave.guides("ATGGTCGGACTCCCTGCCAG", "ATGGTCGGACTCCCTGCCAGTGG")[0],
    "barcodes": lambda: carrywave.Barcodes(["ACGTACGT"]).assign([b"ACGTACG", None]),
    "molecules": lambda: carrywave.molecules([1, 2], ["ACGT", "ACG"]),
    "trimmed": lambda: carrywave.Trimmer("ACGT", min_length=3).trim(["GATTACAACGT", "A"]),
    "within": lambda: carrywave.within(["wave", "waves", "carry"], 1),
    "report": lambda: carrywave.machine.report("contiguous", n=64),
}


def shown(result: Any) -> Any:
    """Returns the contents of a result in a comparable form."""
    if isinstance(result, carrywave.Diff):
        return (result.changes.tolist(), result.unified(), result.marked(), result.deleted, result.inserted, result.a_len, result.b_len)
    if isinstance(result, carrywave.Lcs | carrywave.Alignment):
        return (repr(result), result.cigar, result.runs.tolist())
    return repr(result) if not isinstance(result, carrywave.Hits) else list(result)


@pytest.mark.parametrize("kind", MAKERS)
def test_results_are_equal_copied_and_pickled(kind: str) -> None:
    result, same = MAKERS[kind](), MAKERS[kind]()
    assert result is not same and result == same and not result != same and hash(result) == hash(same)
    assert result != 1 and result is not None
    copies = [copy.copy(result), copy.deepcopy(result), copy.deepcopy([result])[0]]
    copies += [pickle.loads(pickle.dumps(result, protocol)) for protocol in range(pickle.HIGHEST_PROTOCOL + 1)]
    for other in copies:
        assert type(other) is type(result) and other == result and hash(other) == hash(result)
        assert shown(other) == shown(result)


def test_different_results_are_not_equal() -> None:
    assert carrywave.lcs("ab", "a") != carrywave.lcs("ab", "b")
    assert carrywave.lcs("ab", "ab") != carrywave.lcs("ab", "ba", circular=True)
    assert carrywave.align("ab", "a") != carrywave.align("ab", "b")
    assert carrywave.align("TAAAC", "TAC", gaps="leftmost") != carrywave.align("TAAAC", "TAC", gaps="rightmost")
    assert carrywave.diff("a\n", "b\n") != carrywave.diff("a\n", "c\n")
    assert carrywave.diff("a\n", "b\n") != carrywave.diff("a\n", "b\n", ignore_case=True)
    assert carrywave.search("a", "ba") != carrywave.search("a", "ab")
    assert carrywave.nearest(["a"], ["b", "a"]) != carrywave.nearest(["a"], ["a", "b"])
    assert carrywave.nearest(["a"], ["a"]) != carrywave.nearest(["a", "a"], ["a"])


def test_engines_and_searchers_travel() -> None:
    for engine in (carrywave.Cpu(), carrywave.Cpu(threads=2), carrywave.Simt(), carrywave.Simt(seed=3), carrywave.Simt(2)):
        for other in (copy.copy(engine), copy.deepcopy(engine), pickle.loads(pickle.dumps(engine))):
            assert repr(other) == repr(engine)
        # The strings are short, since the simulator is slow.
        assert carrywave.distance("a", "b", engine=other) == 1
    searcher = carrywave.Searcher(word for word in ("wave", "carry"))
    for other in (copy.copy(searcher), copy.deepcopy(searcher), pickle.loads(pickle.dumps(searcher))):
        assert other.hits(A) == searcher.hits(A)
    text = carrywave.ResidentText(carrywave.Simt(), b"a wave")
    assert copy.copy(text) is text
    with pytest.raises(TypeError, match="send the text"):
        pickle.dumps(text)


def failing(kind: str, text: str) -> None:
    raise getattr(carrywave, kind)(text)


def test_results_and_errors_of_other_processes() -> None:
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
        calls = [pool.submit(function, A, B) for function in (carrywave.lcs, carrywave.align, carrywave.diff)]
        calls += [pool.submit(carrywave.search, "wave", A), pool.submit(carrywave.nearest, ["a"], ["b"])]
        failures = {kind: pool.submit(failing, kind, "what failed") for kind in ("Error", "NoGpu")}
        failures["ValueError"] = pool.submit(carrywave.distance, "a", "b", mode="what failed")
        lcs, *others = [call.result(timeout=60) for call in calls]
        assert lcs == carrywave.lcs(A, B) and lcs.subsequence(A) == carrywave.lcs(A, B).subsequence(A)
        assert others == [carrywave.align(A, B), carrywave.diff(A, B), carrywave.search("wave", A), carrywave.nearest(["a"], ["b"])]
        for kind, failure in failures.items():
            with pytest.raises(getattr(carrywave, kind, ValueError), match="what failed"):
                failure.result(timeout=60)


def test_errors_are_copied() -> None:
    assert issubclass(carrywave.NoGpu, carrywave.Error)
    for kind in (carrywave.Error, carrywave.NoGpu):
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            error = pickle.loads(pickle.dumps(kind("a GPU failed"), protocol))
            assert type(error) is kind and error.args == ("a GPU failed",)
        assert copy.deepcopy(kind("a GPU failed")).args == ("a GPU failed",)


STRINGS: list[tuple[Any, Any, Any]] = [
    ("carry a wave", "carry no wave", "carry o wave"),
    ("кот и пёс", "кот и лис", "кот н пёс"),
    (b"carry", b"curry", b"cabry"),
    (bytearray(b"carry"), b"curry", bytearray(b"cabry")),
    (memoryview(b"carry"), b"curry", memoryview(b"cabry")),
    (["to", "be", "or"], ["to", "or"], ["to", "do", "or"]),
    ([1, 2.5, None], [1, None], [1, 3.5, None]),
    (np.array([1, 2**40, 3]), [1, 3], np.array([1, 2**41, 3])),
    (np.array([0.5, 1.5, float("nan")]), [0.5], np.array([0.5, 2.5, 1])),
    ((1, (2, 3)), [1], (1, (2, 4))),
    (array.array("d", [0.5, 2]), [2], array.array("d", [0.25, 2])),
]


@pytest.mark.parametrize(("a", "b", "other"), STRINGS)
def test_the_subsequence_of_another_string_is_refused(a: Any, b: Any, other: Any) -> None:
    lcs = carrywave.lcs(a, b)
    found = lcs.subsequence(a)
    expected = [a[i] for start, _, length in lcs.runs.tolist() for i in range(start, start + length)]
    assert list(found) == expected
    kinds = {str: str, bytes: bytes, bytearray: bytearray, memoryview: bytes}
    assert type(found) is kinds.get(type(a), list)
    # A list of the same items counts as the same string.
    assert list(lcs.subsequence(list(a))) == expected
    for wrong in (other, list(other)):
        with pytest.raises(ValueError, match="other symbols"):
            lcs.subsequence(wrong)
    with pytest.raises(ValueError, match="which has"):
        lcs.subsequence(a[1:])
    with pytest.raises(ValueError, match="other symbols"):
        copy.deepcopy(lcs).subsequence(other)


def test_the_subsequence_in_another_process() -> None:
    for a, b, other in STRINGS[:3]:
        lcs = pickle.loads(pickle.dumps(carrywave.lcs(a, b)))
        assert lcs.subsequence(a) == carrywave.lcs(a, b).subsequence(a)
        with pytest.raises(ValueError, match="other symbols"):
            lcs.subsequence(other)
    # Hashes of words differ from process to process, so after a transfer only the lengths are
    # compared.
    words = pickle.loads(pickle.dumps(carrywave.lcs(["to", "be"], ["be"])))
    assert words.subsequence(["to", "be"]) == ["be"]
