"""Edit operations like those of `rapidfuzz.distance`: lists of single operations, and of blocks.

`Editops` lists single operations, each on one symbol of either string, without matches. `Opcodes`
lists blocks, including matches, like Python's `difflib`. Each type converts to the other. Both
check the list that they are made from. Two objects of the same type are equal if they have the same
operations and the same two lengths.

>>> operations = Editops([("delete", 0, 0), ("replace", 3, 2), ("insert", 4, 3)], 4, 4)
>>> operations.apply("spam", "park")
'park'
>>> operations.as_opcodes().as_list()
[('delete', 0, 1, 0, 0), ('equal', 1, 3, 0, 2), ('replace', 3, 4, 2, 3), ('insert', 4, 4, 3, 4)]

The error messages are those of rapidfuzz, because programs test for them.
"""

from __future__ import annotations

from typing import Any, Iterator, TypeVar

from ._records import Editop, MatchingBlock, Opcode, Record, ScoreAlignment, checked_size
from ._tuples import blocks_of_operations, checked_blocks, checked_operations, operations_of_blocks

__all__ = ["Editop", "Editops", "MatchingBlock", "Opcode", "Opcodes", "ScoreAlignment"]

_PART = 1 << 16
"""Number of operations that are compared at a time."""

_INVERSE = {"insert": "delete", "delete": "insert", "replace": "replace", "equal": "equal"}

_NO_SUBSEQUENCE = "subsequence is not a subsequence"
_BACKWARDS = "step sizes below 0 lead to an invalid order of editops"


def _text(value: Any) -> str:
    """Returns the string that operations are applied to; each byte of bytes is one symbol."""
    if isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("latin-1")
    raise TypeError("expected strings or bytes object")


_Kind = TypeVar("_Kind", bound="_Operations")


class _Operations:
    """Common parts of `Editops` and `Opcodes`: a list of tuples and the lengths of both strings."""

    __slots__ = ("_items", "_src_len", "_dest_len")
    _record: Any = Record
    _out_of_range = ""

    _items: list[Any]
    _src_len: int
    _dest_len: int

    @classmethod
    def _of(cls: type[_Kind], items: list[Any], src_len: int, dest_len: int) -> _Kind:
        """Creates an object from a list of tuples without checks, for callers that know it is
        valid.
        """
        made = cls.__new__(cls)
        made._items, made._src_len, made._dest_len = items, src_len, dest_len
        return made

    @property
    def src_len(self) -> int:
        """Length of the string that is changed."""
        return self._src_len

    @src_len.setter
    def src_len(self, value: int) -> None:
        self._src_len = checked_size(value)

    @property
    def dest_len(self) -> int:
        """Length of the resulting string."""
        return self._dest_len

    @dest_len.setter
    def dest_len(self, value: int) -> None:
        self._dest_len = checked_size(value)

    def as_list(self) -> list[tuple[Any, ...]]:
        """Returns the operations as a list of tuples."""
        return list(self._items)

    def copy(self: _Kind) -> _Kind:
        """Returns a copy with its own list of the same operations."""
        return self._of(list(self._items), self._src_len, self._dest_len)

    def _one(self, position: int) -> Any:
        if not -len(self._items) <= position < len(self._items):
            raise IndexError(self._out_of_range)
        return self._record(*self._items[position])

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[Any]:
        for item in self._items:
            yield self._record(*item)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Operations) or type(other) is not type(self):
            return False
        if (len(self), self._src_len, self._dest_len) != (len(other), other._src_len, other._dest_len):
            return False
        # In parts, because a comparison of two long lists cannot be interrupted.
        return all(self._items[at : at + _PART] == other._items[at : at + _PART] for at in range(0, len(self), _PART))

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        items = ", ".join(map(repr, self))
        return f"{type(self).__name__}([{items}], src_len={self._src_len}, dest_len={self._dest_len})"


