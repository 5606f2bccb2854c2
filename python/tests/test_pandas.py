"""Tests the accessor of pandas, on random strings against dynamic programming."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

pd = pytest.importorskip("pandas", reason="pandas is not installed")

import numpy as np
import oracles
from columns import expected, strings

import carrywave.pandas

DTYPES = ["object", "string", "category", None]


def values(series: Any) -> list[Any]:
    return [None if pd.isna(value) else value for value in series]


@pytest.mark.parametrize("dtype", DTYPES)
def test_distances(dtype: str | None) -> None:
    a, b = strings(300, 1), strings(300, 2)
    labels = [f"row {number}" for number in range(300)]
    one, other = pd.Series(a, index=labels, dtype=dtype, name="names"), pd.Series(b, index=labels, dtype=dtype)
    for cutoff in (None, 0, 2):
        found = one.carrywave.distance(other, score_cutoff=cutoff)
        assert values(found) == expected(a, b, cutoff)
        assert (str(found.dtype), found.name, list(found.index)) == ("Int32", "names", labels)
        assert values(one.carrywave.distance(list(b), score_cutoff=cutoff)) == expected(a, b, cutoff)
        assert values(one.carrywave.distance("aéb", score_cutoff=cutoff)) == expected(a, ["aéb"] * 300, cutoff)
    indel = one.carrywave.distance("a", scorer="indel")
    assert indel.iloc[0] == len(a[0] or "") + 1 - 2 * ("a" in (a[0] or ""))


def test_rows_are_matched_by_their_labels() -> None:
    one = pd.Series(["wave", "carry"], index=["x", "y"])
    other = pd.Series(["carry", "waves", "other"], index=["y", "x", "z"])
    assert values(one.carrywave.distance(other)) == [1, 0]
    assert values(one.carrywave.distance(pd.Series(["wave"], index=["x"]))) == [0, None]
    assert values(one.carrywave.is_within(other, 0)) == [False, True]


def test_is_within() -> None:
    a, b = strings(200, 3), strings(200, 4)
    found = pd.Series(a).carrywave.is_within(pd.Series(b), 2)
    assert str(found.dtype) == "boolean"
    assert values(found) == [None if distance is None else distance <= 2 for distance in expected(a, b, None)]


def test_nearest() -> None:
    a, b = strings(60, 5), strings(40, 6)
    labels = [f"row {number}" for number in range(60)]
    others = pd.Series(b, index=range(100, 140))
    found = pd.Series(a, index=labels).carrywave.nearest(others, 3, score_cutoff=4)
    assert list(found.columns) == ["match", "match_index", "distance"]
    for label, string in zip(labels, a, strict=True):
        near = [] if string is None else sorted((oracles.distance(string, y), 100 + row) for row, y in enumerate(b) if y is not None)
        rows = found.loc[found.index == label]
        assert list(zip(rows["distance"], rows["match_index"], strict=True)) == [pair for pair in near[:3] if pair[0] <= 4]
        assert list(rows["match"]) == list(others[rows["match_index"]])
    joined = pd.DataFrame({"name": ["wafe", None]}).join(pd.Series(["wafe", None]).carrywave.nearest(["wave"]))
    assert values(joined["match"]) == ["wave", None]


def test_clusters_and_pairs() -> None:
    a, b = strings(150, 7, "abcdefgh"), strings(80, 8, "abcdefgh")
    one, other = pd.Series(a, index=np.arange(150) * 2), pd.Series(b, index=[f"b{row}" for row in range(80)])
    numbers = one.carrywave.clusters(1)
    assert str(numbers.dtype) == "Int64" and list(numbers.index) == list(one.index)
    assert values(numbers) == [None if number < 0 else number for number in carrywave.clusters(a, 1).tolist()]
    within = one.carrywave.within(1)
    assert list(within.itertuples(index=False, name=None)) == [
        (2 * x, 2 * y, distance) for x in range(150) for y in range(x + 1, 150) if (distance := expected([a[x]], [a[y]], 1)[0]) is not None
    ]
    joined = one.carrywave.join(other, 1)
    assert list(joined.itertuples(index=False, name=None)) == [
        (2 * x, f"b{y}", distance) for x in range(150) for y in range(80) if (distance := expected([a[x]], [b[y]], 1)[0]) is not None
    ]


def test_other_columns_are_refused() -> None:
    for series in (pd.Series([1, 2]), pd.Series([1.5]), pd.Series(pd.to_datetime(["2026-01-01"]))):
        with pytest.raises(AttributeError, match=r"\.carrywave is for a Series of strings, not of .*: convert it by"):
            series.carrywave
    with pytest.raises(ValueError, match="the lists have 2 and 1 strings"):
        pd.Series(["a", "b"]).carrywave.distance(["a"])


def test_a_series_without_rows() -> None:
    empty = pd.Series([], dtype="string")
    assert len(empty.carrywave.distance("a")) == len(empty.carrywave.nearest(["a"])) == len(empty.carrywave.clusters(1)) == 0


def test_only_its_import_registers_the_accessor() -> None:
    program = """
import pandas as pd, carrywave
carrywave.distance("a", "b")
assert not hasattr(pd.Series(["a"]), "carrywave")
import carrywave.pandas
assert pd.Series(["a"]).carrywave.distance("b").tolist() == [1]
"""
    subprocess.run([sys.executable, "-c", program], check=True)
