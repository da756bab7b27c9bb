"""Accepting a value by its hash: one hash is added, and nothing else in the settings changes."""

import hashlib
import tomllib

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.base.text import apply_edits, split_lines
from agent_memory.config import secret_allowlist
from agent_memory.config.context import Context
from agent_memory.config.settings import Settings
from agent_memory.config.settings_files import load_project, load_user
from agent_memory.config.settings_merge import flatten
from agent_memory.fs.overlay import Store
from agent_memory.lint.known_names import KNOWN_NAMES
from kit import write

HASH = hashlib.sha256(b"a value").hexdigest()
OTHER = hashlib.sha256(b"another").hexdigest()


def inserted(text):
    at, new = secret_allowlist.insertion(text, HASH)
    return text[:at] + new + text[at:]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("", '[secrets]\nallowed = [\n  "HASH",\n]\n'),
        ("runtime = 'auto'", "runtime = 'auto'\n\n[secrets]\nallowed = [\n  \"HASH\",\n]\n"),
        ("[secrets] # ours\n", '[secrets] # ours\nallowed = ["HASH"]\n'),
        ("[secrets]\nallowed = [] # none\n", '[secrets]\nallowed = ["HASH"] # none\n'),
        ('secrets.allowed = ["OTHER"]\n', 'secrets.allowed = ["HASH", "OTHER"]\n'),
        ('secrets = {allowed=["OTHER"]}\n', 'secrets = {allowed=["HASH", "OTHER"]}\n'),
        ('"secrets.allowed" = [\n]\n', '"secrets.allowed" = [\n  "HASH",\n]\n'),
        (
            '[secrets]\r\nallowed = [ # known\r\n    # the sample\r\n    "OTHER",\r\n]\r\n',
            (
                '[secrets]\r\nallowed = [ # known\r\n    "HASH",\r\n    # the sample\r\n'
                '    "OTHER",\r\n]\r\n'
            ),
        ),
        (
            'agent = """\n[secrets]\nallowed = [\n"""\n',
            'agent = """\n[secrets]\nallowed = [\n"""\n\n[secrets]\nallowed = [\n  "HASH",\n]\n',
        ),
        ("[a]\nallowed = []\n", '[a]\nallowed = []\n\n[secrets]\nallowed = [\n  "HASH",\n]\n'),
    ],
)
def test_the_hash_is_inserted_at_the_right_position(before, after):
    named = [text.replace("OTHER", OTHER) for text in (before, after)]
    assert inserted(named[0]) == named[1].replace("HASH", HASH)


@pytest.mark.parametrize(
    "text",
    [
        f'secrets.allowed = ["{HASH}"]\n',  # it is listed already
        "runtime = \n",  # not TOML
        "secrets.allowed = [1]\n",
        "secrets.allowed = 'all'\n",
        "secrets = {}\n",  # an inline table cannot be extended
    ],
)
def test_nothing_is_offered_without_a_valid_insertion(text):
    assert secret_allowlist.insertion(text, HASH) is None


def test_an_invalid_hash_is_never_written():
    assert secret_allowlist.insertion("", "a value") is None


_WORDS = st.text(st.characters(codec="utf-8", exclude_characters="\r\x00"), max_size=12)
_VALUES = st.recursive(
    st.booleans() | st.integers(-9, 9) | _WORDS,
    lambda inner: st.lists(_WORDS, max_size=3) | st.dictionaries(_WORDS, inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(_WORDS, _VALUES, max_size=4), st.lists(_WORDS, max_size=2), st.booleans())
def test_every_other_key_and_line_stays(values, comments, known):
    if known:
        values = {**values, "secrets": {"allowed": [OTHER]}}
    else:
        values.pop("secrets", None)
    lines = [f"# {' '.join(comment.split())}" for comment in comments if comment.isprintable()]
    text = "\n".join([*lines, tomli_w.dumps(values)])
    before = dict(flatten(tomllib.loads(text)))
    if "secrets.allowed" in before and not known:
        return
    after = dict(flatten(tomllib.loads(inserted(text))))
    assert after == {**before, "secrets.allowed": [HASH, OTHER] if known else [HASH]}
    assert set(text.split("\n")) - {""} <= set(inserted(text).split("\n"))


def context(tmp_path, files, cwd="ws"):
    root = write(tmp_path, {"ws/.git/HEAD": "", "home/.deepagents/agent/AGENTS.md": "", **files})
    return Context(root / "home", root / cwd, Store())


def apply(fix, store):
    """Apply ``fix`` on disk and return the file."""
    for path, text in fix.creates:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())
        return path
    (edit,) = fix.edits
    text = apply_edits(store.read(edit.path).lines, [(edit.span, edit.text)])
    edit.path.write_bytes(text.encode())
    return edit.path


@pytest.mark.parametrize(
    ("files", "cwd", "where"),
    [
        ({}, "ws", "ws/.deepagents/agent-memory.toml"),
        ({"ws/deep/a": ""}, "ws/deep", "ws/.deepagents/agent-memory.toml"),
        (
            {"ws/.deepagents/agent-memory.toml": "# ours\r\nagent = 'x'\r\n"},
            "ws",
            "ws/.deepagents/agent-memory.toml",
        ),
        (
            {"ws/own/pyproject.toml": "[tool.agent-memory]\nagent = 'x'\n"},
            "ws/own",
            "ws/own/.deepagents/agent-memory.toml",
        ),
    ],
)
def test_a_project_value_is_accepted_in_the_settings_that_apply(tmp_path, files, cwd, where):
    ctx = context(tmp_path, files, cwd)
    fix = secret_allowlist.fix(ctx, HASH, user=False)
    path = apply(fix, ctx.store)
    assert path == tmp_path / where
    settings, problems = load_project(ctx.cwd, Settings(), KNOWN_NAMES)
    assert (settings.allowed_secrets, problems) == ([HASH], [])
    assert b"\n" not in path.read_bytes().replace(b"\r\n", b"") or not files.get(where)
    assert "secrets.allowed in .deepagents/agent-memory.toml" in fix.title
    assert HASH not in fix.title
    assert not fix.safe
    assert secret_allowlist.fix(ctx, HASH, user=False) is None


def test_user_memory_is_accepted_in_the_users_settings(tmp_path):
    ctx = context(tmp_path, {})
    fix = secret_allowlist.fix(ctx, HASH, user=True)
    path = apply(fix, ctx.store)
    assert path == ctx.user_folder / "agent-memory.toml"
    assert load_user(ctx.home, Settings(), KNOWN_NAMES)[0].allowed_secrets == [HASH]
    assert "~/.deepagents/agent-memory.toml" in fix.title


def test_a_settings_file_that_is_not_text_is_not_changed(tmp_path):
    ctx = context(tmp_path, {"ws/.deepagents/agent-memory.toml": b"\xff"})
    assert secret_allowlist.fix(ctx, HASH, user=False) is None


def test_the_edit_follows_a_last_line_without_newline(tmp_path):
    name = "ws/.deepagents/agent-memory.toml"
    ctx = context(tmp_path, {name: "# é\nagent = 'x'"})
    path = apply(secret_allowlist.fix(ctx, HASH, user=False), ctx.store)
    assert split_lines(path.read_text("utf-8"))[:3] == ["# é\n", "agent = 'x'\n", "\n"]
