"""Selects the module under test for this folder: carrywave's drop-ins or the peers themselves."""

from __future__ import annotations

import importlib
import math
import os
from typing import Any, Callable

import pytest

# With CARRYWAVE_PEER=peer the cases run against rapidfuzz and edlib, to verify the expected values.
AGAINST_PEER = os.environ.get("CARRYWAVE_PEER") == "peer"


def under_test(name: str) -> Any:
    """Returns `carrywave.compat.<name>`, or the package that it replaces."""
    if AGAINST_PEER:
        pytest.importorskip(name)
        for part in ("distance", "fuzz", "process", "utils") if name == "rapidfuzz" else ():
            importlib.import_module(f"{name}.{part}")
        return importlib.import_module(name)
    pytest.importorskip("carrywave", reason="carrywave is not installed")
    return importlib.import_module(f"carrywave.compat.{name}")


def scorer(rapidfuzz: Any, name: tuple[str, str]) -> Callable:
    """Returns a scorer by its name, such as ("Levenshtein", "distance") or ("fuzz", "ratio")."""
    where, function = name
    return getattr(rapidfuzz.fuzz if where == "fuzz" else getattr(rapidfuzz.distance, where), function)


def is_missing(value: Any) -> bool:
    """Returns true for None and NaN."""
    return value is None or (isinstance(value, float) and math.isnan(value))


def short(value: Any) -> str:
    """Returns an input in short form, for the name or the message of a test."""
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:40]}… of {len(text)}"
