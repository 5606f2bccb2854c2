"""Tests the memory machines' counts against Nakano's lemma 1 (closed form), and as data frames."""

from __future__ import annotations

import pytest

import carrywave.machine as machine


def contiguous(n: int, p: int, w: int, latency: int) -> int:
    """Returns the time of p threads that read n neighbouring words in lockstep, in time units.

    Each of the n / p turns takes p / w stages, and the last stage arrives after the latency.
    """
    return n // p * (p // w + latency - 1)


@pytest.mark.parametrize("n, p, w, latency", [(1024, 256, 32, 100), (4096, 64, 32, 1), (512, 64, 16, 7)])
def test_report_of_contiguous_reading(n: int, p: int, w: int, latency: int) -> None:
    report = machine.report("contiguous", n=n, p=p, width=w, latency=latency)
    assert report.time == report.closed_form == contiguous(n, p, w, latency)
    assert (report.requests, report.stages, report.conflicts, report.threads) == (n, n // w, 0, p)
    assert report["access"] == ["read"]


def test_rows_add_up_to_the_totals() -> None:
    report = machine.report("dmm", m=32, n=64)
    assert len(report) > 3
    for name in ("accesses", "requests", "stages", "conflicts", "time"):
        assert sum(report[name]) == getattr(report, name)


def test_sweep() -> None:
    swept = machine.sweep("contiguous", "n=1024:3072:1024,p=64,256,l=1,100")
    assert len(swept) == 12
    rows = swept.rows()
    assert [(row["n"], row["p"], row["l"]) for row in rows] == [(n, p, l) for n in (1024, 2048, 3072) for p in (64, 256) for l in (1, 100)]
    for row in rows:
        assert row["time"] == row["closed_form"] == contiguous(row["n"], row["p"], row["w"], row["l"])
        assert row["fitted"] == pytest.approx(row["time"])
    assert dict(zip(swept.fit["term"], swept.fit["value"], strict=True)) == pytest.approx({"n/w": 1, "nl/p": 1, "n/p": -1})
    assert swept.fit.r_squared == pytest.approx(1)


def test_kernels_run() -> None:
    kernels = machine.kernels()
    assert len(kernels) == len(set(kernels["kernel"])) > 20
    with pytest.raises(ValueError, match="none"):
        machine.report("none")


def test_data_frames() -> None:
    report = machine.report("umm", m=32, n=64)
    columns = dict(report)
    assert list(columns) == report.keys()
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    assert report.to_pandas().to_dict("list") == columns
    polars = pytest.importorskip("polars", reason="polars is not installed")
    assert report.to_polars().to_dict(as_series=False) == columns
    pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed")
    assert report.to_arrow().to_pydict() == columns
    assert pyarrow.table(report).to_pydict() == columns
    assert polars.DataFrame(report).to_dict(as_series=False) == columns
    assert isinstance(report.to_pandas(), pandas.DataFrame)


def test_long_tables_are_cut_short() -> None:
    shown = repr(machine.Table({"n": list(range(100)), "share": [0.5] * 100}))
    assert shown.startswith("Table of 100 rows\n n  share\n 0    0.5\n")
    assert shown.endswith("19    0.5\n...")
    assert repr(machine.Table({})) == "Table of 0 rows"
