"""Runs the tests of rapidfuzz, Levenshtein and edlib against carrywave's drop-ins.

    python python/tests/peers/own_suites.py

The command prints the tables of python/README.md. The first call downloads the source distributions
into `target/peers`: rapidfuzz's (58 MB) and Levenshtein's (0.4 MB) from PyPI with pip, and edlib's
(4 MB) from Debian with apt-get, because edlib's distribution on PyPI has no tests. `stand_in.py` makes the tests import the
drop-ins.
"""

from __future__ import annotations

import ast
import contextlib
import importlib
import json
import os
import subprocess
import sys
import tarfile
import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
FOLDER = HERE.parents[2] / "target/peers"
EDLIB = "1.2.7"
# The packages on PyPI, with their versions and their tests.
VERSIONS = {"rapidfuzz": "3.14.6", "levenshtein": "0.27.5"}
SUITES = {
    "rapidfuzz": ["tests/distance", "tests/test_fuzz.py", "tests/test_process.py", "tests/test_utils.py"],
    "levenshtein": ["tests"],
}
EDLIB_SUITE = "bindings/python/test.py"

# pip requests the name and version of a package from its build backend. This backend returns them
# without a build, so that no compiler is needed.
BACKEND = """
import pathlib, shutil

def prepare_metadata_for_build_wheel(folder, settings=None):
    made = pathlib.Path(folder, "{package}-{version}.dist-info")
    made.mkdir()
    shutil.copy("PKG-INFO", made / "METADATA")
    return made.name
"""


class Unavailable(Exception):
    """Raised if a source distribution cannot be downloaded here."""


def ran(command: list[str], **options: Any) -> None:
    """Runs a command; raises `Unavailable` if it fails."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=300, **options)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unavailable(str(error)) from None
    if done.returncode != 0:
        lines = (done.stderr or done.stdout).strip().splitlines()
        raise Unavailable(lines[-1] if lines else f"{command[0]} failed")


def download(folder: Path, package: str) -> Path:
    """Downloads a source distribution with pip, and returns its path."""
    version = VERSIONS[package]
    archive = folder / f"{package}-{version}.tar.gz"
    if not archive.exists():
        with tempfile.TemporaryDirectory() as scratch:
            backend = Path(scratch, "scikit_build_core")
            backend.mkdir()
            (backend / "__init__.py").touch()
            (backend / "build.py").write_text(BACKEND.format(package=package, version=version), encoding="utf-8")
            options = ["--quiet", "--retries", "1", "--timeout", "20", "--no-cache-dir", "--no-deps", "--no-binary", ":all:", "--no-build-isolation", "--dest", str(folder)]
            command = [sys.executable, "-m", "pip", "download", *options, f"{package}=={version}"]
            ran(command, env={**os.environ, "PYTHONPATH": scratch})
    return archive


def download_edlib(folder: Path) -> Path:
    """Downloads edlib's source distribution with apt-get and separate package lists."""
    archive = folder / f"libedlib_{EDLIB}.orig.tar.gz"
    if not archive.exists():
        key = Path("/usr/share/keyrings/debian-archive-keyring.gpg")
        if not key.exists():
            raise Unavailable("there is no keyring of Debian here")
        for part in ("lists/partial", "cache/archives/partial"):
            (folder / part).mkdir(parents=True, exist_ok=True)
        sources = folder / "sources.list"
        sources.write_text(f"deb-src [signed-by={key}] http://deb.debian.org/debian stable main\n", encoding="utf-8")
        settings = {
            "Dir::State::lists": folder / "lists",
            "Dir::Cache": folder / "cache",
            "Dir::Etc::sourcelist": sources,
            "Dir::Etc::sourceparts": "/dev/null",
            "Acquire::Languages": "none",
            "APT::Sandbox::User": "root",
            "APT::Update::Error-Mode": "any",
        }
        options = [part for name, value in settings.items() for part in ("-o", f"{name}={value}")]
        ran(["apt-get", *options, "update"])
        ran(["apt-get", *options, "source", "--download-only", "--tar-only", "libedlib"], cwd=folder)
        if not archive.exists():
            raise Unavailable(f"Debian has no libedlib {EDLIB}")
    return archive


