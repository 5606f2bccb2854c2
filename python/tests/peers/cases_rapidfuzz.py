"""Inputs and expected values for `carrywave.compat.rapidfuzz`.

The first part is data from the tests of rapidfuzz 3.14.6; each group names the file and the test.
If a test uses WRatio, the default scorer of `extract`, the case here passes `fuzz.ratio` instead
and has the value of `ratio`. The second part records the behaviour of the compiled rapidfuzz 3.14.6
in cases that its tests leave open. `CARRYWAVE_PEER=peer pytest test_rapidfuzz_cases.py` runs all
cases against rapidfuzz itself.
"""

from __future__ import annotations

import sys
from array import array


class ByHash:
    """A hashable symbol that cannot be compared: rapidfuzz only compares hashes of list items."""

    def __init__(self, name: str) -> None:
        self.name = name

    def __eq__(self, other: object) -> bool:
        raise NotImplementedError

    def __hash__(self) -> int:
        return hash(self.name)


def lower(text: str) -> str:
    return text.lower()


def first(record: list) -> str:
    return record[0]


def same(text):
    return text


def characters(text: str) -> array:
    return array("w" if sys.version_info >= (3, 13) else "u", text)


NAN = float("nan")
METS = "the wonderful new york mets"

# --------------------------------------------------------------------------------------------------------------------
# Scores: (metric, function, s1, s2, keywords, expected)

# tests/distance/test_Levenshtein.py
LEVENSHTEIN = [
    # test_empty_string
    ("Levenshtein", "distance", "", "", {}, 0),
    ("Levenshtein", "distance", "", "", {"weights": (1, 1, 0)}, 0),
    ("Levenshtein", "distance", "", "", {"weights": (1, 1, 2)}, 0),
    ("Levenshtein", "distance", "", "", {"weights": (1, 1, 5)}, 0),
    ("Levenshtein", "distance", "", "", {"weights": (3, 7, 5)}, 0),
    # test_score_cutoff_overflow
    ("Levenshtein", "distance", "", "", {"score_cutoff": 2**63}, 0),
    # test_cross_type_matching
    ("Levenshtein", "distance", "aaaa", "aaaa", {}, 0),
    ("Levenshtein", "distance", "aaaa", ["a", "a", "a", "a"], {}, 0),
    ("Levenshtein", "distance", b"aaaa", b"aaaa", {}, 0),
    ("Levenshtein", "distance", "aaaa", b"aaaa", {}, 0),
    ("Levenshtein", "distance", "aaaa", [97, 97, "a", "a"], {}, 0),
    ("Levenshtein", "distance", [0, -1], [0, -2], {}, 1),
    ("Levenshtein", "distance", [ByHash("aa"), ByHash("aa")], [ByHash("aa"), ByHash("bb")], {}, 1),
    # test_word_error_rate
    ("Levenshtein", "distance", ["aaaaa", "bbbb"], ["aaaaa", "bbbb"], {}, 0),
    ("Levenshtein", "distance", ["aaaaa", "bbbb"], ["aaaaa", "cccc"], {}, 1),
    # test_simple_unicode_tests
    ("Levenshtein", "distance", "ÁÄ", "ABCD", {}, 4),
    ("Levenshtein", "distance", "ÁÄ", "ABCD", {"weights": (1, 1, 0)}, 2),
    ("Levenshtein", "distance", "ÁÄ", "ABCD", {"weights": (1, 1, 2)}, 6),
    ("Levenshtein", "distance", "ÁÄ", "ABCD", {"weights": (1, 1, 5)}, 6),
    ("Levenshtein", "distance", "ÁÄ", "ABCD", {"weights": (1, 7, 5)}, 12),
    ("Levenshtein", "distance", "ABCD", "ÁÄ", {"weights": (1, 7, 5)}, 24),
    ("Levenshtein", "distance", "ÁÄ", "ÁÄ", {}, 0),
    ("Levenshtein", "distance", "ÁÄ", "ÁÄ", {"weights": (1, 1, 0)}, 0),
    ("Levenshtein", "distance", "ÁÄ", "ÁÄ", {"weights": (1, 1, 2)}, 0),
    ("Levenshtein", "distance", "ÁÄ", "ÁÄ", {"weights": (1, 1, 5)}, 0),
    ("Levenshtein", "distance", "ÁÄ", "ÁÄ", {"weights": (3, 7, 5)}, 0),
    # test_mbleven
    ("Levenshtein", "distance", "0", "101", {"score_cutoff": 1}, 2),
    ("Levenshtein", "distance", "0", "101", {"score_cutoff": 2}, 2),
    ("Levenshtein", "distance", "0", "101", {"score_cutoff": 3}, 2),
    # testCaseInsensitive; the original test uses rapidfuzz's own processor
    ("Levenshtein", "distance", "new york mets", "new YORK mets", {"processor": lower}, 0),
]

# tests/distance/test_Indel.py
INDEL = [
    # test_basic
    ("Indel", "distance", "", "", {}, 0),
    ("Indel", "distance", "test", "test", {}, 0),
    ("Indel", "distance", "aaaa", "bbbb", {}, 8),
    # test_issue_196
    ("Indel", "distance", "South Korea", "North Korea", {}, 4),
    ("Indel", "distance", "South Korea", "North Korea", {"score_cutoff": 4}, 4),
    ("Indel", "distance", "South Korea", "North Korea", {"score_cutoff": 3}, 4),
    ("Indel", "distance", "South Korea", "North Korea", {"score_cutoff": 2}, 3),
    ("Indel", "distance", "South Korea", "North Korea", {"score_cutoff": 1}, 2),
    ("Indel", "distance", "South Korea", "North Korea", {"score_cutoff": 0}, 1),
    # testCaseInsensitive
    ("Indel", "distance", "new york mets", "new YORK mets", {"processor": lower}, 0),
]

