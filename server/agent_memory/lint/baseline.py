"""The baseline: findings a project has accepted, as hashes in a generated file.

``.deepagents/agent-memory.baseline.toml`` at the project's root lists, per file and rule, the
fingerprints of findings that are not reported again. A fingerprint is a hash of the text of the
finding's line, so it stays valid when the line moves and expires when the line changes. Files
outside the project (user memory) are never listed.
"""

from __future__ import annotations

import hashlib
import os
from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, unquote_to_bytes

from agent_memory.base.text import without_newline
from agent_memory.config.project_root import find_root, has_git
from agent_memory.formats.limits import unexpected
from agent_memory.formats.toml_parser import parse_toml

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from agent_memory.base.model import Finding
    from agent_memory.fs.overlay import Store
    from agent_memory.fs.reader import FileText

FILE = ".deepagents/agent-memory.baseline.toml"
"""The usual path of a baseline, below the project's root."""
VERSION = 1
"""The version of the format; a file with another one is not read."""
_HEADER = "# Written by `agent-memory check --write-baseline`: accepted findings, as hashes.\n"

Key = tuple[str, str, str]
"""(path below the project's root with '/', code, fingerprint)."""

Accepted = dict[str, Counter[tuple[str, str]]]
"""By path: how often each (code, fingerprint) is accepted."""


@dataclass(frozen=True)
class Baseline:
    """Accepted findings of a project; ``problem`` says why its file was ignored, '' if it was not.

    ``root`` is the folder that paths are relative to. ``file`` is the path of the baseline, None
    for :data:`FILE` below ``root``.
    """

    root: Path
    accepted: Accepted = field(default_factory=dict)
    problem: str = ""
    file: Path | None = None

    @property
    def path(self) -> Path:
        """The path of the baseline file."""
        return self.file or self.root / FILE

    @cached_property
    def missing(self) -> frozenset[str]:
        """The keys of ``accepted`` whose file does not exist: it was renamed or deleted."""
        return frozenset(place for place in self.accepted if not self._exists(place))

    def _exists(self, place: str) -> bool:
        """Return whether the file exists that :meth:`place` writes as ``place``."""
        if os.path.lexists(self.root / place):
            return True
        # Only names that are not UTF-8 are encoded: "%20" in any other is part of the name.
        decoded = os.fsdecode(unquote_to_bytes(place))
        return not _is_utf_8(decoded) and os.path.lexists(self.root / decoded)

    @cached_property
    def _roots(self) -> tuple[Path, Path]:
        """The root as it is written, and without symlinks: a path can begin with either."""
        return self.root, self.root.resolve()

    def place(self, path: Path) -> str | None:
        """Return ``path`` as the baseline writes it: from the root, with '/'.

        None for a file outside the project. A path that is not UTF-8 is percent-encoded, because
        TOML is UTF-8.
        """
        for root in self._roots:
            if path.is_relative_to(root):
                name = path.relative_to(root).as_posix()
                return name if _is_utf_8(name) else quote(os.fsencode(name))
        return None

    def remaining(
        self, path: Path, findings: Sequence[Finding], lines: Sequence[str]
    ) -> list[Finding]:
        """Return the ``findings`` of the file ``path`` that are not accepted, in order.

        A fingerprint that was accepted twice covers two findings, not a third one. What was
        accepted in a missing file of the same name stays accepted: its folder was renamed.
        """
        # How many more findings with each (code, fingerprint) are accepted.
        accepted = self._accepted_in(path) if findings and self.accepted else None
        if not accepted:
            return list(findings)
        remaining = []
        # By what they depend on: a line may be long and have many findings.
        fingerprints: dict[tuple[object, ...], str] = {}
        for finding in findings:
            is_empty = finding.span[:2] == finding.span[2:]  # its start is its end
            secret = finding.data.get("sha256") if finding.data.get("secret") else None
            depends_on = (finding.code, finding.span.line, is_empty, secret)
            if depends_on not in fingerprints:
                fingerprints[depends_on] = fingerprint(finding, lines)
            key = (finding.code, fingerprints[depends_on])
            if accepted[key] > 0:
                accepted[key] -= 1
            else:
                remaining.append(finding)
        return remaining

    def _accepted_in(self, path: Path) -> Counter[tuple[str, str]]:
        """Return how often each (code, fingerprint) is accepted in ``path``, in a new counter.

        What is accepted in missing files with the name of ``path`` counts too. Empty for a file
        outside the project.
        """
        place = self.place(path)
        if place is None:
            return Counter()
        counts = Counter(self.accepted.get(place, ()))
        name = place.rpartition("/")[2]
        for other in self.missing:
            if other.rpartition("/")[2] == name:
                counts.update(self.accepted[other])
        return counts

    def stale(self, files: Iterable[Path], matched: int) -> int:
        """Return how many accepted findings of ``files`` and of missing files do not occur.

        ``matched`` is the number of findings in ``files`` that are accepted.
        """
        places = {place for place in map(self.place, files) if place} | self.missing
        accepted = sum(self.accepted[place].total() for place in places if place in self.accepted)
        # ``matched`` can be larger: what is accepted in a missing file can match once in each file
        # of the same name.
        return max(0, accepted - matched)

    def keys(
        self, findings: Iterable[Finding], lines: Callable[[Path], Sequence[str]]
    ) -> list[Key]:
        """Return the keys that accept ``findings``; none for files outside the project."""
        keys = []
        for finding in findings:
            place = self.place(finding.path)
            if place:
                keys.append((place, finding.code, fingerprint(finding, lines(finding.path))))
        return keys


