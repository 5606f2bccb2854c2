"""Tests of the classes for edit operations without an engine."""

from __future__ import annotations

import doctest
import importlib
import pickle
import random
import sys
import types
from pathlib import Path

import pytest

import cases_rapidfuzz as cases
from class_checks import CHECKS

try:
    from carrywave.compat.rapidfuzz import _editops, _records
except ImportError:  # The package is not built. The classes need no other part of it.
    lists = types.ModuleType("lists")
    lists.__path__ = [str(Path(__file__).parents[2] / "carrywave/compat/rapidfuzz")]
    sys.modules["lists"] = lists
    _editops, _records = (importlib.import_module(f"lists.{name}") for name in ("_editops", "_records"))


@pytest.mark.parametrize(("check", "case"), CHECKS)
def test_class(check, case):
    check(_editops, case)


@pytest.mark.parametrize("module", [_editops, _records], ids=["editops", "records"])
def test_examples_of_the_documentation(module):
    told = doctest.testmod(module)
    assert told.attempted > 0 and told.failed == 0


def test_pickle():
    whole = _editops.Editops(cases.OPERATIONS, *cases.OPERATIONS_LENGTHS)
    for item in (whole, whole.as_opcodes(), whole[0], whole.as_matching_blocks()[0]):
        assert pickle.loads(pickle.dumps(item)) == item


def test_strings_that_are_too_short():
    whole = _editops.Editops(cases.OPERATIONS, *cases.OPERATIONS_LENGTHS)
    for kind in (whole, whole.as_opcodes()):
        with pytest.raises(ValueError):
            kind.apply("abc", "ABC")


def random_operations(random_: random.Random, src_len: int) -> tuple[list, int]:
    """Returns operations on a string of `src_len` symbols, and the length of the result."""
    operations, src, dest = [], 0, 0
    while src < src_len or random_.random() < 0.3:
        tag = random_.choice(["insert", "delete", "replace", "equal"]) if src < src_len else "insert"
        if tag != "equal":
            operations.append((tag, src, dest))
        src += tag != "insert"
        dest += tag != "delete"
    return operations, dest


def test_random_lists():
    seed = 1
    random_ = random.Random(seed)
    for round_ in range(500):
        src_len = random_.randrange(12)
        given, dest_len = random_operations(random_, src_len)
        whole = _editops.Editops(given, src_len, dest_len)
        where = f"seed {seed}, round {round_}: {given}"
        assert whole.as_list() == given, where
        assert whole.as_opcodes().as_editops() == whole, where
        assert _editops.Opcodes(whole.as_opcodes().as_list(), src_len, dest_len) == whole.as_opcodes(), where
        assert whole.inverse().inverse() == whole, where
        assert whole.inverse().as_opcodes() == whole.as_opcodes().inverse(), where
        s1 = "".join(random_.choices("abc", k=src_len))
        s2 = "".join(random_.choices("xyz", k=dest_len))
        result = whole.apply(s1, s2)
        assert len(result) == dest_len and result == whole.as_opcodes().apply(s1, s2), where
        # Applying a part and then the remaining operations equals applying all.
        part = whole.copy()
        for position in range(len(part) - 1, -1, -1):
            if random_.random() < 0.5:
                del part[position]
        assert part.as_opcodes().as_editops() == part, where
        assert whole.remove_subsequence(part).apply(part.apply(s1, s2), s2) == result, where
