"""Compares the edit lists of the drop-in with rapidfuzz's: constructors and methods, on any input.

| variable | meaning | default |
|---|---|---|
| CARRYWAVE_FUZZ_LISTS | number of lists | 800 |
| CARRYWAVE_FUZZ_SEED | seed of all lists | 1 |
"""

from __future__ import annotations

import difflib
import os
import random
from decimal import Decimal
from typing import Any

import pytest

from peer import under_test

LISTS = int(os.environ.get("CARRYWAVE_FUZZ_LISTS", "800"))
SEED = int(os.environ.get("CARRYWAVE_FUZZ_SEED", "1"))

TAGS = ["equal", "replace", "insert", "delete"]
ODD_TAGS = ["", "Equal", "swap", 1, b"insert"]
ODD_NUMBERS = [-1, -0.5, 0.0, 1.5, True, None, "1", b"1", 2**63, 2**64, float("nan"), Decimal(1), [1], float("inf")]
ODD_LISTS: list[Any] = [None, [], (), "", "abc", "abcde", ["abc"], ["abcde"], 5, {}, {1: 2}, [()], [1], [None], [("replace", 0)], [[]], iter([])]


@pytest.fixture(scope="module")
def modules():
    pytest.importorskip("rapidfuzz", reason="rapidfuzz, to compare with, is not installed")
    import rapidfuzz.distance

    return under_test("rapidfuzz").distance, rapidfuzz.distance


def outcome(call: Any, *arguments: Any, **keywords: Any) -> tuple[Any, ...]:
    """Returns the result of a call, or the type of its error.

    Only ValueError and IndexError keep their message, since it is about the list.
    """
    try:
        return ("value", described(call(*arguments, **keywords)))
    except Exception as error:
        return (type(error), str(error) if isinstance(error, (ValueError, IndexError)) else "")


def described(value: Any) -> Any:
    if hasattr(value, "as_list"):
        return repr(value), value.as_list(), value.src_len, value.dest_len, len(value), list(map(tuple, value))
    if isinstance(value, list):
        return list(map(repr, value)), list(map(tuple, value))
    return repr(value)


def a_script(random_: random.Random) -> tuple[list[tuple], int, int]:
    """Returns single operations or blocks of two random strings, and their lengths."""
    a, b = ("".join(random_.choices("abc", k=random_.randrange(9))) for _ in range(2))
    blocks = difflib.SequenceMatcher(None, a, b, autojunk=False).get_opcodes()
    kind = random_.random()
    if kind < 0.1:
        # A replacement by difflib may have two different lengths, which rapidfuzz refuses.
        return blocks, len(a), len(b)
    same: list[tuple] = []
    for tag, i, i_end, j, j_end in blocks:
        size = min(i_end - i, j_end - j)
        if tag in ("equal", "replace"):
            same.append((tag, i, i + size, j, j + size))
            i, j = i + size, j + size
        if i < i_end:
            same.append(("delete", i, i_end, j, j))
        if j < j_end:
            same.append(("insert", i_end, i_end, j, j_end))
    if kind < 0.5:
        return same, len(a), len(b)
    single = []
    for tag, i, i_end, j, j_end in same:
        for at in range(max(i_end - i, j_end - j)):
            single.append((tag, i + (at if i_end > i else 0), j + (at if j_end > j else 0)))
    if random_.random() < 0.8:
        single = [one for one in single if one[0] != "equal"]
    return single, len(a), len(b)


def spoiled(random_: random.Random, script: list[tuple]) -> list[tuple]:
    """Returns the script with one random change."""
    script = list(script)
    at = random_.randrange(len(script)) if script else 0
    kind = random_.randrange(7)
    if kind == 0:
        random_.shuffle(script)
    elif kind == 1 and script:
        del script[at]
    elif kind == 2 and script:
        script.insert(at, script[at])
    elif kind == 3 and script:
        script[at] = (random_.choice(ODD_TAGS + TAGS), *script[at][1:])
    elif kind == 4 and script:
        one = list(script[at])
        one[random_.randrange(1, len(one))] = random_.choice([*ODD_NUMBERS, *range(9)])
        script[at] = tuple(one)
    elif kind == 5 and script:
        script[at] = script[at][: random_.randrange(6)]
    elif kind == 6:
        script.insert(at, random_.choice([("insert", 0, 0), ("insert", 0, 0, 0, 1), ("equal", 0, 0, 0, 0), ("equal", 0, 0)]))
    return script