def _is_utf_8(name: str) -> bool:
    """Return whether ``name``, as Python decodes it, is UTF-8 on disk."""
    try:
        name.encode()
    except UnicodeEncodeError:  # a lone surrogate stands for a byte that is not UTF-8
        return False
    return True


NOTHING = Baseline(Path(os.devnull))
"""Accepts nothing: every finding is reported, also with the same cause. Its root has no files."""


def root_of(start: Path) -> Path:
    """Return the folder whose baseline applies to ``start``.

    That is the nearest one with ``.git``, from ``start`` up; without one, ``start``.
    """
    return find_root(start, has_git) or start


def load(root: Path, store: Store, file: Path | None = None) -> Baseline:
    """Return the baseline of the project ``root``, empty if its file is missing or not valid.

    Its ``problem`` says what is not valid. ``file`` is the path of the file (None: :data:`FILE`).
    """
    path = file or root / FILE
    content = store.read(path)
    if content.failure == "missing":
        return Baseline(root, file=file)
    try:
        return Baseline(root, content.once(_parse, content), file=file)
    except Exception as error:  # noqa: BLE001 -- a bad baseline stops nothing
        why = error if isinstance(error, ValueError) else unexpected(error, "the baseline")
        return Baseline(
            root,
            problem=f"{path}: {why}; the baseline was ignored. Fix the file, or remove it and "
            "recreate it with --write-baseline",
            file=file,
        )


def _parse(content: FileText) -> Accepted:
    """Return the accepted findings of a baseline file.

    Raises:
        ValueError: the file cannot be read, or its values do not have the right form.

    """
    if not content.ok:
        raise ValueError(f"cannot be read ({content.failure})")
    values = parse_toml(content.text)
    if values.get("version") != VERSION:
        raise ValueError(f"version: expected {VERSION}, got {values.get('version')!r}")
    accepted: Accepted = {}
    for place, rules in _table(values.get("accepted", {}), "accepted").items():
        for code, hashes in _table(rules, f"accepted.'{place}'").items():
            if not isinstance(hashes, list) or not all(isinstance(item, str) for item in hashes):
                raise ValueError(f"accepted.'{place}'.{code}: expected a list of hashes")
            counts = accepted.setdefault(place, Counter())
            counts.update((code, item) for item in hashes)
    return accepted


def _table(value: Any, key: str) -> dict[str, Any]:
    """Return ``value``, the one at ``key`` of the file.

    Raises:
        ValueError: it is not a table.

    """
    if not isinstance(value, dict):
        raise ValueError(f"{key}: expected a table")  # noqa: TRY004 -- the file is wrong, not the caller
    return value


def render(keys: Iterable[Key]) -> str:
    """Return the text of a baseline file with ``keys``, sorted, including repeated ones."""
    import tomli_w  # noqa: PLC0415 -- only writing needs it

    accepted: dict[str, dict[str, list[str]]] = {}
    for place, code, hexdigest in sorted(keys):
        accepted.setdefault(place, {}).setdefault(code, []).append(hexdigest)
    return _HEADER + tomli_w.dumps({"version": VERSION, "accepted": accepted})


def fingerprint(finding: Finding, lines: Sequence[str]) -> str:
    """Return 32 hex digits that identify ``finding`` independent of its line number.

    It is a hash of the rule and the text of the line; for a secret, of the rule and the hash of its
    value; for an empty span or a line after the last one, of the rule alone.
    """
    span = finding.span
    is_empty = span[:2] == span[2:]  # about no text of the line
    text = ""
    if finding.data.get("secret"):
        text = str(finding.data.get("sha256", ""))
    elif not is_empty and span.line < len(lines):
        text = without_newline(lines[span.line]).strip()
    whole = f"{finding.code}\0{text}".encode("utf-8", "surrogatepass")
    return hashlib.sha256(whole).hexdigest()[:32]
