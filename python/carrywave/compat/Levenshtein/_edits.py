"""Edit operations as lists of tuples: computed, converted, inverted, applied and subtracted.

A single operation is the tuple (tag, source position, destination position), and a block is the
tuple (tag, source start, source end, destination start, destination end).
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

from ..rapidfuzz.distance import Editops, Levenshtein, MatchingBlock, Opcodes

Operations: TypeAlias = list[tuple[str, int, int]]
Blocks: TypeAlias = list[tuple[str, int, int, int, int]]
Items: TypeAlias = Sequence[Hashable]

_ANY_LENGTH = (1 << 32) - 1
"""Length of strings that are not given: positions are then only compared with this limit."""


def _length(string: Any) -> int:
    """Returns the length of a string that is given by itself or by its length."""
    return string if isinstance(string, int) else len(string)


def _operations(given: Any, source: Any, destination: Any) -> Editops | Opcodes:
    """Returns operations or blocks, by the number of fields of the first, for two strings or their
    lengths.
    """
    is_single = not given or len(given[0]) == 3
    return (Editops if is_single else Opcodes)(given, _length(source), _length(destination))


def editops(*args: Any) -> Operations:
    """Returns the single operations that turn one string into another, without matches.

    `editops(source, destination)` computes them. `editops(operations, source, destination)`
    converts operations or blocks; the strings may be given by their lengths.

    >>> editops("spam", "park")
    [('delete', 0, 0), ('insert', 3, 2), ('replace', 3, 3)]
    >>> editops([("equal", 0, 1, 0, 1), ("delete", 1, 2, 1, 1)], 2, 1)
    [('delete', 1, 1)]
    """
    if len(args) == 3:
        given, source, destination = args
        return Editops(given, _length(source), _length(destination)).as_list()
    source, destination = args
    return Levenshtein.editops(source, destination).as_list()


def opcodes(*args: Any) -> Blocks:
    """Returns the blocks that turn one string into another, including matches, like `difflib`.

    `opcodes(source, destination)` computes them. `opcodes(operations, source, destination)`
    converts operations or blocks; the strings may be given by their lengths.

    >>> opcodes("wave", "wand")
    [('equal', 0, 2, 0, 2), ('replace', 2, 4, 2, 4)]
    >>> opcodes([("delete", 1, 1)], 2, 1)
    [('equal', 0, 1, 0, 1), ('delete', 1, 2, 1, 1)]
    """
    if len(args) == 3:
        given, source, destination = args
        return Opcodes(given, _length(source), _length(destination)).as_list()
    source, destination = args
    return Levenshtein.opcodes(source, destination).as_list()


def matching_blocks(edit_operations: Operations | Blocks, source_string: Items | int, destination_string: Items | int) -> list[MatchingBlock]:
    """Returns the equal parts of two strings, and an empty block at both ends, like `difflib`.

    The strings may be given by their lengths.

    >>> matching_blocks(editops("spam", "park"), "spam", "park")
    [MatchingBlock(a=1, b=0, size=2), MatchingBlock(a=4, b=4, size=0)]
    """
    return _operations(edit_operations, source_string, destination_string).as_matching_blocks()


def apply_edit(edit_operations: Operations | Blocks, source_string: str, destination_string: str) -> str:
    """Applies operations, or an ordered part of single operations, to the source string.

    Inserted symbols come from the destination string.

    >>> operations = editops("man", "scotsman")
    >>> apply_edit(operations, "man", "scotsman"), apply_edit(operations[:3], "man", "scotsman")
    ('scotsman', 'scoman')
    """
    if len(edit_operations) == 0:
        return source_string
    return _operations(edit_operations, source_string, destination_string).apply(source_string, destination_string)


def subtract_edit(edit_operations: Operations, subsequence: Operations) -> Operations:
    """Returns the single operations that remain after an ordered part of them has been applied.

    >>> operations = editops("man", "scotsman")
    >>> remaining = subtract_edit(operations, operations[:3])
    >>> apply_edit(remaining, "scoman", "scotsman")
    'scotsman'
    """
    whole, part = (Editops(given, _ANY_LENGTH, _ANY_LENGTH) for given in (edit_operations, subsequence))
    return whole.remove_subsequence(part).as_list()


def inverse(edit_operations: Operations | Blocks) -> Any:
    """Returns the operations that turn the destination string into the source string, in the form
    of the given ones.

    >>> inverse(editops("spam", "park"))
    [('insert', 0, 0), ('delete', 2, 3), ('replace', 3, 3)]
    """
    if len(edit_operations) == 0:
        return []
    last: Any = edit_operations[-1]
    lengths = (last[1] + 1, last[2] + 1) if len(edit_operations[0]) == 3 else (last[2], last[4])
    return _operations(edit_operations, *lengths).inverse().as_list()
