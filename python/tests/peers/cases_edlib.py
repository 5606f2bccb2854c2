"""Inputs and expected values for `carrywave.compat.edlib`.

The first two parts are data from the tests of edlib 1.3.9; each group names the file and the test.
They have the fixed cases of the C++ tests, but not the random strings. Those tests take the
expected values from a second program; here they are the results of edlib 1.3.9 with `task="path"`.
The last part records the behaviour of edlib 1.3.9 in cases that its tests leave open.
`CARRYWAVE_PEER=peer pytest test_edlib_cases.py` runs all cases against edlib itself.
"""

from __future__ import annotations

LETTERS = "".join(map(chr, range(1, 257)))

# bindings/python/test.py: (query, target, keywords, items of the result)
PYTHON = [
    ("telephone", "elephant", {}, {"editDistance": 3}),
    (b"telephone", b"elephant", {}, {"editDistance": 3}),
    # additional equalities
    (
        "ACTG",
        "CACTRT",
        {"mode": "HW", "task": "path", "additionalEqualities": [("R", "A"), ("R", "G")]},
        {"editDistance": 0},
    ),
    # no cigar without task="path"
    ("TAAGGATGGTCCCATTC", "AAGGGGTCTCATATC", {"mode": "NW", "task": "distance"}, {"cigar": None}),
    # an empty string
    ("", "elephant", {}, {"editDistance": 8}),
    ("telephone", "", {}, {"editDistance": 9}),
    ("", "elephant", {"mode": "HW"}, {"editDistance": 0}),
    ("telephone", "", {"mode": "HW"}, {"editDistance": 9}),
    ("", "elephant", {"mode": "SHW"}, {"editDistance": 0}),
    ("telephone", "", {"mode": "SHW"}, {"editDistance": 9}),
    # beyond ASCII
    ("ты милая", "ты гений", {}, {"editDistance": 5, "alphabetLength": 12}),
    # 256 symbols
    (LETTERS * 3, LETTERS + LETTERS[::-1] + LETTERS, {}, {"editDistance": 256}),
]

# bindings/python/test.py, nice alignments: (query, target, mode, three lines)
NICE = [
    (
        "TAAGGATGGTCCCATTC",
        "AAGGGGTCTCATATC",
        mode,
        ("TAAGGATGGTCCCAT-TC", "-||||--||||.|||-||", "-AAGG--GGTCTCATATC"),
    )
    for mode in ("NW", "HW", "SHW")
]

