"""Tests that the drop-ins refuse unknown names, with a message that lists their functions."""

from __future__ import annotations

import importlib
import inspect
import os
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from carrywave.compat import edlib
from carrywave.compat import rapidfuzz as ours

SCORERS = ["distance.Indel.distance", "distance.LCSseq.normalized_similarity", "distance.Levenshtein.distance", "fuzz.ratio"]
SCORES = {"distance", "normalized_distance", "normalized_similarity", "similarity"}
METRIC = SCORES | {"editops", "opcodes"}
METRICS = {metric: METRIC for metric in ("Hamming", "Indel", "LCSseq", "Levenshtein")}
METRICS |= {metric: SCORES for metric in ("DamerauLevenshtein", "Jaro", "JaroWinkler", "OSA", "Postfix", "Prefix")}
PRESENT = {
    "": {"distance", "fuzz", "process", "utils"},
    ".distance": {"Editop", "Editops", "MatchingBlock", "Opcode", "Opcodes", "ScoreAlignment", *METRICS},
    ".fuzz": {
        "QRatio", "WRatio", "partial_ratio", "partial_ratio_alignment", "partial_token_ratio", "partial_token_set_ratio",
        "partial_token_sort_ratio", "ratio", "token_ratio", "token_set_ratio", "token_sort_ratio",
    },
    ".process": {"cdist", "cpdist", "extract", "extractOne", "extract_iter"},
    ".utils": {"default_process"},
}  # fmt: skip
PRESENT |= {f".distance.{metric}": names for metric, names in METRICS.items()}
MODULES = [*PRESENT]


def module(path: str) -> Any:
    return importlib.import_module(f"carrywave.compat.rapidfuzz{path}")


def refused(path: str, name: str, of: Any) -> None:
    """Checks that attribute access and import refuse the name and list the existing ones."""
    assert not hasattr(of, name)
    with pytest.raises(AttributeError) as attribute:
        getattr(of, name)
    with pytest.raises(ImportError) as imported:
        exec(f"from {of.__name__} import {name}")
    for caught in (attribute, imported):
        message = str(caught.value)
        assert f"{of.__name__} has no {name!r}" in message
        assert all(present in message for present in PRESENT.get(path, ())), message


@pytest.mark.parametrize("path", MODULES)
def test_every_name_of_rapidfuzz_is_there_or_refused(path):
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, to compare with, is not installed")
    theirs, own = importlib.import_module(f"rapidfuzz{path}"), module(path)
    assert set(own.__all__) == PRESENT[path]
    names = set(getattr(theirs, "__all__", None) or PRESENT[path])
    # `get_include` returns the folder of rapidfuzz's headers for C.
    assert PRESENT[path] == names - {"get_include"}
    for name in ("anything", "Ratio", "__version__", "get_include"):
        refused(path, name, own)


def test_other_packages_are_refused():
    with pytest.raises(ImportError, match="carrywave.compat has no 'jellyfish'. It has: Levenshtein, edlib, rapidfuzz."):
        exec("from carrywave.compat import jellyfish")
    program = "import carrywave.compat; print(carrywave.compat.edlib.align, carrywave.compat.rapidfuzz.fuzz.ratio)"
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})


def test_every_name_of_edlib_is_there_or_refused():
    for name in ("NeedsAlphabetMapping", "anything", "EdlibError"):
        assert not hasattr(edlib, name)
        with pytest.raises(AttributeError, match=f"has no '{name}'. It has: align, getNiceAlignment"):
            getattr(edlib, name)
        with pytest.raises(ImportError, match=f"has no '{name}'. It has: align, getNiceAlignment"):
            exec(f"from carrywave.compat.edlib import {name}")
    peer = pytest.importorskip("edlib", reason="edlib, to compare with, is not installed")
    functions = {name for name in dir(peer) if not name.startswith("_") and inspect.isroutine(getattr(peer, name))}
    assert functions == set(edlib.__all__)


@pytest.mark.parametrize("function", ["extract", "extractOne", "extract_iter"])
@pytest.mark.parametrize(
    ("query", "choices"), [("a", ["a", "b"]), ("a", []), (None, ["a"]), ("a", {"key": "a"}), ("a", ("a", "ab")), ("", [None])]
)
def test_the_default_scorer_is_that_of_rapidfuzz(function, query, choices):
    peer = pytest.importorskip("rapidfuzz", reason="rapidfuzz, to compare with, is not installed")
    importlib.import_module("rapidfuzz.process")
    call = lambda module: getattr(module.process, function)(query, choices)  # noqa: E731
    results = [list(found) if function == "extract_iter" else found for found in (call(ours), call(peer))]
    assert results[0] == results[1]


@pytest.mark.parametrize("scorer", [None, "ratio", 1, ["ratio"], ours.fuzz])
@pytest.mark.parametrize("function", ["extract", "extractOne", "extract_iter", "cdist", "cpdist"])
def test_what_is_no_scorer_is_refused(function, scorer):
    for choices in ([], ["a"]):
        with pytest.raises(TypeError, match="a scorer is a function, not") as caught:
            getattr(ours.process, function)(choices if function[0] == "c" else "a", choices, scorer=scorer)
        assert all(name in str(caught.value) for name in SCORERS)


