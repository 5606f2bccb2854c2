"""One edit operation, one block, one matching part: records that behave like tuples."""

from __future__ import annotations

from operator import index
from typing import Any, Iterator


def checked_size(value: Any) -> int:
    """Returns a length or a position: a non-negative whole number of 64 bits. Other numbers are
    truncated, as in rapidfuzz.
    """
    if isinstance(value, (str, bytes, bytearray)) or not (hasattr(value, "__int__") or hasattr(value, "__index__")):
        raise TypeError("an integer is required")
    number = int(value)
    if number < 0:
        raise OverflowError("can't convert negative value to size_t")
    if number >= 1 << 64:
        raise OverflowError("Python int too large to convert to C size_t")
    return number


def _position(value: Any) -> int:
    """Returns a position of a record, which may be negative."""
    number = index(value)
    if not -(1 << 63) <= number < 1 << 63:
        raise OverflowError("Python int too large to convert to C ssize_t")
    return number


def _tag(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(f"Expected str, got {type(value).__name__}")
    return value


class Record:
    """Named fields that also behave like a tuple: with a length, an index and comparison.

    The fields can be set, so a record is not hashable.
    """

    __slots__: tuple[str, ...] = ()
    _out_of_range = "index out of range"

    def __len__(self) -> int:
        return len(self.__slots__)

    def __iter__(self) -> Iterator[Any]:
        for name in self.__slots__:
            yield getattr(self, name)

    def __getitem__(self, position: int) -> Any:
        position = index(position)
        if not -len(self) <= position < len(self):
            raise IndexError(self._out_of_range)
        return getattr(self, self.__slots__[position])

    def __eq__(self, other: object) -> bool:
        try:
            return len(other) == len(self) and all(self[i] == other[i] for i in range(len(self)))  # type: ignore
        except Exception:  # values that cannot be compared are not equal
            return False

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__slots__)
        return f"{type(self).__name__}({fields})"


class Editop(Record):
    """One edit operation: `tag` is "replace", "delete" or "insert".

    A replacement puts `dest[dest_pos]` in place of `src[src_pos]`, a deletion removes
    `src[src_pos]`, and an insertion puts `dest[dest_pos]` before `src[src_pos]`.

    >>> operation = Editop("insert", 6, 5)
    >>> tag, src_pos, dest_pos = operation
    >>> operation == ("insert", 6, 5)
    True
    """

    __slots__ = ("tag", "src_pos", "dest_pos")
    _out_of_range = "Editop index out of range"

    def __init__(self, tag: str, src_pos: int, dest_pos: int) -> None:
        self.tag = _tag(tag)
        self.src_pos = _position(src_pos)
        self.dest_pos = _position(dest_pos)


class Opcode(Record):
    """One block: `src[src_start:src_end]` becomes `dest[dest_start:dest_end]`.

    `tag` is "equal", "replace", "insert" (no symbols of `src`) or "delete" (no symbols of `dest`).

    >>> Opcode("delete", 0, 1, 0, 0)
    Opcode(tag='delete', src_start=0, src_end=1, dest_start=0, dest_end=0)
    """

    __slots__ = ("tag", "src_start", "src_end", "dest_start", "dest_end")
    _out_of_range = "Opcode index out of range"

    def __init__(self, tag: str, src_start: int, src_end: int, dest_start: int, dest_end: int) -> None:
        self.tag = _tag(tag)
        self.src_start = _position(src_start)
        self.src_end = _position(src_end)
        self.dest_start = _position(dest_start)
        self.dest_end = _position(dest_end)


class MatchingBlock(Record):
    """Equal parts: `src[a:a + size]` and `dest[b:b + size]`.

    >>> MatchingBlock(a=0, b=3, size=2) == (0, 3, 2)
    True
    """

    __slots__ = ("a", "b", "size")
    _out_of_range = "MatchingBlock index out of range"

    def __init__(self, a: int, b: int, size: int) -> None:
        self.a = checked_size(a)
        self.b = checked_size(b)
        self.size = checked_size(size)


class ScoreAlignment(Record):
    """A score, and the parts that it belongs to: `src[src_start:src_end]` and
    `dest[dest_start:dest_end]`.

    >>> ScoreAlignment(75.0, 0, 4, 2, 6).score
    75.0
    """

    __slots__ = ("score", "src_start", "src_end", "dest_start", "dest_end")
    _out_of_range = "Opcode index out of range"  # the word is rapidfuzz's

    def __init__(self, score: float, src_start: int, src_end: int, dest_start: int, dest_end: int) -> None:
        self.score = score
        self.src_start = _position(src_start)
        self.src_end = _position(src_end)
        self.dest_start = _position(dest_start)
        self.dest_end = _position(dest_end)

    def __repr__(self) -> str:
        return (
            f"ScoreAlignment(score={self.score}, src_start={self.src_start}, src_end={self.src_end}, "
            f"dest_start={self.dest_start}, dest_end={self.dest_end})"
        )