# test/runTests.cpp: (test, query, target, {mode: (distance, locations, cigar)})
TEST6_TARGET = "011101301333132232331" * 20
TEST9_QUERY = (
    "9559946011546065565220608370664831945557823641127760920969946529"
)
TEST9_TARGET = (
    "7162911755496734694526607843395201714099750624093667439334785417709308403467086665520553141684376209"
    "0495153131996518061115911218517786591024125096814245939050803701350655289708519033726643856226583840"
    "3782690201256194837885231816676965336578613424007718533614573180815662443987380381334618267586787456"
    "690111949199224806644422293168729860177286221603498932353669662660879597431721060075212691567"
)
TEST12_QUERY = (
    "GCATATCAATAAGCGGAGGA"
)
TEST12_TARGET = (
    "TAACAAGGTTTCCGTAGGTGAACCTGCGGAAGGATCATTATCGAATAAACTTGATGGGTTGTCGCTGGCTTCTAGGAGCATGTGCACATCCGTCATTTTTATCCATCCAC"
    "CTGTGCACCTTTTGTAGTCTTTGGAGGTAATAAGCGTGAATCTATCGAGGTCCTCTGGTCCTCGGAAAGAGGTGTTTGCCATATGGCTCGCCTTTGATACTCGCGAGTTA"
    "CTCTAAGACTATGTCCTTTCATATACTACGAATGTAATAGAATGTATTCATTGGGCCTCAGTGCCTATAAAACATATACAACTTTCAGCAACGGATCTCTTGGCTCTCGC"
    "ATCGATGAAGAACGCAGCGAAATGCGATAAGTAATGTGAATTGCAGAATTCAGTGAATCATCGAATCTTTGAACGCACCTTGCGCTCCTTGGTATTCCGAGGAGCATGCC"
    "TGTTTGAGTGTCATTAAATTCTCAACCCCTTCCGGTTTTTTGACTGGCTTTGGGGCTTGGATGTGGGGGATTCATTTGCGGGCCTCTGTAGAGGTCGGCTCCCCTGAAAT"
    "GCATTAGTGGAACCGTTTGCGGTTACCGTCGCTGGTGTGATAACTATCTATGCCAAAGACAAACTGCTCTCTGATAGTTCTGCTTCTAACCGTCCATTTATTGGACAACA"
    "TTATTATGAACACTTGACCTCAAATCAGGTAGGACTACCCGCTGAACTTAAGCATATCAATAAGCGGAGGAAAAGAAACTAACAAGGATTCCCCTAGTAACTGCGAGTGA"
    "AGCGGGAAAAGCTCAAATTTAAAATCTGGCGGTCTTTGGCCGTCCGAGTTGTAATCTAGAGAAGCGACACCCGCGCTGGACCGTGTACAAGTCTCCTGGAATGGAGCGTC"
    "ATAGAGGGTGAGAATCCCGTCTCTGACACGGACTACCAGGGCTTTGTGGTGCGCTCTCAAAGAGTCGAGTTGTTTGGGAATGCAGCTCTAAATGGGTGGTAAATTCCATC"
    "TAAAGCTAAATATTGGCGAGAGACCGATAGCGAACAAGTACCGTGAGGGAAAGATGAAAAGAACTTTGGAAAGAGAGTTAAACAGTACGTGAAATTGCTGAAAGGGAAAC"
    "GCTTGAAGTCAGTCGCGTTGGCCGGGGATCAGCCTCGCTTTTGCGTGGTGTATTTCCTGGTTGACGGGTCAGCATCAATTTTGACCGCTGGAAAAGGACTTGGGGAATGT"
    "GGCATCTTCGGATGTGTTATAGCCCTTTGTCGCATACGGCGGTTGGGATTGAGGAACTCAGCACGCCGCAAGGCCGGGTTTCGACCACGTTCGTGCTTAGGATGCTGGCA"
    "TAATGGCTTTAATCGACCCGTCTTGAAACACGGACCAAGGAGTCTAACATGCCTGCGAGTGTTTGGGTGGAAAACCCGAGCGCGTAATGAAAGTGAAAGTTGAGATCCCT"
    "GTCGTGGGGAGCATCGACGCCCGGACCAGAACTTTTGGGACGGATCTGCGGTAGAGCATGTATGTTGGGACCCGAAAGATGGTGAACTATGCCTGAATAGGGTGAAGCCA"
    "GAGGAAACTCTGGTGGAGGCTCGTAGCGATTCTGACGTGCAAATCGATCGTCAAATTTGGGTATAGGGGCGAAAGACTAATCGAACCATCTAGTAGCTGGTTCCTGCCGA"
    "AGTTTCCCTCAGGATAGCAGAAACTCATATCAGATTTATGTGGTAAAGCGAATGATTAGAGGCCTTGGGGTTGAAACAACCTTAACCTATTCTCAAACTTTAAATATGTA"
    "AGAACGAGCCGTTTCTTGATTGAACCGCTCGGCGATTGAGAGTTTCTAGTGGGCCATTTTTGGTAAGCAGAACTGGCGATGCGGGATGAACCGAACGCGAGGTTAAGGTG"
    "CCGGAATTCACGCTCATCAGACACCACAAAAGGTGTTAGTTCATCTAGACAGCAGGACGGTGGCCATGGAAGTCGGAATCCGCTAAGGAGTGTGTAACAACTCACCTGCC"
    "GAATGAACTAGCCCTGAAAATGGATGGCGCTTAAGCGTGATACCCATACCTCGCCGTCAGCGTTGAAGTGACGCGCTGACGAGTAGGCAGGCGTGGAGGTCAGTGAAGAA"
    "GCCTTGGCAGTGATGCTGGGTGAAACGGCCTCC"
)

