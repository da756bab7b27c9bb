"""The diagnostics of a file as JSON, converted again only where a finding has changed."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING, Any, NamedTuple

from agent_memory.base.model import Severity
from agent_memory.lsp.protocol import convert
from agent_memory.secrets import Repeated

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from pathlib import Path

    from agent_memory.base.model import Finding
    from agent_memory.base.text import Span
    from agent_memory.lsp.workspace.session import Session

    Items = list[dict[str, Any]]

SHOWN_MAX = 1000
"""Diagnostics sent for one file: editors show no more, and 300,000 take them minutes."""


class Pulled:
    """Which report of each file the client has, as its digest.

    While a document is open, editors show the answers to pulls of it and ignore what a pull of
    the workspace says about it. When it is closed, they show the last of these answers until a
    pull of the workspace has a report of it.
    """

    def __init__(self, is_open: Callable[[Path], bool]) -> None:
        self._is_open = is_open
        self._of_document: dict[Path, str] = {}
        self._of_workspace: dict[Path, str] = {}

    def answer(self, path: Path, digest: str) -> None:
        """Record the answer to a pull of the document ``path``."""
        self._of_document[path] = digest

    def answer_all(self, digests: dict[Path, str]) -> list[Path]:
        """Record the answer to a pull of the workspace; return the documents that are closed now.

        They were open when they were pulled. The answer needs a full report of each of them, even
        if the file is gone: it replaces the answer to that pull.
        """
        self._of_workspace = digests
        closed = [path for path in self._of_document if not self._is_open(path)]
        for path in closed:
            del self._of_document[path]
        return closed

    def shown(self) -> dict[Path, str]:
        """Return the digest of the report that the client shows, by path.

        Of a document that was closed since the last pull of the workspace, it is the digest of that
        pull, if any, although the client still shows the last answer to a pull of the document.
        """
        opened = {path: digest for path, digest in self._of_document.items() if self._is_open(path)}
        return self._of_workspace | opened

    def expect(self, digests: dict[Path, str]) -> None:
        """Record ``digests`` as those of the reports that the server now makes the client pull.

        Files of which the client has no report are ignored.
        """
        for known in (self._of_document, self._of_workspace):
            known.update({path: digest for path, digest in digests.items() if path in known})

    def keep(self, paths: Iterable[Path]) -> None:
        """Forget the reports of all files but ``paths``."""
        known = set(paths)
        for digests in (self._of_document, self._of_workspace):
            for path in digests.keys() - known:
                del digests[path]


class Reports:
    """The last report of each file: its findings, their digest and their diagnostics."""

    def __init__(self, session: Session) -> None:
        self._session = session
        # By path: the findings, their digest and their diagnostics.
        self._last: dict[Path, tuple[Sequence[Finding], str, Items]] = {}
        # By path of an open file, then by code and span: the findings of the last report.
        self._converted: dict[Path, dict[tuple[str, Span], _Converted]] = {}

    def of(self, path: Path, findings: Sequence[Finding]) -> tuple[str, Items]:
        """Return (digest, diagnostics) of ``findings``, which are all findings in ``path``.

        Only the ``SHOWN_MAX`` worst are reported. Two digests of reports are equal if the reported
        findings have the same codes, spans, severities, texts and related locations, and the same
        findings have a fix.
        """
        last = self._last.get(path)
        if last and last[0] is findings:  # the project returns this object until a change
            return last[1], last[2]
        shown = findings if len(findings) <= SHOWN_MAX else _worst(findings)
        is_open = self._session.store.is_open(path)
        converted = self._open_file(path, shown) if is_open else self._closed_file(path, shown)
        items: Items = [each.item for each in converted]
        digest = f"{hash(tuple([each.content for each in converted])):x}"
        self._last[path] = (findings, digest, items)
        return digest, items

    def keep(self, paths: Iterable[Path]) -> None:
        """Forget the reports of all files but ``paths``."""
        known = set(paths)
        self._last = {path: report for path, report in self._last.items() if path in known}
        self._converted = {path: items for path, items in self._converted.items() if path in known}

    def _open_file(self, path: Path, findings: Sequence[Finding]) -> list[_Converted]:
        """Return the diagnostics of an open file, which a keystroke changes in few places.

        A diagnostic of the last report is used again if its finding and the lines that its
        columns are counted in are the same.
        """
        old = self._converted.get(path, {})
        new: dict[tuple[str, Span], _Converted] = {}
        lines = self._session.positions.lines(path)
        out = []
        for finding in findings:
            key = (finding.code, finding.span)
            converted = old.get(key)
            if not converted or not converted.is_of(finding, lines):
                # Repeated: its secrets are masked once, not in each report with this object.
                item = Repeated(self._diagnostic(finding, lines))
                converted = _Converted(
                    finding, _ends(lines, finding.span), item, _content_hash(finding)
                )
            new[key] = converted
            out.append(converted)
        self._converted[path] = new
        return out

    def _closed_file(self, path: Path, findings: Sequence[Finding]) -> list[_Converted]:
        """Return the diagnostics of a file on disk; their columns do not count its BOM.

        An editor that opens the file does not show the BOM.
        """
        self._converted.pop(path, None)
        lines = self._session.positions.lines(path)
        out = []
        for finding in findings:
            range_ = self._session.positions.range(path, finding.span)
            item = {**self._diagnostic(finding, lines), "range": range_}
            out.append(_Converted(finding, (), item, _content_hash(finding)))
        return out

    def _diagnostic(self, finding: Finding, lines: Sequence[str]) -> dict[str, Any]:
        """Return ``finding`` as an LSP diagnostic; the advice is left out if hover shows it."""
        positions, capabilities = self._session.positions, self._session.capabilities
        return convert.diagnostic(
            finding,
            lines,
            positions.encoding,
            positions.location,
            capabilities.rule_page(finding.code),
            advice=not capabilities.hover,
        )


class _Converted(NamedTuple):
    """A finding, the first and last line of its span, its diagnostic and its content hash."""

    finding: Finding
    ends: tuple[str, ...]
    item: dict[str, Any]
    content: int

    def is_of(self, finding: Finding, lines: Sequence[str]) -> bool:
        """Whether this is the diagnostic of ``finding``, with the same span, in ``lines``."""
        # `is` first: comparing the texts of a finding takes longer.
        is_same = self.finding is finding or self.finding == finding
        # The positions of related locations depend on other lines than `ends`.
        return is_same and not finding.related and self.ends == _ends(lines, finding.span)


def _content_hash(finding: Finding) -> int:
    """Return a hash of what a digest stands for (see :meth:`Reports.of`)."""
    return hash(
        (
            finding.code,
            finding.span,
            finding.severity,
            finding.fact,
            finding.advice,
            finding.related,
            bool(finding.fixes),
        )
    )


def _ends(lines: Sequence[str], span: Span) -> tuple[str, ...]:
    """Return the first and last line of ``span`` that exist."""
    if span.end_line < len(lines):
        return lines[span.line], lines[span.end_line]
    return (lines[span.line],) if span.line < len(lines) else ()


def _worst(findings: Sequence[Finding]) -> list[Finding]:
    """Return the ``SHOWN_MAX`` most severe findings, in the order of the file."""
    # The members of Severity are in the order of severity, the worst first.
    ranked = (item for severity in Severity for item in findings if item.severity is severity)
    worst = islice(ranked, SHOWN_MAX)
    return sorted(worst, key=lambda item: (item.span, item.code))
