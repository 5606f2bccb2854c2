"""Tests the types with a type checker, and the stubs against the compiled functions.

The checker must find all mistakes in a wrong program and no mistake in a right one.
"""

from __future__ import annotations

import ast
import importlib.util
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

import carrywave
import pytest
from carrywave import _types

PACKAGE = Path(carrywave.__file__).parent

RIGHT = """
import array
from pathlib import Path
from typing import Any

import carrywave
import numpy as np

bar: Any = None
engine = carrywave.Cpu(threads=2)
distance: int = carrywave.distance("kitten", b"sitting", score_cutoff=3, mode="infix", equal=["AC", "GT"], engine=engine, algorithm="dp", mixed=True)
carrywave.distance(np.arange(3), [1, "one", None], engine="cpu", progress=lambda done, total: None)
carrywave.distance(bytearray(b"a"), memoryview(b"a"), equal="iupac", engine=carrywave.Simt(seed=1))
carrywave.distance(array.array("i", [1]), (1, 2), progress=bar)
text: str = carrywave.lcs("a", "b", algorithm="block-step").subsequence("a")
data: bytes = carrywave.lcs(b"a", b"b").subsequence(b"a")
items: list[Any] = carrywave.lcs([1], [2]).subsequence([1])
cigar: str = carrywave.align("a", "b", gaps="rightmost").cigar
matrix = carrywave.cdist(["a", None], np.array(["b"]), scorer="indel", score_cutoff=2, engine="auto")
near = (matrix <= 2) & (matrix != carrywave.MISSING)
carrywave.cdist(["a"], dtype="uint8").sum()
carrywave.cdist(["a"], dtype=np.float32, score_cutoff=3).sum()
carrywave.cpdist(("a",), ["b"])
carrywave.clusters({"a": 1}.keys(), 3)
carrywave.clusters(["a"], similarity=0.9, linkage="star")
mapped: np.memmap[Any, Any] = carrywave.cdist(["a"], out=np.memmap("a", "int32", shape=(1, 1)))
nearest = carrywave.nearest(["a"], ["b"], top=3)
nearest.index.tolist()
carrywave.within(["a"], 3, scorer="levenshtein").distance.sum()
carrywave.places("a", "b", mode="prefix").starts.tolist()
rotation: int = carrywave.lcs("a", "b", circular=True).rotation
overlapped: int = carrywave.overlap("a", b"b", equal=["AC"]).a_end
hits = carrywave.search(["a", "b"], ["texts"], 1, percent=None, alphabet="dna", both_strands=True, ends="all", fixed=[1], algorithm="myers")
hit: carrywave.Hit = hits[0]
before, after = hit.beyond
some: carrywave.Hits = hits[1:3]
number: int = hit.strand
carrywave.Searcher(b"a", k=1, text_codes="never").count(b"a", progress=bar)
site: carrywave.Site = carrywave.guides(["ACGT"], [b"ACGTAGG"], "TTN", pam_side="before", edits=2, engine="cpu")[0]
score: float | None = site.cfd
alleles: tuple[str, ...] = carrywave.guides("ACGT", "ACGT", alignments="all", variants=Path("a.vcf"), names="chr1")[0].variants
assigned = carrywave.Barcodes(["ACGT"], margin=2, place=(0, 4)).assign(["ACGT"]).assigned
carrywave.molecules(assigned, ["ACGT"], length=4).molecules.sum()
trimmed = carrywave.Trimmer(["ACGT"], front="^GG", action="mask", quality_cutoff=(10, 20)).trim([b"ACGT"], [b"IIII"])
reason: str | None = trimmed.filter[0]
carrywave.best("a", "b", ignore_case=True, algorithm="umm").cigar.upper()
carrywave.diff("a", "b", unit="word", white_space="all").unified("a", "b", context=2)
carrywave.read(Path("a"), lines=True)[0].symbols.decode()
carrywave.arrow.distance_batch(None, "a", "b", scorer="indel")
carrywave.machine.report("dmm", model="dmm").rows()
carrywave.compat.edlib.align("a", "b")
try:
    carrywave.Gpu(0, count=2).describe()
except carrywave.NoGpu as error:
    print(error.args)
except carrywave.Error:
    pass
"""