# tests/distance/test_LCSseq.py
LCSSEQ = [
    # test_basic
    ("LCSseq", "distance", "", "", {}, 0),
    ("LCSseq", "distance", "test", "test", {}, 0),
    ("LCSseq", "distance", "aaaa", "bbbb", {}, 4),
    # test_empty_string
    ("LCSseq", "distance", "abc", "", {}, 3),
    ("LCSseq", "normalized_distance", "abc", "", {}, 1.0),
    ("LCSseq", "normalized_similarity", "abc", "", {}, 0.0),
    ("LCSseq", "normalized_distance", "abc", "", {"score_cutoff": 0.5}, 1.0),
    ("LCSseq", "normalized_distance", "", "", {}, 0.0),
    ("LCSseq", "normalized_similarity", "", "", {}, 1.0),
    # testCaseInsensitive
    ("LCSseq", "distance", "new york mets", "new YORK mets", {"processor": lower}, 0),
]

# tests/distance/test_distance.py: the same cases for every metric
EVERY_METRIC = [
    (metric, function, s1, s2, {}, expected)
    for metric in ("Levenshtein", "Indel", "LCSseq")
    for function, s1, s2, expected in [
        # test_none
        ("normalized_distance", None, "test", 1.0),
        ("normalized_similarity", None, "test", 0.0),
        ("normalized_distance", "test", None, 1.0),
        ("normalized_similarity", "test", None, 0.0),
        # test_nan
        ("normalized_distance", NAN, "test", 1.0),
        ("normalized_similarity", NAN, "test", 0.0),
        ("normalized_distance", "test", NAN, 1.0),
        ("normalized_similarity", "test", NAN, 0.0),
        # test_empty_strings
        ("normalized_distance", "", "", 0.0),
        ("normalized_similarity", "", "", 1.0),
        # test_similar_array
        ("normalized_similarity", characters(METS), characters(METS), 1.0),
        ("normalized_similarity", METS, characters(METS), 1.0),
        ("normalized_similarity", characters(METS), METS, 1.0),
        # test_similar_bytes
        ("normalized_similarity", METS.encode(), METS.encode(), 1.0),
        ("normalized_similarity", METS, METS.encode(), 1.0),
        ("normalized_similarity", METS.encode(), METS, 1.0),
        # test_similar_ord_array
        ("normalized_similarity", [97, 97, "a", "a"], [97, 97, "a", "a"], 1.0),
        ("normalized_similarity", "aaaa", [97, 97, "a", "a"], 1.0),
        ("normalized_similarity", [97, 97, "a", "a"], "aaaa", 1.0),
        # test_integer_array: -1 and -2 have the same hash in CPython; the original tests != 1.0
        ("normalized_similarity", [0, -1], [0, -2], 0.5),
        # test_custom_hashable: for the second case, the original only tests != 1.0
        ("normalized_similarity", [ByHash("aa"), ByHash("aa")], [ByHash("aa"), ByHash("aa")], 1.0),
        ("normalized_similarity", [ByHash("aa"), ByHash("aa")], [ByHash("aa"), ByHash("bb")], 0.5),
    ]
]

CHICAGO = ["chicago cubs vs new york mets", "CitiField", "2011-05-11", "8pm"]
CITIFIELDS = ["chicago cubs vs new york mets", "CitiFields", "2012-05-11", "9pm"]
OTHER = ["different string", "CitiFields", "2012-05-11", "9pm"]

# tests/test_fuzz.py, the tests of ratio: (s1, s2, keywords, expected). If the original only tests
# "not 100", the expected value is the result of rapidfuzz 3.14.6.
RATIO = [
    # test_no_processor, test_ratio_case_censitive
    ("new york mets", "new york mets", {}, 100.0),
    ("new york mets", "new YORK mets", {}, 69.23076923076923),
    ("new york mets", "new YORK mets", {"processor": None}, 69.23076923076923),
    ("new york mets", "new YORK mets", {"processor": same}, 69.23076923076923),
    # test_score_cutoff_above_100
    ("abcd", "abcd", {}, 100.0),
    ("abcd", "abcd", {"score_cutoff": 100}, 100.0),
    ("abcd", "abcd", {"score_cutoff": 100.1}, 0.0),
    # test_empty_string
    ("", "", {}, 100.0),
    # test_array
    (characters(METS), characters(METS), {}, 100.0),
    (METS, characters(METS), {}, 100.0),
    (characters(METS), METS, {}, 100.0),
    # test_bytes
    (METS.encode(), METS.encode(), {}, 100.0),
    (METS, METS.encode(), {}, 100.0),
    (METS.encode(), METS, {}, 100.0),
    # test_none_string, test_nan_string
    ("test", None, {}, 0),
    (None, "test", {}, 0),
    ("test", NAN, {}, 0),
    (NAN, "test", {}, 0),
    # test_simple_unicode_tests
    ("ÁÄ", "ABCD", {}, 0.0),
    ("ÁÄ", "ÁÄ", {}, 100.0),
    # test_scorer_case_insensitive
    ("new york mets", "new YORK mets", {"processor": lower}, 100.0),
    # test_custom_processor
    (CHICAGO, CITIFIELDS, {"processor": first}, 100.0),
    (CITIFIELDS, OTHER, {"processor": first}, 26.66666666666667),
    # testIssue206
    ("South Korea", "North Korea", {}, 81.81818181818181),
    ("South Korea", "North Korea", {"score_cutoff": 81.81818181818181 - 0.0001}, 81.81818181818181),
]

# --------------------------------------------------------------------------------------------------------------------
# Edit operations: (metric, function, s1, s2, as_list())

# test_Editops and test_Opcodes of tests/distance/test_Levenshtein.py, test_Indel.py and
# test_LCSseq.py
_INDEL_LISTS = [
    ("0", "", [("delete", 0, 0)]),
    ("", "0", [("insert", 0, 0)]),
    ("00", "0", [("delete", 1, 1)]),
    ("0", "00", [("insert", 1, 1)]),
    ("qabxcd", "abycdf", [("delete", 0, 0), ("insert", 3, 2), ("delete", 3, 3), ("insert", 6, 5)]),
    (
        "Lorem ipsum.",
        "XYZLorem ABC iPsum",
        [("insert", 0, 0), ("insert", 0, 1), ("insert", 0, 2)]
        + [("insert", 6, 9), ("insert", 6, 10), ("insert", 6, 11), ("insert", 6, 12)]
        + [("insert", 7, 14), ("delete", 7, 15), ("delete", 11, 18)],
    ),
]
_LEVENSHTEIN_LISTS = [
    *_INDEL_LISTS[:4],
    ("qabxcd", "abycdf", [("delete", 0, 0), ("replace", 3, 2), ("insert", 6, 5)]),
    (
        "Lorem ipsum.",
        "XYZLorem ABC iPsum",
        [("insert", 0, 0), ("insert", 0, 1), ("insert", 0, 2)]
        + [("insert", 6, 9), ("insert", 6, 10), ("insert", 6, 11), ("insert", 6, 12)]
        + [("replace", 7, 14), ("delete", 11, 18)],
    ),
]
EDIT_LISTS = [
    *(("Levenshtein", "editops", *case) for case in _LEVENSHTEIN_LISTS),
    ("Levenshtein", "opcodes", "", "abc", [("insert", 0, 0, 0, 3)]),
    *(("Indel", "editops", *case) for case in _INDEL_LISTS),
    *(("LCSseq", "editops", *case) for case in _INDEL_LISTS),
]

