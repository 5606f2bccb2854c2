"""Tests strings with any number of distinct symbols against dynamic programming.

Also tests that a string of a list does not change the results of the others.
"""

import random

import carrywave
import pytest
from oracles import distance as naive
from oracles import osa

SYMBOLS = {
    "characters": lambda kind: chr(0x4E00 + kind if kind < 20_000 else 0x10000 + kind),
    "integers": lambda kind: 7 * kind - 5,
    "large": lambda kind: kind << 70,
    "words": lambda kind: f"word {kind}",
}


def strings(chooser, symbol, kinds, count, longest):
    """Returns random strings, two of three similar to an earlier one.

    For more than 400 kinds, the last string has 280 distinct symbols, more than a byte has values.
    """
    made = []
    for number in range(count):
        string = list(chooser.choice(made)) if number % 3 else [symbol(chooser.randrange(kinds)) for _ in range(chooser.randrange(longest))]
        for _ in range(chooser.randrange(3)):
            at = chooser.randrange(len(string) + 1)
            string[at : at + chooser.randrange(2)] = [symbol(chooser.randrange(kinds))] * chooser.randrange(2)
            at = chooser.randrange(len(string) + 1)
            string[at : at + 2] = string[at : at + 2][::-1]
        made.append(string)
    if kinds > 400:
        start = chooser.randrange(9)
        made.append([symbol(kind) for kind in range(start, start + 280)])
    return ["".join(string) for string in made] if symbol is SYMBOLS["characters"] else made


@pytest.mark.parametrize("of", SYMBOLS)
@pytest.mark.parametrize("kinds", [10, 500, 100_000])
def test_many_strings_beside_dynamic_programming(of, kinds):
    chooser = random.Random(kinds)
    a, b = (strings(chooser, SYMBOLS[of], kinds, 9, 14) for _ in range(2))
    scorers = {"levenshtein": naive, "indel": lambda x, y: naive(x, y, 2), "osa": osa}
    for scorer, oracle in scorers.items():
        expected = [[oracle(x, y) for y in b] for x in a]
        assert carrywave.cdist(a, b, scorer=scorer).tolist() == expected
        assert carrywave.cpdist(a, b, scorer=scorer).tolist() == [row[i] for i, row in enumerate(expected)]
        nearest = carrywave.nearest(a, b, top=2, scorer=scorer)
        for row, numbers, distances in zip(expected, *(part.tolist() for part in nearest), strict=True):
            assert [(distance, number) for number, distance in zip(numbers, distances, strict=True)] == sorted(zip(row, range(len(b)), strict=True))[:2]
        near = [(i, j, oracle(a[i], a[j])) for i in range(len(a)) for j in range(i + 1, len(a))]
        near = [pair for pair in near if pair[2] <= 3]
        assert list(zip(*(part.tolist() for part in carrywave.within(a, 3, scorer=scorer)), strict=True)) == near
        joined = [(i, j, distance) for i, row in enumerate(expected) for j, distance in enumerate(row) if distance <= 3]
        assert list(zip(*(part.tolist() for part in carrywave.join(a, b, 3, scorer=scorer)), strict=True)) == joined
        labels = list(range(len(a)))
        for _ in a:
            for i, j, _ in near:
                labels[i] = labels[j] = min(labels[i], labels[j])
        assert carrywave.clusters(a, 3, scorer=scorer).tolist() == labels


def test_a_row_changes_no_other_row():
    words = ["é", "e", "ê", "Müller", "Muller", "中国", "美国", ""]
    alone = carrywave.cdist(words)
    for other in ["".join(chr(0x4E00 + i) for i in range(300)), "\udc80" * 4, "\U0001f600" * 4]:
        more = [other, *words]
        assert carrywave.cdist(more)[1:, 1:].tolist() == alone.tolist()
        assert carrywave.cpdist(more, more[::-1]).tolist() == [naive(x, y) for x, y in zip(more, more[::-1], strict=True)]
        assert carrywave.clusters(more, 1).tolist()[1:] == [label + 1 for label in carrywave.clusters(words, 1).tolist()]


def test_the_simulator_takes_any_number_of_kinds():
    words = ["中国", "中国人", "".join(chr(0x4E00 + i) for i in range(270)), "e"]
    for scorer in ["levenshtein", "indel"]:
        assert carrywave.cdist(words, engine="simt", scorer=scorer).tolist() == carrywave.cdist(words, scorer=scorer).tolist()


def test_parts_of_texts_with_hundreds_of_characters():
    text = "".join(chr(0x4E00 + i) for i in range(700))
    pattern = text[100:400] + "x" + text[401:600]
    assert carrywave.distance(pattern, text, mode="infix") == 1
    assert carrywave.distance(pattern, text, mode="prefix") == 101
    alignment = carrywave.align(pattern, text, mode="infix")
    assert (alignment.distance, alignment.start, alignment.end, alignment.cigar) == (1, 100, 600, "300=1X199=")
    gaps = carrywave.align(text + "BB", text + "BBAB", gaps="rightmost")
    assert gaps.cigar == "702=2D"
