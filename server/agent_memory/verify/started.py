"""Start an agent against the mock model, and return the memory in its request."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from agent_memory.base.errors import UsageError
from agent_memory.formats.json_parser import parse_json
from agent_memory.l10n import t
from agent_memory.verify.process import run

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from pathlib import Path

    from agent_memory.base.model import Block
    from agent_memory.verify.mock_model import MockModel
    from agent_memory.verify.process import Limit
    from agent_memory.verify.requests import Request

_SHOWN = 500
"""Characters of an agent's output in an error."""


@dataclass(frozen=True)
class StartPlace:
    """Where an agent is started: ``home``, working folder, and variables.

    ``env`` has PATH, the proxy and the folders of the agent.
    """

    home: Path
    cwd: Path
    env: Mapping[str, str]


def sent(
    request: Request,
    command: Path,
    place: StartPlace,
    model: MockModel,
    texts: Mapping[str, str],
    limit: Limit,
) -> list[Block]:
    """Return the blocks of the first request with memory, [] if no request has any.

    ``request`` is how the agent is started and where its request has memory, ``command`` its
    executable. ``texts`` are the pieces of the program (:mod:`.requests`). An agent that does not
    end within ``limit`` is killed; requests that it has sent until then count.

    Raises:
        UsageError: the program cannot be started, or sends no request within ``limit``.

    """
    bodies = _request_bodies(request, command, place, model, limit)
    for body in bodies:  # agents also send requests without memory, for example for a title
        blocks = _blocks(request, body, texts)
        if blocks:
            return blocks
    return []


def _request_bodies(
    request: Request, command: Path, place: StartPlace, model: MockModel, limit: Limit
) -> list[Any]:
    """Start the agent, and return the bodies of the requests that it sends or prints, at least one.

    The parameters and errors are those of :func:`sent`.
    """
    start = request.start(model.port, place.home, place.env)
    requests_before = len(model.requests)
    env = {**place.env, **start.env, "HOME": str(place.home), "LANG": "C.UTF-8", "TERM": "dumb"}
    try:
        for path, text in start.files.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        output = run([str(command), *start.arguments], place.cwd, env, limit)
    except OSError as error:
        raise UsageError(t("{0} cannot be started: {1}", command, error.strerror)) from error
    if request.path:
        received = model.requests[requests_before:]
        bodies = [body for path, body in received if path.endswith(request.path)]
    else:  # the program prints its request and does not send it
        bodies = [*_printed(output)]
    if not bodies:
        raise UsageError(_without_request(command, output, limit.seconds))
    return bodies


def _printed(output: bytes | None) -> Iterator[dict[str, Any]]:
    """Yield the request that a program printed: the list of its input, as JSON.

    Nothing is yielded for any other output, nor for None (the program was killed).
    """
    with suppress(ValueError):
        value = parse_json((output or b"").decode("utf-8", "replace"))
        if isinstance(value, list):
            yield {"input": value}


def _blocks(request: Request, body: Mapping[str, Any], texts: Mapping[str, str]) -> list[Block]:
    """Return the blocks with memory in ``body``; [] for a request of another form."""
    try:
        return request.blocks(body, texts)
    except (LookupError, TypeError, AttributeError):
        return []


def _without_request(command: Path, output: bytes | None, seconds: float) -> str:
    """Return the message for a start without a request; ``output`` None: it did not end in time.

    ``seconds`` is the timeout. After a canceled start, ``output`` is None too. The wrong message is
    harmless: the caller that cancels a start does not show the result.
    """
    if output is None:
        return t(
            "{0} sent no request within {1:g} seconds. Try again with more seconds",
            command,
            seconds,
        )
    ending = output.decode("utf-8", "replace").strip()[-_SHOWN:]
    return t("{0} ended without a request. Its output ends with: {1}", command, ending or "-")