# These tests also check the lengths of both strings: (metric, s1, s2)
EDIT_LENGTHS = [(metric, "aaabaaa", "abbaaabba") for metric in ("Levenshtein", "Indel", "LCSseq")]

# tests/distance/test_init.py: test_editops_comparison, test_opcodes_comparison,
# test_list_initialization
COMPUTED = [("aaabaaa", "abbaaabba"), ("skdsakldsakdlasda", "djkajkdfkdgkhdfjrmecsidjf")]

# --------------------------------------------------------------------------------------------------------------------
# The classes, tests/distance/test_init.py

# test_editops_get_index, _get_slice, _del_slice, _inversion
OPERATIONS = [("delete", 1, 1), ("replace", 2, 1), ("insert", 6, 5), ("insert", 6, 6), ("insert", 6, 7)]
OPERATIONS_LENGTHS = (7, 9)
OPERATIONS_INVERSE = [("insert", 1, 1), ("replace", 1, 2), ("delete", 5, 6), ("delete", 6, 6), ("delete", 7, 6)]
BAD_INDICES = [5, -6]
SLICES = [(None, None), (1, None), (None, 3), (1, 3), (None, -1), (-3, None), (-3, -1)]
DELETED_SLICES = [
    (None, 4, None), (1, None, None), (1, 4, None), (None, 4, 2), (1, None, 2), (1, 4, 2),
    (None, -1, None), (-4, None, None), (-4, -1, None), (None, -1, 2), (-4, None, 2), (-4, -1, 2),
]  # fmt: skip
BAD_SLICES = [
    ((None, None, 0), "slice step cannot be zero"),
    ((None, None, -1), "step sizes below 0 lead to an invalid order of editops"),
]

# test_opcode_py_get_index, test_opcode_inversion
BLOCKS = [
    ("equal", 0, 1, 0, 1),
    ("delete", 1, 2, 1, 1),
    ("replace", 2, 3, 1, 2),
    ("equal", 3, 6, 2, 5),
    ("insert", 6, 6, 5, 8),
    ("equal", 6, 7, 8, 9),
]
BLOCKS_INVERSE = [
    ("equal", 0, 1, 0, 1),
    ("insert", 1, 1, 1, 2),
    ("replace", 1, 2, 2, 3),
    ("equal", 2, 5, 3, 6),
    ("delete", 5, 8, 6, 6),
    ("equal", 8, 9, 6, 7),
]
BAD_BLOCK_INDICES = [6, -7]

# (class, list, src_len, dest_len, as_list())
MADE = [
    # test_opcodes_empty, test_editops_empty
    ("Opcodes", [], 0, 0, []),
    ("Opcodes", [], 0, 3, [("equal", 0, 0, 0, 3)]),
    ("Editops", [], 0, 0, []),
    ("Editops", [], 0, 3, []),
    # test_merge_adjacent_blocks
    ("Opcodes", [("equal", 0, 3, 0, 3)], 3, 3, [("equal", 0, 3, 0, 3)]),
    ("Opcodes", [("equal", 0, 1, 0, 1), ("equal", 1, 3, 1, 3)], 3, 3, [("equal", 0, 3, 0, 3)]),
]

# test_empty_matching_blocks: (src_len, dest_len, blocks), for Editops and Opcodes
EMPTY_MATCHES = [(0, 0, [(0, 0, 0)]), (0, 3, [(0, 3, 0)]), (3, 0, [(3, 0, 0)])]

# test_editops_remove_subsequence_does_not_modify_source: (removed, remaining)
REMOVED_FROM = [("delete", 1, 1), ("replace", 2, 1), ("insert", 4, 3), ("insert", 6, 5)]
REMOVED = [
    ([("delete", 1, 1), ("insert", 6, 5)], [("replace", 1, 1), ("insert", 3, 3)]),
    ([("delete", 1, 1)], [("replace", 1, 1), ("insert", 3, 3), ("insert", 5, 5)]),
]
# test_remove_non_subsequence: (operations, operations that are no subsequence of them), with
# lengths of 2**32 - 1
NOT_REMOVED = [([("delete", 0, 0)], [("insert", 0, 0)])]

# --------------------------------------------------------------------------------------------------------------------
# process, tests/test_process.py

BASEBALL = [
    "new york mets vs chicago cubs",
    "chicago cubs vs chicago white sox",
    "philladelphia phillies vs atlanta braves",
    "braves vs mets",
]
AGAINST = [
    "new york mets vs chicago cubs",
    "chicago cubs at new york mets",
    "atlanta braves vs pittsbugh pirates",
    "new york yankees vs boston red sox",
]
EVENTS = [
    ["chicago cubs vs new york mets", "CitiField", "2011-05-11", "8pm"],
    ["new york yankees vs boston red sox", "Fenway Park", "2011-05-11", "8pm"],
    ["atlanta braves vs pittsburgh pirates", "PNC Park", "2011-05-11", "8pm"],
]
WITH_GAPS = [None, "new york mets vs chicago cubs", "new york yankees vs boston red sox", None, None]