CPP = [
    (
        "test1",
        "0123",
        "0123",
        {
            "HW": (0, [(0, 3)], "4="),
            "NW": (0, [(0, 3)], "4="),
            "SHW": (0, [(0, 3)], "4="),
        },
    ),
    (
        "test2",
        "01234",
        "850134675",
        {
            "HW": (1, [(2, 5)], "2=1I2="),
            "NW": (6, [(0, 8)], "2D2=1I2=3D"),
            "SHW": (3, [(0, 5)], "2D2=1I2="),
        },
    ),
    (
        "test3",
        "01234",
        "120123454",
        {
            "HW": (0, [(2, 6)], "5="),
            "NW": (4, [(0, 8)], "2D5=2D"),
            "SHW": (2, [(0, 6)], "2D5="),
        },
    ),
    (
        "test4",
        "0" * 200,
        "1" + "0" * 199,
        {
            "HW": (1, [(0, 199)], "1X199="),
            "NW": (1, [(0, 199)], "1X199="),
            "SHW": (1, [(0, 199)], "1X199="),
        },
    ),
    (
        "test5",
        "0" * 64,
        "1" + "0" * 63,
        {
            "HW": (1, [(0, 63)], "1X63="),
            "NW": (1, [(0, 63)], "1X63="),
            "SHW": (1, [(0, 63)], "1X63="),
        },
    ),
    (
        "test6",
        "1301113013133",
        TEST6_TARGET,
        {
            "HW": (3, [(20 + 21 * i, 31 + 21 * i) for i in range(19)], "1=1I4=1I3=1D3="),
            "NW": (407, [(0, 419)], "1D1=4D3=3D1=7D1=6D4=2D2=2D1=382D"),
            "SHW": (4, [(0, 10)], "2I4=1I3=1D3="),
        },
    ),
    (
        "test7",
        "230",
        "01220",
        {
            "HW": (1, [(2, 4)], "1=1X1="),
            "NW": (3, [(0, 4)], "2D1=1X1="),
            "SHW": (2, [(0, 0)], "2I1="),
        },
    ),
    (
        "test8",
        "230",
        "220",
        {
            "HW": (1, [(0, 2)], "1=1X1="),
            "NW": (1, [(0, 2)], "1=1X1="),
            "SHW": (1, [(0, 2)], "1=1X1="),
        },
    ),
    (
        "test9",
        TEST9_QUERY,
        TEST9_TARGET,
        {
            "HW": (40, [(29, 74), (29, 75), (29, 76), (29, 77)], "2=1X4I2=1D1=1I1=1I1=2X1D1=1D1=1I1=1X1=1X2I1=2I2=1D1=1I1=1I1=3X1I2=1X2I2=2I2=1I2=1X1=4X2=3I"),
            "NW": (
                329,
                [(0, 392)],
                "4D1=3D2=1D1=5D2=2D1=1D1=9D1=1D1=5D1=3D1=3D1=15D1=8D1=6D2=8D1=11D1=21D1=12D1=4D1=1D1=9D1=2D1=1D3"
                "=4D1=16D1=1D1=1D1=7D1=12D1=4D2=5D1=11D1=3D3=4D1=8D1=1D1=1D1=3D1=3D1=3D1=5D1=14D1=2D1=8D1=3D1=5D"
                "1=3D1=8D1=2D1=3D1=16D1=22D1=6D1=3D2=3D1=4D",
            ),
            "SHW": (
                45,
                [(0, 44), (0, 45)],
                "4X1=3I2=1D1=1D1=1D1=1X2D1=2X1I2=1X1I2=2I1=1X2I1=1X1=1I1=1I1=4I1=1X2I1=2I1=2X2=2I1=3X1I1=1I1=1I",
            ),
        },
    ),
    (
        "test10",
        "012",
        "111",
        {
            "HW": (2, [(0, 0), (0, 1), (0, 2)], "1I1=1I"),
            "NW": (2, [(0, 2)], "1X1=1X"),
            "SHW": (2, [(0, 0), (0, 1), (0, 2)], "1I1=1I"),
        },
    ),
    (
        "test11",
        b"\x80\xff\x7f\0\0\0\0\0",
        b"\x80\0\x7f\0\0\0\0\0",
        {
            "HW": (1, [(0, 7)], "1=1X6="),
            "NW": (1, [(0, 7)], "1=1X6="),
            "SHW": (1, [(0, 7)], "1=1X6="),
        },
    ),
    (
        "testEmptySequences",
        "",
        "ACTG",
        {
            "HW": (0, [(None, -1)], None),
            "NW": (4, [(None, 3)], None),
            "SHW": (0, [(None, -1)], None),
        },
    ),
    (
        "testEmptySequences",
        "ACTG",
        "",
        {
            "HW": (4, [(None, -1)], None),
            "NW": (4, [(None, -1)], None),
            "SHW": (4, [(None, -1)], None),
        },
    ),
]