@pytest.mark.parametrize("processor", ["default_process", True, 1, [1]])
def test_what_is_no_processor_is_refused(processor):
    levenshtein = ours.distance.Levenshtein
    options = {"scorer": ours.fuzz.ratio, "processor": processor}
    for call in (
        lambda: ours.fuzz.ratio("a", "b", processor=processor),
        lambda: levenshtein.distance("a", "b", processor=processor),
        lambda: levenshtein.editops("a", "b", processor=processor),
        lambda: levenshtein.opcodes("a", "b", processor=processor),
        lambda: ours.process.extract("a", ["b"], **options),
        lambda: ours.process.extractOne("a", ["b"], **options),
        lambda: ours.process.extract_iter("a", ["b"], **options),
        lambda: ours.process.cdist(["a"], ["b"], **options),
        lambda: ours.process.cpdist(["a"], ["b"], **options),
    ):
        with pytest.raises(TypeError, match="processor is a function of one string"):
            call()


def test_unknown_arguments_are_refused():
    levenshtein, indel = ours.distance.Levenshtein, ours.distance.Indel
    process, ratio = ours.process, ours.fuzz.ratio
    for call, word in [
        (lambda: ratio("a", "b", weights=(1, 1, 1)), "weights"),
        (lambda: ratio("a", "b", score_hint=1), "score_hint"),
        (lambda: levenshtein.distance("a", "b", pad=True), "pad"),
        (lambda: levenshtein.editops("a", "b", weights=(1, 1, 1)), "weights"),
        (lambda: indel.distance("a", "b", weights=(1, 1, 1)), "weights"),
        (lambda: process.extract("a", ["b"], scorer=ratio, workers=2), "workers"),
        (lambda: process.extractOne("a", ["b"], scorer=ratio, limit=2), "limit"),
        (lambda: process.cdist(["a"], ["b"], limit=2), "limit"),
        (lambda: process.extract("a", ["b"], scorer=ratio, scorer_kwargs={"weights": (1, 1, 1)}), "weights"),
        (lambda: process.extract("a", ["b"], scorer=levenshtein.distance, scorer_kwargs={"pad": 1}), "pad"),
        (lambda: process.cdist(["a"], ["b"], scorer=levenshtein.distance, scorer_kwargs={"pad": 1}), "pad"),
        (lambda: process.cdist(["a"], ["b"], scorer=indel.similarity, scorer_kwargs={"prefix_weight": 1}), "prefix_weight"),
        (lambda: edlib.align("a", "b", cutoff=1), "cutoff"),
        (lambda: edlib.getNiceAlignment({}, "a", "b", gap="-"), "gap"),
    ]:
        with pytest.raises(TypeError, match=word):
            call()
    with pytest.raises(ValueError, match="limit is None or at least 0, not -1"):
        process.extract("a", ["b"], scorer=ratio, limit=-1)


def parameters(function: Any) -> list[tuple[str, Any]]:
    return [(name, parameter.kind) for name, parameter in inspect.signature(function).parameters.items()]


def test_the_parameters_are_those_of_rapidfuzz():
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, to compare with, is not installed")
    for path, names in PRESENT.items():
        theirs, own = importlib.import_module(f"rapidfuzz{path}"), module(path)
        for name in names:
            # rapidfuzz declares cdist and cpdist with **kwargs.
            if callable(getattr(own, name)) and not inspect.isclass(getattr(own, name)) and name not in ("cdist", "cpdist"):
                assert parameters(getattr(own, name)) == parameters(getattr(theirs, name)), f"{path}.{name}"


def test_the_ways_to_import():
    """Checks that metrics are modules, as in rapidfuzz, and that functions can be pickled."""
    from carrywave.compat.rapidfuzz.distance.Indel import normalized_similarity
    from carrywave.compat.rapidfuzz.distance.Levenshtein import distance, editops

    assert distance("kitten", "sitting") == 3 and len(editops("kitten", "sitting")) == 3
    assert normalized_similarity("ab", "ab") == 1.0
    for metric, names in METRICS.items():
        for name in names:
            function = getattr(module(f".distance.{metric}"), name)
            assert pickle.loads(pickle.dumps(function)) is function
    assert pickle.loads(pickle.dumps(ours.fuzz.ratio)) is ours.fuzz.ratio


def test_the_readmes_list_the_functions():
    """Checks that the table of python/README.md lists exactly the existing functions."""
    text = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    rows = dict(line.strip("| ").split(" | ", 1) for line in text.splitlines() if line.startswith("| `carrywave.compat."))
    for path in (".distance", *(f".distance.{metric}" for metric in METRICS), ".fuzz", ".process", ".utils"):
        listed = rows[f"`carrywave.compat.rapidfuzz{path}`"]
        assert {name.strip("` ") for name in listed.split(",")} == PRESENT[path]
    assert {name.strip("` ") for name in rows["`carrywave.compat.edlib`"].split(",")} == set(edlib.__all__)
    top = (Path(__file__).parents[3] / "README.md").read_text(encoding="utf-8")
    assert "have the functions of these packages" not in top + text