# The best choice: (query, choices, keywords, (choice, key) or None). The tests add
# scorer=fuzz.ratio to the keywords.
BEST = [
    # test_get_best_choice1 to 4; for the first and the last, WRatio selects other choices because
    # of partial matches
    ("new york mets at atlanta braves", BASEBALL, {}, (BASEBALL[0], 0)),
    ("philadelphia phillies at atlanta braves", BASEBALL, {}, (BASEBALL[2], 2)),
    ("atlanta braves at philadelphia phillies", BASEBALL, {}, (BASEBALL[2], 2)),
    ("chicago cubs vs new york mets", BASEBALL, {}, (BASEBALL[1], 1)),
    # test_with_processor
    (EVENTS[0], EVENTS, {"processor": first}, (EVENTS[0], 0)),
    (EVENTS[0], dict(enumerate(EVENTS)), {"processor": first}, (EVENTS[0], 0)),
    ("new york mets", ["new YORK mets"], {"processor": lower}, ("new YORK mets", 0)),
    # test_with_scorer; the original uses QRatio, which equals ratio for non-empty strings
    ("new york mets at chicago cubs", AGAINST, {}, (AGAINST[0], 0)),
    ("new york mets at chicago cubs", dict(enumerate(AGAINST, 1)), {}, (AGAINST[0], 1)),
    # test_with_cutoff
    ("los angeles dodgers vs san francisco giants", AGAINST, {"score_cutoff": 50}, None),
    ("los angeles dodgers vs san francisco giants", AGAINST, {}, (AGAINST[0], 0)),
    # test_with_cutoff_edge_cases
    ("new york mets vs chicago cubs", AGAINST, {"score_cutoff": 100}, (AGAINST[0], 0)),
    ("", AGAINST, {}, (AGAINST[0], 0)),
    # test_none_elements, test_numpy_nan_elements
    *(
        case
        for missing in (None, NAN)
        for processor in (None, lower, same)
        for case in [
            ("test", [missing, "tes"], {"processor": processor}, ("tes", 1)),
            (missing, [missing, "tes"], {"processor": processor}, None),
            ("test", {0: missing, 1: "tes"}, {"processor": processor}, ("tes", 1)),
            (missing, {0: missing, 1: "tes"}, {"processor": processor}, None),
        ]
    ),
    # test_result_order, test_extractOne_use_first_match
    ("test", ["tes", "tes"], {}, ("tes", 0)),
    ("new york mets", ["new york mets", "new york mets"], {}, ("new york mets", 0)),
    # test_empty_strings
    ("new york mets at chicago cubs", ["", AGAINST[0], AGAINST[3], "", ""], {}, (AGAINST[0], 1)),
    # test_none_strings
    ("new york mets at chicago cubs", WITH_GAPS, {}, (WITH_GAPS[1], 1)),
    # test_extractOne_case_sensitive
    ("new york mets", ["new", "new YORK mets"], {}, ("new YORK mets", 1)),
    ("new york mets", ["new", "new YORK mets"], {"processor": same}, ("new YORK mets", 1)),
]

# Complete results of extract: (query, choices, scorer, keywords, expected). The name of a scorer is
# ("Levenshtein", "distance") or ("fuzz", "ratio").
EXTRACT = [
    # test_extract_limits
    ("test", ["tes", "tes"], ("fuzz", "ratio"), {"limit": 1, "score_cutoff": 100}, []),
    ("test", ["te", "test"], ("Levenshtein", "distance"), {"limit": None}, [("test", 0, 1), ("te", 2, 0)]),
    # test_none_strings
    (
        "new york mets at chicago cubs",
        WITH_GAPS,
        ("fuzz", "ratio"),
        {},
        [(WITH_GAPS[1], 93.10344827586206, 1), (WITH_GAPS[2], 50.79365079365079, 2)],
    ),
]

# test_extractOne_exceptions, test_extract_exceptions, test_extract_iter_exceptions: arguments that
# raise TypeError
EXTRACT_ERRORS = [(), (1,), (1, [""]), ("", [1]), ("", {1: 1})]

# (queries, choices, scorer, keywords, rows). Without a dtype, the test also checks the default
# dtype.
CDIST = [
    # test_none_strings
    (["new york mets at chicago cubs"], WITH_GAPS, ("fuzz", "ratio"), {"dtype": "uint8"}, [[0, 93, 51, 0, 0]]),
    (["", None], ["", None], ("Levenshtein", "normalized_similarity"), {}, [[1, 0], [0, 0]]),
    # test_cdist_not_symmetric
    (
        ["test", "test2"],
        ["test", "test2"],
        ("Levenshtein", "distance"),
        {"scorer_kwargs": {"weights": (1, 2, 1)}},
        [[0, 1], [2, 0]],
    ),
    # test_cdist_multiplier
    *(
        (["test", "test2"], ["test", "test2"], scorer, keywords, expected)
        for scorer, keywords, expected in [
            (
                ("Levenshtein", "normalized_similarity"),
                {"score_multiplier": 255, "dtype": "uint8"},
                [[255, 204], [204, 255]],
            ),
            (("Levenshtein", "normalized_distance"), {"score_multiplier": 255, "dtype": "uint8"}, [[0, 51], [51, 0]]),
            (("Levenshtein", "similarity"), {"score_multiplier": 2}, [[8, 8], [8, 10]]),
            (("Levenshtein", "distance"), {"score_multiplier": 2}, [[0, 2], [2, 0]]),
        ]
    ),
    # test_str_dtype
    (["test"], ["test"], ("fuzz", "ratio"), {"dtype": "uint8"}, [[100]]),
]

# test_cdist_empty_seq: (queries, choices, shape)
CDIST_SHAPES = [([], ["a", "b"], (0, 2)), (["a", "b"], [], (2, 0)), ([], [], (0, 0))]

# same layout as CDIST, with one row
CPDIST = [
    # test_none_strings: the choices compared with themselves
    (WITH_GAPS, WITH_GAPS, ("fuzz", "ratio"), {}, [0, 100, 100, 0, 0]),
    # test_cpdist_multiplier
    (["test"], ["test2"], ("Levenshtein", "normalized_similarity"), {"score_multiplier": 255, "dtype": "uint8"}, [204]),
    (["test"], ["test2"], ("Levenshtein", "normalized_distance"), {"score_multiplier": 255, "dtype": "uint8"}, [51]),
    # test_str_dtype
    (["test"], ["test"], ("fuzz", "ratio"), {"dtype": "uint8"}, [100]),
    # test_cpdist_integral_dtype_rounding: the float is 88.88…
    (["1 2 33 5"], ["1 22 33 55"], ("fuzz", "ratio"), {"dtype": "uint32"}, [89]),
    # test_cpdist_empty_seq
    ([], [], ("fuzz", "ratio"), {}, []),
]

