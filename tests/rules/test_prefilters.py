"""A prefilter never hides what its rule finds: the rule matches => the prefilter passes."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from agent_memory import secrets
from agent_memory.lint.rule import LineRule
from agent_memory.lint.rules import (
    RULES,
    machine_path,
    transient,
    version_mismatch,
    wrong_package_manager,
)
from agent_memory.lint.shared import (
    commands,
    framework_versions,
    python_modules,
    scripts,
    version_tables,
)
from agent_memory.lint.shared.paths import commands_run, copied
from agent_memory.lint.shared.runners import RUNNERS
from agent_memory.markdown import plain_paths, references
from agent_memory.secrets import catalog, may_hold_secret
from agent_memory.secrets.scanner import without_secret
from effort import scaled
from rules.harness import cases
from unit.secrets.generate import Maker
from unit.secrets.test_named_values import FOUND
from unit.secrets.test_passwords_in_prose import TOLD, password

if TYPE_CHECKING:
    from agent_memory.lint.shared.runners.runner import Runner

LINE_RULES = [rule for rule in RULES if isinstance(rule, LineRule)]
FILTERED = [rule for rule in LINE_RULES if rule.prefilter]
LINES = [
    line
    for case in cases()
    if case.path.is_file() and case.rule in {rule.name for rule in FILTERED}
    for line in case.path.read_bytes().decode(errors="replace").splitlines(keepends=True)
]
SECRET_PARTS = st.sampled_from(
    [
        *("password", "Passwd", ": ", "=", "a1B2c3D4", "-", " ", "://", "u:p@", "x.io", "\t", "`"),
        *("Kennwort", "passphrase", " is ", "XzQRtWbNpKLdFg", "| ", "|-|", "\n", "\f", "secret"),
        *("pw: ", "login: admin / ", "mysql -p", "use ", " as the password", "a1B2!c3D4", "é"),
    ]
)
ANY_LINE = (
    st.text()
    | st.lists(SECRET_PARTS).map("".join)
    | st.builds(str.__mul__, st.text(min_size=1), st.integers(1, 900))
)


def hidden(line: str) -> list[str]:
    """Return the rules that report something on ``line`` although their prefilter fails."""
    return [
        rule.code
        for rule in FILTERED
        if rule.prefilter and not rule.prefilter(line) and list(rule.check(line))
    ]


@given(ANY_LINE)
@example("a\u200bb\n")
@example("\x07")
@example("p\u017fassword: a1B2c3D4e5")
@example("word " * 600)
def test_no_prefilter_hides_a_finding(line):
    assert hidden(line) == []


@pytest.mark.parametrize("line", LINES)
def test_no_prefilter_hides_a_case(line):
    assert hidden(line) == []


@given(ANY_LINE)
def test_no_secret_is_in_a_line_that_fails_the_prefilter(line):
    assert may_hold_secret(line) or secrets.find(line) == []


@given(st.lists(ANY_LINE))
def test_no_secret_is_in_a_line_that_is_said_to_have_none(lines):
    assert [line for line in without_secret(lines) if may_hold_secret(line)] == []


NAMES = st.sampled_from(
    [
        *("password", "Passwort", "passwd", "PASSPHRASE", "Kennwort", "DB_KENNWORT", "wachtwoord"),
        *("api_key", "client secret", "pw", "pass", "login", "credentials", "密码"),
    ]
)
VALUES = st.lists(
    st.sampled_from(["Xz", "QRt", "Wb", "NpK", "Ld", "Fg", "hJ", "7", "!", "x4"]), max_size=9
).map("".join)


@given(NAMES, st.sampled_from([": ", " = ", " is ", "='", "` | `", " |\f|-|\f| "]), VALUES)
@example("Kennwort", " = ", "XzQRtWbNpKLdFg")
def test_a_line_with_a_named_secret_passes_the_prefilter(name, separator, value):
    line = f"- {name}{separator}{value}"
    assert may_hold_secret(line) or secrets.find(line) == []


@pytest.mark.parametrize("line", TOLD)
def test_passwords_in_prose_pass_the_prefilter(line):
    assert may_hold_secret(line.format(password(line)))


@pytest.mark.parametrize(
    "kind", [*catalog.kinds(), *catalog.named_kinds()], ids=lambda kind: kind.id
)
def test_vendor_tokens_pass_the_prefilter(kind):
    make = Maker(kind.id).make
    for spec in kind.examples:
        assert all(map(may_hold_secret, f"- {make(spec)}\n".splitlines()))


@pytest.mark.parametrize("line", FOUND)
@pytest.mark.parametrize("value", ["a1B2c3D4", "XzQRtWbNpKLdFg"])
def test_named_values_pass_the_prefilter(line, value):
    short = line.format(value)
    assert may_hold_secret(short) or secrets.find(short) == []


MOMENTS = st.sampled_from(
    [
        *("I", "I'm", "I am", "we", "we're", "we are", "user is", "the user", "my", "our", "due"),
        *("Tonight", "tomorrow", "TODAY", "this week", "this Weekend", "right now", "is currently"),
        *("currently", "broken", "failing", "working on", "at the moment", "as of", "yesterday"),
        *("last week", "until", "Friday", "next month", "I'll be", "I will be", "is", "today:"),
        *("on my phone", "away", "in a meeting", "remind me", "deadline", "so", ".", ",", "(", "-"),
    ]
)


@given(st.lists(MOMENTS, max_size=8).map(" ".join))
def test_transient_statements_pass_the_prefilter(line):
    assert not transient.TRANSIENT.search(line) or transient.may_be_transient(line)


def _may_call_both(runner: Runner, text: str) -> bool:
    """Return whether ``text`` passes both prefilters before the expression of ``runner``."""
    return commands._may_call(text) and runner.may_call(text)


PREFILTERS = {
    "framework": (framework_versions._NAMED, framework_versions._may_name),
    "table": (version_tables._ROW, version_tables._may_be_labeled),
    "item": (version_tables._ITEM, version_tables._may_be_labeled),
    "version-mismatch": (version_mismatch._CLAIM, version_mismatch._may_claim),
    "machine-path": (machine_path._ABSOLUTE, machine_path._may_be_absolute),
    "wrong-package-manager": (wrong_package_manager._TOOLS, wrong_package_manager._may_install),
    "plain-path": (plain_paths._NAMED, plain_paths._may_have_path),
    "sentence-end": (references._END, references._may_end),
    # A file that a command runs has an extension: its name has a period.
    "file-run": (commands_run._RUN, lambda text: commands_run._may_run(text + ".")),
    "copy": (copied._COPY, copied._has_copy),
    "copy-in-prose": (copied._SAID, copied._has_copy),
    "script": (scripts._CALL, commands._may_call),
    "module": (
        python_modules._RUN,
        lambda text: commands._may_call(text) and python_modules.modules_in(text),
    ),
    **{tool: (runner.call, partial(_may_call_both, runner)) for tool, runner in RUNNERS.items()},
}


@pytest.mark.parametrize(("pattern", "passes"), PREFILTERS.values(), ids=PREFILTERS)
@settings(max_examples=scaled(25), deadline=None)
@given(data=st.data())
def test_what_a_rule_matches_passes_its_prefilter(pattern, passes, data):
    text = data.draw(st.from_regex(re.compile(pattern.pattern, re.ASCII)))
    assert not pattern.search(text) or passes(text)