def as_given(random_: random.Random, script: list[Any], module: Any, form: int) -> Any:
    """Returns the script as a list of tuples, lists or records, or as a tuple."""
    made = []
    for one in script:
        if form == 1:
            one = list(one)
        elif form == 2 and len(one) in (3, 5) and isinstance(one[0], str) and all(type(position) is int for position in one[1:]):
            if all(abs(position) < 2**31 for position in one[1:]):
                one = (module.Editop if len(one) == 3 else module.Opcode)(*one)
        made.append(one)
    return tuple(made) if form == 3 else made


def goes_backwards(whole: Any) -> bool:
    """Returns true if a block ends before it starts.

    rapidfuzz takes its negative length for a very large one.
    """
    blocks = whole.as_opcodes() if hasattr(whole, "as_opcodes") else whole
    return any(block[2] < block[1] or block[4] < block[3] for block in blocks)


def goes_outside(whole: Any) -> bool:
    """Returns true if a block ends outside the strings.

    rapidfuzz's `apply` then reads out of bounds.
    """
    blocks = whole.as_opcodes() if hasattr(whole, "as_opcodes") else whole
    return any(block[2] > whole.src_len or block[4] > whole.dest_len for block in blocks)


def uses(random_: random.Random) -> list[Any]:
    """Returns calls on an edit list; each is a function of the module and the list."""
    bounds = [random_.choice([None, *range(-6, 7)]) for _ in range(2)]
    part = slice(*bounds, random_.choice([None, 1, 2, 3, 0, -1]))
    position = random_.randrange(-6, 7)

    def deleted(whole: Any, key: Any) -> Any:
        whole = whole.copy()
        del whole[key]
        return whole, whole.as_opcodes(), whole.inverse()

    def set_lengths(whole: Any) -> Any:
        whole = whole.copy()
        whole.src_len, whole.dest_len = 100, 200
        return whole

    return [
        lambda m, x: x.as_editops() if isinstance(x, m.Opcodes) else x.as_opcodes(),
        lambda m, x: x.as_opcodes() if hasattr(x, "as_opcodes") else x.as_editops().as_opcodes(),
        lambda m, x: x.inverse(),
        lambda m, x: None if goes_backwards(x) else x.as_matching_blocks(),
        lambda m, x: None if goes_outside(x) else x.apply("x" * x.src_len, "y" * x.dest_len),
        lambda m, x: None if goes_outside(x) else x.apply(b"x" * x.src_len, b"y" * x.dest_len),
        lambda m, x: None if goes_outside(x) else x.apply(list("x" * x.src_len), list("y" * x.dest_len)),
        lambda m, x: x[position],
        lambda m, x: x[part],
        lambda m, x: x[float(position)],
        lambda m, x: list(map(described, deleted(x, position))) if isinstance(x, m.Editops) else None,
        lambda m, x: list(map(described, deleted(x, part))) if isinstance(x, m.Editops) else None,
        lambda m, x: x.remove_subsequence(x[part]),
        lambda m, x: x.remove_subsequence(m.Editops([("insert", 0, 0)], 9, 9)),
        lambda m, x: (x == x.copy(), x != x.copy(), x == x.as_list(), x == None, bool(x), x == m.Editops(), x == m.Opcodes()),  # noqa: E711
        lambda m, x: m.Editops(x, x.src_len, x.dest_len),
        lambda m, x: m.Opcodes(x, x.src_len, x.dest_len),
        lambda m, x: m.Editops(list(x), x.src_len, x.dest_len),
        lambda m, x: m.Opcodes(list(x), x.src_len, x.dest_len),
        lambda m, x: m.Editops.from_opcodes(x),
        lambda m, x: m.Opcodes.from_editops(x),
        lambda m, x: set_lengths(x),
        lambda m, x: (x[0] == x.as_list()[0], x[0] in x, x.as_list()[0] in x, list(reversed(x)), sorted(map(tuple, x))),
        lambda m, x: hash(x),
        lambda m, x: x < x,
    ]


