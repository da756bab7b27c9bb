"""Signatures of functions that stand for a tool."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable


def declare(function: Any, like: Callable[..., Any], **more: Any) -> None:
    """Give ``function`` name, docstring and parameters of ``like``, and ``more`` by type.

    The parameter ``granted`` is left out: it is the answer of a person.
    """
    hints = get_type_hints(like, include_extras=True)
    hints.pop("granted", None)
    signature = inspect.signature(like)
    kind = inspect.Parameter.KEYWORD_ONLY
    kept = [
        item.replace(kind=kind, annotation=hints[name])
        for name, item in signature.parameters.items()
        if name != "granted"
    ]
    kept += [inspect.Parameter(name, kind, annotation=given) for name, given in more.items()]
    returned = hints.get("return")
    function.__signature__ = signature.replace(parameters=kept, return_annotation=returned)
    function.__annotations__ = {**hints, **more}
    function.__name__, function.__doc__ = like.__name__, inspect.getdoc(like)
