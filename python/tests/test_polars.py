"""Tests the expressions of polars, on random strings against dynamic programming."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import pytest

pl = pytest.importorskip("polars", reason="polars is not installed")

import oracles
from columns import expected, strings

import carrywave.polars


def frame(count: int, dtype: Any = None) -> Any:
    made = pl.DataFrame({"a": strings(count, 1), "b": strings(count, 2)}).with_row_index("row")
    return made.with_columns(pl.col("a", "b").cast(dtype or pl.String))


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Binary])
def test_distances(dtype: Any) -> None:
    pairs = frame(300, dtype)
    a, b = pairs["a"].to_list(), pairs["b"].to_list()
    for cutoff in (None, 0, 2):
        found = pairs.select(pl.col("a").carrywave.distance(pl.col("b"), score_cutoff=cutoff))
        assert found.schema == {"a": pl.Int32}
        assert found["a"].to_list() == expected(a, b, cutoff)
        one = "aéb".encode() if dtype == pl.Binary else "aéb"
        assert pairs.select(pl.col("a").carrywave.distance(one, score_cutoff=cutoff))["a"].to_list() == expected(a, [one] * 300, cutoff)
    assert pairs.select(pl.lit("ab").carrywave.distance(pl.lit("b"), scorer="indel")).item() == 1


def test_literals_and_aggregates_are_compared_with_every_row() -> None:
    pairs = frame(50)
    a = pairs["a"].to_list()
    for other, string in ((pl.lit("ab"), "ab"), (pl.col("b").max(), pairs["b"].max())):
        assert pairs.select(d=pl.col("a").carrywave.distance(other))["d"].to_list() == expected(a, [string] * 50, None)
        assert pairs.select(d=other.carrywave.distance(pl.col("a")))["d"].to_list() == expected(a, [string] * 50, None)


@pytest.mark.parametrize("engine", ["in-memory", "streaming"])
def test_lazy_frames_and_groups(engine: Any) -> None:
    pairs = frame(300)
    near = pairs.lazy().filter(pl.col("a").carrywave.is_within(pl.col("b"), 1)).collect(engine=engine)
    distances = expected(pairs["a"].to_list(), pairs["b"].to_list(), 1)
    assert near["row"].to_list() == [row for row, distance in enumerate(distances) if distance is not None]
    by_parity = pairs.lazy().group_by(pl.col("row") % 2).agg(pl.col("a").carrywave.distance(pl.col("b"), score_cutoff=1))
    grouped = dict(by_parity.collect(engine=engine).rows())
    assert grouped == {0: distances[::2], 1: distances[1::2]}


def test_is_within() -> None:
    pairs = frame(200)
    found = pairs.select(pl.col("a").carrywave.is_within(pl.col("b"), 2))["a"]
    assert found.dtype == pl.Boolean
    distances = expected(pairs["a"].to_list(), pairs["b"].to_list(), None)
    assert found.to_list() == [None if distance is None else distance <= 2 for distance in distances]


def test_nearest() -> None:
    a, b = strings(60, 5), strings(40, 6)
    names = pl.DataFrame({"name": a})
    near = names.select(pl.col("name").carrywave.nearest(pl.Series(b), 3, score_cutoff=2))["name"]
    assert near.dtype == pl.List(pl.Struct({"match": pl.String, "row": pl.Int64, "distance": pl.Int32}))
    for string, found in zip(a, near.to_list(), strict=True):
        if string is None:
            assert found is None
            continue
        ranked = sorted((oracles.distance(string, other), row) for row, other in enumerate(b) if other is not None)
        expected_rows = [{"match": b[row], "row": row, "distance": distance} for distance, row in ranked[:3] if distance <= 2]
        assert found == expected_rows
    assert [] in near.to_list() and max(map(len, near.drop_nulls().to_list())) == 3


def test_clusters_and_pairs() -> None:
    a, b = strings(150, 7, "abcdefgh"), strings(80, 8, "abcdefgh")
    numbers = pl.DataFrame({"name": a}).select(pl.col("name").carrywave.clusters(1))["name"]
    assert numbers.dtype == pl.Int64
    assert numbers.to_list() == [None if number < 0 else number for number in carrywave.clusters(a, 1).tolist()]
    pairs = [(x, y, d) for x in range(150) for y in range(x + 1, 150) if (d := expected([a[x]], [a[y]], 1)[0]) is not None]
    assert pl.Series(a).carrywave.within(1).rows() == pairs
    pairs = [(x, y, d) for x in range(150) for y in range(80) if (d := expected([a[x]], [b[y]], 1)[0]) is not None]
    assert pl.Series(a).carrywave.join(b, 1).rows() == pairs


def test_frames_without_rows() -> None:
    empty = pl.DataFrame({"a": []}, schema={"a": pl.String})
    name = pl.col("a").carrywave
    found = empty.select(name.distance("a"), near=name.nearest(["a"]), cluster=name.clusters(1), is_near=name.is_within(pl.col("a"), 1))
    assert found.shape == (0, 4)
    all_null = pl.DataFrame({"a": [None, None]}, schema={"a": pl.String})
    found = all_null.select(name.distance("a"), near=name.nearest(["a"]), cluster=name.clusters(1))
    assert found.rows() == [(None, None, None)] * 2


def test_only_its_import_registers_the_namespaces() -> None:
    program = """
import polars as pl, carrywave
carrywave.distance("a", "b")
assert not hasattr(pl.col("a"), "carrywave") and not hasattr(pl.Series(), "carrywave")
import carrywave.polars
assert pl.select(pl.lit("a").carrywave.distance("b")).item() == 1
"""
    subprocess.run([sys.executable, "-c", program], check=True)
