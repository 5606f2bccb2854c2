"""Types of arguments, for type checkers. A running program does not import them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Literal, Protocol, TypeAlias, TypedDict

import numpy.typing as npt
from typing_extensions import Buffer

from ._carrywave import Cpu, Gpu, ResidentColumn, Simt


class ArrowStream(Protocol):
    """A column in chunks, through Arrow's C data interface."""

    def __arrow_c_stream__(self, requested_schema: Any = None) -> Any: ...


class ArrowArray(Protocol):
    """A column in one piece, through Arrow's C data interface."""

    def __arrow_c_array__(self, requested_schema: Any = None) -> Any: ...


class ArrowDeviceArray(Protocol):
    """A column in the memory of a GPU, through Arrow's C device interface, such as cuDF's."""

    def __arrow_c_device_array__(self, requested_schema: Any = None) -> Any: ...


class CudaArray(Protocol):
    """An array of `uint8` in the memory of a GPU: of CuPy, PyTorch, Numba, JAX."""

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]: ...


class Bar(Protocol):
    """A progress bar, such as those of tqdm."""

    def update(self, n: int, /) -> Any: ...


class WritableMatrix(Protocol):
    """An array whose rows can be assigned, such as those of NumPy, h5py and zarr."""

    @property
    def shape(self) -> tuple[int, ...]: ...
    @property
    def dtype(self) -> Any: ...
    def __setitem__(self, key: Any, value: Any, /) -> None: ...


String: TypeAlias = str | Buffer | Sequence[Any] | npt.NDArray[Any]
Strings: TypeAlias = Iterable[Any] | ArrowStream | ArrowArray
OnGpu: TypeAlias = ResidentColumn | ArrowDeviceArray | CudaArray
Text: TypeAlias = str | Buffer
Engine: TypeAlias = Cpu | Gpu | Simt | Literal["auto", "cpu", "gpu", "simt"]
Progress: TypeAlias = Callable[[int, int], Any] | Bar
Scorer: TypeAlias = Literal["levenshtein", "indel", "osa"]
Linkage: TypeAlias = Literal["single", "star"]
Mode: TypeAlias = Literal["global", "prefix", "suffix", "infix"]
Equal: TypeAlias = Literal["ignore-case", "iupac"] | Sequence[str | Buffer]
Gaps: TypeAlias = Literal["leftmost", "rightmost"]
Alphabet: TypeAlias = Literal["plain", "dna", "iupac", "protein"]
TextCodes: TypeAlias = Literal["self", "overlap", "never"]
PamSide: TypeAlias = Literal["before", "after"]
Alignments: TypeAlias = Literal["best", "all"]
TrimAction: TypeAlias = Literal["trim", "retain", "mask", "lowercase", "crop", "none"]
Anchor: TypeAlias = Literal["anywhere", "start", "end", "both"]
Ends: TypeAlias = Literal["best", "all"]
Unit: TypeAlias = Literal["line", "word", "character", "grapheme"]
WhiteSpace: TypeAlias = Literal["kept", "at-line-end", "amount", "all"]
# The names of algorithms.
DistanceAlgorithm: TypeAlias = Literal[
    "auto",
    "bands",
    "cut-off",
    "checkpoints",
    "bit-parallel",
    "dp",
    "wavefront",
]
LcsAlgorithm: TypeAlias = Literal[
    "auto",
    "bands",
    "bit-parallel",
    "dp",
    "wavefront",
    "block-step-look-ahead",
    "block-step",
]
BestAlgorithm: TypeAlias = Literal[
    "auto",
    "cut-off",
    "myers",
    "sellers",
    "wavefront",
    "umm-n",
    "umm-3m",
    "umm",
    "dmm",
]
SearchAlgorithm: TypeAlias = Literal[
    "auto",
    "guides",
    "partition",
    "seeds",
    "segments",
    "mismatches",
    "kmp",
    "filter",
    "literal",
    "myers",
    "wu-manber",
    "shift-or",
    "sellers",
    "whole-records",
    "packed",
    "pieces",
    "brute-force-filtered",
    "duel",
    "brute-force",
    "duel-global",
    "duel-shared",
    "scan",
    "scan-steps",
    "scan-segments",
    "gbpr",
    "myers-slices",
    "myers-slices-shared",
    "xbitpar",
]
# End of the names.


class SearchOptions(TypedDict, total=False):
    """The options of `carrywave.Searcher`, except for the engine."""

    percent: int | None
    substitutions: int | None
    insertions: int | None
    deletions: int | None
    gap_cost: int
    transpositions: bool
    anchor: Anchor
    overhang: float | None
    min_overlap: int | None
    circular: bool
    alphabet: Alphabet
    text_codes: TextCodes
    ignore_case: bool
    fixed: Sequence[int] | None
    both_strands: bool
    overlapping: bool
    ends: Ends
    whole: bool
    algorithm: SearchAlgorithm | None