class Editops(_Operations):
    """The single operations that turn one string into another, from left to right.

    `editops` is a list of 3-tuples or `Editop`, or of 5-tuples or `Opcode`, which are converted.

    >>> operations = Editops([("delete", 1, 1), ("replace", 2, 1)], 3, 2)
    >>> len(operations), operations[-1], operations.src_len
    (2, Editop(tag='replace', src_pos=2, dest_pos=1), 3)
    >>> Editops([("delete", 3, 0)], 3, 2)
    Traceback (most recent call last):
    ...
    ValueError: List of edit operations invalid

    A part of the list can be taken or removed; both lengths stay:

    >>> operations[1:].as_list()
    [('replace', 2, 1)]
    >>> del operations[0]
    >>> operations.as_list()
    [('replace', 2, 1)]
    """

    __slots__ = ()
    _record = Editop
    _out_of_range = "Editops index out of range"

    def __init__(self, editops: Any = None, src_len: int = 0, dest_len: int = 0) -> None:
        if editops is None:  # as in rapidfuzz, the lengths are then ignored
            self._items, self._src_len, self._dest_len = [], 0, 0
            return
        self._src_len, self._dest_len = checked_size(src_len), checked_size(dest_len)
        if len(editops) and len(editops[0]) == 5:
            self._items = operations_of_blocks(checked_blocks(editops, self._src_len, self._dest_len))
        else:
            self._items = checked_operations(editops, self._src_len, self._dest_len)

    @classmethod
    def from_opcodes(cls, opcodes: Opcodes) -> Editops:
        """Converts blocks to single operations.

        >>> Editops.from_opcodes(Opcodes([("insert", 0, 0, 0, 2)], 0, 2)).as_list()
        [('insert', 0, 0), ('insert', 0, 1)]
        """
        if not isinstance(opcodes, Opcodes):
            raise TypeError(f"Argument 'opcodes' has incorrect type (expected Opcodes, got {type(opcodes).__name__})")
        return opcodes.as_editops()

    def as_opcodes(self) -> Opcodes:
        """Returns the same operations as blocks, including matches.

        >>> Editops([("replace", 1, 1)], 3, 3).as_opcodes().as_list()
        [('equal', 0, 1, 0, 1), ('replace', 1, 2, 1, 2), ('equal', 2, 3, 2, 3)]
        """
        blocks = blocks_of_operations(self._items, self._src_len, self._dest_len)
        return Opcodes._of(blocks, self._src_len, self._dest_len)

    def as_matching_blocks(self) -> list[MatchingBlock]:
        """Returns the parts that match, and an empty block at both ends, like `difflib`.

        >>> Editops([("delete", 1, 1)], 3, 2).as_matching_blocks()
        [MatchingBlock(a=0, b=0, size=1), MatchingBlock(a=2, b=1, size=1), MatchingBlock(a=3, b=2, size=0)]
        """
        return self.as_opcodes().as_matching_blocks()

    def inverse(self) -> Editops:
        """Returns the operations that turn the second string into the first.

        >>> Editops([("delete", 0, 0), ("insert", 4, 3)], 4, 4).inverse().as_list()
        [('insert', 0, 0), ('delete', 3, 4)]
        """
        inverse = [(_INVERSE[tag], dest, src) for tag, src, dest in self._items]
        return Editops._of(inverse, self._dest_len, self._src_len)

    def apply(self, source_string: str | bytes, destination_string: str | bytes) -> str:
        """Applies the operations to `source_string`. Inserted symbols come from
        `destination_string`.

        Bytes are treated as the characters of the same numbers; the result is a `str`.

        >>> Editops([("replace", 1, 1)], 3, 3).apply("abc", "xyz")
        'ayc'
        """
        source, destination = _text(source_string), _text(destination_string)
        parts: list[str] = []
        done = 0  # number of symbols of the source that are done
        for tag, src, dest in self._items:
            if src + (tag != "insert") > len(source) or dest + (tag != "delete") > len(destination):
                raise ValueError("an edit operation is outside of the strings")
            parts.append(source[done:src])
            if tag != "delete":
                parts.append(destination[dest])
            done = max(done, src) + (tag != "insert")
        parts.append(source[done:])
        return "".join(parts)

    def remove_subsequence(self, subsequence: Editops) -> Editops:
        """Returns the remaining operations after those of `subsequence` have been applied.

        The operations of `subsequence` must occur here in the same order. The others move by the
        symbols inserted and deleted before them; the lengths stay.

        >>> operations = Editops([("delete", 0, 0), ("replace", 3, 2)], 4, 3)
        >>> operations.remove_subsequence(operations[:1]).as_list()
        [('replace', 2, 2)]
        """
        if not isinstance(subsequence, Editops):
            raise TypeError(
                f"Argument 'subsequence' has incorrect type (expected Editops, got {type(subsequence).__name__})"
            )
        removed = iter(subsequence._items)
        next_removed = next(removed, None)
        shift = 0
        left: list[tuple[str, int, int]] = []
        for operation in self._items:
            tag, src, dest = operation
            if operation == next_removed:
                shift += (tag == "insert") - (tag == "delete")
                next_removed = next(removed, None)
            else:
                left.append((tag, src + shift, dest))
        if next_removed is not None:
            raise ValueError(_NO_SUBSEQUENCE)
        return Editops._of(left, self._src_len, self._dest_len)

    def __getitem__(self, key: int | slice) -> Any:
        if isinstance(key, int):
            return self._one(key)
        if isinstance(key, slice):
            return self._of(self._items[self._forward(key)], self._src_len, self._dest_len)
        raise TypeError("Expected index or slice")

    def __delitem__(self, key: int | slice) -> None:
        if isinstance(key, int):
            self._one(key)  # raises the error for an index out of range
            del self._items[key]
        elif isinstance(key, slice):
            del self._items[self._forward(key)]
        else:
            raise TypeError("Expected index or slice")

    def _forward(self, key: slice) -> slice:
        """Returns the slice itself. Fails if it reverses the order."""
        if key.indices(len(self._items))[2] < 0:
            raise ValueError(_BACKWARDS)
        return key


