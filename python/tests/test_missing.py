"""Tests that distances of missing strings are within no cutoff, for all containers."""

from __future__ import annotations

import decimal
from collections.abc import Callable
from typing import Any

import carrywave
import numpy as np
import pytest

pandas = pytest.importorskip("pandas", reason="pandas is not installed")
polars = pytest.importorskip("polars", reason="polars is not installed")
pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

NAN = float("nan")
HOLDERS: dict[str, Callable[[], Any]] = {
    "None": lambda: ["wave", None, "waves"],
    "NaN": lambda: ["wave", NAN, "waves"],
    "pandas.NA": lambda: ["wave", pandas.NA, "waves"],
    "pandas.NaT": lambda: ("wave", pandas.NaT, "waves"),
    "float32": lambda: ["wave", np.float32("nan"), "waves"],
    "NaT": lambda: ["wave", np.datetime64("NaT"), "waves"],
    "Decimal": lambda: ["wave", decimal.Decimal("nan"), "waves"],
    "object array": lambda: np.array(["wave", NAN, "waves"], dtype=object),
    "object array of NA": lambda: np.array(["wave", pandas.NA, "waves"], dtype=object),
    "masked array": lambda: np.ma.array(["wave", "x", "waves"], mask=[0, 1, 0]),
    "tokens": lambda: [list("wave"), NAN, list("waves")],
    "characters": lambda: ["wäve字", None, "wäve字s"],
    "bytes": lambda: [b"wave", None, b"waves"],
    "pandas": lambda: pandas.Series(["wave", None, "waves"]),
    "pandas object": lambda: pandas.Series(["wave", pandas.NaT, "waves"], dtype=object),
    "pandas string": lambda: pandas.Series(["wave", pandas.NA, "waves"], dtype="string"),
    "pandas array": lambda: pandas.array(["wave", pandas.NA, "waves"]),
    "pandas index": lambda: pandas.Index(["wave", None, "waves"]),
    "polars": lambda: polars.Series(["wave", None, "waves"]),
    "polars bytes": lambda: polars.Series([b"wave", None, b"waves"]),
    "pyarrow": lambda: pyarrow.array(["wave", None, "waves"]),
    "pyarrow chunks": lambda: pyarrow.chunked_array([["wave", None], ["waves"]]),
}


@pytest.mark.parametrize("holder", HOLDERS)
@pytest.mark.parametrize("scorer", ["levenshtein", "indel"])
@pytest.mark.parametrize("cutoff", [None, 0, 1, 5, 2**31 - 3])
def test_missing_strings_are_within_no_cutoff(holder: str, scorer: Any, cutoff: int | None) -> None:
    strings = HOLDERS[holder]()
    options: dict[str, Any] = dict(scorer=scorer, score_cutoff=cutoff)
    matrix = carrywave.cdist(strings, **options)
    assert matrix.dtype == np.int32
    assert (matrix == carrywave.MISSING).tolist() == [[False, True, False], [True, True, True], [False, True, False]]
    near = matrix <= (2**31 - 3 if cutoff is None else cutoff)
    assert not near[1].any() and not near[:, 1].any() and near[0, 0]
    assert near[0, 2] == (cutoff != 0)
    pairs = carrywave.cpdist(strings, list(strings)[1:] + list(strings)[:1], **options)
    assert (pairs == carrywave.MISSING).tolist() == [True, True, False]
    nearest = carrywave.nearest(strings, strings, top=3, **options)
    assert nearest.index[1].tolist() == [-1, -1, -1] and (nearest.distance[1] == carrywave.MISSING).all()
    assert nearest.index[0].tolist() == ([0, -1, -1] if cutoff == 0 else [0, 2, -1])
    assert ((nearest.distance == carrywave.MISSING) == (nearest.index < 0)).all()
    if cutoff is not None:
        within = carrywave.within(strings, cutoff, scorer=scorer)
        assert list(zip(within.a, within.b, within.distance, strict=True)) == ([] if cutoff == 0 else [(0, 2, 1)])
        joined = carrywave.join(strings, strings, cutoff, scorer=scorer)
        both = [(0, 0, 0), (0, 2, 1), (2, 0, 1), (2, 2, 0)]
        assert list(zip(joined.a, joined.b, joined.distance, strict=True)) == (both[::3] if cutoff == 0 else both)
        assert carrywave.clusters(strings, cutoff, scorer=scorer).tolist() == ([0, -1, 2] if cutoff == 0 else [0, -1, 0])


def test_nothing_but_missing_strings() -> None:
    assert (carrywave.cdist([None, NAN], [None, pandas.NA]) == carrywave.MISSING).all()
    assert len(carrywave.Searcher("wave").hits([NAN, "a wave", None, pandas.NA])) == 1
    assert len(carrywave.within([None, None], 3).a) == 0


def test_cutoffs_that_a_missing_string_would_pass_are_refused() -> None:
    for cutoff in (2**31 - 2, 2**31 - 1, 2**32 - 1):
        for call in (carrywave.cdist, carrywave.cpdist, carrywave.nearest):
            with pytest.raises(ValueError, match="score_cutoff is at most 2147483645"):
                call(["a"], [None], score_cutoff=cutoff)
        with pytest.raises(ValueError, match="score_cutoff is at most 2147483645"):
            carrywave.within(["a", None], cutoff)
    assert carrywave.cdist(["a"], [None], score_cutoff=2**31 - 3).tolist() == [[carrywave.MISSING]]


def test_what_is_neither_missing_nor_a_string() -> None:
    for wrong in (1, 1.5, np.float32(1), np.datetime64("2020-01-01"), decimal.Decimal(1), object()):
        with pytest.raises(TypeError, match="a string is"):
            carrywave.cdist(["a", wrong])
