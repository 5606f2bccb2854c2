"""Bounds of near pairs: distances, similarities, and the clusters of both; matrices in arrays of the caller."""

from __future__ import annotations

import random
from typing import Any

import carrywave
import numpy as np
import pytest

import oracles

SCORERS = ["levenshtein", "indel", "osa"]


def names(count: int, seed: int) -> list[str | None]:
    """Returns names of which half are near others; some are missing, some have other characters."""
    rng = random.Random(seed)
    found: list[str] = []
    for number in range(count):
        if number % 2 and found:
            name = list(rng.choice(found))
            for _ in range(rng.randrange(3)):
                name.insert(rng.randrange(len(name) + 1), rng.choice("ab中"))
            found.append("".join(name))
        else:
            found.append("".join(rng.choice("abcd") for _ in range(rng.randrange(12))))
    return [None if number % 17 == 5 else name for number, name in enumerate(found)]


def is_similar(distance: int, a: str, b: str, tenths: int, scorer: str) -> bool:
    whole = len(a) + len(b) if scorer == "indel" else max(len(a), len(b))
    return 10 * distance <= (10 - tenths) * whole


def distance(a: str, b: str, scorer: str) -> int:
    return oracles.osa(a, b) if scorer == "osa" else oracles.distance(a, b, 2 if scorer == "indel" else 1)


@pytest.mark.parametrize("scorer", SCORERS)
@pytest.mark.parametrize(("tenths", "cutoff"), [(7, None), (9, None), (5, 1), (10, None)])
def test_near_pairs_by_similarity(scorer: Any, tenths: int, cutoff: int | None) -> None:
    a, b = names(40, 1), names(30, 2)

    def near(x: str | None, y: str | None) -> bool:
        if x is None or y is None:
            return False
        edits = distance(x, y, scorer)
        return is_similar(edits, x, y, tenths, scorer) and (cutoff is None or edits <= cutoff)

    bounds: Any = {"score_cutoff": cutoff, "similarity": tenths / 10, "scorer": scorer}
    found = carrywave.within(a, **bounds)
    pairs = [(i, j) for i in range(len(a)) for j in range(i + 1, len(a)) if near(a[i], a[j])]
    assert list(zip(found.a.tolist(), found.b.tolist(), strict=True)) == pairs
    joined = carrywave.join(a, b, **bounds)
    both = [(i, j) for i in range(len(a)) for j in range(len(b)) if near(a[i], b[j])]
    assert list(zip(joined.a.tolist(), joined.b.tolist(), strict=True)) == both
    nearest = carrywave.nearest(a, b, top=2, **bounds)
    for row, (i, own) in enumerate(zip(nearest.index.tolist(), a, strict=True)):
        expected = sorted(
            (distance(own, other, scorer), j) for j, other in enumerate(b) if own is not None and near(own, other)
        )  # type: ignore[arg-type]
        expected = expected[:2]
        assert i == [j for _, j in expected] + [-1] * (2 - len(expected))
        assert nearest.distance[row].tolist()[: len(expected)] == [edits for edits, _ in expected]
    single = carrywave.clusters(a, **bounds)
    assert all(single[i] == single[j] for i, j in pairs)
    star = carrywave.clusters(a, linkage="star", **bounds)
    for number, (centre, own) in enumerate(zip(star.tolist(), a, strict=True)):
        assert (centre < 0) == (own is None)
        assert centre in (-1, number) or near(a[centre], own)


def test_bounds_are_checked() -> None:
    for call in (carrywave.within, carrywave.clusters):
        with pytest.raises(ValueError, match="give a score_cutoff, such as 2, or a similarity"):
            call(["a", "b"])
        with pytest.raises(ValueError, match="from 0 to 1, not 90"):
            call(["a", "b"], similarity=90)
    with pytest.raises(ValueError, match="from 0 to 1"):
        carrywave.join(["a"], ["b"], similarity=float("nan"))
    with pytest.raises(ValueError, match="'single' or 'star', not 'complete'"):
        carrywave.clusters(["a"], 1, linkage="complete")  # type: ignore[arg-type]


@pytest.mark.parametrize("dtype", ["int32", "uint8", "float32"])
def test_rows_go_to_an_array_of_the_caller(dtype: str, tmp_path: Any) -> None:
    a, b = names(300, 3), names(200, 4)
    expected = carrywave.cdist(a, b, dtype=dtype, score_cutoff=100)
    out = np.memmap(tmp_path / "matrix", dtype=dtype, mode="w+", shape=expected.shape)
    assert carrywave.cdist(a, b, score_cutoff=100, out=out) is out
    assert (out == expected).all()
    columns = np.empty(expected.shape[::-1], dtype).T
    assert (carrywave.cdist(a, b, score_cutoff=100, out=columns) == expected).all()
    assert carrywave.cdist(a, [], out=np.empty((300, 0), dtype)).shape == (300, 0)
    assert carrywave.cdist([], b, out=np.empty((0, 200), dtype)).shape == (0, 200)


def test_an_array_of_the_caller_that_does_not_fit() -> None:
    with pytest.raises(ValueError, match=r"out has the shape \[2, 3\], but the distances have \[2, 2\]"):
        carrywave.cdist(["a", "b"], out=np.empty((2, 3), np.int32))
    with pytest.raises(ValueError, match="leave out the argument dtype"):
        carrywave.cdist(["a"], dtype="int8", out=np.empty((1, 1), np.int8))  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="distances have a dtype of"):
        carrywave.cdist(["a"], out=np.empty((1, 1), complex))
    with pytest.raises(OverflowError):
        carrywave.cdist(["a" * 300], out=np.empty((1, 1), np.uint8))
    read_only = np.empty((1, 1), np.int32)
    read_only.setflags(write=False)
    with pytest.raises(ValueError, match="read-only"):
        carrywave.cdist(["a"], out=read_only)