# test_cpdist_not_same_length: (queries, choices) that raise ValueError with this message
CPDIST_LENGTHS = [(["a", "b"], []), (["a", "b"], ["f"])]
CPDIST_LENGTHS_ERROR = "Length of queries and choices must be the same!"

# test_cdist_pure_python_dtype, test_cpdist_pure_python_dtype: (scorer, default dtype)
DTYPES = [
    *(
        ((metric, function), dtype)
        for metric in ("Levenshtein", "Indel", "LCSseq")
        for function, dtype in [
            ("distance", "uint32"),
            ("similarity", "uint32"),
            ("normalized_distance", "float32"),
            ("normalized_similarity", "float32"),
        ]
    ),
    (("fuzz", "ratio"), "float32"),
]

# test_generators: (query, choices that are passed as a generator, best match)
GENERATOR = ("aaa", ["a", "Bb", "CcC"], ("a", 50.0, 0))

# test_wrapped_function: a user-defined scorer is called for each pair, also for missing values
CUSTOM_SCORE = 100
CUSTOM_CHOICES = [NAN, None, "tes"]

# test_issue81: the keys of a Series are its labels. The scores are those of ratio.
SERIES = (
    "test",
    ["test color brightness", "test lemon", "test lavender"],
    [67478, 67479, 67480],
    [
        ("test lemon", 57.14285714285714, 67479),
        ("test lavender", 47.05882352941176, 67480),
        ("test color brightness", 31.999999999999996, 67478),
    ],
)

# --------------------------------------------------------------------------------------------------------------------
# Not from rapidfuzz's tests: observed behaviour of rapidfuzz 3.14.6

# same layout as LEVENSHTEIN; the type of the result must match, too
OBSERVED = [
    ("Levenshtein", "distance", "abc", "xbcd", {"score_cutoff": 0}, 1),
    ("Levenshtein", "distance", "abc", "xbcd", {"score_cutoff": 1.5}, 2),
    ("Levenshtein", "distance", "abc", "xbcd", {"score_hint": 0}, 2),
    ("Levenshtein", "distance", "abc", "xbcd", {"weights": None}, 2),
    ("Levenshtein", "distance", "abc", "xbcd", {"weights": [1, 1, 1]}, 2),
    ("Levenshtein", "distance", "abc", "xbcd", {"weights": (0, 0, 0)}, 0),
    ("Levenshtein", "normalized_distance", "abc", "xbcd", {"weights": (0, 0, 0)}, 0.0),
    ("Levenshtein", "normalized_similarity", "abc", "xbcd", {"weights": (0, 0, 0)}, 1.0),
    ("Levenshtein", "similarity", "abc", "xbcd", {}, 2),
    ("Levenshtein", "similarity", "abc", "xbcd", {"score_cutoff": 2}, 2),
    ("Levenshtein", "similarity", "abc", "xbcd", {"score_cutoff": 3}, 0),
    ("Levenshtein", "normalized_similarity", "abc", "xbcd", {"score_cutoff": 0.5}, 0.5),
    ("Levenshtein", "normalized_similarity", "abc", "xbcd", {"score_cutoff": 0.51}, 0.0),
    ("Levenshtein", "normalized_distance", "abc", "xbcd", {"score_cutoff": 0.5}, 0.5),
    ("Levenshtein", "normalized_distance", "abc", "xbcd", {"score_cutoff": 0.4}, 1.0),
    ("Levenshtein", "normalized_similarity", "abc", "axx", {}, 1.0 - 2 / 3),
    ("Levenshtein", "normalized_distance", "abc", "axx", {}, 2 / 3),
    # The normalized functions round a cutoff to a 32-bit float first, so the next two scores just
    # miss it.
    ("Levenshtein", "normalized_similarity", "abc", "axx", {"score_cutoff": 1.0 - 2 / 3}, 0.0),
    ("Levenshtein", "normalized_distance", "abcdefghij", "xxxxxxxhij", {"score_cutoff": 0.7}, 1.0),
    ("Levenshtein", "normalized_distance", "abcdefghij", "xxxdefghij", {"score_cutoff": 0.3}, 0.3),
    ("Levenshtein", "distance", [1.0], [1], {}, 0),
    ("Levenshtein", "distance", [True], [1], {}, 0),
    ("Levenshtein", "distance", [2**61 - 1], [0], {}, 0),
    ("Levenshtein", "distance", [b"a"], [97], {}, 1),
    ("Levenshtein", "distance", [None], [None], {}, 0),
    ("Levenshtein", "distance", "abc", bytearray(b"abc"), {}, 0),
    ("Levenshtein", "distance", "abc", memoryview(b"abc"), {}, 0),
    ("Levenshtein", "distance", "\ud800a", [0xD800, 97], {}, 0),
    ("Levenshtein", "distance", "\U0001f600", [0x1F600], {}, 0),
    ("Levenshtein", "distance", None, "xbcd", {"processor": lambda _: "x"}, 4 - 4),
    ("Levenshtein", "normalized_distance", None, "xbcd", {"processor": lambda _: "x"}, 1.0),
    ("Levenshtein", "distance", "abc", "xbcd", {"processor": False}, 2),
    ("Indel", "similarity", "abc", "xbcd", {}, 4),
    ("Indel", "normalized_similarity", "abc", "abd", {}, 1.0 - 2 / 6),
    ("LCSseq", "similarity", "abc", "xbcd", {}, 2),
    ("LCSseq", "distance", "abc", "xbcd", {"score_cutoff": 1}, 2),
    ("LCSseq", "normalized_similarity", "abc", "xbcd", {}, 0.5),
]

