"""Tests that the functions of the Dask example, on partitions, give the results of one process."""

from __future__ import annotations

import importlib.util
import random
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("dask.dataframe", reason="Dask's data frames are not installed")
pandas = pytest.importorskip("pandas", reason="pandas is not installed")
pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import dask
import dask.dataframe
import oracles

import carrywave

EXAMPLE = Path(__file__).parents[2] / "examples/python/engines/with_dask.py"


@pytest.fixture(scope="module")
def example() -> Any:
    if not EXAMPLE.exists():
        pytest.skip("the examples are not here")
    spec = importlib.util.spec_from_file_location("with_dask", EXAMPLE)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def frame() -> Any:
    rng = random.Random(5)
    a = ["".join(rng.choices("abcd ", k=rng.randrange(60))) for _ in range(200)]
    b: list[str | None] = [oracles.mutated(rng, string, rng.randrange(10), "abcd ") for string in a]
    b[20] = None
    return pandas.DataFrame({"id": range(200), "a": a, "b": b})


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_distances(example: Any, frame: Any, scheduler: str) -> None:
    expected = [
        None if b is None or (distance := oracles.distance(a, b)) > 5 else distance
        for a, b in zip(frame["a"], [None if pandas.isna(b) else b for b in frame["b"]], strict=True)
    ]
    with dask.config.set(scheduler=scheduler):
        told = example.distances(dask.dataframe.from_pandas(frame, npartitions=4), "a", "b", score_cutoff=5).compute()
        near = example.distances(dask.dataframe.from_pandas(frame, npartitions=4), "a", "b", score_cutoff=5, filter=True).compute()
    assert told["id"].tolist() == list(range(200))
    assert [None if pandas.isna(distance) else distance for distance in told["distance"]] == expected
    assert near["id"].tolist() == [number for number, distance in enumerate(expected) if distance is not None]
    assert near["distance"].tolist() == [distance for distance in expected if distance is not None]


@pytest.mark.parametrize("scheduler", ["threads", "processes"])
def test_search(example: Any, frame: Any, scheduler: str) -> None:
    patterns = ["abca", "dd cb"]
    expected = sorted(
        (row, number, end, errors)
        for row, text in enumerate(frame["a"])
        for number, pattern in enumerate(patterns)
        for end, errors in oracles.ends(pattern, text, 1).items()
    )
    searcher = carrywave.Searcher(patterns, 1, ends="all")
    with dask.config.set(scheduler=scheduler):
        hits = example.search(dask.dataframe.from_pandas(frame, npartitions=4), searcher, column="a", keep=["id"]).compute()
    assert sorted(zip(hits["id"], hits["pattern"], hits["end"], hits["errors"], strict=True)) == expected
    assert len(expected) > 100
