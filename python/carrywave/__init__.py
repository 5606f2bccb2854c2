"""Exact comparison and approximate search of long strings, on NVIDIA GPUs and on the CPU.

>>> import carrywave
>>> carrywave.distance("kitten", "sitting")
3
>>> carrywave.lcs("ABCBDAB", "BDCABA").subsequence("ABCBDAB")
'BCBA'
>>> [(hit.start, hit.end) for hit in carrywave.search("wave", "a carry, a wave")]
[(11, 15)]

A string is `str` (a symbol is a code point), `bytes`, an object with the buffer protocol, an array
of NumPy, or a list of anything that can be hashed. Items are equal if a `dict` takes them for the
same key, whatever type of string holds them. Many strings are a list of these, or a column of Arrow
(pyarrow, polars, pandas, DuckDB), which is not copied.

`engine=` chooses the hardware: a `Cpu`, a `Gpu` or a `Simt` that you keep open, or the name of one.
The default is the CPU, or a GPU for two strings that are long enough, if there is one. `progress=`
is a function that is called from time to time with the work done and the total, or a bar of tqdm.
Ctrl-C ends long work.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ._carrywave import (
    Alignment,
    Cpu,
    Diff,
    Error,
    Gpu,
    Lcs,
    MISSING,
    NoGpu,
    ResidentColumn,
    ResidentDistances,
    ResidentText,
    Simt,
    __version__,
    align,
    cdist,
    clusters,
    cpdist,
    diff,
    distance,
    gpu_count,
    lcs,
    lcs_length,
)
from ._barcodes import BarcodeMatch, BarcodeMatches, Barcodes, Molecules, molecules
from ._files import Record, read
from ._guides import Site, guides
from ._overlap import Overlap, overlap
from ._pairs import Nearest, Within, join, nearest, within
from ._places import Places, places
from ._search import Best, Hit, Hits, Searcher, best, search
from ._trim import Trimmed, Trimmer

if TYPE_CHECKING:
    from . import arrow as arrow, compat as compat, machine as machine, pandas as pandas, polars as polars, ray as ray

__all__ = [
    "Alignment",
    "BarcodeMatch",
    "BarcodeMatches",
    "Barcodes",
    "Best",
    "Cpu",
    "Diff",
    "Error",
    "Gpu",
    "Hit",
    "Hits",
    "Lcs",
    "MISSING",
    "Molecules",
    "Nearest",
    "NoGpu",
    "Overlap",
    "Places",
    "Record",
    "ResidentColumn",
    "ResidentDistances",
    "ResidentText",
    "Searcher",
    "Simt",
    "Site",
    "Trimmed",
    "Trimmer",
    "Within",
    "__version__",
    "align",
    "best",
    "cdist",
    "clusters",
    "cpdist",
    "diff",
    "distance",
    "gpu_count",
    "guides",
    "join",
    "lcs",
    "lcs_length",
    "molecules",
    "nearest",
    "overlap",
    "places",
    "read",
    "search",
    "within",
]

_MODULES = ("arrow", "compat", "machine", "pandas", "polars", "ray")

if not TYPE_CHECKING:
    # A type checker would accept any name as one of the package.
    def __getattr__(name: str) -> Any:
        """Imports a module of the package at its first use."""
        if name not in _MODULES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        import importlib

        return importlib.import_module(f".{name}", __name__)


def __dir__() -> list[str]:
    return sorted({*globals(), *_MODULES})
