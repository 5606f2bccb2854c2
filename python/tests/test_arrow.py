"""Tests search and distances in Arrow batches against the oracles, by string type and offset."""

from __future__ import annotations

import random
import subprocess
import sys
from typing import Any

import pytest

pa = pytest.importorskip("pyarrow", reason="pyarrow is not installed")

import carrywave
from carrywave.arrow import distance_batch, search_batch

import oracles

TEXT = ["string", "large_string", "string_view"]
BYTES = ["binary", "large_binary", "binary_view"]
TYPES = {
    "string": pa.string(),
    "large_string": pa.large_string(),
    "string_view": pa.string_view(),
    "binary": pa.binary(),
    "large_binary": pa.large_binary(),
    "binary_view": pa.binary_view(),
}


def texts(seed: int, letters: str, count: int = 40) -> list[str | None]:
    rng = random.Random(seed)
    made: list[str | None] = ["".join(rng.choices(letters, k=rng.randrange(60))) for _ in range(count)]
    made[3] = made[17] = None
    return made


def column(strings: list[str | None], of: str, chunks: int = 1) -> Any:
    values = [None if string is None else string.encode() for string in strings] if of in BYTES else strings
    # The slice has an offset other than 0.
    if chunks == 1:
        return pa.array([values[0], *values], TYPES[of]).slice(1)
    size = len(values) // chunks
    return pa.chunked_array([pa.array(values[at : at + size], TYPES[of]) for at in range(0, len(values), size)])


def searched(strings: list[str | None], patterns: list[str], k: int) -> list[tuple[int, int, int, int]]:
    """Returns row, pattern, end and errors of every match end, by Sellers' table."""
    return sorted(
        (row, number, end, errors)
        for row, string in enumerate(strings)
        if string is not None
        for number, pattern in enumerate(patterns)
        for end, errors in oracles.ends(pattern, string, k).items()
    )


@pytest.mark.parametrize("of", TEXT + BYTES)
@pytest.mark.parametrize("letters", ["ACGT", "aéß字"])
def test_hits_are_those_of_sellers(of: str, letters: str) -> None:
    if of in BYTES and letters != "ACGT":
        pytest.skip("a symbol of bytes is a byte")
    strings = texts(1, letters)
    patterns = [letters[0] * 2 + letters[1] + letters[2], letters[3] + letters[1] * 3 + letters[0]]
    given: Any = [pattern.encode() for pattern in patterns] if of in BYTES else patterns
    searcher = carrywave.Searcher(given, 1, ends="all")
    batch = pa.record_batch({"id": pa.array(range(len(strings))), "text": column(strings, of)})
    table = pa.table({"text": column(strings, of, chunks=4), "id": pa.array(range(len(strings)))})
    expected = searched(strings, patterns, 1)
    assert len(expected) > 50
    for data in (batch, table):
        hits = search_batch(data, searcher, part="matched")
        assert type(hits) is type(data)
        rows = hits.to_pydict()
        assert sorted(zip(rows["id"], rows["pattern"], rows["end"], rows["errors"], strict=True)) == expected
        for row, pattern, start, end, errors, matched in zip(
            *(rows[name] for name in ("id", "pattern", "start", "end", "errors", "matched")), strict=True
        ):
            part = strings[row][start:end]
            assert (matched.decode() if of in BYTES else matched) == part
            assert oracles.distance(patterns[pattern], part) == errors


def test_columns_that_are_kept() -> None:
    batch = pa.record_batch({"id": [1, 2], "text": ["a wave", "waves"], "more": [None, 0.5]}).replace_schema_metadata({"of": "a test"})
    searcher = carrywave.Searcher("wave")
    told = ["pattern", "start", "end", "strand", "errors"]
    assert search_batch(batch, searcher).schema.names == ["id", "more", *told]
    assert search_batch(batch, searcher, keep=[]).schema.names == told
    hits = search_batch(batch, searcher, keep=["text", "id"])
    assert hits.schema.names == ["text", "id", *told]
    assert hits["text"].to_pylist() == ["a wave", "waves"]
    assert hits.schema.metadata == {b"of": b"a test"}
    with pytest.raises(ValueError, match="'start' already"):
        search_batch(batch.rename_columns(["id", "text", "start"]), searcher)
    with pytest.raises(KeyError, match="no column 'title'"):
        search_batch(batch, searcher, column="title")


def test_both_strands() -> None:
    batch = pa.record_batch({"text": [b"ttGATTACAtt", b"ccTGTAATCcc"]})
    hits = search_batch(batch, carrywave.Searcher(b"GATTACA", alphabet="dna", both_strands=True), part="matched")
    assert hits["strand"].to_pylist() == [1, -1]
    assert hits["matched"].to_pylist() == [b"GATTACA", b"TGTAATC"]


