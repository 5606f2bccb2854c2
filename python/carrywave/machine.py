"""The cost of a kernel's memory accesses on Nakano's memory machines, counted on the simulator, as
tables for data frames.

A memory machine has `width` banks and answers after `latency` time units. The discrete memory
machine ("dmm") serves one word of each bank at once, like shared memory; the unified memory machine
("umm") serves neighbouring words, like global memory. `report` runs a kernel once and returns a row
for each line of its source that accesses memory; `sweep` runs it for many sizes, widths and
latencies and returns a row for each.

>>> import carrywave.machine as machine
>>> read = machine.report("contiguous", n=1024, p=256, latency=100)
>>> read.time, read.closed_form
(428, 428)
>>> read.select("access", "accesses", "stages", "conflicts", "time")
Table of 1 row
access  accesses  stages  conflicts  time
read          32      32          0   428

`to_pandas()`, `to_polars()` and `to_arrow()` convert a `Table` to a data frame. Packages that take
Arrow, such as DuckDB and polars, take it directly.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from . import _carrywave

__all__ = ["Fit", "Report", "Sweep", "Table", "kernels", "report", "sweep"]

SHOWN = 20
"""Maximum number of rows that a table shows of itself."""


class Table:
    """A table: lists of values by the names of their columns.

    >>> from carrywave.machine import Table
    >>> table = Table({"n": [1, 20], "kernel": ["myers", "kmp"]})
    >>> table
    Table of 2 rows
     n  kernel
     1  myers
    20  kmp
    >>> table["n"], len(table), table.rows()[1]
    ([1, 20], 2, {'n': 20, 'kernel': 'kmp'})
    """

    def __init__(self, columns: Mapping[str, list[Any]]) -> None:
        self._columns = dict(columns)

    def __getitem__(self, name: str) -> list[Any]:
        return self._columns[name]

    def __iter__(self) -> Iterator[str]:
        """Returns an iterator over the names of the columns."""
        return iter(self._columns)

    def __len__(self) -> int:
        """Returns the number of rows."""
        return max(map(len, self._columns.values()), default=0)

    def keys(self) -> list[str]:
        """Returns the names of the columns, so that `dict(table)` is a dictionary of lists."""
        return list(self._columns)

    def rows(self) -> list[dict[str, Any]]:
        """Returns the rows, each as a dictionary."""
        return [dict(zip(self._columns, row, strict=True)) for row in zip(*self._columns.values(), strict=True)]

    def select(self, *names: str) -> Table:
        """Returns a table of some of the columns."""
        return Table({name: self[name] for name in names})

    def to_arrow(self) -> Any:
        """Converts the table to a table of pyarrow."""
        from .arrow import _pyarrow

        return _pyarrow().table(self._columns)

    def to_pandas(self) -> Any:
        """Converts the table to a data frame of pandas."""
        import pandas

        return pandas.DataFrame(self._columns)

    def to_polars(self) -> Any:
        """Converts the table to a data frame of polars."""
        import polars

        return polars.DataFrame(self._columns)

    def __eq__(self, other: object) -> bool:
        return vars(self) == vars(other) if type(other) is type(self) else NotImplemented

    def __hash__(self) -> int:
        return hash(tuple((name, tuple(column)) for name, column in self._columns.items()))

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        return self.to_arrow().__arrow_c_stream__(requested_schema)

    def __repr__(self) -> str:
        rows = f"{len(self)} row{'' if len(self) == 1 else 's'}"
        shown = []
        for name, column in self._columns.items():
            texts = [name, *("" if value is None else f"{value:.6g}" if isinstance(value, float) else str(value) for value in column[:SHOWN])]
            width = max(map(len, texts))
            words = any(isinstance(value, str) for value in column)
            shown.append([text.ljust(width) if words else text.rjust(width) for text in texts])
        lines = ["  ".join(line).rstrip() for line in zip(*shown, strict=True)]
        return "\n".join([f"Table of {rows}", *lines, *(["..."] if len(self) > SHOWN else [])])


class Report(Table):
    """The cost of a kernel on a machine: a row for each line that accesses memory, and the totals.

    The columns are `file`, `line`, `memory`, `access` (read, write or atomic), `accesses` of warps,
    `requests` of threads, `stages` (groups of words that the memory serves at once), `conflicts`
    (stages of an access beyond its first) and `time` in time units. The totals are attributes of
    these names.
    """

    def __init__(self, report: dict[str, Any]) -> None:
        count = report["count"]
        names = ["file", "line", "memory", "access", "accesses", "requests", "stages", "conflicts", "time"]
        super().__init__({name: [line[name] for line in count["lines"]] for name in names})
        self.kernel: str = report["kernel"]
        self.about: str = report["about"]
        self.sizes: str = report["sizes"]
        self.machine: dict[str, Any] = report["machine"]
        self.case: dict[str, int] = report["case"]
        self.time: int = count["time"]
        self.accesses: int = count["accesses"]
        self.requests: int = count["requests"]
        self.stages: int = count["stages"]
        self.conflicts: int = count["conflicts"]
        self.threads: int = count["threads"]
        self.launches: int = count["launches"]
        self.closed_form: int | None = report["closed_form"]
        """Time units by the kernel's closed form; None if it has no closed form."""


