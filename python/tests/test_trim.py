"""Tests trimming against cutadapt, and by small cases without it."""

import pickle
import random
import subprocess
import sys

import carrywave
import pytest

READS = ["GATTACAGATTACAAGATCGGTAGAGCAC", "AGATCGGAAGAGC", "", "NNGATTACANN", "ccGGCATTCGATTACAGG"]

# Options of the program and of the class.
CASES = [
    (["-a", "AGATCGGAAGAGC"], {"adapters": "AGATCGGAAGAGC"}),
    (["-a", "AGATCGGAAGAGC", "-e", "0.2", "-O", "5"], {"adapters": "AGATCGGAAGAGC", "error_rate": 0.2, "overlap": 5}),
    (["-a", "AGATCGGAAGAGC", "--no-indels", "--action", "mask"], {"adapters": "AGATCGGAAGAGC", "indels": False, "action": "mask"}),
    (["-g", "GGCATTC", "-a", "GATT...ACCT", "-n", "2"], {"adapters": "GATT...ACCT", "front": "GGCATTC", "times": 2}),
    (["-g", "XGGCATTC", "-b", "ACCTTG", "--action", "lowercase"], {"front": ["XGGCATTC"], "anywhere": ["ACCTTG"], "action": "lowercase"}),
    (["-a", "GGCATTC$", "-g", "^ACC"], {"adapters": ["GGCATTC$"], "front": ["^ACC"]}),
    (["-a", "GGCATTCACC", "--action", "retain"], {"adapters": "GGCATTCACC", "action": "retain"}),
    (["-a", "GGCATTCACC", "--action", "crop"], {"adapters": "GGCATTCACC", "action": "crop"}),
    (["-q", "12,25", "-u", "2", "-u", "-1", "-l", "20"], {"quality_cutoff": (12, 25), "cut_start": 2, "cut_end": 1, "length": 20}),
    (["-q", "20", "--trim-n", "--poly-a", "-l", "-15"], {"quality_cutoff": 20, "trim_n": True, "poly_a": True, "length": -15}),
    (["--revcomp", "-g", "GGCATTCACC"], {"front": "GGCATTCACC", "reverse_complement": True}),
    (
        ["-a", "GGCATTC", "-m", "5", "-M", "30", "--max-n", "0.1", "--max-ee", "3"],
        {"adapters": "GGCATTC", "min_length": 5, "max_length": 30, "max_n": 0.1, "max_expected_errors": 3},
    ),
    (["-a", "GGCATTC", "--discard-trimmed"], {"adapters": "GGCATTC", "discard_trimmed": True}),
    (["-a", "GGCATTC", "--discard-untrimmed"], {"adapters": "GGCATTC", "discard_untrimmed": True}),
]


def random_reads(count):
    source = random.Random(3)
    parts = ["AGATCGGAAGAGC", "GGCATTCACC", "GGTGAATGCC", "ACCTTG", "GATT", "ACCT", "AAAAAAAA", "NN"]
    for number in range(count):
        read = "".join(source.choices("ACGT", k=source.randrange(30)))
        for _ in range(source.randrange(3)):
            part = list(source.choice(parts))
            if source.random() < 0.3:
                part[source.randrange(len(part))] = source.choice("ACGT")
            at = source.choice([0, len(read), source.randrange(len(read) + 1)])
            read = read[:at] + "".join(part) + read[at:]
        yield f"r{number}", read, "".join(chr(33 + source.randrange(41)) for _ in read)


@pytest.mark.parametrize(("options", "settings"), CASES)
def test_the_reads_are_those_of_cutadapt(options, settings, tmp_path):
    pytest.importorskip("cutadapt")
    reads = list(random_reads(400))
    (tmp_path / "reads.fq").write_text("".join(f"@{name}\n{read}\n+\n{line}\n" for name, read, line in reads))
    command = [sys.executable, "-m", "cutadapt", "--quiet", *options, "-o", tmp_path / "out.fq", tmp_path / "reads.fq"]
    subprocess.run(command, check=True, timeout=120)
    lines = (tmp_path / "out.fq").read_text().splitlines()
    expected = [(lines[at][1:], lines[at + 1], lines[at + 3]) for at in range(0, len(lines), 4)]
    names, sequences, qualities = zip(*reads, strict=True)
    trimmed = carrywave.Trimmer(**settings).trim(sequences, qualities)
    found = [
        (names[number] + " rc" * int(trimmed.reversed[number]), trimmed.sequences[number], trimmed.qualities[number])
        for number in trimmed.passed().tolist()
    ]
    assert found == expected
    assert found != reads


def test_lists_of_any_kind():
    trimmer = carrywave.Trimmer("AGATCGGAAGAGC", min_length=1)
    trimmed = trimmer.trim(READS)
    assert trimmed.sequences == ["GATTACAGATTACA", "", "", "NNGATTACANN", "ccGGCATTCGATTACAGG"]
    assert trimmed.qualities is None
    assert trimmed.adapter.tolist() == [0, 0, -1, -1, -1]
    assert trimmed.filter == [None, "too_short", "too_short", None, None]
    assert trimmed.passed().tolist() == [0, 3, 4]
    data = [read.encode() for read in READS]
    assert trimmer.trim(data).sequences == [read.encode() for read in trimmed.sequences]
    assert trimmer.trim(map(bytearray, data), ["I" * len(read) for read in data]).qualities == ["I" * len(read) for read in trimmed.sequences]
    assert pickle.loads(pickle.dumps(trimmer)).trim(READS) == trimmed
    done = []
    assert trimmer.trim(READS * 3000, progress=lambda *now: done.append(now)).sequences == trimmed.sequences * 3000
    assert done[-1] == (15000, 15000)
    assert trimmer.trim([]).sequences == []


@pytest.mark.parametrize(
    "settings",
    [
        {"adapters": "GATTACA!"},
        {"adapters": ""},
        {"front": ["GAT", "...ACA"]},
        {"adapters": "GATTACA", "error_rate": 8},
        {"adapters": "GATTACA", "error_rate": float("nan")},
        {"adapters": "GATTACA", "error_rate": -1},
        {"adapters": "GATTACA", "overlap": 0},
        {"adapters": "GATTACA", "action": "cut"},
        {"adapters": "GATTACA", "action": "crop", "times": 2},
    ],
)
def test_wrong_settings(settings):
    with pytest.raises(ValueError):
        carrywave.Trimmer(**settings)


def test_wrong_reads():
    trimmer = carrywave.Trimmer("GATTACA", quality_cutoff=10)
    for sequences, qualities, words in (
        (["ACGT", None], None, "missing"),
        (["ACGTé"], None, "ASCII"),
        (["ACGT"], ["III"], "4 symbols and 3"),
        (["ACGT"], [], "0 qualities"),
    ):
        with pytest.raises(ValueError, match=words):
            trimmer.trim(sequences, qualities)
    with pytest.raises(TypeError):
        trimmer.trim("ACGT")
    with pytest.raises(TypeError):
        carrywave.Trimmer("GATTACA", error_rate="0.1")