WRONG = """
import carrywave

carrywave.cdist(["a"], ["b"], scorer="levenstein")
carrywave.cdist(["a"], dtype="uint8", scorer="ratio")
carrywave.cpdist(["a"], ["b"], scorer=carrywave.distance)
carrywave.distance("a", "b", cutoff=3)
carrywave.distance("a", "b", engine=0)
carrywave.distance("a", "b", engine="cuda")
carrywave.distance("a", "b", mode="local")
carrywave.distance("a", "b", score_cutoff="3")
carrywave.distance("a", None)
carrywave.distance("a", 5)
carrywave.distance("a", "b", algorithm="fast")
carrywave.distance("a", "b", circular="yes")
carrywave.overlap("a", "b", mode="infix")
carrywave.align("a", "b", gaps="left")
carrywave.align("a", "b").score
carrywave.lcs("a", "b").length()
carrywave.lcs("a", "b", progress=True)
carrywave.nearest(["a"], ["b"], limit=3)
carrywave.nearest(["a"], ["b"], scorer="ratio")
carrywave.within(["a"], similarity="0.9")
carrywave.clusters(["a"], "3")
carrywave.search("a", "b", errors=1)
carrywave.search("a", "b", alphabet="rna")
carrywave.search("a", "b", k="1")
carrywave.search("a", "b", ends="first")
carrywave.search("a", "b")[0].begin
carrywave.Searcher("a", engine=carrywave.distance)
carrywave.Searcher("a", 1, both_strand=True)
carrywave.best("a", "b", k=1)
carrywave.guides("ACGT", "ACGT", alignments="some")
carrywave.Barcodes(["ACGT"], place="within")
carrywave.Barcodes(["ACGT"]).nearest(None)
carrywave.Trimmer("ACGT", action="cut")
carrywave.Trimmer("ACGT", minimum_length=3)
carrywave.diff("a", "b", unit="lines")
carrywave.diff(["a"], ["b"])
carrywave.Cpu("2")
carrywave.read(5)
carrywave.arrow.distance_batch(None, scorer="hamming")
carrywave.machine.report("dmm", model="hmm")
carrywave.distances("a", "b")
"""


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_a_checker_finds_mistakes(tmp_path: Path) -> None:
    for name, program in (("right.py", RIGHT), ("wrong.py", WRONG)):
        (tmp_path / name).write_text(program, encoding="utf-8")
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--no-error-summary", "right.py", "wrong.py"]
    told = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240).stdout
    found = {(name, int(line)) for name, line in re.findall(r"^(right|wrong)\.py:(\d+): error", told, re.MULTILINE)}
    calls = {("wrong", number) for number, line in enumerate(WRONG.splitlines(), 1) if line.startswith("carrywave.")}
    assert found == calls, told


@pytest.mark.skipif(importlib.util.find_spec("mypy") is None, reason="mypy is not installed")
def test_a_checker_finds_no_mistake_in_the_package(tmp_path: Path) -> None:
    environment = {**os.environ, "MYPYPATH": str(PACKAGE.parent)}
    command = [sys.executable, "-m", "mypy", "--strict", "--ignore-missing-imports", "--no-error-summary", "-p", "carrywave"]
    told = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=240).stdout
    # Other packages, which may have types or not, are no part of this.
    found = [line for line in told.splitlines() if "carrywave/" in line and ": error: " in line]
    assert not found, told


