"""Answers as JSON, in the same form for the command line and the protocol.

Positions are (line, character) from 0, characters in UTF-16 units unless another encoding is
requested. Secrets are masked unless the caller requests them: here, or when the result is printed
or sent.
"""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any

from agent_memory import secrets
from agent_memory.base.text import to_units
from agent_memory.l10n import t
from agent_memory.language import token_estimate
from agent_memory.lint.pages import href
from agent_memory.recall.hits import recall_advice

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Sequence
    from pathlib import Path

    from agent_memory.base.model import Finding, Problem, Segment, Source
    from agent_memory.base.text import Encoding, Span
    from agent_memory.entries.entry_file import Entry
    from agent_memory.prompt.compose import Prompt
    from agent_memory.recall.hits import SearchHit
    from agent_memory.recall.listing import ListedEntry
    from agent_memory.remember.plan import Plan
    from agent_memory.remember.targets import Target

    Lines = Callable[[Path], Sequence[str]]
    """Returns the lines of a file, each with its ending; [] if it cannot be read."""
    Uri = Callable[[Path], str]
    """Returns the URI of a path."""
    Mask = Callable[[Sequence[str]], list[str]]
    """Returns the texts of consecutive segments with secrets masked."""


def range_json(span: Span, lines: Sequence[str], encoding: Encoding = "utf-16") -> dict[str, Any]:
    """Return ``span`` of ``lines`` as an LSP range, with characters in units of ``encoding``.

    On a line after the last of ``lines``, the character is 0, so it is also 0 if a file cannot be
    read and ``lines`` is [].
    """

    def position(line: int, column: int) -> dict[str, int]:
        """Return the LSP position of ``column``, which is in code points, on ``line``."""
        units = to_units(lines[line], column, encoding) if line < len(lines) else 0
        return {"line": line, "character": units}

    return {
        "start": position(span.line, span.start),
        "end": position(span.end_line, span.end),
    }


def finding_json(finding: Finding, lines: Lines) -> dict[str, Any]:
    """Return ``finding`` as JSON for the command line, its fixes without their edits.

    ``lines`` returns the lines of a file.
    """
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": str(finding.severity),
        "message": finding.message,
        "path": str(finding.path),
        "range": range_json(finding.span, lines(finding.path)),
        "fixable": bool(finding.fixes),
        "fixes": [{"title": fix.title, "safe": fix.safe} for fix in finding.fixes],
        "related": [
            {
                "message": related.message,
                "path": str(related.path),
                "range": range_json(related.span, lines(related.path)),
            }
            for related in finding.related
        ],
        "url": href(finding.code),
    }


def _plain_uri(path: Path) -> str:
    """Return the URI of the absolute ``path`` in the form of Python: the default of ``uri``."""
    return path.as_uri()


def source_json(source: Source, size: int, count: int, uri: Uri) -> dict[str, Any]:
    """Return ``source`` with its ``size`` in bytes and ``count``, its estimated tokens.

    ``uri`` returns a path's URI in the form of the client.
    """
    return {
        "path": str(source.path),
        "uri": uri(source.path),
        "scope": str(source.scope),
        "role": str(source.role),
        "status": str(source.status),
        "reason": source.reason,
        "order": source.order,
        "name": source.name,
        "bytes": size,
        "tokens": count,
    }


def sources_json(prompt: Prompt, read: Lines, uri: Uri = _plain_uri) -> list[dict[str, Any]]:
    """Return the sources of ``prompt`` in load order, with bytes and tokens of each file.

    Both are 0 for a file that cannot be read. ``read`` returns the lines of a file. ``uri`` returns
    the URI of a path in the form of the client.
    """
    out = []
    for source in prompt.sources:
        lines = read(source.path)
        size = len("".join(lines).encode("utf-8", "surrogatepass"))
        out.append(source_json(source, size, token_estimate.count_lines(lines), uri))
    return out


def segment_json(segment: Segment, text: str, count: int, uri: Uri = _plain_uri) -> dict[str, Any]:
    """Return ``segment``, which has ``count`` estimated tokens, as JSON.

    ``text`` is its text to show, maybe masked; ``bytes`` is the size of the unmasked one.
    ``startLine`` and ``endLine`` count from 0 in the file; both are None for a segment that is not
    of a file. After a newline at the end of the segment, ``endLine`` is the next line. For a skill
    or an entry, whose text is not that of its file, only ``startLine`` is a line of the file.
    """
    newlines = segment.text.count("\n")
    return {
        "kind": segment.kind,
        "text": text,
        "label": segment.label,
        "path": str(segment.path) if segment.path else None,
        "uri": uri(segment.path) if segment.path else None,
        "startLine": segment.line if segment.path else None,
        "endLine": segment.line + newlines if segment.path else None,
        "block": segment.block,
        "bytes": len(segment.text.encode("utf-8", "surrogatepass")),
        "tokens": count,
    }


