"""Tests that each example runs with its defaults on repository files and gives the right output."""

from __future__ import annotations

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[2] / "examples/python"
PACKAGE = Path(__file__).parents[1]

pytestmark = pytest.mark.skipif(not EXAMPLES.exists(), reason="the examples are not here")


def run(*arguments: object, at: Path = EXAMPLES) -> str:
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    command = [sys.executable, *map(str, arguments)]
    done = subprocess.run(command, cwd=at, env=environment, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def needs(*names: str) -> None:
    for name in names:
        if importlib.util.find_spec(name) is None:
            pytest.skip(f"{name} is not installed")


def test_each_example_says_how_to_run_it() -> None:
    for path in EXAMPLES.rglob("*.py"):
        assert f"python examples/python/{path.relative_to(EXAMPLES).as_posix()}" in path.read_text(encoding="utf-8"), path


def test_near_duplicates(tmp_path: Path) -> None:
    told = run("near_duplicates.py")
    texts, clusters = map(int, re.findall(r"(\d+) (?:texts|clusters)", told)[:2])
    assert texts > 1000
    assert clusters > 10
    corpus = tmp_path / "corpus.txt"
    line = "the quick brown fox jumps over the lazy dog and the cat"
    corpus.write_text("\n".join([line, "something else altogether, and long enough to count", line.replace("fox", "ox"), line.replace("cat", "rat")]))
    told = run("near_duplicates.py", "--cutoff", 2, corpus)
    assert told.startswith("4 texts, 1 clusters")
    assert "3 texts:\n    the quick" in told


def test_near_duplicates_by_minhash() -> None:
    needs("datasketch")
    told = run("near_duplicates.py", "--minhash")
    found, there = map(int, re.findall(r"it finds (\d+) of the (\d+) pairs", told)[0])
    assert 0.5 * there < found <= there


@pytest.mark.parametrize("options", [[], ["--minhash"]])
def test_corpus_clusters(tmp_path: Path, options: list[str]) -> None:
    needs("pyarrow", *(["datasketch"] if options else []))
    import pyarrow as pa
    import pyarrow.parquet as parquet

    line = "the quick brown fox jumps over the lazy dog and the cat"
    lines = [line, None, "something else altogether, and long enough to count", line.replace("fox", "ox"), line.replace("cat", "rat"), None]
    corpus, clusters = tmp_path / "corpus.parquet", tmp_path / "clusters.parquet"
    parquet.write_table(pa.table({"line": lines}), corpus)
    told = run("corpus_clusters.py", corpus, "--column", "line", "--cutoff", 2, "--output", clusters, *options)
    assert told.startswith("6 texts, 1 clusters of at least two")
    assert parquet.read_table(clusters).to_pydict() == {"row": [0, 1, 2, 3, 4, 5], "cluster": [0, None, 2, 0, 0, None]}
    told = run("corpus_clusters.py", "--output", clusters, *options)
    assert len(parquet.read_table(clusters)) > 1000
    assert int(re.findall(r"(\d+) clusters", told)[0]) > 10


def test_splink() -> None:
    needs("splink", "duckdb", "pyarrow")
    linked, right = map(int, re.findall(r"800 records of 400 people: (\d+) pairs are linked, (\d+) of them rightly", run("with_splink.py"))[0])
    assert linked >= right >= 0.95 * linked
    assert right > 360


def test_dedupe() -> None:
    needs("dedupe")
    groups, right = map(int, re.findall(r"(\d+) groups, (\d+) of them right", run("with_dedupe.py"))[0])
    assert groups >= right > 250


def test_duckdb() -> None:
    needs("duckdb", "pyarrow")
    told = run("engines/with_duckdb.py")
    rows = [re.findall(r"[\w]+", line) for line in told.splitlines() if "wave" in line or "kitten" in line]
    assert rows == [["kitten", "sitting", "3"], ["carry", "wave", "4"], ["wave", "waves", "1"], ["wave", "NULL", "NULL"], ["wave", "waves"]]


def test_crispr_guides(tmp_path: Path) -> None:
    told = [line.split("\t") for line in run("crispr_guides.py").splitlines()[1:]]
    exact = [line for line in told if line[4] == "0"]
    assert len({line[0] for line in exact}) == 5
    assert len(told) > len(exact)
    for guide, _, _, _, mismatches, site in told:
        assert site.endswith("GG")
        assert sum(base != wanted for base, wanted in zip(site, guide, strict=False)) == int(mismatches)
    guide = "GATTACAGATTACAGATTAC"
    reverse = f"{guide}AGG".translate(str.maketrans("ACGT", "TGCA"))[::-1]
    genome = tmp_path / "genome.fa"
    genome.write_text(f">plus\nTT{guide}TGGTT\n>minus\nCCC{reverse}CC\n>none\nTT{guide}TTTTT\n")
    (tmp_path / "guides.txt").write_text(guide)
    told = [line.split("\t") for line in run("crispr_guides.py", "--genome", genome, "--guides", tmp_path / "guides.txt").splitlines()[1:]]
    assert [line[1:5] for line in told] == [["plus", "2", "+", "0"], ["minus", "3", "-", "0"]]
    assert told[1][5] == f"{guide}AGG"


def test_diff_releases(tmp_path: Path) -> None:
    assert "mod.rs: " in run("diff_releases.py")
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
        (folder / "same.txt").write_text("the same\n")
    (old / "changed.txt").write_text("one\ntwo\nthree\n")
    (new / "changed.txt").write_text("one\n2\nthree\nfour\n")
    (old / "first.txt").write_text("".join(f"{number}\n" for number in range(9)))
    (new / "second.txt").write_text("".join(f"{number}\n" for number in range(10)))
    (old / "gone.txt").write_text("gone\n")
    (new / "come.txt").write_text("come\n")
    assert run("diff_releases.py", old, new).splitlines() == [
        "changed.txt: 2 changes, 1 lines less, 2 more",
        "first.txt -> second.txt: 1 changes, 0 lines less, 1 more",
        "gone.txt: removed",
        "come.txt: new",
        "1 files are the same, 2 differ or have moved",
    ]
    told = run("diff_releases.py", old / "changed.txt", new / "changed.txt", "--unified")
    assert "@@ -1,3 +1,4 @@\n one\n-two\n+2\n three\n+four\n" in told


def test_kernel_on_the_simulator() -> None:
    needs("matplotlib", "pandas")
    assert "428 time units; by the closed form of lemma 1 they are 428" in run("kernel_on_the_simulator.py")


def test_the_notebook_runs_as_a_notebook(tmp_path: Path) -> None:
    needs("jupytext", "nbconvert", "ipykernel", "matplotlib", "pandas")
    notebook = tmp_path / "kernel.ipynb"
    run("-m", "jupytext", "--to", "ipynb", "--execute", "--output", notebook, EXAMPLES / "kernel_on_the_simulator.py", at=tmp_path)
    assert "428 time units" in notebook.read_text(encoding="utf-8")


def test_dask() -> None:
    needs("dask", "pandas", "pyarrow")
    assert re.search(r"wave +waves +1", run("engines/with_dask.py"))


def test_ray() -> None:
    needs("ray", "pyarrow", "pandas")
    told = run("engines/with_ray.py")
    assert "{'a': 'wave', 'b': 'waves', 'distance': 1}" in told
    assert "humanMito" in told