def test_lists(modules):
    for number in range(LISTS):
        random_ = random.Random(f"{SEED} lists {number}")
        script, m, n = a_script(random_)
        given: Any = spoiled(random_, script) if random_.random() < 0.5 else script
        form = random_.randrange(4)
        if random_.random() < 0.1:
            given, form = random_.choice(ODD_LISTS), -1
        lengths: list[Any] = [m, n]
        if random_.random() < 0.2:
            lengths[random_.randrange(2)] += random_.choice([-2, -1, 1, 2, 2**40])
        if random_.random() < 0.05:
            lengths[random_.randrange(2)] = random_.choice(ODD_NUMBERS)
        name = random_.choice(["Editops", "Opcodes"])
        calls = uses(random_)
        results = []
        for module in modules:
            whole = given if form < 0 else as_given(random_, given, module, form)
            made = outcome(getattr(module, name), whole, *lengths)
            results.append([made])
            # rapidfuzz allocates memory by the lengths, so the calls only run on lists with small
            # lengths.
            if made[0] == "value" and all(type(length) is int and length < 1000 for length in lengths):
                results[-1] += [outcome(call, module, getattr(module, name)(whole, *lengths)) for call in calls]
        where = f"seed {SEED}, list {number}: {name}({given!r}, {lengths})"
        assert len(results[0]) == len(results[1]), f"{where}: {results}"
        for at, (ours, theirs) in enumerate(zip(*results)):
            assert ours == theirs, f"{where}, call {at - 1}: {ours}, not {theirs}"


RECORDS = [
    ("Editop", 3), ("Opcode", 5), ("MatchingBlock", 3), ("ScoreAlignment", 5),
]  # fmt: skip


@pytest.mark.parametrize(("name", "size"), RECORDS)
def test_records(modules, name, size):
    for number in range(200):
        random_ = random.Random(f"{SEED} {name} {number}")
        values: list[Any] = [random_.randrange(9) for _ in range(size)]
        if name in ("Editop", "Opcode"):
            values[0] = random_.choice(TAGS)
        if random_.random() < 0.5:
            values[random_.randrange(size)] = random_.choice([odd for odd in [*ODD_NUMBERS, *ODD_TAGS] if odd is not None])
        if random_.random() < 0.1:
            values = values[: random_.randrange(size + 2)] + [1] * random_.randrange(2)
        other = [*values]
        other[-1:] = [random_.randrange(9)]
        key = random_.choice([*range(-6, 7), slice(0, 2), None, "tag", 1.0, True])
        calls = [
            lambda m, x: (repr(x), tuple(x), len(x)),
            lambda m, x: x[key],
            lambda m, x: (x == tuple(values), x == values, x == other, x != other, x == tuple(other), x == None),  # noqa: E711
            lambda m, x: x == getattr(m, name)(*values),
            lambda m, x: x != getattr(m, name)(*values),
            lambda m, x: tuple(values) == x,
            lambda m, x: values[0] in x,
            lambda m, x: list(reversed(x)),
            lambda m, x: x < x,
            lambda m, x: hash(x),
                lambda m, x: setattr(x, "other", 1),
            lambda m, x: x.__setitem__(0, values[0]),
            lambda m, x: x.__delitem__(0),
        ]
        results = []
        for module in modules:
            made = outcome(getattr(module, name), *values)
            results.append([made])
            if made[0] == "value":
                results[-1] += [outcome(call, module, getattr(module, name)(*values)) for call in calls]
        where = f"seed {SEED}, record {number}: {name}(*{values!r}), key {key!r}"
        assert len(results[0]) == len(results[1]), f"{where}: {results}"
        for at, (ours, theirs) in enumerate(zip(*results)):
            assert ours == theirs, f"{where}, call {at - 1}: {ours}, not {theirs}"
