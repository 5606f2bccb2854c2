"""The compiled part of the package. Use its names through `carrywave`."""

from os import PathLike
from types import TracebackType
from typing import Any, TypeVar, overload

import numpy as np
import numpy.typing as npt
from typing_extensions import Unpack

from ._types import (
    Alignments,
    Alphabet,
    BestAlgorithm,
    DistanceAlgorithm,
    Engine,
    Equal,
    Gaps,
    LcsAlgorithm,
    Linkage,
    Mode,
    OnGpu,
    PamSide,
    Progress,
    Scorer as ScorerName,
    SearchOptions,
    String,
    Strings,
    Text,
    TextCodes,
    Unit,
    WhiteSpace,
    WritableMatrix,
)

OutArray = TypeVar("OutArray", bound=WritableMatrix)

__version__: str
MISSING: int
"""The distance of a missing string: the greatest int32, which is within no cutoff."""

class Error(Exception): ...
class NoGpu(Error): ...

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
    def rotation(self) -> int: ...
    @property
    def identity(self) -> float | None: ...
    @property
    def runs(self) -> npt.NDArray[np.int64]: ...
    @property
    def cigar(self) -> str: ...
    @overload
    def subsequence(self, a: str) -> str: ...  # type: ignore[overload-overlap]
    @overload
    def subsequence(self, a: bytearray) -> bytearray: ...  # type: ignore[overload-overlap]
    @overload
    def subsequence(self, a: bytes | memoryview) -> bytes: ...  # type: ignore[overload-overlap]
    @overload
    def subsequence(self, a: String) -> list[Any]: ...
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
    a: String,
    b: String,
    *,
    score_cutoff: int | None = None,
    mode: Mode = "global",
    circular: bool = False,
    equal: Equal | None = None,
    engine: Engine | None = None,
    algorithm: DistanceAlgorithm | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> int: ...