# (metric, function, s1, s2, keywords, error, part of its message or None)
SCORE_ERRORS = [
    ("Levenshtein", "distance", "abc", None, {}, TypeError, "object of type 'NoneType' has no len()"),
    ("Levenshtein", "similarity", None, None, {}, TypeError, "object of type 'NoneType' has no len()"),
    ("Indel", "distance", "abc", NAN, {}, TypeError, "object of type 'float' has no len()"),
    ("LCSseq", "similarity", None, "abc", {}, TypeError, "object of type 'NoneType' has no len()"),
    ("LCSseq", "normalized_similarity", "abc", 1, {}, TypeError, "object of type 'int' has no len()"),
    ("Levenshtein", "editops", "abc", None, {}, TypeError, "object of type 'NoneType' has no len()"),
    ("Levenshtein", "distance", "abc", [[1]], {}, TypeError, "unhashable type: 'list'"),
    ("Levenshtein", "distance", "abc", {"a"}, {}, TypeError, None),
    ("Levenshtein", "distance", "abc", "abc", {"score_cutoff": -1}, OverflowError, None),
    ("Levenshtein", "similarity", "abc", "abc", {"score_cutoff": -1}, OverflowError, None),
    ("Levenshtein", "distance", "abc", "abc", {"score_cutoff": 2**64}, OverflowError, None),
    ("Levenshtein", "distance", "abc", "abc", {"score_cutoff": "x"}, TypeError, None),
    ("Levenshtein", "distance", "abc", "abc", {"weights": (1, 2)}, ValueError, None),
    ("Levenshtein", "distance", "abc", "abc", {"weights": (1, -1, 1)}, OverflowError, None),
    ("Levenshtein", "distance", "abc", "abc", {"processor": 1}, TypeError, "'int' object is not callable"),
    ("Levenshtein", "normalized_distance", "a", "b", {"score_cutoff": -1}, TypeError, "range of 0.0 - 1.0"),
    ("Levenshtein", "normalized_similarity", "a", "b", {"score_cutoff": 2}, TypeError, "range of 0.0 - 1.0"),
    ("Levenshtein", "editops", "a", "b", {"score_cutoff": 1}, TypeError, None),
    ("Indel", "distance", "a", "b", {"score_hint": 1}, TypeError, None),
    ("LCSseq", "distance", "a", "b", {"score_hint": 1}, TypeError, None),
    ("Indel", "editops", "a", "b", {"score_hint": 1}, TypeError, None),
    ("Indel", "distance", "a", "b", {"weights": (1, 1, 1)}, TypeError, None),
    ("fuzz", "ratio", 1, 1, {}, TypeError, "object of type 'int' has no len()"),  # test_invalid_input of test_fuzz.py
    ("fuzz", "ratio", "a", "b", {"score_hint": 1}, TypeError, None),
]

# same layout as MADE
MADE_OBSERVED = [
    ("Editops", None, 3, 4, []),
    ("Opcodes", None, 3, 3, []),
    ("Opcodes", [], 3, 4, [("equal", 0, 3, 0, 4)]),
    ("Editops", [("equal", 0, 0)], 3, 3, []),
    ("Editops", [("delete", 0, 3)], 3, 3, [("delete", 0, 3)]),
    ("Editops", [("insert", 1, 1), ("equal", 0, 0), ("insert", 1, 2)], 3, 3, [("insert", 1, 1), ("insert", 1, 2)]),
    ("Editops", [["insert", 1, 1]], 3, 3, [("insert", 1, 1)]),
    ("Editops", (("insert", 1, 1),), 3, 3, [("insert", 1, 1)]),
    ("Editops", [("equal", 0, 3, 0, 3)], 3, 3, []),
    ("Opcodes", [("delete", 0, 0)], 1, 0, [("delete", 0, 1, 0, 0)]),
    (
        "Opcodes",
        [("replace", 0, 1, 0, 1), ("replace", 1, 2, 1, 2), ("delete", 2, 3, 2, 2)],
        3,
        2,
        [("replace", 0, 2, 0, 2), ("delete", 2, 3, 2, 2)],
    ),
    ("Editops", BLOCKS, 7, 9, OPERATIONS),
    ("Opcodes", OPERATIONS, 7, 9, BLOCKS),
]

# (class, arguments, error, complete message or None)
MADE_ERRORS = [
    ("Editops", ([("delete", 0, 0)], 0, 0), ValueError, "List of edit operations invalid"),
    ("Editops", ([("insert", 4, 0)], 3, 3), ValueError, "List of edit operations invalid"),
    ("Editops", ([("insert", 0, 4)], 3, 3), ValueError, "List of edit operations invalid"),
    ("Editops", ([("insert", 0, 3)], 3, 3), ValueError, "List of edit operations invalid"),
    ("Editops", ([("replace", 3, 0)], 3, 3), ValueError, "List of edit operations invalid"),
    ("Editops", ([("equal", 3, 0)], 3, 3), ValueError, "List of edit operations invalid"),
    ("Editops", ([("equal", 0, 3)], 3, 3), ValueError, "List of edit operations invalid"),
    ("Editops", ([("insert", 1, 1)],), ValueError, "List of edit operations invalid"),
    ("Editops", ([("insert", 1, 1), ("insert", 0, 2)], 3, 3), ValueError, "List of edit operations out of order"),
    ("Editops", ([("insert", 1, 1), ("insert", 2, 0)], 3, 3), ValueError, "List of edit operations out of order"),
    ("Editops", ([("insert", 1, 1), ("insert", 1, 1)], 3, 3), ValueError, "Duplicated edit operation"),
    ("Editops", ([("other", 0, 0)], 3, 3), ValueError, "Invalid Edit Type"),
    ("Editops", ([("insert", 0)], 3, 3), TypeError, "Expected list of 3-tuples, or a list of 5-tuples"),
    ("Editops", ([("insert", 0, 0, 0)], 3, 3), TypeError, "Expected list of 3-tuples, or a list of 5-tuples"),
    ("Editops", ([("insert", "a", 1)], 3, 3), TypeError, None),
    ("Editops", ([("insert", -1, 1)], 3, 3), OverflowError, None),
    ("Editops", ([], -1, 3), OverflowError, None),
    ("Editops", (iter([("insert", 1, 1)]), 3, 3), TypeError, None),
    ("Opcodes", ([("equal", 0, 4, 0, 4)], 3, 3), ValueError, "List of edit operations invalid"),
    ("Opcodes", ([("equal", 0, 3, 0, 2)], 3, 3), ValueError, "List of edit operations invalid"),
    ("Opcodes", ([("equal", 0, 0, 0, 0), ("equal", 0, 3, 0, 3)], 3, 3), ValueError, "List of edit operations invalid"),
    ("Opcodes", ([("insert", 0, 0, 0, 0), ("equal", 0, 3, 0, 3)], 3, 3), ValueError, "List of edit operations invalid"),
    ("Opcodes", ([("insert", 0, 1, 0, 3)], 1, 3), ValueError, "List of edit operations invalid"),
    ("Opcodes", ([("delete", 0, 1, 0, 1)], 1, 1), ValueError, "List of edit operations invalid"),
    ("Opcodes", ([("delete", 1, 0, 0, 0)], 1, 1), ValueError, "List of edit operations invalid"),
    (
        "Opcodes",
        ([("equal", 0, 2, 0, 2)], 3, 3),
        ValueError,
        "List of edit operations does not end at the string ends",
    ),
    (
        "Opcodes",
        ([("equal", 1, 3, 1, 3)], 3, 3),
        ValueError,
        "List of edit operations does not start at position 0",
    ),
    (
        "Opcodes",
        ([("equal", 0, 1, 0, 1), ("equal", 2, 3, 2, 3)], 3, 3),
        ValueError,
        "List of edit operations is not continuous",
    ),
    ("Opcodes", ([("other", 0, 1, 0, 1)], 1, 1), ValueError, "Invalid Edit Type"),
    ("Opcodes", ([("equal", 0, 1, 0)], 1, 1), TypeError, "Expected list of 3-tuples, or a list of 5-tuples"),
    ("Editop", ("insert", 0), TypeError, None),
    ("Editop", (1, 0, 0), TypeError, "Expected str, got int"),
    ("Editop", ("insert", "a", 0), TypeError, None),
    ("Editop", ("insert", 1.5, 0), TypeError, None),
    ("Opcode", (1, 0, 0, 0, 0), TypeError, "Expected str, got int"),
    ("MatchingBlock", (-1, 2, 3), OverflowError, None),
]