_AMBIGUOUS = ["RAG", "MAC", "WAT", "SCG", "YCT", "KGT", "VACG", "HACT", "DAGT", "BCGT"]

# test/runTests.cpp: (test, query, target, keywords, items of the result)
CPP_OTHERS = [
    (
        "test12",
        TEST12_QUERY,
        TEST12_TARGET,
        {
            "mode": "HW",
            "task": "locations",
            "additionalEqualities": [(group[0], base) for group in _AMBIGUOUS for base in group[1:]],
        },
        {"editDistance": 0, "locations": [(711, 730)]},
    ),
    # an end before the target: all symbols of the query are insertions
    ("test13", "AA", "B", {"mode": "HW", "task": "path"}, {"editDistance": 2, "locations": [(0, -1), (0, 0)], "cigar": "2I"}),
    ("test14", "AA", "B", {"mode": "SHW", "task": "path"}, {"editDistance": 2, "locations": [(0, -1), (0, 0)], "cigar": "2I"}),
    # the query starts before the target, or ends after it
    ("test15", "AAABBB", "BBBC", {"mode": "HW", "task": "locations"}, {"editDistance": 3, "locations": [(0, 2)]}),
    ("test16", "BBBAAA", "CBBB", {"mode": "HW", "task": "locations"}, {"editDistance": 3, "locations": [(1, 3)]}),
    (
        "testCustomEqualityRelation",
        "GTGNRTCARCGAANCTTTN",
        "GTGAGTCATCGAATCTTTGAACGCACCTTGCGCTCCTTGGT",
        {
            "mode": "HW",
            "task": "path",
            "additionalEqualities": [("R", "A"), ("R", "G"), ("N", "A"), ("N", "C"), ("N", "T"), ("N", "G")],
        },
        {"editDistance": 1, "locations": [(0, 18)], "cigar": "8=1X10="},
    ),
]

# --------------------------------------------------------------------------------------------------------------------
# Not from edlib's tests: observed behaviour of edlib 1.3.9

