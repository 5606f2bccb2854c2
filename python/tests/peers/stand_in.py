"""A pytest plugin that replaces rapidfuzz, Levenshtein and edlib by the drop-ins in their tests.

The tests import each module of rapidfuzz in two versions, in C++ and in Python. The plugin replaces
both. With CARRYWAVE_SUITE_RESULTS=FILE the outcome of each test is written to FILE as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from types import ModuleType
from typing import Any

import pytest

import carrywave.compat.edlib
import carrywave.compat.Levenshtein
from carrywave.compat.rapidfuzz import distance, fuzz, process, utils

KINDS = ("distance", "similarity", "normalized_distance", "normalized_similarity")

# The prefix of a metric's functions in `metrics_py`.
METRICS = {
    "DamerauLevenshtein": "damerau_levenshtein", "Hamming": "hamming", "Indel": "indel", "Jaro": "jaro", "JaroWinkler": "jaro_winkler",
    "LCSseq": "lcs_seq", "Levenshtein": "levenshtein", "OSA": "osa", "Postfix": "postfix", "Prefix": "prefix",
}  # fmt: skip


def with_marks(function: Any) -> Any:
    """Returns the function with the attribute that the tests expect of functions in C++."""
    function._RF_Scorer = None
    return function


def put(name: str, parts: dict[str, Any]) -> ModuleType:
    """Registers a module with these parts under the name, and returns it."""
    module = ModuleType(name)
    module.__dict__.update(parts, __path__=[])
    sys.modules[name] = module
    parent, _, last = name.rpartition(".")
    if parent:
        setattr(sys.modules[parent], last, module)
    return module


def public(module: Any) -> dict[str, Any]:
    return {name: getattr(module, name) for name in module.__all__}


def metrics() -> dict[str, Any]:
    """Returns the functions of all metrics by their names in `metrics_py`."""
    parts: dict[str, Any] = {}
    for metric, prefix in METRICS.items():
        functions = getattr(distance, metric)
        parts.update({f"{prefix}_{kind}": with_marks(getattr(functions, kind)) for kind in KINDS})
        parts.update({f"{prefix}_{name}": getattr(functions, name) for name in ("editops", "opcodes") if name in functions.__all__})
    return parts


def stand_in() -> None:
    sys.modules["edlib"] = carrywave.compat.edlib
    sys.modules["Levenshtein"] = carrywave.compat.Levenshtein
    put("rapidfuzz", {})
    put("rapidfuzz._feature_detector", {"AVX2": 1, "SSE2": 2, "supports": lambda _: False})
    scorers = {name: with_marks(function) for name, function in public(fuzz).items()}
    for suffix in ("", "_cpp", "_py"):
        put(f"rapidfuzz.fuzz{suffix}", scorers)
        put(f"rapidfuzz.utils{suffix}", public(utils))
        put(f"rapidfuzz.process{suffix}", public(process))
    put("rapidfuzz.distance", public(distance) | {"Levenshtein_py": distance.Levenshtein})
    for metric in METRICS:
        put(f"rapidfuzz.distance.{metric}", public(getattr(distance, metric)))
    for suffix in ("_cpp", "_py"):
        put(f"rapidfuzz.distance.metrics{suffix}", metrics())
        put(f"rapidfuzz.distance._initialize{suffix}", public(distance))


stand_in()
RESULTS: dict[str, tuple[str, str]] = {}


def pytest_runtest_logreport(report: Any) -> None:
    reason = report.longrepr[2].removeprefix("Skipped: ") if report.skipped else ""
    if report.when == "call" or not report.passed:
        RESULTS[report.nodeid] = (report.outcome, reason)


def pytest_sessionfinish() -> None:
    path = os.environ.get("CARRYWAVE_SUITE_RESULTS")
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(RESULTS, file)