def align(
    a: String,
    b: String,
    *,
    mode: Mode = "global",
    circular: bool = False,
    equal: Equal | None = None,
    gaps: Gaps = "leftmost",
    engine: Engine | None = None,
    algorithm: DistanceAlgorithm | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> Alignment: ...
def lcs(
    a: String,
    b: String,
    *,
    circular: bool = False,
    engine: Engine | None = None,
    algorithm: LcsAlgorithm | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> Lcs: ...
def lcs_length(
    a: String,
    b: String,
    *,
    circular: bool = False,
    engine: Engine | None = None,
    algorithm: LcsAlgorithm | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> int: ...
def overlap(
    a: String, b: String, *, equal: Equal | None = None, engine: Engine | None = None, progress: Progress | None = None, mixed: bool = False
) -> tuple[int, int, int, int, int, int]: ...
def nearest_places(
    a: String,
    b: String,
    *,
    mode: Mode = "infix",
    equal: Equal | None = None,
    starts: bool = True,
    engine: Engine | None = None,
    algorithm: DistanceAlgorithm | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> tuple[int, Any, Any]: ...
class Scorer:
    def __init__(self, name: str, kind_name: str, /) -> None: ...
    def plain(self, s1: Any, s2: Any, *, processor: Any = None, score_cutoff: Any = None) -> Any: ...
    def weighted(
        self, s1: Any, s2: Any, *, weights: Any = None, processor: Any = None, score_cutoff: Any = None, score_hint: Any = None
    ) -> Any: ...
    def padded(self, s1: Any, s2: Any, *, pad: Any = None, processor: Any = None, score_cutoff: Any = None) -> Any: ...
    def with_prefix(self, s1: Any, s2: Any, *, prefix_weight: Any = None, processor: Any = None, score_cutoff: Any = None) -> Any: ...
    def with_argument(self, s1: Any, s2: Any, score_cutoff: Any, parameter: Any) -> Any: ...
    def cutoff(self, value: Any) -> Any: ...
    def best_choice(
        self, query: Any, choices: Any, processor: Any = None, score_cutoff: Any = None, parameter: Any = None, /
    ) -> tuple[Any, Any, Any] | None: ...
    def best_choices(
        self, query: Any, choices: Any, processor: Any = None, score_cutoff: Any = None, parameter: Any = None, limit: int | None = None, /
    ) -> list[tuple[Any, Any, Any]]: ...
    def table(
        self, queries: Any, choices: Any, parameter: Any, score_cutoff: Any, multiplier: float, dtype: str, is_listed: bool, /
    ) -> Any: ...

def default_process(sentence: Any) -> str: ...
def partial_ratio_alignment(
    s1: Any, s2: Any, processor: Any = None, score_cutoff: Any = None
) -> tuple[float, int, int, int, int] | None: ...
def traced(a: String, b: String, choice: str) -> list[tuple[str, int]]: ...
@overload
def cpdist(
    a: OnGpu,
    b: OnGpu | Strings,
    *,
    scorer: ScorerName = "levenshtein",
    score_cutoff: int | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> ResidentDistances: ...
@overload
def cpdist(
    a: Strings,
    b: OnGpu,
    *,
    scorer: ScorerName = "levenshtein",
    score_cutoff: int | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> ResidentDistances: ...
@overload
def cpdist(
    a: Strings,
    b: Strings,
    *,
    scorer: ScorerName = "levenshtein",
    score_cutoff: int | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> npt.NDArray[np.int32]: ...
@overload
def cdist(
    a: Strings | OnGpu,
    b: Strings | OnGpu | None = None,
    *,
    scorer: ScorerName = "levenshtein",
    score_cutoff: int | None = None,
    dtype: None = None,
    out: None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> npt.NDArray[np.int32]: ...
@overload
def cdist(
    a: Strings | OnGpu,
    b: Strings | OnGpu | None = None,
    *,
    scorer: ScorerName = "levenshtein",
    score_cutoff: int | None = None,
    dtype: None = None,
    out: OutArray,
    engine: Engine | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> OutArray: ...
@overload
def cdist(
    a: Strings | OnGpu,
    b: Strings | OnGpu | None = None,
    *,
    scorer: ScorerName = "levenshtein",
    score_cutoff: int | None = None,
    dtype: npt.DTypeLike,
    out: None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> npt.NDArray[Any]: ...
def nearest(
    a: Strings | OnGpu,
    b: Strings | OnGpu,
    *,
    top: int = 1,
    scorer: ScorerName = "levenshtein",
    score_cutoff: int | None = None,
    similarity: float | None = None,
    engine: Engine | None = None,
    progress: Progress | None = None,
    mixed: bool = False,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int32]]: ...
def within(
    strings: Strings | OnGpu,
    score_cutoff: int | None = None,
    *,
    similarity: float | None = None,
    scorer: ScorerName = "levenshtein",
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int32]]: ...
def join(
    a: Strings | OnGpu,
    b: Strings | OnGpu,
    score_cutoff: int | None = None,
    *,
    similarity: float | None = None,
    scorer: ScorerName = "levenshtein",
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64], npt.NDArray[np.int32]]: ...
def clusters(
    strings: Strings | OnGpu,
    score_cutoff: int | None = None,
    *,
    similarity: float | None = None,
    linkage: Linkage = "single",
    scorer: ScorerName = "levenshtein",
    engine: Engine | None = None,
    progress: Progress | None = None,
) -> npt.NDArray[np.int64]: ...
def diff(
    a: str | bytes,
    b: str | bytes,
    *,
    unit: Unit = "line",
    white_space: WhiteSpace = "kept",
    ignore_case: bool = False,
    ignore_blank_lines: bool = False,
    indent_heuristic: bool = True,
    patience: bool = False,
    progress: Progress | None = None,
) -> Diff: ...

class ResidentColumn:
    def __new__(cls, engine: Engine, strings: Strings | OnGpu) -> ResidentColumn: ...
    def __len__(self) -> int: ...
    def tolist(self) -> list[str | None] | list[bytes | None]: ...
    @property
    def address(self) -> int: ...

def is_on_gpu(strings: Any) -> bool: ...

class ResidentDistances:
    def __len__(self) -> int: ...
    def numpy(self) -> npt.NDArray[np.int32]: ...
    def tolist(self) -> list[int]: ...
    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...
    def __dlpack__(
        self,
        *,
        stream: Any = None,
        max_version: tuple[int, int] | None = None,
        dl_device: tuple[int, int] | None = None,
        copy: bool | None = None,
    ) -> Any: ...
    def __dlpack_device__(self) -> tuple[int, int]: ...

class ResidentText:
    def __new__(cls, engine: Engine, text: Text) -> ResidentText: ...
    def __len__(self) -> int: ...

class Searcher:
    def __new__(
        cls, patterns: Text | Strings, k: int | None = None, *, engine: Engine | None = None, **options: Unpack[SearchOptions]
    ) -> Searcher: ...
    def hits(self, text: Text | Strings | ResidentText, *, progress: Progress | None = None) -> tuple[Any, ...]: ...
    def count(self, text: Text | Strings | ResidentText, *, progress: Progress | None = None) -> int: ...
    def __len__(self) -> int: ...

def best(
    pattern: Text,
    text: Text,
    *,
    alphabet: Alphabet = "plain",
    text_codes: TextCodes = "self",
    ignore_case: bool = False,
    engine: Engine | None = None,
    algorithm: BestAlgorithm | None = None,
    progress: Progress | None = None,
) -> tuple[int, int, int, str]: ...
def guides(
    guides: Text | Strings,
    text: Text | Strings | ResidentText,
    pam: str,
    *,
    pam_side: PamSide | None,
    mismatches: int,
    dna_bulges: int,
    rna_bulges: int,
    edits: int | None,
    alignments: Alignments,
    variants: str | PathLike[str] | None,
    names: list[str],
    text_codes: TextCodes,
    engine: Engine | None,
    progress: Progress | None,
) -> tuple[list[tuple[tuple[int, int, int, int, int, int, int, int], tuple[str, str, float | None, float | None], list[str]]], list[str]]: ...
class Barcodes:
    def __new__(
        cls, barcodes: Text | Strings, *, errors: int, margin: int, mismatches_only: bool, window: tuple[int, int] | None
    ) -> Barcodes: ...
    def nearest(self, read: Text) -> tuple[int, int, int, int, bool] | None: ...
    def assign(self, reads: Strings, *, progress: Progress | None = None) -> tuple[Any, ...]: ...
    def __len__(self) -> int: ...

def molecules(barcodes: bytes, umis: Strings, *, length: int | None, progress: Progress | None) -> tuple[Any, ...]: ...

class Trimmer:
    def __new__(cls, options: dict[str, Any]) -> Trimmer: ...
    def trim(
        self, sequences: Strings, qualities: Strings | None = None, *, progress: Progress | None = None
    ) -> tuple[list[Any], list[Any] | None, Any, list[str | None], Any]: ...

def restored_lcs(runs: bytes, a_len: int, b_len: int, rotation: int, checksum: tuple[int, bool] | None) -> Lcs: ...
def restored_alignment(runs: bytes, a_len: int, b_len: int, is_rightmost: bool, start: int, end: int) -> Alignment: ...
def restored_diff(parts: dict[str, Any]) -> Diff: ...
def read_records(path: str | PathLike[str], *, lines: bool = False) -> tuple[list[str], list[str], list[bytes]]: ...
def machine_kernels() -> list[tuple[str, str, str]]: ...
def machine_report(kernel: str, **options: Any) -> str: ...
def machine_sweep(kernel: str, ranges: str, **options: Any) -> str: ...