# same layout as PYTHON, but with all items of the result
OBSERVED = [
    ("a", "b", {}, {"editDistance": 1, "alphabetLength": 2, "locations": [(None, 0)], "cigar": None}),
    ("a", "b", {"task": "path"}, {"editDistance": 1, "alphabetLength": 2, "locations": [(0, 0)], "cigar": "1X"}),
    ("a", "b", {"mode": "other"}, {"editDistance": 1, "alphabetLength": 2, "locations": [(None, 0)], "cigar": None}),
    ("a", "b", {"task": "other"}, {"editDistance": 1, "alphabetLength": 2, "locations": [(None, 0)], "cigar": None}),
    ("a", "b", {"k": 0}, {"editDistance": -1, "alphabetLength": 2, "locations": [], "cigar": None}),
    ("a", "b", {"k": 0, "task": "path"}, {"editDistance": -1, "alphabetLength": 2, "locations": [], "cigar": None}),
    ("a", "b", {"k": None}, {"editDistance": 1, "alphabetLength": 2, "locations": [(None, 0)], "cigar": None}),
    ("a", "b", {"k": -5}, {"editDistance": 1, "alphabetLength": 2, "locations": [(None, 0)], "cigar": None}),
    ("a", "b", {"k": 1}, {"editDistance": 1, "alphabetLength": 2, "locations": [(None, 0)], "cigar": None}),
    ("abc", "xabcx", {"mode": "HW"}, {"editDistance": 0, "alphabetLength": 4, "locations": [(None, 3)], "cigar": None}),
    (
        "abc",
        "xabcx",
        {"mode": "HW", "task": "locations"},
        {"editDistance": 0, "alphabetLength": 4, "locations": [(1, 3)], "cigar": None},
    ),
    (
        "abc",
        "xabcxabc",
        {"mode": "HW", "task": "path"},
        {"editDistance": 0, "alphabetLength": 4, "locations": [(1, 3), (5, 7)], "cigar": "3="},
    ),
    ("abc", "abcx", {"mode": "SHW"}, {"editDistance": 0, "alphabetLength": 4, "locations": [(None, 2)], "cigar": None}),
    (
        "abc",
        "abcx",
        {"mode": "SHW", "task": "path"},
        {"editDistance": 0, "alphabetLength": 4, "locations": [(0, 2)], "cigar": "3="},
    ),
    (
        "AA",
        "B",
        {"mode": "HW"},
        {"editDistance": 2, "alphabetLength": 2, "locations": [(None, -1), (None, 0)], "cigar": None},
    ),
    (
        "AA",
        "B",
        {"mode": "SHW", "task": "locations"},
        {"editDistance": 2, "alphabetLength": 2, "locations": [(0, -1), (0, 0)], "cigar": None},
    ),
    # edlib reports no end of -1 if the query length is a multiple of 64
    (
        "A" * 63,
        "B",
        {"mode": "HW", "task": "path"},
        {"editDistance": 63, "alphabetLength": 2, "locations": [(0, -1), (0, 0)], "cigar": "63I"},
    ),
    (
        "A" * 64,
        "B",
        {"mode": "HW", "task": "path"},
        {"editDistance": 64, "alphabetLength": 2, "locations": [(0, 0)], "cigar": "1X63I"},
    ),
    (
        "A" * 65,
        "B",
        {"mode": "HW", "task": "path"},
        {"editDistance": 65, "alphabetLength": 2, "locations": [(0, -1), (0, 0)], "cigar": "65I"},
    ),
    (
        "A" * 64,
        "BB",
        {"mode": "SHW", "task": "path"},
        {"editDistance": 64, "alphabetLength": 2, "locations": [(0, 0), (0, 1)], "cigar": "1X63I"},
    ),
    (
        "A" * 128,
        "BB",
        {"mode": "HW", "task": "path"},
        {"editDistance": 128, "alphabetLength": 2, "locations": [(0, 0), (0, 1)], "cigar": "1X127I"},
    ),
    # an empty string has no starts and no cigar, and edlib ignores k
    ("", "abc", {"task": "path"}, {"editDistance": 3, "alphabetLength": 3, "locations": [(None, 2)], "cigar": None}),
    (
        "",
        "abc",
        {"mode": "HW", "task": "path"},
        {"editDistance": 0, "alphabetLength": 3, "locations": [(None, -1)], "cigar": None},
    ),
    (
        "abc",
        "",
        {"task": "path", "k": 1},
        {"editDistance": 3, "alphabetLength": 3, "locations": [(None, -1)], "cigar": None},
    ),
    (
        "abc",
        "",
        {"mode": "SHW", "task": "path", "k": 1},
        {"editDistance": 3, "alphabetLength": 3, "locations": [(None, -1)], "cigar": None},
    ),
    ("", "", {"task": "path"}, {"editDistance": 0, "alphabetLength": 0, "locations": [(None, -1)], "cigar": None}),
    (
        "",
        "",
        {"mode": "HW", "task": "locations"},
        {"editDistance": 0, "alphabetLength": 0, "locations": [(None, -1)], "cigar": None},
    ),
    # other types of sequences
    ("é", "é", {"task": "path"}, {"editDistance": 0, "alphabetLength": 1, "locations": [(0, 0)], "cigar": "1="}),
    (b"abc", "abc", {}, {"editDistance": 0, "alphabetLength": 3, "locations": [(None, 2)], "cigar": None}),
    (
        [1, 2, 3],
        (1, 3),
        {"task": "path"},
        {"editDistance": 1, "alphabetLength": 3, "locations": [(0, 1)], "cigar": "1=1I1="},
    ),
    (
        ["a", "b"],
        "ab",
        {"task": "path"},
        {"editDistance": 0, "alphabetLength": 2, "locations": [(0, 1)], "cigar": "2="},
    ),
    ([97, 98], b"ab", {"task": "path"}, {"editDistance": 0, "alphabetLength": 2, "locations": [(0, 1)], "cigar": "2="}),
    (
        [1, 2, 3],
        "ab",
        {"task": "path"},
        {"editDistance": 3, "alphabetLength": 5, "locations": [(0, 1)], "cigar": "2X1I"},
    ),
    (
        "\U0001f600a",
        "a",
        {"task": "path"},
        {"editDistance": 1, "alphabetLength": 2, "locations": [(0, 0)], "cigar": "1I1="},
    ),
    (
        [None, (1, 2)],
        [(1, 2)],
        {"task": "path"},
        {"editDistance": 1, "alphabetLength": 2, "locations": [(0, 0)], "cigar": "1I1="},
    ),
    # equalities are symmetric but not transitive: a = z and z = A do not imply a = A
    (
        "abc",
        "Abc",
        {"additionalEqualities": [("a", "A")], "task": "path"},
        {"editDistance": 0, "alphabetLength": 4, "locations": [(0, 2)], "cigar": "3="},
    ),
    (
        "Abc",
        "abc",
        {"additionalEqualities": [("a", "A")]},
        {"editDistance": 0, "alphabetLength": 4, "locations": [(None, 2)], "cigar": None},
    ),
    (
        "abc",
        "Abc",
        {"additionalEqualities": []},
        {"editDistance": 1, "alphabetLength": 4, "locations": [(None, 2)], "cigar": None},
    ),
    (
        "abc",
        "Abc",
        {"additionalEqualities": (("a", "A"),)},
        {"editDistance": 0, "alphabetLength": 4, "locations": [(None, 2)], "cigar": None},
    ),
    (
        "abc",
        "Abc",
        {"additionalEqualities": [("a", "z"), ("z", "A")]},
        {"editDistance": 1, "alphabetLength": 4, "locations": [(None, 2)], "cigar": None},
    ),
    (
        "abc",
        "Abc",
        {"additionalEqualities": [("a", "b"), ("b", "A")]},
        {"editDistance": 1, "alphabetLength": 4, "locations": [(None, 2)], "cigar": None},
    ),
    (
        b"abc",
        b"Abc",
        {"additionalEqualities": [("a", "A")]},
        {"editDistance": 0, "alphabetLength": 4, "locations": [(None, 2)], "cigar": None},
    ),
    (
        "abcé",
        "Abc",
        {"additionalEqualities": [("a", "A")]},
        {"editDistance": 1, "alphabetLength": 5, "locations": [(None, 2)], "cigar": None},
    ),
    (
        "abcé",
        "Abc",
        {"additionalEqualities": [("q", "A")]},
        {"editDistance": 2, "alphabetLength": 5, "locations": [(None, 2)], "cigar": None},
    ),
    (
        [1, 2],
        [3, 2],
        {"additionalEqualities": [(1, 3)]},
        {"editDistance": 0, "alphabetLength": 3, "locations": [(None, 1)], "cigar": None},
    ),
]

