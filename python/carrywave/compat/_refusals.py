"""Error messages for names of the packages that the drop-ins do not have.

A program that uses such a name ends with an error that lists the existing names, and never with a
different result.
"""

from __future__ import annotations

import importlib
import opcode
import sys
from collections.abc import Sequence
from typing import Any

_IMPORT_FROM = opcode.opmap.get("IMPORT_FROM")


def _is_imported_by_name(frame: Any) -> bool:
    """Returns true if the frame is at `from ... import name`."""
    return frame is not None and frame.f_lasti >= 0 and frame.f_code.co_code[frame.f_lasti] == _IMPORT_FROM


def refuse_others(module: str, names: Sequence[str], hint: str = "", modules: Sequence[str] = ()) -> None:
    """Imports `modules` of a module at their first use. Every other name that the module does not
    have becomes an AttributeError that lists the names it has.

    In `from module import name`, Python replaces the message of an AttributeError by its own, so
    the error there is an ImportError with the message. Type checkers do not see this `__getattr__`,
    and so report unknown names too.
    """
    has = " ".join([f"It has: {', '.join(sorted(names))}."] * bool(names) + [hint] * bool(hint))

    def __getattr__(name: str) -> Any:  # noqa: N807, it becomes the module's
        if name in modules:
            return importlib.import_module(f".{name}", module)
        message = f"{module} has no {name!r}. {has}"
        if hasattr(sys, "_getframe") and _is_imported_by_name(sys._getframe(1)):
            raise ImportError(message, name=module)
        raise AttributeError(message, name=name, obj=sys.modules.get(module))

    vars(sys.modules[module])["__getattr__"] = __getattr__