# (class of records, values, names, repr(), message of the IndexError)
RECORDS = [
    (
        "Editop",
        ("insert", 1, 2),
        ("tag", "src_pos", "dest_pos"),
        "Editop(tag='insert', src_pos=1, dest_pos=2)",
        "Editop index out of range",
    ),
    (
        "Opcode",
        ("delete", 1, 2, 3, 3),
        ("tag", "src_start", "src_end", "dest_start", "dest_end"),
        "Opcode(tag='delete', src_start=1, src_end=2, dest_start=3, dest_end=3)",
        "Opcode index out of range",
    ),
    (
        "MatchingBlock",
        (1, 2, 3),
        ("a", "b", "size"),
        "MatchingBlock(a=1, b=2, size=3)",
        "MatchingBlock index out of range",
    ),
    (
        "ScoreAlignment",
        (1.5, 0, 1, 2, 3),
        ("score", "src_start", "src_end", "dest_start", "dest_end"),
        "ScoreAlignment(score=1.5, src_start=0, src_end=1, dest_start=2, dest_end=3)",
        "Opcode index out of range",
    ),
]

# results of applying OPERATIONS or BLOCKS: (s1, s2, result); bytes give a str
APPLIED = [
    ("abcdefg", "ABCDEFGHI", "aBdefFGHg"),
    (b"abcdefg", b"ABCDEFGHI", "aBdefFGHg"),
    ("abcdefg", b"ABCDEFGHI", "aBdefFGHg"),
    ("äbcdef\U0001f600", "ÄBCDEFGHI", "äBdefFGH\U0001f600"),
]
# (s1, s2, result of Editops, result of Opcodes): Editops keep the symbols after their end, Opcodes
# drop them
APPLIED_LONGER = ("abcdefghijk", "ABCDEFGHI", "aBdefFGHghijk", "aBdefFGHg")
# (s1, s2) that raise TypeError with this message
NOT_APPLIED = [(list("abcdefg"), "ABCDEFGHI"), ("abcdefg", bytearray(b"ABCDEFGHI")), (1, "abc")]
NOT_APPLIED_ERROR = "expected strings or bytes object"
MATCHES = [(0, 0, 1), (3, 2, 3), (6, 8, 1), (7, 9, 0)]  # for OPERATIONS and for BLOCKS
# same layout as REMOVED, for OPERATIONS; the lengths of the removed list are ignored
REMOVED_OBSERVED = [
    ([("insert", 6, 5), ("insert", 6, 6)], [("delete", 1, 1), ("replace", 2, 1), ("insert", 8, 7)]),
    (OPERATIONS, []),
    ([], OPERATIONS),
]

# same layout as EXTRACT
FIVE = ["abd", "xyz", "abc", None, "ab"]
EXTRACT_OBSERVED = [
    ("abc", FIVE, ("Levenshtein", "distance"), {}, [("abc", 0, 2), ("abd", 1, 0), ("ab", 1, 4), ("xyz", 3, 1)]),
    (
        "abc",
        FIVE,
        ("Levenshtein", "distance"),
        {"score_cutoff": 1},
        [("abc", 0, 2), ("abd", 1, 0), ("ab", 1, 4)],
    ),
    ("abc", FIVE, ("Levenshtein", "distance"), {"limit": 0}, []),
    ("abc", FIVE, ("Levenshtein", "distance"), {"limit": 1}, [("abc", 0, 2)]),
    ("abc", FIVE, ("Levenshtein", "distance"), {"limit": 2}, [("abc", 0, 2), ("abd", 1, 0)]),
    (
        "abc",
        FIVE,
        ("Levenshtein", "similarity"),
        {"limit": None},
        [("abc", 3, 2), ("abd", 2, 0), ("ab", 2, 4), ("xyz", 0, 1)],
    ),
    (
        "abc",
        FIVE,
        ("Levenshtein", "normalized_distance"),
        {"limit": None},
        [("abc", 0.0, 2), ("abd", 1 / 3, 0), ("ab", 1 / 3, 4), ("xyz", 1.0, 1)],
    ),
    (
        "abc",
        FIVE,
        ("Levenshtein", "normalized_similarity"),
        {"limit": None},
        [("abc", 1.0, 2), ("abd", 1 - 1 / 3, 0), ("ab", 1 - 1 / 3, 4), ("xyz", 0.0, 1)],
    ),
    (
        "abc",
        {"k": "abd", "l": None, "m": "abc"},
        ("Indel", "distance"),
        {},
        [("abc", 0, "m"), ("abd", 2, "k")],
    ),
    ("abc", ("abd", "abc"), ("Indel", "distance"), {}, [("abc", 0, 1), ("abd", 2, 0)]),
    ("abc", "abc", ("LCSseq", "distance"), {}, [("a", 2, 0), ("b", 2, 1), ("c", 2, 2)]),
    ("abc", ["ABC"], ("Indel", "distance"), {"processor": lower}, [("ABC", 0, 0)]),
    ("abc", ["ABC"], ("Levenshtein", "distance"), {"scorer_kwargs": {"weights": (1, 1, 5)}}, [("ABC", 6, 0)]),
    ("abc", [], ("Levenshtein", "distance"), {}, []),
    # the processor is not called for missing values
    ("a", ["b", None], ("Levenshtein", "normalized_distance"), {"processor": str.lower}, [("b", 1.0, 0)]),
]