@pytest.mark.parametrize("of", TEXT + BYTES)
@pytest.mark.parametrize("letters", ["ACGT", "aéß字"])
@pytest.mark.parametrize("cutoff", [None, 8])
def test_distances_are_those_of_the_table(of: str, letters: str, cutoff: int | None) -> None:
    rng = random.Random(2)
    a = texts(3, letters)
    b = [None if rng.random() < 0.1 else oracles.mutated(rng, string or "x", rng.randrange(20), letters) for string in a]
    symbols = (lambda string: string.encode()) if of in BYTES else (lambda string: string)
    expected = [None if x is None or y is None else oracles.distance(symbols(x), symbols(y)) for x, y in zip(a, b, strict=True)]
    if cutoff is not None:
        expected = [None if distance is None or distance > cutoff else distance for distance in expected]
    assert 0 < expected.count(None) < len(expected)
    batch = pa.record_batch({"id": pa.array(range(len(a))), "left": column(a, of), "right": column(b, of)})
    # The chunks of the two columns have different boundaries.
    table = pa.table({"id": pa.array(range(len(a))), "left": column(a, of, chunks=4), "right": column(b, of, chunks=5)})
    for data in (batch, table):
        told = distance_batch(data, "left", "right", score_cutoff=cutoff)
        assert type(told) is type(data)
        assert told.schema.field("distance").type == pa.int32()
        assert told["distance"].to_pylist() == expected
        near = distance_batch(data, "left", "right", score_cutoff=cutoff, filter=True)
        assert near["id"].to_pylist() == [row for row, distance in enumerate(expected) if distance is not None]
        assert near["distance"].to_pylist() == [distance for distance in expected if distance is not None]


def test_scorer_engine_and_name() -> None:
    batch = pa.record_batch({"a": ["kitten"], "b": ["sitting"]})
    told = distance_batch(batch, scorer="indel", engine=carrywave.Cpu(1), name="indels")
    assert told.to_pylist() == [{"a": "kitten", "b": "sitting", "indels": 5}]
    with pytest.raises(ValueError, match="'b' already"):
        distance_batch(batch, name="b")
    with pytest.raises(TypeError, match="not Int64"):
        distance_batch(pa.record_batch({"a": [1], "b": [2]}))


def test_nothing_in_a_batch() -> None:
    empty = pa.schema([("a", pa.string()), ("b", pa.string())])
    searcher = carrywave.Searcher("wave")
    for data in (pa.RecordBatch.from_pylist([], empty), empty.empty_table(), pa.table({"a": pa.nulls(3), "b": pa.nulls(3)})):
        assert distance_batch(data)["distance"].null_count == len(data)
        assert len(distance_batch(data, filter=True)) == 0
        assert len(search_batch(data, searcher, column="a", part="matched")) == 0


def test_coded_columns() -> None:
    table = pa.table({"a": pa.array(["wave", "carry", "wave"]).dictionary_encode(), "b": ["waves", "curry", None]})
    for data in (table, table.to_batches()[0]):
        assert distance_batch(data)["distance"].to_pylist() == [1, 1, None]
        assert search_batch(data, carrywave.Searcher("wave"), column="a", part="matched")["matched"].to_pylist() == ["wave", "wave"]


def test_data_frames() -> None:
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    frame = pandas.DataFrame({"a": ["wave", "carry"], "b": ["waves", "curry"]}, index=[5, 9])
    told = distance_batch(frame).to_pandas()
    assert told["distance"].tolist() == [1, 1]
    assert told.index.tolist() == [5, 9]
    polars = pytest.importorskip("polars", reason="polars is not installed")
    frame = polars.DataFrame({"text": ["one wave"]})
    assert polars.from_arrow(search_batch(frame, carrywave.Searcher("wave")))["start"].to_list() == [4]


def test_distances_are_not_copied(monkeypatch: pytest.MonkeyPatch) -> None:
    told = []
    compiled = carrywave._carrywave.cpdist

    def cpdist(*arguments: Any, **options: Any) -> Any:
        told.append(compiled(*arguments, **options))
        return told[-1]

    monkeypatch.setattr(carrywave._carrywave, "cpdist", cpdist)
    batch = pa.record_batch({"a": ["x"] * 1000, "b": ["y"] * 1000})
    assert distance_batch(batch)["distance"].buffers()[1].address == told[0].ctypes.data


def run(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout


def test_the_package_alone_imports_neither_pyarrow_nor_ray() -> None:
    assert run("import sys, carrywave, carrywave.arrow, carrywave.ray, carrywave.machine; print({'pyarrow', 'ray'} & set(sys.modules))") == "set()\n"


def test_what_to_install() -> None:
    told = run("""
import sys
sys.modules["pyarrow"] = sys.modules["ray"] = sys.modules["ray.data"] = None
import carrywave.arrow, carrywave.ray
for call in (lambda: carrywave.arrow.distance_batch(None), lambda: carrywave.ray.read_fasta("x.fa")):
    try:
        call()
    except ImportError as error:
        print(error)
""")
    assert "pip install carrywave[arrow]" in told
    assert "pip install carrywave[ray]" in told
