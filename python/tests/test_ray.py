"""Tests that Ray Data on two nodes returns the results of one process, also if an actor dies."""

from __future__ import annotations

import doctest
import os
import random
import signal
import time
from pathlib import Path
from typing import Any

import pytest

ray = pytest.importorskip("ray", reason="Ray is not installed")
pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
pytest.importorskip("ray.data", reason="Ray Data is not installed")

import oracles
import ray.cluster_utils

import carrywave
import carrywave.ray
from carrywave.arrow import distance_batch, search_batch

ROWS = 400
PATTERNS = [b"GATTACA", b"CCGTTAG"]


@pytest.fixture(scope="module")
def cluster() -> Any:
    """Yields a cluster of two nodes with one CPU each."""
    nodes = ray.cluster_utils.Cluster(initialize_head=True, head_node_args={"num_cpus": 1, "include_dashboard": False})
    nodes.add_node(num_cpus=1)
    ray.init(address=nodes.address, log_to_driver=False, logging_level="ERROR")
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    context.execution_options.preserve_order = True
    yield nodes
    ray.shutdown()
    nodes.shutdown()


def table() -> Any:
    """Returns pairs of DNA strings, some of them similar, and nulls."""
    rng = random.Random(4)
    a: list[str | None] = ["".join(rng.choices("ACGT", k=rng.randrange(20, 60))) for _ in range(ROWS)]
    b: list[str | None] = [oracles.mutated(rng, string or "", rng.randrange(12), "ACGT") for string in a]
    a[7] = b[11] = None
    encoded = [[None if string is None else string.encode() for string in strings] for strings in (a, b)]
    return pa.table({"id": range(ROWS), "a": pa.array(encoded[0], pa.binary()), "b": pa.array(encoded[1], pa.binary())})


