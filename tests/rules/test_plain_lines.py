"""A line that is passed over unread is one in which no line rule finds anything."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agent_memory import secrets
from agent_memory.lint import engine
from agent_memory.secrets import catalog
from unit.secrets.generate import Maker
from unit.secrets.test_named_values import FOUND
from unit.secrets.test_passwords_in_prose import TOLD, password

_PARTS = st.sampled_from(
    [
        *(
            "password",
            "Passwd",
            ": ",
            "=",
            "a1B2c3D4",
            "-",
            " ",
            "://",
            "u:p@",
            "x.io",
            "\t",
            "`",
            "é",
        ),
        *("pw: ", "login: admin / ", "mysql -p", "use ", " as the password", "a1B2!c3D4"),
    ]
)


def hits(line):
    return list(engine._line_hits(line))


def passed_over(line):
    return not engine._is_read(line)


@given(st.text() | st.lists(_PARTS).map("".join))
@example("a\u200bb\n")
@example("\x07")
@example("p\u017fassword: a1B2c3D4e5")
def test_nothing_is_found_in_what_is_passed_over(line):
    assert not passed_over(line) or secrets.find(line) == []


@pytest.mark.parametrize("line", TOLD)
def test_a_line_that_tells_a_password_is_read(line):
    assert [hit.start for _, hit in hits(line.format(password(line)))] == [line.index("{")]


@pytest.mark.parametrize("kind", [*catalog.kinds(), *catalog.named()], ids=lambda kind: kind.id)
def test_a_line_with_a_token_is_read(kind):
    make = Maker(kind.id).make
    for spec in kind.examples:
        assert not any(map(passed_over, f"- {make(spec)}\n".splitlines()))


@pytest.mark.parametrize("line", FOUND)
def test_a_line_with_a_named_value_is_read(line):
    short = line.format("a1B2c3D4")
    assert not passed_over(short) or secrets.find(short) == []


def test_a_long_line_is_read():
    assert not passed_over("word " * 600)
