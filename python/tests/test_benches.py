"""The measurement of candidate pairs makes the pairs that it says, and finds those that are near."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")

import oracles

BENCHES = Path(__file__).parents[1] / "benches"


def measured(folder: Path, *options: object) -> dict[str, object]:
    told = folder / "told.json"
    sizes = ["--pairs", 700, "--file-rows", 300, "--batch", 200, "--length", 50, "--edits", 10, "--cutoff", 4, "--rounds", 1, "--makers", 1]
    command = [sys.executable, BENCHES / "candidate_pairs.py", *sizes, "--folder", folder, "--json", told, *options]
    subprocess.run([str(part) for part in command], check=True, cwd=folder, timeout=120)
    return json.loads(told.read_text())


@pytest.mark.parametrize("readers", [0, 2])
def test_candidate_pairs(tmp_path: Path, readers: int) -> None:
    told = measured(tmp_path, "--readers", readers)
    pairs = [row for path in sorted(tmp_path.glob("pairs-*.parquet")) for row in pq.read_table(path).to_pylist()]
    assert [row["id"] for row in pairs] == list(range(700))
    assert {len(row["a"]) for row in pairs} == {50}
    distances = {row["id"]: oracles.distance(row["a"], row["b"]) for row in pairs}
    assert set(range(9)) <= set(distances.values()) <= set(range(11))
    near = pq.read_table(tmp_path / "near.parquet").to_pylist()
    assert {row["id"]: row["distance"] for row in near} == {number: distance for number, distance in distances.items() if distance <= 4}
    assert told["near"] == len(near)
