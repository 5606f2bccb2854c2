"""Exact comparison and approximate search of long strings, on NVIDIA GPUs and on the CPU.

>>> import carrywave
>>> carrywave.distance("kitten", "sitting")
3
>>> carrywave.lcs("ABCBDAB", "BDCABA").subsequence("ABCBDAB")
'BCBA'
>>> [(hit.start, hit.end) for hit in carrywave.search("wave", "a carry, a wave")]
[(11, 15)]

A string is `str` (a symbol is a code point), `bytes`, an object with the buffer protocol, an array of NumPy of integers, or a list of anything
that can be hashed. Many strings are a list of these, or a column of Arrow (pyarrow, polars, pandas, DuckDB), which is not copied.

`engine=` says what computes: a `Cpu`, a `Gpu` or a `Simt` that you keep open, or the name of one. Without it the CPU does, and a GPU for
two strings that are long enough where there is one. `progress=` is called from time to time with what is done and the total, or is a bar of
tqdm. Ctrl-C ends long work.
"""

from __future__ import annotations

from ._carrywave import (
    Alignment,
    CarrywaveError as Error,
    Cpu,
    Diff,
    Gpu,
    Lcs,
    MISSING,
    NoGpu,
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
from ._files import Record, read
from ._pairs import Nearest, Within, nearest, within
from ._places import Places, places
from ._search import Best, Hit, Hits, Searcher, best, search

__all__ = [
    "Alignment",
    "Best",
    "Cpu",
    "Diff",
    "Error",
    "Gpu",
    "Hit",
    "Hits",
    "Lcs",
    "MISSING",
    "Nearest",
    "NoGpu",
    "Places",
    "Record",
    "ResidentText",
    "Searcher",
    "Simt",
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
    "lcs",
    "lcs_length",
    "nearest",
    "places",
    "read",
    "search",
    "within",
]