class Fit(Table):
    """The coefficient of each term in the times of a sweep, by least squares: columns `term`,
    `value`, and `margin` of 95 % confidence.
    """

    def __init__(self, fit: dict[str, Any]) -> None:
        super().__init__({name: [coefficient[name] for coefficient in fit["coefficients"]] for name in ("term", "value", "margin")})
        self.r_squared: float = fit["r_squared"]
        self.largest_error: float = fit["largest_error"]


class Sweep(Table):
    """The time units of a kernel for many sizes and machines, a row for each, and the sum of terms
    that fits them best.

    The columns are the sizes `m`, `n`, `p`, `k`, the width `w`, the latency `l`, the counted
    `time`, the time by the `closed_form` if there is one, and the `fitted` time. `fit` has the
    terms.
    """

    def __init__(self, sweep: dict[str, Any]) -> None:
        names = ["m", "n", "p", "k", "w", "l", "time", "closed_form", "fitted"]
        super().__init__({name: [point[name] for point in sweep["points"]] for name in names})
        self.kernel: str = sweep["kernel"]
        self.model: str = sweep["model"]
        self.mode: str = sweep["mode"]
        self.fit = Fit(sweep["fit"])


def kernels() -> Table:
    """Returns the kernels that can be run: their names, descriptions, and the `sizes` they depend
    on.

    >>> from carrywave.machine import kernels
    >>> [kernel for kernel in kernels()["kernel"] if "umm" in kernel]
    ['umm', 'umm-3m', 'umm-n']
    """
    names = ["kernel", "about", "sizes"]
    return Table(dict(zip(names, map(list, zip(*_carrywave.machine_kernels(), strict=True)), strict=True)))


def report(
    kernel: str,
    *,
    m: int = 32,
    n: int = 1024,
    p: int = 256,
    k: int = 0,
    model: Literal["dmm", "umm"] = "umm",
    width: int = 32,
    latency: int = 100,
    mode: Literal["lockstep", "free"] = "lockstep",
    memory: Literal["global", "shared", "all"] = "global",
    word: int = 4,
) -> Report:
    """Runs a kernel on the simulator and counts the cost of its memory accesses.

    `m` and `n` are the lengths of the strings, which are random DNA; `p` is the number of threads,
    for kernels that leave it open; `k` is the maximum number of errors of a search. In `mode`
    "lockstep", all threads finish an access before any begins the next; in "free", each warp waits
    only for its own accesses. `memory` is "global", "shared" or "all", and a word has `word` bytes.

    >>> import carrywave.machine as machine
    >>> machine.report("shared-access", n=64, model="dmm", memory="shared").conflicts > 0
    True
    """
    asked: dict[str, Any] = dict(m=m, n=n, p=p, k=k, model=model, width=width, latency=latency, mode=mode, memory=memory, word=word)
    return Report(json.loads(_carrywave.machine_report(kernel, **asked)))


def sweep(
    kernel: str,
    ranges: str,
    *,
    m: int = 32,
    n: int = 1024,
    p: int = 256,
    k: int = 0,
    model: Literal["dmm", "umm"] = "umm",
    width: int = 32,
    latency: int = 100,
    mode: Literal["lockstep", "free"] = "lockstep",
    memory: Literal["global", "shared", "all"] = "global",
    word: int = 4,
    terms: Sequence[str] | None = None,
) -> Sweep:
    """Runs a kernel for each combination of sizes and machines, and fits the terms of its theorem
    to the counted time units.

    `ranges` has numbers and ranges first:last:step of m, n, p, k, of the width w and of the latency
    l. `terms` replaces the terms to fit, for example ["mn/w", "1"]. The ranges must vary enough to
    distinguish the terms. The other arguments are those of `report`, for sizes that do not vary.

    >>> import carrywave.machine as machine
    >>> swept = machine.sweep("contiguous", "n=1024:4096:1024,p=64,256,l=1,100")
    >>> len(swept), swept["time"] == swept["closed_form"]
    (16, True)
    >>> swept.fit["term"]
    ['n/w', 'nl/p', 'n/p']
    """
    asked: dict[str, Any] = dict(m=m, n=n, p=p, k=k, model=model, width=width, latency=latency, mode=mode, memory=memory, word=word)
    return Sweep(json.loads(_carrywave.machine_sweep(kernel, ranges, terms=None if terms is None else list(terms), **asked)))