def unpacked(archive: Path, version: str, wanted: list[str]) -> Path:
    """Unpacks the wanted parts of an archive, and returns the folder."""
    folder = archive.parent / f"{archive.name.split('-')[0].split('_')[0]}-{version}"
    if not folder.exists():
        with tempfile.TemporaryDirectory(dir=archive.parent) as scratch, tarfile.open(archive) as tar:
            for member in tar:
                _, _, name = member.name.partition("/")
                if member.isfile() and any(name.startswith(part) for part in wanted):
                    path = Path(scratch, "unpacked", name)
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(tar.extractfile(member).read())  # type: ignore[union-attr]
            with contextlib.suppress(OSError):  # A concurrent run may have created it.
                Path(scratch, "unpacked").rename(folder)
    return folder


def suite(name: str) -> dict[str, tuple[str, str]]:
    """Runs a package's tests. Returns the outcome of each test, and the reason if it is skipped."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    source = unpacked(download(FOLDER, name), VERSIONS[name], ["tests/"])
    with tempfile.TemporaryDirectory() as scratch:
        results = Path(scratch, "results.json")
        # The path of the imported carrywave, and of the plugin.
        package = Path(importlib.import_module("carrywave").__file__ or "").parents[1]
        given = [os.path.abspath(path) for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
        paths = [str(package), str(HERE), *given]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(paths), "CARRYWAVE_SUITE_RESULTS": str(results)}
        environment.update(PYTHONDONTWRITEBYTECODE="1", HYPOTHESIS_STORAGE_DIRECTORY=scratch)
        options = ["-q", "-p", "stand_in", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", str(source)]
        command = [sys.executable, "-m", "pytest", *options, *SUITES[name]]
        done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True, timeout=600)
        if done.returncode not in (0, 1) or not results.exists():
            raise RuntimeError(done.stdout + done.stderr)
        if done.returncode == 1:
            print(done.stdout, file=sys.stderr)
        return {name: tuple(result) for name, result in json.loads(results.read_text(encoding="utf-8")).items()}


def edlib_suite() -> list[bool]:
    """Runs edlib's test script, and returns true or false for each check (passed or failed).

    The script records a failure in a variable, which is read and reset after each check.
    """
    FOLDER.mkdir(parents=True, exist_ok=True)
    source = unpacked(download_edlib(FOLDER), EDLIB, [EDLIB_SUITE])
    script = ast.parse((source / EDLIB_SUITE).read_text(encoding="utf-8"))
    checks = []
    names: dict[str, Any] = {"edlib": importlib.import_module("carrywave.compat.edlib")}
    for statement in script.body:
        text = ast.unparse(statement)
        if text == "import edlib" or text.startswith("sys.exit(") or "All tests passed" in text:
            continue
        exec(compile(ast.Module([statement], []), EDLIB_SUITE, "exec"), names)
        if isinstance(statement, ast.If):
            checks.append(not names["testFailed"])
            names["testFailed"] = False
    return checks


def counted(name: str, version: str, outcomes: list[str]) -> list[str]:
    """Returns a table row: suite, version, and the numbers of passed, failed and skipped tests."""
    return [name, version, *(str(outcomes.count(outcome)) for outcome in ("passed", "failed", "skipped"))]


def lines(head: str, rows: list[list[str]]) -> str:
    """Returns a Markdown table with right-aligned numbers."""
    marks = ["--:" if cell.isdigit() else "---" for cell in rows[0]]
    return "\n".join([head, f"|{'|'.join(marks)}|", *(f"| {' | '.join(row)} |" for row in rows)]) + "\n"


def tables() -> tuple[str, int]:
    """Returns the tables of python/README.md, and the number of failed tests."""
    results = {package: suite(package) for package in VERSIONS}
    rows = []
    for package, title in (("rapidfuzz", "rapidfuzz"), ("levenshtein", "Levenshtein")):
        for part in SUITES[package]:
            outcomes = [outcome for test, (outcome, _) in results[package].items() if test.startswith(part)]
            rows.append(counted(f"{title}, `{part}`", VERSIONS[package], outcomes))
    rows.append(counted(f"edlib, `{EDLIB_SUITE}`", EDLIB, ["passed" if passed else "failed" for passed in edlib_suite()]))
    everything = [result for outcomes in results.values() for result in outcomes.values()]
    reasons = Counter(reason for outcome, reason in everything if outcome == "skipped").most_common()
    text = lines("| tests of | version | passed | failed | skipped |", rows)
    if reasons:
        text += "\n" + lines("| skipped, since the test uses | tests |", [[reason, str(count)] for reason, count in reasons])
    return text, sum(int(row[3]) for row in rows)


if __name__ == "__main__":
    try:
        text, failed = tables()
        print(text, end="")
        sys.exit(failed > 0)
    except Unavailable as error:
        sys.exit(f"a source distribution cannot be had here: {error}")
