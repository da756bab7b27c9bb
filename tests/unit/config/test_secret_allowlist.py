"""Accepting a value by its hash: one hash more, and nothing else of the settings changes."""

import hashlib
import tomllib

import pytest
import tomli_w
from hypothesis import given
from hypothesis import strategies as st

from agent_memory.base.text import apply_edits, split_lines
from agent_memory.config import secret_allowlist
from agent_memory.config.context import Context
from agent_memory.config.settings import (
    Settings,
    flatten,
    load_project,
    load_user,
)
from agent_memory.fs.overlay import Store
from agent_memory.lint.known_names import KNOWN_NAMES
from kit import write

HASH = hashlib.sha256(b"a value").hexdigest()
OTHER = hashlib.sha256(b"another").hexdigest()


def put_in(text):
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
def test_the_hash_is_put_where_it_belongs(before, after):
    named = [text.replace("OTHER", OTHER) for text in (before, after)]
    assert put_in(named[0]) == named[1].replace("HASH", HASH)


@pytest.mark.parametrize(
    "text",
    [
        f'secrets.allowed = ["{HASH}"]\n',  # it is there
        "runtime = \n",  # not TOML
        "secrets.allowed = [1]\n",
        "secrets.allowed = 'all'\n",
        "secrets = {}\n",  # a table that takes nothing more
    ],
)
def test_where_it_cannot_be_put_nothing_is_offered(text):
    assert secret_allowlist.insertion(text, HASH) is None


def test_what_is_no_hash_is_never_written():
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
    after = dict(flatten(tomllib.loads(put_in(text))))
    assert after == {**before, "secrets.allowed": [HASH, OTHER] if known else [HASH]}
    assert set(text.split("\n")) - {""} <= set(put_in(text).split("\n"))


def place(tmp_path, files, cwd="ws"):
    root = write(tmp_path, {"ws/.git/HEAD": "", "home/.deepagents/agent/AGENTS.md": "", **files})
    return Context(root / "home", root / cwd, Store())


def done(fix, store):
    """Write what ``fix`` does; return the file."""
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
def test_the_projects_settings_that_count_accept_it(tmp_path, files, cwd, where):
    ctx = place(tmp_path, files, cwd)
    fix = secret_allowlist.fix(ctx, ctx.cwd / "AGENTS.md", HASH)
    path = done(fix, ctx.store)
    assert path == tmp_path / where
    settings, problems = load_project(ctx.cwd, Settings(), KNOWN_NAMES)
    assert (settings.allowed_secrets, problems) == ([HASH], [])
    assert b"\n" not in path.read_bytes().replace(b"\r\n", b"") or not files.get(where)
    assert "secrets.allowed in .deepagents/agent-memory.toml" in fix.title
    assert HASH not in fix.title
    assert not fix.safe
    assert secret_allowlist.fix(ctx, ctx.cwd / "AGENTS.md", HASH) is None


def test_user_memory_is_accepted_in_the_users_own_file(tmp_path):
    ctx = place(tmp_path, {})
    fix = secret_allowlist.fix(ctx, ctx.user_folder / "agent/AGENTS.md", HASH)
    path = done(fix, ctx.store)
    assert path == ctx.user_folder / "agent-memory.toml"
    assert load_user(ctx.home, Settings(), KNOWN_NAMES)[0].allowed_secrets == [HASH]
    assert "~/.deepagents/agent-memory.toml" in fix.title


def test_a_settings_file_that_is_no_text_is_left_alone(tmp_path):
    ctx = place(tmp_path, {"ws/.deepagents/agent-memory.toml": b"\xff"})
    assert secret_allowlist.fix(ctx, ctx.cwd / "AGENTS.md", HASH) is None


def test_the_edit_stands_behind_the_last_line_that_has_no_ending(tmp_path):
    name = "ws/.deepagents/agent-memory.toml"
    ctx = place(tmp_path, {name: "# é\nagent = 'x'"})
    path = done(secret_allowlist.fix(ctx, ctx.cwd / "AGENTS.md", HASH), ctx.store)
    assert split_lines(path.read_text("utf-8"))[:3] == ["# é\n", "agent = 'x'\n", "\n"]
