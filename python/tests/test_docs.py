"""Tests the examples in docstrings, also of the compiled module, and in the package's README."""

from __future__ import annotations

import contextlib
import doctest
import importlib.util
import inspect
import io
import pkgutil
from pathlib import Path
from typing import Any

import pytest

import carrywave

ROOT = Path(__file__).parents[1]
# Modules whose examples need Ray; test_ray.py runs these.
ELSEWHERE = {"carrywave.ray"}
NEEDS = {"carrywave.arrow": ["pyarrow"], "carrywave.pandas": ["pandas"], "carrywave.polars": ["polars"]}


def modules() -> list[str]:
    """Returns the names of the package's modules that are written in Python."""
    names = ["carrywave", *(module.name for module in pkgutil.walk_packages(carrywave.__path__, "carrywave."))]
    return [name for name in names if not name.endswith("._carrywave")]


def run(tests: list[doctest.DocTest]) -> int:
    """Runs examples, fails if an output differs, and returns the number of examples."""
    runner = doctest.DocTestRunner()
    told: list[str] = []
    attempted = 0
    for test in tests:
        attempted += runner.run(test, out=told.append).attempted
    assert not told, "".join(told)
    return attempted


@pytest.mark.parametrize("name", [name for name in modules() if name not in ELSEWHERE])
def test_docstrings_of_a_module(name: str) -> None:
    for needed in NEEDS.get(name, []):
        pytest.importorskip(needed, reason=f"{needed} is not installed")
    module = importlib.import_module(name)
    run(doctest.DocTestFinder().find(module))


def compiled() -> list[str]:
    public = {name: getattr(carrywave._carrywave, name) for name in dir(carrywave._carrywave) if not name.startswith("_")}
    return [name for name, value in public.items() if callable(value)]


@pytest.mark.parametrize("name", compiled())
def test_docstrings_of_the_compiled_module(name: str) -> None:
    # The finder skips objects whose `__module__` is another module, as it is for the classes. With
    # module=False it takes all objects.
    finder: Any = doctest.DocTestFinder()
    run(finder.find(getattr(carrywave._carrywave, name), name, module=False, globs={"carrywave": carrywave}))


def functions() -> list[Any]:
    """Returns the public functions that are written in Python."""
    found = []
    for name in modules():
        if any(importlib.util.find_spec(needed) is None for needed in NEEDS.get(name, [])):
            continue
        module = importlib.import_module(name)
        for public in getattr(module, "__all__", []):
            value = getattr(module, public)
            if inspect.isfunction(value) and value.__module__ == name:
                found.append(pytest.param(value, id=f"{name}.{public}"))
    return found


@pytest.mark.parametrize("function", functions())
def test_functions_have_types_and_say_what_they_do(function: Any) -> None:
    assert inspect.getdoc(function)
    signature = inspect.signature(function)
    assert signature.return_annotation is not inspect.Signature.empty
    assert all(parameter.annotation is not inspect.Parameter.empty for parameter in signature.parameters.values())


def test_readme() -> None:
    for needed in ("pandas", "polars"):
        pytest.importorskip(needed, reason=f"{needed} is not installed")
    readme = ROOT / "README.md"
    # The end of a code block is not part of the expected output.
    text = readme.read_text(encoding="utf-8").replace("\n```\n", "\n\n")
    assert run([doctest.DocTestParser().get_doctest(text, {}, "README.md", str(readme), 0)]) > 3


def test_listing_of_the_top_readme() -> None:
    """The Python listing of the README prints what its comments show."""
    page = (ROOT.parent / "README.md").read_text(encoding="utf-8")
    listing = page.split("```python\n")[1].split("```")[0]
    shown = [line.split("  # ")[1] for line in listing.splitlines() if "  # " in line]
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(listing, "README.md", "exec"), {})
    assert printed.getvalue().splitlines() == shown
    assert len(shown) == 4
