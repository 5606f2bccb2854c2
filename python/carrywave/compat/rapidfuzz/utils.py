"""`rapidfuzz.utils`. carrywave does not have its function `default_process`: using it is an error
that says so.
"""

from .._refusals import refuse_others

__all__: list[str] = []

refuse_others(__name__, __all__, "A processor is any function of one string; rapidfuzz.utils.default_process is one.")
