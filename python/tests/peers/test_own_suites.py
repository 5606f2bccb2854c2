"""Runs the peers' tests against the drop-ins: none fails, and python/README.md has the counts."""

from __future__ import annotations

from pathlib import Path

import pytest

import own_suites


def test_the_tables_of_the_readme():
    pytest.importorskip("hypothesis", reason="hypothesis, which rapidfuzz's tests use, is not installed")
    pytest.importorskip("pandas", reason="pandas, which rapidfuzz's tests use, is not installed")
    try:
        tables, failed = own_suites.tables()
    except own_suites.Unavailable as error:
        pytest.skip(f"a source distribution cannot be had here: {error}")
    assert failed == 0, tables
    readme = Path(__file__).parents[2] / "README.md"
    assert tables in readme.read_text(encoding="utf-8"), f"python/README.md has other tables than:\n{tables}"