class Opcodes(_Operations):
    """The blocks that turn one string into another, from left to right, without gaps.

    `opcodes` is a list of 5-tuples or `Opcode`, or of 3-tuples or `Editop`, which are converted.
    Neighbours with the same tag become one block.

    >>> Opcodes([("equal", 0, 1, 0, 1), ("equal", 1, 2, 1, 2), ("insert", 2, 2, 2, 3)], 2, 3).as_list()
    [('equal', 0, 2, 0, 2), ('insert', 2, 2, 2, 3)]
    >>> Opcodes([("equal", 0, 1, 0, 1)], 2, 2)
    Traceback (most recent call last):
    ...
    ValueError: List of edit operations does not end at the string ends
    """

    __slots__ = ()
    _record = Opcode
    _out_of_range = "Opcodes index out of range"

    def __init__(self, opcodes: Any = None, src_len: int = 0, dest_len: int = 0) -> None:
        if opcodes is None:  # as in rapidfuzz, the lengths are then ignored
            self._items, self._src_len, self._dest_len = [], 0, 0
            return
        self._src_len, self._dest_len = checked_size(src_len), checked_size(dest_len)
        if len(opcodes) == 0 or len(opcodes[0]) == 3:
            operations = checked_operations(opcodes, self._src_len, self._dest_len)
            self._items = blocks_of_operations(operations, self._src_len, self._dest_len)
        else:
            self._items = checked_blocks(opcodes, self._src_len, self._dest_len)

    @classmethod
    def from_editops(cls, editops: Editops) -> Opcodes:
        """Converts single operations to blocks.

        >>> Opcodes.from_editops(Editops([("delete", 0, 0)], 2, 1)).as_list()
        [('delete', 0, 1, 0, 0), ('equal', 1, 2, 0, 1)]
        """
        if not isinstance(editops, Editops):
            raise TypeError(f"Argument 'editops' has incorrect type (expected Editops, got {type(editops).__name__})")
        return editops.as_opcodes()

    def as_editops(self) -> Editops:
        """Returns the same operations as single operations, without matches.

        >>> Opcodes([("replace", 0, 2, 0, 2)], 2, 2).as_editops().as_list()
        [('replace', 0, 0), ('replace', 1, 1)]
        """
        return Editops._of(operations_of_blocks(self._items), self._src_len, self._dest_len)

    def as_matching_blocks(self) -> list[MatchingBlock]:
        """Returns the parts that match, and an empty block at both ends, like `difflib`.

        >>> Opcodes([("equal", 0, 2, 0, 2), ("delete", 2, 3, 2, 2)], 3, 2).as_matching_blocks()
        [MatchingBlock(a=0, b=0, size=2), MatchingBlock(a=3, b=2, size=0)]
        """
        matches = []
        for tag, src, src_end, dest, dest_end in self._items:
            # if operations have been removed, the two sides of "equal" may differ in length
            size = min(src_end - src, dest_end - dest)
            if tag == "equal" and size > 0:
                matches.append(MatchingBlock(src, dest, size))
        matches.append(MatchingBlock(self._src_len, self._dest_len, 0))
        return matches

    def inverse(self) -> Opcodes:
        """Returns the blocks that turn the second string into the first.

        >>> Opcodes([("delete", 0, 1, 0, 0), ("equal", 1, 2, 0, 1)], 2, 1).inverse().as_list()
        [('insert', 0, 0, 0, 1), ('equal', 0, 1, 1, 2)]
        """
        inverse = [(_INVERSE[tag], dest, dest_end, src, src_end) for tag, src, src_end, dest, dest_end in self._items]
        return Opcodes._of(inverse, self._dest_len, self._src_len)

    def apply(self, source_string: str | bytes, destination_string: str | bytes) -> str:
        """Applies the operations to `source_string`. Inserted symbols come from
        `destination_string`.

        Bytes are treated as the characters of the same numbers; the result is a `str`.

        >>> Opcodes([("equal", 0, 1, 0, 1), ("insert", 1, 1, 1, 3)], 1, 3).apply("a", "abc")
        'abc'
        """
        source, destination = _text(source_string), _text(destination_string)
        parts: list[str] = []
        for tag, src, src_end, dest, dest_end in self._items:
            if src_end > len(source) or dest_end > len(destination):
                raise ValueError("an edit operation is outside of the strings")
            if tag == "equal":
                parts.append(source[src:src_end])
            elif tag != "delete":
                parts.append(destination[dest:dest_end])
        return "".join(parts)

    def __getitem__(self, key: int) -> Opcode:
        if isinstance(key, int):
            opcode: Opcode = self._one(key)
            return opcode
        raise TypeError("Expected index")