def stubs() -> dict[str, ast.FunctionDef]:
    tree = ast.parse((PACKAGE / "_carrywave.pyi").read_text(encoding="utf-8"))
    # Reversed, so that the first of several overloads stays: it has all defaults.
    return {node.name: node for node in reversed(tree.body) if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("name", stubs())
def test_stubs_have_the_parameters_of_the_functions(name: str) -> None:
    function, stub = getattr(carrywave._carrywave, name), stubs()[name]
    arguments = stub.args
    if arguments.kwarg is not None:
        # The functions of `machine` take keyword arguments that their callers in Python define.
        return
    signature = inspect.signature(function)
    named = [argument.arg for argument in (*arguments.args, *arguments.kwonlyargs)]
    assert named == list(signature.parameters)
    defaults = [*arguments.defaults, *(default for default in arguments.kw_defaults if default is not None)]
    empty = inspect.Parameter.empty
    expected = [parameter.default for parameter in signature.parameters.values() if parameter.default is not empty]
    assert [ast.literal_eval(default) for default in defaults] == expected


def names(call: Any) -> set[str]:
    """Returns the names that the message of a ValueError lists."""
    with pytest.raises(ValueError) as error:
        call()
    text = str(error.value)
    return set(re.findall(r"'([a-z-]+)'", text) if "one of" not in text else re.split(r", ", text.partition("one of ")[2])) - {"none-such"}


CHOICES: dict[str, Any] = {
    "Scorer": lambda: carrywave.cdist([], scorer="none-such"),
    "Linkage": lambda: carrywave.clusters([], 1, linkage="none-such"),
    "Mode": lambda: carrywave.distance("a", "b", mode="none-such"),
    "Alignments": lambda: carrywave.guides("ACGT", "ACGT", alignments="none-such"),
    "Gaps": lambda: carrywave.align("a", "b", gaps="none-such"),
    "Alphabet": lambda: carrywave.search("a", "b", alphabet="none-such"),
    "TextCodes": lambda: carrywave.search("a", "b", text_codes="none-such"),
    "Anchor": lambda: carrywave.search("a", "b", anchor="none-such"),
    "Ends": lambda: carrywave.search("a", "b", ends="none-such"),
    "Unit": lambda: carrywave.diff("a", "b", unit="none-such"),
    "WhiteSpace": lambda: carrywave.diff("a", "b", white_space="none-such"),
    "TrimAction": lambda: carrywave.Trimmer(action="none-such"),
    "DistanceAlgorithm": lambda: carrywave.distance("a", "b", algorithm="none-such"),
    "LcsAlgorithm": lambda: carrywave.lcs("a", "b", algorithm="none-such"),
    "BestAlgorithm": lambda: carrywave.best("a", "b", algorithm="none-such"),
    "SearchAlgorithm": lambda: carrywave.search("a", "b", algorithm="none-such"),
}


@pytest.mark.parametrize("choice", CHOICES)
def test_choices_are_those_of_the_messages(choice: str) -> None:
    assert names(CHOICES[choice]) == set(get_args(getattr(_types, choice)))


LONG = "none-such " * 1000

UNKNOWN_NAMES: dict[str, Any] = {
    "scorer": lambda: carrywave.cdist([], scorer=LONG),
    "mode": lambda: carrywave.distance("a", "b", mode=LONG),
    "equal": lambda: carrywave.distance("a", "b", equal=LONG),
    "gaps": lambda: carrywave.align("a", "b", gaps=LONG),
    "engine": lambda: carrywave.distance("a", "b", engine=LONG),
    "algorithm": lambda: carrywave.distance("a", "b", algorithm=LONG),
    "alphabet": lambda: carrywave.search("a", "b", alphabet=LONG),
    "text codes": lambda: carrywave.search("a", "b", text_codes=LONG),
    "ends": lambda: carrywave.search("a", "b", ends=LONG),
    "algorithm of a search": lambda: carrywave.search("a", "b", algorithm=LONG),
    "unit": lambda: carrywave.diff("a", "b", unit=LONG),
    "white space": lambda: carrywave.diff("a", "b", white_space=LONG),
    "kernel": lambda: carrywave.machine.report(LONG),
    "model": lambda: carrywave.machine.report("contiguous", model=LONG),
    "memory": lambda: carrywave.machine.report("contiguous", memory=LONG),
    "ranges": lambda: carrywave.machine.sweep("contiguous", LONG),
    "terms": lambda: carrywave.machine.sweep("contiguous", "n=1024:4096:1024", terms=[LONG]),
    "choice": lambda: carrywave._carrywave.traced("a", "b", LONG),
}


@pytest.mark.parametrize("name", UNKNOWN_NAMES)
def test_messages_shorten_names(name: str) -> None:
    with pytest.raises(ValueError) as error:
        UNKNOWN_NAMES[name]()
    text = str(error.value)
    assert "none-such none" in text and "…" in text and len(text) < 1500


def test_modules_after_the_import_of_the_package() -> None:
    program = """
import sys, carrywave
early = [name for name in ("arrow", "compat", "machine", "pandas", "polars", "ray", "_types") if f"carrywave.{name}" in sys.modules] + [name for name in ("numpy", "pandas", "polars", "pyarrow") if name in sys.modules]
assert not early, early
assert {"arrow", "compat", "machine", "pandas", "polars", "ray", "distance"} <= set(dir(carrywave))
print(carrywave.arrow.distance_batch.__name__, carrywave.machine.report.__name__, carrywave.ray.search.__name__)
print(carrywave.compat.edlib.align.__name__, carrywave.compat.rapidfuzz.fuzz.ratio.__name__)
try:
    carrywave.arrows
except AttributeError as error:
    print(error)
"""
    told = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
    assert told == "distance_batch report search\nalign ratio\nmodule 'carrywave' has no attribute 'arrows'\n"