# (query, target, keywords, error, part of its message or None)
ERRORS = [
    (list(range(256)), [300], {}, ValueError, "more than 256 unique values"),
    ("".join(map(chr, range(300))), "a", {}, ValueError, "more than 256 unique values"),
    ([[1]], [2], {}, TypeError, "unhashable type: 'list'"),
    (None, "a", {}, TypeError, None),
    ("a", 1, {}, TypeError, None),
    ("a", "b", {"k": "x"}, TypeError, None),
    ("abc", "Abc", {"additionalEqualities": 5}, TypeError, None),
    ("abc", "Abc", {"additionalEqualities": [("a",)]}, IndexError, None),
]

# getNiceAlignment: (result of align, error, part of its message)
NICE_ERRORS = [
    (1, Exception, "expected to be a python dictionary"),
    ({}, Exception, "expected to contain a field 'locations'"),
    ({"locations": [(0, 1)]}, Exception, "expected to contain a CIGAR string"),
    ({"locations": [(0, 1)], "cigar": None}, Exception, "contains an empty CIGAR string"),
    ({"locations": [(0, 1)], "cigar": ""}, Exception, "contains an empty CIGAR string"),
    ({"locations": [(0, 1)], "cigar": "1M"}, Exception, "contains a symbol not '=', 'X', 'D', 'I'"),
    ({"locations": [], "cigar": None}, IndexError, None),
]

# (query, target, keywords of align, gapSymbol, three lines)
NICE_OBSERVED = [
    ("telephone", "elephant", {}, "_", ("telephone", "_|||||.|.", "_elephant")),
    ("abc", "xabdx", {"mode": "HW"}, "**", ("abc", "||**", "ab**")),
    ("abc", "xxabcxx", {"mode": "HW"}, "-", ("abc", "|||", "abc")),
]