def dataset(blocks: int) -> Any:
    pairs = table()
    size = -(-ROWS // blocks)
    return ray.data.from_arrow([pairs.slice(at, size) for at in range(0, ROWS, size)])


def test_both_nodes_take_part(cluster: Any, tmp_path: Path) -> None:
    class Where:
        """An actor that returns its node, after waiting up to 30 s for one on the other node."""

        def __call__(self, batch: Any) -> Any:
            node = ray.get_runtime_context().get_node_id()
            (tmp_path / node).touch()
            patience = time.monotonic() + 30
            while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < patience:
                time.sleep(0.05)
            return pa.table({"node": [node] * len(batch)})

    nodes = dataset(8).map_batches(Where, batch_format="pyarrow", compute=ray.data.ActorPoolStrategy(size=2), num_cpus=1).take_all()
    assert len({row["node"] for row in nodes}) == 2


def test_distances(cluster: Any) -> None:
    found = carrywave.ray.distances(dataset(8), score_cutoff=6, concurrency=2).take_all()
    pairs = table()
    expected = []
    for a, b in zip(pairs["a"].to_pylist(), pairs["b"].to_pylist(), strict=True):
        distance = None if a is None or b is None else oracles.distance(a, b)
        expected.append(None if distance is None or distance > 6 else distance)
    assert [(row["id"], row["distance"]) for row in found] == list(enumerate(expected))
    assert 10 < expected.count(None) < ROWS - 10


def search_expected() -> list[tuple[int, int, int, int]]:
    strings = table()["a"].to_pylist()
    return sorted(
        (row, number, end, errors)
        for row, string in enumerate(strings)
        if string is not None
        for number, pattern in enumerate(PATTERNS)
        for end, errors in oracles.ends(pattern, string, 2).items()
    )


def ends(rows: list[dict[str, Any]]) -> list[tuple[int, int, int, int]]:
    return sorted((row["id"], row["pattern"], row["end"], row["errors"]) for row in rows)


def test_search(cluster: Any) -> None:
    found = carrywave.ray.search(dataset(8), PATTERNS, 2, column="a", keep=["id"], part="matched", ends="all", concurrency=2).take_all()
    assert ends(found) == search_expected()
    searcher = carrywave.Searcher(PATTERNS, 2, ends="all")
    assert found == search_batch(table(), searcher, column="a", keep=["id"], part="matched").to_pylist()
    with pytest.raises(ValueError, match="not both"):
        carrywave.ray.search(dataset(2), PATTERNS, 2, percent=10)


@pytest.mark.parametrize("job", ["search", "distances"])
def test_an_actor_that_dies(cluster: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, job: str) -> None:
    marker = tmp_path / "died"
    product: Any = carrywave.ray._Searching if job == "search" else carrywave.ray._Comparing

    class Dies(product):
        """An actor that kills its process once, at a batch in the second half of the rows."""

        def __call__(self, batch: Any) -> Any:
            if batch["id"][0].as_py() >= ROWS // 2 and not marker.exists():
                marker.touch()
                os.kill(os.getpid(), signal.SIGKILL)
            return super().__call__(batch)

    monkeypatch.setattr(carrywave.ray, product.__name__, Dies)
    if job == "search":
        found = carrywave.ray.search(dataset(8), PATTERNS, 2, column="a", keep=["id"], ends="all", concurrency=2).take_all()
        assert ends(found) == search_expected()
    else:
        near = carrywave.ray.distances(dataset(8), score_cutoff=6, filter=True, name="edits", concurrency=2).take_all()
        assert near == distance_batch(table(), score_cutoff=6, filter=True, name="edits").to_pylist()
    assert marker.exists()


def test_files(cluster: Any, tmp_path: Path) -> None:
    (tmp_path / "one.fa").write_text(">a first\nACGT\nAC\n>b\nGG\n")
    (tmp_path / "two.fq").write_text("@c\nTTTT\n+\nIIII\n")
    (tmp_path / "notes.txt").write_text("no sequence")
    rows = carrywave.ray.read_fasta(tmp_path, include_paths=True).take_all()
    assert [(row["name"], row["comment"], row["sequence"], Path(row["path"]).name) for row in rows] == [
        ("a", "first", b"ACGTAC", "one.fa"),
        ("b", "", b"GG", "one.fa"),
        ("c", "", b"TTTT", "two.fq"),
    ]
    one = carrywave.ray.read_fasta((tmp_path / "one.fa").as_uri())
    assert one.schema().names == ["name", "comment", "sequence"]
    assert carrywave.ray.search(one, b"GT", column="sequence").take_all() == [
        {"name": "a", "comment": "first", "pattern": 0, "start": 2, "end": 4, "strand": 1, "errors": 0}
    ]
    (tmp_path / "empty").mkdir()
    with pytest.raises(FileNotFoundError, match="no files of sequences"):
        carrywave.ray.read_fasta(tmp_path / "empty")


def test_actors_with_gpus() -> None:
    class Dataset:
        """A stand-in for a Ray dataset that returns the options of `map_batches`."""

        def map_batches(self, actor: type, **asked: Any) -> dict[str, Any]:
            return {"actor": actor, **asked}

    made: Any = Dataset()
    asked: Any = carrywave.ray.search(made, iter(PATTERNS), 1, engine="gpu", concurrency=(1, 3), algorithm="pieces", ray_options={"memory": 7})
    assert (asked["num_cpus"], asked["num_gpus"], asked["batch_size"], asked["memory"]) == (1, 1, carrywave.ray.GPU_BATCH, 7)
    assert (asked["compute"].min_size, asked["compute"].max_size) == (1, 3)
    assert asked["fn_constructor_kwargs"]["patterns"] == PATTERNS
    asked = carrywave.ray.distances(made, engine="gpu", num_gpus=0.5, batch_size=10, concurrency=2)
    assert (asked["num_gpus"], asked["batch_size"], asked["compute"].min_size, asked["compute"].max_size) == (0.5, 10, 2, 2)
    asked = carrywave.ray.distances(made, num_cpus=2)
    assert (asked["num_gpus"], asked["batch_size"], asked["num_cpus"]) == (None, None, 2)
    assert repr(carrywave.ray._engine("cpu", 2)) == "Cpu(threads=2)"
    if carrywave.gpu_count() == 0:
        with pytest.raises(carrywave.NoGpu):
            asked["actor"](**{**asked["fn_constructor_kwargs"], "engine": "gpu"})


def test_records_of_a_long_file_come_in_blocks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "long.fa"
    path.write_text("".join(f">{number}\nACGTACGT\n" for number in range(10)))
    monkeypatch.setattr(carrywave.ray, "FILE_BLOCK", 24)
    tables = list(carrywave.ray._records(pa.table({"path": [str(path)]}), include_paths=False))
    assert [len(table) for table in tables] == [3, 3, 3, 1]
    assert pa.concat_tables(tables)["name"].to_pylist() == [str(number) for number in range(10)]


def test_the_examples_of_the_documentation(cluster: Any) -> None:
    told = doctest.testmod(carrywave.ray)
    assert told.attempted > 0
    assert told.failed == 0
