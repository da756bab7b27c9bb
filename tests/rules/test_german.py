"""The rules in German: the same findings, with translated messages."""

import re

import pytest

from agent_memory import l10n
from rules.harness import build, cases, findings

pytestmark = pytest.mark.slow

BAD = [case for case in cases() if case.kind == "bad"]
ENGLISH = re.compile(
    r"\b(?:the|this|is|are|not|from|with|and|of|it|its|there|has|reads?|remove|line|file)\b",
    re.IGNORECASE,
)
NAMED = re.compile(
    r"„[^“]*“|`[^`]*`|\S*[/.]\S*|disable-\S+|(?:YAML|nicht lesbar).*|(?<=: )[A-Z][^:]* …\(\d+\)"
)
"""Text that is not translated: text of the file, paths, YAML errors, names of tokens."""


class Recorder(dict):
    """A catalog that records the messages without a translation."""

    def __init__(self, *args):
        super().__init__(*args)
        self.missing = []

    def get(self, key, default=None):
        if key not in self:
            self.missing.append(key)
        return super().get(key, default)


@pytest.fixture
def german(monkeypatch):
    """Use German; return the recorder of messages without a translation."""
    l10n.use("de")
    recorder = Recorder(l10n._words)
    monkeypatch.setattr(l10n, "_words", recorder)
    yield recorder
    monkeypatch.undo()
    l10n.use(None)


def sentences(found):
    for item in found:
        yield item.message
        yield from (other.message for other in item.related)
        yield from (fix.title for fix in item.fixes)


def facts(item):
    """Return the parts of a finding that do not depend on the language."""
    others = [(other.path, other.span) for other in item.related]
    fixes = [(fix.edits, fix.renames, fix.safe) for fix in item.fixes]
    return item.code, item.severity, item.path, item.span, others, fixes


@pytest.mark.parametrize("case", BAD, ids=lambda case: f"{case.rule}/{case.path.name}")
def test_german_findings_are_the_english_ones_with_translated_messages(case, tmp_path, german):
    ctx = build(case, tmp_path)
    found = findings(case, ctx)
    missing = [*german.missing]
    german.clear()
    expected = findings(case, ctx.with_(store=type(ctx.store)()))
    assert [facts(item) for item in found] == [facts(item) for item in expected]
    if missing:
        return  # shown in English until it is translated; `make release-check` lists it
    for said in sentences(found):
        own = NAMED.sub("", said)
        assert not ENGLISH.search(own), said