def prompt_json(
    prompt: Prompt, read: Lines, budget: int, mask: Mask | None = None, uri: Uri = _plain_uri
) -> dict[str, Any]:
    """Return the answer of ``agentMemory/prompt``; ``read`` and ``uri`` as in `sources_json`.

    ``budget`` is the setting ``budget.tokens``. ``hash``, ``bytes`` and ``tokens`` are of the
    unmasked text. ``mask`` (None: secrets are shown) gets the texts of all segments at once,
    because a secret may span several (:func:`agent_memory.secrets.mask_parts`).
    """
    texts = [segment.text for segment in prompt.segments]
    # ``Exact`` marks texts that the output must not mask: they are masked here, or not at all.
    shown_texts = [secrets.Exact(text) for text in (mask(texts) if mask else texts)]
    text = secrets.Exact("".join(shown_texts))
    return {
        "runtime": prompt.choice.runtime.id,
        "title": t(prompt.choice.runtime.title),
        "runtimeReason": prompt.choice.runtime_reason,
        "agent": prompt.choice.agent,
        "agentReason": prompt.choice.agent_reason,
        "version": prompt.version,
        "exactness": str(prompt.exactness),
        "origin": prompt.origin,
        "text": text,
        "blocks": [block._asdict() for block in prompt.blocks(shown_texts)],
        "masked": text != prompt.text,
        "hash": prompt.hash,
        "bytes": prompt.size,
        "tokens": prompt.tokens,
        "budget": budget,
        "segments": [
            segment_json(segment, shown, count, uri)
            for segment, shown, count in zip(
                prompt.segments, shown_texts, prompt.counts, strict=True
            )
        ],
        "sources": sources_json(prompt, read, uri),
        "problems": [_problem_json(problem, uri) for problem in prompt.problems],
    }


def _problem_json(problem: Problem, uri: Uri) -> dict[str, Any]:
    """Return ``problem`` of a prompt as JSON; ``path`` and ``uri`` are None if it has no file."""
    return {
        "message": problem.message,
        "path": str(problem.path) if problem.path else None,
        "uri": uri(problem.path) if problem.path else None,
        "severity": str(problem.severity),
    }


def plan_json(plan: Plan) -> dict[str, Any]:
    """Return the fields of a plan that the command line and the protocol share.

    ``line`` counts from 0. ``sections`` are those of the file; ``suggested`` marks one of them.
    """
    return {
        "outcome": str(plan.outcome),
        "message": plan.message,
        "line": plan.line,
        "section": plan.section,
        "sections": [{"title": title, "suggested": best} for title, best in plan.sections],
        "secrets": [{"kind": secret.title, "redacted": secret.redacted} for secret in plan.secrets],
        "item": plan.item,
        "place": plan.place,
        "notes": list(plan.notes),
        "evicts": list(plan.evicts),
    }


def entry_json(
    entry: Entry,
    score: float = 0.0,
    allowed: Collection[str] = frozenset(),
    *,
    reveal: bool = False,
) -> dict[str, Any]:
    """Return ``entry`` with its search ``score``; secrets except the ``allowed`` are masked.

    ``score`` is drover's, 0 without a search. ``allowed`` are SHA-256 hashes. ``reveal``: no
    secret is masked, here or by the output.
    """
    # `Exact` marks a text that the output must not mask.
    shown = secrets.Exact if reveal else partial(secrets.mask, allowed=allowed)
    return {
        "id": entry.id,
        "scope": entry.scope,
        "kind": entry.kind,
        "summary": shown(entry.summary),
        "tags": list(map(shown, entry.tags)),
        "score": round(score, 6),
        "path": str(entry.path) if entry.path else None,
        "body": shown(entry.body),
    }


def listed_json(
    item: ListedEntry, allowed: Collection[str] = frozenset(), *, reveal: bool = False
) -> dict[str, Any]:
    """Return a listed entry as :func:`entry_json` does, with its owner and times.

    Times are in ISO form; ``recalled`` is None if it was never recalled, or not looked up.
    """
    entry = item.entry
    score = 0.0  # a list has no search
    return {
        **entry_json(entry, score, allowed, reveal=reveal),
        "agent": entry.agent,
        "run": entry.run,
        "changed": iso_time(entry.changed),
        "recalled": None if item.recalled is None else iso_time(item.recalled),
    }


def iso_time(milliseconds: int) -> str:
    """Return the time ``milliseconds`` after the epoch in ISO form, UTC; '' if out of range."""
    try:
        return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="seconds")
    except (OverflowError, ValueError, OSError):
        return ""


def hit_json(
    hit: SearchHit, allowed: Collection[str] = frozenset(), *, reveal: bool = False
) -> dict[str, Any]:
    """Return an entry that a search found as :func:`entry_json` does, with its relevance.

    ``relevance`` is from 0 to 1; ``relevant`` is False for a weak match.
    """
    return {
        **entry_json(hit.entry, hit.score, allowed, reveal=reveal),
        "relevance": round(hit.relevance, 3),
        "relevant": hit.relevant,
    }


def recall_json(
    hits: Sequence[SearchHit], allowed: Collection[str] = frozenset(), *, reveal: bool = False
) -> dict[str, Any]:
    """Return {"entries": the ``hits`` of a search, in their order} as JSON.

    ``advice``, a text, is added if nothing or only weak matches were found.
    """
    answer: dict[str, Any] = {"entries": [hit_json(hit, allowed, reveal=reveal) for hit in hits]}
    advice = recall_advice(hits)
    return {**answer, "advice": advice} if advice else answer


def target_json(target: Target) -> dict[str, Any]:
    """Return ``target``, a file that a snippet can be saved to, as JSON.

    If it does not exist, saving creates it.
    """
    source = target.source
    return {
        "path": str(source.path),
        "uri": source.path.as_uri(),
        "scope": str(source.scope),
        "role": str(source.role),
        "name": source.name,
        "runtime": target.choice.runtime.id,
        "exists": source.status != "missing",
    }
