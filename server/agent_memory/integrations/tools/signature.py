"""Signatures of functions that stand for a tool."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, get_type_hints

if TYPE_CHECKING:
    from collections.abc import Callable


def declare(function: Any, like: Callable[..., Any], **more: Any) -> None:
    """Give ``function`` the name, docstring, parameters and return type of ``like``.

    ``more`` are the types of further parameters, by name. All parameters are keyword-only. The
    parameter ``granted`` is left out: a person gives its value, not the caller.
    """
    hints = get_type_hints(like, include_extras=True)
    hints.pop("granted", None)
    signature = inspect.signature(like)
    keyword_only = inspect.Parameter.KEYWORD_ONLY
    parameters = [
        parameter.replace(kind=keyword_only, annotation=hints[name])
        for name, parameter in signature.parameters.items()
        if name != "granted"
    ]
    parameters += [
        inspect.Parameter(name, keyword_only, annotation=hint) for name, hint in more.items()
    ]
    function.__signature__ = signature.replace(
        parameters=parameters, return_annotation=hints.get("return")
    )
    function.__annotations__ = {**hints, **more}
    function.__name__, function.__doc__ = like.__name__, inspect.getdoc(like)
