"""Runs the tests of cutadapt with `carrywave trim` in the place of cutadapt.

    pip download --no-binary cutadapt --no-deps cutadapt==5.2 && tar xzf cutadapt-5.2.tar.gz
    pip install cutadapt==5.2 pytest pytest-timeout pytest-mock
    python3 benches/trim_cases.py target/release/carrywave cutadapt-5.2

A test is skipped if it uses an option that `trim` does not have; the summary lists the options.
"""

import json
import subprocess
import sys
import tempfile
import types
from pathlib import Path

import pytest

# Options of cutadapt that `trim` spells in another way, or does not need.
SPELLED = {
    "--no-trim": ["--action=none"],
    "--mask-adapter": ["--action=mask"],
    "--discard-casava": ["--discard-casava"],
    "--quiet": ["--report=none"],
    "--debug": [],
    "--no-index": [],
    "-j": None,
    "--cores": None,
    "--buffer-size": None,
}

# Options that `trim` does not have.
ABSENT = [
    "--info-file",
    "--info-file-paired",
    "--rest-file",
    "--wildcard-file",
    "--gc-content",
    "-r",
]

# Cases whose difference is meant, with the reason.
MEANT = {
    "test_small_bam": "BAM is not read",
    "test_help": "the help is another",
    "test_cores_negative": "the number of threads is an option of all commands",
    "test_quiet_and_report": "--report none is quiet",
    "test_print_progress_to_tty": "looks into cutadapt",
    "test_terminates_correctly_on_error_in_subprocess": "looks into cutadapt",
    "test_warn_if_en_dashes_used": "no hint for en dashes",
    "test_compressed_output": "only gz is written",
    "test_does_not_close_stdout": "one process for each call",
}


def translated(words):
    """Returns the words of a call in the spelling of `trim`."""
    result = []
    skip_value = False
    for word in words:
        name, equals, value = word.partition("=")
        if skip_value:
            skip_value = False
        elif name in ABSENT:
            pytest.skip(f"option {name}")
        elif name in SPELLED:
            spelled = SPELLED[name]
            skip_value = spelled is None and not equals
            result += spelled or []
        else:
            result.append(word)
    return result


def main_of(program):
    """Returns a function like cutadapt's main."""

    def main(words):
        words = translated([str(word) for word in words])
        report = [words[at + 1] for at, word in enumerate(words) if word == "--json"]
        with tempfile.TemporaryDirectory() as folder:
            path = Path(report[0] if report else f"{folder}/report.json")
            call = [program, "trim", *([] if report else ["--json", str(path)]), *words]
            inherited = [int(word.removeprefix("/dev/fd/")) for word in words if word.startswith("/dev/fd/")]
            done = subprocess.run(call, capture_output=True, pass_fds=inherited)
            sys.stdout.write(done.stdout.decode(errors="replace"))
            sys.stderr.write(done.stderr.decode(errors="replace"))
            if done.returncode:
                raise SystemExit(done.returncode)
            return statistics(json.loads(path.read_text()))

    return main


def statistics(report):
    reads, bases = report["read_counts"], report["basepair_counts"]
    return types.SimpleNamespace(
        n=reads["input"],
        filtered={name: number for name, number in reads["filtered"].items()},
        total=bases["input"],
        total_bp=[bases["input_read1"], bases["input_read2"]],
        written=reads["output"],
        written_bp=[bases["output_read1"], bases["output_read2"]],
        reverse_complemented=reads["reverse_complemented"],
        with_adapters=[reads["read1_with_adapter"], reads["read2_with_adapter"]],
        as_json=lambda *_: report,
    )


class Plugin:
    """Puts the program in the place of cutadapt, and lists the skipped options."""

    def __init__(self, program):
        self.skipped = {}
        import cutadapt.cli

        cutadapt.cli.main = main_of(program)

    def pytest_collection_modifyitems(self, items):
        for item in items:
            reason = MEANT.get(item.originalname)
            if reason:
                item.add_marker(pytest.mark.skip(reason=reason))

    def pytest_runtest_logreport(self, report):
        if report.skipped:
            reason = report.longrepr[2]
            self.skipped[reason] = self.skipped.get(reason, 0) + 1


if __name__ == "__main__":
    program, source = Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve()
    tests = [str(source / "tests" / name) for name in ["test_commandline.py", "test_paired.py"]]
    plugin = Plugin(str(program))
    code = pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", str(source / "tests"), *tests, *sys.argv[3:]], [plugin])
    for reason, count in sorted(plugin.skipped.items()):
        print(f"skipped {count}: {reason}")
    sys.exit(code)
