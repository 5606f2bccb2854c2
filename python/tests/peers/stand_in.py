"""A pytest plugin that replaces rapidfuzz and edlib by carrywave's drop-ins in their own tests.

The tests import each module of rapidfuzz in two versions, in C++ and in Python. The plugin replaces
both. A test of a function that carrywave does not have is skipped, and the reason names the
function. `ABSENT_SCORERS` and `ABSENT_METRICS` list these functions; any other missing name is an
error. With CARRYWAVE_SUITE_RESULTS=FILE the outcome of each test is written to FILE as JSON.
"""

from __future__ import annotations

import json
import os
import sys
from types import ModuleType
from typing import Any

import pytest

import carrywave.compat.edlib
from carrywave.compat.rapidfuzz import distance, fuzz, process, utils

KINDS = ("distance", "similarity", "normalized_distance", "normalized_similarity")

# Functions of rapidfuzz that carrywave does not have.
ABSENT_SCORERS = [
    "partial_ratio", "partial_ratio_alignment", "partial_token_ratio", "partial_token_set_ratio", "partial_token_sort_ratio", "QRatio",
    "token_ratio", "token_set_ratio", "token_sort_ratio", "WRatio",
]  # fmt: skip
ABSENT_METRICS = {
    "DamerauLevenshtein": "damerau_levenshtein", "Hamming": "hamming", "Jaro": "jaro", "JaroWinkler": "jaro_winkler", "OSA": "osa",
    "Postfix": "postfix", "Prefix": "prefix",
}  # fmt: skip
PRESENT_METRICS = {"Levenshtein": "levenshtein", "Indel": "indel", "LCSseq": "lcs_seq"}

SKIPPED_FOR_SCORER = "a scorer of `fuzz` other than `ratio`"
SKIPPED_FOR_DEFAULT = "the default scorer of `process`, `fuzz.WRatio`"
SKIPPED_FOR_METRIC = "a metric of `distance` other than Levenshtein, Indel and LCSseq"
SKIPPED_FOR_PROCESSOR = "`utils.default_process`"


def absent(module: Any, name: str, reason: str, function: str = "") -> Any:
    """Returns a function that skips the test.

    First checks that the drop-in has no such function, and that its error names the function.
    """
    with pytest.raises(AttributeError, match=f"has no '{name}'"):
        getattr(module, name)

    def skips(*_: Any, **__: Any) -> Any:
        pytest.skip(reason)

    skips.__name__ = skips.__qualname__ = function or name
    skips._RF_ScorerPy = {"get_scorer_flags": skips}  # type: ignore[attr-defined]
    return with_marks(skips)


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
    for metric, prefix in PRESENT_METRICS.items():
        functions = getattr(distance, metric)
        parts.update({f"{prefix}_{kind}": with_marks(getattr(functions, kind)) for kind in KINDS})
        parts.update({f"{prefix}_{name}": getattr(functions, name) for name in ("editops", "opcodes")})
    for metric, prefix in ABSENT_METRICS.items():
        lists = ("editops", "opcodes") if metric == "Hamming" else ()
        parts.update({f"{prefix}_{name}": absent(distance, metric, SKIPPED_FOR_METRIC, name) for name in (*KINDS, *lists)})
    return parts


def stand_in() -> None:
    sys.modules["edlib"] = carrywave.compat.edlib
    put("rapidfuzz", {})
    put("rapidfuzz._feature_detector", {"AVX2": 1, "SSE2": 2, "supports": lambda _: False})
    scorers = {"ratio": with_marks(fuzz.ratio)} | {name: absent(fuzz, name, SKIPPED_FOR_SCORER) for name in ABSENT_SCORERS}
    processors = {"default_process": absent(utils, "default_process", SKIPPED_FOR_PROCESSOR)}
    for suffix in ("", "_cpp", "_py"):
        put(f"rapidfuzz.fuzz{suffix}", scorers)
        put(f"rapidfuzz.utils{suffix}", processors)
        put(f"rapidfuzz.process{suffix}", public(process))
    put("rapidfuzz.distance", public(distance) | {"Levenshtein_py": distance.Levenshtein})
    for metric in ABSENT_METRICS:
        put(f"rapidfuzz.distance.{metric}", {kind: absent(distance, metric, SKIPPED_FOR_METRIC, kind) for kind in KINDS})
    for suffix in ("_cpp", "_py"):
        put(f"rapidfuzz.distance.metrics{suffix}", metrics())
        put(f"rapidfuzz.distance._initialize{suffix}", public(distance))


stand_in()
RESULTS: dict[str, tuple[str, str]] = {}


def pytest_collection_modifyitems(items: list[Any]) -> None:
    for item in items:
        scorer = getattr(item, "callspec", None) and item.callspec.params.get("scorer")
        # A test of the help text calls no function, so it would pass.
        if getattr(scorer, "__name__", "") in ABSENT_SCORERS:
            item.add_marker(pytest.mark.skip(reason=SKIPPED_FOR_SCORER))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: Any) -> Any:
    try:
        return (yield)
    except NotImplementedError as error:
        if "rapidfuzz's default scorer, fuzz.WRatio" not in str(error):
            raise
    pytest.skip(SKIPPED_FOR_DEFAULT)


def pytest_runtest_logreport(report: Any) -> None:
    reason = report.longrepr[2].removeprefix("Skipped: ") if report.skipped else ""
    if report.when == "call" or not report.passed:
        RESULTS[report.nodeid] = (report.outcome, reason)


def pytest_sessionfinish() -> None:
    path = os.environ.get("CARRYWAVE_SUITE_RESULTS")
    if path:
        with open(path, "w", encoding="utf-8") as file:
            json.dump(RESULTS, file)