# extractOne: same layout as EXTRACT, with one result
EXTRACT_ONE_OBSERVED = [
    ("abc", ["abd", "abe"], ("Levenshtein", "distance"), {}, ("abd", 1, 0)),
    ("abc", ["abd", "abe"], ("Levenshtein", "distance"), {"score_cutoff": 0}, None),
    ("abc", [], ("Levenshtein", "distance"), {}, None),
    ("abc", ["xyz"], ("Levenshtein", "similarity"), {}, ("xyz", 0, 0)),
    ("abc", ["xyz"], ("Levenshtein", "normalized_similarity"), {}, ("xyz", 0.0, 0)),
    ("abc", ["xyz"], ("Levenshtein", "normalized_distance"), {}, ("xyz", 1.0, 0)),
    # a distance of 0 ends the search: later choices are not compared
    ("abc", ["abc", 1], ("Levenshtein", "distance"), {}, ("abc", 0, 0)),
]

# same layout as CDIST
CDIST_OBSERVED = [
    (["a", "bc"], ["a", "c"], ("Levenshtein", "distance"), {"dtype": "float64"}, [[0, 1], [2, 1]]),
    (["a", "bc"], ["a", "c"], ("Levenshtein", "distance"), {"score_cutoff": 0}, [[0, 1], [1, 1]]),
    (
        ["a", "bc"],
        ["a", "c"],
        ("Levenshtein", "distance"),
        {"score_cutoff": 0, "score_multiplier": 10},
        [[0, 10], [10, 10]],
    ),
    (["a", "bc"], ["a", "c"], ("Levenshtein", "distance"), {"workers": -1}, [[0, 1], [2, 1]]),
    (["a", "bc"], ["a", "c"], ("Levenshtein", "distance"), {"workers": 0}, [[0, 1], [2, 1]]),
    # for a distance, the multiplier is truncated to an integer
    (["a", "bc"], ["a", "c"], ("Levenshtein", "distance"), {"score_multiplier": 1.5}, [[0, 1], [2, 1]]),
    # a result outside the range of the dtype wraps around
    (["aaaa" * 100], ["b"], ("Levenshtein", "distance"), {"dtype": "uint8"}, [[144]]),
    (["aaaa" * 100], ["b"], ("Levenshtein", "distance"), {"dtype": "int8"}, [[-112]]),
    # halves are rounded away from 0
    (["ab"], ["ac"], ("Levenshtein", "normalized_similarity"), {"dtype": "uint8"}, [[1]]),
    (["ab"], ["ac"], ("Levenshtein", "normalized_similarity"), {"dtype": "uint8", "score_multiplier": 5}, [[3]]),
    (["ab"], ["ac"], ("Levenshtein", "normalized_similarity"), {"dtype": "uint8", "score_multiplier": 3}, [[2]]),
    (
        ["abc", None],
        ["a", None, NAN],
        ("Levenshtein", "normalized_distance"),
        {"dtype": "float64"},
        [[2 / 3, 1, 1], [1, 1, 1]],
    ),
    (["abc", None], ["a", None, NAN], ("fuzz", "ratio"), {}, [[50, 0, 0], [0, 0, 0]]),
    ("abc", "abd", ("Levenshtein", "distance"), {}, [[0, 1, 1], [1, 0, 1], [1, 1, 1]]),
    (["a"], ["b"], ("Levenshtein", "distance"), {"scorer_kwargs": {"weights": (2, 2, 3)}}, [[3]]),
    (["a"], ["B"], ("Levenshtein", "distance"), {"processor": lower}, [[1]]),
]

# (queries, choices, scorer, keywords, error, part of its message or None)
CDIST_ERRORS = [
    (["a", None], ["a"], ("Levenshtein", "distance"), {}, ValueError, "passed unsupported element None"),
    (["a"], [NAN], ("Indel", "similarity"), {}, ValueError, "passed unsupported element"),
    (["a"], [1], ("Levenshtein", "distance"), {}, TypeError, "object of type 'int' has no len()"),
    (["a"], ["a"], ("Levenshtein", "distance"), {"dtype": "float16"}, TypeError, "unsupported dtype"),
    (["a"], ["a"], ("Levenshtein", "distance"), {"dtype": "bool"}, TypeError, "unsupported dtype"),
    (["a"], ["a"], ("Indel", "distance"), {"scorer_kwargs": {"bogus": 1}}, TypeError, None),
    (["a"], ["b"], ("Levenshtein", "distance"), {"score_multiplier": -1}, OverflowError, None),
    (["a"], ["b"], ("Levenshtein", "normalized_distance"), {"score_cutoff": 1.5}, TypeError, "range of 0.0 - 1.0"),
    (["a"], ["b"], ("fuzz", "ratio"), {"score_cutoff": 101}, TypeError, "range of 0.0 - 100.0"),
    ((c for c in "ab"), ["b"], ("Levenshtein", "distance"), {}, TypeError, None),
]
