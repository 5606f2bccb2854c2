"""The compiled part of the package. Its names are used by way of `carrywave`."""

from collections.abc import Callable
from os import PathLike
from types import TracebackType
from typing import Any, Literal, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

class _Bar(Protocol):
    def update(self, n: int) -> Any: ...

Progress: TypeAlias = Callable[[int, int], Any] | _Bar
Engine: TypeAlias = Cpu | Gpu | Simt | Literal["auto", "cpu", "gpu", "simt"]
Mode: TypeAlias = Literal["global", "prefix", "infix"]
Scorer: TypeAlias = Literal["levenshtein", "indel"]

__version__: str
MISSING: int
"""The distance of a string that is missing: the greatest int32, which is within no cutoff."""

class CarrywaveError(Exception): ...
class NoGpu(CarrywaveError): ...

class Cpu:
    def __new__(cls, threads: int | None = None) -> Cpu: ...

class Gpu:
    def __new__(cls, number: int = 0, *, count: int = 1) -> Gpu: ...
    def describe(self) -> dict[str, Any]: ...
    def close(self) -> None: ...
    def __enter__(self) -> Gpu: ...
    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None: ...

class Simt:
    def __new__(cls, count: int = 1, *, seed: int | None = None) -> Simt: ...

def gpu_count() -> int: ...

class Lcs:
    @property
    def length(self) -> int: ...
    @property
    def a_len(self) -> int: ...
    @property
    def b_len(self) -> int: ...
    @property
    def identity(self) -> float | None: ...
    @property
    def runs(self) -> npt.NDArray[np.int64]: ...
    @property
    def cigar(self) -> str: ...
    def subsequence(self, a: Any) -> Any: ...
    def __len__(self) -> int: ...

class Alignment:
    @property
    def distance(self) -> int: ...
    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...
    @property
    def cigar(self) -> str: ...
    @property
    def operations(self) -> list[tuple[str, int]]: ...
    @property
    def runs(self) -> npt.NDArray[np.int64]: ...

class Diff:
    @property
    def changes(self) -> npt.NDArray[np.int64]: ...
    @property
    def deleted(self) -> int: ...
    @property
    def inserted(self) -> int: ...
    @property
    def a_len(self) -> int: ...
    @property
    def b_len(self) -> int: ...
    def unified(self, a_name: str = "a", b_name: str = "b", *, context: int = 3) -> Any: ...
    def normal(self) -> Any: ...
    def marked(self) -> Any: ...
    def __len__(self) -> int: ...

def distance(
    a: Any,
    b: Any,
    *,
    score_cutoff: int | None = None,
    mode: Mode = "global",
    equal: Any = None,
    engine: Engine | None = None,
    algorithm: str | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> int: ...
def align(
    a: Any,
    b: Any,
    *,
    mode: Mode = "global",
    equal: Any = None,
    gaps: Literal["leftmost", "rightmost"] = "leftmost",
    engine: Engine | None = None,
    algorithm: str | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> Alignment: ...
def lcs(
    a: Any, b: Any, *, engine: Engine | None = None, algorithm: str | None = None, progress: Progress | None = None, mixed: bool = False
) -> Lcs: ...
def lcs_length(
    a: Any, b: Any, *, engine: Engine | None = None, algorithm: str | None = None, progress: Progress | None = None, mixed: bool = False
) -> int: ...
def nearest_places(
    a: Any,
    b: Any,
    *,
    mode: str = "infix",
    equal: Any = None,
    starts: bool = True,
    engine: Engine | None = None,
    algorithm: str | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> tuple[int, Any, Any]: ...
def traced(a: Any, b: Any, choice: str) -> list[tuple[str, int]]: ...
def cpdist(
    a: Any,
    b: Any,
    *,
    scorer: str = "levenshtein",
    score_cutoff: int | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> npt.NDArray[np.int32]: ...
def cdist(
    a: Any,
    b: Any = None,
    *,
    scorer: str = "levenshtein",
    score_cutoff: int | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> npt.NDArray[np.int32]: ...
def nearest(
    a: Any,
    b: Any,
    *,
    top: int = 1,
    scorer: str = "levenshtein",
    score_cutoff: int | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]: ...
def within(
    strings: Any, score_cutoff: int, *, scorer: str = "levenshtein", engine: Engine | None = None, progress: Progress | None = None
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int32]]: ...
def clusters(
    strings: Any, score_cutoff: int, *, scorer: str = "levenshtein", engine: Engine | None = None, progress: Progress | None = None
) -> npt.NDArray[np.int64]: ...
def diff(
    a: str | bytes,
    b: str | bytes,
    *,
    unit: Literal["line", "word", "character", "grapheme"] = "line",
    white_space: Literal["kept", "at-line-end", "amount", "all"] = "kept",
    ignore_case: bool = False,
    ignore_blank_lines: bool = False,
    indent_heuristic: bool = True,
    patience: bool = False,
    progress: Progress | None = None,
) -> Diff: ...

class ResidentText:
    def __new__(cls, engine: Engine, text: Any) -> ResidentText: ...
    def __len__(self) -> int: ...

class Searcher:
    def __new__(cls, patterns: Any, k: int | None = None, **options: Any) -> Searcher: ...
    def hits(self, text: Any, *, progress: Progress | None = None) -> tuple[Any, ...]: ...
    def count(self, text: Any, *, progress: Progress | None = None) -> int: ...
    def __len__(self) -> int: ...

def best(pattern: Any, text: Any, **options: Any) -> tuple[int, int, int, str]: ...
def read_records(path: str | PathLike[str], *, lines: bool = False) -> tuple[list[str], list[str], list[bytes]]: ...
def machine_kernels() -> list[tuple[str, str, str]]: ...
def machine_report(kernel: str, **options: Any) -> str: ...
def machine_sweep(kernel: str, ranges: str, **options: Any) -> str: ...
