"""The metadata of a measurement: machine, versions, command, medians and spreads."""

from __future__ import annotations

import importlib.metadata
import json
import os
import platform
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any


def about(packages: list[str], gpu: Any = None) -> dict[str, Any]:
    """Returns the command, the machine, the load, and the versions of Python and the packages."""
    versions = {"python": platform.python_version()}
    for name in packages:
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            versions[name] = "not installed"
    machine: dict[str, Any] = {"cpu": _cpu(), "cores": len(os.sched_getaffinity(0)), "memory_gib": _memory(), "system": platform.platform()}
    if gpu is not None:
        machine["gpu"] = gpu.describe()
    return {"command": " ".join([Path(sys.executable).name, *sys.argv]), "machine": machine, "versions": versions, "load_before": load()}


def _cpu() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor()
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), platform.processor())


def _memory() -> float:
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)


def load() -> float:
    """Returns the load average of the last minute, in processes."""
    return round(os.getloadavg()[0], 2)


def spread(seconds: list[float]) -> dict[str, Any]:
    """Returns the median, the minimum and the maximum of the rounds, and all rounds, in seconds."""
    return {
        "median": round(statistics.median(seconds), 4),
        "least": round(min(seconds), 4),
        "most": round(max(seconds), 4),
        "rounds": [round(second, 4) for second in seconds],
    }


def timed(ways: dict[str, Callable[[], int]], rounds: int) -> tuple[dict[str, list[float]], dict[str, int], float]:
    """Runs all ways in each round, so that other work on the machine slows all of them.

    Returns the seconds and the result of each way, and the greatest load.
    """
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    found: dict[str, int] = {}
    loads = []
    for _ in range(rounds):
        for way, run in ways.items():
            begin = time.perf_counter()
            found[way] = run()
            seconds[way].append(time.perf_counter() - begin)
            loads.append(load())
    return seconds, found, max(loads)


def write(result: dict[str, Any], path: str | None) -> None:
    """Writes the result as JSON to a file, or to standard output if there is no path."""
    text = json.dumps(result, indent=2) + "\n"
    if path is None:
        print(text, end="")
    else:
        Path(path).write_text(text)
