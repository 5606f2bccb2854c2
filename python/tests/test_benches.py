"""Tests that the candidate-pair benchmark generates the right pairs and finds the near ones."""

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
    sizes = ["--pairs", 300, "--file-rows", 130, "--batch", 90, "--length", 50, "--edits", 10, "--cutoff", 4, "--rounds", 1, "--makers", 1]
    command = [sys.executable, BENCHES / "candidate_pairs.py", *sizes, "--folder", folder, "--json", told, *options]
    subprocess.run([str(part) for part in command], check=True, cwd=folder, timeout=120)
    return json.loads(told.read_text())


def test_candidate_pairs(tmp_path: Path) -> None:
    distances: dict[int, int] = {}
    # The second run reuses the files of the first.
    for readers in (0, 2):
        told = measured(tmp_path, "--readers", readers)
        pairs = [row for path in sorted(tmp_path.glob("pairs-*.parquet")) for row in pq.read_table(path).to_pylist()]
        assert [row["id"] for row in pairs] == list(range(300))
        assert {len(row["a"]) for row in pairs} == {50}
        distances = distances or {row["id"]: oracles.distance(row["a"], row["b"]) for row in pairs}
        assert set(range(9)) <= set(distances.values()) <= set(range(11))
        near = pq.read_table(tmp_path / "near.parquet").to_pylist()
        assert {row["id"]: row["distance"] for row in near} == {number: distance for number, distance in distances.items() if distance <= 4}
        assert told["near"] == len(near)
